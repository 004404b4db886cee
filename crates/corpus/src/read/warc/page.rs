//! Recognising the records that are documents, and extracting their text.

use std::borrow::Cow;

use super::{
    body::decoded,
    headers::{Head, head_length},
};
use crate::{
    Problem,
    problem::{MAX_DECODED_BYTES, MAX_TEXT_BYTES},
};
use lookalike_html::{Extract, html_text_by, plain_text};

/// The header with the address of what was fetched.
pub(super) const TARGET: &str = "WARC-Target-URI";

/// A document in a record.
#[derive(Debug)]
pub(super) struct WarcPage<'a> {
    /// The head of the HTTP response, if the record is a response.
    http: Option<Head<'a>>,
    body: &'a [u8],
    content_type: Cow<'a, str>,
    markup: bool,
}

impl<'a> WarcPage<'a> {
    /// The document in a record. It is a successful response, a resource or a conversion, and either HTML or plain text. `None`
    /// if the record is anything else, or, unless `all_records` are wanted, about the crawl itself.
    pub(super) fn of(
        head: &Head<'a>,
        block: &'a [u8],
        all_records: bool,
    ) -> Result<Option<WarcPage<'a>>, Problem> {
        if !all_records && head.field(TARGET).is_some_and(|target| is_about_crawl(&target)) {
            return Ok(None);
        }
        let kind = head.field("WARC-Type").unwrap_or_default().to_ascii_lowercase();
        let record_type = head.field("Content-Type");
        let (http, body, content_type) = match kind.as_str() {
            "response" if record_type.as_deref().is_none_or(|of| media_type(of) == "application/http") => {
                let length =
                    head_length(block).filter(|_| block.starts_with(b"HTTP/")).ok_or(Problem::NotHttp)?;
                let (http, body) = block.split_at(length);
                let http = Head::new(http);
                if !is_success(http.first_line) {
                    return Ok(None);
                }
                let content_type =
                    http.field("Content-Type").or_else(|| head.field("WARC-Identified-Payload-Type"));
                (Some(http), body, content_type)
            }
            "resource" | "conversion" => (None, block, record_type),
            _ => return Ok(None),
        };
        let content_type = content_type.unwrap_or_default();
        let markup = match media_type(&content_type).as_str() {
            "text/html" | "application/xhtml+xml" => true,
            "text/plain" => false,
            _ => return Ok(None),
        };
        Ok(Some(WarcPage { http, body, content_type, markup }))
    }

    /// The page without the encodings of its response. One of more than `max_record` bytes is refused.
    pub(super) fn content(&self, max_record: u64) -> Result<Cow<'a, [u8]>, Problem> {
        match &self.http {
            Some(http) => decoded(http, self.body, MAX_DECODED_BYTES.min(max_record as usize)),
            None => Ok(Cow::Borrowed(self.body)),
        }
    }

    /// Replaces `text` by this part of the text of the page. Plain text is read as a whole.
    pub(super) fn read(&self, extract: Extract, max_record: u64, text: &mut String) -> Result<(), Problem> {
        text.clear();
        let body = self.content(max_record)?;
        match self.markup {
            true => html_text_by(extract, &body, Some(&self.content_type), text),
            false => text.push_str(&plain_text(&body, Some(&self.content_type))),
        }
        if text.len() > MAX_TEXT_BYTES { Err(Problem::TooLong) } else { Ok(()) }
    }
}

/// Whether a target is no address that a crawler fetches. Crawlers store what they have to say about a crawl under such targets: wget its
/// arguments under `metadata://gnu.org/…`, Browsertrix the text of each page under `urn:text:…`. A target without a scheme is none of them.
fn is_about_crawl(target: &str) -> bool {
    // The standard puts no angle brackets around it, and old programs do.
    let Some((scheme, _)) = target.trim_start_matches('<').split_once(':') else { return false };
    let is_scheme = |&byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    scheme.as_bytes().iter().all(is_scheme)
        && !["http", "https", "ftp", "ftps"].iter().any(|of| scheme.eq_ignore_ascii_case(of))
}

