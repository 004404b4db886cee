//! The texts that share enough with a text: all of them, by a walk through its lists.
//!
//! Lists of very many texts would make this quadratic. But a text that has only such lists in common may share too
//! little. So the longest lists are left out, as long as their shingles alone do not suffice. Each partner is in one of
//! the other lists. This is the prefix filter of set joins (Chaudhuri, Ganti and Kaushik, "A primitive operator for
//! similarity joins in data cleaning", ICDE 2006), for words that are covered.

use super::{CoveredText, SharedShingles, ShingleRun};
use std::cmp::Reverse;

/// The measure of a run in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunWeight {
    /// Words that its shingles cover, if none are covered already.
    Words,
    /// Distinct shingles.
    Shingles,
}

/// Finds partners of texts. Each thread has its own.
#[derive(Debug)]
pub(crate) struct PartnerFinder<'a> {
    shared: &'a SharedShingles,
    /// The weight that each text is known to share with the searched one.
    reach: Vec<u32>,
    touched: Vec<u32>,
    /// The last text that marked each list.
    marks: [Vec<u32>; 2],
    /// The text whose lists are marked on the left.
    left: u32,
    lists: Vec<(u32, u32)>,
    found: Vec<u32>,
}

/// What two texts share, in both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextOverlap {
    pub(crate) left: CoveredText,
    pub(crate) right: CoveredText,
}

const UNMARKED: u32 = u32::MAX;

impl<'a> PartnerFinder<'a> {
    pub(crate) fn new(shared: &'a SharedShingles) -> Self {
        let marks = || vec![UNMARKED; shared.lists()];
        let reach = vec![0; shared.len()];
        let marks = [marks(), marks()];
        let (touched, lists, found) = (Vec::new(), Vec::new(), Vec::new());
        PartnerFinder { shared, reach, touched, marks, left: UNMARKED, lists, found }
    }

    /// The texts whose lists share a weight of `need` or more with `text`, and perhaps others, ascending.
    ///
    /// `need` is 1 at least. Words that two runs cover count twice here.
    pub(crate) fn candidates(&mut self, text: u32, weight: RunWeight, need: u32) -> &[u32] {
        let shared = self.shared;
        self.weigh(text, weight);
        self.lists.sort_unstable_by_key(|&(list, _)| (Reverse(shared.list(list).len()), list));
        let mut skipped = 0;
        let is_skipped = |&&(_, weight): &&(u32, u32)| {
            skipped += weight;
            skipped < need
        };
        let first = self.lists.iter().take_while(is_skipped).count();
        let skipped: u32 = self.lists[..first].iter().map(|&(_, weight)| weight).sum();
        for &(list, weight) in &self.lists[first..] {
            for &partner in shared.list(list) {
                let reach = &mut self.reach[partner as usize];
                if *reach == 0 {
                    self.touched.push(partner);
                }
                *reach += weight;
            }
        }
        self.found.clear();
        for partner in self.touched.drain(..) {
            let reach = std::mem::take(&mut self.reach[partner as usize]);
            if reach + skipped >= need && partner != text {
                self.found.push(partner);
            }
        }
        self.found.sort_unstable();
        &self.found
    }

    /// Fills `lists` with the lists of a text, each with the weight of its runs.
    fn weigh(&mut self, text: u32, weight: RunWeight) {
        let shared = self.shared;
        let weight = |run: &ShingleRun| match weight {
            RunWeight::Words => shared.covers(text, run).len() as u32,
            RunWeight::Shingles => run.distinct,
        };
        self.lists.clear();
        self.lists.extend(shared.runs(text).iter().map(|run| (run.list, weight(run))));
        self.lists.sort_unstable();
        self.lists.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        self.lists.retain(|&(_, weight)| weight > 0);
    }

    /// What two texts share. Cheapest if `left` is the same as in the last call.
    pub(crate) fn overlap(&mut self, left: u32, right: u32) -> TextOverlap {
        let shared = self.shared;
        let [of_left, of_right] = &mut self.marks;
        if std::mem::replace(&mut self.left, left) != left {
            shared.runs(left).iter().for_each(|run| of_left[run.list as usize] = left);
        }
        shared.runs(right).iter().for_each(|run| of_right[run.list as usize] = right);
        TextOverlap {
            left: shared.covered(left, |list| of_right[list as usize] == right),
            right: shared.covered(right, |list| of_left[list as usize] == left),
        }
    }
}
