//! The whole pipeline in one call, for texts that fit in memory: text in, pairs or clusters out.
//!
//! It reads no files. Programs that read files use the same parts in the same order: [`SketchBuilder`], [`Sketches`],
//! [`PairSearch`] and [`UnionFind`].

use crate::cluster::UnionFind;
use crate::compare::measure::Set;
use crate::plan::Plan;
use crate::search::candidates::SketchedDocuments;
use crate::search::copies::with_copies;
use crate::search::exact::{ExactJoin, GroupedSets};
use crate::search::executor::{Executor, Sequential, try_each, try_map};
use crate::search::families::WorkBlock;
use crate::search::lsh::Join;
use crate::search::pair_search::{PairCandidates, PairSearch, PairSearchWorker};
use crate::search::sketches::{ComparedFeatures, SketchBuilder, Sketches};
use crate::simd::Level;
use crate::simhash::Weights;
use crate::similarity::Match;
use crate::sketch::DocumentGroups;
use std::ops::Range;

/// The sketched documents of a corpus.
///
/// The work runs on the calling thread. [`Corpus::extend`], [`Corpus::pairs_on`] and [`Corpus::clusters_on`] take an
/// [`Executor`] with more threads. The result is the same.
pub struct Corpus {
    plan: Plan,
    weights: Weights,
    builder: SketchBuilder,
    sketches: Sketches,
    compared: Vec<ComparedFeatures>,
}

/// Parts per thread. With this many, no thread waits long for the last part.
const PARTS: usize = 8;

impl Corpus {
    /// An empty corpus.
    ///
    /// # Panics
    /// If the plan's weighting needs a table: give it to [`Corpus::with_weights`].
    pub fn new(plan: &Plan) -> Self {
        let weights = Weights::without_table(plan.weighting());
        Self::with_weights(plan, &weights.expect("a weighting that needs no table"))
    }

    /// An empty corpus for a plan with the weighting of `weights`.
    ///
    /// # Panics
    /// If the plan has another weighting.
    pub fn with_weights(plan: &Plan, weights: &Weights) -> Self {
        Corpus {
            plan: plan.clone(),
            weights: weights.clone(),
            builder: SketchBuilder::new(plan, weights, Level::detect()),
            sketches: Sketches::new(plan),
            compared: Vec::new(),
        }
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.compared.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.compared.is_empty()
    }

    /// Appends a document, and returns its number, by which pairs and clusters name it. The first has number 0.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised, or if there are 2³² − 1 documents.
    pub fn push(&mut self, text: &str) -> u32 {
        let number = number(self.len() + 1) - 1;
        self.compared.push(sketch_into(&mut self.builder, text, &mut self.sketches));
        number
    }

    /// Appends documents, sketched on the threads of `executor`, and returns their numbers.
    ///
    /// # Errors
    /// [`Executor::Stopped`] if the executor stops it. No document is then appended.
    ///
    /// # Panics
    /// If a text takes 2 GiB or more, or 4 GiB once normalised, or if there would be 2³² documents.
    pub fn extend<E: Executor>(
        &mut self,
        texts: &[impl AsRef<str> + Sync],
        executor: &E,
    ) -> Result<Range<u32>, E::Stopped> {
        let numbers = number(self.len())..number(self.len() + texts.len());
        let parts = parts(texts.len(), executor);
        let sketched = try_map(executor, parts.len(), |part| {
            let mut builder = SketchBuilder::new(&self.plan, &self.weights, Level::detect());
            let mut sketches = Sketches::new(&self.plan);
            let texts = texts[parts[part].clone()].iter();
            let mut compared: Vec<ComparedFeatures> = Vec::with_capacity(texts.len());
            try_each(executor, texts, |text| {
                compared.push(sketch_into(&mut builder, text.as_ref(), &mut sketches));
            })?;
            Ok((sketches, compared))
        })?;
        for (sketches, compared) in sketched {
            self.sketches.append(&sketches);
            self.compared.extend(compared);
        }
        Ok(numbers)
    }

    /// Every pair of documents that the search finds and the threshold accepts, in order. Without verification, the
    /// sketches decide instead.
    pub fn pairs(&self) -> Vec<Match> {
        let Ok(pairs) = self.pairs_on(&Sequential);
        pairs
    }

    /// Like [`Corpus::pairs`], on the threads of `executor`.
    ///
    /// # Errors
    /// [`Executor::Stopped`] if the executor stops it.
    pub fn pairs_on<E: Executor>(&self, executor: &E) -> Result<Vec<Match>, E::Stopped> {
        let originals = self.sketches.originals();
        let search = self.search(&originals, executor)?;
        let mut found = Vec::new();
        for round in 0..search.rounds() {
            found.extend(self.round(&search, round, executor, |block, worker, found| {
                search.matches(
                    WorkBlock { round, block },
                    |document| self.set(document),
                    worker,
                    usize::MAX,
                    found,
                );
            })?);
        }
        Ok(with_copies(found, &originals, self.plan.score_of_copies()))
    }

