//! The plan of a join: which blocks to use, or whether to compare all pairs.
//!
//! Blocks separate random codes very well. Codes of real texts have uneven bits that depend on each other, and blocks
//! separate them less well. At a large distance it may be cheaper to compare all pairs. A sample decides, and the
//! results are the same.

use super::order::agreements;
use super::split::{cut_into, few};
use crate::simd::Level;
use crate::simd::hamming::{Code, CodePlace};

/// Nanoseconds to put a code into its bucket. This and the next five were measured with AVX-512
/// (bench/results/2026-11-22-hamming.md). Other machines compare more slowly, both within buckets and over all pairs.
const PARTITION: f64 = 6.0;
/// Nanoseconds to put a record into its group.
pub(crate) const GROUP: f64 = 5.0;
/// Nanoseconds to compare a pair within a small group.
pub(crate) const COMPARE: f64 = 0.4;
/// Nanoseconds to compare a pair when all pairs are compared.
pub(crate) const COMPARE_ALL: f64 = 0.1;
/// Nanoseconds to decide whether a close pair is reported here, and to list it.
pub(crate) const NEAR: f64 = 6.0;
/// Nanoseconds to sort a found pair. Comparing all pairs finds them in order.
const SORT: f64 = 40.0;

/// The costs of another number of blocks must be below this share of the best cost so far.
const CLEARLY: f64 = 0.7;

/// Codes whose pairs are all compared to count the close ones, which takes 0.3 ms.
const PAIRED: usize = 2048;
/// Choices of blocks whose cost is estimated, for each number of blocks. The other choices are assumed to cost the
/// same.
const CHOICES: usize = 4;

/// A way to find all pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HammingPlan<C> {
    /// By agreement in these blocks.
    Blocks(Vec<C>),
    /// By comparing every pair.
    All,
}

/// A sample of the codes, from which costs are estimated.
pub(crate) struct Sample<C> {
    codes: Vec<C>,
    /// The number of all codes.
    count: usize,
    distance: u32,
    agreements: Option<Vec<f64>>,
}

impl<C: Code> Sample<C> {
    /// The size of a sample of `count` codes. It is one in 256, which costs less than a hundredth of a join.
    pub(crate) fn size(count: usize) -> usize {
        (count / 256).clamp(2 * PAIRED, 32 * PAIRED).min(count)
    }

    /// The sample `codes` of `count` codes, all different.
    pub(crate) fn new(codes: Vec<C>, count: usize, distance: u32) -> Self {
        let agreements = agreements(codes.len(), |number| codes[number]);
        Sample { codes, count, distance, agreements }
    }

    /// The cheapest plan.
    pub(crate) fn plan(&self, level: Level) -> HammingPlan<C> {
        let firsts = self.distance + 1;
        let all_pairs = pairs(self.count as f64);
        if all_pairs * COMPARE_ALL <= f64::from(firsts) * GROUP * self.count as f64 {
            return HammingPlan::All;
        }
        let near = self.near(level);
        let paired = pairs(self.codes.len().min(PAIRED) as f64);
        let scale = all_pairs / paired;
        let sorting = near.len() as f64 * scale * SORT;
        let mut best = (all_pairs * COMPARE_ALL + near.len() as f64 * scale * NEAR, HammingPlan::All);
        let mut last = f64::INFINITY;
        for agreeing in 1..C::BITS - self.distance {
            if self.passes(agreeing.min(2)) > best.0 {
                break;
            }
            let blocks = self.blocks((self.distance + agreeing) as usize);
            let met: f64 = near
                .iter()
                .map(|&differing| {
                    let same = blocks.iter().filter(|&&block| differing & block == C::default()).count();
                    choices(same as u32, agreeing)
                })
                .sum();
            let cost = self.cost(&blocks, agreeing) + met * scale * NEAR + sorting;
            // Samples have errors, and one more grouping was never as cheap as estimated.
            let margin = if matches!(best.1, HammingPlan::All) { 1.0 } else { CLEARLY };
            if cost < best.0 * margin {
                best = (cost, HammingPlan::Blocks(blocks));
            }
            // More blocks cost less up to a point, and then ever more.
            if cost > last {
                break;
            }
            last = cost;
        }
        best.1
    }

