//! Which instruction set the kernels run on, and the one place that chooses among them.
//!
//! Every kernel exists three times: portable, AVX2 and AVX-512, and all give the same bits; those of `hamming` exist
//! portable, for POPCNT and for VPOPCNTDQ. Only this file calls those that need `unsafe`; [`Level`] can name no set
//! that the machine lacks.
//! Not for: anything that changes results.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod feature_table;
pub(crate) mod hamming;
pub(crate) mod parameters;
#[cfg(target_arch = "x86_64")]
mod popcnt;
pub(crate) mod portable;
mod spans;
mod votes;
#[cfg(target_arch = "x86_64")]
mod vpopcnt;

pub(crate) use portable::Buffers;
pub(crate) use spans::{BACK, FRONT, Spans};

use crate::simd::hamming::kernels::{self, Singly};
use crate::simd::hamming::{Code, Groups, Partition, Record};
use feature_table::FeatureTable;
use parameters::Parameters;

/// An instruction set that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
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
        *Self::available().last().unwrap_or(&Level(Set::Portable))
    }

    /// Every level of this machine, the slowest (`scalar`) first.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Level(Set::Portable)];
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            // These came with AVX2, but a hypervisor may hide them one by one.
            let bits = is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if bits && is_x86_feature_detected!("avx2") {
                levels.push(Level(Set::Avx2));
            }
            if bits
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2")
            {
                levels.push(Level(Set::Avx512));
            }
        }
        levels
    }

    /// The level called `scalar`, `avx2` or `avx512`; `None` if this machine lacks it.
    pub fn named(name: &str) -> Option<Self> {
        Self::available().into_iter().find(|level| level.name() == name)
    }

    /// `scalar`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => "scalar",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
        }
    }
}

