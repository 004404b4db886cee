//! Tests the agreement of two accounts against its definitions, pair by pair.

use lookalike::cluster::UnionFind;
use lookalike::quality::{Account, Agreement, Pair, PairSet, Partition};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::convert::Infallible;

/// Documents of the properties: few, so that clusters often overlap.
const DOCUMENTS: usize = 9;

/// An account, and its similar pairs as ordered pairs (a, b) with a < b.
#[derive(Clone, Debug)]
struct KnownAccount {
    account: Account,
    pairs: BTreeSet<(u32, u32)>,
}

fn of_pairs(pairs: &[(u32, u32)]) -> KnownAccount {
    let listed = pairs.iter().map(|&(a, b)| Pair { a, b, value: None }).collect();
    let pairs = pairs.iter().filter(|(a, b)| a != b).map(|&(a, b)| (a.min(b), a.max(b))).collect();
    KnownAccount { account: Account::Pairs(PairSet::new(listed)), pairs }
}

/// An account in which documents with the same label are one cluster.
fn of_labels(labels: &[u8]) -> KnownAccount {
    let mut sets = UnionFind::new(labels.len());
    let mut pairs = BTreeSet::new();
    for (a, b) in all_pairs(labels.len()) {
        if labels[a as usize] == labels[b as usize] {
            sets.unite(a, b);
            pairs.insert((a, b));
        }
    }
    KnownAccount { account: Account::Clusters(Partition::new(&mut sets)), pairs }
}

fn all_pairs(documents: usize) -> impl Iterator<Item = (u32, u32)> {
    let documents = documents as u32;
    (0..documents).flat_map(move |a| (a + 1..documents).map(move |b| (a, b)))
}

fn accounts() -> impl Strategy<Value = KnownAccount> {
    let document = 0..DOCUMENTS as u32;
    prop_oneof![
        prop::collection::vec((document.clone(), document), 0..20).prop_map(|pairs| of_pairs(&pairs)),
        prop::collection::vec(0_u8..5, DOCUMENTS).prop_map(|labels| of_labels(&labels)),
    ]
}

/// The pairs of the transitive closure, extended until nothing is added.
fn closure(pairs: &BTreeSet<(u32, u32)>) -> BTreeSet<(u32, u32)> {
    let mut closed = pairs.clone();
    loop {
        let similar = |a: u32, b: u32| closed.contains(&(a.min(b), a.max(b)));
        let more: Vec<_> = all_pairs(DOCUMENTS)
            .filter(|&(a, b)| !similar(a, b))
            .filter(|&(a, b)| (0..DOCUMENTS as u32).any(|c| similar(a, c) && similar(c, b)))
            .collect();
        if more.is_empty() {
            return closed;
        }
        closed.extend(more);
    }
}

/// The index as in the paper, from all pairs: (index - expected index) / (maximum index - expected index).
fn naive_index(found: &BTreeSet<(u32, u32)>, truth: &BTreeSet<(u32, u32)>, documents: usize) -> f64 {
    let all = all_pairs(documents).count() as f64;
    let index =
        all_pairs(documents).filter(|pair| found.contains(pair) && truth.contains(pair)).count() as f64;
    let (found, truth) = (found.len() as f64, truth.len() as f64);
    let expected = found * truth / all;
    (index - expected) / ((found + truth) / 2.0 - expected)
}

fn share(part: usize, whole: usize) -> Option<f64> {
    if whole == 0 { None } else { Some(part as f64 / whole as f64) }
}

