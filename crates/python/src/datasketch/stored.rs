//! The tables of a `MinHashLSH` as bytes, which its pickles hold.
//!
//! Numbers are little-endian. `LKLSH`, the version 1 as a byte; a byte for the scheme (0: no signature yet, 1: affine32,
//! 2: affine64, 3: legacy); the seed as 8 bytes; bands, rows and `num_perm` as 4 bytes each. Then, for every signature in
//! the order of insertion: its slot as 4 bytes, and its values as words of 4 bytes, high words first. Slots are numbered
//! from 0 in the order of insertion.

use super::bands::BandTables;
use super::lsh_state::LshState;
use lookalike::sketch::PermutationScheme;

const MAGIC: &[u8] = b"LKLSH\x01";

pub(super) fn stored(state: &LshState) -> Vec<u8> {
    let code = match state.made {
        None => 0,
        Some((PermutationScheme::Affine32, _)) => 1,
        Some((PermutationScheme::Affine64, _)) => 2,
        Some((PermutationScheme::Legacy, _)) => 3,
    };
    let mut bytes = [MAGIC, &[code]].concat();
    bytes.extend(state.made.map_or(0, |(_, seed)| seed).to_le_bytes());
    for number in [state.bands, state.rows, state.num_perm] {
        bytes.extend((number as u32).to_le_bytes());
    }
    let Some(tables) = &state.tables else { return bytes };
    for (number, slot) in tables.in_order().into_iter().enumerate() {
        for entry in tables.entries(slot) {
            bytes.extend((number as u32).to_le_bytes());
            bytes.extend(tables.of_entry(entry).iter().flat_map(|word| word.to_le_bytes()));
        }
    }
    bytes
}

/// `None` if the bytes are no such tables.
pub(super) fn restored(bytes: &[u8]) -> Option<LshState> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let code = *rest.split_off_first()?;
    let seed = i64::from_le_bytes(*rest.split_off(..8)?.as_array()?);
    let mut number = || Some(u32::from_le_bytes(*rest.split_off(..4)?.as_array()?) as usize);
    let (bands, rows, num_perm) = (number()?, number()?, number()?);
    if bands.checked_mul(rows)? > num_perm {
        return None;
    }
    let scheme = match code {
        0 => None,
        1 => Some(PermutationScheme::Affine32),
        2 => Some(PermutationScheme::Affine64),
        3 => Some(PermutationScheme::Legacy),
        _ => return None,
    };
    let mut state =
        LshState { bands, rows, num_perm, made: scheme.map(|scheme| (scheme, seed)), tables: None };
    let Some(scheme) = scheme else { return rest.is_empty().then_some(state) };
    let shape = state.shape(scheme);
    let mut tables = BandTables::new(shape);
    let (words, []) = rest.as_chunks::<4>() else { return None };
    let words: Vec<u32> = words.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let size = 1 + num_perm * shape.words;
    if !words.len().is_multiple_of(size) {
        return None;
    }
    for signature in words.chunks_exact(size) {
        // No slot is further than the number of signatures.
        let slot = signature[0];
        if slot as usize > words.len() / size {
            return None;
        }
        tables.insert(slot, &signature[1..]);
    }
    state.tables = Some(tables);
    Some(state)
}
