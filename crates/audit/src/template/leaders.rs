//! Clusters of near-duplicate texts for the vote: stars around leaders.
//!
//! Texts are taken by length, the longest first. One that is in no cluster yet leads a new one, and takes all texts that are similar to
//! it and in no cluster. A page of template and nothing else is similar to all pages with this template, so it must not lead. There are no chains, so a chain of small differences does not join a whole site. Only leaders are
//! compared, all with all others.

use crate::shingles::{PartnerFinder, RunWeight, SharedShingles};
use lookalike::Executor;
use std::cmp::Reverse;

/// The leader of each text. A leader leads itself. Two texts are similar if the Jaccard similarity of their shingles is
/// `similarity` or more, and one of them has fewer than `own_words` words that the other does not have.
///
/// The second condition is for pages of much template. They share most of their words, but each has enough of its own to
/// be a page.
pub(super) fn leaders<E: Executor>(
    shared: &SharedShingles,
    similarity: f64,
    own_words: u32,
    executor: &E,
) -> Result<Vec<u32>, E::Stopped> {
    let mut leaders: Vec<Option<u32>> = vec![None; shared.len()];
    let mut partners = PartnerFinder::new(shared);
    let mut order: Vec<u32> = (0..shared.len() as u32).collect();
    order.sort_by_key(|&text| (Reverse(shared.words(text)), text));
    for leader in order {
        if leaders[leader as usize].is_some() {
            continue;
        }
        executor.check()?;
        leaders[leader as usize] = Some(leader);
        let distinct = shared.distinct(leader);
        // Less than this would be too little even if the other text had no other shingles.
        let need = ((f64::from(distinct) * similarity * (1.0 - 1e-9)) as u32).max(1);
        let candidates = partners.candidates(leader, RunWeight::Shingles, need).to_vec();
        for text in candidates {
            if leaders[text as usize].is_none() {
                let overlap = partners.overlap(leader, text);
                let own =
                    (shared.words(leader) - overlap.left.words).min(shared.words(text) - overlap.right.words);
                let common = f64::from(overlap.left.shingles);
                let union = f64::from(distinct) + f64::from(shared.distinct(text)) - common;
                if common >= similarity * union && own < own_words {
                    leaders[text as usize] = Some(leader);
                }
            }
        }
    }
    Ok((0..).zip(leaders).map(|(text, leader)| leader.unwrap_or(text)).collect())
}
