use super::counts::share;
use super::pairs::Pair;

/// The kind of values that pairs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Similarities from 0 to 1. Greater is closer.
    Similarity,
    /// Numbers of different bits of fingerprints. Less is closer.
    Distance,
}

/// The pairs of one account by their values, with the number of pairs in each bin that the other account has as well.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// Bins without a gap, starting at the least similarity or at distance 0. Empty if no pair has a value.
    pub bins: Vec<Bin>,
    /// Pairs without a value, or with a value outside of the scale.
    pub outside: u64,
}

/// A bin of pairs with about the same value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The least value.
    pub from: f64,
    /// The upper bound, which is not in the bin. Equal to `from` if the bin has one value.
    pub to: f64,
    /// Pairs of this account.
    pub pairs: u64,
    /// Pairs of this account that the other account has as well.
    pub agreed: u64,
}

/// Bins of similarities below 1. A further bin is for 1 alone: copies are many and easily found, and would hide close
/// pairs.
const SIMILARITY_BINS: usize = 20;

/// Similarities are printed with six decimals, and are binned as printed.
const MILLION: f64 = 1e6;

/// The number of bits of the longest fingerprint.
const MOST_BITS: usize = 128;

impl Bin {
    /// The share of the pairs that the other account has as well. `None` if there are no pairs.
    pub fn share(&self) -> Option<f64> {
        share(self.agreed, self.pairs)
    }
}

impl Histogram {
    /// The histogram of `pairs` with values of this scale. `agrees` says whether the other account has a pair.
    pub fn new(pairs: &[Pair], scale: Scale, agrees: impl Fn(&Pair) -> bool) -> Self {
        let mut histogram = Histogram { bins: scale.bins(), outside: 0 };
        for pair in pairs {
            match pair.value.and_then(|value| scale.bin(f64::from(value))) {
                Some(bin) => {
                    let bin = &mut histogram.bins[bin];
                    bin.pairs += 1;
                    bin.agreed += u64::from(agrees(pair));
                }
                None => histogram.outside += 1,
            }
        }
        let occupied = |bin: &Bin| bin.pairs > 0;
        let (first, last) =
            (histogram.bins.iter().position(occupied), histogram.bins.iter().rposition(occupied));
        histogram.bins = match (first, last, scale) {
            (Some(first), _, Scale::Similarity) => histogram.bins.split_off(first),
            (_, Some(last), Scale::Distance) => histogram.bins[..=last].to_vec(),
            _ => Vec::new(),
        };
        histogram
    }
}

impl Scale {
    fn bins(self) -> Vec<Bin> {
        let bin = |from: f64, to: f64| Bin { from, to, pairs: 0, agreed: 0 };
        match self {
            Scale::Similarity => {
                let edge = |index: usize| index as f64 / SIMILARITY_BINS as f64;
                (0..=SIMILARITY_BINS).map(|index| bin(edge(index), edge(index + 1).min(1.0))).collect()
            }
            Scale::Distance => (0..=MOST_BITS).map(|bits| bin(bits as f64, bits as f64)).collect(),
        }
    }

    fn bin(self, value: f64) -> Option<usize> {
        match self {
            Scale::Similarity => {
                let millionths = (value * MILLION).round();
                let inside = (0.0..=MILLION).contains(&millionths);
                inside.then(|| millionths as usize / (MILLION as usize / SIMILARITY_BINS))
            }
            Scale::Distance => {
                let inside = (0.0..=MOST_BITS as f64).contains(&value) && value.fract() == 0.0;
                inside.then_some(value as usize)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[Option<f32>], scale: Scale) -> Histogram {
        let pairs: Vec<Pair> = (0..).zip(values).map(|(a, &value)| Pair { a, b: 1000, value }).collect();
        Histogram::new(&pairs, scale, |pair| pair.a % 2 == 0)
    }

    #[test]
    fn a_similarity_at_an_edge_is_in_the_bin_above() {
        for index in 0..=SIMILARITY_BINS {
            let histogram = of(&[Some((index as f64 / 20.0) as f32)], Scale::Similarity);
            let first = histogram.bins[0];
            assert_eq!((first.from, first.pairs), (index as f64 / 20.0, 1));
            assert_eq!(histogram.bins.len(), SIMILARITY_BINS + 1 - index);
        }
    }

    #[test]
    fn bins_go_from_the_least_similarity_to_one_without_a_gap() {
        let histogram =
            of(&[Some(0.999999), Some(1.0), Some(0.84), None, Some(1.5), Some(1.0)], Scale::Similarity);
        let found: Vec<_> =
            histogram.bins.iter().map(|bin| (bin.from, bin.to, bin.pairs, bin.agreed)).collect();
        assert_eq!(
            found,
            [(0.8, 0.85, 1, 1), (0.85, 0.9, 0, 0), (0.9, 0.95, 0, 0), (0.95, 1.0, 1, 1), (1.0, 1.0, 2, 0)]
        );
        assert_eq!((histogram.outside, histogram.bins[1].share()), (2, None));
    }

    #[test]
    fn every_distance_up_to_the_greatest_has_a_bin() {
        let histogram = of(&[Some(3.0), Some(1.0), Some(2.5), Some(129.0), Some(-1.0)], Scale::Distance);
        let found: Vec<_> = histogram.bins.iter().map(|bin| (bin.from, bin.pairs, bin.agreed)).collect();
        assert_eq!(found, [(0.0, 0, 0), (1.0, 1, 0), (2.0, 0, 0), (3.0, 1, 1)]);
        assert_eq!(histogram.outside, 3);
        assert_eq!(of(&[None], Scale::Distance), Histogram { bins: vec![], outside: 1 });
    }
}
