//! Instruction sets: the kernels of each set, and the one place that chooses among them.
//!
//! Every kernel exists three times: portable, for AVX2 and for AVX-512. The kernels of `hamming` exist portable, for
//! POPCNT and for VPOPCNTDQ. All versions give the same bits. Only this file calls the kernels that need `unsafe`. A
//! [`Level`] cannot name an instruction set that the machine lacks.
//!
//! Not for: anything that changes results.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod feature_table;
pub(crate) mod hamming;
pub(crate) mod parameters;
mod permuted;
#[cfg(target_arch = "x86_64")]
mod popcnt;
pub(crate) mod portable;
mod spans;
mod votes;
#[cfg(target_arch = "x86_64")]
mod vpopcnt;

pub(crate) use portable::BucketBuffers;
pub(crate) use spans::{BACK, FRONT, Spans};

use crate::simd::hamming::kernels::{self, Scalar};
use crate::simd::hamming::{AgreeingCodes, Code, CodeBuckets, CodePlace};
use feature_table::FeatureTable;
use parameters::Parameters;

/// An instruction set that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(InstructionSet);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InstructionSet {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Default for Level {
    fn default() -> Self {
        Level::detect()
    }
}

impl Level {
    /// The fastest level of this machine.
    pub fn detect() -> Self {
        *Self::available().last().unwrap_or(&Level(InstructionSet::Portable))
    }

    /// Every level of this machine. The slowest (`scalar`) comes first.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Level(InstructionSet::Portable)];
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            // CPUs with AVX2 have all of these, but a hypervisor may hide each of them.
            let bits = is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if bits && is_x86_feature_detected!("avx2") {
                levels.push(Level(InstructionSet::Avx2));
            }
            if bits
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2")
            {
                levels.push(Level(InstructionSet::Avx512));
            }
        }
        levels
    }

    /// The level named `scalar`, `avx2` or `avx512`. `None` if this machine lacks it.
    pub fn named(name: &str) -> Option<Self> {
        Self::available().into_iter().find(|level| level.name() == name)
    }

    /// The name: `scalar`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            InstructionSet::Portable => "scalar",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => "avx512",
        }
    }
}

