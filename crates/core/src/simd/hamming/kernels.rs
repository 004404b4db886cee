//! The loops that count differing bits and move bits. `simd` compiles them again for machines that count bits, or shift
//! by any number, in one instruction (POPCNT, BMI2).

use super::code::Code;
use super::group::{AgreeingCodes, CodeBuckets, CodePlace};

/// Codes compared with one code at a time: a vector of 64-bit codes on AVX-512.
pub(crate) const LANES: usize = 8;

/// Codes that share the loads of the codes they are compared with. On AVX-512 they also share one test whether any is
/// close.
pub(crate) const ROWS: usize = 4;

/// Codes compared with several others before the next ones: 16 KiB, which stay in the first-level cache.
const COLUMNS: usize = 2048;

/// Compares one code with eight.
pub(crate) trait CompareCodes {
    /// A bit for each of `others`: set if it is within `distance` of `code`.
    fn within<C: Code>(code: C, others: &[C; LANES], distance: u32) -> u32;

    /// The same bits for each of `codes`: eight for the first code, then eight for the second, and so on.
    #[inline(always)]
    fn within_rows<C: Code>(codes: &[C; ROWS], others: &[C; LANES], distance: u32) -> u32 {
        codes.iter().rev().fold(0, |close, &code| close << LANES | Self::within(code, others, distance))
    }
}

/// Compares one code after the other.
pub(crate) struct Scalar;

impl CompareCodes for Scalar {
    #[inline(always)]
    fn within<C: Code>(code: C, others: &[C; LANES], distance: u32) -> u32 {
        let mut close = 0;
        for (lane, &other) in others.iter().enumerate() {
            close |= u32::from(code.distance(other) <= distance) << lane;
        }
        close
    }
}

/// Appends the pairs of records within `distance` of each other, in every group of at most `few` records.
///
/// A pair is given by places in `records`, the earlier one first. `ends` are the ends of the groups, and `codes` is
/// scratch space.
#[inline(always)]
pub(crate) fn close_pairs<K: CompareCodes, C: Code>(
    records: &[CodePlace<C>],
    ends: &[u32],
    few: usize,
    distance: u32,
    codes: &mut Vec<C>,
    near: &mut Vec<(u32, u32)>,
) {
    codes.clear();
    codes.extend(records.iter().map(|record| record.code));
    // Padding, as the last vectors read behind the end of a group. Their surplus results are masked out.
    codes.extend([C::default(); LANES]);
    let mut start = 0;
    for &end in ends {
        let end = end as usize;
        if end - start <= few {
            for left in start..end {
                let code = codes[left];
                let mut right = left + 1;
                while right < end {
                    let Some(others) = codes[right..].first_chunk::<LANES>() else { break };
                    let mut close =
                        K::within(code, others, distance) & !(u32::MAX << (end - right).min(LANES));
                    while close != 0 {
                        near.push((left as u32, right as u32 + close.trailing_zeros()));
                        close &= close - 1;
                    }
                    right += LANES;
                }
            }
        }
        start = end;
    }
}

/// Appends the pairs within `distance` of a code of `rows` and a later code, by places in `codes`, the earlier one
/// first.
///
/// The codes must be followed by [`LANES`] padding codes, which are read and ignored.
#[inline(always)]
pub(crate) fn close_rows<K: CompareCodes, C: Code>(
    codes: &[C],
    rows: (usize, usize),
    distance: u32,
    near: &mut Vec<(u32, u32)>,
) {
    let count = codes.len() - LANES;
    let rows = (rows.0, rows.1.min(count));
    for columns in (rows.0..count).step_by(COLUMNS) {
        let end = (columns + COLUMNS).min(count);
        for row in (rows.0..rows.1.min(end)).step_by(ROWS) {
            let Some(some) = codes[row..].first_chunk::<ROWS>() else { break };
            let mut column = columns.max(row + 1);
            while column < end {
                let Some(others) = codes[column..].first_chunk::<LANES>() else { break };
                let mut close = K::within_rows(some, others, distance);
                while close != 0 {
                    let bit = close.trailing_zeros() as usize;
                    let (left, right) = (row + bit / LANES, column + bit % LANES);
                    // Skips results behind the rows or columns, and pairs of a row with itself or an earlier one.
                    if left < rows.1 && right < end && left < right {
                        near.push((left as u32, right as u32));
                    }
                    close &= close - 1;
                }
                column += LANES;
            }
        }
    }
}

/// Appends the codes of the ranges that are within `distance` of `query`: their places and distances.
#[inline(always)]
pub(crate) fn close_codes<K: CompareCodes, C: Code>(
    codes: &[C],
    ranges: &[(u32, u32)],
    query: C,
    distance: u32,
    near: &mut Vec<(u32, u32)>,
) {
    for &(start, end) in ranges {
        let mut place = start;
        let (vectors, rest) = codes[start as usize..end as usize].as_chunks::<LANES>();
        for others in vectors {
            let mut close = K::within(query, others, distance);
            while close != 0 {
                let lane = close.trailing_zeros();
                near.push((place + lane, query.distance(others[lane as usize])));
                close &= close - 1;
            }
            place += LANES as u32;
        }
        for &code in rest {
            let between = query.distance(code);
            if between <= distance {
                near.push((place, between));
            }
            place += 1;
        }
    }
}

