//! Indexes beside lists of signatures that are searched one by one.

use super::*;
use lookalike::sketch::PermutationScheme;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

const NUM_PERM: usize = 7;
const BANDS: usize = 3;
const ROWS: usize = 2;

type Values = [u64; NUM_PERM];

#[derive(Clone, Debug)]
enum Operation {
    Insert(u32, Values),
    Remove(u32),
}

/// Values of which many are equal. Those of 64 bits differ in the high half or in the low one.
fn values(scheme: PermutationScheme) -> impl Strategy<Value = Values> {
    let choices = if scheme == PermutationScheme::Affine64 {
        vec![0, 1, 1 << 32, 1 << 63]
    } else {
        vec![0, 1, 1 << 31]
    };
    prop::array::uniform(prop::sample::select(choices))
}

fn operations(scheme: PermutationScheme) -> impl Strategy<Value = Vec<Operation>> {
    let insert = (0_u32..8, values(scheme)).prop_map(|(slot, values)| Operation::Insert(slot, values));
    prop::collection::vec(prop_oneof![3 => insert, 1 => (0_u32..8).prop_map(Operation::Remove)], 0..30)
}

/// A scheme, two lists of operations, and a query.
fn cases() -> impl Strategy<Value = (PermutationScheme, [Vec<Operation>; 2], Values)> {
    let schemes = [PermutationScheme::Affine32, PermutationScheme::Affine64, PermutationScheme::Legacy];
    prop::sample::select(schemes.to_vec())
        .prop_flat_map(|scheme| (Just(scheme), prop::array::uniform2(operations(scheme)), values(scheme)))
}

fn sketch(scheme: PermutationScheme, values: &[u64]) -> PermutedSketch {
    PermutedSketch::of_values(scheme, 1, values).unwrap()
}

fn band(values: &Values, band: usize) -> &[u64] {
    &values[band * ROWS..][..ROWS]
}

fn shares_band(a: &Values, b: &Values) -> bool {
    (0..BANDS).any(|place| band(a, place) == band(b, place))
}

fn estimate(a: &Values, b: &Values) -> f64 {
    a.iter().zip(b).filter(|(a, b)| a == b).count() as f64 / NUM_PERM as f64
}

/// Slots and signatures in the order of insertion.
#[derive(Clone, Debug, Default)]
struct Listed(Vec<(u32, Values)>);

impl Listed {
    fn of(operations: &[Operation]) -> Self {
        let mut listed = Listed::default();
        for operation in operations {
            match operation {
                Operation::Insert(slot, values) => listed.0.push((*slot, *values)),
                Operation::Remove(slot) => listed.0.retain(|(other, _)| other != slot),
            }
        }
        listed
    }

    /// The slots with a signature, in the order of their first one.
    fn slots(&self) -> Vec<u32> {
        let mut seen = BTreeSet::new();
        self.0.iter().map(|(slot, _)| *slot).filter(|&slot| seen.insert(slot)).collect()
    }

    fn signatures(&self, slot: u32) -> impl Iterator<Item = &Values> {
        self.0.iter().filter(move |(other, _)| *other == slot).map(|(_, values)| values)
    }

    /// The slots that a query finds.
    fn query(&self, query: &Values, least: f64) -> Vec<u32> {
        let is_found = |values: &Values| shares_band(values, query) && estimate(values, query) >= least;
        let slots = self.slots().into_iter();
        slots.filter(|&slot| self.signatures(slot).any(is_found)).collect()
    }

    /// The estimates of each pair of positions that shares a band.
    fn pairs(&self, least: f64) -> BTreeMap<(u64, u64), Vec<f64>> {
        let slots = self.slots();
        let mut pairs: BTreeMap<(u64, u64), Vec<f64>> = BTreeMap::new();
        for (a, b) in (0..slots.len()).flat_map(|b| (0..b).map(move |a| (a, b))) {
            for (left, right) in self
                .signatures(slots[a])
                .flat_map(|left| self.signatures(slots[b]).map(move |right| (left, right)))
            {
                if shares_band(left, right) && estimate(left, right) >= least {
                    pairs.entry((a as u64, b as u64)).or_default().push(estimate(left, right));
                }
            }
        }
        pairs
    }
}

fn index(scheme: PermutationScheme, operations: &[Operation]) -> Lsh {
    let mut lsh = Lsh::new(BANDS, ROWS, NUM_PERM);
    for operation in operations {
        match operation {
            Operation::Insert(slot, values) => lsh.insert(*slot, &sketch(scheme, values)).unwrap(),
            Operation::Remove(slot) => lsh.remove(*slot),
        }
    }
    lsh
}

