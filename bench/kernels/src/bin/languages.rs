//! Prints, for each language, the tokens of a word and the share of edited copies that are similar at 0.8.
//!
//! `languages PAIRS.jsonl` reads what `bench/languages/pairs.mjs` writes. A copy is similar if the Jaccard similarity of
//! its shingles of five tokens and those of the original is 0.8 or more.

use lookalike::compare::Comparer;
use lookalike::{Level, Plan, Sketcher};
use serde::Deserialize;
use std::error::Error;

#[derive(Deserialize)]
struct Pair {
    language: String,
    words: usize,
    text: String,
    edited: String,
}

#[derive(Default)]
struct Row {
    language: String,
    words: usize,
    tokens: usize,
    pairs: usize,
    similar: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: languages PAIRS.jsonl")?;
    let plan = Plan::default();
    let (mut sketcher, mut comparer) = (Sketcher::new(&plan), Comparer::with_level(Level::detect()));
    let mut set = |text: &str| {
        let mut features = sketcher.features(text).to_vec();
        let distinct = comparer.distinct(&mut features);
        features.truncate(distinct);
        features.sort_unstable();
        (features, sketcher.token_hashes(text).len())
    };
    let mut rows: Vec<Row> = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let pair: Pair = sonic_rs::from_str(line)?;
        if rows.last().is_none_or(|row| row.language != pair.language) {
            rows.push(Row { language: pair.language.clone(), ..Row::default() });
        }
        let Some(row) = rows.last_mut() else { continue };
        let ((left, tokens), (right, _)) = (set(&pair.text), set(&pair.edited));
        let common = left.iter().filter(|feature| right.binary_search(feature).is_ok()).count();
        let jaccard = common as f64 / (left.len() + right.len() - common) as f64;
        row.words += pair.words;
        row.tokens += tokens;
        row.pairs += 1;
        row.similar += usize::from(jaccard >= plan.threshold());
    }
    println!(
        "| language | tokens of a word | similar at {} | pairs |\n| --- | --- | --- | --- |",
        plan.threshold()
    );
    for Row { language, words, tokens, pairs, similar } in rows {
        let (tokens, share) = (tokens as f64 / words as f64, 100.0 * similar as f64 / pairs as f64);
        println!("| {language} | {tokens:.2} | {share:.0} % | {pairs} |");
    }
    Ok(())
}
