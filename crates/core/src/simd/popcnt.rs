//! The kernels of [`crate::search::hamming`], compiled for machines that count bits in one instruction. Every level
//! except `scalar` has it.

use crate::simd::hamming::kernels::{self, Scalar};
use crate::simd::hamming::{AgreeingCodes, Code, CodeBuckets, CodePlace};

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn close_pairs<C: Code>(
    records: &[CodePlace<C>],
    ends: &[u32],
    few: usize,
    distance: u32,
    codes: &mut Vec<C>,
    near: &mut Vec<(u32, u32)>,
) {
    kernels::close_pairs::<Scalar, C>(records, ends, few, distance, codes, near);
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn close_rows<C: Code>(
    codes: &[C],
    rows: (usize, usize),
    distance: u32,
    near: &mut Vec<(u32, u32)>,
) {
    kernels::close_rows::<Scalar, C>(codes, rows, distance, near);
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn close_codes<C: Code>(
    codes: &[C],
    ranges: &[(u32, u32)],
    query: C,
    distance: u32,
    near: &mut Vec<(u32, u32)>,
) {
    kernels::close_codes::<Scalar, C>(codes, ranges, query, distance, near);
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn close_checks(
    entries: &[u32],
    ranges: &[(u32, u32)],
    check: u32,
    place_bits: u32,
    distance: u32,
    suspects: &mut Vec<u32>,
) {
    kernels::close_checks::<Scalar>(entries, ranges, check, place_bits, distance, suspects);
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn group<C: Code>(groups: &mut AgreeingCodes<C>, records: &[CodePlace<C>], mask: C, used: u32) {
    kernels::group(groups, records, mask, used);
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn partition<'a, C: Code + 'a>(
    partition: &mut CodeBuckets<C>,
    runs: impl Iterator<Item = (u32, &'a [C])> + Clone,
    count: usize,
    mask: C,
    part: (u32, u32),
) {
    kernels::partition(partition, runs, count, mask, part);
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn suspects<C: Code>(codes: &[C], part: (u32, u32), suspects: &mut Vec<CodePlace<C>>) {
    kernels::suspects(codes, part, suspects);
}
