//! An index of codes for insertions, removals, and queries for close codes.

use super::MOST;
use super::layer::Layer;
use super::layout::HammingLayout;
use super::probe::{BATCH, ProbeBuffers};
use crate::error::TooFar;
use crate::simd::Level;
use crate::simd::hamming::Code;

/// A code near a query. Neighbours are ordered by distance, then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Neighbour {
    /// The number of bits in which the code differs from the query.
    pub distance: u32,
    /// The id that the code was inserted with.
    pub id: u32,
}

/// An exact index of all codes within a distance of a query.
///
/// An entry is a code with an id. The caller chooses ids, and both codes and ids may repeat.
///
/// New entries are first kept aside and then become layers, each at least four times as large as the next. An entry is
/// therefore sorted only a few dozen times, however many follow. Removed entries leave a gap, and a layer is rebuilt
/// when half of its entries are gone.
///
/// ```
/// use lookalike::HammingIndex;
///
/// let mut index = HammingIndex::build(3, &[0b1111_u64, 0b1011, 1 << 40], &[10, 11, 12])?;
/// index.insert(0, 13);
/// let near: Vec<_> = index.query(0b1111, 2)?.iter().map(|near| (near.id, near.distance)).collect();
/// assert_eq!(near, [(10, 0), (11, 1)]);
/// assert_eq!(index.nearest(0, 2).iter().map(|near| near.id).collect::<Vec<_>>(), [13, 12]);
/// assert!(index.remove(0b1111, 10));
/// # Ok::<(), lookalike::TooFar>(())
/// ```
#[derive(Clone, Debug)]
pub struct HammingIndex<C> {
    distance: u32,
    /// The layout of every layer. If `None`, each layer gets the best one for its size.
    layout: Option<HammingLayout>,
    /// The layers, largest first.
    layers: Vec<Layer<C>>,
    /// Entries that are in no layer yet.
    recent_codes: Vec<C>,
    recent_ids: Vec<u32>,
    level: Level,
}

/// Entries kept aside. Comparing with all of them takes 0.1 µs.
const RECENT: usize = 512;

impl<C: Code> HammingIndex<C> {
    /// An empty index for queries up to `distance`.
    ///
    /// # Errors
    /// [`TooFar`] if `distance` is more than 12.
    pub fn new(distance: u32) -> Result<Self, TooFar> {
        if distance > MOST {
            return Err(TooFar { distance, most: MOST });
        }
        Ok(HammingIndex {
            distance,
            layout: None,
            layers: Vec::new(),
            recent_codes: Vec::new(),
            recent_ids: Vec::new(),
            level: Level::detect(),
        })
    }

    /// The index of `codes` for queries up to `distance`. Each code has the id at the same place in `ids`.
    ///
    /// # Errors
    /// [`TooFar`] if `distance` is more than 12.
    ///
    /// # Panics
    /// If the numbers of ids and codes differ, or there are 2³² codes or more.
    pub fn build(distance: u32, codes: &[C], ids: &[u32]) -> Result<Self, TooFar> {
        let mut index = Self::new(distance)?;
        index.extend(codes, ids);
        Ok(index)
    }

    /// Uses `layout` for every layer from now on, regardless of its size. This affects time and memory, and no results.
    ///
    /// Returns `false`, and changes nothing, if the layout does not fit these codes and the largest distance.
    pub fn lay_out(&mut self, layout: HammingLayout) -> bool {
        let fits = HammingLayout::of_parts(C::BITS, self.distance, layout.parts()).is_some();
        if fits {
            self.layout = Some(layout);
            let entries = self.take_entries();
            self.add_layer(entries);
        }
        fits
    }

