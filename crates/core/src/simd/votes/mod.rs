//! Votes: the bits that are set in at least a given number of features, or in features of at least a given weight.
//!
//! Counts are kept in *planes*: bit `i` of plane `p` is binary digit `p` of the count of bit `i`. Thereby 64 counts are
//! added, doubled and compared at once, by and, or and exclusive or. Each lane of a vector counts for itself, and the
//! lanes are added at the end. A weighted sum has one such count for each binary digit of the weights, over the
//! features whose weight has this digit.
//!
//! Sources of the tree of adders: Harley's and Seal's population count, in Warren, "Hacker's Delight", 2nd edition,
//! 5-2. Muła, Kurz and Lemire, "Faster population counts using AVX2 instructions", 2018.
//!
//! Every feature votes on every bit. `simd/votes` counts 64 votes at once, with the binary digits of all counts side by
//! side. It compares them with half of the weight and never writes a count down. Weights are integers, in units of a
//! fraction, so every machine gets the same bits. A table of weights has an id, which is a part of
//! `Plan::fingerprint_id`. Every fingerprint carries that id and is compared only with fingerprints of the same id.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
pub(super) mod portable;

/// Words counted together: sixteen of the widest vectors, so that adding four planes is paid once for all of them.
pub(super) const BLOCK: usize = 128;

/// Planes of a count: 32 bits, and the carries out of them.
const PLANES: usize = 36;

/// Planes of a weighted sum: 32 bits for the features, 32 bits for the weight, and the carries.
const SUM_PLANES: usize = PLANES + 32;

/// A vector of 64-bit words.
pub(super) trait Lanes: Copy {
    /// The number of words: 2, 4 or 8.
    const COUNT: usize;
    /// A vector without set bits.
    fn zero() -> Self;
    /// Loads the words of `block` from `at` on. `at + COUNT` is at most [`BLOCK`].
    fn load(block: &[u64; BLOCK], at: usize) -> Self;
    /// Like `load`, but with zero for each word whose weight does not have the binary digit `digit`.
    fn load_where(block: &[u64; BLOCK], weights: &[u32; BLOCK], digit: u32, at: usize) -> Self;
    /// The sum and the carry of three bits, at every position.
    fn add(self, b: Self, c: Self) -> (Self, Self);
    /// Rotates the words by `BY` places, which must be 1, 2 or 4 and less than [`Lanes::COUNT`].
    fn rotate<const BY: usize>(self) -> Self;
    /// The first word.
    fn first(self) -> u64;
}

/// The words to count. A trait instead of a closure: only functions that are always inlined are compiled for the
/// caller's instructions.
trait WordSource<L> {
    /// The number of blocks. The last one is padded with zeros.
    fn blocks(&self) -> usize;
    /// The vector at `at` of a block.
    fn vector(&self, block: usize, at: usize) -> L;
}

/// A source of all features.
struct All<'a> {
    blocks: &'a [[u64; BLOCK]],
    tail: &'a [u64; BLOCK],
}

impl<L: Lanes> WordSource<L> for All<'_> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.blocks.len() + 1
    }

    #[inline(always)]
    fn vector(&self, block: usize, at: usize) -> L {
        L::load(self.blocks.get(block).unwrap_or(self.tail), at)
    }
}

/// A source of the features whose weight has a given binary digit.
struct WithDigit<'a> {
    features: All<'a>,
    weights: &'a [[u32; BLOCK]],
    tail: &'a [u32; BLOCK],
    digit: u32,
}

impl<L: Lanes> WordSource<L> for WithDigit<'_> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.weights.len() + 1
    }

    #[inline(always)]
    fn vector(&self, block: usize, at: usize) -> L {
        let features = self.features.blocks.get(block).unwrap_or(self.features.tail);
        L::load_where(features, self.weights.get(block).unwrap_or(self.tail), self.digit, at)
    }
}

/// The bits that are set in at least `least` of `features`. `least` is from 1 to their number.
#[inline(always)]
fn votes<L: Lanes>(features: &[u64], least: u64) -> u64 {
    let (blocks, tail) = blocks(features);
    let mut planes = Planes { digits: [L::zero(); PLANES], used: 0 };
    planes.count(&All { blocks, tail: &tail });
    planes.reaching(least, digits(features.len() as u64))
}

/// The bits that are set in features with a total weight of at least `least`.
///
/// There is one weight for each feature. `total` is the sum of `weights`, and `least` is from 1 to `total`.
#[inline(always)]
fn weighted_votes<L: Lanes>(features: &[u64], weights: &[u32], total: u64, least: u64) -> u64 {
    let (words, tail) = blocks(features);
    let (weights, last_weights) = blocks(weights);
    let any = |weights: &[u32]| weights.iter().fold(0, |any, weight| any | weight);
    let mut present = any(weights.as_flattened()) | any(&last_weights);
    let mut counted = Planes { digits: [L::zero(); PLANES], used: 0 };
    let mut sum = Planes { digits: [L::zero(); SUM_PLANES], used: 0 };
    while present != 0 {
        let digit = present.trailing_zeros();
        present &= present - 1;
        let features = All { blocks: words, tail: &tail };
        counted.count(&WithDigit { features, weights, tail: &last_weights, digit });
        sum.add_shifted(&counted, digit as usize, digits(total));
    }
    sum.reaching(least, digits(total))
}

