//! The join: units of work, and what is found in them.

use super::bounds::Bounds;
use super::index::Index;
use super::order::{Places, may_have_partners};
use super::prober::Prober;
use super::sets::GroupedSets;
use crate::compare::measure::Set;
use crate::plan::Measure;
use crate::search::executor::{Executor, Sequential};
use crate::search::lsh::{Tally, Wanted};
use crate::similarity::{Match, Score};
use std::ops::Range;

/// Every pair of sets of one group at or above a threshold.
///
/// Units are independent of each other: the caller may spread them over threads, one [`Prober`] for each, and gets the
/// same pairs.
///
/// Empty sets are like nothing; who should take no part is passed as empty. Equal sets are pairs like others, a thousand of
/// them half a million: pass all but the first as empty, and add them afterwards, as [`with_copies`](crate::search::with_copies)
/// does for pairs; for clusters, unite them with the first.
///
/// **Cost.** A set visits the earlier sets of a fitting size that share a feature of its prefix, once for each such feature. A
/// feature in very many sets costs nothing unless it gets into prefixes, which takes sets that have too few rarer ones.
/// That happens at low thresholds where texts are made of one template and little else, and visits then grow with
/// the square of their number, even if only links are asked for. [`ExactJoin::visits`] tells before the first unit is begun.
///
/// **Containment** in a larger set says nothing of its size, so that a set asks for all its features instead of a
/// prefix: every feature that may be in several sets is sorted once (16 bytes each, twice at the peak), and a small set is
/// visited by all that hold one of its rare features, however large they are.
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
    bounds: Bounds,
    places: Places,
    index: Index,
    /// Where each unit ends, among the askers of the index.
    units: Vec<usize>,
    visits: u64,
}

/// Units that may be done between two looks at what hangs together: few, so that little is compared that does already, and
/// enough for the threads of a large machine.
const ROUND: usize = 64;

/// Visits and askers of a unit: some milliseconds.
const UNIT_VISITS: u64 = 1 << 18;
const UNIT_ASKERS: usize = 1 << 10;

impl<'a> ExactJoin<'a> {
    /// The join of `sets` at a similarity of `threshold`. The features of a set are all different, in any order.
    /// The cosine is that of sets, where all features weigh the same.
    ///
    /// # Panics
    /// If `threshold` is not above 0 and at most 1, or if there are 2³² sets, features in a set, or entries in the
    /// index, or more.
    pub fn new(sets: impl Into<GroupedSets<'a>>, measure: Measure, threshold: f64) -> Self {
        let sets = sets.into();
        let partners = Self::may_have_partners(&sets, measure, threshold, &Sequential);
        Self::among(partners, sets, measure, threshold, &Sequential)
    }

    /// The join of those of `sets` that `documents` names, which are not empty, made on the threads of `executor`: the pairs of
    /// all sets, if these are [`ExactJoin::may_have_partners`]. Each thread has counts of its own, of half a byte to one for a feature of the
    /// corpus, and four to eight for one of a set that may have partners.
    ///
    /// # Panics
    /// As [`ExactJoin::new`].
    pub fn among(
        documents: Vec<u32>,
        sets: impl Into<GroupedSets<'a>>,
        measure: Measure,
        threshold: f64,
        executor: &impl Executor,
    ) -> Self {
        let sets = sets.into();
        assert!(threshold > 0.0 && threshold <= 1.0, "a threshold is above 0 and at most 1");
        assert!(u32::try_from(sets.sets.len()).is_ok(), "documents have numbers of 32 bits");
        assert!(sets.sets.iter().all(|set| u32::try_from(set.len()).is_ok()), "positions have 32 bits");
        let bounds = Bounds { measure, threshold };
        let places = Places::new(&sets.sets, documents);
        let prefixes = places.prefixes(&sets, bounds, executor);
        let index = Index::new(&places.set_sizes(bounds), prefixes, executor);
        let (mut units, mut start, mut visits, mut before) = (Vec::new(), 0, 0, 0);
        for asker in 0..index.askers() {
            visits += index.asker(asker).1.iter().map(|probe| probe.visits()).sum::<u64>();
            if visits - before >= UNIT_VISITS
                || asker + 1 - start >= UNIT_ASKERS
                || asker + 1 == index.askers()
            {
                units.push(asker + 1);
                (start, before) = (asker + 1, visits);
            }
        }
        ExactJoin { sets, bounds, places, index, units, visits }
    }

