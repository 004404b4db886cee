//! Signatures of a set of features.
//!
//! Both schemes take features in any order and with any repetitions, as each position holds a minimum. In both, the
//! signature of a union is the element-wise minimum of the signatures.

use crate::shingles::{high, low};

/// The value at every position of the signature of a document without features.
pub const EMPTY: u32 = u32::MAX;

/// Rounds of [`bucketed`] before a position falls back on its classic value.
///
/// Four tags fit into two bits: above the 29 bits of a value, and below the bit that marks the fallback.
pub const ROUNDS: usize = 4;

/// The pseudo-random number generator of all parameters.
///
/// Source: Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator whose state is the seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// The map `x ↦ multiplier · x + increment` modulo 2^32. It is a bijection, as the multiplier is odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine {
    /// An odd number.
    pub multiplier: u32,
    /// Any number.
    pub increment: u32,
}

impl Affine {
    /// Takes the next two numbers of the generator: their low 32 bits, the first made odd.
    fn draw(random: &mut SplitMix64) -> Self {
        let multiplier = random.next_u64() as u32 | 1;
        let increment = random.next_u64() as u32;
        Self { multiplier, increment }
    }

    /// The image of `x`.
    pub fn apply(self, x: u32) -> u32 {
        self.multiplier.wrapping_mul(x).wrapping_add(self.increment)
    }
}

/// The maps by which a later round of [`bucketed`] chooses a position and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// Maps the high half of a feature to its position.
    pub bin: Affine,
    /// Maps the low half of a feature to its value.
    pub value: Affine,
}

/// All numbers that a signature depends on, except the features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Rounds 1, 2 and 3 of [`bucketed`], in this order. Round 0 needs no maps.
    pub rounds: [Round; ROUNDS - 1],
    /// One map for each of the `num_perm` positions.
    pub positions: Vec<Affine>,
}

impl Parameters {
    /// The parameters for a seed. The maps of each round (bin, then value) are drawn first, and then the positions in
    /// order.
    ///
    /// A longer signature therefore starts with the parameters of a shorter one.
    ///
    /// # Panics
    /// If `num_perm` is 0.
    pub fn new(seed: u64, num_perm: usize) -> Self {
        assert!(num_perm > 0, "a signature has at least one position");
        let mut random = SplitMix64::new(seed);
        let rounds = std::array::from_fn(|_| {
            let bin = Affine::draw(&mut random);
            let value = Affine::draw(&mut random);
            Round { bin, value }
        });
        let positions = (0..num_perm).map(|_| Affine::draw(&mut random)).collect();
        Self { rounds, positions }
    }
}

/// The classic MinHash signature: at each position, the least image of the low halves under its map.
///
/// Source: Broder, "On the resemblance and containment of documents", 1997.
pub fn classic(features: &[u64], parameters: &Parameters) -> Vec<u32> {
    let least = |map: &Affine| features.iter().map(|&x| map.apply(low(x))).min().unwrap_or(EMPTY);
    parameters.positions.iter().map(least).collect()
}

/// The bucketed MinHash signature: Fast Similarity Sketching, stopped after [`ROUNDS`] rounds.
///
/// In each round, every feature falls into one position with one value. Values of an earlier round are less than values
/// of a later one. A position holds the least value that fell into it. A position that stayed empty holds half of its
/// classic value with the top bit set, which is more than any value of a round.
///
/// A position is thus the least `(round, value)` over the features. The classic value acts as a round of its own, in
/// which every feature falls into every position. For this reason, signatures merge by their element-wise minimum here
/// as well.
///
/// Source: Dahlgaard, Knudsen & Thorup, "Fast similarity sketching", FOCS 2017.
pub fn bucketed(features: &[u64], parameters: &Parameters) -> Vec<u32> {
    let num_perm = parameters.positions.len();
    if features.is_empty() {
        return vec![EMPTY; num_perm];
    }
    let mut filled: Vec<Option<u32>> = vec![None; num_perm];
    for round in 0..ROUNDS {
        for &feature in features {
            let (bin_hash, value_hash) = match round {
                0 => (high(feature), low(feature)),
                _ => {
                    let Round { bin, value } = parameters.rounds[round - 1];
                    (bin.apply(high(feature)), value.apply(low(feature)))
                }
            };
            let position = scale(bin_hash, num_perm);
            let value = (round as u32) << 29 | value_hash >> 3;
            filled[position] = Some(filled[position].map_or(value, |least| least.min(value)));
        }
    }
    let fallback = classic(features, parameters);
    filled.iter().zip(fallback).map(|(value, classic)| value.unwrap_or(0x8000_0000 | classic >> 1)).collect()
}

