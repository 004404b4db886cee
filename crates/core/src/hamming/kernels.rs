//! The loops that count differing bits. `simd` compiles them again for machines that count bits in one instruction.

use super::code::Code;
use super::group::Record;

/// Appends the pairs of records within `distance` of each other in every group of at most `few` records, by places in
/// `records`, the earlier one first. `ends` says where each group ends.
#[inline(always)]
pub(crate) fn close_pairs<C: Code>(
    records: &[Record<C>],
    ends: &[u32],
    few: usize,
    distance: u32,
    near: &mut Vec<(u32, u32)>,
) {
    let mut start = 0;
    for &end in ends {
        let group = &records[start as usize..end as usize];
        if group.len() <= few {
            for (index, record) in group.iter().enumerate() {
                for (later, other) in group[index + 1..].iter().enumerate() {
                    if record.code.distance(other.code) <= distance {
                        let left = start + index as u32;
                        near.push((left, left + 1 + later as u32));
                    }
                }
            }
        }
        start = end;
    }
}
