//! Tables of bands: for every band of a signature, the entries that have the same values in it.

mod lookup;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// No entry, and no slot.
pub(crate) const NONE: u32 = u32::MAX;

/// The shape of the signatures, and how they are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) bands: usize,
    /// Values of a band.
    pub(crate) rows: usize,
    pub(crate) num_perm: usize,
    /// Words of 32 bits in a value: 2 for `affine64`, high half first.
    pub(crate) words: usize,
}

/// Entries, which are signatures in slots. A slot stands for a key, which the caller holds.
#[derive(Clone, Debug)]
pub(crate) struct BandTables {
    pub(crate) shape: Shape,
    /// The words of all entries, one entry after the other.
    words: Vec<u32>,
    /// The slot of each entry. `NONE` for a removed entry.
    slots: Vec<u32>,
    /// For each entry and band, the next and the previous entry of the bucket.
    links: Vec<[u32; 2]>,
    /// The next entry of the same slot, for each entry.
    siblings: Vec<u32>,
    /// For each slot, its first entry, and when it was inserted.
    firsts: Vec<(u32, u64)>,
    /// For each band, the first entry of every bucket.
    heads: Vec<HashTable<u32>>,
    free_entries: Vec<u32>,
    inserted: u64,
}

fn hash(words: &[u32]) -> u64 {
    // Any odd number with well mixed bits: 2⁶⁴ divided by the golden ratio. The fold below mixes high bits into low ones.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let folded = words.iter().fold(0_u64, |hash, &word| {
        let hash = (hash ^ u64::from(word)).wrapping_mul(FACTOR);
        hash ^ hash >> 32
    });
    folded.wrapping_mul(FACTOR)
}

impl BandTables {
    pub(crate) fn new(shape: Shape) -> Self {
        BandTables {
            shape,
            words: Vec::new(),
            slots: Vec::new(),
            links: Vec::new(),
            siblings: Vec::new(),
            firsts: Vec::new(),
            heads: vec![HashTable::new(); shape.bands],
            free_entries: Vec::new(),
            inserted: 0,
        }
    }

    /// The words of an entry.
    pub(crate) fn of_entry(&self, entry: u32) -> &[u32] {
        let size = self.shape.num_perm * self.shape.words;
        &self.words[entry as usize * size..][..size]
    }

    /// The words of a band of a signature.
    pub(crate) fn band<'w>(&self, words: &'w [u32], band: usize) -> &'w [u32] {
        let size = self.shape.rows * self.shape.words;
        &words[band * size..][..size]
    }

    /// Inserts a signature under a slot, which may have signatures.
    pub(crate) fn insert(&mut self, slot: u32, words: &[u32]) {
        let entry = self.stored(words);
        if self.firsts.len() <= slot as usize {
            self.firsts.resize(slot as usize + 1, (NONE, 0));
        }
        let (first, order) = &mut self.firsts[slot as usize];
        self.siblings[entry as usize] = *first;
        if *first == NONE {
            *order = self.inserted;
            self.inserted += 1;
        }
        *first = entry;
        self.slots[entry as usize] = slot;
        for band in 0..self.shape.bands {
            self.link(entry, band, words);
        }
    }

    fn stored(&mut self, words: &[u32]) -> u32 {
        if let Some(entry) = self.free_entries.pop() {
            let start = entry as usize * words.len();
            self.words[start..start + words.len()].copy_from_slice(words);
            return entry;
        }
        let entry = self.slots.len() as u32;
        self.words.extend_from_slice(words);
        self.slots.push(NONE);
        self.siblings.push(NONE);
        self.links.resize(self.links.len() + self.shape.bands, [NONE; 2]);
        entry
    }

    fn link(&mut self, entry: u32, band: usize, words: &[u32]) {
        let mut table = std::mem::take(&mut self.heads[band]);
        let wanted = self.band(words, band);
        let is_equal = |&head: &u32| self.band(self.of_entry(head), band) == wanted;
        let hash_of = |&head: &u32| hash(self.band(self.of_entry(head), band));
        let before = match table.entry(hash(wanted), is_equal, hash_of) {
            Entry::Occupied(mut head) => std::mem::replace(head.get_mut(), entry),
            Entry::Vacant(place) => {
                place.insert(entry);
                NONE
            }
        };
        self.heads[band] = table;
        let bands = self.shape.bands;
        self.links[entry as usize * bands + band] = [before, NONE];
        if before != NONE {
            self.links[before as usize * bands + band][1] = entry;
        }
    }

    /// Removes all signatures of a slot.
    pub(crate) fn remove(&mut self, slot: u32) {
        let Some(place) = self.firsts.get_mut(slot as usize) else { return };
        let mut entry = std::mem::replace(&mut place.0, NONE);
        while entry != NONE {
            for band in 0..self.shape.bands {
                self.unlink(entry, band);
            }
            self.slots[entry as usize] = NONE;
            self.free_entries.push(entry);
            entry = std::mem::replace(&mut self.siblings[entry as usize], NONE);
        }
    }

    fn unlink(&mut self, entry: u32, band: usize) {
        let bands = self.shape.bands;
        let [next, previous] = self.links[entry as usize * bands + band];
        if next != NONE {
            self.links[next as usize * bands + band][1] = previous;
        }
        if previous != NONE {
            self.links[previous as usize * bands + band][0] = next;
            return;
        }
        let hash = hash(self.band(self.of_entry(entry), band));
        if let Ok(mut head) = self.heads[band].find_entry(hash, |&head| head == entry) {
            if next == NONE {
                head.remove();
            } else {
                *head.get_mut() = next;
            }
        }
    }
}
