//! The exact join in blocks of work, which threads can share.

use super::bounds::SizeBounds;
use super::index::InvertedIndex;
use super::order::{SizeOrder, may_have_partners};
use super::prober::Prober;
use super::sets::GroupedSets;
use crate::compare::measure::Set;
use crate::plan::Measure;
use crate::search::executor::{Executor, Sequential, try_each};
use crate::search::lsh::{Tally, WantedPairs};
use crate::similarity::{Match, Score};
use std::ops::Range;

/// Every pair of sets of the same group at or above a threshold.
///
/// Blocks are independent of each other. A caller may spread them over threads, with one [`Prober`] each, and gets the
/// same pairs.
///
/// Empty sets are similar to nothing. Pass a document as empty to leave it out. Equal sets are ordinary pairs, and a
/// thousand of them are half a million pairs. Pass all but the first as empty, and add them afterwards. For pairs,
/// [`with_copies`](crate::search::with_copies) does this. For clusters, unite them with the first.
///
/// **Cost.** A set visits the earlier sets of a fitting size that share a feature of its prefix, once for each such
/// feature. A feature of very many sets costs nothing unless it gets into prefixes, which happens to sets with too few
/// rarer ones. This is common at low thresholds if texts are made of one template and little else. Visits then grow
/// with the square of their number, even for links only. [`ExactJoin::visits`] gives the number of visits in advance.
///
/// **Containment** in a larger set does not limit that set's size. A set therefore probes with all of its features
/// instead of a prefix. Every feature that may be in several sets is sorted once (16 bytes each, twice at the peak). A
/// small set is visited by all sets with one of its rare features, however large they are.
///
/// ```
/// use lookalike::Measure;
/// use lookalike::search::ExactJoin;
///
/// let sets = vec![&[1, 2, 3, 4][..], &[9, 8], &[4, 3, 2, 1, 5], &[]];
/// let join = ExactJoin::new(sets, Measure::Jaccard, 0.8);
/// let pairs: Vec<_> = join.pairs().iter().map(|pair| (pair.a, pair.b, pair.score.to_string())).collect();
/// assert_eq!(pairs, [(0, 2, "0.800000".to_owned())]);
/// ```
#[derive(Debug)]
pub struct ExactJoin<'a> {
    sets: GroupedSets<'a>,
    bounds: SizeBounds,
    places: SizeOrder,
    index: InvertedIndex,
    /// The end of each block, as a position among the sets with probes.
    blocks: Vec<usize>,
    visits: u64,
}

/// Blocks processed between two updates of the clusters: few, so that few pairs within clusters are compared, and
/// enough for the threads of a large machine.
const ROUND: usize = 64;

/// Visits and sets of a block, which takes some milliseconds.
const BLOCK_VISITS: u64 = 1 << 18;
const BLOCK_ASKERS: usize = 1 << 10;

impl<'a> ExactJoin<'a> {
    /// The join of `sets` at a similarity of `threshold`. The features of a set must be distinct and may be in any
    /// order. The cosine assumes equal weights.
    ///
    /// # Panics
    /// If `threshold` is not above 0 and at most 1, or if there are 2³² sets, features in a set, or entries in the
    /// index, or more.
    pub fn new(sets: impl Into<GroupedSets<'a>>, measure: Measure, threshold: f64) -> Self {
        let sets = sets.into();
        let Ok(partners) = Self::may_have_partners(&sets, measure, threshold, &Sequential);
        let Ok(join) = Self::among(partners, sets, measure, threshold, &Sequential);
        join
    }

    /// The join of the non-empty sets that `documents` names, made on the threads of `executor`.
    ///
    /// It finds the pairs of all sets if `documents` are [`ExactJoin::may_have_partners`]. Each thread has its own
    /// counts. They take half a byte to one byte for each feature of the corpus, and four to eight bytes for each
    /// feature of the named sets.
    ///
    /// # Errors
    /// [`Executor::Stopped`] if the executor stops it.
    ///
    /// # Panics
    /// Like [`ExactJoin::new`].
    pub fn among<E: Executor>(
        documents: Vec<u32>,
        sets: impl Into<GroupedSets<'a>>,
        measure: Measure,
        threshold: f64,
        executor: &E,
    ) -> Result<Self, E::Stopped> {
        let sets = sets.into();
        assert!(threshold > 0.0 && threshold <= 1.0, "a threshold is above 0 and at most 1");
        assert!(u32::try_from(sets.sets.len()).is_ok(), "documents have numbers of 32 bits");
        assert!(sets.sets.iter().all(|set| u32::try_from(set.len()).is_ok()), "positions have 32 bits");
        let bounds = SizeBounds { measure, threshold };
        let places = SizeOrder::new(&sets.sets, documents);
        let prefixes = places.prefixes(&sets, bounds, executor)?;
        let index = InvertedIndex::new(&places.set_sizes(bounds), prefixes, executor)?;
        let (mut blocks, mut start, mut visits, mut before) = (Vec::new(), 0, 0, 0);
        try_each(executor, 0..index.askers(), |asker| {
            visits += index.asker(asker).1.iter().map(|probe| probe.visits()).sum::<u64>();
            if visits - before >= BLOCK_VISITS
                || asker + 1 - start >= BLOCK_ASKERS
                || asker + 1 == index.askers()
            {
                blocks.push(asker + 1);
                (start, before) = (asker + 1, visits);
            }
        })?;
        Ok(ExactJoin { sets, bounds, places, index, blocks, visits })
    }

