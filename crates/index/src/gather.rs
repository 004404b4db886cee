//! The documents of an index that new documents may be similar to, found by band keys.

use crate::error::Error;
use crate::index::Index;
use crate::key_set::KeySet;
use crate::progress::{Progress, advance};
use crate::segment::StoredDocument;
use lookalike::search::{Share, SketchTable, SketchView};
use lookalike_store::Found;
use rayon::prelude::*;
use std::num::NonZeroU32;
use std::sync::Arc;

pub use crate::key_set::LOOKUP_KEY_BYTES;

/// Candidates of an index, the first document of each of their clusters, and what is stored of them.
#[derive(Debug)]
pub struct Gathered {
    /// Which documents these are.
    pub documents: IndexedDocuments,
    /// Their sketches, in the same order.
    pub table: SketchTable,
    /// Their ids, one after the other in UTF-8.
    pub id_text: Vec<u8>,
    /// The end of each id in `id_text`.
    pub id_ends: Vec<u64>,
}

/// Some documents of an index. By default there are none.
#[derive(Debug, Default)]
pub struct IndexedDocuments {
    /// Their numbers in the whole index, ascending.
    pub numbers: Vec<u64>,
    /// For each of them the first document of its cluster, as a place in `numbers`.
    pub first_of: Vec<u32>,
    /// The index that they are in.
    index: Option<Arc<Index>>,
}

impl IndexedDocuments {
    /// The distinct features of the documents at the places `wanted` of `numbers`.
    ///
    /// # Errors
    /// [`Error`] if the index is damaged.
    pub fn features(&self, wanted: &[u32]) -> Result<Vec<&[u64]>, Error> {
        let Some(index) = &self.index else { return Ok(Vec::new()) };
        let mut features = Vec::with_capacity(wanted.len());
        for wanted in wanted.chunks(AT_ONCE) {
            let numbers: Vec<u64> = wanted.iter().map(|&place| self.numbers[place as usize]).collect();
            features.extend(index.features(&numbers).map_err(Error::of_index)?);
        }
        Ok(features)
    }
}

/// Documents that are requested from the disk at once: enough to keep it busy, and few enough that their pages fit in any memory.
const AT_ONCE: usize = 4096;

impl Index {
    /// The documents that share a band key with one of `sketches`, by their numbers in the whole index, ascending. `sketches` must be
    /// made by the plan of this index.
    ///
    /// Looking up a band key takes [`LOOKUP_KEY_BYTES`] of memory. With several `parts`, one part of the keys is looked up after the other,
    /// and the file of keys is read once for each. `progress` counts the bytes that were read: [`Index::key_bytes`] for each part, without
    /// headers.
    ///
    /// # Errors
    /// [`Error`] if the index is damaged, and [`Error::Interrupted`].
    pub fn candidates(
        &self,
        sketches: SketchView<'_>,
        parts: NonZeroU32,
        progress: &dyn Progress,
    ) -> Result<Vec<u64>, Error> {
        let mut candidates = Vec::new();
        if self.segments.is_empty() {
            return Ok(candidates);
        }
        for share in Share::all(parts.get()) {
            let sets = self.key_sets(sketches, share);
            candidates.extend(self.with_keys(&sets, progress).map_err(Error::of_index)?);
        }
        candidates.sort_unstable();
        candidates.dedup();
        Ok(candidates)
    }

    /// Reads the sketches and ids of the documents with these numbers, and of the first document of each of their clusters.
    ///
    /// `progress` counts nothing. It is only asked whether to go on.
    ///
    /// # Errors
    /// [`Error`] if the index is damaged, and [`Error::Interrupted`].
    ///
    /// # Panics
    /// If the index has fewer documents.
    pub fn gather(
        self: &Arc<Self>,
        candidates: Vec<u64>,
        progress: &dyn Progress,
    ) -> Result<Gathered, Error> {
        let mut gathered = self.read(candidates, progress).map_err(Error::of_index)?;
        gathered.documents.index = Some(Arc::clone(self));
        Ok(gathered)
    }