/// Splits `values` into whole blocks, and a last block padded with zeros.
#[inline(always)]
fn blocks<T: Copy + Default>(values: &[T]) -> (&[[T; BLOCK]], [T; BLOCK]) {
    let (blocks, rest) = values.as_chunks::<BLOCK>();
    let mut tail = [T::default(); BLOCK];
    tail[..rest.len()].copy_from_slice(rest);
    (blocks, tail)
}

/// The number of binary digits in `number`.
#[inline(always)]
fn digits(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

/// Counts, the lowest digit first. Only the first `used` planes are in use.
struct Planes<L, const N: usize> {
    digits: [L; N],
    used: usize,
}

/// The four lowest planes, which stay in registers.
struct Low<L> {
    ones: L,
    twos: L,
    fours: L,
    eights: L,
}

impl<L: Lanes> Planes<L, PLANES> {
    /// Counts the set bits of `source`, lane by lane. Earlier counts are overwritten.
    #[inline(always)]
    fn count(&mut self, source: &impl WordSource<L>) {
        let zero = L::zero();
        let mut low = Low { ones: zero, twos: zero, fours: zero, eights: zero };
        let groups_of_block = BLOCK / (16 * L::COUNT);
        self.used = digits(16 * (source.blocks() * groups_of_block) as u64);
        self.digits[..self.used].fill(zero);
        let mut groups = 0;
        for block in 0..source.blocks() {
            for group in 0..groups_of_block {
                let mut carry = low.sixteen(source, block, 16 * L::COUNT * group);
                groups += 1;
                // This many groups have no more digits.
                for plane in &mut self.digits[4..4 + digits(groups)] {
                    carry = step(plane, carry, zero);
                }
            }
        }
        self.digits[..4].copy_from_slice(&[low.ones, low.twos, low.fours, low.eights]);
    }
}

impl<L: Lanes> Low<L> {
    /// Adds sixteen vectors and returns the carry out of the eights.
    #[inline(always)]
    fn sixteen(&mut self, source: &impl WordSource<L>, block: usize, at: usize) -> L {
        let (a, b) = (self.eight(source, block, at), self.eight(source, block, at + 8 * L::COUNT));
        step(&mut self.eights, a, b)
    }

    #[inline(always)]
    fn eight(&mut self, source: &impl WordSource<L>, block: usize, at: usize) -> L {
        let (a, b) = (self.four(source, block, at), self.four(source, block, at + 4 * L::COUNT));
        step(&mut self.fours, a, b)
    }

    #[inline(always)]
    fn four(&mut self, source: &impl WordSource<L>, block: usize, at: usize) -> L {
        let (a, b) = (self.two(source, block, at), self.two(source, block, at + 2 * L::COUNT));
        step(&mut self.twos, a, b)
    }

    #[inline(always)]
    fn two(&mut self, source: &impl WordSource<L>, block: usize, at: usize) -> L {
        step(&mut self.ones, source.vector(block, at), source.vector(block, at + L::COUNT))
    }
}

/// Adds two bits to `sum`, at every position, and returns the carry.
#[inline(always)]
fn step<L: Lanes>(sum: &mut L, a: L, b: L) -> L {
    let (low, carry) = sum.add(a, b);
    *sum = low;
    carry
}

impl<L: Lanes, const N: usize> Planes<L, N> {
    /// Adds `counted * 2^shift`. Every sum fits into `width` digits.
    #[inline(always)]
    fn add_shifted(&mut self, counted: &Planes<L, PLANES>, shift: usize, width: usize) {
        let end = shift + counted.used;
        let top = (self.used.max(end) + 1).min(width);
        let mut carry = L::zero();
        for (plane, &digit) in self.digits[shift..end].iter_mut().zip(&counted.digits) {
            carry = step(plane, digit, carry);
        }
        for plane in &mut self.digits[end.min(top)..top] {
            carry = step(plane, carry, L::zero());
        }
        self.used = top;
    }

    /// Adds to every lane the one that a rotation brings to its place.
    #[inline(always)]
    fn add_rotated<const BY: usize>(&mut self, width: usize) {
        let mut carry = L::zero();
        self.used = (self.used + 1).min(width);
        for plane in &mut self.digits[..self.used] {
            carry = step(plane, plane.rotate::<BY>(), carry);
        }
    }

    /// The bits whose count, added over the lanes, is at least `least`. Every count fits into `width` digits.
    #[inline(always)]
    fn reaching(mut self, least: u64, width: usize) -> u64 {
        if L::COUNT == 8 {
            self.add_rotated::<4>(width);
        }
        if L::COUNT >= 4 {
            self.add_rotated::<2>(width);
        }
        self.add_rotated::<1>(width);
        // From the lowest digit up: whether the part of the count so far is at least this part of `least`.
        let mut reached = u64::MAX;
        for (place, plane) in self.digits[..self.used].iter().enumerate() {
            let count = plane.first();
            let no_more = (least >> place & 1).wrapping_sub(1);
            reached = count & reached | no_more & (count | reached);
        }
        reached
    }
}
