//! The tables of an index: which keys a document has in them, and which keys are near those of a text.
//!
//! By MinHash there is a table for each band, and two documents may be similar if they have an equal key. By SimHash there is a table for
//! each *part* of a fingerprint: its key is the fingerprint, rotated so that the part comes first. Fingerprints that differ in `distance`
//! bits at most differ in few bits of at least one part, so only documents with near parts are looked at (Norouzi, Punjani and Fleet, "Fast
//! exact search in Hamming space with multi-index hashing", 2012).
//!
//! Two more tables have the hashes of ids and of URLs.
//!
//! An index in a folder that stores no texts is to be small: it has a table for every two bits of the distance, in place of one for each bit, and looks
//! at keys that differ in one bit too ("multi-probe").

use super::key::{self, KEY_BITS};
use lookalike::Plan;
use lookalike::search::{CodePart, HammingLayout};
use lookalike::sketch::ContentHash;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Bits of a key by SimHash that an index holds: all of them. Most fingerprints with a near part are far, and an entry says so by itself.
const PART_KEY_BITS: u32 = 64;

/// Parts of a fingerprint, at most: as in the papers, and each takes nine bytes for each document of ten million.
const MOST_PARTS: u32 = 4;

/// The tables of the documents of one plan, and what is stored of a document beside them.
///
/// Not for: the entries of a table, which are in memtables and runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    by: By,
    signature_bytes: usize,
    stores_texts: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum By {
    /// Equal keys in one of so many bands.
    Bands(usize),
    /// Near parts of fingerprints.
    Parts(Vec<NearPart>),
}

/// A part of fingerprints, and how near keys of its table must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NearPart {
    /// Bits of the fingerprint before the part.
    pub(crate) above: u32,
    /// Bits of the part, with which its keys start.
    pub(crate) bits: u32,
    /// Bits in which the parts of two fingerprints may differ.
    pub(crate) tau: u32,
    /// Bits in which two fingerprints may differ.
    pub(crate) distance: u32,
}

impl Tables {
    /// The tables of an index in a folder whose documents are searched by `plan`.
    pub(crate) fn in_folder(plan: &Plan, stores_texts: bool) -> Self {
        Self::new(plan, stores_texts, |distance| if stores_texts { distance + 1 } else { distance / 2 + 1 })
    }

    /// Those of an index in Redis, which has a key for each value of a part: only values of few bits have several documents each.
    #[cfg(feature = "redis")]
    pub(crate) fn in_redis(plan: &Plan, stores_texts: bool) -> Self {
        Self::new(plan, stores_texts, |distance| distance + 1)
    }

    /// By SimHash there are `wanted` parts for a distance, or [`MOST_PARTS`].
    fn new(plan: &Plan, stores_texts: bool, wanted: impl Fn(u32) -> u32) -> Self {
        let Some(simhash) = plan.simhash() else {
            let (by, signature_bytes) = (By::Bands(plan.banding().bands), plan.num_perm());
            return Tables { by, signature_bytes, stores_texts };
        };
        let bits = simhash.bits.count();
        let parts = parts(bits, simhash.hamming, wanted(simhash.hamming).min(MOST_PARTS));
        Tables { by: By::Parts(parts), signature_bytes: bits as usize / 8, stores_texts }
    }

    #[cfg(test)]
    pub(crate) fn of_bands(bands: usize, signature_bytes: usize) -> Self {
        Tables { by: By::Bands(bands), signature_bytes, stores_texts: true }
    }

    #[cfg(test)]
    pub(crate) fn storing(self, stores_texts: bool) -> Self {
        Tables { stores_texts, ..self }
    }

    /// Whether the texts of documents are stored.
    pub fn stores_texts(&self) -> bool {
        self.stores_texts
    }

    /// The content hash of a document as it is stored: without texts, 32 bits of it. Its signature stands in for the others.
    pub fn held_content(&self, content: ContentHash, signature: &[u8]) -> ContentHash {
        if self.stores_texts || content.is_empty() {
            return content;
        }
        let ([first, _, shingles], other) = (content.to_parts(), xxh3_64(signature));
        ContentHash::of_parts([first << 32 >> 32 | other << 32, other, shingles])
    }

