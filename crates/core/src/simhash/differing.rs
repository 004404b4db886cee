//! The probability that a bit differs between two fingerprints.
//!
//! The bits of features behave like independent random bits. The same holds for the bits of two fingerprints, and their
//! distance is binomial. For many votes, the angle between the documents gives the probability that a bit differs.
//!
//! For few votes it does not, as these often tie. It also fails for documents that differ in few features: one more
//! feature moves the sum by one, at any angle. In these cases the votes are counted.

use crate::compare::measure::Set;
use crate::compare::verify::Overlap;
use crate::plan::Tie;
use std::f64::consts::PI;

/// Features of one document alone up to which votes are counted. Above, the angle is wrong by less than one in 1,000.
const COUNTED: u32 = 1000;

/// The effective number of weighted features from which votes are nearly normal. It is the number of equal weights that
/// would vary as much. The probability by the angle is then wrong by at most one in a hundred.
const MANY: f64 = 30.0;

/// The probability that a bit differs, for sets with this overlap.
pub(super) fn of_sets(overlap: Overlap, tie: Tie) -> f64 {
    let Overlap { common, left, right } = overlap;
    let (left, right) = (left - common, right - common);
    if left == 0 && right == 0 {
        return 0.0;
    }
    if left.max(right) > COUNTED {
        let product = f64::from(overlap.left) * f64::from(overlap.right);
        return of_angle(f64::from(common) / product.sqrt());
    }
    let (left_sets, right_sets) = (Votes::new(left, tie), Votes::new(right, tie));
    // The sums of the common votes that the other votes can outweigh, by size. Each is as likely as its negative.
    let farthest = i64::from(left.max(right)).min(i64::from(common));
    let mut differs = 0.0;
    let mut sum = i64::from(common % 2);
    let mut likely = central(common);
    while sum <= farthest {
        let both = [sum, -sum];
        for &sum in if sum == 0 { &both[..1] } else { &both } {
            let (left, right) = (left_sets.set_bit(sum), right_sets.set_bit(sum));
            differs += likely * (left * (1.0 - right) + right * (1.0 - left));
        }
        let ayes = (i64::from(common) + sum) / 2;
        likely *= (i64::from(common) - ayes) as f64 / (ayes + 1) as f64;
        sum += 2;
    }
    differs
}

/// The probability that a bit differs, for documents whose features ascend and have weights. `None` if there are too
/// few votes for the angle to decide.
pub(super) fn of_weighted(left: Set<'_>, right: Set<'_>, tie: Tie) -> Option<f64> {
    let weights: Vec<(u32, u32)> = weights(left, right).collect();
    let square =
        |of: fn(&(u32, u32)) -> u32| weights.iter().map(|pair| f64::from(of(pair)).powi(2)).sum::<f64>();
    let (left, right) = (square(|pair| pair.0).sqrt(), square(|pair| pair.1).sqrt());
    if left == 0.0 || right == 0.0 {
        return None;
    }
    let mut all = weights.iter().flat_map(|&(a, b)| [a, b]).filter(|&weight| weight > 0);
    let first = all.next();
    if all.all(|weight| Some(weight) == first) {
        let count = |has: fn(&&(u32, u32)) -> bool| weights.iter().filter(has).count() as u32;
        let overlap = Overlap {
            common: count(|pair| pair.0 > 0 && pair.1 > 0),
            left: count(|pair| pair.0 > 0),
            right: count(|pair| pair.1 > 0),
        };
        return Some(of_sets(overlap, tie));
    }
    // Unit vectors, and the number of equal votes that would vary as much.
    let of = |weigh: fn(f64, f64) -> f64| {
        let terms = weights.iter().map(|&(a, b)| weigh(f64::from(a) / left, f64::from(b) / right).powi(2));
        terms.fold((0.0, 0.0), |(sum, squares), term| (sum + term, squares + term * term))
    };
    let (difference, squares) = of(|a, b| a - b);
    if difference < 1e-18 {
        return Some(0.0);
    }
    let (sum, sum_squares) = of(|a, b| a + b);
    let many = difference * difference >= MANY * squares && sum * sum >= MANY * sum_squares;
    many.then(|| of_angle(1.0 - difference / 2.0))
}

/// The weights of every feature in the left and in the right document.
fn weights(left: Set<'_>, right: Set<'_>) -> impl Iterator<Item = (u32, u32)> {
    let (mut a, mut b) = (0, 0);
    std::iter::from_fn(move || {
        let (x, y) = (left.features.get(a), right.features.get(b));
        let of_left = x.is_some_and(|x| y.is_none_or(|y| x <= y));
        let of_right = y.is_some_and(|y| x.is_none_or(|x| y <= x));
        let weights = (if of_left { left.weight(a) } else { 0 }, if of_right { right.weight(b) } else { 0 });
        a += usize::from(of_left);
        b += usize::from(of_right);
        (of_left || of_right).then_some(weights)
    })
}

/// The probability that a bit differs, for documents of many features at an angle with this cosine.
///
/// Source: Charikar, STOC 2002, after Goemans and Williamson, 1995.
pub(super) fn of_angle(cosine: f64) -> f64 {
    cosine.clamp(-1.0, 1.0).acos() / PI
}

/// The votes of the features that only one document has.
struct Votes {
    count: i64,
    tie: Tie,
    /// The probability that at least this many of them vote for a bit.
    at_least: Vec<f64>,
}