/// The media type of a content type, without its parameters.
fn media_type(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn is_success(status_line: &[u8]) -> bool {
    let status = status_line.split(|&byte| byte == b' ').filter(|part| !part.is_empty()).nth(1);
    matches!(status, Some([b'2', second, third]) if second.is_ascii_digit() && third.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(head: &str, block: &[u8]) -> Result<Option<String>, Problem> {
        let head = format!("WARC/1.0\r\n{head}\r\n\r\n");
        let Some(page) = WarcPage::of(&Head::new(head.as_bytes()), block, false)? else { return Ok(None) };
        let mut text = String::new();
        page.read(Extract::All, u64::MAX, &mut text).map(|()| Some(text))
    }

    fn response(block: &str) -> Result<Option<String>, Problem> {
        text("WARC-Type: response\r\nContent-Type: application/http; msgtype=response", block.as_bytes())
    }

    #[test]
    fn successful_responses_with_text_are_documents() {
        for (line, content_type, expected) in [
            ("HTTP/1.1 200 OK", "text/html", Some("a b")),
            ("HTTP/1.0  206", "Text/HTML; charset=utf-8", Some("a b")),
            ("HTTP/2 200", "application/xhtml+xml", Some("a b")),
            ("HTTP/1.1 200 OK", "text/plain", Some("<p>a  b")),
            ("HTTP/1.1 200 OK", "application/pdf", None),
            ("HTTP/1.1 200 OK", "", None),
            ("HTTP/1.1 301 Moved", "text/html", None),
            ("HTTP/1.1 2000 ?", "text/html", None),
            ("HTTP/1.1", "text/html", None),
        ] {
            let block = format!("{line}\r\nContent-Type: {content_type}\r\n\r\n<p>a  b");
            assert_eq!(response(&block), Ok(expected.map(str::to_owned)), "{line} {content_type}");
        }
        assert_eq!(response("no http"), Err(Problem::NotHttp));
        assert_eq!(response("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"), Err(Problem::NotHttp));
    }

    #[test]
    fn resources_and_conversions_are_documents_and_other_records_are_not() {
        for (kind, expected) in [
            ("conversion", Some("a")),
            ("RESOURCE", Some("a")),
            ("warcinfo", None),
            ("request", None),
            ("metadata", None),
            ("revisit", None),
            ("continuation", None),
            ("", None),
        ] {
            let head = format!("WARC-Type: {kind}\r\nContent-Type: text/plain");
            assert_eq!(text(&head, b"a"), Ok(expected.map(str::to_owned)), "{kind}");
        }
        assert_eq!(text("WARC-Type: response\r\nContent-Type: text/dns", b"a"), Ok(None));
        assert_eq!(text("WARC-Type: resource", b"a"), Ok(None));
    }

    #[test]
    fn records_about_the_crawl_are_no_documents_unless_all_records_are_wanted() {
        for (target, is_page) in [
            ("http://x.example/", true),
            ("<HTTPS://x.example/>", true),
            ("ftp://x.example/a.txt", true),
            ("metadata://gnu.org/software/wget/warc/wget.log", false),
            ("urn:text:https://x.example/", false),
            ("urn:textFinal:https://x.example/", false),
            ("urn:pageinfo:https://x.example/", false),
            ("file:///x", false),
            ("page 7: a title", true),
            ("seven", true),
        ] {
            let head =
                format!("WARC-Type: resource\r\nContent-Type: text/plain\r\nWARC-Target-URI: {target}");
            assert_eq!(text(&head, b"a"), Ok(is_page.then(|| "a".to_owned())), "{target}");
            let head = format!("WARC/1.0\r\n{head}\r\n\r\n");
            assert!(WarcPage::of(&Head::new(head.as_bytes()), b"a", true).unwrap().is_some(), "{target}");
        }
    }

    #[test]
    fn the_type_that_the_crawler_identified_is_used_if_the_server_sent_none() {
        let head = "WARC-Type: response\r\nWARC-Identified-Payload-Type: text/html";
        assert_eq!(text(head, b"HTTP/1.1 200 OK\r\n\r\n<p>a"), Ok(Some("a".to_owned())));
    }

    #[test]
    fn the_character_set_of_the_header_is_used() {
        let block =
            b"HTTP/1.1 200 OK\nContent-Type: text/html;Charset=\"koi8-r\"\n\n<meta charset=utf-8>\xc1";
        assert_eq!(text("WARC-Type: response", block), Ok(Some("а".to_owned())));
    }
}