    /// The bytes of a signature.
    pub fn signature_bytes(&self) -> usize {
        self.signature_bytes
    }

    /// The number of keys that the sketch of a document has.
    pub fn keys(&self) -> usize {
        match &self.by {
            By::Bands(bands) => *bands,
            By::Parts(parts) => parts.len(),
        }
    }

    /// The number of tables.
    pub(crate) fn count(&self) -> usize {
        self.keys() + 2
    }

    /// The table of the hashes of ids.
    pub(crate) fn ids(&self) -> usize {
        self.keys()
    }

    /// The table of the hashes of URLs.
    pub(crate) fn urls(&self) -> usize {
        self.keys() + 1
    }

    /// The parts of fingerprints, if documents are found by these. There is a table for each.
    pub(crate) fn parts(&self) -> Option<&[NearPart]> {
        match &self.by {
            By::Bands(_) => None,
            By::Parts(parts) => Some(parts),
        }
    }

    /// Bits of a key that an index holds, for each table.
    pub(crate) fn held_bits(&self) -> Vec<u32> {
        (0..self.count()).map(|table| self.held_bits_of(table)).collect()
    }

    fn held_bits_of(&self, table: usize) -> u32 {
        match self.by {
            By::Parts(_) if table < self.keys() => PART_KEY_BITS,
            _ => KEY_BITS,
        }
    }

    /// `key` without the bits that an index does not hold in this table.
    pub(crate) fn held(&self, table: usize, key: u64) -> u64 {
        key & u64::MAX << (64 - self.held_bits_of(table))
    }

    /// The number of keys that the log has of a document. It has none that follow from the signature.
    pub(crate) fn logged_keys(&self) -> usize {
        match self.by {
            By::Bands(bands) => bands,
            By::Parts(_) => 0,
        }
    }

    /// Appends the keys of a document to `keys`. The log has these bytes of it: its packed keys, and its signature.
    pub(crate) fn push_keys(&self, packed: &[u8], signature: &[u8], keys: &mut Vec<u64>) {
        match &self.by {
            By::Bands(bands) => key::unpack(packed, *bands, keys),
            By::Parts(parts) => keys.extend(parts.iter().map(|part| part.key(signature))),
        }
    }

    /// What stands for the fingerprint of a document whose features have no vote, as its content hash says. Copies have the same, and no other document
    /// is near.
    pub fn silent_signature(&self, content: ContentHash) -> Vec<u8> {
        // The bits that every index holds.
        let [first, ..] = content.to_parts();
        xxh3_128(&(first as u32).to_le_bytes()).to_le_bytes()[..self.signature_bytes.min(16)].to_vec()
    }

    /// The keys of a document whose fingerprint is stored as `signature`, or none if the plan has no fingerprints.
    ///
    /// # Panics
    /// If it has another number of bytes than a fingerprint.
    pub fn part_keys(&self, signature: &[u8]) -> Vec<u64> {
        self.parts().unwrap_or_default().iter().map(|part| part.key(signature)).collect()
    }
}

impl NearPart {
    /// The key of a fingerprint, which is stored as `signature`.
    fn key(&self, signature: &[u8]) -> u64 {
        if let Ok(bytes) = signature.try_into() {
            return u64::from_le_bytes(bytes).rotate_left(self.above);
        }
        let bytes = signature.try_into().expect("a fingerprint has 8 or 16 bytes");
        (u128::from_le_bytes(bytes).rotate_left(self.above) >> 64) as u64
    }

    /// Whether two keys of the table are near. A key has all bits of a fingerprint of 64 bits, and half of one of 128.
    pub(crate) fn is_near(&self, a: u64, b: u64) -> bool {
        let differing = a ^ b;
        differing.count_ones() <= self.distance && (differing >> (64 - self.bits)).count_ones() <= self.tau
    }

