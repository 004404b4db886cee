//! Tests the exact join against a comparison of every pair.

use crate::executor::Backwards;
use crate::fixed::fixed;
use lookalike::cluster::UnionFind;
use lookalike::search::{ExactJoin, GroupedSets, Tally};
use lookalike::sketch::{DocumentGroups, Group};
use lookalike::{Match, Measure};
use lookalike_reference::jaccard::{intersection, similar_pairs};
use proptest::prelude::*;

/// SplitMix64, the generator that `lookalike` draws parameters from.
struct Generator(u64);

impl Generator {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

type Sets = Vec<Vec<u64>>;

/// A way in which sets share features, as in real corpora. Features are in any order, and some sets are empty.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Few features, all equally frequent.
    Random,
    /// Frequencies as for words: feature `n` is in one of `n` sets.
    Skewed,
    /// Half of every set is the same in all sets.
    Template,
    /// Copies of a few sets with features removed and added, with similarities of all degrees.
    Edited,
}

fn sets(kind: Kind, count: u64, generator: &mut Generator) -> Sets {
    let spread = |feature: u64| if feature.is_multiple_of(2) { feature } else { feature << 50 };
    let mut sets: Sets = Vec::new();
    for number in 0..count {
        let size = generator.below(30);
        let mut set: Vec<u64> = match kind {
            Kind::Random => (0..size).map(|_| generator.below(60)).collect(),
            Kind::Skewed => (1..80).filter(|&feature| generator.below(feature) == 0).collect(),
            Kind::Template => (0..12).chain((0..size / 2).map(|_| 100 + generator.below(200))).collect(),
            Kind::Edited if number < 6 => (0..size + 10).map(|_| generator.next()).collect(),
            Kind::Edited => {
                let edits = generator.below(12);
                let mut set = sets[generator.below(6) as usize].clone();
                for _ in 0..edits {
                    match generator.below(3) {
                        0 if !set.is_empty() => {
                            set.swap_remove(generator.below(set.len() as u64) as usize);
                        }
                        1 => set.push(generator.next()),
                        _ => {}
                    }
                }
                set
            }
        };
        if !matches!(kind, Kind::Edited) {
            set.iter_mut().for_each(|feature| *feature = spread(*feature));
        }
        set.sort_unstable();
        set.dedup();
        if generator.below(20) == 0 {
            set.clear();
        }
        sets.push(set);
    }
    sets
}

fn slices(sets: &Sets) -> Vec<&[u64]> {
    sets.iter().map(Vec::as_slice).collect()
}

fn shuffle<T>(items: &mut [T], generator: &mut Generator) {
    for index in (1..items.len()).rev() {
        items.swap(index, generator.below(index as u64 + 1) as usize);
    }
}

/// Two non-empty sets, and the number of features that they share.
#[derive(Clone, Copy)]
struct Pair {
    a: u32,
    b: u32,
    common: usize,
}

fn overlaps(sets: &Sets) -> Vec<Pair> {
    let numbers = (0..sets.len()).filter(|&number| !sets[number].is_empty());
    let pairs = numbers.clone().flat_map(|a| numbers.clone().filter(move |&b| a < b).map(move |b| (a, b)));
    pairs.map(|(a, b)| Pair { a: a as u32, b: b as u32, common: intersection(&sets[a], &sets[b]) }).collect()
}

fn similarity(sets: &Sets, measure: Measure, pair: &Pair) -> f64 {
    let size = |number: u32| sets[number as usize].len() as f64;
    let (common, left, right) = (pair.common as f64, size(pair.a), size(pair.b));
    match measure {
        Measure::Jaccard | Measure::WordJaccard => common / (left + right - common),
        Measure::Cosine => common / (left * right).sqrt(),
        Measure::Containment => common / left.min(right),
    }
}

/// Every pair at or above the threshold. The last digits of a cosine may differ, so a tiny margin is allowed.
fn every_pair(sets: &Sets, overlaps: &[Pair], measure: Measure, threshold: f64) -> Vec<(u32, u32, String)> {
    let slack = if measure == Measure::Cosine { 1.0 - 1e-12 } else { 1.0 };
    overlaps
        .iter()
        .map(|pair| (pair, similarity(sets, measure, pair)))
        .filter(|&(_, similarity)| similarity >= threshold * slack)
        .map(|(pair, similarity)| (pair.a, pair.b, format!("{similarity:.9}")))
        .collect()
}

fn listed(pairs: &[Match]) -> Vec<(u32, u32, String)> {
    let list = |pair: &Match| (pair.a, pair.b, format!("{:.9}", pair.score.similarity().unwrap().value()));
    pairs.iter().map(list).collect()
}

