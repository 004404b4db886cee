//! Tests the join of families against a comparison of all pairs.

use lookalike::cluster::UnionFind;
use lookalike::compare::{Set, Verifier};
use lookalike::hash::SplitMix64;
use lookalike::search::{Families, FamilyJoin, PairCollector, Tally, Visited, WorkBlock};
use lookalike::{Executor, Level, Match, Measure, Sequential};
use std::convert::Infallible;

/// Documents made from a template. Each lacks some of its features, and has some of its own, a few of which others
/// share.
fn documents(generator: &mut SplitMix64, count: u32, shape: Shape) -> Vec<Vec<u64>> {
    let template: Vec<u64> = (0..shape.template).map(|_| generator.next()).collect();
    let fills: Vec<u64> = (0..40).map(|_| generator.next()).collect();
    let mut below = |bound: u64| if bound == 0 { 0 } else { generator.next() % bound };
    let document = |_| {
        // A run of features, as when a stretch of the text is replaced.
        let missing = below(shape.missing + 1);
        let start = below(shape.template.saturating_sub(missing));
        let kept = template
            .iter()
            .enumerate()
            .filter(|(place, _)| !(start..start + missing).contains(&(*place as u64)));
        let mut set: Vec<u64> = kept.map(|(_, &feature)| feature).collect();
        set.extend((0..below(shape.own + 1)).map(|_| below(u64::MAX)));
        if below(3) == 0 {
            let first = below(30) as usize;
            set.extend(&fills[first..first + below(10) as usize]);
        }
        set
    };
    (0..count).map(document).collect()
}

#[derive(Clone, Copy, Debug)]
struct Shape {
    template: u64,
    missing: u64,
    own: u64,
}

const SHAPES: [Shape; 6] = [
    Shape { template: 80, missing: 0, own: 40 },
    Shape { template: 80, missing: 20, own: 0 },
    Shape { template: 80, missing: 10, own: 20 },
    Shape { template: 12, missing: 6, own: 5 },
    Shape { template: 0, missing: 0, own: 3 },
    Shape { template: 120, missing: 40, own: 120 },
];

const MEASURES: [Measure; 3] = [Measure::Jaccard, Measure::Cosine, Measure::Containment];

struct Corpus {
    sets: Vec<Vec<u64>>,
    measure: Measure,
    threshold: f64,
}