    fn read(&self, mut numbers: Vec<u64>, progress: &dyn Progress) -> Result<Gathered, Error> {
        let mut linked = self.linked()?;
        let firsts: Vec<u64> = numbers.iter().map(|&number| linked.first(number)).collect();
        numbers.extend(firsts);
        numbers.sort_unstable();
        numbers.dedup();

        let place = |number: u64| numbers.partition_point(|&before| before < number) as u32;
        let first_of = numbers.iter().map(|&number| place(linked.first(number))).collect();
        let mut table = SketchTable::new(self.plan.num_perm(), self.plan.banding());
        let (mut id_text, mut id_ends) = (Vec::new(), Vec::with_capacity(numbers.len()));
        for sketch in self.map_documents(&numbers, progress, |document| document.sketch(&self.plan))? {
            table.extend(sketch.keys, sketch.signature, &[sketch.content]);
            id_text.extend_from_slice(sketch.id.as_bytes());
            id_ends.push(id_text.len() as u64);
        }
        let documents = IndexedDocuments { numbers, first_of, index: None };
        Ok(Gathered { documents, table, id_text, id_ends })
    }

    /// The keys of `sketches` that are in `share`: a set for each band.
    fn key_sets(&self, sketches: SketchView<'_>, share: Share) -> Vec<KeySet> {
        let bands = self.plan.banding().bands;
        let mut keys = vec![Vec::new(); bands];
        let rows = sketches.keys.chunks_exact(bands).zip(sketches.contents);
        // All documents without features have the same keys, and are similar to nothing.
        for (row, _) in rows.filter(|(_, content)| !content.is_empty()) {
            let keys = keys.iter_mut().zip(row).filter(|(_, key)| share.has(**key));
            keys.for_each(|(keys, &key)| keys.push(key));
        }
        keys.into_par_iter().map(KeySet::new).collect()
    }

    /// The documents that have a key of `sets`, which has a set for each band.
    fn with_keys(&self, sets: &[KeySet], progress: &dyn Progress) -> Result<Vec<u64>, Error> {
        let mut found = Vec::new();
        for segment in &self.segments {
            let numbers = segment.with_starts(sets, progress)?;
            // Some share only the start of a key.
            let share_key = self.map_documents(&numbers, progress, |document| {
                let keys = document.sketch(&self.plan)?.keys;
                Ok(sets.iter().zip(keys).any(|(set, &key)| set.has(key)))
            })?;
            let numbers = numbers.into_iter().zip(share_key);
            found.extend(numbers.filter(|&(_, shares)| shares).map(|(number, _)| number));
        }
        Ok(found)
    }

    /// Reads the documents with these numbers, and calls `map` with each.
    fn map_documents<'i, T: Send>(
        &'i self,
        numbers: &[u64],
        progress: &dyn Progress,
        map: impl Fn(StoredDocument<'i>) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let mut mapped = Vec::with_capacity(numbers.len());
        for numbers in numbers.chunks(AT_ONCE) {
            advance(progress, 0)?;
            let documents = self.stored(numbers)?;
            mapped.extend(documents.into_par_iter().map(&map).collect::<Result<Vec<T>, Error>>()?);
        }
        Ok(mapped)
    }

    /// The documents with these numbers. Their sketches are requested from the disk.
    pub(crate) fn stored(&self, numbers: &[u64]) -> Result<Vec<StoredDocument<'_>>, Error> {
        let of = |&number: &u64| self.segment_of(number);
        numbers.iter().for_each(|number| of(number).expect_place(*number));
        let places: Vec<Found> =
            numbers.par_iter().map(|number| of(number).place(*number)).collect::<Result<_, Error>>()?;
        numbers.iter().zip(&places).for_each(|(number, &place)| of(number).expect(place, &self.plan));
        numbers.par_iter().zip(&places).map(|(number, &place)| of(number).at(place)).collect()
    }

    /// The distinct features of the documents with these numbers.
    pub(crate) fn features(&self, numbers: &[u64]) -> Result<Vec<&[u64]>, Error> {
        let documents = self.stored(numbers)?;
        documents.iter().for_each(|document| document.expect_features());
        documents.into_par_iter().map(StoredDocument::features).collect()
    }
}
