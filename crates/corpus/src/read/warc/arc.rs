//! ARC, the format of web archives before WARC: records whose head is a line.
//!
//! Source: Internet Archive, "ARC File Format Reference", 1996. A head is `URL IP-address Archive-date Content-type Archive-length` in version 1, and
//! has more before the length in version 2.

use memchr::{memchr, memchr_iter};

use super::boundary::RecordAt;
use crate::Problem;

/// The maximum length of a head in bytes. It is that of a URL, in practice.
pub(super) const MAX_HEAD_BYTES: usize = 1 << 16;

/// The number of bytes behind a block that show whether the record ends: a line end, and some of the next head.
const BEHIND_BYTES: usize = 32;

/// The head of a record.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ArcHead {
    url: String,
    address: String,
    date: String,
    content_type: String,
    length: u64,
}

impl ArcHead {
    /// The head in a line, if it is one. URLs of old crawlers may have spaces, and other bytes than UTF-8: the first date behind an address
    /// ends them.
    pub(super) fn of(line: &[u8]) -> Option<ArcHead> {
        let line = String::from_utf8_lossy(line.trim_ascii_end());
        let words: Vec<&str> = line.split(' ').collect();
        let is_date = |word: &str| word.len() == 14 && word.bytes().all(|digit| digit.is_ascii_digit());
        let date = words.iter().skip(2).position(|word| is_date(word))? + 2;
        let (url, length) = (words[..date - 1].join(" "), words.last()?.parse().ok()?);
        let head = ArcHead {
            address: words[date - 1].to_owned(),
            date: words[date].to_owned(),
            content_type: (*words.get(date + 1)?).to_owned(),
            length,
            url,
        };
        let scheme = head.url.split_once(':')?.0;
        let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        (words.len() > date + 2 && is_scheme && !scheme.is_empty()).then_some(head)
    }

    /// The same as the head of a WARC record, so that both are read in one way.
    pub(super) fn as_warc(&self, block: &[u8]) -> String {
        let ArcHead { url, address, date, content_type, .. } = self;
        let [year, month, day, hour, minute, second] =
            [0..4, 4..6, 6..8, 8..10, 10..12, 12..14].map(|part| &date[part]);
        // The record at the start of a file describes the file.
        let kind = match block.starts_with(b"HTTP/") {
            _ if url.starts_with("filedesc:") => "warcinfo",
            true => "response",
            false => "resource",
        };
        let types = match kind {
            "response" => {
                format!(
                    "Content-Type: application/http; msgtype=response\r\nWARC-Identified-Payload-Type: {content_type}"
                )
            }
            _ => format!("Content-Type: {content_type}"),
        };
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {year}-{month}-{day}T{hour}:{minute}:{second}Z\r\n\
             WARC-IP-Address: {address}\r\n{types}\r\n\r\n"
        )
    }
}

/// Reads at `start`, where a record should start, as for WARC.
pub(super) fn record_at(bytes: &[u8], start: usize, ended: bool, max_record: u64) -> RecordAt {
    let rest = &bytes[start..];
    if rest.is_empty() {
        return if ended { RecordAt::End } else { RecordAt::More(start + 1) };
    }
    let Some(newline) = memchr(b'\n', &rest[..rest.len().min(MAX_HEAD_BYTES)]) else {
        return match ended || rest.len() >= MAX_HEAD_BYTES {
            // In the middle of a head the file ends.
            true => RecordAt::Bad { problem: Problem::OpenHead, resume: start + 1 },
            false => RecordAt::More(start + 2 * rest.len()),
        };
    };
    let block = start + newline + 1;
    let Some(head) = ArcHead::of(&rest[..newline]) else {
        return RecordAt::Bad { problem: Problem::NotArc, resume: start };
    };
    if head.length > max_record {
        return RecordAt::TooLong { block, length: head.length };
    }
    let end = block + head.length as usize;
    if bytes.len() < end + BEHIND_BYTES && !ended {
        return RecordAt::More(end + BEHIND_BYTES);
    }
    if bytes.len() < end {
        let problem = Problem::Truncated { expected: head.length, found: (bytes.len() - block) as u64 };
        return RecordAt::Bad { problem, resume: block };
    }
    let behind = &bytes[end..];
    let lines = behind.iter().take_while(|&&byte| matches!(byte, b'\r' | b'\n')).count().min(2);
    let is_open = lines == 0 && !behind.is_empty() && memchr(b'\n', behind).is_none();
    if is_open && !ended && behind.len() < MAX_HEAD_BYTES {
        return RecordAt::More(start + 2 * rest.len());
    }
    // If the length counts the line end, or if it is missing, the record is still whole.
    match lines > 0 || behind.is_empty() || starts_head(behind) {
        true => RecordAt::Record { block, end, next: end + lines },
        false => RecordAt::Bad { problem: Problem::WrongLength { length: head.length }, resume: block },
    }
}

