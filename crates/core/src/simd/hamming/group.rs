//! Records side by side that agree in the bits of a mask: first over all codes, then within what fits a cache.

use super::code::Code;

/// A code and where it stood.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Record<C> {
    pub(crate) code: C,
    pub(crate) place: u32,
}

/// Groups of two or more records: those that agree, and now and then others whose hashes fall together.
#[derive(Debug, Default)]
pub(crate) struct Groups<C> {
    /// The records of all groups. One more place holds whatever was left out last.
    records: Vec<Record<C>>,
    /// Where each group ends.
    ends: Vec<u32>,
    /// For each hash the number of its records, then where the next one goes.
    slots: Vec<u32>,
}

impl<C: Code> Groups<C> {
    /// Groups `records` by the bits of `mask`; records that agree with no other are left out.
    ///
    /// The first `used` bits of the hash, which all records share already, are passed over.
    #[inline(always)]
    pub(crate) fn fill(&mut self, records: &[Record<C>], mask: C, used: u32) {
        // Two slots a record: of records that agree with none, three in five are alone in their slot.
        let bits = (records.len().max(2) * 2).next_power_of_two().ilog2();
        let slot = |code: C| (((code & mask).mixed() << used) >> (64 - bits)) as usize;
        self.slots.clear();
        self.slots.resize(1 << bits, 0);
        for record in records {
            self.slots[slot(record.code)] += 1;
        }
        // No branch here depends on the data: groups and single records come in no order that could be foretold.
        self.ends.clear();
        self.ends.resize(records.len() / 2 + 1, 0);
        let (mut groups, mut end) = (0, 0);
        for slot in &mut self.slots {
            let shared = *slot > 1;
            let size = if shared { *slot } else { 0 };
            *slot = if shared { end } else { records.len() as u32 };
            end += size;
            self.ends[groups] = end;
            groups += usize::from(shared);
        }
        self.ends.truncate(groups);
        if self.records.len() <= records.len() {
            self.records.resize(records.len() + 1, Record::default());
        }
        for record in records {
            let next = &mut self.slots[slot(record.code)];
            self.records[*next as usize] = *record;
            *next += u32::from((*next as usize) < records.len());
        }
    }

    /// The records of all groups, one group behind the other.
    pub(crate) fn records(&self) -> &[Record<C>] {
        &self.records[..self.ends.last().map_or(0, |&end| end as usize)]
    }

    /// Where each group ends.
    pub(crate) fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The groups.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Record<C>]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.records[start as usize..end as usize])
    }
}

/// The codes of one part, in buckets by hash that fit a first-level cache.
#[derive(Debug, Default)]
pub(crate) struct Partition<C> {
    records: Vec<Record<C>>,
    /// Where the next record of each bucket goes; after filling, where it ends.
    ends: Vec<u32>,
    /// Bits of the hash that all records of a bucket share.
    used: u32,
}

/// Records aimed at per bucket: 16 KiB of 64-bit codes, and as much again for their groups, in 48 KiB.
const BUCKET: usize = 1024;
/// Bits of the number of buckets that are written to at once: the address cache reaches 2,048 pages.
const BUCKETS: u32 = 10;
/// Codes aimed at per part: with 16 bytes each, what a thread works in stays below 128 MiB and some.
const PART: usize = 8 << 20;

impl<C: Code> Partition<C> {
    /// How many bits choose a part of `count` codes, so that a part is at most some eight million codes.
    pub(crate) fn part_bits(count: usize) -> u32 {
        count.div_ceil(PART).next_power_of_two().ilog2()
    }

    /// Takes those codes of `runs`, each with the place of its first code, whose hash by `mask` starts with the
    /// `part_bits` bits of `part`.
    #[inline(always)]
    pub(crate) fn fill<'a>(
        &mut self,
        runs: impl Iterator<Item = (u32, &'a [C])> + Clone,
        count: usize,
        mask: C,
        (part, part_bits): (u32, u32),
    ) where
        C: 'a,
    {
        let bits = ((count >> part_bits) / BUCKET).max(1).ilog2().min(BUCKETS);
        self.used = part_bits + bits;
        let buckets = 1_u64 << bits;
        let first = u64::from(part) << bits;
        let shift = 64 - self.used;
        // Records of other parts go to one more bucket, which has one place.
        let bucket = |code: C| {
            let hash = (code & mask).mixed();
            let bucket = if shift == 64 { 0 } else { hash >> shift };
            bucket.wrapping_sub(first).min(buckets) as usize
        };
        self.ends.clear();
        self.ends.resize(buckets as usize + 1, 0);
        for (_, codes) in runs.clone() {
            for &code in codes {
                self.ends[bucket(code)] += 1;
            }
        }
        let mut start = 0;
        for end in &mut self.ends {
            let size = *end;
            *end = start;
            start += size;
        }
        let kept = self.ends[buckets as usize] as usize;
        if self.records.len() <= kept {
            self.records.resize(kept + 1, Record::default());
        }
        for (first, codes) in runs {
            for (place, &code) in (first..).zip(codes) {
                let bucket = bucket(code);
                let next = &mut self.ends[bucket];
                self.records[*next as usize] = Record { code, place };
                *next += u32::from(bucket < buckets as usize);
            }
        }
        self.ends.truncate(buckets as usize);
    }

    /// Bits of the hash that all records of a bucket share.
    pub(crate) fn used(&self) -> u32 {
        self.used
    }

    /// The buckets.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Record<C>]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.records[start as usize..end as usize])
    }
}