proptest! {
    #[test]
    fn counts_and_measures_follow_from_the_sets_of_pairs(found in accounts(), truth in accounts()) {
        let agreement = found.account.agreement(&truth.account);
        let both = found.pairs.intersection(&truth.pairs).count();
        let [found, truth] = [&found.pairs, &truth.pairs].map(BTreeSet::len);
        prop_assert_eq!(agreement, Agreement { found: found as u64, truth: truth as u64, both: both as u64 });
        prop_assert_eq!(agreement.precision(), share(both, found));
        prop_assert_eq!(agreement.recall(), share(both, truth));
        match (agreement.precision(), agreement.recall(), agreement.f1()) {
            (Some(precision), Some(recall), Some(f1)) if both > 0 => {
                prop_assert!((f1 - 2.0 * precision * recall / (precision + recall)).abs() < 1e-12);
            }
            (None, None, f1) => prop_assert_eq!(f1, None),
            (_, _, f1) => prop_assert_eq!(f1, Some(0.0)),
        }
    }

    #[test]
    fn a_pair_is_contained_in_both_directions(account in accounts()) {
        for (a, b) in all_pairs(DOCUMENTS) {
            let contained = account.pairs.contains(&(a, b));
            prop_assert_eq!(account.account.contains(a, b), contained);
            prop_assert_eq!(account.account.contains(b, a), contained);
        }
    }

    #[test]
    fn clusters_are_the_closure_and_their_index_follows_the_paper(found in accounts(), truth in accounts(), more in 0..5_usize) {
        let documents = DOCUMENTS + more;
        let partitions = [&found, &truth].map(|known| known.account.partition(DOCUMENTS).into_owned());
        let closures = [&found, &truth].map(|known| closure(&known.pairs));
        for (partition, closure) in partitions.iter().zip(&closures) {
            prop_assert!(all_pairs(DOCUMENTS).all(|(a, b)| partition.together(a, b) == closure.contains(&(a, b))));
        }
        let [found, truth] = partitions.map(Account::Clusters);
        let index = found.agreement(&truth).adjusted_rand_index(documents as u32);
        let naive = naive_index(&closures[0], &closures[1], documents);
        if naive.is_nan() {
            prop_assert!(index == 1.0 && closures[0] == closures[1]);
        } else {
            prop_assert!((index - naive).abs() < 1e-12, "{} {}", index, naive);
        }
    }

    #[test]
    fn an_account_agrees_with_itself_and_agreement_is_symmetric(found in accounts(), truth in accounts()) {
        let itself = found.account.agreement(&found.account);
        prop_assert!([itself.precision(), itself.recall(), itself.f1()].iter().all(|share| share.is_none_or(|share| share == 1.0)));
        let (there, back) = (found.account.agreement(&truth.account), truth.account.agreement(&found.account));
        prop_assert_eq!(there.both, back.both);
        prop_assert_eq!(there.precision(), back.recall());
        prop_assert_eq!(there.f1(), back.f1());
        prop_assert_eq!(there.adjusted_rand_index(20), back.adjusted_rand_index(20));
    }

    #[test]
    fn pairs_missing_in_the_other_account_are_the_difference(found in accounts(), truth in accounts()) {
        let mut wrong = Vec::new();
        found.account.try_for_each_missing_in(&truth.account, |pair| {
            wrong.push((pair.a.min(pair.b), pair.a.max(pair.b)));
            Ok::<(), ()>(())
        }).unwrap();
        prop_assert_eq!(wrong.len(), wrong.iter().collect::<BTreeSet<_>>().len());
        prop_assert_eq!(wrong.into_iter().collect::<BTreeSet<_>>(), &found.pairs - &truth.pairs);
    }
}

/// The pairs that `found` has and `truth` does not have, in the order of visits.
fn wrong(found: &Account, truth: &Account) -> Vec<(u32, u32)> {
    let mut wrong = Vec::new();
    let Ok(()) = found.try_for_each_missing_in(truth, |pair| {
        wrong.push((pair.a, pair.b));
        Ok::<(), Infallible>(())
    });
    wrong
}

proptest! {
    #[test]
    fn differences_come_cluster_by_cluster_in_the_order_of_documents(
        found in prop::collection::vec(0_u8..4, DOCUMENTS),
        truth in prop::collection::vec(0_u8..4, DOCUMENTS),
    ) {
        let Account::Clusters(partition) = of_labels(&found).account else { unreachable!() };
        let mut expected = Vec::new();
        for members in partition.clusters() {
            for (index, &a) in members.iter().enumerate() {
                let apart = members[index + 1..].iter().filter(|&&b| truth[a as usize] != truth[b as usize]);
                expected.extend(apart.map(|&b| (a, b)));
            }
        }
        prop_assert_eq!(wrong(&Account::Clusters(partition), &of_labels(&truth).account), expected);
    }
}

#[test]
fn common_pairs_of_two_clusters_of_a_million_are_not_visited() {
    let documents = 1_000_000;
    let without = |other: u32| {
        let mut sets = UnionFind::new(documents as usize);
        let mut members = (0..documents).filter(|&document| document != other);
        let first = members.next().unwrap();
        members.for_each(|document| sets.unite(first, document));
        Account::Clusters(Partition::new(&mut sets))
    };
    let (all, most) = (without(u32::MAX), without(500_000));
    assert!(wrong(&all, &all).is_empty() && wrong(&most, &all).is_empty());
    let wrong = wrong(&all, &most);
    assert_eq!((wrong.len(), wrong[0]), (documents as usize - 1, (0, 500_000)));
}

#[test]
fn a_cluster_of_a_million_is_counted_and_not_listed() {
    let documents = 1_000_000;
    let mut sets = UnionFind::new(documents);
    (1..documents as u32).for_each(|document| sets.unite(0, document));
    let clusters = Account::Clusters(Partition::new(&mut sets));
    let pairs = Account::Pairs(PairSet::new(vec![Pair { a: 5, b: 999_999, value: None }]));
    let all = 499_999_500_000;
    assert_eq!(clusters.agreement(&clusters), Agreement { found: all, truth: all, both: all });
    assert_eq!(clusters.agreement(&pairs), Agreement { found: all, truth: 1, both: 1 });
}
