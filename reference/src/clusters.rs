//! Clusters: the documents that similar pairs connect, and the one to keep.

use crate::jaccard::Match;

/// Documents that are connected by similar pairs, and the kept one among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Position of the kept document.
    pub kept: usize,
    /// Positions of all members in input order, with the kept one. At least two.
    pub members: Vec<usize>,
}

/// The rule that chooses which member of a cluster is kept. Ties always go to the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keep<'a> {
    /// The first in input order.
    First,
    /// The last in input order.
    Last,
    /// The one whose text has the most bytes of UTF-8. There is one length for each document.
    Longest(&'a [usize]),
    /// The one with the greatest number. There is one number for each document. Any number beats none, and NaN counts
    /// as none.
    Max(&'a [Option<f64>]),
    /// The one with the least number. There is one number for each document. Any number beats none, and NaN counts as
    /// none.
    Min(&'a [Option<f64>]),
}

/// The connected components of the graph of similar pairs, sorted by their first member.
///
/// A document without a pair is in no cluster.
pub fn clusters(documents: usize, pairs: &[Match], keep: Keep<'_>) -> Vec<Cluster> {
    // Every document starts with its own label. The least label spreads along the pairs until none changes.
    let mut label: Vec<usize> = (0..documents).collect();
    loop {
        let before = label.clone();
        for pair in pairs {
            let least = label[pair.a].min(label[pair.b]);
            label[pair.a] = least;
            label[pair.b] = least;
        }
        if label == before {
            break;
        }
    }
    (0..documents)
        .map(|first| (0..documents).filter(|&member| label[member] == first).collect::<Vec<_>>())
        .filter(|members| members.len() >= 2)
        .map(|members| Cluster { kept: kept(&members, keep), members })
        .collect()
}

/// The member to keep. Members are positions in input order.
///
/// # Panics
/// If there is no member.
pub fn kept(members: &[usize], keep: Keep<'_>) -> usize {
    match keep {
        Keep::First => members[0],
        Keep::Last => members[members.len() - 1],
        Keep::Longest(lengths) => best(members, |new, old| lengths[new] > lengths[old]),
        Keep::Max(numbers) => best(members, |new, old| beats(numbers[new], numbers[old], |x, y| x > y)),
        Keep::Min(numbers) => best(members, |new, old| beats(numbers[new], numbers[old], |x, y| x < y)),
    }
}

/// The first member that no later one is better than.
fn best(members: &[usize], is_better: impl Fn(usize, usize) -> bool) -> usize {
    let mut best = members[0];
    for &member in &members[1..] {
        if is_better(member, best) {
            best = member;
        }
    }
    best
}

/// Whether the new number is better than the old one. Any number is better than none.
fn beats(new: Option<f64>, old: Option<f64>, is_better: impl Fn(f64, f64) -> bool) -> bool {
    match (new.filter(|x| !x.is_nan()), old.filter(|x| !x.is_nan())) {
        (Some(new), Some(old)) => is_better(new, old),
        (Some(_), None) => true,
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(usize, usize)]) -> Vec<Match> {
        pairs.iter().map(|&(a, b)| Match { a, b, jaccard: 1.0 }).collect()
    }

    #[test]
    fn a_chain_is_one_cluster_and_a_document_without_a_pair_is_in_none() {
        let found = clusters(7, &pairs(&[(4, 6), (1, 4), (0, 2)]), Keep::First);
        let expected =
            [Cluster { kept: 0, members: vec![0, 2] }, Cluster { kept: 1, members: vec![1, 4, 6] }];
        assert_eq!(found, expected);
    }

    #[test]
    fn each_rule_keeps_its_member() {
        let members = [1, 2, 4, 5];
        let lengths = [99, 3, 7, 99, 7, 1];
        let numbers = [Some(99.0), None, Some(-1.0), None, Some(2.0), Some(2.0)];
        assert_eq!(kept(&members, Keep::First), 1);
        assert_eq!(kept(&members, Keep::Last), 5);
        assert_eq!(kept(&members, Keep::Longest(&lengths)), 2);
        assert_eq!(kept(&members, Keep::Max(&numbers)), 4);
        assert_eq!(kept(&members, Keep::Min(&numbers)), 2);
    }

    #[test]
    fn without_any_number_the_first_is_kept() {
        let numbers = [None, Some(f64::NAN), None];
        assert_eq!(kept(&[0, 1, 2], Keep::Max(&numbers)), 0);
        assert_eq!(kept(&[1, 2], Keep::Min(&numbers)), 1);
    }
}
