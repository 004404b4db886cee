//! The inverted index of prefixes, and the postings that each set probes.

use super::order::PrefixEntry;
use crate::search::executor::{Executor, try_each, try_map};
use std::ops::Range;

/// The sizes of the sets in an index, by their places.
pub(crate) trait IndexedSizes: Sync {
    /// The number of places.
    fn sets(&self) -> usize;

    /// The number of features in the set at `place`.
    fn size(&self, place: u32) -> u32;

    /// The length of the set's prefix in the index.
    fn indexed(&self, place: u32) -> u32;

    /// The first place whose set may be a partner.
    fn first_partner(&self, place: u32) -> u32;
}

/// The inverted index, with all probes of it.
#[derive(Debug, Default)]
pub(crate) struct InvertedIndex {
    /// The postings of all features, one feature after the other. Postings of one feature are ordered by place.
    pub(crate) postings: Vec<Posting>,
    /// The probes of all sets, one set after the other, in the order of the set's features.
    probes: Vec<FeatureProbe>,
    /// The sets with probes, ascending, each with the end of its probes.
    askers: Vec<(u32, usize)>,
    /// The postings of each feature with [`MANY`] or more, ascending.
    pub(crate) lists: Vec<Range<u32>>,
}

/// Postings from which a feature's list is noted. For fewer, the note would take as much memory as the postings.
pub(crate) const MANY: usize = 16;

/// A set with a given feature in its indexed prefix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting {
    pub(crate) place: u32,
    /// The number of the set's features that come later in the order.
    pub(crate) after: u32,
}

/// A feature of a set that earlier sets share. At least one of these is large enough to be a partner.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FeatureProbe {
    /// The range of postings, all of sets at earlier places.
    begin: u32,
    end: u32,
    /// The number of the set's features that come later in the order.
    pub(crate) after: u32,
}

impl FeatureProbe {
    pub(crate) fn postings(self) -> Range<usize> {
        self.begin as usize..self.end as usize
    }

    pub(crate) fn visits(self) -> u64 {
        u64::from(self.end - self.begin)
    }
}

/// The intended number of entries in a partition: 64 KiB, which stay in the second-level cache.
const PARTITION: usize = 4096;

/// Partitions in a part of the work, which takes some milliseconds.
const PART: usize = 32;

impl InvertedIndex {
    /// The index of `prefixes`, the prefixes of the sets in `sizes`.
    pub(crate) fn new<E: Executor>(
        sizes: &impl IndexedSizes,
        prefixes: Vec<Vec<PrefixEntry>>,
        executor: &E,
    ) -> Result<Self, E::Stopped> {
        let partitions = Partitions::new(prefixes);
        let parts = try_map(executor, partitions.count().div_ceil(PART), |part| {
            let mut features = InvertedIndexPart::default();
            let range = part * PART..((part + 1) * PART).min(partitions.count());
            partitions.for_each_feature(range, |entries| features.add(sizes, entries));
            Ok(features)
        })?;
        drop(partitions);
        Self::arranged(parts, sizes.sets(), executor)
    }

    /// Joins the parts. Probes are put in order by set, and then by the order of the set's features.
    fn arranged<E: Executor>(
        parts: Vec<InvertedIndexPart>,
        sets: usize,
        executor: &E,
    ) -> Result<Self, E::Stopped> {
        let mut next = vec![0_usize; sets + 1];
        for &(place, _) in parts.iter().flat_map(|part| &part.probes) {
            next[place as usize + 1] += 1;
        }
        let mut index = InvertedIndex::default();
        for place in 0..sets {
            let start = next[place];
            next[place + 1] += start;
            if next[place + 1] > start {
                index.askers.push((place as u32, next[place + 1]));
            }
        }
        index.probes = vec![FeatureProbe::default(); next[sets]];
        index.postings.reserve_exact(parts.iter().map(|part| part.postings.len()).sum());
        assert!(u32::try_from(index.postings.capacity()).is_ok(), "postings have numbers of 32 bits");
        for part in parts {
            executor.check()?;
            let base = index.postings.len() as u32;
            for (place, FeatureProbe { begin, end, after }) in part.probes {
                let slot = &mut next[place as usize];
                index.probes[*slot] = FeatureProbe { begin: base + begin, end: base + end, after };
                *slot += 1;
            }
            index.postings.extend(part.postings);
            index.lists.extend(part.lists.into_iter().map(|list| base + list.start..base + list.end));
        }
        let mut start = 0;
        let InvertedIndex { probes, askers, .. } = &mut index;
        try_each(executor, &*askers, |&(_, end)| {
            probes[start..end].sort_unstable_by_key(|probe| std::cmp::Reverse(probe.after));
            start = end;
        })?;
        Ok(index)
    }

