//! The main content of a page.
//!
//! Each block has a score: a weighted sum of what is known of its text, its place, its neighbours, and the elements around it
//! ([`features`]). The weights are a logistic regression, fitted by `bench/extraction.py` ([`weights`]). The blocks with good scores
//! then choose the element that holds most of their words, as Readability does. Inside this element a fair score is enough, and
//! outside it a block needs an excellent one.
//!
//! All passes are linear in the number of blocks and elements.

mod features;
mod weights;

use self::{
    features::Features,
    weights::{BIAS, WEIGHTS},
};
use super::HtmlPage;

/// The logit of a chance of 0.4: with a threshold below one half, F1 is greatest.
const FAIR: f32 = -0.405;
/// The logit of a chance of 0.8. Introductions and captions outside the container reach it, teasers do not.
const EXCELLENT: f32 = 1.386;
/// The container has at least this share of the words with fair scores, in percent.
const CONTAINER_PERCENT: u64 = 70;

impl HtmlPage {
    /// Whether each block is part of the main content.
    pub(super) fn main_content(&self) -> Vec<bool> {
        let features = Features::of(self);
        let scores: Vec<f32> = (0..self.blocks.len()).map(|block| score(&features.block(block))).collect();
        let mut words = vec![0; self.tree.elements().len()];
        for ((block, element), score) in self.blocks.iter().zip(&self.elements).zip(&scores) {
            if *score > FAIR {
                words[*element as usize] += u64::from(block.words);
            }
        }
        self.tree.sum_up(&mut words);
        let container = self.tree.container(&words, CONTAINER_PERCENT);
        let depth = self.tree.elements()[container as usize].depth;
        let shared = self.tree.shared_depths(container);
        let least = |element: &u32| if shared[*element as usize] == depth { FAIR } else { EXCELLENT };
        scores.iter().zip(&self.elements).map(|(score, element)| *score > least(element)).collect()
    }

    /// What is known of each block, by the names in [`weights`]. The weights are fitted to it.
    #[doc(hidden)]
    pub fn content_features(&self) -> (Vec<&'static str>, Vec<Vec<f32>>) {
        let features = Features::of(self);
        let names = features::NAMES.to_vec();
        (names, (0..self.blocks.len()).map(|block| features.block(block).to_vec()).collect())
    }
}

/// The logit of the chance that a block is content.
fn score(features: &[f32]) -> f32 {
    features.iter().zip(&WEIGHTS).fold(BIAS, |sum, (feature, weight)| sum + feature * weight)
}