    /// The sets, ascending, that may be similar to another at all. The others, most of most corpora, have too many features
    /// that no other set has. Here, sets may repeat features, so that whoever must make them different first
    /// need not do so for the others.
    pub fn may_have_partners(
        sets: &GroupedSets<'_>,
        measure: Measure,
        threshold: f64,
        executor: &impl Executor,
    ) -> Vec<u32> {
        may_have_partners(sets, Bounds { measure, threshold }, executor)
    }

    /// How many units of work there are.
    pub fn units(&self) -> usize {
        self.units.len()
    }

    /// The units in rounds, for [`ExactJoin::links`].
    pub fn rounds(&self) -> Vec<Range<usize>> {
        (0..self.units()).step_by(ROUND).map(|start| start..self.units().min(start + ROUND)).collect()
    }

    /// How many postings all units together will visit: two to twenty nanoseconds each, beside the comparisons.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The memory that the index takes, in bytes, without the sets themselves.
    pub fn bytes(&self) -> usize {
        self.index.bytes() + 8 * self.places.sizes.len()
    }

    /// What a thread needs to work on units.
    pub fn prober(&self) -> Prober {
        Prober::new(self.bounds, self.places.sizes.len())
    }

    /// Every pair that is similar, in order.
    pub fn pairs(&self) -> Vec<Match> {
        let (mut prober, mut found) = (self.prober(), Vec::new());
        for unit in 0..self.units() {
            self.matches(unit, &mut prober, usize::MAX, &mut found);
        }
        found.sort_unstable_by_key(|pair| (pair.a, pair.b));
        found
    }

    /// Appends every pair of a unit that is similar, until `found` holds `most`.
    pub fn matches(&self, unit: usize, prober: &mut Prober, most: usize, found: &mut Vec<Match>) -> Tally {
        self.run(unit, prober, most, &mut Wanted::Every, found)
    }

    /// Appends pairs of a unit that are similar, enough to connect whatever the unit's pairs connect: pairs whose
    /// documents hang together already, by `roots` or by the links of this unit, are visited but not compared.
    ///
    /// `roots` are those of all documents, after whatever units are done; short rounds of units save comparisons.
    pub fn links(&self, unit: usize, roots: &[u32], prober: &mut Prober, found: &mut Vec<Match>) -> Tally {
        self.run(unit, prober, usize::MAX, &mut Wanted::links(roots), found)
    }

    fn run(
        &self,
        unit: usize,
        prober: &mut Prober,
        most: usize,
        wanted: &mut Wanted<'_>,
        found: &mut Vec<Match>,
    ) -> Tally {
        let mut tally = Tally::default();
        let mut candidates = Vec::new();
        for asker in self.askers(unit) {
            if found.len() >= most {
                break;
            }
            let (place, probes) = self.index.asker(asker);
            let size = self.places.sizes[place as usize];
            let postings = &self.index.postings;
            prober.candidates(self.bounds, &self.places.sizes, size, probes, postings, &mut candidates);
            tally.candidates += candidates.len() as u64;
            let document = self.places.documents[place as usize];
            // The larger set is held, and features of the smaller ones are looked up.
            let mut held = prober.verifier.hold(self.set(document));
            for &candidate in &candidates {
                let other = self.places.documents[candidate as usize];
                // Features of different groups may be equal by chance.
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

    fn askers(&self, unit: usize) -> Range<usize> {
        unit.checked_sub(1).map_or(0, |before| self.units[before])..self.units[unit]
    }

    fn set(&self, document: u32) -> Set<'a> {
        Set { features: self.sets.sets[document as usize], weights: &[] }
    }
}
