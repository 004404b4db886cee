//! The URLs that a crawl has found.

use url::Url;

/// A URL that is visited, or will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundUrl {
    pub(crate) url: Box<str>,
    /// The links between it and the page at which the crawl started to find it.
    pub(super) steps: u32,
    /// Whether that page is the start page. Otherwise a sitemap lists it, and no link leads to it.
    pub(crate) linked: bool,
    /// Whether a sitemap lists it.
    pub(crate) listed: bool,
    /// The redirects that led to it.
    pub(super) redirects: u32,
}

impl FoundUrl {
    /// The links between the start page and this one.
    pub(crate) fn depth(&self) -> Option<u32> {
        self.linked.then_some(self.steps)
    }
}

/// Scheme, host and port of a URL.
pub(crate) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The host of a URL. Both of its origins, by HTTP and HTTPS, are one server.
pub(crate) fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}
