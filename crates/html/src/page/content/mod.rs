//! The main content of a page.
//!
//! Each block has a score: a weighted sum of what is known of its text, its place, its neighbours, and the elements around it
//! ([`features`]). A second sum puts it together with the scores of the blocks around it ([`context`]). The weights are two logistic
//! regressions, fitted by `bench/extraction.py` ([`weights`]). The blocks with good scores then choose the element that holds most of
//! their words, as Readability does. Inside this element a fair score is enough, and outside it a block needs an excellent one.
//!
//! All passes are linear in the number of blocks and elements.

mod context;
mod cues;
mod features;
mod weights;

use self::{
    context::contexts,
    features::PageCounts,
    weights::{BIAS, CONTEXT_BIAS, CONTEXT_WEIGHTS, WEIGHTS},
};
use super::HtmlPage;

/// The logit of a chance of 0.45: with a threshold below one half, F1 is greatest.
const FAIR: f32 = -0.2;
/// The logit of a chance of 0.83. Introductions and captions outside the container reach it, teasers do not.
const EXCELLENT: f32 = 1.6;
/// The container has at least this share of the words with fair scores, in percent.
const CONTAINER_PERCENT: u64 = 80;

impl HtmlPage {
    /// Whether each block is part of the main content.
    pub(super) fn main_content(&self) -> Vec<bool> {
        let scores = self.first_scores(&PageCounts::of(self));
        let scores: Vec<f32> = contexts(self, &scores)
            .iter()
            .map(|context| score(context, &CONTEXT_WEIGHTS, CONTEXT_BIAS))
            .collect();
        let mut words = vec![0; self.tree.elements().len()];
        for ((block, element), score) in self.blocks.iter().zip(&self.elements).zip(&scores) {
            if *score > FAIR {
                words[*element as usize] += u64::from(block.words);
            }
        }
        self.tree.sum_up(&mut words);
        let container = self.tree.container(&words, CONTAINER_PERCENT);
        let shared = self.tree.shared(container);
        let least = |element: &u32| if shared[*element as usize] == container { FAIR } else { EXCELLENT };
        scores.iter().zip(&self.elements).map(|(score, element)| *score > least(element)).collect()
    }

    fn first_scores(&self, features: &PageCounts<'_>) -> Vec<f32> {
        (0..self.blocks.len()).map(|block| score(&features.block(block), &WEIGHTS, BIAS)).collect()
    }

    /// What is known of each block, by the names in [`weights`]: first by itself, and then by the scores around it. The weights are
    /// fitted to it.
    #[doc(hidden)]
    pub fn content_features(&self) -> [(Vec<&'static str>, Vec<Vec<f32>>); 2] {
        let features = PageCounts::of(self);
        let blocks = (0..self.blocks.len()).map(|block| features.block(block).to_vec()).collect();
        let contexts =
            contexts(self, &self.first_scores(&features)).iter().map(|context| context.to_vec()).collect();
        [(features::NAMES.to_vec(), blocks), (context::NAMES.to_vec(), contexts)]
    }
}

/// The logit of the chance that a block is content.
fn score(values: &[f32], weights: &[f32], bias: f32) -> f32 {
    values.iter().zip(weights).fold(bias, |sum, (value, weight)| sum + value * weight)
}
