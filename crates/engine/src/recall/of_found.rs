//! Recall, estimated from the pairs that a search found.

use crate::clusters::Evidence;
use lookalike::quality::Recall;
use lookalike::{Match, Method};

impl Evidence<'_> {
    /// The probability with which a search by this method finds a pair like `pair`, or `None` if it is unknown.
    pub fn chance(self, method: Method, pair: &Match) -> Option<f64> {
        let set = |document: u32| self.features.of(self.originals[document as usize]);
        match method {
            Method::Exact => Some(1.0),
            _ => self.request.plan.chance(pair.score.similarity()?, set(pair.a), set(pair.b)),
        }
    }

    /// The estimated number of partners of each document. Each pair of `found` stands for as many pairs as its chance says. Copies of a
    /// partner, and of the document itself, count too.
    pub fn partners(self, method: Method, found: &[Match]) -> Vec<f64> {
        let mut copies = vec![0.0; self.originals.len()];
        self.originals.iter().for_each(|&original| copies[original as usize] += 1.0);
        let is_original = |document: u32| self.originals[document as usize] == document;
        let mut partners: Vec<f64> = copies.iter().map(|copies| copies - 1.0).collect();
        for pair in found.iter().filter(|pair| is_original(pair.a) && is_original(pair.b)) {
            let stands_for = 1.0 / self.chance(method, pair).unwrap_or(1.0);
            partners[pair.a as usize] += stands_for * copies[pair.b as usize];
            partners[pair.b as usize] += stands_for * copies[pair.a as usize];
        }
        self.originals.iter().map(|&original| partners[original as usize]).collect()
    }

    /// Whether the recall can be estimated. It cannot if the sketches do not estimate the measure, if sketches decide
    /// alone, or if there are fewer than two documents.
    pub fn recall_is_known(self, method: Method) -> bool {
        let plan = &self.request.plan;
        let is_known = method == Method::Exact || plan.recall_is_known();
        plan.verifies() && is_known && self.originals.len() > 1
    }

    /// The share of all pairs that was found. Each found pair stands for as many pairs as its chance says. If none was found, this is the
    /// chance at the threshold. `None` if the recall cannot be estimated. `cluster` gives the cluster of each document.
    pub fn recall(self, method: Method, found: &[Match], cluster: impl Fn(u32) -> u32) -> Option<Recall> {
        if !self.recall_is_known(method) {
            return None;
        }
        if method == Method::Exact {
            return Some(Recall::ALL);
        }
        let at_threshold = self.request.plan.chance_at(self.request.plan.threshold());
        let chances = found.iter().map(|pair| Some((cluster(pair.a), self.chance(method, pair)?)));
        let chances: Vec<(u32, f64)> = chances.flatten().collect();
        if chances.len() < found.len() {
            return None;
        }
        let unknown = Recall { recall: at_threshold, low: 0.0, high: 1.0 };
        Some(Recall::of_found(chances, at_threshold).unwrap_or(unknown))
    }
}
