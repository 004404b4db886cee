//! What is known about a document besides its text.

use lookalike_corpus::normalised_url;
use lookalike_index::{NewDocument, NewUrl, url_hash};

/// What is known about a document besides its text. Nothing of it decides whether it is similar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// Metadata in JSON.
    pub meta: Option<String>,
    /// Its URL.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its priority as canonical document of a cluster. Higher is better.
    pub priority: Option<f64>,
}

impl About {
    /// `document` with this about it.
    pub(crate) fn put_on<'d>(&'d self, document: NewDocument<'d>) -> NewDocument<'d> {
        NewDocument {
            meta: self.meta.as_deref(),
            url: self.url.as_deref().map(|url| NewUrl { text: url, hash: hash_of_url(url) }),
            title: self.title.as_deref(),
            priority: self.priority,
            ..document
        }
    }
}

/// The hash by which a document with this URL is found, in any spelling: see [`normalised_url`].
pub(super) fn hash_of_url(url: &str) -> u64 {
    normalised_url(url).map_or_else(|| url_hash(url), |normalised| url_hash(&normalised))
}
