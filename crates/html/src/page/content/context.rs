//! What is known of a block by the scores of the blocks around it.
//!
//! A block is rarely content alone: its neighbours and the blocks of its template have like chances. A second regression puts them
//! together with the score of the block.

use std::collections::HashMap;

use super::{
    super::{Block, HtmlPage},
    features::share,
};

/// The names of what is known, in their order.
pub(super) const NAMES: [&str; COUNT] = [
    "score",
    "chance",
    "chance before",
    "chance behind",
    "path chance",
    "from start",
    "from end",
    "in content",
    "certainty",
];

pub(super) const COUNT: usize = 9;

/// Greater scores are no surer.
const MOST_SCORE: f32 = 6.0;
/// The element that most content is in has at least this share of it, in percent.
const CONTENT_PERCENT: u64 = 90;
/// The start and the end of the content are so much of it: titles and bylines, and what invites to read on.
const EDGE: f32 = 0.02;

/// A block, as far as its context needs it.
struct NeighbourBlock {
    weight: u64,
    /// The chance that it is content, in thousandths. Sums of whole numbers are the same in any order.
    chance: u64,
}

impl NeighbourBlock {
    /// The weight that is expected to be content, in thousandths.
    fn expected(&self) -> u64 {
        self.weight * self.chance
    }
}

/// What is known of each block by the first scores.
pub(super) fn contexts(page: &HtmlPage, scores: &[f32]) -> Vec<[f32; COUNT]> {
    let see = |(block, score): (&Block, &f32)| {
        // Blocks without words count a little.
        let weight = 2 * u64::from(block.words) + 1;
        NeighbourBlock { weight, chance: (chance(*score) * 1000.0) as u64 }
    };
    let seen: Vec<NeighbourBlock> = page.blocks.iter().zip(scores).map(see).collect();
    let mut of_elements = vec![0; page.tree.elements().len()];
    let mut of_paths: HashMap<u64, (u64, u64)> = HashMap::new();
    let mut squares = 0;
    for (number, block) in seen.iter().enumerate() {
        of_elements[page.elements[number] as usize] += block.expected();
        let path = of_paths.entry(page.blocks[number].path).or_default();
        *path = (path.0 + block.expected(), path.1 + block.weight);
        squares += block.expected() * block.chance;
    }
    page.tree.sum_up(&mut of_elements);
    let all = of_elements[0];
    let container = page.tree.container(&of_elements, CONTENT_PERCENT);
    let shared = page.tree.shared(container);
    let neighbour = |number: Option<usize>| {
        number.and_then(|number| scores.get(number)).map_or(0.0, |score| chance(*score))
    };
    let mut before = 0;
    let context = |(number, block): (usize, &NeighbourBlock)| {
        let score = scores[number];
        let (path, weights) = of_paths[&page.blocks[number].path];
        let (from_start, from_end) = (before + block.expected(), all - before);
        before += block.expected();
        [
            score.clamp(-MOST_SCORE, MOST_SCORE),
            chance(score),
            neighbour(number.checked_sub(1)),
            neighbour(Some(number + 1)),
            share(path, weights * 1000),
            share(from_start, all).min(EDGE) / EDGE,
            share(from_end, all).min(EDGE) / EDGE,
            f32::from(u8::from(shared[page.elements[number] as usize] == container)),
            share(squares, all * 1000),
        ]
    };
    seen.iter().enumerate().map(context).collect()
}

/// A chance from 0 to 1 for a score. Unlike that of the logistic function, its value is the same on every machine.
fn chance(score: f32) -> f32 {
    let score = score.clamp(-MOST_SCORE, MOST_SCORE);
    0.5 + 0.5 * score / (1.0 + score.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_knows_the_chances_of_its_neighbours_and_of_its_template() {
        let page = HtmlPage::read(b"<h1>One</h1><p>two three<p>four five", None);
        let contexts = contexts(&page, &[1.0, 0.0, -1.0]);
        let named =
            |block: usize, name| contexts[block][NAMES.iter().position(|other| *other == name).unwrap()];
        assert_eq!(
            (named(1, "chance before"), named(1, "chance"), named(1, "chance behind")),
            (0.75, 0.5, 0.25)
        );
        assert_eq!((named(0, "chance before"), named(2, "chance behind")), (0.0, 0.0));
        assert_eq!((named(1, "path chance"), named(2, "path chance")), (0.375, 0.375));
    }

    #[test]
    fn a_page_without_words_has_contexts() {
        assert_eq!(contexts(&HtmlPage::default(), &[]), Vec::<[f32; COUNT]>::new());
        let page = HtmlPage::read("<p>–".as_bytes(), None);
        assert!(contexts(&page, &[f32::MIN]).iter().flatten().all(|value| value.is_finite()));
    }
}
