//! The one table of file formats: what an extension means, and what the first bytes of a file say.

use std::path::Path;

use crate::{html::is_html, read::starts_warc_record};

/// How documents are laid out in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One JSON object a line.
    Jsonl,
    /// A JSON array of objects.
    Json,
    /// Apache Parquet; a row is a document.
    Parquet,
    /// Comma-separated values with a header line.
    Csv,
    /// Tab-separated values with a header line.
    Tsv,
    /// A web archive; some of its records are documents.
    Warc,
    /// An HTML page; a file is a document.
    Html,
    /// Plain text; a file is a document.
    Text,
    /// No file: records that the caller holds in memory. A row is a document.
    Memory,
}

/// How a file is compressed as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, of one or many members.
    Gzip,
    /// Zstandard, of one or many frames.
    Zstd,
    /// bzip2, of one or many streams.
    Bzip2,
    /// xz, of one or many streams.
    Xz,
}

/// Extension, format. The first extension of a format is its usual one.
const FORMATS: [(&str, Format); 12] = [
    ("jsonl", Format::Jsonl),
    ("ndjson", Format::Jsonl),
    // Of files: what is in it may also be lines.
    ("json", Format::Json),
    ("parquet", Format::Parquet),
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("warc", Format::Warc),
    // The texts of an archive, as Common Crawl extracts them.
    ("wet", Format::Warc),
    ("html", Format::Html),
    ("htm", Format::Html),
    ("txt", Format::Text),
    ("md", Format::Text),
];

/// Whether something is known by its first bytes.
type Known = fn(&[u8]) -> bool;

/// Extension, compression, and whether first bytes are those of such a file.
const COMPRESSIONS: [(&str, Compression, Known); 4] = [
    ("gz", Compression::Gzip, is_gzip),
    ("zst", Compression::Zstd, is_zstd),
    ("bz2", Compression::Bzip2, is_bzip2),
    ("xz", Compression::Xz, |head| head.starts_with(&[0xfd, b'7', b'z', b'X', b'Z', 0x00])),
];

/// As many first bytes as show any compression.
pub(crate) const COMPRESSION_BYTES: usize = 16;

/// As many first bytes, decompressed, as show any format, with room for blank lines before the first object.
pub(crate) const HEAD_BYTES: usize = 4096;

/// What every frame of Zstandard starts with that is not skipped.
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// What every Parquet file starts with, and the first field of what comes next, be it a page or, without rows, the footer: an integer of
/// 32 bits with the number 1.
const PARQUET_MAGIC: &[u8] = b"PAR1\x15";

/// The bytes without the byte order marks before them. Some programs put one at the start of a UTF-8 file; where such files were
/// joined, there is one at the start of any line, or there are several.
pub(crate) fn without_marks(mut bytes: &[u8]) -> &[u8] {
    while let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        bytes = rest;
    }
    bytes
}

impl Compression {
    /// The compression that the first bytes of a file show.
    pub(crate) fn of_content(head: &[u8]) -> Compression {
        COMPRESSIONS
            .iter()
            .find(|(_, _, is)| is(head))
            .map_or(Compression::None, |&(_, compression, _)| compression)
    }
}

impl Format {
    /// The format that the first decompressed bytes of a file show; `None` for tables and plain text, which start anyhow.
    pub(crate) fn of_content(head: &[u8]) -> Option<Format> {
        if head.starts_with(PARQUET_MAGIC) {
            return Some(Format::Parquet);
        }
        if starts_warc_record(head) {
            return Some(Format::Warc);
        }
        let head = without_marks(head);
        if is_html(head) {
            return Some(Format::Html);
        }
        if starts_json_object(head) {
            return Some(Format::Jsonl);
        }
        let inside = head.trim_ascii_start().strip_prefix(b"[")?.trim_ascii();
        (inside == b"]" || starts_json_object(inside)).then_some(Format::Json)
    }

    /// The format of a file whose name ends in `.json`, by its first decompressed bytes: an array, or objects line by line.
    pub(crate) fn of_json(head: &[u8]) -> Format {
        match without_marks(head).trim_ascii_start() {
            [b'[', ..] => Format::Json,
            _ => Format::Jsonl,
        }
    }

    /// May records of this format be in a file whose name shows `named`?
    pub(crate) fn fits(self, named: Format) -> bool {
        self == named || (self == Format::Jsonl && named == Format::Json)
    }

    /// Is a whole file one document?
    pub fn is_one_document(self) -> bool {
        matches!(self, Format::Html | Format::Text)
    }

