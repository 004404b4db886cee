//! Minima of permutations of 64 bits. The compiler makes vector code of these loops for each instruction set.

/// Positions whose minima stay in registers over all hashes.
const GROUP: usize = 32;

/// Lowers `minima[i]` to the least `factors[i] * hash + terms[i]` modulo 2⁶⁴.
#[inline(always)]
pub(super) fn lower_wide(hashes: &[u64], factors: &[u64], terms: &[u64], minima: &mut [u64]) {
    lower_by(hashes, factors, terms, minima, |value| value);
}

/// Lowers `minima[i]` to the least low half of `(factors[i] * hash + terms[i]) mod 2⁶⁴ mod (2⁶¹ - 1)`.
#[inline(always)]
pub(super) fn lower_legacy(hashes: &[u64], factors: &[u64], terms: &[u64], minima: &mut [u32]) {
    const PRIME: u64 = (1 << 61) - 1;
    let low_half = |value: u64| {
        let folded = (value & PRIME) + (value >> 61);
        let rest = if folded >= PRIME { folded - PRIME } else { folded };
        rest & u64::from(u32::MAX)
    };
    let mut wide: Vec<u64> = minima.iter().map(|&minimum| u64::from(minimum)).collect();
    lower_by(hashes, factors, terms, &mut wide, low_half);
    minima.iter_mut().zip(wide).for_each(|(minimum, wide)| *minimum = wide as u32);
}

#[inline(always)]
fn lower_by(
    hashes: &[u64],
    factors: &[u64],
    terms: &[u64],
    minima: &mut [u64],
    finish: impl Fn(u64) -> u64 + Copy,
) {
    let value = |factor: u64, hash: u64, term: u64| finish(factor.wrapping_mul(hash).wrapping_add(term));
    let (minima, last_minima) = minima.as_chunks_mut::<GROUP>();
    let (factors, last_factors) = factors.as_chunks::<GROUP>();
    let (terms, last_terms) = terms.as_chunks::<GROUP>();
    for ((minima, factors), terms) in minima.iter_mut().zip(factors).zip(terms) {
        let mut least = *minima;
        for &hash in hashes {
            for lane in 0..GROUP {
                least[lane] = least[lane].min(value(factors[lane], hash, terms[lane]));
            }
        }
        *minima = least;
    }
    for &hash in hashes {
        for ((minimum, &factor), &term) in last_minima.iter_mut().zip(last_factors).zip(last_terms) {
            *minimum = (*minimum).min(value(factor, hash, term));
        }
    }
}
