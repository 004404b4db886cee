//! Finds all close pairs within one bucket: by blocks first, and then, for groups that are still too large, by new
//! blocks of the remaining bits.
//!
//! Two codes within distance `k` that are cut into `k + r` blocks agree in at least `r` of them. For every choice of
//! `r` blocks, the codes that agree in these blocks are compared. A pair is reported where the chosen blocks are the
//! first in which it agrees, so no list of seen pairs is needed.
//!
//! A group that agrees in `r` blocks may still be too large to compare every pair. It is cut again, at distance `k`
//! over the bits in which its codes differ. Every cut uses up bits, so this ends. Codes that are similar in many bits
//! cost as much as the pairs found among them.

use super::join::HammingPair;
use super::plan::{COMPARE, COMPARE_ALL, GROUP, NEAR, choices, pairs};
use crate::simd::Level;
use crate::simd::hamming::kernels::LANES;
use crate::simd::hamming::{AgreeingCodes, Code, CodePlace};

/// Records whose pairs are all compared, for each block of the next cut. A comparison takes about 0.4 ns, and a record
/// takes 5 ns in each grouping.
const FEW: usize = 24;

/// Rows of pairs that are compared before the close ones are listed.
pub(crate) const TILE: usize = 512;

/// Pairs sampled before records are grouped: one in this many records, and at most [`MOST_SAMPLED`].
const SAMPLED: usize = 8;
const MOST_SAMPLED: usize = 512;
/// A prime larger than the size of most groups.
const STEP: usize = 7919;

/// The number of records up to which all pairs are compared instead of another cut.
pub(crate) fn few(distance: u32) -> usize {
    FEW * (distance as usize + 1)
}

/// The state of a search, with its buffers.
#[derive(Debug)]
pub(crate) struct Splitter<C> {
    level: Level,
    distance: u32,
    /// Buffers of groups, kept for reuse.
    spare: Vec<AgreeingCodes<C>>,
    /// Blocks in which a pair must differ. If it agrees in one, it is reported elsewhere.
    apart: Vec<C>,
    /// Pairs within the distance, by places among the compared records.
    near: Vec<(u32, u32)>,
    /// The codes of the compared records.
    codes: Vec<C>,
}

/// The bits in which records agree, and the blocks to try next.
#[derive(Clone, Copy)]
pub(crate) struct AgreedBits<'a, C> {
    /// The bits that must agree.
    pub(crate) equal: C,
    /// Blocks that can still be chosen.
    pub(crate) blocks: &'a [C],
    /// The number of these blocks that must agree.
    pub(crate) agreeing: usize,
    /// Bits of the hash by `equal` that all records share.
    pub(crate) used: u32,
}

impl<C: Code> Splitter<C> {
    pub(crate) fn new(level: Level, distance: u32) -> Self {
        Splitter {
            level,
            distance,
            spare: Vec::new(),
            apart: Vec::new(),
            near: Vec::new(),
            codes: Vec::new(),
        }
    }

    /// From now on, only pairs that differ in each of these blocks are reported.
    pub(crate) fn set_apart(&mut self, blocks: &[C]) {
        self.apart.clear();
        self.apart.extend_from_slice(blocks);
    }

    fn few(&self) -> usize {
        few(self.distance)
    }

    /// Appends the pairs that `cut` finds among `records`, which are all different.
    pub(crate) fn split(
        &mut self,
        records: &[CodePlace<C>],
        cut: AgreedBits<'_, C>,
        found: &mut Vec<HammingPair>,
    ) {
        if records.len() <= self.few() {
            return self.compare(records, &[records.len() as u32], cut.equal, found);
        }
        if cut.agreeing == 0 {
            return self.cut_again(records, cut.equal, found);
        }
        if !self.pays(records, cut.blocks, cut.agreeing) {
            return self.compare_all(records, cut.equal, found);
        }
        let apart = self.apart.len();
        for index in 0..=cut.blocks.len() - cut.agreeing {
            let block = cut.blocks[index];
            let rest = AgreedBits {
                equal: cut.equal | block,
                blocks: &cut.blocks[index + 1..],
                agreeing: cut.agreeing - 1,
                used: 0,
            };
            self.group(records, rest, found);
            self.apart.push(block);
        }
        self.apart.truncate(apart);
    }

    /// Does the same, but compares only records that agree in `cut.equal`.
    pub(crate) fn group(
        &mut self,
        records: &[CodePlace<C>],
        cut: AgreedBits<'_, C>,
        found: &mut Vec<HammingPair>,
    ) {
        let mut groups = self.spare.pop().unwrap_or_default();
        self.level.group(&mut groups, records, cut.equal, cut.used);
        self.compare(groups.records(), groups.ends(), cut.equal, found);
        let few = self.few();
        for group in groups.iter().filter(|group| group.len() > few) {
            self.split(group, cut, found);
        }
        self.spare.push(groups);
    }

