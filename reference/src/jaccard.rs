//! The exact similarity of two feature sets, and the similar pairs of a corpus.
//!
//! A feature set is sorted and has every feature once, as made by [`feature_set`](crate::shingles::feature_set).

use std::collections::BTreeSet;

/// Two documents, by position, and their exact similarity. `a` comes before `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Position of the earlier document.
    pub a: usize,
    /// Position of the later document.
    pub b: usize,
    /// Their Jaccard similarity. Greater is closer.
    pub jaccard: f64,
}

/// The number of features that two sets share.
pub fn intersection(a: &[u64], b: &[u64]) -> usize {
    let a: BTreeSet<u64> = a.iter().copied().collect();
    b.iter().filter(|feature| a.contains(feature)).count()
}

/// `|A ∩ B| / |A ∪ B|`, in `0.0..=1.0`. 0 for two empty sets, as an empty document is similar to nothing.
///
/// Source: Jaccard, "The distribution of the flora in the alpine zone", 1912.
pub fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let shared = intersection(a, b);
    ratio(shared, a.len() + b.len() - shared)
}

/// `|A ∩ B| / |A|`: the share of `a` that is contained in `b`. 0 for an empty `a`.
pub fn containment(a: &[u64], b: &[u64]) -> f64 {
    ratio(intersection(a, b), a.len())
}

/// Every pair with a Jaccard similarity of at least the threshold, sorted by `a`, then `b`.
///
/// Every pair is compared. An empty document is in no pair, at any threshold.
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

/// The nearest `f64` to the fraction. 0 for `0 / 0`.
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
    fn an_empty_document_is_similar_to_nothing() {
        assert_eq!(jaccard(&[], &[]), 0.0);
        assert_eq!(containment(&[], &[1]), 0.0);
        assert_eq!(similar_pairs(&[vec![], vec![], vec![1], vec![1]], 0.0).len(), 1);
    }

    #[test]
    fn the_threshold_itself_is_similar() {
        // 4 of 5 features are shared, which is exactly the f64 value of 0.8.
        let documents = [vec![1, 2, 3, 4], vec![1, 2, 3, 4, 5], vec![1, 2, 3]];
        let found = similar_pairs(&documents, 0.8);
        assert_eq!(found, [Match { a: 0, b: 1, jaccard: 0.8 }]);
    }
}