/// A position below `num_perm` from a hash, all equally likely: `hash / 2^32 · num_perm`, rounded down.
fn scale(hash: u32, num_perm: usize) -> usize {
    ((u64::from(hash) * num_perm as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_features(seed: u64, count: usize) -> Vec<u64> {
        let mut random = SplitMix64::new(seed);
        (0..count).map(|_| random.next_u64()).collect()
    }

    /// The outputs for this seed that Rosetta Code, "Pseudo-random numbers/Splitmix64", publishes.
    #[test]
    fn splitmix64_gives_its_published_numbers() {
        let mut random = SplitMix64::new(1_234_567);
        let numbers: [u64; 5] = std::array::from_fn(|_| random.next_u64());
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers, published);
    }

    #[test]
    fn each_parameter_takes_one_number_in_the_documented_order() {
        let mut random = SplitMix64::new(42);
        let numbers: Vec<u32> = (0..16).map(|_| random.next_u64() as u32).collect();
        let parameters = Parameters::new(42, 2);
        assert_eq!(parameters.rounds[0].bin, Affine { multiplier: numbers[0] | 1, increment: numbers[1] });
        assert_eq!(parameters.rounds[0].value, Affine { multiplier: numbers[2] | 1, increment: numbers[3] });
        assert_eq!(
            parameters.rounds[2].value,
            Affine { multiplier: numbers[10] | 1, increment: numbers[11] }
        );
        assert_eq!(parameters.positions[1], Affine { multiplier: numbers[14] | 1, increment: numbers[15] });
    }

    #[test]
    fn a_longer_signature_starts_with_the_parameters_of_a_shorter_one() {
        assert_eq!(Parameters::new(7, 256).positions[..64], Parameters::new(7, 64).positions);
    }

    #[test]
    fn a_document_without_features_has_all_ones() {
        let parameters = Parameters::new(0, 100);
        assert_eq!(classic(&[], &parameters), [u32::MAX; 100]);
        assert_eq!(bucketed(&[], &parameters), [u32::MAX; 100]);
    }

    #[test]
    fn one_feature_fills_one_position_per_round() {
        let parameters = Parameters::new(0, 128);
        // The high half 2^31 is half of the range: position 64 of 128. The low half is 8 · 5: value 5 in round 0.
        let signature = bucketed(&[0x8000_0000_0000_0028], &parameters);
        assert_eq!(signature[64], 5);
        let by_rounds = signature.iter().filter(|&&value| value < 0x8000_0000).count();
        assert!((1..=ROUNDS).contains(&by_rounds));
        let classic = classic(&[0x8000_0000_0000_0028], &parameters);
        let fallen_back = signature.iter().zip(classic).filter(|&(&value, c)| value == 0x8000_0000 | c >> 1);
        assert_eq!(fallen_back.count(), 128 - by_rounds);
    }

    #[test]
    fn a_large_set_fills_every_position_in_round_zero() {
        let signature = bucketed(&random_features(1, 20_000), &Parameters::new(0, 128));
        assert!(signature.iter().all(|&value| value < 1 << 29));
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let parameters = Parameters::new(3, 64);
        let features = random_features(2, 50);
        let mut shuffled: Vec<u64> = features.iter().rev().chain(&features[..20]).copied().collect();
        shuffled.rotate_left(13);
        assert_eq!(classic(&features, &parameters), classic(&shuffled, &parameters));
        assert_eq!(bucketed(&features, &parameters), bucketed(&shuffled, &parameters));
    }

    #[test]
    fn merge_equals_sketch_of_union() {
        let parameters = Parameters::new(0, 128);
        for (left, right) in [(0, 3), (1, 1), (5, 40), (100, 2), (300, 700)] {
            let (a, b) = (random_features(10, left), random_features(11, right));
            let union = [a.clone(), b.clone()].concat();
            for sketch in [classic, bucketed] {
                let (of_a, of_b) = (sketch(&a, &parameters), sketch(&b, &parameters));
                let merged: Vec<u32> = of_a.iter().zip(&of_b).map(|(x, y)| *x.min(y)).collect();
                assert_eq!(merged, sketch(&union, &parameters));
            }
        }
    }

    /// The share of equal positions is the Jaccard similarity within four standard errors. Here it is 1/3 and 9/11.
    #[test]
    fn equal_positions_estimate_jaccard() {
        let (num_perm, trials) = (128, 50);
        for (shared, own) in [(20, 20), (180, 20), (50, 50), (9, 1)] {
            let jaccard = shared as f64 / (shared + 2 * own) as f64;
            for sketch in [classic, bucketed] {
                let mut equal = 0;
                for seed in 0..trials {
                    let parameters = Parameters::new(seed, num_perm);
                    let features = random_features(1000 + seed, shared + 2 * own);
                    let a = sketch(&features[..shared + own], &parameters);
                    let b: Vec<u64> = [&features[..shared], &features[shared + own..]].concat();
                    equal += a.iter().zip(sketch(&b, &parameters)).filter(|&(x, y)| *x == y).count();
                }
                let samples = (num_perm as u64 * trials) as f64;
                let error = (equal as f64 / samples - jaccard).abs();
                assert!(error < 4.0 * (jaccard * (1.0 - jaccard) / samples).sqrt(), "{error} at {jaccard}");
            }
        }
    }
}
