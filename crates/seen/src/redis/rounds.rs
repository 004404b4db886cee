//! Compares a text with the candidates that Redis returns, until there are no more.

use crate::check::{DocumentMatch, TextChecker};
use crate::sketched::SketchedText;
use lookalike::Plan;
use lookalike::compare::Set;
use lookalike_index::redis::{ComparedDocuments, RedisCandidates, RedisError};
use std::sync::Arc;

/// What is known of a text after some rounds.
#[derive(Debug)]
pub(super) struct CandidateRounds<'t> {
    text: &'t SketchedText,
    /// The plan by which it is compared.
    pub(super) plan: Arc<Plan>,
    threshold: f64,
    /// The documents that it was compared with.
    pub(super) compared: ComparedDocuments,
    /// The similar documents that were there in the last round, the most similar first.
    pub(super) found: Vec<DocumentMatch>,
}

impl<'t> CandidateRounds<'t> {
    pub(super) fn new(text: &'t SketchedText, plan: Arc<Plan>, threshold: f64) -> Self {
        CandidateRounds { text, plan, threshold, compared: ComparedDocuments::default(), found: Vec::new() }
    }

    /// Compares the text with the documents of an answer. Forgets similar documents that are not there any more.
    pub(super) fn compare(
        &mut self,
        checker: &TextChecker,
        answer: &RedisCandidates,
    ) -> Result<(), RedisError> {
        if !answer.has_more {
            self.found.retain(|found| answer.similar.contains(&found.number));
        }
        let mut verifier = checker.verifier(&self.plan, self.threshold);
        let mut held = verifier.hold(Set { features: &self.text.features, weights: &[] });
        for document in &answer.documents {
            let number = document.number;
            let (content, signature) = (document.content(), document.signature());
            let score = checker.score(&mut held, self.text, content, signature, || document.text())?;
            let Some(score) = score else {
                self.compared.refuted.push(number);
                continue;
            };
            self.compared.similar.push(number);
            self.found.push(DocumentMatch::of(document, score, self.text.content));
        }
        self.found.sort_by(DocumentMatch::by_nearness);
        Ok(())
    }
}
