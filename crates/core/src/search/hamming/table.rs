//! The table of one part: for each bucket, the codes of a layer that are in it.
//!
//! The codes of a layer are sorted, so buckets of the top part are runs of codes. A table of another part holds places
//! of codes, grouped by bucket. Above the bits of a place, an entry keeps the first bits of the next part. They
//! separate codes best, so few codes are fetched that do not match.

use super::layout::{self, CodePart};
use crate::simd::hamming::Code;

#[derive(Clone, Debug)]
pub(crate) struct PartTable {
    /// The number of bits by which a code is rotated to bring its part to the top.
    rotation: u32,
    /// The rotation for the next part, whose bits are the check bits.
    next: u32,
    bucket_bits: u32,
    /// The start of each bucket, and the end of the last one.
    starts: Vec<u32>,
    /// Places with check bits. Empty in the table of the top part.
    entries: Vec<u32>,
    check_bits: u32,
    /// Bits to flip in a bucket's number to get its neighbours: none first, then one bit, then two, and so on.
    flips: Vec<u32>,
    /// The average number of codes in the bucket of a code.
    size: f64,
}

impl PartTable {
    /// The table of `part` over sorted codes. The part's top bit comes after `above` bits.
    pub(crate) fn new<C: Code>(codes: &[C], above: u32, part: CodePart) -> Self {
        let bucket_bits = layout::bucket_bits(part.bits, codes.len());
        let mut table = PartTable {
            rotation: above,
            next: above + part.bits,
            bucket_bits,
            starts: vec![0; (1 << bucket_bits) + 1],
            entries: Vec::new(),
            check_bits: if above == 0 { 0 } else { layout::check_bits(codes.len()) },
            flips: flips(bucket_bits, part.tau),
            size: 0.0,
        };
        for &code in codes {
            let bucket = table.bucket(code) as usize;
            table.starts[bucket + 1] += 1;
        }
        let squares: f64 = table.starts.iter().map(|&size| f64::from(size) * f64::from(size)).sum();
        table.size = squares / codes.len().max(1) as f64;
        for index in 1..table.starts.len() {
            table.starts[index] += table.starts[index - 1];
        }
        if above > 0 {
            table.fill(codes);
        }
        table
    }

    fn fill<C: Code>(&mut self, codes: &[C]) {
        let mut next = self.starts.clone();
        self.entries = vec![0; codes.len()];
        for (place, &code) in (0_u32..).zip(codes) {
            let next = &mut next[self.bucket(code) as usize];
            self.entries[*next as usize] = self.check(code) | place;
            *next += 1;
        }
    }

    /// The number of the code's bucket.
    #[inline(always)]
    pub(crate) fn bucket<C: Code>(&self, code: C) -> u32 {
        code.rotated(self.rotation).top(self.bucket_bits) as u32
    }

    /// The check bits of the code, at their position in an entry.
    #[inline(always)]
    pub(crate) fn check<C: Code>(&self, code: C) -> u32 {
        let check = code.rotated(self.next).top(self.check_bits) as u32;
        if self.check_bits == 0 { 0 } else { check << self.place_bits() }
    }

    /// The number of bits in an entry that hold the place.
    pub(crate) fn place_bits(&self) -> u32 {
        32 - self.check_bits
    }

    /// The bits to flip in a bucket's number to get all buckets within `tau` bits.
    pub(crate) fn flips(&self, tau: u32) -> &[u32] {
        &self.flips[..layout::ball(self.bucket_bits, tau) as usize]
    }

    /// The start of each bucket's entries, and the end of the last ones.
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// All entries. Empty in the table of the top part, in which starts are places.
    pub(crate) fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// Whether a query looks into the bucket of a code that differs from it by `differing`.
    #[inline(always)]
    pub(crate) fn reaches<C: Code>(&self, differing: C, tau: u32) -> bool {
        self.bucket(differing).count_ones() <= tau
    }

    /// The time to look up to `tau` bits around a query, if this is table `index` of a layer.
    pub(crate) fn nanoseconds(&self, index: usize, tau: u32) -> f64 {
        layout::nanoseconds(index, self.bucket_bits, tau, self.check_bits, self.size)
    }

    /// The memory that the table takes.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.starts.capacity() + self.entries.capacity() + self.flips.capacity())
    }
}

/// The numbers of `bits` bits with at most `tau` bits set, in ascending order of set bits.
fn flips(bits: u32, tau: u32) -> Vec<u32> {
    let mut flips = vec![0];
    let mut start = 0;
    for _ in 0..tau.min(bits) {
        let end = flips.len();
        for index in start..end {
            // Only bits below the lowest set one are added, so every number comes once.
            let flip: u32 = flips[index];
            flips.extend((0..flip.trailing_zeros().min(bits)).map(|bit| flip | 1 << bit));
        }
        start = end;
    }
    flips
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_are_all_numbers_with_few_set_bits() {
        for bits in 1..10 {
            for tau in 0..=bits {
                let mut expected: Vec<u32> =
                    (0..1 << bits).filter(|flip: &u32| flip.count_ones() <= tau).collect();
                let mut found = flips(bits, tau);
                assert!(found.is_sorted_by_key(|flip| flip.count_ones()));
                assert_eq!(found.len() as f64, layout::ball(bits, tau));
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }
}
