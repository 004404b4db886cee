//! The documents of a family by their distance from its template, and the differences in their prefixes.

use super::bounds::{FamilyBounds, prefix};
use super::template::{Difference, FeatureTemplate};
use crate::search::exact::counts::{SetCountBounds, SingleSetFilter};
use crate::search::exact::index::IndexedSizes;
use crate::search::exact::order::{self, PrefixEntry, merged, stretch};
use crate::search::executor::{Executor, try_each, try_map};

/// The documents of a family, ordered by distance. The number of a document in this order is its *place*.
#[derive(Debug, Default)]
pub(super) struct DistanceOrder {
    pub(super) documents: Vec<u32>,
    /// The number of features that differ from the template.
    differences: Vec<u32>,
    /// The distances, ascending.
    pub(super) distances: Vec<f64>,
}

/// Documents in a part of the work, which takes some milliseconds.
const PART: usize = 2048;

/// A part of the documents.
#[derive(Clone, Copy)]
struct DocumentStretch {
    /// Its number.
    part: usize,
    /// The documents in each part.
    length: usize,
}

/// Slots of counts for each document, for features in prefixes. More slots would tell features of a few documents from
/// features of one, which a second pass does with fewer bits.
const COUNTED: usize = 8;

/// The counted differences, before they are indexed.
pub(super) struct Counted<'f, S> {
    documents: &'f [u32],
    set: S,
    template: FeatureTemplate,
    counts: SetCountBounds,
    /// The place of each of `documents`.
    places: Vec<u32>,
}

impl<'f, 's, S: Fn(u32) -> &'s [u64] + Sync> Counted<'f, S> {
    /// Counts the differences of `documents`, in two passes over their features.
    pub(super) fn new<E: Executor>(
        documents: &'f [u32],
        set: S,
        bounds: impl FnOnce(u32) -> FamilyBounds,
        executor: &E,
    ) -> Result<(Self, DistanceOrder), E::Stopped> {
        let template = FeatureTemplate::of(documents, &set);
        let width = executor.width().max(1);
        let parts = try_map(executor, width, |part| {
            let mut counts = SetCountBounds::new(documents.len() * COUNTED, 0);
            let (mut difference, mut sizes) = (Difference::default(), Vec::new());
            try_each(executor, stretch(documents, part, documents.len().div_ceil(width)), |&document| {
                let set = set(document);
                template.difference(set, &mut difference);
                counts.add(difference.features[..].into());
                sizes.push((set.len() as u32, difference.features.len() as u32));
            })?;
            Ok((counts, sizes))
        })?;
        let (counts, sizes): (Vec<SetCountBounds>, Vec<_>) = parts.into_iter().unzip();
        let (places, of) = DistanceOrder::new(documents, &sizes.concat(), bounds);
        Ok((
            Counted { documents, set, template, counts: merged(counts, SetCountBounds::merge), places: of },
            places,
        ))
    }

    /// The differences in the prefixes of all documents, without those that only one document has.
    pub(super) fn prefixes<E: Executor>(
        &self,
        places: &DistanceOrder,
        executor: &E,
    ) -> Result<Vec<Vec<PrefixEntry>>, E::Stopped> {
        let width = executor.width().max(1);
        let least = places.distances.first().copied().unwrap_or_default();
        let asked = |place: u32| {
            let distance = places.distances[place as usize];
            prefix(places.size(place), least + distance) as usize
        };
        let all = (0..places.documents.len() as u32).map(asked).sum();
        let seen = try_map(executor, width, |part| {
            let mut seen = SingleSetFilter::new(all, 0);
            let documents = DocumentStretch { part, length: self.documents.len().div_ceil(width) };
            self.each_prefix(documents, executor, asked, |entry| {
                seen.add([entry.feature][..].into());
            })?;
            Ok(seen)
        })?;
        let seen = merged(seen, SingleSetFilter::merge);
        try_map(executor, self.documents.len().div_ceil(PART), |part| {
            let mut entries = Vec::new();
            self.each_prefix(DocumentStretch { part, length: PART }, executor, asked, |entry| {
                if !seen.is_lone(entry.feature) {
                    entries.push(entry);
                }
            })?;
            Ok(entries)
        })
    }

    /// Calls `each` with the differences in the prefixes of a stretch of the documents.
    fn each_prefix<E: Executor>(
        &self,
        DocumentStretch { part, length }: DocumentStretch,
        executor: &E,
        asked: impl Fn(u32) -> usize,
        mut each: impl FnMut(PrefixEntry),
    ) -> Result<(), E::Stopped> {
        let (mut difference, mut shared) = (Difference::default(), Vec::new());
        let places = stretch(&self.places, part, length);
        let documents = stretch(self.documents, part, length).iter().zip(places);
        try_each(executor, documents, |(&document, &place)| {
            let asked = asked(place);
            if asked == 0 {
                return;
            }
            self.template.difference((self.set)(document), &mut difference);
            let features = difference.features[..].into();
            order::prefix(features, asked, &self.counts, &mut shared, |feature, position| {
                each(PrefixEntry { feature, place, position });
            });
        })
    }
}

impl DistanceOrder {
    /// The places of `documents`, with the given sizes and differences. Also returns the place of each document.
    fn new(
        documents: &[u32],
        sizes: &[(u32, u32)],
        bounds: impl FnOnce(u32) -> FamilyBounds,
    ) -> (Self, Vec<u32>) {
        let bounds = bounds(sizes.iter().map(|&(size, _)| size).min().unwrap_or_default());
        let distance = |index: u32| {
            let (size, difference) = sizes[index as usize];
            bounds.distance(size, difference)
        };
        let mut order: Vec<u32> = (0..documents.len() as u32).collect();
        order.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
        let mut of = vec![0; documents.len()];
        (0..).zip(&order).for_each(|(place, &index)| of[index as usize] = place);
        let places = DistanceOrder {
            documents: order.iter().map(|&index| documents[index as usize]).collect(),
            differences: order.iter().map(|&index| sizes[index as usize].1).collect(),
            distances: order.iter().map(|&index| distance(index)).collect(),
        };
        (places, of)
    }
}

impl IndexedSizes for DistanceOrder {
    fn sets(&self) -> usize {
        self.documents.len()
    }

    fn size(&self, place: u32) -> u32 {
        self.differences[place as usize]
    }

    /// Sets at later places, which probe, are at least as far from the template.
    fn indexed(&self, place: u32) -> u32 {
        prefix(self.size(place), 2.0 * self.distances[place as usize])
    }

    fn first_partner(&self, _: u32) -> u32 {
        0
    }
}
