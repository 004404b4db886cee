//! How much of what is similar a search found, estimated from what it found.

use crate::features::Features;
use crate::request::Request;
use crate::search::Sketched;
use lookalike::quality::Recall;
use lookalike::{Match, Method};

/// What was found by a search whose recall is estimated: verified pairs, with what hangs together, and what their chances depend on.
#[derive(Clone, Copy)]
pub struct Estimated<'a> {
    /// What is similar.
    pub request: &'a Request,
    /// How the pairs were searched.
    pub method: Method,
    /// For every document the first one with the same content.
    pub originals: &'a [u32],
    /// What was compared.
    pub features: &'a Features,
}

impl<'a> Estimated<'a> {
    /// Of a search by this method.
    pub fn new(sketched: Sketched<'a>, method: Method, features: &'a Features) -> Self {
        let Sketched { scanned, originals, .. } = sketched;
        Estimated { request: scanned.request, method, originals, features }
    }

    /// The probability that the search finds a pair that was found; `None` if it cannot be told.
    pub fn chance(self, pair: &Match) -> Option<f64> {
        let set = |document: u32| self.features.of(self.originals[document as usize]);
        match self.method {
            Method::Exact => Some(1.0),
            _ => self.request.plan.chance(pair.score.similarity()?, set(pair.a), set(pair.b)),
        }
    }

    /// How many partners each document has, by the pairs that were found and stand for others; copies of its partners, and of itself,
    /// count too.
    pub fn partners(self, found: &[Match]) -> Vec<f64> {
        let mut copies = vec![0.0; self.originals.len()];
        self.originals.iter().for_each(|&original| copies[original as usize] += 1.0);
        let is_original = |document: u32| self.originals[document as usize] == document;
        let mut partners: Vec<f64> = copies.iter().map(|copies| copies - 1.0).collect();
        for pair in found.iter().filter(|pair| is_original(pair.a) && is_original(pair.b)) {
            let stands_for = 1.0 / self.chance(pair).unwrap_or(1.0);
            partners[pair.a as usize] += stands_for * copies[pair.b as usize];
            partners[pair.b as usize] += stands_for * copies[pair.a as usize];
        }
        self.originals.iter().map(|&original| partners[original as usize]).collect()
    }

    /// Is something known of what was missed? Not if the search does not go by the measure, if the distance of fingerprints decides
    /// alone, or if no two documents can be a pair.
    pub fn is_known(self) -> bool {
        let plan = &self.request.plan;
        let is_known = self.method == Method::Exact || plan.recall_is_known();
        plan.verifies() && is_known && self.originals.len() > 1
    }

    /// Which share of all pairs the found ones are, if each stands for as many as its chance to be found says; the chance at
    /// the threshold if none was found. `None` if that is not known. `cluster` tells what hangs together.
    pub fn recall(self, found: &[Match], cluster: impl Fn(u32) -> u32) -> Option<Recall> {
        if !self.is_known() {
            return None;
        }
        if self.method == Method::Exact {
            return Some(Recall::ALL);
        }
        let at_threshold = self.request.plan.chance_at(self.request.plan.threshold());
        let chances = found.iter().map(|pair| Some((cluster(pair.a), self.chance(pair)?)));
        let chances: Vec<(u32, f64)> = chances.flatten().collect();
        if chances.len() < found.len() {
            return None;
        }
        let unknown = Recall { recall: at_threshold, low: 0.0, high: 1.0 };
        Some(Recall::of_found(chances, at_threshold).unwrap_or(unknown))
    }
}
