//! Tables from hashes to places.

use crate::simd::prefetch;

/// An open-addressing table whose entries are a key and some values, all `u64`. It grows by a third.
#[derive(Clone, Debug)]
pub struct PlaceTable {
    words: Vec<u64>,
    /// The words of an entry.
    width: usize,
    /// The number of entries that there is room for.
    room: usize,
    entries: usize,
}

/// Entries of a new table.
const FIRST: usize = 16;

impl PlaceTable {
    /// An empty table with so many values for a key.
    pub fn new(values: usize) -> Self {
        PlaceTable { words: vec![0; FIRST * (values + 1)], width: values + 1, room: FIRST, entries: 0 }
    }

    /// The values of `key`, and whether the key is new. New values are 0.
    ///
    /// # Panics
    /// If `key` is 0.
    pub fn entry(&mut self, key: u64) -> (&mut [u64], bool) {
        assert!(key != 0, "0 marks a free place");
        if self.entries * 20 >= self.room * 17 {
            self.resize(self.room * 4 / 3 + 1, |_| true);
        }
        let (at, width) = (self.find(key), self.width);
        let is_new = self.words[at] == 0;
        self.entries += usize::from(is_new);
        self.words[at] = key;
        (&mut self.words[at + 1..at + width], is_new)
    }

    /// The values of `key`, if the table has it.
    pub fn get(&self, key: u64) -> Option<&[u64]> {
        let at = self.find(key);
        (self.words[at] == key && key != 0).then(|| &self.words[at + 1..at + self.width])
    }

    /// The values of `key`, if the table has it.
    pub fn get_mut(&mut self, key: u64) -> Option<&mut [u64]> {
        let (at, width) = (self.find(key), self.width);
        (self.words[at] == key && key != 0).then(|| &mut self.words[at + 1..at + width])
    }

    /// Fetches the entry of `key` into the cache, to be read soon.
    #[inline]
    pub fn fetch(&self, key: u64) {
        prefetch(&self.words, self.start(key) * self.width);
    }

    /// Removes the entries whose values are not `wanted`, and gives their memory back.
    pub fn retain(&mut self, wanted: impl Fn(&[u64]) -> bool) {
        let entries = self.words.chunks_exact(self.width);
        let left = entries.filter(|entry| entry[0] != 0 && wanted(&entry[1..])).count();
        self.resize((left * 5 / 4).max(FIRST), wanted);
    }

    /// The bytes of memory that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }

    /// The number of the entry at which the search for `key` starts.
    #[inline]
    fn start(&self, key: u64) -> usize {
        // Keys are least hashes of many, so their high bits are alike.
        let spread = u128::from(key.wrapping_mul(0x9fb2_1c65_1e98_df25));
        ((spread * self.room as u128) >> 64) as usize
    }

    /// The place of `key`, or the free place for it.
    fn find(&self, key: u64) -> usize {
        let (mut at, room) = (self.start(key), self.room);
        loop {
            let word = self.words[at * self.width];
            if word == 0 || word == key {
                return at * self.width;
            }
            at = if at + 1 == room { 0 } else { at + 1 };
        }
    }

    fn resize(&mut self, room: usize, wanted: impl Fn(&[u64]) -> bool) {
        let before = std::mem::replace(&mut self.words, vec![0; room * self.width]);
        (self.room, self.entries) = (room, 0);
        for entry in before.chunks_exact(self.width).filter(|entry| entry[0] != 0 && wanted(&entry[1..])) {
            let (at, width) = (self.find(entry[0]), self.width);
            self.words[at..at + width].copy_from_slice(entry);
            self.entries += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn a_table_is_a_map(keys in prop::collection::vec(1_u64..200, 0..600), values in 1_usize..4) {
            let (mut table, mut expected) = (PlaceTable::new(values), HashMap::<u64, u64>::new());
            for &key in &keys {
                let (entry, is_new) = table.entry(key);
                entry[values - 1] += key;
                prop_assert_eq!(is_new, !expected.contains_key(&key));
                *expected.entry(key).or_default() += key;
            }
            table.retain(|values| values[values.len() - 1] % 2 == 0);
            expected.retain(|_, sum| *sum % 2 == 0);
            for key in 0..210 {
                prop_assert_eq!(table.get(key).map(|values| values[values.len() - 1]), expected.get(&key).copied());
                prop_assert_eq!(table.get_mut(key).is_some(), expected.contains_key(&key));
            }
        }
    }
}
