//! The answers of servers in an archive, as a crawler would have got them.

use super::body::decoded;
use super::headers::{Head, head_length};
use super::stream::{Records, WarcStream};
use super::{page::TARGET, page_field};
use crate::{Error, InputFile, Problem};
use std::borrow::Cow;

/// The bytes of records that are read at once.
const CHUNK_BYTES: usize = 1 << 20;

/// The answer of a server, as an archive has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcResponse {
    /// The URL that was asked for.
    pub url: String,
    /// The status, such as 200. Resources, which are stored without an answer, have 200.
    pub status: u16,
    /// The content without its transfer and content encodings.
    pub body: Vec<u8>,
    /// The status line and the headers.
    head: Vec<u8>,
    /// The type in the head of the record, for answers without one.
    content_type: Option<String>,
}

impl WarcResponse {
    /// The first header of this name.
    pub fn header(&self, name: &str) -> Option<String> {
        let stored = Head::new(&self.head).field(name).map(Cow::into_owned);
        stored.or_else(|| self.content_type.clone().filter(|_| name.eq_ignore_ascii_case("content-type")))
    }

    /// The values of all headers of this name, in their order.
    pub fn headers(&self, name: &str) -> Vec<String> {
        Head::new(&self.head).fields(name).map(Cow::into_owned).collect()
    }
}

/// Reads the answers in a WARC file, in its order. Other records are left out.
#[derive(Debug)]
pub struct WarcResponses {
    file: InputFile,
    stream: WarcStream,
    records: Records,
    /// The next record.
    next: usize,
    max_record: u64,
}

impl WarcResponses {
    /// Opens a file. Records of more than `max_record` bytes, and bodies that decode to more, are problems.
    ///
    /// # Errors
    /// [`Error`] if the file cannot be read.
    pub fn open(file: &InputFile, max_record: u64) -> Result<Self, Error> {
        let stream = WarcStream::open(file, CHUNK_BYTES, max_record)?;
        Ok(WarcResponses { file: file.clone(), stream, records: Records::default(), next: 0, max_record })
    }

    /// The next answer, or the problem of a record; `None` at the end.
    ///
    /// # Errors
    /// [`Error`] if the file cannot be read.
    pub fn read(&mut self) -> Result<Option<Result<WarcResponse, Problem>>, Error> {
        loop {
            while let Some(span) = self.records.spans.get(self.next) {
                self.next += 1;
                let response = match span {
                    Ok(span) => {
                        let bytes = &self.records.bytes;
                        let head = &bytes[span.head as usize..span.head_end as usize];
                        self.response(head, &bytes[span.block as usize..span.end as usize])
                    }
                    Err(problem) => Err(problem.clone()),
                };
                if let Some(response) = response.transpose() {
                    return Ok(Some(response));
                }
            }
            if let Some(problem) = self.records.broken.take() {
                return Ok(Some(Err(problem)));
            }
            match self.stream.next(&self.file)? {
                Some(records) => (self.records, self.next) = (records, 0),
                None => return Ok(None),
            }
        }
    }

    fn response(&self, head: &[u8], block: &[u8]) -> Result<Option<WarcResponse>, Problem> {
        let head = Head::new(head);
        let Some(url) = page_field(&head, TARGET) else { return Ok(None) };
        let kind = head.field("WARC-Type").unwrap_or_default().to_ascii_lowercase();
        let record_type = head.field("Content-Type").map(Cow::into_owned);
        match kind.as_str() {
            "response" if block.starts_with(b"HTTP/") => {
                let (http, body) = block.split_at(head_length(block).ok_or(Problem::NotHttp)?);
                let http_head = Head::new(http);
                let body = decoded(&http_head, body, self.max_record as usize)?.into_owned();
                let status = status(http_head.first_line).ok_or(Problem::NotHttp)?;
                let content_type = head.field("WARC-Identified-Payload-Type").map(Cow::into_owned);
                Ok(Some(WarcResponse { url, status, body, head: http.to_owned(), content_type }))
            }
            "resource" => {
                let (head, body) = (Vec::new(), block.to_owned());
                Ok(Some(WarcResponse { url, status: 200, body, head, content_type: record_type }))
            }
            _ => Ok(None),
        }
    }
}

fn status(line: &[u8]) -> Option<u16> {
    let status = line.split(|&byte| byte == b' ').filter(|part| !part.is_empty()).nth(1)?;
    str::from_utf8(status).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inputs, Waiting};

    fn record(head: &str, block: &str) -> String {
        format!("WARC/1.0\r\n{head}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len())
    }

    #[test]
    fn answers_and_resources_are_read_with_their_headers() {
        let http =
            "HTTP/1.1 301 Moved\r\nLocation: /b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        let archive = [
            record("WARC-Type: warcinfo", "software: x"),
            record("WARC-Type: request\r\nWARC-Target-URI: http://example.org/a", "GET / HTTP/1.1\r\n\r\n"),
            record("WARC-Type: response\r\nWARC-Target-URI: <http://example.org/a>", http),
            record(
                "WARC-Type: resource\r\nWARC-Target-URI: http://example.org/c\r\nContent-Type: text/html",
                "<p>c",
            ),
            record("WARC-Type: response\r\nWARC-Target-URI: http://example.org/d", "HTTP/1.1 200"),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("site.warc");
        std::fs::write(&path, archive.concat()).unwrap();
        let inputs = Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap();
        let mut responses = WarcResponses::open(&inputs.files()[0], 1 << 20).unwrap();
        let moved = responses.read().unwrap().unwrap().unwrap();
        assert_eq!(
            (moved.url.as_str(), moved.status, &moved.body[..]),
            ("http://example.org/a", 301, &b"abc"[..])
        );
        assert_eq!(moved.header("location").as_deref(), Some("/b"));
        let resource = responses.read().unwrap().unwrap().unwrap();
        assert_eq!((resource.header("Content-Type").as_deref(), resource.status), (Some("text/html"), 200));
        assert_eq!(responses.read().unwrap(), Some(Err(Problem::NotHttp)));
        assert_eq!(responses.read().unwrap(), None);
    }
}
