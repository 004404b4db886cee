//! Pairs of copies, which a search passes over.

use crate::cluster::Buckets;
use crate::hash::fmix64;
use crate::similarity::{Match, Score};

/// Adds the pairs that copies make to `found`, the pairs of originals. The result is in order. Copies of one text get
/// the score `of_copies`.
pub fn with_copies(mut found: Vec<Match>, originals: &[u32], of_copies: Score) -> Vec<Match> {
    let pairs: Vec<(u64, u32)> = originals
        .iter()
        .enumerate()
        .map(|(document, &original)| (fmix64(u64::from(original)), document as u32))
        .collect();
    let groups = Buckets::group(&pairs);
    let mut group_of = vec![u32::MAX; originals.len()];
    for (index, group) in groups.iter().enumerate() {
        group_of[group[0] as usize] = index as u32;
    }
    let copies = |document: u32| match group_of[document as usize] {
        u32::MAX => std::slice::from_ref(&originals[document as usize]),
        index => groups.bucket(index as usize),
    };
    for index in 0..found.len() {
        let Match { a, b, score } = found[index];
        for &x in copies(a) {
            for &y in copies(b) {
                if (x, y) != (a, b) {
                    found.push(Match { a: x.min(y), b: x.max(y), score });
                }
            }
        }
    }
    for group in groups.iter() {
        for (index, &a) in group.iter().enumerate() {
            found.extend(group[index + 1..].iter().map(|&b| Match { a, b, score: of_copies }));
        }
    }
    found.sort_unstable_by_key(|found| (found.a, found.b));
    found
}
