//! How similar are two feature sets, exactly, and which pairs of a corpus are similar?
//!
//! A feature set is sorted and has every feature once, as [`feature_set`](crate::shingles::feature_set) gives it.

use std::collections::BTreeSet;

/// Two documents, by position, and their exact similarity. `a` stands before `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Position of the earlier document.
    pub a: usize,
    /// Position of the later document.
    pub b: usize,
    /// Their Jaccard similarity; greater is closer.
    pub jaccard: f64,
}

/// How many features two sets share.
pub fn intersection(a: &[u64], b: &[u64]) -> usize {
    let a: BTreeSet<u64> = a.iter().copied().collect();
    b.iter().filter(|feature| a.contains(feature)).count()
}

/// `|A ∩ B| / |A ∪ B|`, in `0.0..=1.0`; 0 for two empty sets, since an empty document is like nothing.
///
/// Source: Jaccard, "The distribution of the flora in the alpine zone", 1912.
pub fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let shared = intersection(a, b);
    ratio(shared, a.len() + b.len() - shared)
}

/// `|A ∩ B| / |A|`: how much of `a` is contained in `b`; 0 for an empty `a`.
pub fn containment(a: &[u64], b: &[u64]) -> f64 {
    ratio(intersection(a, b), a.len())
}

/// Every pair with a Jaccard similarity of at least the threshold, sorted by `a`, then `b`.
///
/// All pairs are looked at. An empty document is in none of them, whatever the threshold.
pub fn similar_pairs(documents: &[Vec<u64>], threshold: f64) -> Vec<Match> {
    let mut matches = Vec::new();
    for a in 0..documents.len() {
        for b in a + 1..documents.len() {
            if documents[a].is_empty() || documents[b].is_empty() {
                continue;
            }
            let jaccard = jaccard(&documents[a], &documents[b]);
            if jaccard >= threshold {
                matches.push(Match { a, b, jaccard });
            }
        }
    }
    matches
}

/// The nearest `f64` to the fraction; 0 for `0 / 0`.
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_of_small_sets() {
        let (a, b) = ([1, 2, 3, 4], [3, 4, 5]);
        assert_eq!(intersection(&a, &b), 2);
        assert_eq!(jaccard(&a, &b), 2.0 / 5.0);
        assert_eq!(containment(&a, &b), 0.5);
        assert_eq!(containment(&b, &a), 2.0 / 3.0);
        assert_eq!(jaccard(&a, &a), 1.0);
        assert_eq!(jaccard(&a, &[9]), 0.0);
    }

    #[test]
    fn an_empty_document_is_like_nothing() {
        assert_eq!(jaccard(&[], &[]), 0.0);
        assert_eq!(containment(&[], &[1]), 0.0);
        assert_eq!(similar_pairs(&[vec![], vec![], vec![1], vec![1]], 0.0).len(), 1);
    }

    #[test]
    fn the_threshold_itself_is_similar() {
        // 4 of 5 features shared: exactly the f64 that 0.8 is written for.
        let documents = [vec![1, 2, 3, 4], vec![1, 2, 3, 4, 5], vec![1, 2, 3]];
        let found = similar_pairs(&documents, 0.8);
        assert_eq!(found, [Match { a: 0, b: 1, jaccard: 0.8 }]);
    }
}
