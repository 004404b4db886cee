//! Into which parts codes are cut, and how far from each part of a query one has to look.

/// A part of the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// How many bits.
    pub bits: u32,
    /// In how many of them a bucket that is looked into may differ from the query.
    pub tau: u32,
}

/// Parts, from the uppermost bits down, such that any two codes within a distance `k` differ in at most `tau` bits in at
/// least one part: the sum of `tau + 1` is `k + 1`, or else more than `k` bits would differ.
///
/// Without parts, all codes are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    parts: Vec<Part>,
}

/// More parts than these cost more memory, some five bytes a code each, than they save time.
const PARTS: u32 = 4;

/// Nanoseconds to look into a bucket: a line of the directory and one of codes, several under way. This and the next
/// three are estimates, in which the layouts of random codes come out in the order in which they were measured
/// (bench/results/2026-11-22-hamming.md).
const LOOK: f64 = 14.0;
/// Nanoseconds to compare a code that lies in its bucket; eight lie in a line.
const NEXT: f64 = 0.7;
/// Nanoseconds to fetch a code from elsewhere.
const FETCH: f64 = 9.0;
/// Nanoseconds to compare a code of a plain scan.
const SCAN: f64 = 0.5;

impl Layout {
    /// The fastest layout for `count` codes of `code_bits` bits and queries up to `distance`.
    ///
    /// `agreements` are, by bit, logarithms to base 2 of the chance that two codes agree in it; without, codes are taken
    /// for random.
    pub(crate) fn choose(code_bits: u32, distance: u32, count: usize, agreements: Option<&[f64]>) -> Self {
        let mut sums = vec![0.0];
        let mut sorted = agreements.map_or_else(|| vec![-1.0; code_bits as usize], <[f64]>::to_vec);
        sorted.sort_by(f64::total_cmp);
        sums.extend(sorted.iter().scan(0.0, |sum, agreement| {
            *sum += agreement;
            Some(*sum)
        }));
        let mut best = (count as f64 * SCAN, Layout::default());
        for layout in Self::all(code_bits, distance) {
            let nanoseconds = layout.nanoseconds(count, &sums);
            if nanoseconds < best.0 {
                best = (nanoseconds, layout);
            }
        }
        best.1
    }

    /// The layout of `parts`; `None` if they are not `code_bits` bits together, or if codes within `distance` might differ
    /// too much in all of them. No parts fit always: all codes are looked at.
    pub fn of_parts(code_bits: u32, distance: u32, parts: &[Part]) -> Option<Self> {
        let sound = |part: &Part| (1..=code_bits).contains(&part.bits) && part.tau <= distance;
        let fits = parts.iter().all(sound)
            && parts.iter().map(|part| part.bits).sum::<u32>() == code_bits
            && parts.iter().map(|part| part.tau + 1).sum::<u32>() == distance + 1;
        (parts.is_empty() || fits).then(|| Layout { parts: parts.to_vec() })
    }

    /// The parts, from the uppermost bits down.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Layouts worth a thought: the looks spread evenly, and parts that are looked at further made wider.
    fn all(code_bits: u32, distance: u32) -> impl Iterator<Item = Self> {
        (1..=PARTS.min(distance + 1)).flat_map(move |count| {
            let (tau, more) = ((distance + 1 - count) / count, (distance + 1 - count) % count);
            let wider = if more == 0 { 0 } else { 16 };
            (0..=wider).filter_map(move |extra| {
                let rest = code_bits.checked_sub(more * extra)?;
                let bits = |part: u32| rest / count + u32::from(part < rest % count);
                let part = |part| {
                    let first = u32::from(part < more);
                    Part { bits: bits(part) + first * extra, tau: tau + first }
                };
                Layout::of_parts(code_bits, distance, &(0..count).map(part).collect::<Vec<_>>())
            })
        })
    }

    /// What a query takes among `count` codes; `sums[n]` is what the best `n` bits agree in.
    fn nanoseconds(&self, count: usize, sums: &[f64]) -> f64 {
        let bits: Vec<u32> = self.parts.iter().map(|part| bucket_bits(part.bits, count)).collect();
        let all: u32 = bits.iter().sum();
        // Checks are bits by which other parts choose buckets.
        let checks = (f64::from(check_bits(count)) * -sums[all as usize] / f64::from(all)).round() as u32;
        let costs = (0..).zip(&self.parts).zip(&bits).map(|((index, part), &bits)| {
            // The best bits choose buckets, and every part has its share of them.
            let agreement = sums[all as usize] * f64::from(bits) / f64::from(all);
            nanoseconds(index, bits, part.tau, checks, count as f64 * agreement.exp2())
        });
        costs.sum()
    }
}

/// How many bits of a part choose the bucket: two to four codes a bucket, so that a directory takes one to two bytes a
/// code.
pub(crate) fn bucket_bits(part_bits: u32, count: usize) -> u32 {
    part_bits.min(count.max(4).ilog2() - 1)
}

/// What it takes to look up to `tau` bits around a query in part `index`, in `2^bits` buckets of `size` codes, as a code
/// finds them, with `checks` bits to check places by.
pub(crate) fn nanoseconds(index: usize, bits: u32, tau: u32, checks: u32, size: f64) -> f64 {
    let fetched = if index == 0 { 0.0 } else { passing(checks, 3) * FETCH };
    ball(bits, tau) * (LOOK + size * (NEXT + fetched))
}

/// How many bits of a place are left for a check, among `count` codes.
pub(crate) fn check_bits(count: usize) -> u32 {
    32 - count.max(2).next_power_of_two().ilog2()
}

/// How many numbers of `bits` bits differ from one in at most `tau` bits.
pub(crate) fn ball(bits: u32, tau: u32) -> f64 {
    let mut chosen = 1.0;
    let mut sum = 1.0;
    for count in 1..=tau.min(bits) {
        chosen *= f64::from(bits - count + 1) / f64::from(count);
        sum += chosen;
    }
    sum
}

/// Of random numbers of `bits` bits, the share within `distance` of one.
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
                    let layout = Layout::choose(code_bits, distance, count, None);
                    assert_eq!(Layout::of_parts(code_bits, distance, layout.parts()), Some(layout));
                }
            }
        }
    }

    #[test]
    fn few_codes_are_scanned_and_more_codes_are_cut_into_fewer_parts() {
        let parts = |count| Layout::choose(64, 3, count, None).parts().len();
        assert_eq!([parts(10), parts(10_000_000), parts(1_000_000_000)], [0, 3, 2]);
    }
}
