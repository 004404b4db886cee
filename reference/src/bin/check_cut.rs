//! Checks a run of `lookalike spans` on a corpus of any size: brute force, with the tokens themselves as keys.
//!
//! ```text
//! lookalike spans IN.jsonl -o OUT.jsonl --length N --mask ' cut0cut '
//! check_cut IN.jsonl OUT.jsonl N
//! ```
//!
//! The mask keeps tokens apart, so the tokens of each text of OUT, but for the mask, must be those of the text in IN which are not removed.
//! Memory: some 70 bytes a token. The exit code is 1 if a text differs.

use lookalike_reference::tokens::{Tokenizer, tokens};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};

/// Stands in the place of each passage.
const MASK: &str = "cut0cut";

/// The tokens of the field `text` of each line but for the mask, as numbers.
fn read(path: &str, numbers: &mut HashMap<String, u32>) -> Vec<Vec<u32>> {
    let lines = BufReader::new(File::open(path).expect("a file")).lines();
    let texts = lines.map(|line| {
        let record: serde_json::Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let text = record["text"].as_str().expect("a text");
        let number = |token: String| {
            let next = numbers.len() as u32;
            *numbers.entry(token).or_insert(next)
        };
        tokens(text, Tokenizer::Words).into_iter().filter(|token| token != MASK).map(number).collect()
    });
    texts.collect()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [before, after, length] = &arguments[..] else {
        panic!("usage: check_cut IN.jsonl OUT.jsonl LENGTH")
    };
    let length: usize = length.parse().expect("a number");
    let mut numbers = HashMap::new();
    let texts = read(before, &mut numbers);
    let cut = read(after, &mut numbers);
    assert_eq!(texts.len(), cut.len(), "the number of documents");
    let mut first: HashMap<&[u32], (usize, usize)> = HashMap::new();
    let (mut differ, mut removed_tokens) = (0, 0);
    for (document, (text, cut)) in texts.iter().zip(&cut).enumerate() {
        let mut removed = vec![false; text.len()];
        for (at, window) in text.windows(length).enumerate() {
            let (other, earlier) = *first.entry(window).or_insert((document, at));
            if other != document || earlier + length <= at {
                removed[at..at + length].fill(true);
            }
        }
        let left: Vec<u32> =
            text.iter().zip(&removed).filter(|(_, removed)| !**removed).map(|(token, _)| *token).collect();
        removed_tokens += text.len() - left.len();
        if left != *cut {
            differ += 1;
            println!(
                "{}: {} tokens, {} should be left, {} are",
                document + 1,
                text.len(),
                left.len(),
                cut.len()
            );
        }
    }
    println!("{} documents, {removed_tokens} tokens removed, {differ} differ", texts.len());
    std::process::exit(i32::from(differ > 0));
}
