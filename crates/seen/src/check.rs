//! Compares a text with the documents whose sketches match its own: they share a band key, or their fingerprints are near.

#[cfg(feature = "redis")]
use super::error::SeenError;
use super::filter::{are_compared, score_of_sketches};
use super::sketched::{SketchedText, Sketchers};
use super::stored::IndexedDocument;
use super::unfinished::{NewestDocument, Unfinished};
use lookalike::compare::{HeldSet, Set, Verifier};
use lookalike::sketch::ContentHash;
use lookalike::{Level, Plan, Score, Weights};
use lookalike_index::About;
use lookalike_index::live::{Document, Snapshot, StoredCandidate};
use lookalike_index::{Error as IndexError, Tables};
use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

/// Documents that a text is compared with, at most. A text of boilerplate alone shares its keys with millions.
const MOST_COMPARED: u64 = 1024;

/// Candidates that are read, at most: those that have expired or differ by their signatures are not compared, and do not count.
const MOST_READ: usize = 16 * MOST_COMPARED as usize;

/// A document that a text is similar to.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentMatch {
    /// The number of the document in the index.
    pub number: u64,
    /// Its id.
    pub id: String,
    /// The similarity of the two, or what their sketches say if the plan does not verify.
    pub score: Score,
    /// Whether the two have the same shingles equally often.
    pub is_copy: bool,
    /// What is known about the document.
    pub about: About,
}

impl DocumentMatch {
    /// A `document` with this score, beside a text that has the content hash `content`.
    pub(super) fn of(document: &impl IndexedDocument, score: Score, content: ContentHash) -> Self {
        DocumentMatch {
            number: document.number(),
            id: document.id().to_owned(),
            score,
            is_copy: document.content() == content,
            about: document.about(),
        }
    }

    /// The order of answers: the nearest first, and of equally near ones the oldest first.
    pub(super) fn by_nearness(&self, other: &Self) -> Ordering {
        self.score.by_nearness(&other.score).then(self.number.cmp(&other.number))
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// The similar documents, the nearest first, and of equally near ones the oldest first.
    pub found: Vec<DocumentMatch>,
    /// The documents whose sketches match.
    pub candidates: u64,
    /// The same documents, each counted once for each key by which it matches: the size of all buckets of the text. `None` if that is unknown.
    pub bucket_documents: Option<u64>,
    /// The candidates whose features were counted. The others differ by their signatures, or have expired.
    pub compared: u64,
    /// Whether there were more candidates than a text is compared with. Those that match by most keys were compared.
    pub is_capped: bool,
}

/// A text that is compared with the documents of an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextQuery<'a> {
    pub(super) text: &'a SketchedText,
    /// The number of the first document that it is compared with.
    pub(super) first: u64,
    /// The plan by which candidates are compared: see [`TextChecker::plan_for`].
    pub(super) plan: &'a Plan,
    /// The least similarity, or 0 for that of the plan. A distance has none.
    pub(super) threshold: f64,
    /// The second since 1970. Documents that have expired by then are not found.
    pub(super) now: u32,
}

/// Compares texts by a plan.
#[derive(Debug)]
pub(super) struct TextChecker {
    plan: Arc<Plan>,
    sketchers: Sketchers,
}

impl TextChecker {
    /// Compares by `plan` with the documents of an index with these `tables` and `weights`.
    pub(super) fn new(plan: Arc<Plan>, tables: Arc<Tables>, weights: Weights) -> Self {
        TextChecker { sketchers: Sketchers::new(Arc::clone(&plan), tables, weights), plan }
    }

    /// The plan by which texts are compared.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The weights of features.
    #[cfg(feature = "redis")]
    pub(super) fn weights(&self) -> &Weights {
        self.sketchers.weights()
    }

    /// The sketch of `text`.
    pub(super) fn sketch(&self, text: &str) -> SketchedText {
        self.sketchers.sketch(text)
    }

    /// The sketch of a stored document.
    #[cfg(feature = "redis")]
    pub(super) fn sketch_again(&self, stored: &impl IndexedDocument) -> Result<SketchedText, SeenError> {
        Ok(self.sketchers.sketch_again(stored)?.0)
    }

    /// The distinct features of `text`.
    pub(super) fn features(&self, text: &str) -> Vec<u64> {
        self.sketchers.features(text)
    }

