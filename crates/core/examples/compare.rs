//! Compares two texts exactly, and prints the passages that they share.

use lookalike::compare::Passages;
use lookalike::{Comparison, Level, Plan, Sketcher, Weights};

pub(crate) fn main() {
    let left = "It was the best of times, it was the worst of times, it was the age of wisdom.";
    let right =
        "They say it was the best of times, it was the worst of times. It was the age of foolishness.";
    let plan = Plan::default();

    let comparison = Comparison::new(&plan, &Weights::Set, Level::detect(), left, right);
    println!("Jaccard similarity of 5-word shingles: {}", comparison.shingles.jaccard());
    println!(
        "share of the first text's words that the second has: {}",
        comparison.words.containment_of_left()
    );
    println!("a search at {} finds the pair: {}", plan.threshold(), comparison.verdict.is_found());

    let mut sketcher = Sketcher::new(&plan);
    let (left_tokens, right_tokens) = (sketcher.locate(left), sketcher.locate(right));
    let shared = Passages::of(&left_tokens, &right_tokens, 5);
    for passage in &shared.passages {
        println!("both have: {:?}", &left[passage.left.bytes.clone()]);
    }
    assert_eq!(shared.passages.len(), 1);
    assert_eq!(shared.tokens, 17);
    assert!(!comparison.verdict.is_found());
}