    /// The layouts in use, starting with the largest layer's.
    pub fn layouts(&self) -> Vec<HammingLayout> {
        self.layers.iter().map(|layer| layer.layout().clone()).collect()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.recent_ids.len() + self.layers.iter().map(Layer::len).sum::<usize>()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The largest distance of a query.
    pub fn max_distance(&self) -> u32 {
        self.distance
    }

    /// The memory that the index takes, in bytes.
    pub fn bytes(&self) -> usize {
        let recent = self.recent_codes.capacity() * size_of::<C>() + self.recent_ids.capacity() * 4;
        recent + self.layers.iter().map(Layer::bytes).sum::<usize>()
    }

    /// Adds an entry.
    ///
    /// # Panics
    /// If this makes 2³² entries.
    pub fn insert(&mut self, code: C, id: u32) {
        self.recent_codes.push(code);
        self.recent_ids.push(id);
        if self.recent_ids.len() >= RECENT {
            self.merge(Vec::new());
        }
    }

    /// Adds entries. Each code has the id at the same place in `ids`.
    ///
    /// # Panics
    /// If the numbers of ids and codes differ, or if this makes 2³² entries or more.
    pub fn extend(&mut self, codes: &[C], ids: &[u32]) {
        assert_eq!(codes.len(), ids.len(), "every code has an id");
        if codes.len() < RECENT {
            return codes.iter().zip(ids).for_each(|(&code, &id)| self.insert(code, id));
        }
        self.merge(codes.iter().copied().zip(ids.iter().copied()).collect());
    }

    /// Removes an entry, and returns `false` if there is none. If the entry was added twice, one remains.
    pub fn remove(&mut self, code: C, id: u32) -> bool {
        let mut recent = self.recent_codes.iter().zip(&self.recent_ids);
        if let Some(place) = recent.position(|entry| entry == (&code, &id)) {
            self.recent_codes.swap_remove(place);
            self.recent_ids.swap_remove(place);
            return true;
        }
        let Some(place) = self.layers.iter_mut().position(|layer| layer.remove(code, id)) else {
            return false;
        };
        if self.layers[place].is_sparse() {
            let mut entries = Vec::new();
            self.layers.remove(place).entries(&mut entries);
            self.add_layer(entries);
        }
        true
    }

    /// All entries within `distance` of `code`, the nearest first, then by id.
    ///
    /// # Errors
    /// [`TooFar`] if `distance` is more than the index was made for.
    pub fn query(&self, code: C, distance: u32) -> Result<Vec<Neighbour>, TooFar> {
        Ok(self.query_many(&[code], distance)?.pop().unwrap_or_default())
    }

    /// The result of [`HammingIndex::query`] for each of `codes`, in less time than by single calls.
    ///
    /// # Errors
    /// [`TooFar`] if `distance` is more than the index was made for.
    pub fn query_many(&self, codes: &[C], distance: u32) -> Result<Vec<Vec<Neighbour>>, TooFar> {
        if distance > self.distance {
            return Err(TooFar { distance, most: self.distance });
        }
        let mut neighbours = vec![Vec::new(); codes.len()];
        let mut probe = ProbeBuffers::default();
        let mut stored = Vec::with_capacity(BATCH);
        for (queries, neighbours) in codes.chunks(BATCH).zip(neighbours.chunks_mut(BATCH)) {
            for layer in &self.layers {
                stored.clear();
                stored.extend(queries.iter().map(|&query| layer.stored(query)));
                probe.run(self.level, layer, &stored, distance);
                for &(query, place, distance) in &probe.found {
                    let ids = layer.ids(place).iter();
                    neighbours[query as usize].extend(ids.map(|&id| Neighbour { distance, id }));
                }
            }
            for (&query, neighbours) in queries.iter().zip(neighbours) {
                self.query_recent(query, distance, neighbours);
                neighbours.sort_unstable();
            }
        }
        Ok(neighbours)
    }

    /// The `count` entries nearest to `code` within the largest distance, the nearest first, then by id.
    pub fn nearest(&self, code: C, count: usize) -> Vec<Neighbour> {
        let mut nearest = Vec::new();
        // Small distances cost little and are often enough.
        for distance in 0..=self.distance {
            nearest = self.query(code, distance).unwrap_or_default();
            if nearest.len() >= count {
                break;
            }
        }
        nearest.truncate(count);
        nearest
    }

    fn query_recent(&self, query: C, distance: u32, neighbours: &mut Vec<Neighbour>) {
        if self.recent_codes.is_empty() {
            return;
        }
        let mut near = Vec::new();
        self.level.close_codes(
            &self.recent_codes,
            &[(0, self.recent_codes.len() as u32)],
            query,
            distance,
            &mut near,
        );
        let entries = near.iter().map(|&(place, distance)| (self.recent_ids[place as usize], distance));
        neighbours.extend(entries.map(|(id, distance)| Neighbour { distance, id }));
    }

    /// Makes a layer of the new entries, the recent entries and all layers that are not much larger.
    fn merge(&mut self, mut entries: Vec<(C, u32)>) {
        entries.extend(self.recent_codes.drain(..).zip(self.recent_ids.drain(..)));
        while let Some(layer) = self.layers.pop_if(|layer| layer.len() / 4 < entries.len()) {
            layer.entries(&mut entries);
        }
        self.add_layer(entries);
    }

    fn take_entries(&mut self) -> Vec<(C, u32)> {
        let mut entries: Vec<(C, u32)> = self.recent_codes.drain(..).zip(self.recent_ids.drain(..)).collect();
        self.layers.drain(..).for_each(|layer| layer.entries(&mut entries));
        entries
    }

    fn add_layer(&mut self, entries: Vec<(C, u32)>) {
        if entries.is_empty() {
            return;
        }
        assert!(u32::try_from(entries.len()).is_ok(), "places are of 32 bits");
        let layer = Layer::new(entries, self.distance, self.layout.clone());
        let place = self.layers.partition_point(|other| other.len() > layer.len());
        self.layers.insert(place, layer);
    }
}
