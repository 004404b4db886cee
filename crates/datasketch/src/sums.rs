//! Sums as numpy adds them, so that they are equal in all bits.

/// The sum in the order of numpy: eight sums over at most 128 numbers, and halves above that.
pub(crate) fn pairwise_sum(numbers: &[f64]) -> f64 {
    let count = numbers.len();
    if count < 8 {
        return numbers.iter().fold(-0.0, |sum, number| sum + number);
    }
    if count <= 128 {
        let (groups, rest) = numbers.as_chunks::<8>();
        let mut sums = groups[0];
        for group in &groups[1..] {
            sums.iter_mut().zip(group).for_each(|(sum, number)| *sum += number);
        }
        let [a, b, c, d, e, f, g, h] = sums;
        let sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
        return rest.iter().fold(sum, |sum, number| sum + number);
    }
    let half = count / 2 - count / 2 % 8;
    pairwise_sum(&numbers[..half]) + pairwise_sum(&numbers[half..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_their_exact_sum() {
        for count in [0, 1, 7, 8, 9, 127, 128, 129, 1000, 4097] {
            let numbers: Vec<f64> = (0..count).map(f64::from).collect();
            assert_eq!(pairwise_sum(&numbers), numbers.iter().sum::<f64>(), "{count}");
        }
    }

    /// `numpy.add.reduce(1 / numpy.arange(1, count + 1))` of numpy 2.4. Added one after the other, a thousand end in `e618`.
    #[test]
    fn rounding_is_that_of_numpy() {
        for (count, bits) in
            [(7_u32, 0x4004_be2b_e2be_2be2), (100, 0x4014_bfdf_e459_1243), (1000, 0x401d_f11f_45f4_e61a)]
        {
            let numbers: Vec<f64> = (1..=count).map(|number| 1.0 / f64::from(number)).collect();
            assert_eq!(pairwise_sum(&numbers).to_bits(), bits, "{count}");
        }
    }
}
