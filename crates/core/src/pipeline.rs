//! The whole path in one call, for texts that fit in memory: text in, pairs or clusters out.
//!
//! One thread and no files: drivers that want more use the same parts ([`Drafter`], [`Sketches`], [`Join`], [`Near`],
//! [`UnionFind`]) in the same order.

use crate::cluster::UnionFind;
use crate::compare::measure::{Set, Verifier};
use crate::executor::Sequential;
use crate::plan::Plan;
use crate::search::exact::ExactJoin;
use crate::search::families::{Asking, Families, FamilyJoin, Visited};
use crate::search::hamming::{Code, HammingJoin};
use crate::search::lsh::{Buckets, Join, Likeness, Match, SketchTable, Tally};
use crate::simd::Level;
use crate::simhash::{Codes, FingerprintTable, Judge, Near, Weights};
use crate::sketch::DocumentGroups;
use crate::sketches::{Compared, Drafter, Sketches};

/// The documents of a corpus, sketched.
pub struct Corpus {
    plan: Plan,
    drafter: Drafter,
    sketches: Sketches,
    compared: Vec<Compared>,
}

impl Corpus {
    /// An empty corpus.
    ///
    /// # Panics
    /// If the plan's weighting needs a table: give it to [`Corpus::with_weights`].
    pub fn new(plan: &Plan) -> Self {
        let weights = Weights::without_table(plan.weighting());
        Self::with_weights(plan, &weights.expect("a weighting that needs no table"))
    }

    /// An empty corpus for a plan of the weighting that `weights` are by.
    ///
    /// # Panics
    /// If they are by another.
    pub fn with_weights(plan: &Plan, weights: &Weights) -> Self {
        Corpus {
            plan: plan.clone(),
            drafter: Drafter::new(plan, weights, Level::detect()),
            sketches: Sketches::new(plan),
            compared: Vec::new(),
        }
    }

    /// Appends a document; the first is number 0.
    pub fn push(&mut self, text: &str) {
        let compared = self.drafter.draft(text, &mut self.sketches).to_vec();
        self.compared.push(Compared::prepared(&mut self.drafter, compared));
    }

    /// Every pair of documents that the search finds and whose similarity reaches the threshold (or whose fingerprints
    /// are near enough, if the plan does not verify), in order.
    pub fn pairs(&self) -> Vec<Match> {
        let originals = self.sketches.originals();
        let set = |document: u32| self.set(document);
        let mut verifier = self.verifier();
        let mut found;
        match &self.sketches {
            Sketches::MinHash(table) => {
                let (join, buckets) = self.join(table, &originals);
                found = self.family_pairs(join.families(), |a, b| join.may_be_similar(a, b));
                for (band, buckets) in buckets.iter().enumerate() {
                    for bucket in buckets.iter() {
                        join.matches(band, bucket, set, &mut verifier, usize::MAX, &mut found);
                    }
                }
            }
            Sketches::SimHash(table) => {
                let near = self.near(table, &originals);
                found = self.family_pairs(near.families(), |a, b| near.may_be_similar(a, b));
                let mut judge = self.judge(&mut verifier, set);
                for unit in near.rounds(usize::MAX).into_iter().flatten() {
                    near.matches(unit, &mut judge, usize::MAX, &mut found);
                }
            }
            Sketches::Exact(_) => found = self.exact_join(&originals).pairs(),
        }
        with_copies(found, &originals, self.plan.likeness_of_copies())
    }

    /// The clusters of two or more documents that hang together by such pairs: members ascend, and clusters
    /// are in the order of their first members.
    pub fn clusters(&self) -> Vec<Vec<u32>> {
        let originals = self.sketches.originals();
        let set = |document: u32| self.set(document);
        let mut verifier = self.verifier();
        let mut sets = UnionFind::new(originals.len());
        match &self.sketches {
            Sketches::MinHash(table) => {
                let (join, buckets) = self.join(table, &originals);
                self.unite_families(join.families(), |a, b| join.may_be_similar(a, b), &mut sets);
                for (band, buckets) in buckets.iter().enumerate() {
                    let roots = sets.roots();
                    let mut found = Vec::new();
                    for bucket in buckets.iter() {
                        join.links(band, bucket, &roots, set, &mut verifier, &mut found);
                    }
                    found.iter().for_each(|link| sets.unite(link.a, link.b));
                }
            }
            Sketches::SimHash(table) => {
                let near = self.near(table, &originals);
                self.unite_families(near.families(), |a, b| near.may_be_similar(a, b), &mut sets);
                let mut judge = self.judge(&mut verifier, set);
                for round in near.rounds(usize::MAX) {
                    let (roots, mut found) = (sets.roots(), Vec::new());
                    for unit in round {
                        near.links(unit, &roots, &mut judge, &mut found);
                    }
                    found.iter().for_each(|link| sets.unite(link.a, link.b));
                }
            }
            Sketches::Exact(_) => {
                let join = self.exact_join(&originals);
                let mut prober = join.prober();
                for round in join.rounds() {
                    let (roots, mut found) = (sets.roots(), Vec::new());
                    for unit in round {
                        join.links(unit, &roots, &mut prober, &mut found);
                    }
                    found.iter().for_each(|link| sets.unite(link.a, link.b));
                }
            }
        }
        for (document, &original) in originals.iter().enumerate() {
            sets.unite(document as u32, original);
        }
        sets.clusters()
    }