fn corpora() -> impl Strategy<Value = (Sets, u64)> {
    let kinds = prop_oneof![Just(Kind::Random), Just(Kind::Skewed), Just(Kind::Template), Just(Kind::Edited)];
    (kinds, 0_u64..70, any::<u64>())
        .prop_map(|(kind, count, seed)| (sets(kind, count, &mut Generator(seed)), seed))
}

/// Some thresholds, and the similarities of some pairs of the corpus, which are then exactly at the threshold.
fn thresholds(sets: &Sets, overlaps: &[Pair], measure: Measure, generator: &mut Generator) -> Vec<f64> {
    let mut thresholds: Vec<f64> = (1..=10).map(|tenth| f64::from(tenth) / 10.0).collect();
    thresholds.extend([0.95, 1.0 / 3.0, 2.0 / 3.0]);
    for _ in 0..overlaps.len().min(10) {
        let pair = &overlaps[generator.below(overlaps.len() as u64) as usize];
        thresholds.push(similarity(sets, measure, pair));
    }
    thresholds.retain(|&threshold| threshold > 0.0);
    thresholds
}

proptest! {
    #![proptest_config(fixed(100))]

    #[test]
    fn pairs_equal_a_comparison_of_every_pair((sets, seed) in corpora()) {
        let (slices, overlaps) = (slices(&sets), overlaps(&sets));
        for (_, measure) in Measure::ALL {
            for threshold in thresholds(&sets, &overlaps, measure, &mut Generator(seed)) {
                let found = ExactJoin::new(slices.clone(), measure, threshold).pairs();
                let expected = every_pair(&sets, &overlaps, measure, threshold);
                prop_assert_eq!(listed(&found), expected, "{:?} {}", measure, threshold);
            }
        }
    }

    #[test]
    fn pairs_equal_those_of_the_reference((sets, _) in corpora()) {
        let slices = slices(&sets);
        for threshold in [0.3, 0.5, 0.8, 1.0] {
            let found: Vec<_> = ExactJoin::new(slices.clone(), Measure::Jaccard, threshold)
                .pairs()
                .iter()
                .map(|pair| (pair.a as usize, pair.b as usize, pair.score.similarity().unwrap().value()))
                .collect();
            let expected: Vec<_> =
                similar_pairs(&sets, threshold).iter().map(|pair| (pair.a, pair.b, pair.jaccard)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn pairs_within_groups_are_all_pairs_of_the_same_group((sets, seed) in corpora(), count in 1_u64..9) {
        let slices = slices(&sets);
        let mut generator = Generator(seed);
        let kinds: Vec<Group> = (0..count).map(|_| Group([generator.next(), generator.next()])).collect();
        let groups: Vec<Group> = sets.iter().map(|_| kinds[generator.below(count) as usize]).collect();
        for (_, measure) in Measure::ALL {
            let expected: Vec<_> = listed(&ExactJoin::new(slices.clone(), measure, 0.6).pairs())
                .into_iter()
                .filter(|(a, b, _)| groups[*a as usize] == groups[*b as usize])
                .collect();
            let sets = GroupedSets { sets: slices.clone(), groups: DocumentGroups::new(&groups) };
            prop_assert_eq!(listed(&ExactJoin::new(sets, measure, 0.6).pairs()), expected);
        }
    }

    #[test]
    fn order_and_repetition_of_sets_do_not_matter((sets, seed) in corpora()) {
        let mut generator = Generator(seed);
        let mut numbers: Vec<u32> = (0..sets.len() as u32).chain(0..sets.len() as u32 / 2).collect();
        shuffle(&mut numbers, &mut generator);
        let mut others: Sets = numbers.iter().map(|&number| sets[number as usize].clone()).collect();
        others.iter_mut().for_each(|set| shuffle(set, &mut generator));
        let other_slices = slices(&others);
        let slices = slices(&sets);
        for (_, measure) in Measure::ALL {
            let found = listed(&ExactJoin::new(other_slices.clone(), measure, 0.7).pairs());
            let mut pairs: Vec<_> = found
                .into_iter()
                .map(|(a, b, similarity)| {
                    let (a, b) = (numbers[a as usize], numbers[b as usize]);
                    (a.min(b), a.max(b), similarity)
                })
                .filter(|(a, b, _)| a != b)
                .collect();
            pairs.sort();
            pairs.dedup();
            prop_assert_eq!(pairs, listed(&ExactJoin::new(slices.clone(), measure, 0.7).pairs()));
        }
    }

    #[test]
    fn the_join_does_not_depend_on_the_executor((sets, seed) in corpora()) {
        let slices = slices(&sets);
        let threads = Backwards(seed as usize % 9);
        let Ok(partners) = ExactJoin::may_have_partners(&slices.clone().into(), Measure::Cosine, 0.6, &threads);
        let Ok(join) = ExactJoin::among(partners, slices.clone(), Measure::Cosine, 0.6, &threads);
        let same = ExactJoin::new(slices.clone(), Measure::Cosine, 0.6);
        prop_assert_eq!(join.pairs(), same.pairs());
        prop_assert_eq!((join.blocks(), join.visits()), (same.blocks(), same.visits()));
    }

    #[test]
    fn links_connect_what_pairs_connect((sets, _) in corpora()) {
        let slices = slices(&sets);
        for (_, measure) in Measure::ALL {
            for threshold in [0.4, 0.6, 0.8] {
                let join = ExactJoin::new(slices.clone(), measure, threshold);
                let pairs = join.pairs();
                let (mut all, mut linked) = (UnionFind::new(sets.len()), UnionFind::new(sets.len()));
                pairs.iter().for_each(|pair| all.unite(pair.a, pair.b));
                let mut prober = join.prober();
                for block in (0..join.blocks()).rev() {
                    let mut links = Vec::new();
                    join.links(block, &linked.roots(), &mut prober, &mut links);
                    for link in links {
                        prop_assert!(pairs.contains(&link));
                        prop_assert_ne!(linked.find(link.a), linked.find(link.b), "links are a forest");
                        linked.unite(link.a, link.b);
                    }
                }
                prop_assert_eq!(linked.clusters(), all.clusters());
            }
        }
    }
}

#[test]
fn blocks_are_many_and_independent() {
    let mut generator = Generator(5);
    let sets = sets(Kind::Edited, 5000, &mut generator);
    let slices = slices(&sets);
    let join = ExactJoin::new(slices.clone(), Measure::Jaccard, 0.6);
    assert!(join.blocks() > 3, "{} blocks", join.blocks());
    let mut order: Vec<usize> = (0..join.blocks()).collect();
    shuffle(&mut order, &mut generator);
    let (mut found, mut tally) = (Vec::new(), Tally::default());
    for block in order {
        tally += join.matches(block, &mut join.prober(), usize::MAX, &mut found);
    }
    found.sort_by_key(|pair| (pair.a, pair.b));
    assert!(found == join.pairs());
    assert!(tally.candidates >= tally.compared && tally.compared >= found.len() as u64);
    assert!(join.visits() >= tally.candidates);
    let mut some = Vec::new();
    join.matches(0, &mut join.prober(), 1, &mut some);
    assert!(!some.is_empty() && some.len() < found.len(), "{} of {}", some.len(), found.len());
}

/// Copies are left out and united with the first one afterwards, as callers should do.
#[test]
fn a_million_equal_sets_are_linked_at_once() {
    let (text, other): (Vec<u64>, Vec<u64>) = ((0..50).collect(), (1..50).collect());
    let mut slices: Vec<&[u64]> = vec![&[]; 1_000_001];
    (slices[0], slices[1_000_000]) = (&text, &other);
    let join = ExactJoin::new(slices.clone(), Measure::Jaccard, 0.9);
    let roots: Vec<u32> = (0..slices.len() as u32).collect();
    let mut links = Vec::new();
    for block in 0..join.blocks() {
        join.links(block, &roots, &mut join.prober(), &mut links);
    }
    assert_eq!(links.iter().map(|link| (link.a, link.b)).collect::<Vec<_>>(), [(0, 1_000_000)]);
}

/// A feature of all sets is in the index only for sets that have little else.
#[test]
fn a_feature_of_all_sets_costs_nothing_if_there_are_rarer_ones() {
    let set = |number: u64| (0..5).chain((0..95).map(|place| 1000 + number * 95 + place)).collect();
    let sets: Sets = (0..2000).map(set).collect();
    assert_eq!(ExactJoin::new(slices(&sets), Measure::Jaccard, 0.5).visits(), 0);
}

#[test]
fn empty_sets_are_similar_to_nothing() {
    for sets in [vec![], vec![vec![]], vec![vec![], vec![]], vec![vec![], vec![0]]] {
        assert!(ExactJoin::new(slices(&sets), Measure::Containment, 0.1).pairs().is_empty());
    }
    let twice = vec![vec![0], vec![], vec![0]];
    assert_eq!(ExactJoin::new(slices(&twice), Measure::Jaccard, 1.0).pairs().len(), 1);
}

#[test]
fn equal_sets_of_different_groups_are_never_visited() {
    let mut generator = Generator(5);
    let set: Vec<u64> = (0..50).map(|_| generator.next()).collect();
    let groups: Vec<Group> = (0..1000).map(|_| Group([generator.next(), generator.next()])).collect();
    for (_, measure) in Measure::ALL {
        let sets = GroupedSets { sets: vec![&set[..]; 1000], groups: DocumentGroups::new(&groups) };
        let join = ExactJoin::new(sets, measure, 0.5);
        assert_eq!((join.visits(), join.pairs().len()), (0, 0), "{measure:?}");
    }
}