    /// The same of a list of ids, which is never plain text: what is neither JSON nor Parquet is TSV if there is a tab in its
    /// first line, and else CSV. (A list in JSON is no JSONL either, but who reads it as that can say so.)
    pub(crate) fn of_list(head: &[u8]) -> Format {
        let text = without_marks(head).trim_ascii_start();
        let first_line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        match Format::of_content(head) {
            Some(format @ (Format::Jsonl | Format::Parquet)) => format,
            _ if text.starts_with(b"[") => Format::Json,
            _ if text.is_empty() => Format::Jsonl,
            _ if first_line.contains(&b'\t') => Format::Tsv,
            _ => Format::Csv,
        }
    }
}

/// The format and the compression that a file name shows, such as those of `a.jsonl.gz`.
pub(crate) fn of_name(path: &Path) -> (Option<Format>, Compression) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let compressed = COMPRESSIONS
        .iter()
        .find_map(|&(extension, compression, _)| Some((before_extension(&name, extension)?, compression)));
    let (stem, compression) = compressed.unwrap_or((&name, Compression::None));
    let format = FORMATS
        .iter()
        .find(|(extension, _)| before_extension(stem, extension).is_some())
        .map(|&(_, format)| format);
    (format, compression)
}

/// The known extensions, for messages: `.jsonl .ndjson …`.
pub(crate) fn known_extensions() -> String {
    FORMATS.map(|(extension, _)| format!(".{extension}")).join(" ")
}

/// The extensions of one format, for messages: `.jsonl .ndjson …`.
pub(crate) fn extensions_of(format: Format) -> String {
    let extensions = FORMATS.iter().filter(|(_, known)| format.fits(*known));
    extensions.map(|(extension, _)| format!(".{extension}")).collect::<Vec<_>>().join(" ")
}

/// The extensions that a table can be written under, for messages.
pub(crate) fn table_extensions() -> String {
    [Format::Jsonl, Format::Csv, Format::Tsv, Format::Parquet].map(extensions_of).join(" ")
}

/// gzip, of the one method that there is, and with no flag that has no meaning.
fn is_gzip(head: &[u8]) -> bool {
    matches!(head, [0x1f, 0x8b, 0x08, flags, ..] if flags & 0xe0 == 0)
}

/// Zstandard, also behind frames that are skipped: the program pzstd writes one before each other frame.
pub(crate) fn is_zstd(head: &[u8]) -> bool {
    let mut rest = head;
    while let [0x50..=0x5f, 0x2a, 0x4d, 0x18, length @ ..] = rest {
        let Some((length, content)) = length.split_first_chunk() else { return false };
        match content.get(u32::from_le_bytes(*length) as usize..) {
            Some(next) if next.len() >= ZSTD_MAGIC.len() => rest = next,
            // What is further on than these first bytes is for the decoder to see.
            _ => return true,
        }
    }
    rest.starts_with(ZSTD_MAGIC)
}

