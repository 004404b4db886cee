//! The scores of one stored document and others.

use super::check::TextChecker;
use super::error::SeenError;
use super::filter::score_of_sketches;
use super::stored::IndexedDocument;
use lookalike::compare::Comparer;
use lookalike::{Estimate, Level, Plan, Score};

/// Compares a document with others, by their texts, or by their sketches if the plan does not verify.
pub(super) enum Scorer<'c> {
    Texts { checker: &'c TextChecker, comparer: Comparer },
    Sketches { plan: &'c Plan, first: Option<u64>, of_first: Vec<u8> },
}

impl TextChecker {
    /// Compares others with `first`. A document that is gone is similar to nothing.
    pub(super) fn scorer<D: IndexedDocument>(&self, first: Option<&D>) -> Result<Scorer<'_>, SeenError> {
        let plan = self.plan();
        if !plan.verifies() {
            let of_first = first.map(|first| first.signature().to_vec()).unwrap_or_default();
            return Ok(Scorer::Sketches { plan, first: first.map(|first| first.number()), of_first });
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
            // One without features has no signature.
            Scorer::Sketches { plan, first, .. }
                if first.is_some() && *first == other.map(|other| other.number()) =>
            {
                Ok(plan.score_of_copies())
            }
            Scorer::Sketches { plan, of_first, .. } => {
                let signature = other.map_or(&[][..], |other| other.signature());
                let is_known = !of_first.is_empty() && !signature.is_empty();
                Ok(if is_known { score_of_sketches(plan, of_first, signature) } else { farthest(plan) })
            }
        }
    }
}

/// The score of sketches that have nothing in common.
fn farthest(plan: &Plan) -> Score {
    match plan.simhash() {
        Some(simhash) => Score::Hamming(simhash.bits.count()),
        None => Score::Estimate(Estimate { equal: 0, values: plan.num_perm() as u32 }),
    }
}
