//! The candidate that is nearest to a text, whether or not the two are similar.

use super::check::{DocumentMatch, TextChecker, has_expired};
use super::error::SeenError;
use super::filter::{equal_parts, score_of_sketches};
use super::sketched::SketchedText;
use super::stored::IndexedDocument;
use super::{Seen, SharedSeen};
use lookalike::compare::Comparer;
use lookalike::{Level, Score};
use std::cmp::Reverse;

/// Candidates whose signatures are read, at most: as many as a check compares.
const MOST_READ: usize = 1024;

/// Candidates that are compared exactly. The estimate from signatures of 128 values has a standard error of 0.04, so the nearest
/// document is hardly ever behind the eighth.
const MOST_COMPARED: usize = 8;

impl Seen {
    /// The most similar of the documents whose sketches match that of `text`, even if its similarity does not reach the threshold. The document
    /// with the id `except` is left out, and so are documents that have expired at second `now` since 1970.
    ///
    /// Only the eight candidates with the nearest signatures are compared exactly. So this explains why a text is new; it is not for searching.
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged.
    pub fn nearest(
        &self,
        text: &SketchedText,
        except: Option<&str>,
        now: u32,
    ) -> Result<Option<DocumentMatch>, SeenError> {
        let SharedSeen { checker, .. } = &*self.shared;
        let snapshot = self.snapshot();
        if text.content.is_empty() {
            return Ok(None);
        }
        let mut candidates = snapshot.candidates(&text.keys, 0)?;
        candidates.sort_by_key(|candidate| (Reverse(candidate.bands), Reverse(candidate.number)));
        let mut living = Vec::new();
        for candidate in candidates.into_iter().take(MOST_READ) {
            let document = snapshot.document(candidate.number)?;
            if !has_expired(document.expires(), now) {
                living.push(document);
            }
        }
        checker.nearest(text, living, except)
    }
}

impl TextChecker {
    /// The most similar of `candidates` to `text`, without the one that has the id `except`.
    pub(super) fn nearest<D: IndexedDocument>(
        &self,
        text: &SketchedText,
        mut candidates: Vec<D>,
        except: Option<&str>,
    ) -> Result<Option<DocumentMatch>, SeenError> {
        candidates.retain(|document| Some(document.id()) != except);
        let equal = |document: &D| equal_parts(self.plan(), &text.signature, document.signature());
        candidates.sort_by_cached_key(|document| (Reverse(equal(document)), document.number()));
        if !self.plan().verifies() {
            let nearest = candidates.first();
            let score = |document: &D| score_of_sketches(self.plan(), &text.signature, document.signature());
            return Ok(nearest.map(|document| DocumentMatch::of(document, score(document), text.content)));
        }
        candidates.truncate(MOST_COMPARED);
        let mut comparer = Comparer::with_level(Level::detect());
        comparer.hold(&text.features);
        let mut found = Vec::new();
        for document in candidates {
            let features = self.features(&document.text()?);
            let score = Score::Similarity(self.plan().measure().of(comparer.overlap(&features)));
            found.push(DocumentMatch::of(&document, score, text.content));
        }
        Ok(found.into_iter().min_by(DocumentMatch::by_nearness))
    }
}
