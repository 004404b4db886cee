//! Layouts of codes: the parts into which codes are cut, and how far from each part of a query to search.

/// A part of the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePart {
    /// The number of bits.
    pub bits: u32,
    /// The most bits in which a bucket may differ from the query to be looked into.
    pub tau: u32,
}

/// Parts of codes, from the top bits down. Any two codes within a distance `k` differ in at most `tau` bits of at least
/// one part.
///
/// This holds because the sum of `tau + 1` over all parts is `k + 1`: otherwise more than `k` bits would differ.
/// Without parts, all codes are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HammingLayout {
    parts: Vec<CodePart>,
}

/// The most parts. More parts save less time than their memory is worth, some five bytes per code each.
const PARTS: u32 = 4;

/// Nanoseconds to look into a bucket: a cache line of the directory and one of codes, several at a time.
///
/// This and the next three are estimates. They put the layouts of random codes in the order in which they were measured
/// (bench/results/2026-11-22-hamming.md).
const LOOK: f64 = 14.0;
/// Nanoseconds to compare a code within its bucket. Eight of them share a cache line.
const NEXT: f64 = 0.7;
/// Nanoseconds to fetch a code from elsewhere.
const FETCH: f64 = 9.0;
/// Nanoseconds to compare a code in a plain scan.
const SCAN: f64 = 0.5;

impl HammingLayout {
    /// The fastest layout for `count` codes of `code_bits` bits and queries up to `distance`.
    ///
    /// `agreements` holds, for each bit, the logarithm to base 2 of the probability that two codes agree in it. Without
    /// it, codes are assumed to be random.
    pub(crate) fn choose(code_bits: u32, distance: u32, count: usize, agreements: Option<&[f64]>) -> Self {
        let mut sums = vec![0.0];
        let mut sorted = agreements.map_or_else(|| vec![-1.0; code_bits as usize], <[f64]>::to_vec);
        sorted.sort_by(f64::total_cmp);
        sums.extend(sorted.iter().scan(0.0, |sum, agreement| {
            *sum += agreement;
            Some(*sum)
        }));
        let mut best = (count as f64 * SCAN, HammingLayout::default());
        for layout in Self::all(code_bits, distance) {
            let nanoseconds = layout.nanoseconds(count, &sums);
            if nanoseconds < best.0 {
                best = (nanoseconds, layout);
            }
        }
        best.1
    }

    /// The layout of `parts`.
    ///
    /// `None` if the parts do not have `code_bits` bits in total, or if codes within `distance` might differ too much
    /// in all of them. An empty list always fits, and all codes are then compared.
    pub fn of_parts(code_bits: u32, distance: u32, parts: &[CodePart]) -> Option<Self> {
        let sound = |part: &CodePart| (1..=code_bits).contains(&part.bits) && part.tau <= distance;
        let fits = parts.iter().all(sound)
            && parts.iter().map(|part| part.bits).sum::<u32>() == code_bits
            && parts.iter().map(|part| part.tau + 1).sum::<u32>() == distance + 1;
        (parts.is_empty() || fits).then(|| HammingLayout { parts: parts.to_vec() })
    }

    /// The parts, from the uppermost bits down.
    pub fn parts(&self) -> &[CodePart] {
        &self.parts
    }

    /// The layouts to choose from: look-ups are spread evenly, and parts with a larger `tau` are made wider.
    fn all(code_bits: u32, distance: u32) -> impl Iterator<Item = Self> {
        (1..=PARTS.min(distance + 1)).flat_map(move |count| {
            let (tau, more) = ((distance + 1 - count) / count, (distance + 1 - count) % count);
            let wider = if more == 0 { 0 } else { 16 };
            (0..=wider).filter_map(move |extra| {
                let rest = code_bits.checked_sub(more * extra)?;
                let bits = |part: u32| rest / count + u32::from(part < rest % count);
                let part = |part| {
                    let first = u32::from(part < more);
                    CodePart { bits: bits(part) + first * extra, tau: tau + first }
                };
                HammingLayout::of_parts(code_bits, distance, &(0..count).map(part).collect::<Vec<_>>())
            })
        })
    }

    /// The time of a query among `count` codes. `sums[n]` is the agreement of the best `n` bits.
    fn nanoseconds(&self, count: usize, sums: &[f64]) -> f64 {
        let bits: Vec<u32> = self.parts.iter().map(|part| bucket_bits(part.bits, count)).collect();
        let all: u32 = bits.iter().sum();
        // Check bits are bits by which other parts choose buckets.
        let checks = (f64::from(check_bits(count)) * -sums[all as usize] / f64::from(all)).round() as u32;
        let costs = (0..).zip(&self.parts).zip(&bits).map(|((index, part), &bits)| {
            // The best bits choose buckets, and every part gets its share of them.
            let agreement = sums[all as usize] * f64::from(bits) / f64::from(all);
            nanoseconds(index, bits, part.tau, checks, count as f64 * agreement.exp2())
        });
        costs.sum()
    }
}

/// The number of bits of a part that choose a bucket. A bucket then has two to four codes, and the directory takes one
/// to two bytes per code.
pub(crate) fn bucket_bits(part_bits: u32, count: usize) -> u32 {
    part_bits.min(count.max(4).ilog2() - 1)
}

/// The time to look up to `tau` bits around a query in part `index`.
///
/// There are `2^bits` buckets. A code finds itself in a bucket of `size` codes on average, and places have `checks`
/// check bits.
pub(crate) fn nanoseconds(index: usize, bits: u32, tau: u32, checks: u32, size: f64) -> f64 {
    let fetched = if index == 0 { 0.0 } else { passing(checks, 3) * FETCH };
    ball(bits, tau) * (LOOK + size * (NEXT + fetched))
}

/// The number of bits that a place has left for a check, among `count` codes.
pub(crate) fn check_bits(count: usize) -> u32 {
    32 - count.max(2).next_power_of_two().ilog2()
}

/// The number of values of `bits` bits within `tau` bits of a given one.
pub(crate) fn ball(bits: u32, tau: u32) -> f64 {
    let mut chosen = 1.0;
    let mut sum = 1.0;
    for count in 1..=tau.min(bits) {
        chosen *= f64::from(bits - count + 1) / f64::from(count);
        sum += chosen;
    }
    sum
}

/// The share of random values of `bits` bits within `distance` of a given one.
fn passing(bits: u32, distance: u32) -> f64 {
    ball(bits, distance) / f64::from(bits).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_layouts_reach_the_distance() {
        for code_bits in [64, 128] {
            for distance in 0..=super::super::MOST {
                for count in [0, 1, 1000, 1_000_000, 100_000_000] {
                    let layout = HammingLayout::choose(code_bits, distance, count, None);
                    assert_eq!(HammingLayout::of_parts(code_bits, distance, layout.parts()), Some(layout));
                }
            }
        }
    }

    #[test]
    fn few_codes_are_scanned_and_more_codes_have_fewer_parts() {
        let parts = |count| HammingLayout::choose(64, 3, count, None).parts().len();
        assert_eq!([parts(10), parts(10_000_000), parts(1_000_000_000)], [0, 3, 2]);
    }
}
