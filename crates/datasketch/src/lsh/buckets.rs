//! The buckets of an index, as programs for datasketch walk over them. The name of a bucket is the bytes of its values.

use super::Lsh;
use crate::bands::BandTables;
use crate::scheme::{stored_bytes, words_of_value};
use lookalike::sketch::PermutationScheme;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

impl Lsh {
    /// The buckets of a slot: for each signature one a band.
    pub fn buckets_of_slot(&self, slot: u32) -> impl Iterator<Item = Vec<u8>> {
        let entries = move |tables: &BandTables| tables.entries(slot);
        self.in_tables(entries).flat_map(move |(tables, entry)| {
            (0..self.bands).map(move |band| self.bytes(tables.band(tables.of_entry(entry), band)))
        })
    }

    /// The buckets of a band, in the order of the first insertion into each.
    pub fn buckets(&self, band: usize) -> impl Iterator<Item = Vec<u8>> {
        self.heads(band).map(move |(tables, head)| self.bytes(tables.band(tables.of_entry(head), band)))
    }

    /// The buckets of a band, each with the number of its slots.
    pub fn counts(&self, band: usize) -> impl Iterator<Item = (Vec<u8>, usize)> {
        self.heads(band).map(move |(tables, head)| {
            let words = tables.band(tables.of_entry(head), band);
            let mut slots: Vec<u32> = tables.bucket(band, words).map(|entry| tables.slot(entry)).collect();
            // A slot may have several signatures.
            slots.sort_unstable();
            slots.dedup();
            (self.bytes(words), slots.len())
        })
    }

    /// For each band the buckets of some slots, each with the number of their signatures in it. Buckets have the order of
    /// the slots.
    pub fn counts_of_slots(&self, slots: &[u32]) -> Vec<Vec<(Vec<u8>, usize)>> {
        let mut counts: Vec<Vec<(Vec<u8>, usize)>> = vec![Vec::new(); self.bands];
        let mut places: HashMap<(usize, Vec<u8>), usize> = HashMap::new();
        for &slot in slots {
            for (number, bucket) in self.buckets_of_slot(slot).enumerate() {
                let band = number % self.bands;
                match places.entry((band, bucket)) {
                    Entry::Occupied(place) => counts[band][*place.get()].1 += 1,
                    Entry::Vacant(place) => {
                        counts[band].push((place.key().1.clone(), 1));
                        place.insert(counts[band].len() - 1);
                    }
                }
            }
        }
        counts
    }

    /// The number of buckets of a band.
    pub fn bucket_count(&self, band: usize) -> usize {
        self.tables.as_ref().map_or(0, |tables| tables.buckets(band))
    }

    /// The slots of a bucket, in the order of insertion, once a signature. There are none if there is no such bucket.
    pub fn slots_of_bucket(&self, band: usize, bucket: &[u8]) -> Vec<u32> {
        let (Some(tables), Some(words)) = (&self.tables, self.words(bucket)) else { return Vec::new() };
        let mut slots: Vec<u32> = tables.bucket(band, &words).map(|entry| tables.slot(entry)).collect();
        slots.reverse();
        slots
    }

    /// The last entry of each bucket of a band.
    fn heads(&self, band: usize) -> impl Iterator<Item = (&BandTables, u32)> {
        self.in_tables(move |tables: &BandTables| tables.heads(band))
    }

    /// Some entries, with the tables that have them. None if there are no tables.
    fn in_tables(
        &self,
        entries: impl Fn(&BandTables) -> Vec<u32>,
    ) -> impl Iterator<Item = (&BandTables, u32)> {
        self.tables
            .iter()
            .flat_map(move |tables| entries(tables).into_iter().map(move |entry| (tables, entry)))
    }

    fn bytes(&self, words: &[u32]) -> Vec<u8> {
        stored_bytes(self.scheme() == Some(PermutationScheme::Legacy), words)
    }

    /// The words of a bucket's bytes. `None` if no bucket has such bytes.
    fn words(&self, bytes: &[u8]) -> Option<Vec<u32>> {
        let scheme = self.scheme()?;
        let (groups, rest) = bytes.as_chunks::<4>();
        let words: Vec<u32> = groups.iter().map(|bytes| u32::from_be_bytes(*bytes)).collect();
        let is_whole = rest.is_empty();
        if scheme != PermutationScheme::Legacy {
            return (is_whole && words.len() == self.rows * words_of_value(scheme)).then_some(words);
        }
        let (pairs, _) = words.as_chunks::<2>();
        let is_band = is_whole && words.len() == 2 * self.rows && pairs.iter().all(|[high, _]| *high == 0);
        is_band.then(|| pairs.iter().map(|&[_, low]| low).collect())
    }
}
