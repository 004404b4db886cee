//! WARC files of other crawlers.

use super::{GivenAnswer, Storing};
use crate::crawl::{CrawlCounts, CrawlMonitor};
use crate::error::Error;
use crate::fetch::{FetchLimits, is_html};
use lookalike_corpus::{Inputs, Waiting, WarcResponse, WarcResponses};
use lookalike_html::crawled_url;
use reqwest::header::{CONTENT_TYPE, HeaderName, LINK, LOCATION};
use std::path::{Path, PathBuf};
use url::Url;

/// The headers that are kept of an answer, with their first value.
const SINGLE: [HeaderName; 2] = [CONTENT_TYPE, LOCATION];

/// Those that are kept with all values.
const REPEATED: [HeaderName; 2] = [LINK, HeaderName::from_static("x-robots-tag")];

/// Reads the answers in WARC files, and stores them in `state`, in their order. Of several answers for a URL, the first
/// success counts, and without one the first answer.
///
/// # Errors
/// [`Error::Archive`] if a file cannot be read, [`Error::Interrupted`], and the errors of the state folder. Bad records are skipped, with a note to
/// the monitor.
pub fn read_archives(
    archives: &[PathBuf],
    state: &Path,
    monitor: &CrawlMonitor,
) -> Result<CrawlCounts, Error> {
    let names: Vec<String> = archives.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let waiting = Waiting { interrupt: monitor.interrupt.clone(), ..Waiting::default() };
    let inputs = Inputs::resolve(&names, &waiting)?;
    let mut storing = Storing::open(names.join(" "), state, monitor)?;
    let limit = FetchLimits::default().page_bytes as u64;
    // A redirect or an error counts only if no record has a success for this URL.
    let mut others = Vec::new();
    for file in inputs.files() {
        let mut responses = WarcResponses::open(file, limit)?;
        while let Some(response) = responses.read()? {
            match response {
                Ok(response) => {
                    let is_success = (200..300).contains(&response.status);
                    match given(response) {
                        Some(given) if is_success => storing.push(given, &|_| {})?,
                        Some(mut given) => {
                            given.drop_content();
                            others.push(given);
                        }
                        None => {}
                    }
                }
                Err(problem) => monitor.note(&format!("{}: {problem}", file.path.display())),
            }
        }
    }
    for other in others {
        storing.push(other, &|_| {})?;
    }
    storing.finish(&|_| {})
}

/// The answer of a record. `None` if it is of no website.
fn given(response: WarcResponse) -> Option<GivenAnswer> {
    let url = Url::parse(&response.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let content_type = response.header(CONTENT_TYPE.as_str());
    let mut headers = Vec::new();
    for name in SINGLE {
        headers.extend(response.header(name.as_str()).map(|value| (name, value)));
    }
    for name in REPEATED {
        headers.extend(response.headers(name.as_str()).into_iter().map(|value| (name.clone(), value)));
    }
    let mut given = GivenAnswer::new(crawled_url(url), response.status, response.body, headers);
    if content_type.is_some_and(|content_type| !is_html(&content_type)) {
        given.drop_content();
    }
    Some(given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawled::Crawled;
    use crate::visit::VisitOutcome;

    fn record(url: &str, http: &str) -> String {
        let head = format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}");
        format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len())
    }

    #[test]
    fn the_first_answer_for_each_url_is_stored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("site.warc");
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: </de>; rel=alternate; hreflang=de\r\n\
            X-Robots-Tag: noarchive\r\nLink: </c>; rel=canonical\r\nX-Robots-Tag: noindex\r\n\r\n<a href=/b>b</a>";
        let image = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\npng";
        let moved = "HTTP/1.1 301 Moved\r\nLocation: /a\r\n\r\n";
        let archive = [
            record("http://example.org/a", page),
            record("http://example.org/a?utm_source=x", image),
            record("dns:example.org", "example.org. A 192.0.2.1"),
            record("http://example.org/i.png", image),
            record("http://example.org/b", moved),
        ];
        std::fs::write(&path, archive.concat()).unwrap();
        let state = folder.path().join("state");
        let counts = read_archives(&[path], &state, &CrawlMonitor::default()).unwrap();
        assert_eq!((counts.visited, counts.pages), (3, 1));
        let crawled = Crawled::open(&state).unwrap();
        let visit = |number| crawled.visit(number).unwrap().unwrap();
        assert_eq!(visit(0).canonical(), Some("http://example.org/c"));
        assert!(visit(0).asks_robots("noarchive") && visit(0).asks_robots("noindex"));
        assert_eq!((visit(1).outcome, visit(1).bytes), (VisitOutcome::Resource, 3));
        let target = "http://example.org/a".to_owned();
        assert_eq!((visit(2).outcome, visit(2).status), (VisitOutcome::Redirect { target }, Some(301)));
    }

    #[test]
    fn a_page_counts_before_redirects_and_errors_of_its_url() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["1.warc", "2.warc"].map(|name| folder.path().join(name));
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a";
        let moved = "HTTP/1.1 301 Moved\r\nLocation: /a\r\n\r\n";
        let busy = "HTTP/1.1 503 Busy\r\n\r\n";
        let first = [
            record("http://example.org/a?utm_source=x", moved),
            record("http://example.org/b", busy),
            record("http://example.org/gone", busy),
        ];
        let second = [record("http://example.org/a", page), record("http://example.org/b", page)];
        std::fs::write(&paths[0], first.concat()).unwrap();
        std::fs::write(&paths[1], second.concat()).unwrap();
        let counts = read_archives(&paths, &folder.path().join("state"), &CrawlMonitor::default()).unwrap();
        assert_eq!((counts.visited, counts.pages), (3, 2));
    }
}
