//! Groups of records that agree in the bits of a mask: first over all codes, then within parts that fit a cache.

use super::code::Code;

/// A code with its place.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CodePlace<C> {
    pub(crate) code: C,
    pub(crate) place: u32,
}

/// Groups of two or more records that agree. Hash collisions occasionally add other records.
#[derive(Debug, Default)]
pub(crate) struct AgreeingCodes<C> {
    /// The records of all groups. One more place holds the last record that was left out.
    records: Vec<CodePlace<C>>,
    /// The end of each group.
    ends: Vec<u32>,
    /// For each hash, first the number of its records, then the place of the next one.
    slots: Vec<u32>,
}

impl<C: Code> AgreeingCodes<C> {
    /// Groups `records` by the bits of `mask`. Records that agree with no other are left out.
    ///
    /// The first `used` bits of the hash are skipped, as all records share them.
    #[inline(always)]
    pub(crate) fn fill(&mut self, records: &[CodePlace<C>], mask: C, used: u32) {
        // Two slots per record. Three in five of the records that agree with no other are alone in their slot.
        let bits = (records.len().max(2) * 2).next_power_of_two().ilog2();
        let slot = |code: C| (((code & mask).mixed() << used) >> (64 - bits)) as usize;
        self.slots.clear();
        self.slots.resize(1 << bits, 0);
        for record in records {
            self.slots[slot(record.code)] += 1;
        }
        // No branch depends on the data, as no predictor could guess whether records are in groups.
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
            self.records.resize(records.len() + 1, CodePlace::default());
        }
        for record in records {
            let next = &mut self.slots[slot(record.code)];
            self.records[*next as usize] = *record;
            *next += u32::from((*next as usize) < records.len());
        }
    }

    /// The records of all groups, one group after the other.
    pub(crate) fn records(&self) -> &[CodePlace<C>] {
        &self.records[..self.ends.last().map_or(0, |&end| end as usize)]
    }

    /// The end of each group.
    pub(crate) fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The groups.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[CodePlace<C>]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.records[start as usize..end as usize])
    }
}

/// The codes of one part, in buckets by hash that fit a first-level cache.
#[derive(Debug, Default)]
pub(crate) struct CodeBuckets<C> {
    records: Vec<CodePlace<C>>,
    /// The place of the next record of each bucket. After filling, it is the bucket's end.
    ends: Vec<u32>,
    /// Bits of the hash that all records of a bucket share.
    used: u32,
}

/// The intended number of records per bucket: 16 KiB of 64-bit codes and as much for their groups, in a cache of 48
/// KiB.
const BUCKET: usize = 1024;
/// The most bits of the number of buckets written to at once, as the address cache covers 2,048 pages.
const BUCKETS: u32 = 10;
/// The intended number of codes per part. At 16 bytes each, a thread works within little more than 128 MiB.
const PART: usize = 8 << 20;

impl<C: Code> CodeBuckets<C> {
    /// The number of bits that choose a part of `count` codes. A part then has at most about eight million codes.
    pub(crate) fn part_bits(count: usize) -> u32 {
        count.div_ceil(PART).next_power_of_two().ilog2()
    }

    /// Fills the buckets with the codes of one part, whose hash by `mask` starts with the `part_bits` bits of `part`.
    /// Each run of codes comes with the place of its first code.
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
        // Records of other parts go to one more bucket, which has a single place.
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
            self.records.resize(kept + 1, CodePlace::default());
        }
        for (first, codes) in runs {
            for (place, &code) in (first..).zip(codes) {
                let bucket = bucket(code);
                let next = &mut self.ends[bucket];
                self.records[*next as usize] = CodePlace { code, place };
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
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[CodePlace<C>]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.records[start as usize..end as usize])
    }
}
