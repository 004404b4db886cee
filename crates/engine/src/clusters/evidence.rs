//! What is known of documents once their candidates are found.

use crate::documents::Documents;
use crate::documents::scanned::Scanned;
use crate::features::Features;
use crate::request::Request;
use crate::search::Sketched;
use crate::search::contained::Contained;
use lookalike::compare::Set;

/// What is known of documents once their candidates are found: all that a decision about them, and the estimate of the
/// recall, needs.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// The plan, and how texts are read.
    pub request: &'a Request,
    /// The documents.
    pub documents: &'a Documents,
    /// For every document the first one with the same content.
    pub originals: &'a [u32],
    /// Their features.
    pub features: &'a Features,
    /// Documents that are removed because they contain a document of `--against`, or are contained in one.
    pub contained: &'a Contained,
}

impl<'a> Evidence<'a> {
    /// The evidence after a search.
    pub fn new(sketched: Sketched<'a>, features: &'a Features, contained: &'a Contained) -> Self {
        let Sketched { scanned, originals, .. } = sketched;
        let Scanned { request, documents, .. } = scanned;
        Evidence { request, documents, originals, features, contained }
    }

    /// Whether the two have the same content. Copies need no comparison, and their features may not have been read.
    pub fn are_copies(self, a: u32, b: u32) -> bool {
        self.originals[a as usize] == self.originals[b as usize]
    }

    /// The features of `document`, and their weights.
    pub fn set(self, document: u32) -> Set<'a> {
        let original = self.originals[document as usize];
        self.contained.set(original).unwrap_or_else(|| self.features.of(original))
    }
}