    /// The number of sets with probes.
    pub(crate) fn askers(&self) -> usize {
        self.askers.len()
    }

    /// The first set with probes at `place` or later, as a position among such sets.
    pub(crate) fn asker_from(&self, place: u32) -> usize {
        self.askers.partition_point(|&(other, _)| other < place)
    }

    /// The place of a set with probes, and its probes.
    pub(crate) fn asker(&self, asker: usize) -> (u32, &[FeatureProbe]) {
        let start = asker.checked_sub(1).map_or(0, |before| self.askers[before].1);
        let (place, end) = self.askers[asker];
        (place, &self.probes[start..end])
    }

    /// The memory that the index takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.postings[..])
            + size_of_val(&self.probes[..])
            + size_of_val(&self.askers[..])
            + size_of_val(&self.lists[..])
    }
}

/// The part of the index that some of the features make.
#[derive(Debug, Default)]
struct InvertedIndexPart {
    postings: Vec<Posting>,
    /// The probes, each with the place of its set.
    probes: Vec<(u32, FeatureProbe)>,
    lists: Vec<Range<u32>>,
}

impl InvertedIndexPart {
    /// Adds a feature. `entries` are the sets that share it, by place.
    fn add(&mut self, sizes: &impl IndexedSizes, entries: &[PrefixEntry]) {
        let start = self.postings.len();
        let probes = self.probes.len();
        let mut begin = start;
        for entry in entries {
            let after = sizes.size(entry.place) - entry.position - 1;
            let first = sizes.first_partner(entry.place);
            while begin < self.postings.len() && self.postings[begin].place < first {
                begin += 1;
            }
            let end = self.postings.len();
            if begin < end {
                self.probes.push((entry.place, FeatureProbe { begin: begin as u32, end: end as u32, after }));
            }
            if entry.position < sizes.indexed(entry.place) {
                self.postings.push(Posting { place: entry.place, after });
            }
        }
        if self.probes.len() == probes {
            self.postings.truncate(start);
        }
        if self.postings.len() - start >= MANY {
            self.lists.push(start as u32..self.postings.len() as u32);
        }
    }
}

/// Entries by the high bits of their features. Within a partition, they keep their order.
struct Partitions {
    entries: Vec<PrefixEntry>,
    ends: Vec<usize>,
    bits: u32,
}

impl Partitions {
    fn new(prefixes: Vec<Vec<PrefixEntry>>) -> Self {
        let count: usize = prefixes.iter().map(Vec::len).sum();
        let bits = (count / PARTITION).max(2).ilog2();
        let partition = |entry: &PrefixEntry| (entry.feature >> (64 - bits)) as usize;
        let mut next = vec![0_usize; (1 << bits) + 1];
        prefixes.iter().flatten().for_each(|entry| next[partition(entry) + 1] += 1);
        for partition in 0..1 << bits {
            next[partition + 1] += next[partition];
        }
        let mut entries = vec![PrefixEntry::default(); count];
        for entry in prefixes.into_iter().flatten() {
            let slot = &mut next[partition(&entry)];
            entries[*slot] = entry;
            *slot += 1;
        }
        next.pop();
        Partitions { entries, ends: next, bits }
    }

    fn count(&self) -> usize {
        self.ends.len()
    }

    /// Calls `each` with the entries of every feature that has two or more, by place, in these partitions.
    fn for_each_feature(&self, partitions: Range<usize>, mut each: impl FnMut(&[PrefixEntry])) {
        let (mut shared, mut seen) = (Vec::new(), Vec::new());
        for partition in partitions {
            let start = partition.checked_sub(1).map_or(0, |before| self.ends[before]);
            let entries = &self.entries[start..self.ends[partition]];
            sieve(entries, self.bits, &mut seen, &mut shared);
            shared.sort_unstable();
            shared
                .chunk_by(|a, b| a.feature == b.feature)
                .filter(|group| group.len() > 1)
                .for_each(&mut each);
        }
    }
}

/// Fills `shared` with the entries whose features may occur twice.
///
/// The highest `bits` are the same for all, so the next bits choose a slot. There are eight slots per entry.
fn sieve(entries: &[PrefixEntry], bits: u32, seen: &mut Vec<u8>, shared: &mut Vec<PrefixEntry>) {
    let slots = (entries.len() * 8).next_power_of_two().max(2);
    let slot = |entry: &PrefixEntry| ((entry.feature << bits) >> (64 - slots.ilog2())) as usize;
    seen.clear();
    seen.resize(slots, 0);
    for entry in entries {
        let seen = &mut seen[slot(entry)];
        *seen = seen.saturating_add(1);
    }
    shared.clear();
    shared.extend(entries.iter().filter(|entry| seen[slot(entry)] > 1));
}