impl Corpus {
    fn set(&self, document: u32) -> Set<'_> {
        Set { features: &self.sets[document as usize], weights: &[] }
    }

    fn verifier(&self) -> Verifier {
        Verifier::new(Level::detect(), self.measure, self.threshold)
    }

    /// Every similar pair, compared one by one.
    fn truth(&self) -> Vec<(u32, u32)> {
        let mut verifier = self.verifier();
        let mut pairs = Vec::new();
        for a in 0..self.sets.len() as u32 {
            let mut held = verifier.hold(self.set(a));
            for b in a + 1..self.sets.len() as u32 {
                if held.reaches(self.set(b)).is_some() {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    /// The join of families of `size` documents each, in their order.
    fn join<E: Executor>(&self, size: usize, executor: &E) -> Result<FamilyJoin, E::Stopped> {
        let all: Vec<u32> = (0..self.sets.len() as u32).collect();
        let families = Families::of_buckets(self.sets.len(), all.chunks(size));
        let set = |document: u32| self.set(document).features;
        FamilyJoin::new(&families, set, self.measure, self.threshold, executor)
    }

    /// The pairs found by all rounds of the join of all documents, by `links` or by `matches`, and the counts of the
    /// work.
    fn found(&self, links: bool, may_be_similar: impl Fn(u32, u32) -> bool) -> (Vec<Match>, Tally) {
        let Ok(join) = self.join(self.sets.len(), &Sequential);
        self.found_by(&join, links, may_be_similar)
    }

    fn found_by(
        &self,
        join: &FamilyJoin,
        links: bool,
        may_be_similar: impl Fn(u32, u32) -> bool,
    ) -> (Vec<Match>, Tally) {
        let (mut all, mut tally) = (Vec::new(), Tally::default());
        let mut sets = UnionFind::new(self.sets.len());
        for round in 0..join.rounds() {
            let (roots, mut found) = (sets.roots(), Vec::new());
            let mut collector = PairCollector {
                set: |document| self.set(document),
                may_be_similar: &may_be_similar,
                verifier: &mut self.verifier(),
                visited: &mut Visited::default(),
                most: usize::MAX,
                found: &mut found,
                tally: Tally::default(),
            };
            for block in 0..join.blocks(round) {
                match links {
                    true => join.links(WorkBlock { round, block }, &roots, &mut collector),
                    false => join.matches(WorkBlock { round, block }, &mut collector),
                }
            }
            tally += collector.tally;
            found.iter().for_each(|pair| sets.unite(pair.a, pair.b));
            all.extend(found);
        }
        (all, tally)
    }
}

fn corpora() -> impl Iterator<Item = (String, Corpus)> {
    let mut generator = SplitMix64(16);
    SHAPES.into_iter().flat_map(move |shape| {
        let sets = documents(&mut generator, 270, shape);
        let of = move |measure, threshold| {
            (format!("{shape:?} {measure:?} {threshold}"), Corpus { sets: sets.clone(), measure, threshold })
        };
        MEASURES.into_iter().flat_map(move |measure| [0.5, 0.8, 0.9].map(|threshold| of(measure, threshold)))
    })
}

#[test]
fn a_family_gives_the_pairs_of_brute_force_and_links_that_connect_them() {
    let mut pairs = 0;
    for (name, corpus) in corpora() {
        let truth = corpus.truth();
        for every in [1, 3] {
            let may_be_similar = |a: u32, b: u32| (a + b).is_multiple_of(every);
            let truth: Vec<(u32, u32)> =
                truth.iter().copied().filter(|&(a, b)| may_be_similar(a, b)).collect();
            let documents = |pair: &Match| (pair.a, pair.b);
            let mut found: Vec<_> = corpus.found(false, may_be_similar).0.iter().map(documents).collect();
            found.sort_unstable();
            assert_eq!(found, truth, "{name}, {every}");

            let links: Vec<_> = corpus.found(true, may_be_similar).0.iter().map(documents).collect();
            let roots = |pairs: &[(u32, u32)]| {
                let mut sets = UnionFind::new(corpus.sets.len());
                pairs.iter().for_each(|&(a, b)| sets.unite(a, b));
                sets.roots()
            };
            assert_eq!(roots(&links), roots(&truth), "{name}, {every}");
            assert!(links.iter().all(|link| truth.binary_search(link).is_ok()));
        }
        pairs += truth.len();
    }
    assert!(pairs > 20_000, "{pairs}");
}

/// An executor with the number of parts that three threads would have.
struct Three;

impl Executor for Three {
    type Stopped = Infallible;

    fn check(&self) -> Result<(), Infallible> {
        Ok(())
    }

    fn width(&self) -> usize {
        3
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        Sequential.map(parts, work)
    }
}

/// With long lists, several blocks, and unrelated templates.
#[test]
fn large_families_give_the_pairs_of_brute_force_on_any_executor() {
    let mut generator = SplitMix64(17);
    const SIZE: usize = 800;
    let shapes = [Shape { template: 40, missing: 2, own: 12 }, Shape { template: 60, missing: 12, own: 6 }];
    let sets = shapes.map(|shape| documents(&mut generator, SIZE as u32, shape)).concat();
    let corpus = Corpus { sets, measure: Measure::Jaccard, threshold: 0.8 };
    let truth: Vec<(u32, u32)> =
        corpus.truth().into_iter().filter(|&(a, b)| a as usize / SIZE == b as usize / SIZE).collect();
    assert!(truth.len() > 20_000, "{}", truth.len());
    let roots = |pairs: &[(u32, u32)]| {
        let mut sets = UnionFind::new(corpus.sets.len());
        pairs.iter().for_each(|&(a, b)| sets.unite(a, b));
        sets.roots()
    };
    let (Ok(sequential), Ok(in_three)) = (corpus.join(SIZE, &Sequential), corpus.join(SIZE, &Three));
    for join in [sequential, in_three] {
        let of = |links| -> Vec<(u32, u32)> {
            corpus.found_by(&join, links, |_, _| true).0.iter().map(|pair| (pair.a, pair.b)).collect()
        };
        let (mut found, links) = (of(false), of(true));
        found.sort_unstable();
        assert_eq!(found, truth);
        assert_eq!(roots(&links), roots(&truth));
        assert!(links.iter().all(|link| truth.binary_search(link).is_ok()));
    }
}

/// Issue 16.1: 5,000 documents of one template, each with a seventh of its own, took 12.4 million comparisons.
#[test]
fn near_misses_of_one_template_are_not_compared() {
    let mut generator = SplitMix64(745);
    let template: Vec<u64> = (0..82).map(|_| generator.next()).collect();
    let set = |own: usize, generator: &mut SplitMix64| {
        let mut set = template.clone();
        set.extend((0..own).map(|_| generator.next()));
        set
    };
    // J = 82 / (82 + 2 · own): 0.46, 0.63, 0.745, 0.79. For 0.80 and more, enough pairs are compared to connect the
    // documents.
    for (own, most) in [(48, 0), (24, 0), (14, 0), (11, 0), (10, 10_000), (1, 10_000)] {
        let sets: Vec<Vec<u64>> = (0..5000).map(|_| set(own, &mut generator)).collect();
        let corpus = Corpus { sets, measure: Measure::Jaccard, threshold: 0.8 };
        let (links, tally) = corpus.found(true, |_, _| true);
        assert!(tally.candidates <= most, "{own}: {tally:?}");
        assert_eq!(links.len(), if most > 0 { 4999 } else { 0 });
    }
    // Documents of every length. Those with 20 own features or fewer are similar to the shortest ones.
    let sets: Vec<Vec<u64>> = (0..5000).map(|document| set(document % 60, &mut generator)).collect();
    let (links, tally) = Corpus { sets, measure: Measure::Jaccard, threshold: 0.8 }.found(true, |_, _| true);
    assert_eq!(links.len(), (0..5000).filter(|document| document % 60 <= 20).count() - 1);
    assert!(tally.candidates < 20_000, "{tally:?}");
}

/// Issue 16.1: in a million documents, runs of own words began or ended like those of twenty others. Each document took
/// 1.6 comparisons and twenty look-ups of clusters.
#[test]
fn a_cluster_connected_by_short_lists_takes_about_one_comparison_per_document() {
    const SIZE: usize = 20_000;
    let mut generator = SplitMix64(79);
    let template: Vec<u64> = (0..85).map(|_| generator.next()).collect();
    let [starts, ends] = [(); 2].map(|()| (0..SIZE / 20).map(|_| generator.next()).collect::<Vec<u64>>());
    // Two documents share 86 of 106 features if they share an own word, and 85 of 107 otherwise: J = 0.81 and 0.79.
    let sets = (0..SIZE).map(|_| {
        let mut set = template.clone();
        set.extend([&starts, &ends].map(|words| words[generator.next() as usize % words.len()]));
        set.extend((0..9).map(|_| generator.next()));
        set
    });
    let corpus = Corpus { sets: sets.collect(), measure: Measure::Jaccard, threshold: 0.8 };
    let (links, tally) = corpus.found(true, |_, _| true);
    let mut sets = UnionFind::new(SIZE);
    links.iter().for_each(|link| sets.unite(link.a, link.b));
    assert!(sets.roots().iter().all(|&root| root == 0));
    assert!(tally.candidates < SIZE as u64 * 5 / 4, "{tally:?}");
}