/// Appends the places of the entries in the ranges whose check bits are within `distance` of those in `check`. The
/// check bits are the bits above the lowest `place_bits`.
#[inline(always)]
pub(crate) fn close_checks<K: CompareCodes>(
    entries: &[u32],
    ranges: &[(u32, u32)],
    check: u32,
    place_bits: u32,
    distance: u32,
    suspects: &mut Vec<u32>,
) {
    let places = u32::MAX.checked_shr(32 - place_bits).unwrap_or(0);
    for &(start, end) in ranges {
        for &entry in &entries[start as usize..end as usize] {
            if ((entry ^ check) & !places).count_ones() <= distance {
                suspects.push(entry & places);
            }
        }
    }
}

/// See [`AgreeingCodes::fill`].
#[inline(always)]
pub(crate) fn group<C: Code>(groups: &mut AgreeingCodes<C>, records: &[CodePlace<C>], mask: C, used: u32) {
    groups.fill(records, mask, used);
}

/// See [`CodeBuckets::fill`].
#[inline(always)]
pub(crate) fn partition<'a, C: Code + 'a>(
    partition: &mut CodeBuckets<C>,
    runs: impl Iterator<Item = (u32, &'a [C])> + Clone,
    count: usize,
    mask: C,
    part: (u32, u32),
) {
    partition.fill(runs, count, mask, part);
}

/// Appends the codes whose hash another code has too: all that are equal to another, and one in eight of the others.
/// Only codes whose hash starts with the `part_bits` bits of `part` are considered.
///
/// There are eight slots per code with two bits each: two bytes per code. A million codes then stay in the second-level
/// cache.
#[inline(always)]
pub(crate) fn suspects<C: Code>(
    codes: &[C],
    (part, part_bits): (u32, u32),
    suspects: &mut Vec<CodePlace<C>>,
) {
    let bits = ((codes.len() >> part_bits).max(8) * 8).next_power_of_two().ilog2();
    // Codes of other parts use one more word, which stays in the first-level cache, and set no bit.
    let others = 1_usize << (bits - 6);
    let slot = |code: C| {
        let slot = code.mixed() >> (64 - bits - part_bits);
        let ours = slot >> bits == u64::from(part);
        (if ours { (slot >> 6) as usize & (others - 1) } else { others }, u64::from(ours) << (slot & 63))
    };
    // For each slot, whether it was met once, and whether it was met again.
    let mut met = vec![[0_u64; 2]; others + 1];
    for &code in codes {
        let (word, bit) = slot(code);
        let [once, again] = &mut met[word];
        *again |= *once & bit;
        *once |= bit;
    }
    // No predictor can guess whether a code is a suspect. Every code is therefore written, and only suspects are kept.
    let mut kept = [CodePlace { code: C::default(), place: 0 }; KEPT];
    let mut count = 0;
    for (place, &code) in (0..).zip(codes) {
        let (word, bit) = slot(code);
        kept[count % KEPT] = CodePlace { code, place };
        count += usize::from(met[word][1] & bit != 0);
        if count == KEPT {
            suspects.extend_from_slice(&kept);
            count = 0;
        }
    }
    suspects.extend_from_slice(&kept[..count]);
}

/// Suspects collected before they are copied on: few enough for the first-level cache.
const KEPT: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;
    use crate::simd::Level;

    /// The results of every kernel for codes with many close pairs.
    fn results<C: Code>(level: Level, codes: &[C]) -> impl PartialEq + std::fmt::Debug {
        let records: Vec<CodePlace<C>> =
            (0..).zip(codes).map(|(place, &code)| CodePlace { code, place }).collect();
        let (mut pairs, mut scratch, mut near, mut suspects) = (vec![], vec![], vec![], vec![]);
        level.close_pairs(&records, &[3, 70, 71, 300], 100, 7, &mut scratch, &mut pairs);
        level.close_codes(codes, &[(0, 3), (5, 5), (9, 300)], codes[4], 7, &mut near);
        let entries: Vec<u32> = codes.iter().map(|code| code.low() as u32).collect();
        let mut checked = Vec::new();
        for place_bits in [9, 32] {
            level.close_checks(&entries, &[(1, 4), (10, 200)], entries[0], place_bits, 3, &mut checked);
        }
        level.suspects(codes, (1, 1), &mut suspects);
        let (mut groups, mut partition) = (AgreeingCodes::default(), CodeBuckets::default());
        level.group(&mut groups, &records, C::ones(5), 0);
        level.partition(&mut partition, [(0, codes)].into_iter(), codes.len(), C::ones(30), (1, 1));
        let places = |records: &[CodePlace<C>]| records.iter().map(|record| record.place).collect::<Vec<_>>();
        let grouped: Vec<_> = groups.iter().map(places).collect();
        let parts: Vec<_> = partition.iter().map(places).collect();
        let padded = [codes, &[C::default(); LANES]].concat();
        level.close_rows(&padded, (30, 203), 7, &mut pairs);
        (pairs, near, checked, places(&suspects), grouped, parts)
    }

    fn agrees<C: Code>(code: impl Fn(u64, u64) -> C) {
        let mut generator = SplitMix64(5);
        let mut half = || generator.next() & generator.next() & generator.next();
        let codes: Vec<C> = (0..300).map(|_| code(half() & half(), half() & half())).collect();
        let expected = results(Level::available()[0], &codes);
        for level in Level::available() {
            assert_eq!(results(level, &codes), expected, "{level:?}");
        }
    }

    #[test]
    fn every_level_gives_the_same_results() {
        agrees(|low, _| low);
        agrees(|low, high| u128::from(low) | u128::from(high) << 64);
    }
}
