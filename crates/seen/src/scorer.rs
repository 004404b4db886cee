//! The scores of one stored document and others.

use super::check::TextChecker;
use super::error::SeenError;
use super::filter::distance;
use super::stored::IndexedDocument;
use lookalike::compare::Comparer;
use lookalike::{Level, Score};

/// Compares a document with others, by their texts, or by their fingerprints if the plan does not verify.
pub(super) enum Scorer<'c> {
    Texts { checker: &'c TextChecker, comparer: Comparer },
    Fingerprints { first: Option<u64>, of_first: Vec<u8>, bits: u32 },
}

impl TextChecker {
    /// Compares others with `first`. A document that is gone is similar to nothing.
    pub(super) fn scorer<D: IndexedDocument>(&self, first: Option<&D>) -> Result<Scorer<'_>, SeenError> {
        if let Some(simhash) = self.plan().simhash().filter(|_| !self.plan().verifies()) {
            let of_first = first.map(|first| first.signature().to_vec()).unwrap_or_default();
            let first = first.map(|first| first.number());
            return Ok(Scorer::Fingerprints { first, of_first, bits: simhash.bits.count() });
        }
        let mut comparer = Comparer::with_level(Level::detect());
        comparer.hold(&self.features_of(first)?);
        Ok(Scorer::Texts { checker: self, comparer })
    }

    fn features_of(&self, document: Option<&impl IndexedDocument>) -> Result<Vec<u64>, SeenError> {
        document.map_or(Ok(Vec::new()), |document| Ok(self.features(&document.text()?)))
    }
}

impl Scorer<'_> {
    /// The score of the first document and `other`.
    pub(super) fn score(&mut self, other: Option<&impl IndexedDocument>) -> Result<Score, SeenError> {
        match self {
            Scorer::Texts { checker, comparer } => {
                let overlap = comparer.overlap(&checker.features_of(other)?);
                Ok(Score::Similarity(checker.plan().measure().of(overlap)))
            }
            // One without features has no fingerprint.
            Scorer::Fingerprints { first, .. }
                if first.is_some() && *first == other.map(|other| other.number()) =>
            {
                Ok(Score::Hamming(0))
            }
            Scorer::Fingerprints { of_first, bits, .. } => {
                let signature = other.map_or(&[][..], |other| other.signature());
                let is_known = !of_first.is_empty() && !signature.is_empty();
                Ok(Score::Hamming(if is_known { distance(of_first, signature) } else { *bits }))
            }
        }
    }
}
