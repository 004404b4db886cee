//! Keeps one text of each cluster of near-duplicates, and prints the kept text for each removed one.

use lookalike::cluster::KeepPolicy;
use lookalike::{Corpus, Options};

pub(crate) fn main() -> Result<(), lookalike::PlanError> {
    let texts = [
        "The quick brown fox jumps over the lazy dog near the river bank",
        "Call me Ishmael. Some years ago, never mind how long precisely",
        "The quick brown fox jumps over the lazy dog near the old river bank",
    ];
    let plan = Options { threshold: Some(0.5), shingle: Some(3), ..Options::default() }.plan()?;
    let mut corpus = Corpus::new(&plan);
    for text in &texts {
        corpus.push(text);
    }

    let mut removed = Vec::new();
    for cluster in corpus.clusters() {
        let kept = KeepPolicy::Longest.choose(&cluster, |text| Some(texts[text as usize].len() as f64));
        removed.extend(cluster.into_iter().filter(|&text| text != kept).map(|text| (text, kept)));
    }
    for (text, kept) in &removed {
        println!("removed {:?}, which is similar to {:?}", texts[*text as usize], texts[*kept as usize]);
    }
    for pair in corpus.pairs() {
        println!("{} and {}: {}", pair.a, pair.b, pair.score);
    }
    assert_eq!(removed, [(0, 2)]);
    Ok(())
}