    /// The bits in `count` blocks, which all separate codes equally well.
    pub(crate) fn blocks(&self, count: usize) -> Vec<C> {
        let Some(agreements) = &self.agreements else { return cut_into(!C::default(), count) };
        let mut best: Vec<u32> = (0..C::BITS).collect();
        best.sort_by(|&a, &b| agreements[a as usize].total_cmp(&agreements[b as usize]));
        // For each block the logarithm of the probability to agree in it, and its number of bits, so that no block
        // stays empty.
        let mut blocks = vec![(0.0_f64, 0, C::default()); count];
        for bit in best {
            let worst = blocks.iter_mut().min_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            if let Some((agreement, bits, block)) = worst {
                *agreement += agreements[bit as usize];
                *bits += 1;
                *block = *block | C::bit(bit);
            }
        }
        blocks.into_iter().map(|(_, _, block)| block).collect()
    }

    /// The differing bits of the close pairs among a few codes, without equal codes.
    fn near(&self, level: Level) -> Vec<C> {
        let size = self.codes.len().min(PAIRED);
        let record = |place: usize| CodePlace { code: self.codes[place * self.codes.len() / size], place: 0 };
        let records: Vec<CodePlace<C>> = (0..size).map(record).collect();
        let (mut codes, mut near) = (Vec::new(), Vec::new());
        level.close_pairs(&records, &[size as u32], size, self.distance, &mut codes, &mut near);
        let differing = near.iter().map(|&(a, b)| codes[a as usize] ^ codes[b as usize]);
        differing.filter(|&differing| differing != C::default()).collect()
    }

    /// Nanoseconds to put all codes into buckets, and into groups by up to `agreeing` blocks.
    fn passes(&self, agreeing: u32) -> f64 {
        let firsts = f64::from(self.distance + 1);
        let grouped = choices(self.distance + agreeing, agreeing);
        self.count as f64 * (firsts * PARTITION + grouped * GROUP)
    }

    /// Nanoseconds to find and compare the pairs that agree in `agreeing` blocks. Groups that are small enough after
    /// fewer blocks are not grouped further.
    fn cost(&self, blocks: &[C], agreeing: u32) -> f64 {
        let scale = self.count as f64 / self.codes.len() as f64;
        let few = few(self.distance) as f64;
        let mut slots = Vec::new();
        let mut cost = self.count as f64 * f64::from(self.distance + 1) * PARTITION;
        for depth in agreeing.min(2)..=agreeing {
            let prefixes = prefixes((self.distance + depth) as usize, depth as usize);
            let weight = choices(self.distance + depth, depth) / prefixes.len() as f64;
            for prefix in prefixes {
                let mask = |upto: usize| {
                    prefix[..upto].iter().fold(C::default(), |mask, &block| mask | blocks[block])
                };
                let mut codes = self.codes.clone();
                if depth > 2 {
                    let sizes = count_slots(&codes, mask(depth as usize - 1), &mut slots);
                    let mut sizes = sizes.iter();
                    // A code that is alone in its slot may be in any small group.
                    codes.retain(|_| sizes.next().is_some_and(|&size| f64::from(size - 1) * scale > few));
                }
                let grouped = codes.len() as f64 * scale;
                let sizes = count_slots(&codes, mask(depth as usize), &mut slots);
                let by_chance = 2.0 * pairs(codes.len() as f64) / slots.len().max(1) as f64;
                let is_compared = |&&size: &&u32| depth == agreeing || f64::from(size - 1) * scale <= few;
                let others: f64 = sizes.iter().filter(is_compared).map(|&size| f64::from(size - 1)).sum();
                let compared = (others - by_chance).max(0.0) / 2.0 * scale * scale;
                cost += weight * (grouped * GROUP + compared * COMPARE);
            }
        }
        cost
    }
}