    /// The sets that may be similar to another, ascending.
    ///
    /// The other sets, most of them in most corpora, have too many features that no other set has. Sets may repeat
    /// features here, so a caller need not remove repetitions from all sets first.
    ///
    /// # Errors
    /// [`Executor::Stopped`] if the executor stops it.
    pub fn may_have_partners<E: Executor>(
        sets: &GroupedSets<'_>,
        measure: Measure,
        threshold: f64,
        executor: &E,
    ) -> Result<Vec<u32>, E::Stopped> {
        may_have_partners(sets, SizeBounds { measure, threshold }, executor)
    }

    /// The number of blocks of work.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The blocks in rounds, for [`ExactJoin::links`].
    pub fn rounds(&self) -> Vec<Range<usize>> {
        (0..self.blocks()).step_by(ROUND).map(|start| start..self.blocks().min(start + ROUND)).collect()
    }

    /// The number of postings that all blocks will visit. A visit takes two to twenty nanoseconds, apart from
    /// comparisons.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The memory that the index takes, in bytes, without the sets themselves.
    pub fn bytes(&self) -> usize {
        self.index.bytes() + 8 * self.places.sizes.len()
    }

    /// The buffers that a thread needs to process blocks.
    pub fn prober(&self) -> Prober {
        Prober::new(self.bounds, self.places.sizes.len())
    }

    /// Every similar pair, in order.
    pub fn pairs(&self) -> Vec<Match> {
        let (mut prober, mut found) = (self.prober(), Vec::new());
        for block in 0..self.blocks() {
            self.matches(block, &mut prober, usize::MAX, &mut found);
        }
        found.sort_unstable_by_key(|pair| (pair.a, pair.b));
        found
    }

    /// Appends every similar pair of a block, until `found` holds `most`.
    pub fn matches(&self, block: usize, prober: &mut Prober, most: usize, found: &mut Vec<Match>) -> Tally {
        self.run(block, prober, most, &mut WantedPairs::Every, found)
    }

    /// Appends similar pairs of a block, enough to connect all documents that its pairs connect.
    ///
    /// Pairs are visited but not compared if their documents are connected already, by `roots` or by the links of this
    /// block. `roots` are the roots of all documents after any earlier blocks. Short rounds of blocks save comparisons.
    pub fn links(&self, block: usize, roots: &[u32], prober: &mut Prober, found: &mut Vec<Match>) -> Tally {
        self.run(block, prober, usize::MAX, &mut WantedPairs::links(roots), found)
    }

    fn run(
        &self,
        block: usize,
        prober: &mut Prober,
        most: usize,
        wanted: &mut WantedPairs<'_>,
        found: &mut Vec<Match>,
    ) -> Tally {
        let mut tally = Tally::default();
        let mut candidates = Vec::new();
        for asker in self.askers(block) {
            if found.len() >= most {
                break;
            }
            let (place, probes) = self.index.asker(asker);
            let size = self.places.sizes[place as usize];
            let postings = &self.index.postings;
            prober.candidates(self.bounds, &self.places.sizes, size, probes, postings, &mut candidates);
            tally.candidates += candidates.len() as u64;
            let document = self.places.documents[place as usize];
            // The larger set is held, and the features of the smaller ones are looked up.
            let mut held = prober.verifier.hold(self.set(document));
            for &candidate in &candidates {
                let other = self.places.documents[candidate as usize];
                // Features of different groups can be equal by chance.
                if !self.sets.groups.are_together(document, other) || !wanted.wants(document, other) {
                    continue;
                }
                tally.compared += 1;
                if let Some(similarity) = held.reaches(self.set(other)) {
                    wanted.found(document, other);
                    let (a, b) = (document.min(other), document.max(other));
                    found.push(Match { a, b, score: Score::Similarity(similarity) });
                }
            }
        }
        tally
    }

    fn askers(&self, block: usize) -> Range<usize> {
        block.checked_sub(1).map_or(0, |before| self.blocks[before])..self.blocks[block]
    }

    fn set(&self, document: u32) -> Set<'a> {
        Set { features: self.sets.sets[document as usize], weights: &[] }
    }
}