/// The bytes of values, big-endian, in the width of the scheme.
fn bytes(scheme: PermutationScheme, values: &[u64]) -> Vec<u8> {
    let width = if scheme == PermutationScheme::Affine32 { 4 } else { 8 };
    values.iter().flat_map(|value| value.to_be_bytes()[8 - width..].to_vec()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn queries_find_every_slot_that_shares_a_band((scheme, [operations, _], query) in cases()) {
        let (lsh, listed) = (index(scheme, &operations), Listed::of(&operations));
        let wanted = sketch(scheme, &query);
        prop_assert_eq!(lsh.slots(), listed.slots());
        prop_assert_eq!(lsh.query(&wanted, None, None).unwrap(), listed.query(&query, 0.0));
        prop_assert_eq!(lsh.query(&wanted, None, Some(0.5)).unwrap(), listed.query(&query, 0.5));
        // Nothing is left of what was removed.
        let kept = listed.0.iter().map(|&(slot, values)| Operation::Insert(slot, values));
        let inserted = index(scheme, &kept.collect::<Vec<_>>());
        prop_assert_eq!(&inserted.to_bytes()[15..], &lsh.to_bytes()[15..]);
    }

    #[test]
    fn buckets_hold_the_slots_with_equal_bands((scheme, [operations, _], _) in cases()) {
        let (lsh, listed) = (index(scheme, &operations), Listed::of(&operations));
        let slots = listed.slots();
        for place in 0..BANDS {
            let mut expected: BTreeMap<Vec<u8>, Vec<u32>> = BTreeMap::new();
            for (slot, values) in &listed.0 {
                expected.entry(bytes(scheme, band(values, place))).or_default().push(*slot);
            }
            let buckets: Vec<Vec<u8>> = lsh.buckets(place).collect();
            let distinct: BTreeSet<&Vec<u8>> = buckets.iter().collect();
            prop_assert_eq!(distinct, expected.keys().collect::<BTreeSet<_>>());
            prop_assert_eq!(buckets.len(), expected.len());
            prop_assert_eq!(lsh.bucket_count(place), expected.len());
            let first = |bucket: &Vec<u8>| {
                expected[bucket].iter().filter_map(|slot| slots.iter().position(|other| other == slot)).min()
            };
            prop_assert!(buckets.iter().map(first).is_sorted());
            for bucket in &buckets {
                prop_assert_eq!(&lsh.slots_of_bucket(place, bucket), &expected[bucket]);
            }
            let distinct = |slots: &Vec<u32>| slots.iter().collect::<BTreeSet<_>>().len();
            let counts = buckets.iter().map(|bucket| (bucket.clone(), distinct(&expected[bucket])));
            prop_assert!(lsh.counts(place).eq(counts));
            prop_assert_eq!(lsh.slots_of_bucket(place, b"none"), Vec::<u32>::new());
        }
    }

    #[test]
    fn counts_of_slots_are_those_of_their_signatures((scheme, [operations, _], _) in cases()) {
        let (lsh, listed) = (index(scheme, &operations), Listed::of(&operations));
        let slots: Vec<u32> = listed.slots().into_iter().rev().take(3).collect();
        let counts = lsh.counts_of_slots(&slots);
        prop_assert_eq!(counts.len(), BANDS);
        for (place, counts) in counts.iter().enumerate() {
            let mut expected: Vec<(Vec<u8>, usize)> = Vec::new();
            for values in slots.iter().flat_map(|&slot| listed.signatures(slot)) {
                let bucket = bytes(scheme, band(values, place));
                match expected.iter_mut().find(|(other, _)| *other == bucket) {
                    Some((_, count)) => *count += 1,
                    None => expected.push((bucket, 1)),
                }
            }
            prop_assert_eq!(counts, &expected);
        }
    }

    #[test]
    fn pairs_are_those_of_all_comparisons((scheme, [operations, _], _) in cases()) {
        let (lsh, listed) = (index(scheme, &operations), Listed::of(&operations));
        for least in [None, Some(0.5)] {
            let pairs = lsh.pairs(least, || (), |_| Ok::<(), Infallible>(())).unwrap();
            let expected = listed.pairs(least.unwrap_or(0.0));
            let found: Vec<(u64, u64)> = pairs.iter().map(|&(a, b, _)| (a, b)).collect();
            prop_assert_eq!(found, expected.keys().copied().collect::<Vec<_>>());
            // Of slots with several signatures, any of the estimates is taken.
            prop_assert!(pairs.iter().all(|(a, b, estimate)| expected[&(*a, *b)].contains(estimate)));
        }
    }

    #[test]
    fn a_search_for_pairs_ends_when_it_is_told((scheme, [operations, _], _) in cases()) {
        let lsh = index(scheme, &operations);
        let bands = std::cell::Cell::new(0);
        let stop = |pairs| if pairs > 2 { Err(pairs) } else { Ok(()) };
        match lsh.pairs(None, || bands.set(bands.get() + 1), stop) {
            Ok(_) => prop_assert!(bands.get() == BANDS || lsh.scheme().is_none()),
            Err(pairs) => prop_assert!(pairs > 2),
        }
    }

    #[test]
    fn a_pair_is_found_once_however_many_bands_it_shares(
        values in prop::collection::vec(values(PermutationScheme::Legacy), 0..20)
    ) {
        let operations = (0..).zip(&values).map(|(slot, values)| Operation::Insert(slot, *values));
        let lsh = index(PermutationScheme::Legacy, &operations.collect::<Vec<_>>());
        let last = std::cell::Cell::new(0);
        let count = |pairs| {
            last.set(pairs);
            Ok::<(), Infallible>(())
        };
        let pairs = lsh.pairs(None, || (), count).unwrap();
        prop_assert_eq!(last.get(), pairs.len());
    }

    #[test]
    fn merged_indexes_answer_as_one((scheme, [operations, others], query) in cases()) {
        let (mut lsh, mut listed) = (index(scheme, &operations), Listed::of(&operations));
        let (other, other_listed) = (index(scheme, &others), Listed::of(&others));
        // Even slots are known in the first index, odd ones are new.
        let renamed = |slot: u32| if slot.is_multiple_of(2) { slot } else { slot + 100 };
        for slot in other.slots() {
            lsh.insert_signatures(renamed(slot), &other.signatures(slot).unwrap());
            listed.0.extend(other_listed.signatures(slot).map(|&values| (renamed(slot), values)));
        }
        prop_assert_eq!(lsh.query(&sketch(scheme, &query), None, None).unwrap(), listed.query(&query, 0.0));
        prop_assert_eq!(lsh.slots(), listed.slots());
        if !other.slots().is_empty() {
            prop_assert_eq!(lsh.scheme(), Some(scheme));
        }
    }

    #[test]
    fn a_restored_index_gives_the_same_answers((scheme, [operations, more], query) in cases()) {
        let lsh = index(scheme, &operations);
        let mut restored = Lsh::from_bytes(&lsh.to_bytes()).unwrap();
        let (slots, wanted) = (lsh.slots(), sketch(scheme, &query));
        prop_assert_eq!(restored.scheme(), lsh.scheme());
        let found = restored.query(&wanted, None, Some(0.3)).unwrap().into_iter();
        let found: Vec<u32> = found.map(|slot| slots[slot as usize]).collect();
        prop_assert_eq!(found, lsh.query(&wanted, None, Some(0.3)).unwrap());
        prop_assert_eq!(restored.to_bytes(), lsh.to_bytes());
        // It goes on as any other.
        let mut listed = Listed::default();
        for (number, &slot) in (0..).zip(&slots) {
            listed.0.extend(Listed::of(&operations).signatures(slot).map(|&values| (number, values)));
        }
        for operation in &more {
            match operation {
                Operation::Insert(slot, values) => {
                    restored.insert(*slot, &sketch(scheme, values)).unwrap();
                    listed.0.push((*slot, *values));
                }
                Operation::Remove(slot) => {
                    restored.remove(*slot);
                    listed.0.retain(|(other, _)| other != slot);
                }
            }
        }
        prop_assert_eq!(restored.query(&wanted, None, None).unwrap(), listed.query(&query, 0.0));
    }

    #[test]
    fn forests_find_the_longest_prefixes((scheme, [operations, _], query) in cases(), k in 1_usize..12) {
        const DEPTH: usize = 3;
        const TREES: usize = 2;
        let added: Vec<Values> = Listed::of(&operations).0.into_iter().map(|(_, values)| values).collect();
        let mut forest = LshForest::new(TREES, DEPTH);
        for values in &added {
            forest.add(&sketch(scheme, values)).unwrap();
        }
        let orders = (0..TREES).map(|tree| forest.order(tree, forest.entries())).collect();
        forest.make_searchable(orders);
        let tree = |values: &Values, tree: usize| values[tree * DEPTH..][..DEPTH].to_vec();
        let mut expected: Vec<u32> = Vec::new();
        let prefixes = (1..=DEPTH).rev().flat_map(|depth| (0..TREES).map(move |place| (depth, place)));
        for (depth, place) in prefixes {
            let has_prefix = |values: &Values| tree(values, place)[..depth] == tree(&query, place)[..depth];
            let equal = (0..).zip(&added).filter(|(_, values)| has_prefix(values));
            let equal = equal.map(|(entry, values)| (tree(values, place), entry));
            let mut equal: Vec<(Vec<u64>, u32)> = equal.collect();
            equal.sort();
            for (_, entry) in equal {
                if expected.len() < k && !expected.contains(&entry) {
                    expected.push(entry);
                }
            }
        }
        let agreeing = |entry: u32| {
            added[entry as usize].iter().zip(&query).take(TREES * DEPTH).filter(|(a, b)| a == b).count()
        };
        expected.sort_by_key(|&entry| (std::cmp::Reverse(agreeing(entry)), entry));
        prop_assert_eq!(forest.query(&sketch(scheme, &query), k).unwrap(), expected);
    }
}
