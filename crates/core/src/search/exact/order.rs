//! The order of sets by size and of features by frequency. Gives the sets that may have partners, and their prefixes.

use super::bounds::SizeBounds;
use super::counts::{SetCountBounds, SingleSetFilter};
use super::index::IndexedSizes;
use super::sets::{GroupedSets, Salted};
use crate::search::executor::{Executor, try_each, try_map};

/// A feature in the prefix of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PrefixEntry {
    /// The feature, mixed by a bijection.
    pub(crate) feature: u64,
    /// The place of the set.
    pub(crate) place: u32,
    /// The number of the set's features that come before.
    pub(crate) position: u32,
}

/// The sets that may have partners, ordered by size. The number of a set in this order is its *place*.
#[derive(Debug)]
pub(super) struct SizeOrder {
    pub(super) documents: Vec<u32>,
    /// The sizes, ascending.
    pub(super) sizes: Vec<u32>,
}

/// Sets in a part of the work, which takes some milliseconds.
const PART: usize = 2048;

/// The sizes of the sets at places, and of their partners.
pub(super) struct SetSizes<'p> {
    places: &'p SizeOrder,
    bounds: SizeBounds,
    /// For each place, the first place whose set is large enough to be a partner.
    first: Vec<u32>,
}

impl IndexedSizes for SetSizes<'_> {
    fn sets(&self) -> usize {
        self.places.sizes.len()
    }

    fn size(&self, place: u32) -> u32 {
        self.places.sizes[place as usize]
    }

    fn indexed(&self, place: u32) -> u32 {
        self.bounds.indexed(self.size(place))
    }

    fn first_partner(&self, place: u32) -> u32 {
        self.first[place as usize]
    }
}

impl SizeOrder {
    /// The sizes that an index needs.
    pub(super) fn set_sizes(&self, bounds: SizeBounds) -> SetSizes<'_> {
        let mut first = 0;
        let of = |&size| {
            while self.sizes[first] < bounds.smallest(size) {
                first += 1;
            }
            first as u32
        };
        SetSizes { places: self, bounds, first: self.sizes.iter().map(of).collect() }
    }

    /// The places of `documents`. None of their sets may be empty.
    pub(super) fn new(sets: &[&[u64]], mut documents: Vec<u32>) -> Self {
        let size = |document: u32| sets[document as usize].len() as u32;
        documents.sort_by_key(|&document| size(document));
        let sizes = documents.iter().map(|&document| size(document)).collect();
        SizeOrder { documents, sizes }
    }

    /// The features in the prefixes of these sets that several of them may have. They are in the order of sets, then of
    /// features.
    pub(super) fn prefixes<E: Executor>(
        &self,
        sets: &GroupedSets<'_>,
        bounds: SizeBounds,
        executor: &E,
    ) -> Result<Vec<Vec<PrefixEntry>>, E::Stopped> {
        let width = executor.width().max(1);
        let features = self.sizes.iter().map(|&size| size as usize).sum();
        let counts = try_map(executor, width, |part| {
            let mut counts = SetCountBounds::new(features, bounds.uncounted_bits());
            let documents = stretch(&self.documents, part, self.documents.len().div_ceil(width));
            try_each(executor, documents, |&document| counts.add(sets.salted(document)))?;
            Ok(counts)
        })?;
        let counts = merged(counts, SetCountBounds::merge);
        try_map(executor, self.documents.len().div_ceil(PART), |part| {
            let (mut entries, mut shared) = (Vec::new(), Vec::new());
            let places = (part * PART) as u32..;
            for (place, &document) in places.zip(stretch(&self.documents, part, PART)) {
                let set = sets.salted(document);
                prefix(
                    set,
                    bounds.probed(set.features.len() as u32) as usize,
                    &counts,
                    &mut shared,
                    |feature, position| {
                        entries.push(PrefixEntry { feature, place, position });
                    },
                );
            }
            Ok(entries)
        })
    }
}

/// The sets, ascending, that have features, and not too many that no other set has. A set may repeat features.
pub(super) fn may_have_partners<E: Executor>(
    sets: &GroupedSets<'_>,
    bounds: SizeBounds,
    executor: &E,
) -> Result<Vec<u32>, E::Stopped> {
    let width = executor.width().max(1);
    let features = sets.sets.iter().map(|set| set.len()).sum();
    let documents: Vec<u32> = (0..sets.sets.len() as u32).collect();
    let seen = try_map(executor, width, |part| {
        let mut seen = SingleSetFilter::new(features, bounds.uncounted_bits());
        let stretch = stretch(&documents, part, documents.len().div_ceil(width));
        try_each(executor, stretch, |&document| seen.add(sets.salted(document)))?;
        Ok(seen)
    })?;
    let seen = merged(seen, SingleSetFilter::merge);
    let may_have_partners = |document: &u32| {
        let set = sets.salted(*document);
        let size = set.features.len();
        size > 0 && !seen.has_lone(set, bounds.probed(size as u32) as usize)
    };
    let parts = try_map(executor, documents.len().div_ceil(PART), |part| {
        Ok(stretch(&documents, part, PART).iter().copied().filter(may_have_partners).collect::<Vec<u32>>())
    })?;
    Ok(parts.concat())
}

/// The items of part `part`, for parts of `length` items.
pub(crate) fn stretch<T>(items: &[T], part: usize, length: usize) -> &[T] {
    let start = (part * length).min(items.len());
    &items[start..(start + length).min(items.len())]
}

pub(crate) fn merged<T>(parts: Vec<T>, merge: impl Fn(&mut T, &T)) -> T {
    let mut parts = parts.into_iter();
    let mut whole = parts.next().expect("one part or more");
    parts.for_each(|part| merge(&mut whole, &part));
    whole
}

/// Calls `each` with the features among the first `length` of a set that others may have, and their positions.
///
/// Features are ordered by `counts`, and then by their mixed bits. The order is the same for all sets, which is all
/// that is needed.
pub(crate) fn prefix(
    set: Salted<'_>,
    length: usize,
    counts: &SetCountBounds,
    shared: &mut Vec<(u32, u64)>,
    mut each: impl FnMut(u64, u32),
) {
    let lone = counts.shared(set, length, shared);
    let left = length.saturating_sub(lone);
    if left == 0 {
        return;
    }
    if left < shared.len() {
        shared.select_nth_unstable(left - 1);
        shared.truncate(left);
    }
    shared.sort_unstable();
    (lone as u32..).zip(shared).for_each(|(position, &mut (_, feature))| each(feature, position));
}
