//! The centres so far, by their differences from the template of all documents.
//!
//! A document d and a centre c share a number of differences. For the similarity, twice this number is at least v(d) +
//! v(c), as in [`families`](crate::search::families). For the containment, with D(X) = E(X) ∪ M(X), the features that
//! only X has and those that only the template has:
//!
//! > |d \ c| = |E(d)| − |E(d) ∩ E(c)| + |M(c)| − |M(d) ∩ M(c)| ≤ (1 − least)·|d|
//!
//! so that they share at least |E(d)| − (1 − least)·|d| + |M(c)| differences. Both are sums of a number for the document
//! and one for the centre: their *distances*. If the sum is not above zero, no shared difference is needed.
//!
//! With the containment as the measure, v is made for the smallest document of all. Larger documents share more: twice
//! the threshold for each feature by which the smaller one of the two is larger. That is the *surplus*.

use super::list::{CentreDistances, CentreItem, CentreList, Distances, ListedCentres, Walk};
use super::{CentreConditions, CentreRule};
use crate::hash::HashedMap;
use crate::plan::Measure;
use crate::search::exact::counts::{SetCountBounds, SingleSetFilter};
use crate::search::exact::order::{self, merged, stretch};
use crate::search::executor::{Executor, try_each, try_map};
use crate::search::families::bounds::{FamilyBounds, prefix, suffices};
use crate::search::families::template::{Difference, FeatureTemplate};
use std::collections::hash_map::Entry;
use std::ops::{ControlFlow, Range};

/// The centres so far.
pub(super) struct CentreIndex {
    template: FeatureTemplate,
    counts: SetCountBounds,
    /// The differences that several documents may have. A list of one that only one document has would find nothing.
    seen: SingleSetFilter,
    limits: DistanceLimits,
    /// The document of each centre, and its distances.
    centres: Vec<u32>,
    held: Vec<CentreDistances>,
    /// The centres that a document may be taken by without a shared difference.
    near: CentreList,
    /// The centres with a difference, for each difference.
    lists: HashedMap<ListedCentres>,
}

/// What is needed of a document to look it up, and to make it a centre.
#[derive(Debug)]
pub(super) struct CentreDescription {
    /// Its distances as a document, and as a centre.
    pub(super) document: Distances,
    centre: Distances,
    /// The differences by which it is found, each with the number of differences that come no earlier.
    probes: Vec<(u64, u32)>,
}

/// The conditions, and the least distances of all documents.
#[derive(Clone, Copy, Debug)]
struct DistanceLimits {
    conditions: CentreConditions,
    bounds: Option<FamilyBounds>,
    /// The features of the smallest document.
    smallest: u32,
    document: Distances,
    centre: Distances,
}

/// The numbers of features by which distances are computed.
#[derive(Clone, Copy, Debug)]
struct DistanceSizes {
    /// Features of the document.
    size: u32,
    /// Features that only one of the document and the template has.
    difference: u32,
    /// Features that only the document has.
    extra: u32,
}

/// Slots of counts for each document, and features for each document for which it is noted whether several have them.
const COUNTED: usize = 8;
const SEEN: usize = 32;

/// The least documents in a part of the work.
const PART: usize = 1 << 14;

impl CentreIndex {
    /// The index without a centre yet, for centres among `documents`.
    pub(super) fn new<E: Executor>(
        documents: &[u32],
        rule: &impl CentreRule,
        executor: &E,
    ) -> Result<Self, E::Stopped> {
        let template = FeatureTemplate::of(documents, |document| rule.set(document).features);
        // Each part has its own counts, which few documents would not fill.
        let width = executor.width().min(documents.len() / PART).max(1);
        let parts = try_map(executor, width, |part| {
            let mut counts = SetCountBounds::new(documents.len() * COUNTED, 0);
            let mut seen = SingleSetFilter::new(documents.len() * SEEN, 0);
            let (mut difference, mut all) = (Difference::default(), Vec::new());
            try_each(executor, stretch(documents, part, documents.len().div_ceil(width)), |&document| {
                let features = rule.set(document).features;
                template.difference(features, &mut difference);
                counts.add(difference.features[..].into());
                seen.add(difference.features[..].into());
                all.push(DistanceSizes::new(features, &difference, &template));
            })?;
            Ok(((counts, seen), all))
        })?;
        let (counted, sizes): (Vec<(SetCountBounds, SingleSetFilter)>, Vec<Vec<DistanceSizes>>) =
            parts.into_iter().unzip();
        let (counts, seen) = merged(counted, |(counts, seen), (more, also)| {
            counts.merge(more);
            seen.merge(also);
        });
        let limits = DistanceLimits::new(rule.conditions(), &sizes.concat());
        let (near, lists) = (CentreList::default(), HashedMap::default());
        Ok(CentreIndex { template, counts, seen, limits, centres: Vec::new(), held: Vec::new(), near, lists })
    }

    /// The number of centres.
    pub(super) fn len(&self) -> u32 {
        self.centres.len() as u32
    }

    /// The document that is the centre with this number.
    pub(super) fn centre(&self, number: u32) -> u32 {
        self.centres[number as usize]
    }