macro_rules! dispatch {
    ($level:expr, $kernel:ident ( $($argument:expr),* )) => {
        match $level.0 {
            InstructionSet::Portable => portable::$kernel($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Level` of this kind exists only where `available` found the features that it needs.
            InstructionSet::Avx2 => unsafe { avx2::$kernel($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            InstructionSet::Avx512 => unsafe { avx512::$kernel($($argument),*) },
        }
    };
}

/// The same for kernels of `hamming`, which only need instructions that count bits.
macro_rules! dispatch_bits {
    ($level:expr, $kernel:ident $(<$($singly:ty),*>)? ( $($argument:expr),* )) => {
        match $level.0 {
            InstructionSet::Portable => kernels::$kernel$(::<$($singly),*>)?($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this feature is tested here, and the other ones by `available`.
            InstructionSet::Avx512 if is_x86_feature_detected!("avx512vpopcntdq") => unsafe {
                vpopcnt::$kernel($($argument),*)
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available` found these features for every level but the first.
            _ => unsafe { popcnt::$kernel($($argument),*) },
        }
    };
}

#[allow(unsafe_code)]
impl Level {
    /// Appends the pairs of records within `distance` of each other, in every group of at most `few` records.
    pub(crate) fn close_pairs<C: Code>(
        self,
        records: &[CodePlace<C>],
        ends: &[u32],
        few: usize,
        distance: u32,
        codes: &mut Vec<C>,
        near: &mut Vec<(u32, u32)>,
    ) {
        dispatch_bits!(self, close_pairs < Scalar, C > (records, ends, few, distance, codes, near))
    }

    /// Appends the pairs within `distance` of a code of `rows` and a later code.
    pub(crate) fn close_rows<C: Code>(
        self,
        codes: &[C],
        rows: (usize, usize),
        distance: u32,
        near: &mut Vec<(u32, u32)>,
    ) {
        dispatch_bits!(self, close_rows < Scalar, C > (codes, rows, distance, near))
    }

    /// Appends the codes of a part that may be equal to another code.
    pub(crate) fn suspects<C: Code>(self, codes: &[C], part: (u32, u32), suspects: &mut Vec<CodePlace<C>>) {
        dispatch_bits!(self, suspects(codes, part, suspects))
    }

    /// Groups records by the bits of `mask`. See [`AgreeingCodes::fill`].
    pub(crate) fn group<C: Code>(
        self,
        groups: &mut AgreeingCodes<C>,
        records: &[CodePlace<C>],
        mask: C,
        used: u32,
    ) {
        dispatch_bits!(self, group(groups, records, mask, used))
    }

    /// Fills the buckets with one part of all records. See [`CodeBuckets::fill`].
    pub(crate) fn partition<'a, C: Code + 'a>(
        self,
        partition: &mut CodeBuckets<C>,
        runs: impl Iterator<Item = (u32, &'a [C])> + Clone,
        count: usize,
        mask: C,
        part: (u32, u32),
    ) {
        dispatch_bits!(self, partition(partition, runs, count, mask, part))
    }

    /// Appends the codes of the ranges within `distance` of `query`: their places and distances.
    pub(crate) fn close_codes<C: Code>(
        self,
        codes: &[C],
        ranges: &[(u32, u32)],
        query: C,
        distance: u32,
        near: &mut Vec<(u32, u32)>,
    ) {
        dispatch_bits!(self, close_codes < Scalar, C > (codes, ranges, query, distance, near))
    }

    /// Appends the places of the entries in the ranges whose check bits are within `distance` of those in `check`.
    pub(crate) fn close_checks(
        self,
        entries: &[u32],
        ranges: &[(u32, u32)],
        check: u32,
        place_bits: u32,
        distance: u32,
        suspects: &mut Vec<u32>,
    ) {
        dispatch_bits!(self, close_checks<Scalar>(entries, ranges, check, place_bits, distance, suspects))
    }

    /// Moves the different features to the front and fills `table` with them; returns how many there are.
    pub(crate) fn distinct(self, table: &mut FeatureTable, features: &mut [u64]) -> usize {
        dispatch!(self, distinct(table, features))
    }

    /// How many of `features` the table holds.
    pub(crate) fn count_common(self, table: &FeatureTable, features: &[u64]) -> usize {
        dispatch!(self, count_common(table, features))
    }

    /// Splits `text` into words and normalises it on the way. Returns false if the text must be normalised as a whole
    /// first.
    pub(crate) fn split_words(self, text: &str, spans: &mut Spans) -> bool {
        dispatch!(self, split_words(text, spans))
    }

    /// Splits `text`, a normal form, into words.
    pub(crate) fn split_normalised_words(self, text: &str, spans: &mut Spans) {
        dispatch!(self, split_normalised_words(text, spans))
    }

    /// Splits `text` at white space.
    pub(crate) fn split_whitespace(self, text: &str, spans: &mut Spans) {
        dispatch!(self, split_whitespace(text, spans))
    }

    /// The xxh3 hash of every token of `spans`.
    pub(crate) fn hash_tokens(self, spans: &Spans, seed: u64, hashes: &mut Vec<u64>) {
        dispatch!(self, hash_tokens(spans, seed, hashes))
    }

    /// Fills `features` with the hashes of all windows of `shingle` tokens. Returns the two sums of a content hash.
    ///
    /// # Panics
    /// If there is no window, or `shingle` is 0.
    pub(crate) fn combine(self, tokens: &[u64], shingle: usize, features: &mut Vec<u64>) -> [u64; 2] {
        // The loads of the kernels rely on this.
        assert!((1..=tokens.len()).contains(&shingle), "a window of tokens that are there");
        dispatch!(self, combine(tokens, shingle, features))
    }

    /// The bucketed MinHash signature of `features`.
    pub(crate) fn bucketed(
        self,
        features: &[u64],
        parameters: &Parameters,
        buffers: &mut BucketBuffers,
        signature: &mut [u32],
    ) {
        dispatch!(self, bucketed(features, parameters, buffers, signature))
    }

    /// The bits that are set in at least `least` of `features`. `least` is from 1 to their number.
    pub(crate) fn votes(self, features: &[u64], least: u64) -> u64 {
        dispatch!(self, votes(features, least))
    }

    /// The bits that are set in features with a total weight of at least `least`. `total` is the sum of `weights`, and
    /// `least` is from 1 to `total`.
    pub(crate) fn weighted_votes(self, features: &[u64], weights: &[u32], total: u64, least: u64) -> u64 {
        dispatch!(self, weighted_votes(features, weights, total, least))
    }

    /// Fills `halves` with the second 64 bits of every feature.
    pub(crate) fn second_half(self, features: &[u64], halves: &mut Vec<u64>) {
        dispatch!(self, second_half(features, halves))
    }

    /// The classic MinHash signature of `features`.
    pub(crate) fn classic(self, features: &[u64], parameters: &Parameters, signature: &mut [u32]) {
        signature.fill(u32::MAX);
        dispatch!(self, lower_minima(features, &parameters.multipliers, &parameters.increments, signature))
    }

    /// Lowers `minima[i]` to the least `factors[i] * hash + terms[i]` modulo 2³² over the low halves of `hashes`.
    pub(crate) fn lower_narrow(self, hashes: &[u64], factors: &[u32], terms: &[u32], minima: &mut [u32]) {
        // The loads of the kernels rely on this.
        assert!(
            factors.len() == minima.len() && terms.len() == minima.len(),
            "a permutation for each minimum"
        );
        dispatch!(self, lower_minima(hashes, factors, terms, minima))
    }

    /// The same modulo 2⁶⁴, over the whole hashes.
    pub(crate) fn lower_wide(self, hashes: &[u64], factors: &[u64], terms: &[u64], minima: &mut [u64]) {
        dispatch!(self, lower_wide(hashes, factors, terms, minima))
    }

    /// Lowers `minima[i]` to the least low half of `(factors[i] * hash + terms[i]) mod 2⁶⁴ mod (2⁶¹ - 1)`.
    pub(crate) fn lower_legacy(self, hashes: &[u64], factors: &[u64], terms: &[u64], minima: &mut [u32]) {
        dispatch!(self, lower_legacy(hashes, factors, terms, minima))
    }
}

/// Prefetches the memory of a value that will be read soon. Does nothing on machines without such an instruction. Any
/// `index` is allowed.
#[allow(unsafe_code)]
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T], index: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every machine of this kind has the instruction (SSE), which accepts any address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(
            values.as_ptr().wrapping_add(index).cast(),
        );
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (values, index);
}
