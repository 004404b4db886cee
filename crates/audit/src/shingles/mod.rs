//! The shingles that texts share, and with which texts.
//!
//! A shingle has a *list*: the texts that have it. Consecutive shingles of a copied passage are in the same texts, so
//! they have the same list. A text is stored as *runs*: consecutive places whose shingles have the same list. Shingles
//! of one text only are in no run.
//!
//! All figures of a pair follow from runs, exactly. Both texts have the shingles of a run if the other text is in its
//! list. It is in the list if it has a run with that list. So two texts are compared in as many steps as they have runs,
//! which are few, and a passage that is in a thousand texts is one step for each of them.

mod build;
mod partners;

pub(super) use partners::{PartnerFinder, RunWeight};

use super::read::range;

/// The shared shingles of all texts.
#[derive(Debug, Default)]
pub(super) struct SharedShingles {
    /// The texts of each list, ascending, one list after the other.
    texts: Vec<u32>,
    /// The end of each list.
    list_ends: Vec<usize>,
    /// The runs of each text by place, one text after the other.
    runs: Vec<ShingleRun>,
    run_ends: Vec<u32>,
    /// The number of distinct shingles of each text.
    distinct: Vec<u32>,
    /// The number of words of each text.
    words: Vec<u32>,
    /// Words per shingle.
    shingle: u32,
}

/// Consecutive places of a text whose shingles are in the same texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShingleRun {
    /// The first place.
    pub(super) start: u32,
    /// The number of places.
    pub(super) places: u32,
    /// The shingles at these places that the text does not have at an earlier place.
    pub(super) distinct: u32,
    /// The list of texts.
    pub(super) list: u32,
}

/// What one text shares with another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CoveredText {
    /// Words in shared shingles.
    pub(super) words: u32,
    /// Distinct shared shingles.
    pub(super) shingles: u32,
}

impl SharedShingles {
    /// The number of texts.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The runs of a text, by place.
    pub(super) fn runs(&self, text: u32) -> &[ShingleRun] {
        let range = range(&self.run_ends, text);
        &self.runs[range.start as usize..range.end as usize]
    }

    /// The texts of a list, ascending. There are two at least.
    pub(super) fn list(&self, list: u32) -> &[u32] {
        let list = list as usize;
        let start = list.checked_sub(1).map_or(0, |before| self.list_ends[before]);
        &self.texts[start..self.list_ends[list]]
    }

    /// The number of lists.
    pub(super) fn lists(&self) -> usize {
        self.list_ends.len()
    }

    /// The number of distinct shingles of a text.
    pub(super) fn distinct(&self, text: u32) -> u32 {
        self.distinct[text as usize]
    }

    /// The number of words of a text.
    pub(super) fn words(&self, text: u32) -> u32 {
        self.words[text as usize]
    }

    /// The words that the shingles of a run cover.
    pub(super) fn covers(&self, text: u32, run: &ShingleRun) -> std::ops::Range<u32> {
        run.start..run.start + run.places + self.shingle.min(self.words(text)) - 1
    }

    /// What a text shares with the texts of the lists that `is_shared` names.
    pub(super) fn covered(&self, text: u32, mut is_shared: impl FnMut(u32) -> bool) -> CoveredText {
        let mut covered = CoveredText::default();
        let mut end = 0;
        for run in self.runs(text).iter().filter(|run| is_shared(run.list)) {
            let words = self.covers(text, run);
            covered.words += words.end - words.start.max(end);
            covered.shingles += run.distinct;
            end = words.end;
        }
        covered
    }

    /// The words of a text that are in a shingle of another text, as ranges in ascending order.
    pub(super) fn covered_ranges(
        &self,
        text: u32,
        mut is_shared: impl FnMut(u32) -> bool,
    ) -> Vec<std::ops::Range<u32>> {
        let mut ranges: Vec<std::ops::Range<u32>> = Vec::new();
        for run in self.runs(text).iter().filter(|run| is_shared(run.list)) {
            let words = self.covers(text, run);
            match ranges.last_mut() {
                Some(last) if last.end >= words.start => last.end = words.end,
                _ => ranges.push(words),
            }
        }
        ranges
    }
}
