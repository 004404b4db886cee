//! The answer to a request.

use super::retry_after::retry_after;
use reqwest::header::{HeaderMap, HeaderName, LINK, LOCATION, RETRY_AFTER};
use std::borrow::Cow;
use std::time::{Duration, SystemTime};
use url::Url;

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// The decoded content, if it was wanted.
    pub(crate) body: Option<Vec<u8>>,
    /// From the request to the head of the answer.
    pub(crate) first_byte: Duration,
    /// From the request to the last byte.
    pub(crate) total: Duration,
    /// The bytes of the content as it was sent; what the server says if it was not read.
    pub(crate) sent: u64,
}

impl HttpAnswer {
    /// The first header of this name, as text.
    pub(crate) fn header(&self, name: HeaderName) -> Option<Cow<'_, str>> {
        self.headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()))
    }

    /// The values of all headers of this name, as one list: a list may be sent as several headers.
    pub(crate) fn list(&self, name: HeaderName) -> String {
        let values = self.headers.get_all(name).into_iter();
        values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect::<Vec<_>>().join(",")
    }

    /// The URL that a redirect names, resolved.
    pub(crate) fn redirect(&self, url: &Url) -> Option<Url> {
        let is_redirect = matches!(self.status, 301 | 302 | 303 | 307 | 308);
        let target = is_redirect.then(|| self.header(LOCATION)).flatten()?;
        url.join(target.trim()).ok()
    }

    /// All `Link` headers.
    pub(crate) fn links(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.headers.get_all(LINK).into_iter().map(|value| String::from_utf8_lossy(value.as_bytes()))
    }

    /// Whether the server is busy, or is being started, so that it may give another answer soon; and the pause that it asks for.
    pub(crate) fn busy(&self) -> Option<Option<Duration>> {
        let busy = matches!(self.status, 429 | 502 | 503 | 504);
        let after = || retry_after(&self.header(RETRY_AFTER)?, SystemTime::now());
        busy.then(after)
    }
}
