//! Documents below the threshold of the index, beside a comparison with all.

use super::*;
use lookalike::hash::SplitMix64;
use std::collections::BTreeSet;

/// A text that shares its first words with others of its family.
fn page(random: &mut SplitMix64) -> String {
    let shared = 60 + random.next() % 60;
    let family = text(random.next() % 6, 0);
    let own: Vec<String> = (0..120 - shared).map(|_| format!("x{}", random.next())).collect();
    family.split(' ').take(shared as usize).map(str::to_owned).chain(own).collect::<Vec<_>>().join(" ")
}

fn shingles(text: &str) -> BTreeSet<Vec<&str>> {
    let words: Vec<&str> = text.split(' ').collect();
    words.windows(5).map(<[&str]>::to_vec).collect()
}

#[test]
fn documents_below_the_threshold_are_found_by_wide_bands() {
    // Two values a band: a pair of similarity 0.4 shares one of 64 but for one time in 70,000.
    let plan = Options { bands: Some(64), rows: Some(2), ..Options::default() }.plan().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (seen, closer) =
        Seen::open(Index::create(&folder.path().join("seen.index"), &plan).unwrap()).unwrap();
    let (mut random, mut texts, mut below) = (SplitMix64(5), Vec::new(), 0);
    for number in 0..120 {
        let text = page(&mut random);
        let own = shingles(&text);
        let similarity = |other: &String| {
            let other = shingles(other);
            let both = own.intersection(&other).count() as f64;
            both / ((own.len() + other.len()) as f64 - both)
        };
        let all: Vec<f64> = texts.iter().map(similarity).collect();
        for least in [0.4, 0.6, 0.0] {
            let from = if least == 0.0 { 0.8 } else { least };
            let expected: Vec<u64> =
                (0..).zip(&all).filter(|&(_, &one)| one >= from).map(|(number, _)| number).collect();
            let mut found: Vec<u64> =
                seen.check(&text, least, 0).unwrap().found.iter().map(|found| found.number).collect();
            found.sort_unstable();
            assert_eq!(found, expected, "from {from}");
        }
        below += all.iter().filter(|&&one| (0.4..0.8).contains(&one)).count();
        let new =
            NewText { on_duplicate: OnDuplicate::Ignore, ..NewText::new(format!("d{number}"), text.clone()) };
        seen.add(new, 0).wait().unwrap();
        texts.push(text);
    }
    assert!(below > 200, "{below} pairs are below the threshold");
    drop(seen);
    closer.close().unwrap();
}