macro_rules! dispatch {
    ($level:expr, $kernel:ident ( $($argument:expr),* )) => {
        match $level.0 {
            Set::Portable => portable::$kernel($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Level` of this kind exists only where `available` saw the features it needs.
            Set::Avx2 => unsafe { avx2::$kernel($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Set::Avx512 => unsafe { avx512::$kernel($($argument),*) },
        }
    };
}

/// The same for kernels of `hamming`, which need nothing but counted bits.
macro_rules! dispatch_bits {
    ($level:expr, $kernel:ident $(<$($singly:ty),*>)? ( $($argument:expr),* )) => {
        match $level.0 {
            Set::Portable => kernels::$kernel$(::<$($singly),*>)?($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: looked for here, and the others by `available`.
            Set::Avx512 if is_x86_feature_detected!("avx512vpopcntdq") => unsafe {
                vpopcnt::$kernel($($argument),*)
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available` saw these features for every level but the first.
            _ => unsafe { popcnt::$kernel($($argument),*) },
        }
    };
}

#[allow(unsafe_code)]
impl Level {
    /// Appends the pairs of records that are within `distance`, in every group of at most `few` records.
    pub(crate) fn close_pairs<C: Code>(
        self,
        records: &[Record<C>],
        ends: &[u32],
        few: usize,
        distance: u32,
        codes: &mut Vec<C>,
        near: &mut Vec<(u32, u32)>,
    ) {
        dispatch_bits!(self, close_pairs < Singly, C > (records, ends, few, distance, codes, near))
    }

    /// Appends the pairs within `distance` of a code of `rows` and one that follows it.
    pub(crate) fn close_rows<C: Code>(
        self,
        codes: &[C],
        rows: (usize, usize),
        distance: u32,
        near: &mut Vec<(u32, u32)>,
    ) {
        dispatch_bits!(self, close_rows < Singly, C > (codes, rows, distance, near))
    }

    /// Appends the codes of a part that may be equal to another one.
    pub(crate) fn suspects<C: Code>(self, codes: &[C], part: (u32, u32), suspects: &mut Vec<Record<C>>) {
        dispatch_bits!(self, suspects(codes, part, suspects))
    }

    /// Groups records by the bits of `mask`: see [`Groups::fill`].
    pub(crate) fn group<C: Code>(self, groups: &mut Groups<C>, records: &[Record<C>], mask: C, used: u32) {
        dispatch_bits!(self, group(groups, records, mask, used))
    }

    /// Takes a part of all records: see [`Partition::fill`].
    pub(crate) fn partition<'a, C: Code + 'a>(
        self,
        partition: &mut Partition<C>,
        runs: impl Iterator<Item = (u32, &'a [C])> + Clone,
        count: usize,
        mask: C,
        part: (u32, u32),
    ) {
        dispatch_bits!(self, partition(partition, runs, count, mask, part))
    }

    /// Appends the codes of the ranges within `distance` of `query`: places, and in how many bits they differ.
    pub(crate) fn close_codes<C: Code>(
        self,
        codes: &[C],
        ranges: &[(u32, u32)],
        query: C,
        distance: u32,
        near: &mut Vec<(u32, u32)>,
    ) {
        dispatch_bits!(self, close_codes < Singly, C > (codes, ranges, query, distance, near))
    }

    /// Appends the places of the entries of the ranges whose checks are within `distance` of `check`.
    pub(crate) fn close_checks(
        self,
        entries: &[u32],
        ranges: &[(u32, u32)],
        check: u32,
        place_bits: u32,
        distance: u32,
        suspects: &mut Vec<u32>,
    ) {
        dispatch_bits!(self, close_checks<Singly>(entries, ranges, check, place_bits, distance, suspects))
    }

    /// Moves the different features to the front and fills `table` with them; returns how many there are.
    pub(crate) fn distinct(self, table: &mut FeatureTable, features: &mut [u64]) -> usize {
        dispatch!(self, distinct(table, features))
    }

    /// How many of `features` the table holds.
    pub(crate) fn count_common(self, table: &FeatureTable, features: &[u64]) -> usize {
        dispatch!(self, count_common(table, features))
    }

    /// Splits `text` into words, normalised on the way; `false` if it has to be normalised as a whole first.
    pub(crate) fn split_words(self, text: &str, spans: &mut Spans) -> bool {
        dispatch!(self, split_words(text, spans))
    }

    /// Splits `text`, normalised and in lower case, into words.
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

    /// Makes `features` the hashes of all windows of `shingle` tokens. Returns the two sums that make up a content hash.
    ///
    /// # Panics
    /// Unless there is one window at least, of one token at least.
    pub(crate) fn combine(self, tokens: &[u64], shingle: usize, features: &mut Vec<u64>) -> [u64; 2] {
        // The kernels' loads rest on it.
        assert!((1..=tokens.len()).contains(&shingle), "a window of tokens that are there");
        dispatch!(self, combine(tokens, shingle, features))
    }

    /// The bucketed MinHash signature of `features`.
    pub(crate) fn bucketed(
        self,
        features: &[u64],
        parameters: &Parameters,
        buffers: &mut Buffers,
        signature: &mut [u32],
    ) {
        dispatch!(self, bucketed(features, parameters, buffers, signature))
    }

    /// The bits that at least `least` of `features` have set; `least` is from 1 to their number.
    pub(crate) fn votes(self, features: &[u64], least: u64) -> u64 {
        dispatch!(self, votes(features, least))
    }

    /// The bits that are set in features of a weight of at least `least` together. `total` is the sum of `weights`, and
    /// `least` from 1 to `total`.
    pub(crate) fn weighted_votes(self, features: &[u64], weights: &[u32], total: u64, least: u64) -> u64 {
        dispatch!(self, weighted_votes(features, weights, total, least))
    }

    /// Makes `halves` the second 64 bits of every feature.
    pub(crate) fn second_half(self, features: &[u64], halves: &mut Vec<u64>) {
        dispatch!(self, second_half(features, halves))
    }

    /// The classic MinHash signature of `features`.
    pub(crate) fn classic(self, features: &[u64], parameters: &Parameters, signature: &mut [u32]) {
        signature.fill(u32::MAX);
        dispatch!(self, lower_minima(features, &parameters.multipliers, &parameters.increments, signature))
    }
}

/// Asks for the memory of a value that will be read soon; nothing more, on machines where one cannot. Any `index` is allowed.
#[allow(unsafe_code)]
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T], index: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every machine of this kind has the instruction (SSE), and it may be given any address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(
            values.as_ptr().wrapping_add(index).cast(),
        );
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (values, index);
}
