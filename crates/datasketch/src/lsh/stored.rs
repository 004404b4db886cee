//! An index as bytes, which the pickles of a `MinHashLSH` hold.
//!
//! Numbers are little-endian. `LKLSH`, the version 1 as a byte; a byte for the scheme (0: no signature yet, 1: affine32,
//! 2: affine64, 3: legacy); the seed as 8 bytes; bands, rows and `num_perm` as 4 bytes each. Then, for every signature in
//! the order of insertion: its slot as 4 bytes, and its values as words of 4 bytes, high words first. Slots are numbered
//! from 0 in the order of insertion.

use super::Lsh;
use crate::bands::BandTables;
use crate::error::Error;
use lookalike::sketch::PermutationScheme;

const MAGIC: &[u8] = b"LKLSH\x01";

impl Lsh {
    /// All signatures as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let code = match self.made {
            None => 0,
            Some((PermutationScheme::Affine32, _)) => 1,
            Some((PermutationScheme::Affine64, _)) => 2,
            Some((PermutationScheme::Legacy, _)) => 3,
        };
        let mut bytes = [MAGIC, &[code]].concat();
        bytes.extend(self.made.map_or(0, |(_, seed)| seed).to_le_bytes());
        for number in [self.bands, self.rows, self.num_perm] {
            bytes.extend((number as u32).to_le_bytes());
        }
        let Some(tables) = &self.tables else { return bytes };
        for (number, slot) in tables.in_order().into_iter().enumerate() {
            for entry in tables.entries(slot) {
                bytes.extend((number as u32).to_le_bytes());
                bytes.extend(tables.of_entry(entry).iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        bytes
    }

    /// The index of such bytes.
    ///
    /// # Errors
    /// They are no such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        restored(bytes).ok_or(Error::DamagedLsh)
    }
}

/// `None` if the bytes are no such tables.
fn restored(bytes: &[u8]) -> Option<Lsh> {
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
    let mut lsh = Lsh { bands, rows, num_perm, made: scheme.map(|scheme| (scheme, seed)), tables: None };
    let Some(scheme) = scheme else { return rest.is_empty().then_some(lsh) };
    let shape = lsh.shape(scheme);
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
    lsh.tables = Some(tables);
    Some(lsh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PermutedSketch;

    fn sketch(scheme: PermutationScheme, values: [u64; 4]) -> PermutedSketch {
        PermutedSketch::of_values(scheme, 5, &values).unwrap()
    }

    fn index(scheme: PermutationScheme) -> Lsh {
        let mut lsh = Lsh::new(2, 1, 4);
        for (slot, values) in [(7, [1, 2, 3, 4]), (0, [1, 9, 3, 9]), (2, [8, 2, 8, 2]), (7, [5, 5, 5, 5])] {
            lsh.insert(slot, &sketch(scheme, values)).unwrap();
        }
        lsh
    }

    #[test]
    fn bytes_are_as_the_format_says() {
        let mut lsh = Lsh::new(2, 1, 2);
        let head = |code: u8, seed: u8| {
            let seed_and_shape = [seed, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0];
            [&b"LKLSH\x01"[..], &[code], &seed_and_shape].concat()
        };
        assert_eq!(lsh.to_bytes(), head(0, 0));
        let values = [0x0807_0605_0403_0201, 9];
        let sketch = PermutedSketch::of_values(PermutationScheme::Affine64, 5, &values).unwrap();
        lsh.insert(3, &sketch).unwrap();
        let words = [0, 0, 0, 0, 5, 6, 7, 8, 1, 2, 3, 4, 0, 0, 0, 0, 9, 0, 0, 0];
        assert_eq!(lsh.to_bytes(), [head(2, 5), words.to_vec()].concat());
    }

    #[test]
    fn slots_are_numbered_in_the_order_of_insertion() {
        for scheme in [PermutationScheme::Affine32, PermutationScheme::Affine64, PermutationScheme::Legacy] {
            let lsh = index(scheme);
            let restored = Lsh::from_bytes(&lsh.to_bytes()).unwrap();
            assert_eq!((lsh.slots(), restored.slots()), (vec![7, 0, 2], vec![0, 1, 2]));
            for (old, new) in [(7, 0), (0, 1), (2, 2)] {
                assert!(lsh.buckets_of_slot(old).eq(restored.buckets_of_slot(new)));
            }
            assert_eq!(restored.to_bytes(), lsh.to_bytes());
            assert_eq!(restored.scheme(), Some(scheme));
            assert!(restored.check(&sketch(scheme, [0; 4])).is_ok());
        }
    }

    #[test]
    fn an_index_that_is_empty_again_stays_one_of_its_scheme() {
        let mut lsh = index(PermutationScheme::Legacy);
        lsh.slots().into_iter().for_each(|slot| lsh.remove(slot));
        let restored = Lsh::from_bytes(&lsh.to_bytes()).unwrap();
        assert_eq!((restored.scheme(), restored.slots()), (Some(PermutationScheme::Legacy), vec![]));
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let bytes = index(PermutationScheme::Affine32).to_bytes();
        for length in (0..bytes.len()).filter(|length| length % 20 != 27 % 20 || *length < 27) {
            assert_eq!(Lsh::from_bytes(&bytes[..length]).unwrap_err(), Error::DamagedLsh, "{length}");
        }
        let with = |place: usize, byte: u8| {
            let mut changed = bytes.clone();
            changed[place] = byte;
            Lsh::from_bytes(&changed).map(|_| ())
        };
        for (place, byte) in [(0, b'x'), (5, 2), (6, 4), (15, 200), (27, 200)] {
            assert_eq!(with(place, byte), Err(Error::DamagedLsh), "{place}");
        }
        assert_eq!(with(31, 200), Ok(()), "a value may be any number");
    }
}
