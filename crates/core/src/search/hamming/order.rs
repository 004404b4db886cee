//! The order of bits: the bits that distinguish codes best choose the buckets.
//!
//! In real codes, few bits are set in exactly half of the codes, and some are set in nearly all. Distances do not
//! depend on the order of bits. Each layer therefore has its own order, based on a sample of its codes.

use super::layout::{HammingLayout, bucket_bits};
use crate::simd::hamming::Code;

/// Codes in the sample. The share of codes with a given bit is then known to 0.008.
const SAMPLE: usize = 4096;
/// A bit is called even if its share is closer to one half than this, which is six standard errors. Fewer codes than
/// the sample are not reordered.
const EVEN: f64 = 0.05;

/// For each bit, from the lowest, the logarithm to base 2 of the probability that two codes agree in it. It is -1 for
/// an even bit.
///
/// `code` returns each of the `count` codes by its number.
pub(crate) fn agreements<C: Code>(count: usize, code: impl Fn(usize) -> C) -> Option<Vec<f64>> {
    if count < SAMPLE {
        return None;
    }
    let step = count / SAMPLE;
    let sample: Vec<C> = (0..SAMPLE).map(|number| code(number * step)).collect();
    let set = |bit: u32| {
        let set = sample.iter().filter(|&&code| code & C::bit(bit) != C::default());
        set.count() as f64 / SAMPLE as f64
    };
    let shares: Vec<f64> = (0..C::BITS).map(set).collect();
    if shares.iter().all(|share| (share - 0.5).abs() < EVEN) {
        return None;
    }
    Some(shares.iter().map(|share| (share * share + (1.0 - share) * (1.0 - share)).log2()).collect())
}

/// An order of bits, and its inverse.
#[derive(Clone, Debug)]
pub(crate) struct Order<C> {
    forth: Vec<[C; 256]>,
    back: Vec<[C; 256]>,
}

impl<C: Code> Order<C> {
    /// The order for `layout` among `count` codes. The best bits choose buckets, and all parts get equally good ones.
    pub(crate) fn new(layout: &HammingLayout, agreements: &[f64], count: usize) -> Self {
        let mut best: Vec<u32> = (0..C::BITS).collect();
        best.sort_by(|&a, &b| agreements[a as usize].total_cmp(&agreements[b as usize]));
        let mut best = best.into_iter();
        let mut parts: Vec<Vec<u32>> = vec![Vec::new(); layout.parts().len()];
        let wanted: Vec<usize> =
            layout.parts().iter().map(|part| bucket_bits(part.bits, count) as usize).collect();
        while let Some(part) =
            (0..parts.len()).filter(|&part| parts[part].len() < wanted[part]).max_by(|&a, &b| {
                // The part whose bits agree most often by chance is next.
                let agree =
                    |part: usize| parts[part].iter().map(|&bit| agreements[bit as usize]).sum::<f64>();
                agree(a).total_cmp(&agree(b)).then(b.cmp(&a))
            })
        {
            parts[part].extend(best.next());
        }
        for (bits, part) in parts.iter_mut().zip(layout.parts()) {
            let missing = part.bits as usize - bits.len();
            bits.extend(best.by_ref().take(missing));
        }
        let places: Vec<u32> = parts.into_iter().flatten().chain(best).collect();
        let moves = || (0..C::BITS).rev().zip(&places);
        Order {
            forth: tables(moves().map(|(to, &from)| (from, to))),
            back: tables(moves().map(|(to, &from)| (to, from))),
        }
    }

    /// Puts the bits of a code in this order.
    #[inline(always)]
    pub(crate) fn apply(&self, code: C) -> C {
        moved(&self.forth, code)
    }

    /// Restores the code whose reordered form is `code`.
    pub(crate) fn undo(&self, code: C) -> C {
        moved(&self.back, code)
    }

    /// The memory that the order takes.
    pub(crate) fn bytes(&self) -> usize {
        (self.forth.len() + self.back.len()) * size_of::<[C; 256]>()
    }
}

/// The moved bits for every byte of a code and each of its values.
fn tables<C: Code>(moves: impl Iterator<Item = (u32, u32)>) -> Vec<[C; 256]> {
    let mut tables = vec![[C::default(); 256]; (C::BITS / 8) as usize];
    for (from, to) in moves {
        for (byte, moved) in tables[(from / 8) as usize].iter_mut().enumerate() {
            if byte >> (from % 8) & 1 == 1 {
                *moved = *moved | C::bit(to);
            }
        }
    }
    tables
}

#[inline(always)]
fn moved<C: Code>(tables: &[[C; 256]], code: C) -> C {
    let bytes = (0..).step_by(8).zip(tables);
    bytes.fold(C::default(), |moved, (at, table)| moved | table[(code >> at).low() as usize & 255])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;

    fn comes_back<C: Code>(code: impl Fn(u64, u64) -> C) {
        let mut generator = SplitMix64(3);
        let agreements: Vec<f64> =
            (0..C::BITS).map(|_| -(generator.next() as f64 / u64::MAX as f64)).collect();
        for (distance, count) in [(3, 10), (3, 10_000_000), (7, 1_000_000)] {
            let layout = HammingLayout::choose(C::BITS, distance, count, None);
            let order = Order::<C>::new(&layout, &agreements, count);
            for _ in 0..50 {
                let [a, b] = [(); 2].map(|()| code(generator.next(), generator.next()));
                assert_eq!(order.undo(order.apply(a)), a);
                assert_eq!(order.apply(a).distance(order.apply(b)), a.distance(b));
            }
        }
    }

    #[test]
    fn order_keeps_distances_and_can_be_undone() {
        comes_back(|low, _| low);
        comes_back(|low, high| u128::from(low) | u128::from(high) << 64);
    }
}