    /// Calls `look` with the first bits of all keys near `key`: `first` bits, or those of the part if these are fewer. Each time it gets how many
    /// bits these are.
    pub(crate) fn probes<E>(
        &self,
        key: u64,
        first: u32,
        mut look: impl FnMut(u64, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let bits = first.min(self.bits);
        let prefix = key >> (64 - bits);
        look(prefix, bits)?;
        for count in 1..=self.tau.min(bits) {
            let mut flipped = (1_u64 << count) - 1;
            while flipped >> bits == 0 {
                look(prefix ^ flipped, bits)?;
                // The next larger number with as many ones.
                let low = flipped & flipped.wrapping_neg();
                let carried = flipped + low;
                flipped = carried | (((flipped ^ carried) / low) >> 2);
            }
        }
        Ok(())
    }
}

/// The `count` parts of fingerprints of so many bits that differ in `distance` of them at most.
fn parts(bits: u32, distance: u32, count: u32) -> Vec<NearPart> {
    let share = |total: u32, part: u32| total / count + u32::from(part < total % count);
    let part = |part| CodePart { bits: share(bits, part), tau: share(distance + 1, part) - 1 };
    let parts: Vec<CodePart> = (0..count).map(part).collect();
    let layout =
        HammingLayout::of_parts(bits, distance, &parts).expect("near fingerprints are near in a part");
    let mut above = 0;
    let near = |part: &CodePart| {
        // Two keys agree in 64 bits at most.
        let near = NearPart { above, bits: part.bits.min(64), tau: part.tau, distance };
        above += part.bits;
        near
    };
    layout.parts().iter().map(near).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::{Bits, Method, Options};
    use proptest::prelude::*;
    use std::convert::Infallible;

    fn tables(bits: Bits, hamming: u32, stores_texts: bool) -> Tables {
        let options = Options {
            method: Some(Method::SimHash),
            bits: Some(bits),
            hamming: Some(hamming),
            ..Options::default()
        };
        Tables::in_folder(&options.plan().unwrap(), stores_texts)
    }

    #[test]
    fn three_bits_of_64_are_four_parts_of_16_bits_whose_keys_are_equal() {
        let tables = tables(Bits::B64, 3, true);
        let parts = tables.parts().unwrap().iter().map(|part| (part.above, part.bits, part.tau));
        assert_eq!(parts.collect::<Vec<_>>(), [(0, 16, 0), (16, 16, 0), (32, 16, 0), (48, 16, 0)]);
        let keys = tables.part_keys(&0x0123_4567_89ab_cdef_u64.to_le_bytes());
        assert_eq!(keys[1], 0x4567_89ab_cdef_0123);
    }

    #[test]
    fn every_distance_has_parts() {
        for bits in [Bits::B64, Bits::B128] {
            for hamming in 0..=12 {
                let [with, without] = [true, false].map(|stores_texts| tables(bits, hamming, stores_texts));
                assert_eq!(with.keys(), 4.min(hamming as usize + 1));
                assert_eq!(without.keys(), 4.min(hamming as usize / 2 + 1));
                assert!(hamming > 7 || without.parts().unwrap().iter().all(|part| part.tau <= 1));
                assert_eq!(with.signature_bytes(), bits.count() as usize / 8);
            }
        }
    }

    proptest! {
        #[test]
        fn near_fingerprints_have_a_near_key_among_the_probes(
            bits in prop::sample::select(vec![Bits::B64, Bits::B128]), hamming in 0..=12_u32,
            value: u128, flips in prop::collection::vec(0..128_u32, 0..=12), first in 1..33_u32, stores_texts: bool,
        ) {
            let tables = tables(bits, hamming, stores_texts);
            let flips = flips.iter().take(hamming as usize).map(|flip| 1_u128 << (flip % bits.count()));
            let other = flips.fold(value, |value, flip| value ^ flip);
            let keys = |value: u128| tables.part_keys(&value.to_le_bytes()[..tables.signature_bytes()]);
            let near = tables.parts().unwrap().iter().zip(keys(value).into_iter().zip(keys(other)));
            let is_found = near.map(|(part, (a, b))| {
                let mut probes = 0;
                let _ = part.probes::<Infallible>(a, first, |prefix, bits| {
                    probes += u32::from(prefix == b >> (64 - bits));
                    Ok(())
                });
                assert!(probes <= 1, "no entry is looked at twice");
                part.is_near(a, b) && probes == 1
            });
            prop_assert!(is_found.filter(|&found| found).count() > 0);
        }
    }
}