    /// Describes a document by its features.
    pub(super) fn describe(&self, features: &[u64]) -> CentreDescription {
        let mut difference = Difference::default();
        self.template.difference(features, &mut difference);
        let sizes = DistanceSizes::new(features, &difference, &self.template);
        let (document, centre) = (self.limits.of_document(sizes), self.limits.of_centre(sizes));
        let length = self.limits.probed(sizes.difference, document, centre);
        let (mut probes, mut shared) = (Vec::new(), Vec::new());
        // Differences that no other document has come first.
        difference.features.retain(|&feature| !self.seen.is_lone(feature));
        let lone = sizes.difference - difference.features.len() as u32;
        if let Some(length @ 1..) = length.checked_sub(lone as usize) {
            let features = difference.features[..].into();
            order::prefix(features, length, &self.counts, &mut shared, |feature, position| {
                probes.push((feature, sizes.difference - lone - position));
            });
        }
        CentreDescription { document, centre, probes }
    }

    /// Adds a centre.
    pub(super) fn push(&mut self, document: u32, description: &CentreDescription) {
        let number = self.len();
        self.centres.push(document);
        self.held.push(description.centre.into());
        if self.limits.is_near(description.centre) {
            self.near.push(CentreItem { centre: number, most: 0 }, &self.held);
        }
        for &(feature, most) in &description.probes {
            let item = CentreItem { centre: number, most };
            match self.lists.entry(feature) {
                Entry::Occupied(mut listed) => listed.get_mut().push(item, &self.held),
                Entry::Vacant(vacant) => {
                    vacant.insert(ListedCentres::One(item));
                }
            }
        }
    }

    /// Visits the centres from number `since` on that may take a document with these distances without a shared
    /// difference, in order, until `visit` breaks.
    pub(super) fn walk_near(
        &self,
        distances: Distances,
        since: u32,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) {
        let walk = Walk { centres: &self.held, distances, most: u32::MAX, since, until: u32::MAX };
        let _ = self.near.walk(walk, &mut visit);
    }

    /// Visits the centres with a number in `numbers` that may take the document for a shared difference. Some are
    /// visited more than once.
    pub(super) fn walk_shared(
        &self,
        distances: Distances,
        description: &CentreDescription,
        numbers: Range<u32>,
        mut visit: impl FnMut(u32),
    ) {
        let (centres, since, until) = (&self.held[..], numbers.start, numbers.end);
        for &(feature, most) in &description.probes {
            if let Some(list) = self.lists.get(&feature) {
                let _ = list.walk(Walk { centres, distances, most, since, until }, &mut |number| {
                    visit(number);
                    ControlFlow::Continue(())
                });
            }
        }
    }
}

impl DistanceSizes {
    fn new(features: &[u64], difference: &Difference, template: &FeatureTemplate) -> Self {
        let (size, difference) = (features.len(), difference.features.len());
        // The template has as many features as the document, less those that only the document has, and more those that
        // only the template has.
        let extra = (difference + size - template.len()) / 2;
        DistanceSizes { size: size as u32, difference: difference as u32, extra: extra as u32 }
    }
}

impl DistanceLimits {
    fn new(conditions: CentreConditions, all: &[DistanceSizes]) -> Self {
        let smallest = all.iter().map(|sizes| sizes.size).min().unwrap_or_default();
        let bounds =
            conditions.similarity.map(|(measure, threshold)| FamilyBounds::new(measure, threshold, smallest));
        let infinity = f64::INFINITY;
        let none = Distances { similarity: infinity, containment: infinity, surplus: infinity };
        let mut limits = DistanceLimits { conditions, bounds, smallest, document: none, centre: none };
        let least = |all: Distances, more: Distances| Distances {
            similarity: all.similarity.min(more.similarity),
            containment: all.containment.min(more.containment),
            surplus: all.surplus.min(more.surplus),
        };
        for &sizes in all {
            limits.document = least(limits.document, limits.of_document(sizes));
            limits.centre = least(limits.centre, limits.of_centre(sizes));
        }
        limits
    }

    fn of_document(&self, sizes: DistanceSizes) -> Distances {
        let containment = self
            .conditions
            .containment
            .map(|least| 2.0 * (f64::from(sizes.extra) - (1.0 - least) * f64::from(sizes.size)));
        self.distances(sizes, containment.unwrap_or(f64::NEG_INFINITY))
    }

    fn of_centre(&self, sizes: DistanceSizes) -> Distances {
        self.distances(sizes, 2.0 * f64::from(sizes.difference - sizes.extra))
    }

    fn distances(&self, sizes: DistanceSizes, containment: f64) -> Distances {
        let similarity =
            self.bounds.map_or(f64::NEG_INFINITY, |bounds| bounds.distance(sizes.size, sizes.difference));
        let surplus = match self.conditions.similarity {
            Some((Measure::Containment, threshold)) => {
                2.0 * threshold * f64::from(sizes.size - self.smallest)
            }
            _ => 0.0,
        };
        Distances { similarity, containment, surplus }
    }

    /// The least sum of two distances, of which `own` is one and `other` is the least one. If there is a condition for
    /// the similarity, it alone decides which centres are indexed where: a document that no centre takes is looked up
    /// once more by its similarity.
    fn least(&self, own: Distances, other: Distances) -> f64 {
        match self.bounds {
            Some(_) => own.similarity + other.similarity,
            None => own.containment + other.containment,
        }
    }

    /// Whether a document may be taken by a centre with these distances without a shared difference.
    fn is_near(&self, centre: Distances) -> bool {
        suffices(0, self.least(centre, self.document))
    }

    /// The number of differences, in the common order, that hold a shared one with every centre and every document that
    /// needs one.
    fn probed(&self, difference: u32, document: Distances, centre: Distances) -> usize {
        let as_document = prefix(difference, self.least(document, self.centre));
        let as_centre = prefix(difference, self.least(centre, self.document));
        as_document.max(as_centre) as usize
    }
}