/// bzip2: its magic, a level, and the start of a block, or the end of a stream without any. A file that is cut within these shows two bytes
/// of them at least.
fn is_bzip2(head: &[u8]) -> bool {
    let blocks = head.strip_prefix(b"BZh").and_then(|rest| rest.split_first());
    blocks.is_some_and(|(level, rest)| {
        let shown = rest.len().min(6);
        (b'1'..=b'9').contains(level)
            && shown >= 2
            && [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"]
                .iter()
                .any(|magic| magic.starts_with(&rest[..shown]))
    })
}

/// Does a text start with a JSON object, which may be empty if another one is below it? Templates start with a brace too, but not with
/// a key.
fn starts_json_object(head: &[u8]) -> bool {
    let mut rest = head.trim_ascii_start();
    while let Some(inside) = rest.strip_prefix(b"{") {
        let inside = inside.trim_ascii_start();
        if let Some(key) = inside.strip_prefix(b"\"") {
            let mut is_escaped = false;
            let end = key.iter().position(|&byte| {
                let is_end = byte == b'"' && !is_escaped;
                is_escaped = byte == b'\\' && !is_escaped;
                is_end
            });
            return end.is_some_and(|end| key[end + 1..].trim_ascii_start().starts_with(b":"));
        }
        let Some(behind) = inside.strip_prefix(b"}") else { return false };
        rest = behind.trim_ascii_start();
    }
    false
}

fn before_extension<'a>(name: &'a str, extension: &str) -> Option<&'a str> {
    name.strip_suffix(extension)?.strip_suffix('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extension_gives_its_format_with_and_without_compression() {
        for (extension, format) in FORMATS {
            let plain = of_name(Path::new(&format!("folder.gz/A.{}", extension.to_uppercase())));
            assert_eq!(plain, (Some(format), Compression::None));
            for (suffix, compression, _) in COMPRESSIONS {
                let both = of_name(Path::new(&format!("a.b.{extension}.{suffix}")));
                assert_eq!(both, (Some(format), compression));
            }
        }
    }

    #[test]
    fn a_name_without_a_known_extension_gives_no_format() {
        for name in ["a", "jsonl", "a.jsonl.part", "a.gz", "..", ""] {
            assert_eq!(of_name(Path::new(name)).0, None, "{name}");
        }
    }

    #[test]
    fn content_shows_what_has_a_start_of_its_own() {
        assert_eq!(Format::of_content(b"\xef\xbb\xbf \n{\"a\":1}"), Some(Format::Jsonl));
        assert_eq!(Format::of_content(b"{} \n{ \"a\\\" b\" : 1}"), Some(Format::Jsonl));
        assert_eq!(Format::of_content(b"\xef\xbb\xbf\n[\n {\"a\":1}, x"), Some(Format::Json));
        assert_eq!(Format::of_content(b"[ ] \n"), Some(Format::Json));
        assert_eq!(Format::of_content(b"PAR1\x15...."), Some(Format::Parquet));
        assert_eq!(Format::of_content(b"WARC/0.18\r\n"), Some(Format::Warc));
        assert_eq!(Format::of_content(b"\xef\xbb\xbf\n<!DOCTYPE html>"), Some(Format::Html));
        assert_eq!(Format::of_content(b"<HTML lang=en>"), Some(Format::Html));
        assert_eq!(Format::of_content(b"<p>"), None);
        assert_eq!(Format::of_content(b"a,b\n1,2"), None);
        assert_eq!(Format::of_content(b""), None);
    }

    #[test]
    fn texts_that_start_like_something_else_are_texts() {
        for text in [
            "{{ page.title }}",
            "{% block %}",
            "{\\em LaTeX}",
            "{}",
            "{} is the empty set",
            "{\"quoted\" words}",
            "[x] done",
            "[] is the empty list",
            "[{{ a template }}]",
            "PAR1S is a name",
            "PAR1",
            "WARC/ is how a record starts",
        ] {
            assert_eq!(Format::of_content(text.as_bytes()), None, "{text}");
        }
        for text in ["BZh is how bzip2 starts", "BZh9", "BZh91", "BZh91AX", "BZhBZhBZhBZh", "\x1f", "P*M"] {
            assert_eq!(Compression::of_content(text.as_bytes()), Compression::None, "{text}");
        }
    }

    #[test]
    fn compression_is_seen_in_its_first_bytes_whatever_it_holds() {
        use std::io::Write;
        for content in [&b""[..], b"some words"] {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            gzip.write_all(content).unwrap();
            let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            bzip2.write_all(content).unwrap();
            let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 6);
            xz.write_all(content).unwrap();
            let zstd = zstd::encode_all(content, 1).unwrap();
            for (bytes, compression) in [
                (gzip.finish().unwrap(), Compression::Gzip),
                (bzip2.finish().unwrap(), Compression::Bzip2),
                (xz.finish().unwrap(), Compression::Xz),
                ([b"\x50\x2a\x4d\x18\x04\0\0\0\x0b\0\0\0", &zstd[..]].concat(), Compression::Zstd),
                ([b"\x5f\x2a\x4d\x18\0\x01\0\0", &[0; 256][..], &zstd[..]].concat(), Compression::Zstd),
                (zstd, Compression::Zstd),
            ] {
                assert_eq!(
                    Compression::of_content(&bytes[..bytes.len().min(COMPRESSION_BYTES)]),
                    compression
                );
            }
        }
    }

    #[test]
    fn a_list_is_a_table_if_it_is_nothing_else() {
        assert_eq!(Format::of_list(b"\xef\xbb\xbfp,q\nr,s\tt\n"), Format::Csv);
        assert_eq!(Format::of_list(b"p\tq,r\n"), Format::Tsv);
        for json in ["", "\n", "{\"a\":1}"] {
            assert_eq!(Format::of_list(json.as_bytes()), Format::Jsonl, "{json}");
        }
        assert_eq!(Format::of_list(b" [\n{\"a\":1}]"), Format::Json);
        assert_eq!(Format::of_list(b"PAR1\x15...."), Format::Parquet);
        assert_eq!(Format::of_list(b"<html>,b\n"), Format::Csv);
    }
}