/// For each code, the number of codes with its hash by `mask`, including itself.
fn count_slots<C: Code>(codes: &[C], mask: C, slots: &mut Vec<u32>) -> Vec<u32> {
    let bits = (codes.len().max(2) * 8).next_power_of_two().ilog2();
    let slot = |code: C| ((code & mask).mixed() >> (64 - bits)) as usize;
    slots.clear();
    slots.resize(1 << bits, 0);
    for &code in codes {
        slots[slot(code)] += 1;
    }
    codes.iter().map(|&code| slots[slot(code)]).collect()
}

/// Some of the choices of `chosen` out of `count`, spread evenly over all choices in order.
fn prefixes(count: usize, chosen: usize) -> Vec<Vec<usize>> {
    let all = choices(count as u32, chosen as u32);
    let wanted = all.min(CHOICES as f64);
    let nth = |number: usize| {
        let mut rank = ((number as f64 + 0.5) * all / wanted).floor();
        let mut choice = Vec::with_capacity(chosen);
        for place in 0..count {
            let left = (chosen - choice.len()) as u32;
            if left == 0 {
                break;
            }
            let with = choices((count - place - 1) as u32, left - 1);
            if rank < with {
                choice.push(place);
            } else {
                rank -= with;
            }
        }
        choice
    };
    (0..wanted as usize).map(nth).collect()
}

/// The number of pairs among `count` things.
pub(crate) fn pairs(count: f64) -> f64 {
    count * (count - 1.0) / 2.0
}

/// The number of ways to choose `chosen` of `count` things.
pub(crate) fn choices(count: u32, chosen: u32) -> f64 {
    if chosen > count {
        return 0.0;
    }
    (0..chosen).fold(1.0, |ways, index| ways * f64::from(count - index) / f64::from(index + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;

    fn sample(count: usize, distance: u32, ands: u32) -> Sample<u64> {
        let mut generator = SplitMix64(11);
        let mut code = || (0..ands).fold(!0, |code, _| code & generator.next());
        let codes: Vec<u64> = (0..count).map(|_| code()).collect();
        let size = Sample::<u64>::size(count);
        Sample::new(codes[..size].to_vec(), count, distance)
    }

    #[test]
    fn choices_follow_pascals_triangle() {
        assert_eq!([choices(5, 0), choices(5, 2), choices(5, 5), choices(5, 6)], [1.0, 10.0, 1.0, 0.0]);
    }

    #[test]
    fn prefixes_are_choices_in_order() {
        assert_eq!(prefixes(4, 1), [[0], [1], [2], [3]]);
        assert_eq!(prefixes(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(prefixes(30, 3).len(), CHOICES);
    }

    #[test]
    fn random_codes_are_cut_and_uneven_ones_are_not() {
        let cut = |sample: &Sample<u64>| match sample.plan(Level::detect()) {
            HammingPlan::Blocks(blocks) => blocks.len(),
            HammingPlan::All => 0,
        };
        assert_eq!(cut(&sample(200, 3, 1)), 0);
        assert_eq!(cut(&sample(300_000, 3, 1)), 4);
        assert_eq!(cut(&sample(100_000, 10, 1)), 12);
        assert_eq!(cut(&sample(100_000, 12, 4)), 0);
    }

    #[test]
    fn blocks_of_uneven_bits_hold_every_bit_once() {
        for ands in [1, 2, 12, 100] {
            let sample = sample(5000, 3, ands);
            for count in [1, 4, 13, 64] {
                let blocks = sample.blocks(count);
                assert!(blocks.len() == count && !blocks.contains(&0));
                assert_eq!(blocks.iter().fold(0, |all, block| all | block), !0);
                assert_eq!(blocks.iter().map(|block| block.count_ones()).sum::<u32>(), 64);
            }
        }
    }
}
