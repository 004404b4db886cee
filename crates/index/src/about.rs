//! What is known about a document besides its text.

use crate::log::record::{NewDocument, NewUrl};

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
    pub fn put_on<'d>(&'d self, document: NewDocument<'d>) -> NewDocument<'d> {
        NewDocument {
            meta: self.meta.as_deref(),
            url: self.url.as_deref().map(NewUrl::new),
            title: self.title.as_deref(),
            priority: self.priority,
            ..document
        }
    }
}
