//! Tests the index of MinHash signatures against a plain map of signatures.

use lookalike::{MinHashIndex, Options, Plan, Signature, Sketcher};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeMap;

/// Four bands of three rows, from 16 values. Documents share some bands, and four values are in no band.
fn plan() -> Plan {
    Options { num_perm: Some(16), bands: Some(4), rows: Some(3), ..Options::default() }.plan().unwrap()
}

/// Values that are often equal, and now and then the signature of an empty set.
fn signatures() -> impl Strategy<Value = Vec<u32>> {
    prop_oneof![9 => prop::collection::vec(0_u32..3, 16), 1 => Just(vec![u32::MAX; 16])]
}

/// The signatures that share a band with `query`, the nearest first.
fn candidates(of: &BTreeMap<u32, Signature>, query: &Signature) -> Vec<(u32, f64)> {
    let share_band = |other: &Signature| {
        let bands = query.values().chunks(3).zip(other.values().chunks(3)).take(4);
        !query.is_empty() && !other.is_empty() && bands.into_iter().any(|(a, b)| a == b)
    };
    let equal = |other: &Signature| {
        query.values().iter().zip(other.values()).filter(|(a, b)| a == b).count() as f64 / 16.0
    };
    let mut found: Vec<(u32, f64)> =
        of.iter().filter(|(_, other)| share_band(other)).map(|(&id, other)| (id, equal(other))).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(11), cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn an_index_finds_all_that_share_a_band_after_any_changes(
        // With many ids, buckets become large.
        steps in prop_oneof![Just(12), Just(200)].prop_flat_map(|ids: u32| {
            prop::collection::vec((0..ids, prop::option::weighted(0.8, signatures())), 0..3 * ids as usize)
        }),
        query in signatures(),
    ) {
        let id = plan().signature_id();
        let (mut index, mut list) = (MinHashIndex::new(&plan()), BTreeMap::new());
        for (document, values) in steps {
            match values {
                Some(values) => {
                    let signature = Signature::new(id, values);
                    let before = index.insert(document, signature.clone()).unwrap();
                    prop_assert_eq!(before, list.insert(document, signature));
                }
                None => prop_assert_eq!(index.remove(document), list.remove(&document)),
            }
        }
        prop_assert_eq!(index.len(), list.len());
        let query = Signature::new(id, query);
        let found: Vec<(u32, f64)> =
            index.query(&query).unwrap().into_iter().map(|found| (found.id, found.estimate.value())).collect();
        prop_assert_eq!(found, candidates(&list, &query));
    }

    #[test]
    fn a_merged_signature_is_the_signature_of_the_union(
        a in prop::collection::vec(any::<u64>(), 0..40), b in prop::collection::vec(any::<u64>(), 0..40),
    ) {
        let mut sketcher = Sketcher::new(&plan());
        let mut of = |features: &[u64]| {
            let mut values = vec![0; 16];
            sketcher.signature_into(features, &mut values);
            Signature::new(plan().signature_id(), values)
        };
        let mut merged = of(&a);
        merged.merge(&of(&b)).unwrap();
        prop_assert_eq!(merged, of(&[a, b].concat()));
    }
}

#[test]
fn signatures_of_another_plan_are_refused_without_changes() {
    let mut index = MinHashIndex::new(&plan());
    let mut sketcher = Sketcher::new(&plan());
    let ours = sketcher.minhash("one two three four five six");
    index.insert(1, ours.clone()).unwrap();
    let theirs = Sketcher::new(&Plan::default()).minhash("one two three four five six");
    assert_eq!(index.insert(1, theirs.clone()).unwrap_err().field, "plan");
    assert_eq!(index.query(&theirs).unwrap_err().field, "plan");
    assert_eq!(index.get(1), Some(&ours));
}

#[test]
fn signatures_of_another_length_are_refused_without_changes() {
    let id = plan().signature_id();
    let mut index = MinHashIndex::new(&plan());
    index.insert(1, Signature::new(id, [7; 16])).unwrap();
    for length in [0, 12, 15, 17] {
        let wrong = Signature::new(id, vec![7; length]);
        assert_eq!(index.insert(1, wrong.clone()).unwrap_err().field, "length", "{length}");
        assert_eq!(index.insert(2, wrong.clone()).unwrap_err().field, "length", "{length}");
        assert_eq!(index.query(&wrong).unwrap_err().field, "length", "{length}");
    }
    assert_eq!(index.query(&Signature::new(id, [7; 16])).unwrap().len(), 1);
}

/// A search of the whole bucket for each copy would make 10¹¹ comparisons here.
#[test]
fn two_hundred_thousand_copies_are_removed_one_by_one() {
    let copy = Signature::new(plan().signature_id(), [7; 16]);
    let mut index = MinHashIndex::new(&plan());
    for id in 0..200_000 {
        index.insert(id, copy.clone()).unwrap();
    }
    assert_eq!(index.query(&copy).unwrap().len(), 200_000);
    // The last ones come last in a list.
    for id in (1..200_000).rev() {
        assert!(index.remove(id).is_some());
    }
    assert_eq!(index.query(&copy).unwrap().len(), 1);
    index.remove(0);
    assert!(index.query(&copy).unwrap().is_empty());
}
