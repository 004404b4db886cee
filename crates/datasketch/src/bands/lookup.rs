//! What tables of bands hold: buckets, and the slots that a query finds.

use super::{BandTables, NONE, hash};

/// The entries from `first` on, up to `NONE`.
fn following(first: u32, next: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
    let some = |entry| (entry != NONE).then_some(entry);
    std::iter::successors(some(first), move |&entry| some(next(entry)))
}

impl BandTables {
    /// The first entry of the bucket of these words.
    fn head(&self, band: usize, wanted: &[u32]) -> u32 {
        let is_equal = |&head: &u32| self.band(self.of_entry(head), band) == wanted;
        self.heads[band].find(hash(wanted), is_equal).copied().unwrap_or(NONE)
    }

    /// The entries of a bucket, from the last inserted to the first.
    pub(crate) fn bucket(&self, band: usize, wanted: &[u32]) -> impl Iterator<Item = u32> {
        self.chain(band, self.head(band, wanted))
    }

    fn chain(&self, band: usize, head: u32) -> impl Iterator<Item = u32> {
        following(head, move |entry| self.links[entry as usize * self.shape.bands + band][0])
    }

    /// The number of buckets of a band.
    pub(crate) fn buckets(&self, band: usize) -> usize {
        self.heads[band].len()
    }

    /// The first entry of every bucket of a band, in the order in which their slots were inserted.
    pub(crate) fn heads(&self, band: usize) -> Vec<u32> {
        let oldest = |&head: &u32| self.chain(band, head).map(|entry| self.order(entry)).min();
        let mut heads: Vec<_> = self.heads[band].iter().map(|head| (oldest(head), *head)).collect();
        heads.sort_unstable();
        heads.into_iter().map(|(_, head)| head).collect()
    }

    /// The slots of signatures that share one of the first `bands` bands with `words`, in the order of insertion.
    /// `is_wanted` looks at the entry.
    pub(crate) fn query(&self, words: &[u32], bands: usize, is_wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut slots: Vec<u32> = Vec::new();
        for band in 0..bands {
            let bucket = self.bucket(band, self.band(words, band));
            slots.extend(bucket.filter(|&entry| is_wanted(entry)).map(|entry| self.slots[entry as usize]));
        }
        if slots.len() > 1 {
            slots.sort_unstable_by_key(|&slot| self.firsts[slot as usize].1);
            slots.dedup();
        }
        slots
    }

    /// The share of equal values of a signature and an entry.
    pub(crate) fn estimate(&self, words: &[u32], entry: u32) -> f64 {
        let own = self.of_entry(entry);
        let equal = match self.shape.words {
            1 => words.iter().zip(own).filter(|(a, b)| a == b).count(),
            size => words.chunks_exact(size).zip(own.chunks_exact(size)).filter(|(a, b)| a == b).count(),
        };
        equal as f64 / self.shape.num_perm as f64
    }

    pub(crate) fn slot(&self, entry: u32) -> u32 {
        self.slots[entry as usize]
    }

    /// When the slot of an entry was inserted.
    pub(crate) fn order(&self, entry: u32) -> u64 {
        self.firsts[self.slots[entry as usize] as usize].1
    }

    /// The entries of a slot, in the order of insertion.
    pub(crate) fn entries(&self, slot: u32) -> Vec<u32> {
        let first = self.firsts.get(slot as usize).map_or(NONE, |&(first, _)| first);
        let mut entries: Vec<u32> = following(first, |entry| self.siblings[entry as usize]).collect();
        entries.reverse();
        entries
    }

    /// The slots with signatures, in the order of insertion.
    pub(crate) fn in_order(&self) -> Vec<u32> {
        let mut slots: Vec<u32> = (0..self.firsts.len() as u32).collect();
        slots.retain(|&slot| self.firsts[slot as usize].0 != NONE);
        slots.sort_unstable_by_key(|&slot| self.firsts[slot as usize].1);
        slots
    }
}