    /// Whether grouping `records` by every choice of `agreeing` blocks is cheaper than comparing all pairs, by a sample
    /// of pairs.
    ///
    /// Groups that are too large again are tested again, so errors do not add up.
    fn pays(&self, records: &[CodePlace<C>], blocks: &[C], agreeing: usize) -> bool {
        let all_pairs = pairs(records.len() as f64);
        let grouping = records.len() as f64 * blocks.len() as f64 * GROUP;
        if all_pairs * COMPARE_ALL <= grouping {
            return false;
        }
        let sampled = (records.len() / SAMPLED).min(MOST_SAMPLED);
        let (mut together, mut apart) = (0.0, 0.0);
        for number in 0..sampled {
            let left = number * records.len() / sampled;
            // Each pair has a step of its own, as records may be ordered.
            let right = (left + 1 + number * STEP % (records.len() - 1)) % records.len();
            let differing = records[left].code ^ records[right].code;
            let listed = if differing.distance(C::default()) <= self.distance { NEAR } else { 0.0 };
            let same = blocks.iter().filter(|&&block| differing & block == C::default()).count();
            together += COMPARE_ALL + listed;
            apart += choices(same as u32, agreeing as u32) * (COMPARE + listed);
        }
        grouping + apart * all_pairs / (sampled as f64) < together * all_pairs / sampled as f64
    }

    /// Splits records that agree in all the blocks that had to agree.
    fn cut_again(&mut self, records: &[CodePlace<C>], equal: C, found: &mut Vec<HammingPair>) {
        let first = records[0].code;
        let varying = records.iter().fold(C::default(), |varying, record| varying | (record.code ^ first));
        // Records with colliding hashes may differ in `equal`. They are not reported.
        let blocks = cut_into(varying & !equal, self.distance as usize + 1);
        if blocks.len() <= self.distance as usize {
            // All records that differ in so few bits only are close, so all pairs have to be listed anyway.
            self.compare_all(records, equal, found);
        } else {
            self.split(records, AgreedBits { equal, blocks: &blocks, agreeing: 1, used: 0 }, found);
        }
    }

    /// Compares all pairs of each group that is small enough.
    fn compare(&mut self, records: &[CodePlace<C>], ends: &[u32], equal: C, found: &mut Vec<HammingPair>) {
        self.near.clear();
        self.level.close_pairs(records, ends, self.few(), self.distance, &mut self.codes, &mut self.near);
        self.report(records, equal, found);
    }

    /// Compares all pairs of any number of records.
    fn compare_all(&mut self, records: &[CodePlace<C>], equal: C, found: &mut Vec<HammingPair>) {
        self.codes.clear();
        self.codes.extend(records.iter().map(|record| record.code));
        self.codes.extend([C::default(); LANES]);
        for row in (0..records.len()).step_by(TILE) {
            self.near.clear();
            self.level.close_rows(&self.codes, (row, row + TILE), self.distance, &mut self.near);
            self.report(records, equal, found);
        }
    }

    /// Appends the near pairs that are to be reported here.
    fn report(&mut self, records: &[CodePlace<C>], equal: C, found: &mut Vec<HammingPair>) {
        for &(left, right) in &self.near {
            let (left, right) = (records[left as usize], records[right as usize]);
            let differing = left.code ^ right.code;
            let nothing = C::default();
            if differing & equal == nothing && self.apart.iter().all(|&block| differing & block != nothing) {
                found.push(HammingPair {
                    a: left.place.min(right.place),
                    b: left.place.max(right.place),
                    distance: left.code.distance(right.code),
                });
            }
        }
    }
}

/// Cuts the bits of `bits`, from the top, into at most `count` blocks. Their sizes differ by at most one, and none is
/// empty.
pub(crate) fn cut_into<C: Code>(bits: C, count: usize) -> Vec<C> {
    let places: Vec<u32> = (0..C::BITS).rev().filter(|&place| bits & C::bit(place) != C::default()).collect();
    let mut blocks = Vec::with_capacity(count);
    let mut start = 0;
    for block in 0..count {
        let end = places.len() * (block + 1) / count;
        if end > start {
            blocks.push(places[start..end].iter().fold(C::default(), |mask, &place| mask | C::bit(place)));
        }
        start = end;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_every_bit_once() {
        for count in 1..=80 {
            let blocks = cut_into(!0_u64, count);
            assert_eq!(blocks.len(), count.min(64));
            assert_eq!(blocks.iter().fold(0, |all, block| all | block), !0);
            assert_eq!(blocks.iter().map(|block| block.count_ones()).sum::<u32>(), 64);
        }
        assert_eq!(cut_into(0b1011_u64, 2), [0b1000, 0b11]);
        assert_eq!(cut_into(0_u64, 3), [0_u64; 0]);
    }
}