/// Whether the bytes start with a head.
fn starts_head(bytes: &[u8]) -> bool {
    memchr(b'\n', bytes).is_some_and(|newline| ArcHead::of(&bytes[..newline]).is_some())
}

/// The start of the next record from `from` on, behind a line end.
pub(super) fn next_start(bytes: &[u8], from: usize) -> Option<usize> {
    let lines = memchr_iter(b'\n', &bytes[from..]).map(|newline| from + newline + 1);
    lines
        .zip(lines_behind(bytes, from))
        .find(|(start, end)| ArcHead::of(&bytes[*start..*end]).is_some())
        .map(|(start, _)| start)
}

/// The ends of the lines behind each line end.
fn lines_behind(bytes: &[u8], from: usize) -> impl Iterator<Item = usize> {
    memchr_iter(b'\n', &bytes[from..]).map(move |newline| from + newline).skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "http://a.example/x 1.2.3.4 20260102030405 text/html";

    #[test]
    fn a_head_is_known_by_its_date_and_its_length() {
        let line = format!("{HEAD} 49\n");
        let head = ArcHead::of(line.as_bytes()).unwrap();
        assert_eq!((&*head.url, &*head.content_type, head.length), ("http://a.example/x", "text/html", 49));
        let second = format!("{HEAD} 200 - - 1234 x.arc.gz 49");
        assert_eq!(ArcHead::of(second.as_bytes()).unwrap().length, 49);
        for line in [
            "",
            "<p>one",
            "http://a 1.2.3.4 2026 text/html 4",
            "a 1.2.3.4 20260102030405 x 4",
            "Content-Length: 4",
        ] {
            assert_eq!(ArcHead::of(line.as_bytes()), None, "{line}");
        }
        let warc = head.as_warc(b"HTTP/1.1 200 OK");
        assert!(warc.contains("WARC-Date: 2026-01-02T03:04:05Z\r\n"), "{warc}");
    }

    #[test]
    fn records_are_found_with_the_line_end_behind_them() {
        let one = format!("{HEAD} 3\nabc\n");
        let two = format!("{one}{one}");
        let length = one.len();
        let at = |start: usize, ended| record_at(two.as_bytes(), start, ended, 100);
        assert_eq!(at(0, true), RecordAt::Record { block: length - 4, end: length - 1, next: length });
        assert_eq!(
            at(length, true),
            RecordAt::Record { block: 2 * length - 4, end: 2 * length - 1, next: 2 * length }
        );
        assert_eq!(at(2 * length, true), RecordAt::End);
        assert_eq!(record_at(two.as_bytes(), 0, true, 2), RecordAt::TooLong { block: length - 4, length: 3 });
        for cut in 0..two.len() - length {
            let found = record_at(&two.as_bytes()[..cut], 0, false, 100);
            assert!(matches!(found, RecordAt::More(more) if more > cut), "{cut} {found:?}");
        }
    }

    #[test]
    fn the_next_record_behind_damage_is_found() {
        let bytes = format!("damage\n\nmore {HEAD} 3\n{HEAD} 3\nabc\n");
        let start = bytes.rfind("http:").unwrap();
        assert_eq!(next_start(bytes.as_bytes(), 0), Some(start));
        let long = format!("{HEAD} 9\nabc\n{HEAD} 3\nabc\n{HEAD} 3\nabc\n");
        let found = record_at(long.as_bytes(), 0, true, 100);
        assert!(
            matches!(found, RecordAt::Bad { problem: Problem::WrongLength { length: 9 }, .. }),
            "{found:?}"
        );
    }
}