impl Votes {
    fn new(count: u32, tie: Tie) -> Self {
        let mut at_least = vec![0.0; count as usize + 1];
        let (mut likely, mut sum) = (0.5_f64.powi(count as i32), 0.0);
        for ayes in (0..=count).rev() {
            sum += likely;
            at_least[ayes as usize] = sum;
            likely *= f64::from(ayes) / f64::from(count - ayes + 1);
        }
        Votes { count: i64::from(count), tie, at_least }
    }

    /// The probability that a bit is set, if the votes of the other features sum up to `others`.
    fn set_bit(&self, others: i64) -> f64 {
        let least = match self.tie {
            Tie::Zero => 1,
            Tie::One => 0,
        };
        // The least number of votes for the bit, such that others + 2 · ayes − count ≥ least.
        let needed = (least - others + self.count + 1).div_euclid(2);
        match usize::try_from(needed) {
            Ok(needed) => self.at_least.get(needed).copied().unwrap_or(0.0),
            Err(_) => 1.0,
        }
    }
}

/// The probability that the votes of `count` features sum up to 0, or to 1 if their number is odd.
fn central(count: u32) -> f64 {
    let half = f64::from(count.div_ceil(2));
    if half <= 64.0 {
        return (1..=half as u32).map(|k| 1.0 - 0.5 / f64::from(k)).product();
    }
    // Stirling's series, to 12 digits.
    let inverse = 1.0 / half;
    let series = 1.0
        + inverse * (-0.125 + inverse * (0.007_812_5 + inverse * (5.0 / 1024.0 - inverse * 21.0 / 32768.0)));
    series / (PI * half).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enumerates all ways in which the features can vote.
    fn enumerated(left: &[u32], right: &[u32], tie: Tie) -> f64 {
        let votes = 1_u32 << left.len();
        let is_set = |weights: &[u32], ayes: u32| {
            let of = |(place, &weight): (usize, &u32)| {
                if ayes >> place & 1 == 1 { i64::from(weight) } else { -i64::from(weight) }
            };
            let sum: i64 = weights.iter().enumerate().map(of).sum();
            sum > 0 || sum == 0 && tie == Tie::One
        };
        (0..votes).filter(|&ayes| is_set(left, ayes) != is_set(right, ayes)).count() as f64 / f64::from(votes)
    }

    #[test]
    fn the_result_for_few_features_equals_the_enumeration_of_votes() {
        for tie in [Tie::Zero, Tie::One] {
            for (common, left, right) in (0..6).flat_map(|common| {
                (0..5).flat_map(move |left| (0..5).map(move |right| (common, left, right)))
            }) {
                let weights = |own: std::ops::Range<u32>| -> Vec<u32> {
                    (0..common + left + right).map(|k| u32::from(k < common || own.contains(&k))).collect()
                };
                let all = enumerated(
                    &weights(common..common + left),
                    &weights(common + left..common + left + right),
                    tie,
                );
                let overlap = Overlap { common, left: common + left, right: common + right };
                assert!((of_sets(overlap, tie) - all).abs() < 1e-12, "{overlap:?} {tie:?}");
            }
        }
    }

    #[test]
    fn the_angle_decides_for_many_features_and_not_for_one_more() {
        let of =
            |common, own| of_sets(Overlap { common, left: common + own, right: common + own }, Tie::Zero);
        for (common, own) in [(2000, 500), (9000, 1000)] {
            let angle = of_angle(f64::from(common) / f64::from(common + own));
            assert!((of(common, own) / angle - 1.0).abs() < 2e-3, "{common} {own}");
        }
        assert!((of(9000, 1000) / of(9000, 1001) - 1.0).abs() < 2e-3, "counted or not");
        let more = of_sets(Overlap { common: 100, left: 100, right: 101 }, Tie::Zero);
        assert!((more / of_angle((100_f64 / 101.0).sqrt()) - 1.25).abs() < 0.01, "{more}");
    }

    #[test]
    fn central_sums_are_the_same_by_the_product_and_by_the_series() {
        let exact = |half: u32| (1..=half).map(|k| 1.0 - 0.5 / f64::from(k)).product::<f64>();
        for half in [65, 100, 1000] {
            assert!((central(2 * half) / exact(half) - 1.0).abs() < 1e-11);
            assert_eq!(central(2 * half - 1), central(2 * half));
        }
    }

    fn of_lists(left: &[u32], right: &[u32]) -> Option<f64> {
        let features: Vec<u64> = (0..left.len() as u64).collect();
        let set = |weights| Set { features: &features, weights };
        of_weighted(set(left), set(right), Tie::Zero)
    }

    #[test]
    fn features_without_a_weight_weigh_one() {
        assert_eq!(of_lists(&[2, 2, 2], &[]), Some(0.0));
        assert_eq!(of_lists(&[7, 7, 7], &[7]), of_lists(&[7, 7, 7], &[7, 1, 1]));
    }

    #[test]
    fn few_weights_give_no_result_unless_all_are_equal() {
        assert_eq!(of_lists(&[1, 2, 3], &[1, 2, 0]), None);
        assert_eq!(of_lists(&[1, 2, 3], &[2, 4, 6]), Some(0.0));
        let (left, right) = ([7, 7, 7, 7, 0], [7, 7, 7, 7, 7]);
        assert_eq!(of_lists(&left, &right), Some(enumerated(&left, &right, Tie::Zero)));
        let many =
            |shift: u32| -> Vec<u32> { (0..500).map(|place| 100 + (place * 37 + shift) % 50).collect() };
        assert!(of_lists(&many(0), &many(20)).is_some());
    }
}
