//! What is known of documents when they are compared and decided about.

use crate::documents::Documents;
use crate::documents::scanned::Scanned;
use crate::features::Features;
use crate::request::Request;
use crate::search::Sketched;
use crate::search::contained::Contained;
use lookalike::compare::Set;

/// What is known of documents when it is decided about them.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// What is similar.
    pub request: &'a Request,
    /// The documents.
    pub documents: &'a Documents,
    /// For every document the first one with the same content.
    pub originals: &'a [u32],
    /// What is compared of them.
    pub features: &'a Features,
    /// What goes because it contains what it is compared against, or is contained in it.
    pub contained: &'a Contained,
}

impl<'a> Evidence<'a> {
    /// Of documents that were searched.
    pub fn new(sketched: Sketched<'a>, features: &'a Features, contained: &'a Contained) -> Self {
        let Sketched { scanned, originals, .. } = sketched;
        let Scanned { request, documents, .. } = scanned;
        Evidence { request, documents, originals, features, contained }
    }

    /// Do the two have the same content? Then they need no comparison, and their features may not have been read.
    pub fn are_copies(self, a: u32, b: u32) -> bool {
        self.originals[a as usize] == self.originals[b as usize]
    }

    /// What is compared of `document`.
    pub fn set(self, document: u32) -> Set<'a> {
        let original = self.originals[document as usize];
        self.contained.set(original).unwrap_or_else(|| self.features.of(original))
    }
}