    /// The join of all bands, and the buckets of each.
    fn join<'a>(&'a self, table: &'a SketchTable, originals: &'a [u32]) -> (Join<'a>, Vec<Buckets>) {
        let mut join = Join::new(table.view(), self.plan.signature_filter(), originals);
        let buckets: Vec<Buckets> = (0..self.plan.banding().bands).map(|band| join.buckets(band)).collect();
        if !self.plan.compares_weights() {
            join.set_apart(buckets.iter().flat_map(Buckets::iter));
        }
        (join, buckets)
    }

    fn family_join(&self, families: &Families) -> FamilyJoin {
        let set = |document: u32| self.set(document).features;
        FamilyJoin::new(families, set, self.plan.measure(), self.plan.threshold(), &Sequential)
    }

    /// Every similar pair within families.
    fn family_pairs(&self, families: &Families, may_be_similar: impl Fn(u32, u32) -> bool) -> Vec<Match> {
        let join = self.family_join(families);
        let mut found = Vec::new();
        let mut asking = Asking {
            set: |document| self.set(document),
            may_be_similar,
            verifier: &mut self.verifier(),
            visited: &mut Visited::default(),
            most: usize::MAX,
            found: &mut found,
            tally: Tally::default(),
        };
        for round in 0..join.rounds() {
            (0..join.units(round)).for_each(|unit| join.matches((round, unit), &mut asking));
        }
        found
    }

    /// Unites what similar pairs within families connect.
    fn unite_families(
        &self,
        families: &Families,
        may_be_similar: impl Fn(u32, u32) -> bool,
        sets: &mut UnionFind,
    ) {
        let join = self.family_join(families);
        for round in 0..join.rounds() {
            let (roots, mut found) = (sets.roots(), Vec::new());
            let mut asking = Asking {
                set: |document| self.set(document),
                may_be_similar: &may_be_similar,
                verifier: &mut self.verifier(),
                visited: &mut Visited::default(),
                most: usize::MAX,
                found: &mut found,
                tally: Tally::default(),
            };
            (0..join.units(round)).for_each(|unit| join.links((round, unit), &roots, &mut asking));
            found.iter().for_each(|link| sets.unite(link.a, link.b));
        }
    }

    fn set(&self, document: u32) -> Set<'_> {
        self.compared[document as usize].set()
    }

    /// The join of all documents that are no copies.
    fn exact_join(&self, originals: &[u32]) -> ExactJoin<'_> {
        let features = |(document, &original): (usize, &u32)| {
            if document == original as usize { self.set(original).features } else { &[][..] }
        };
        let sets: Vec<&[u64]> = originals.iter().enumerate().map(features).collect();
        ExactJoin::new(sets, self.plan.measure(), self.plan.threshold())
    }

    fn verifier(&self) -> Verifier {
        Verifier::new(Level::detect(), self.plan.measure(), self.plan.threshold())
    }

    fn judge<'v, F>(&self, verifier: &'v mut Verifier, set: F) -> Judge<'v, F> {
        if self.plan.verifies() { Judge::Verify(verifier, set) } else { Judge::Distance }
    }

    fn near(&self, table: &FingerprintTable, originals: &[u32]) -> Near {
        let distance = self.plan.simhash().unwrap_or_default().hamming;
        let (documents, codes) = table.searched(originals, DocumentGroups::default());
        let mut near = match codes {
            Codes::B64(codes) => near(&documents, &codes, distance),
            Codes::B128(codes) => near(&documents, &codes, distance),
        };
        if self.plan.verifies() && !self.plan.compares_weights() {
            near.set_apart(originals.len());
        }
        near
    }
}

fn near<C: Code>(documents: &[u32], codes: &[C], distance: u32) -> Near {
    let join = HammingJoin::new(codes, distance).expect("a plan's distance is one that is searched for");
    Near::new(documents, join.copies(), &join.pairs())
}

/// Adds to `found`, pairs of originals, the pairs that their copies make; in order. Copies of one another are
/// alike `of_copies`.
pub fn with_copies(mut found: Vec<Match>, originals: &[u32], of_copies: Likeness) -> Vec<Match> {
    let pairs: Vec<(u64, u32)> = originals
        .iter()
        .enumerate()
        .map(|(document, &original)| (crate::hash::fmix64(u64::from(original)), document as u32))
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
        let Match { a, b, likeness } = found[index];
        for &x in copies(a) {
            for &y in copies(b) {
                if (x, y) != (a, b) {
                    found.push(Match { a: x.min(y), b: x.max(y), likeness });
                }
            }
        }
    }
    for group in groups.iter() {
        for (index, &a) in group.iter().enumerate() {
            found.extend(group[index + 1..].iter().map(|&b| Match { a, b, likeness: of_copies }));
        }
    }
    found.sort_unstable_by_key(|found| (found.a, found.b));
    found
}
