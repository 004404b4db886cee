//! Many documents of one template: `--cluster star` and `--min-containment` compare each with kept documents only.

use crate::{Folder, silent};
use lookalike::hash::SplitMix64;
use std::collections::{BTreeMap, BTreeSet};

/// The words that all documents of a template have.
fn template() -> Vec<String> {
    (0..200).map(|word| format!("v{word}")).collect()
}

/// So many documents with eight words of their own behind the template.
fn pages(documents: usize) -> String {
    let template = template().join(" ");
    let own = |page: usize| (0..8).map(|word| format!("u{page}x{word}")).collect::<Vec<_>>().join(" ");
    (0..documents)
        .map(|page| format!("{{\"id\":\"{page}\",\"text\":\"{template} {}\"}}\n", own(page)))
        .collect()
}

/// Documents of two templates that share half of their words. Some words of each are changed.
fn edited(documents: usize, seed: u64) -> String {
    let mut generator = SplitMix64(seed);
    let mut draw = |below: u64| generator.next() % below;
    let mut lines = String::new();
    for page in 0..documents {
        let mut words = template();
        if draw(3) == 0 {
            words[100..].iter_mut().for_each(|word| word.insert(0, 'w'));
        }
        for _ in 0..draw(7) {
            words[draw(200) as usize] = format!("z{}", draw(40));
        }
        lines += &format!("{{\"id\":\"{page}\",\"text\":\"{}\"}}\n", words.join(" "));
    }
    lines
}

fn rows(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn number(value: &serde_json::Value) -> usize {
    value.as_str().unwrap().parse().unwrap()
}

/// The kept document of each removed one, by definition: the first kept one with which `pairs` lists it.
fn stars(pairs: &BTreeSet<(usize, usize)>, order: impl Iterator<Item = usize>) -> BTreeMap<usize, usize> {
    let (mut kept, mut removed) = (Vec::new(), BTreeMap::new());
    for document in order {
        let is_pair = |&&other: &&usize| pairs.contains(&(document.min(other), document.max(other)));
        match kept.iter().find(is_pair) {
            Some(&other) => drop(removed.insert(document, other)),
            None => kept.push(document),
        }
    }
    removed
}

#[test]
fn stars_are_those_of_all_pairs() {
    let folder = Folder::new();
    for (seed, options) in [
        "--method exact -t 0.7",
        "--method minhash -t 0.7",
        "--method minhash --measure cosine -t 0.85",
        "--method minhash --measure containment -t 0.8",
        "--method simhash --hamming 10 --verify -t 0.7",
        "--method simhash --hamming 6",
        "--method simhash --hamming 10 --verify --measure cosine --weights tf -t 0.85",
    ]
    .into_iter()
    .enumerate()
    {
        folder.write("in.jsonl", edited(400, seed as u64));
        assert_eq!(folder.run(&format!("pairs in.jsonl -q -o pairs.jsonl {options}")), silent());
        let pairs: BTreeSet<(usize, usize)> = rows(&folder.read("pairs.jsonl"))
            .iter()
            .map(|row| (number(&row["a"]), number(&row["b"])))
            .collect();
        assert!(pairs.len() > 4_000, "{options}: {}", pairs.len());
        for keep in ["first", "last"] {
            let star = format!(
                "dedup in.jsonl -o out.jsonl -q --cluster star --keep {keep} --removed removed.jsonl {options}"
            );
            assert_eq!(folder.run(&star), silent());
            let removed = rows(&folder.read("removed.jsonl"));
            let removed: BTreeMap<usize, usize> =
                removed.iter().map(|row| (number(&row["id"]), number(&row["kept_id"]))).collect();
            let expected = match keep {
                "first" => stars(&pairs, 0..400),
                _ => stars(&pairs, (0..400).rev()),
            };
            assert!(!expected.is_empty() && expected.len() < 400, "{options}");
            assert_eq!(removed, expected, "{options}, {keep}");
        }
    }
}

#[test]
fn documents_of_a_template_are_compared_with_few_kept_ones() {
    let folder = Folder::new();
    let documents = 6_000;
    folder.write("in.jsonl", pages(documents));
    // Of each document, 8 shingles of 204 are its own.
    for (options, kept) in [
        ("--cluster star", 1),
        ("--min-containment 0.95", 1),
        ("--min-containment 0.97", documents),
        ("--cluster star --min-containment 0.97", documents),
    ] {
        let little = "--method minhash --memory 70MiB --threads 1 --summary summary.json -q";
        assert_eq!(folder.run(&format!("dedup in.jsonl -o out.jsonl {little} {options}")), silent());
        let summary = folder.summary();
        assert_eq!(summary["kept"], kept, "{options}");
        let candidates = summary["candidates"].as_u64().unwrap() as usize;
        assert!(candidates <= 3 * documents, "{options}: {candidates}");
        assert!(summary["peak_memory_bytes"].as_u64().unwrap() < 70 << 20, "{options}");
    }
}

/// Documents of which each has most words of the one before, and shorter copies of the first.
fn drifting(documents: usize, shorter: usize) -> String {
    let mut generator = SplitMix64(1);
    let mut words: Vec<u64> = (0..60).map(|_| generator.next() % 1_000_000).collect();
    let line = |id: usize, words: &[u64]| {
        let text: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
        format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}\n", text.join(" "))
    };
    let mut lines: String = (0..shorter).map(|id| line(id, &words[..59 - id])).collect();
    for id in 0..documents {
        lines += &line(shorter + id, &words);
        for _ in 0..4 {
            let at = (generator.next() % 60) as usize;
            words[at] = generator.next() % 1_000_000;
        }
    }
    lines
}

#[test]
fn documents_of_a_long_chain_are_compared_with_few_kept_ones() {
    let folder = Folder::new();
    let documents = 3_000;
    for (shorter, options) in [
        (0, "-t 0.7"),
        (0, "-t 0.7 --min-containment 0.9"),
        (0, "-t 0.85 --measure cosine --weights tf"),
        (30, "-t 0.9 --measure containment --keep longest"),
    ] {
        folder.write("in.jsonl", drifting(documents, shorter));
        let star = "dedup in.jsonl -o out.jsonl -q --cluster star --shingle 1 --method minhash --summary summary.json";
        assert_eq!(folder.run(&format!("{star} {options}")), silent());
        let summary = folder.summary();
        assert!(summary["kept"].as_u64().unwrap() as usize > documents / 4, "{options}");
        let candidates = summary["candidates"].as_u64().unwrap() as usize;
        assert!(candidates <= 30 * documents, "{options}: {candidates}");
    }
}
