//! Compares a document with centres.

use super::index::{CentreDescription, CentreIndex};
use super::list::Distances;
use super::{CentreConditions, CentreRule, Taken};
use crate::compare::measure::Verifier;
use crate::compare::verify::Comparer;
use crate::search::lsh::Tally;
use crate::similarity::Similarity;
use std::ops::ControlFlow;

/// Compares documents with centres, one document after the other. Each thread has its own.
pub(super) struct CentreChecker<'r, R> {
    rule: &'r R,
    conditions: CentreConditions,
    verifier: Option<Verifier>,
    comparer: Comparer,
    document: u32,
    /// Whether the verifier, or the comparer, holds the document.
    is_held: [bool; 2],
    is_refused: bool,
    /// Numbers of centres that may take the document.
    candidates: Vec<u32>,
    tally: Tally,
}

/// What a centre does with the document.
enum CentreVerdict {
    /// The two are apart.
    Apart,
    /// The two are similar, but the centre has too few of the document's features.
    Refused,
    /// It takes the document. There is a similarity if there is a condition for it.
    Takes(Option<Similarity>),
}

impl<'r, R: CentreRule> CentreChecker<'r, R> {
    pub(super) fn new(rule: &'r R) -> Self {
        let conditions = rule.conditions();
        let CentreConditions { similarity, level, .. } = conditions;
        CentreChecker {
            rule,
            conditions,
            verifier: similarity.map(|(measure, threshold)| Verifier::new(level, measure, threshold)),
            comparer: Comparer::with_level(level),
            document: 0,
            is_held: [false; 2],
            is_refused: false,
            candidates: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Starts with another document.
    pub(super) fn start(&mut self, document: u32) {
        self.document = document;
        self.is_held = [false; 2];
        self.is_refused = false;
    }

    /// Whether a centre did not take the document only because it has too few of its features.
    pub(super) fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// The counts of all documents.
    pub(super) fn tally(&self) -> Tally {
        self.tally
    }

    /// The document as `centre` takes it, if it does.
    pub(super) fn taken_by(&mut self, centre: u32) -> Option<Taken> {
        match self.check(centre) {
            CentreVerdict::Takes(similarity) => Some(Taken { document: self.document, centre, similarity }),
            CentreVerdict::Refused => {
                self.is_refused = true;
                None
            }
            CentreVerdict::Apart => None,
        }
    }

    /// The document as the first centre takes it whose number is `since` or more, if one does.
    pub(super) fn first(
        &mut self,
        index: &CentreIndex,
        since: u32,
        description: &CentreDescription,
    ) -> Option<Taken> {
        if self.rule.is_centre(self.document) {
            return None;
        }
        let distances = description.document;
        let taken = self.find(index, (since, distances), description, Self::taken_by);
        let CentreConditions { similarity, containment, .. } = self.conditions;
        if taken.is_none() && !self.is_refused && similarity.is_some() && containment.is_some() {
            // Centres that contain too little of the document were left out.
            let similar = Distances { containment: f64::NEG_INFINITY, ..distances };
            self.find(index, (since, similar), description, |checker, centre| {
                checker.taken_by(centre);
                checker.is_refused.then_some(())
            });
        }
        taken
    }

    /// The first result of `check` among the centres with a number of `since` or more that these distances let through.
    fn find<T>(
        &mut self,
        index: &CentreIndex,
        (since, distances): (u32, Distances),
        description: &CentreDescription,
        mut check: impl FnMut(&mut Self, u32) -> Option<T>,
    ) -> Option<T> {
        let mut found = None;
        index.walk_near(distances, since, |number| match check(self, index.centre(number)) {
            None => ControlFlow::Continue(()),
            Some(result) => {
                found = Some((number, result));
                ControlFlow::Break(())
            }
        });
        let until = found.as_ref().map_or(u32::MAX, |&(number, _)| number);
        let mut candidates = std::mem::take(&mut self.candidates);
        index.walk_shared(distances, description, since..until, |number| candidates.push(number));
        candidates.sort_unstable();
        candidates.dedup();
        let earlier = candidates.iter().find_map(|&number| check(self, index.centre(number)));
        candidates.clear();
        self.candidates = candidates;
        earlier.or(found.map(|(_, result)| result))
    }

    fn check(&mut self, centre: u32) -> CentreVerdict {
        if !self.rule.may_take(centre, self.document) {
            return CentreVerdict::Apart;
        }
        self.tally += Tally { candidates: 1, compared: 1 };
        let (document, centre) = (self.rule.set(self.document), self.rule.set(centre));
        let mut similarity = None;
        if let Some(verifier) = &mut self.verifier {
            similarity = verifier.reaches(document, centre, &mut self.is_held[0]);
            if similarity.is_none() {
                return CentreVerdict::Apart;
            }
        }
        let Some(least) = self.conditions.containment else { return CentreVerdict::Takes(similarity) };
        if !std::mem::replace(&mut self.is_held[1], true) {
            self.comparer.hold(document.features);
        }
        match self.comparer.is_contained(centre.features, least) {
            true => CentreVerdict::Takes(similarity),
            false if similarity.is_some() => CentreVerdict::Refused,
            false => CentreVerdict::Apart,
        }
    }
}