    /// The clusters of two or more documents that these pairs connect. Members ascend, and clusters are in the order of
    /// their first members.
    pub fn clusters(&self) -> Vec<Vec<u32>> {
        let Ok(clusters) = self.clusters_on(&Sequential);
        clusters
    }

    /// Like [`Corpus::clusters`], on the threads of `executor`.
    ///
    /// # Errors
    /// [`Executor::Stopped`] if the executor stops it.
    pub fn clusters_on<E: Executor>(&self, executor: &E) -> Result<Vec<Vec<u32>>, E::Stopped> {
        let originals = self.sketches.originals();
        let search = self.search(&originals, executor)?;
        let mut clusters = UnionFind::new(originals.len());
        for round in 0..search.rounds() {
            let roots = clusters.roots();
            let links = self.round(&search, round, executor, |block, worker, found| {
                search.links(
                    WorkBlock { round, block },
                    &roots,
                    |document| self.set(document),
                    worker,
                    found,
                );
            })?;
            links.iter().for_each(|link| clusters.unite(link.a, link.b));
        }
        for (document, &original) in originals.iter().enumerate() {
            clusters.unite(document as u32, original);
        }
        Ok(clusters.clusters())
    }

    /// The matches that `work` appends for all blocks of a round, in their order.
    fn round<E: Executor>(
        &self,
        search: &PairSearch<'_>,
        round: usize,
        executor: &E,
        work: impl Fn(usize, &mut PairSearchWorker, &mut Vec<Match>) + Sync,
    ) -> Result<Vec<Match>, E::Stopped> {
        let parts = parts(search.blocks(round), executor);
        let found = try_map(executor, parts.len(), |part| {
            let mut worker = PairSearchWorker::new(&self.plan, Level::detect());
            let mut found = Vec::new();
            for block in parts[part].clone() {
                executor.check()?;
                work(block, &mut worker, &mut found);
            }
            Ok(found)
        })?;
        Ok(found.concat())
    }

    /// The search among all documents that are no copies.
    fn search<'a, E: Executor>(
        &'a self,
        originals: &'a [u32],
        executor: &E,
    ) -> Result<PairSearch<'a>, E::Stopped> {
        let plan = &self.plan;
        let groups = DocumentGroups::default();
        let sketches = self.sketches.searched(originals, groups);
        let buckets =
            |join: &Join<'_>| try_map(executor, plan.banding().bands, |band| Ok(join.buckets(band)));
        let by_sketches = SketchedDocuments { plan, sketches, originals, groups, known: 0 }
            .candidates(buckets, executor)?;
        let candidates = match by_sketches {
            Some(candidates) => candidates,
            None => self.by_features(originals, executor)?,
        };
        candidates.join_families(plan, |document| self.set(document).features, executor)
    }

    /// The documents that share rare features.
    fn by_features<'a, E: Executor>(
        &'a self,
        originals: &[u32],
        executor: &E,
    ) -> Result<PairCandidates<'a>, E::Stopped> {
        let features = |(document, &original): (usize, &u32)| {
            if document == original as usize { self.set(original).features } else { &[][..] }
        };
        let sets = GroupedSets::from(originals.iter().enumerate().map(features).collect::<Vec<_>>());
        let (measure, threshold) = (self.plan.measure(), self.plan.threshold());
        let partners = ExactJoin::may_have_partners(&sets, measure, threshold, executor)?;
        let join = ExactJoin::among(partners, sets, measure, threshold, executor)?;
        Ok(PairCandidates::of_features(join))
    }

    fn set(&self, document: u32) -> Set<'_> {
        self.compared[document as usize].set()
    }
}

fn number(documents: usize) -> u32 {
    u32::try_from(documents).expect("documents have numbers of 32 bits")
}

/// Appends the sketch of a document and returns the features to compare.
fn sketch_into(builder: &mut SketchBuilder, text: &str, sketches: &mut Sketches) -> ComparedFeatures {
    let compared = builder.sketch_into(text, sketches).to_vec();
    ComparedFeatures::prepared(builder, compared)
}

/// `0..count` in parts of about equal size.
fn parts(count: usize, executor: &impl Executor) -> Vec<Range<usize>> {
    let parts = match executor.width() {
        0 | 1 => 1,
        width => width * PARTS,
    };
    let size = count.div_ceil(parts).max(1);
    (0..count).step_by(size).map(|start| start..count.min(start + size)).collect()
}