    /// Compares a text with the documents of `snapshot`, some of which may be `unfinished`.
    pub(super) fn check(
        &self,
        query: TextQuery<'_>,
        snapshot: &Snapshot,
        unfinished: &Unfinished,
    ) -> Result<Checked, IndexError> {
        let TextQuery { text, first, plan, threshold, now } = query;
        let mut checked = Checked::default();
        if text.content.is_empty() {
            return Ok(checked);
        }
        let mut candidates = snapshot.candidates(&text.keys, first)?;
        checked.candidates = candidates.len() as u64;
        checked.bucket_documents = Some(candidates.iter().map(|candidate| u64::from(candidate.bands)).sum());
        if checked.candidates > MOST_COMPARED {
            // Of equal ones the newest: it is the last to expire.
            candidates.sort_by_key(|candidate| (Reverse(candidate.bands), Reverse(candidate.number)));
        }
        let mut verifier = self.verifier(plan, threshold);
        let mut held = verifier.hold(Set { features: &text.features, weights: &[] });
        for (read, StoredCandidate { number, .. }) in candidates.into_iter().enumerate() {
            if checked.compared == MOST_COMPARED || read == MOST_READ {
                checked.is_capped = true;
                break;
            }
            let found = match unfinished.document(number) {
                _ if unfinished.is_removing(number) => CandidateOutcome::Skipped,
                Some(document) => match has_expired(unfinished.expires(number, document.expires), now) {
                    true => CandidateOutcome::Skipped,
                    false => self.compare_newest(plan, &mut held, text, number, document),
                },
                None => {
                    let document = snapshot.document(number)?;
                    match has_expired(unfinished.expires(number, document.expires()), now) {
                        true => CandidateOutcome::Skipped,
                        false => self.compare(plan, &mut held, text, &document)?,
                    }
                }
            };
            checked.compared += u64::from(!matches!(found, CandidateOutcome::Skipped));
            if let CandidateOutcome::Similar(found) = found {
                checked.found.push(found);
            }
        }
        checked.found.sort_by(DocumentMatch::by_nearness);
        Ok(checked)
    }

    /// The plan by which documents of this similarity are found: that of the index, or the same with another threshold. 0 stands for the threshold
    /// of the index.
    pub(super) fn plan_for(&self, threshold: f64) -> Arc<Plan> {
        let is_other = match self.plan.verifies() {
            // The verifier applies a higher one.
            true => threshold < self.plan.threshold(),
            false => self.plan.estimates() && threshold != self.plan.threshold(),
        };
        let other = (is_other && threshold > 0.0).then(|| self.plan.with_threshold(threshold).ok()).flatten();
        other.map_or_else(|| Arc::clone(&self.plan), Arc::new)
    }

    /// Finds similarities from `threshold` on, or from the threshold of `plan` if that is higher.
    pub(super) fn verifier(&self, plan: &Plan, threshold: f64) -> Verifier {
        Verifier::new(Level::detect(), plan.measure(), threshold.max(plan.threshold()))
    }

    /// The score of `text`, which is `held`, and a document that has the content hash `content`, this `signature` and the text `stored`.
    /// `None` if its similarity is too low. The signatures are [compared](are_compared), so what they say alone is never too far.
    pub(super) fn score<E>(
        &self,
        held: &mut HeldSet<'_>,
        text: &SketchedText,
        content: ContentHash,
        signature: &[u8],
        stored: impl FnOnce() -> Result<String, E>,
    ) -> Result<Option<Score>, E> {
        if !self.plan.verifies() {
            return Ok(Some(score_of_sketches(&self.plan, &text.signature, signature)));
        }
        // A copy has the same features.
        let features =
            if content == text.content { text.features.clone() } else { self.sketchers.features(&stored()?) };
        Ok(held.reaches(Set { features: &features, weights: &[] }).map(Score::Similarity))
    }

    fn compare(
        &self,
        plan: &Plan,
        held: &mut HeldSet<'_>,
        text: &SketchedText,
        document: &Document<'_>,
    ) -> Result<CandidateOutcome, IndexError> {
        if !are_compared(plan, &text.signature, document.signature()) {
            return Ok(CandidateOutcome::Skipped);
        }
        let (content, signature) = (document.content(), document.signature());
        let score = self.score(held, text, content, signature, || document.text())?;
        Ok(score.map_or(CandidateOutcome::Different, |score| {
            CandidateOutcome::Similar(DocumentMatch::of(document, score, text.content))
        }))
    }

    fn compare_newest(
        &self,
        plan: &Plan,
        held: &mut HeldSet<'_>,
        text: &SketchedText,
        number: u64,
        document: &NewestDocument,
    ) -> CandidateOutcome {
        if !are_compared(plan, &text.signature, &document.signature) {
            return CandidateOutcome::Skipped;
        }
        let score = match self.plan.verifies() {
            true => held.reaches(Set { features: &document.features, weights: &[] }).map(Score::Similarity),
            false => Some(score_of_sketches(&self.plan, &text.signature, &document.signature)),
        };
        let Some(score) = score else { return CandidateOutcome::Different };
        CandidateOutcome::Similar(DocumentMatch {
            number,
            id: document.id.clone(),
            score,
            is_copy: document.content == text.content,
            about: document.about.clone(),
        })
    }
}

enum CandidateOutcome {
    /// The document has expired, was removed, or differs by its signature.
    Skipped,
    Different,
    Similar(DocumentMatch),
}

/// Whether a document that expires at this second is not found any more.
pub(super) fn has_expired(expires: Option<u32>, now: u32) -> bool {
    expires.is_some_and(|expires| expires <= now)
}
