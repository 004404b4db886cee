//! The documents of an index that new documents may be similar to, found by their sketches.

use super::heads::LivingHeads;
use crate::error::Error;
use crate::index::Index;
use crate::keys::key::shared_key;
use crate::log::LoggedDocument;
use crate::progress::{Progress, advance};
use crate::state::Moment;
use lookalike::search::{SketchBuilder, Sketches};
use lookalike::sketch::ContentHash;
use lookalike::{Level, Plan};
use rayon::prelude::*;
use std::sync::Arc;

/// Candidates of an index, the first document of each of their clusters, and what is stored of them.
#[derive(Debug)]
pub struct Gathered {
    /// Which documents these are.
    pub documents: IndexedDocuments,
    /// Their sketches, in the same order. An index does not hold all bits of a band key, so band keys are [shared keys](crate::shared_key).
    pub sketches: Sketches,
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
    /// For each of them the first living document of its cluster, as a place in `numbers`.
    pub first_of: Vec<u32>,
    /// The second since 1970 at which they are alive.
    pub now: u32,
    /// The index that they are in.
    index: Option<Arc<Index>>,
}

impl IndexedDocuments {
    /// Calls `with` with the distinct features by `plan` of the documents at the places `wanted` of `numbers`, one after the other.
    ///
    /// # Errors
    /// [`Error`] if the index is damaged.
    pub fn features(&self, plan: &Plan, wanted: &[u32], mut with: impl FnMut(&[u64])) -> Result<(), Error> {
        let Some(index) = &self.index else { return Ok(()) };
        for wanted in wanted.chunks(AT_ONCE) {
            let numbers: Vec<u64> = wanted.iter().map(|&place| self.numbers[place as usize]).collect();
            let features = index.features(plan, &numbers).map_err(Error::of_index)?;
            features.iter().for_each(|features| with(features));
        }
        Ok(())
    }
}

/// Documents that are requested from the disk at once: enough to keep it busy, and few enough that their pages fit in any memory.
const AT_ONCE: usize = 4096;

/// Keys of one band that a thread looks up at a time.
const KEYS_AT_ONCE: usize = 1024;

/// Bytes of a document that are requested from the disk before it is read: all but the end of a long text.
const EXPECTED_BYTES: u64 = crate::log::GUESS_BYTES;

impl Index {
    /// The living documents at second `now` since 1970 that may be similar to one of some new documents, by their numbers in the whole index,
    /// ascending: they share a band key with it, or their fingerprints are near. `keys` has the [keys](crate::NewDocument::keys) of the new
    /// documents, one document after the other, and `contents` their content hashes.
    ///
    /// Takes 8 bytes of memory for each new document. `progress` counts the tables that were looked up.
    ///
    /// # Errors
    /// [`Error`] if the index is damaged, and [`Error::Interrupted`].
    ///
    /// # Panics
    /// If a document has more or fewer keys than the plan of this index gives it.
    pub fn candidates(
        &self,
        keys: &[u64],
        contents: &[ContentHash],
        now: u32,
        progress: &dyn Progress,
    ) -> Result<Vec<u64>, Error> {
        let moment = Moment { now, ..Moment::LATEST };
        let tables = &self.state.tables;
        assert_eq!(keys.len(), tables.keys() * contents.len(), "a document has a key for each table");
        let mut candidates = Vec::new();
        for table in 0..tables.keys() {
            advance(progress, 0)?;
            let rows = keys.chunks_exact(tables.keys()).zip(contents);
            // All documents without features have the same keys, and are similar to nothing.
            let rows = rows.filter(|(_, content)| !content.is_empty());
            let mut keys: Vec<u64> = rows.map(|(row, _)| tables.held(table, row[table])).collect();
            // In the order of the keys in a run, so that each of its pages is read once.
            keys.par_sort_unstable();
            keys.dedup();
            let look_up = |keys: &[u64]| {
                let mut found = Vec::new();
                keys.iter().try_for_each(|&key| self.state.look_up_key(table, key, moment, &mut found))?;
                Ok(found)
            };
            let found: Vec<Vec<u64>> = keys
                .par_chunks(KEYS_AT_ONCE)
                .map(look_up)
                .collect::<Result<_, _>>()
                .map_err(Error::of_index)?;
            candidates.extend(found.into_iter().flatten());
            candidates.par_sort_unstable();
            candidates.dedup();
            advance(progress, 1)?;
        }
        Ok(candidates)
    }

    /// Reads the sketches and ids of the documents with these numbers, and of the first document of each of their clusters that is alive at
    /// second `now` since 1970.
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
        now: u32,
        progress: &dyn Progress,
    ) -> Result<Gathered, Error> {
        let mut gathered = self.read(candidates, now, progress).map_err(Error::of_index)?;
        gathered.documents.index = Some(Arc::clone(self));
        Ok(gathered)
    }

    fn read(&self, mut numbers: Vec<u64>, now: u32, progress: &dyn Progress) -> Result<Gathered, Error> {
        let is_dead = |number| self.state.is_dead(number, Moment { now, ..Moment::LATEST });
        let mut heads = LivingHeads::new(self.linked()?, &numbers, is_dead)?;
        let firsts: Vec<u64> = numbers.iter().map(|&number| heads.first(number)).collect();
        numbers.extend(firsts);
        numbers.sort_unstable();
        numbers.dedup();

        let place = |number: u64| numbers.partition_point(|&before| before < number) as u32;
        let first_of = numbers.iter().map(|&number| place(heads.first(number))).collect();
        let mut sketches = Sketches::new(self.plan());
        let (mut id_text, mut id_ends) = (Vec::new(), Vec::with_capacity(numbers.len()));
        let mut keys = Vec::new();
        let no_signature = vec![0; self.state.tables.signature_bytes()];
        for numbers in numbers.chunks(AT_ONCE) {
            advance(progress, 0)?;
            for document in self.stored(numbers)? {
                let is_empty = document.content().is_empty();
                let signature = if is_empty { &no_signature } else { document.signature() };
                match &mut sketches {
                    Sketches::MinHash(table) => {
                        keys.clear();
                        document.push_keys(&self.state.tables, &mut keys);
                        keys.iter_mut().for_each(|key| *key = shared_key(*key));
                        table.extend(&keys, signature, &[document.content()]);
                    }
                    Sketches::SimHash(table)
                        if signature == self.state.tables.silent_signature(document.content()) =>
                    {
                        table.push_silent(document.content());
                    }
                    Sketches::SimHash(table) => table.push_bytes(signature, document.content()),
                    Sketches::Exact(_) => unreachable!("an index has sketches"),
                }
                id_text.extend_from_slice(document.id().as_bytes());
                id_ends.push(id_text.len() as u64);
            }
        }
        let documents = IndexedDocuments { numbers, first_of, now, index: None };
        Ok(Gathered { documents, sketches, id_text, id_ends })
    }

    /// The documents with these numbers. They are requested from the disk all at once.
    pub(crate) fn stored(&self, numbers: &[u64]) -> Result<Vec<LoggedDocument<'_>>, Error> {
        let state = &self.state;
        numbers.iter().for_each(|&number| state.expect_place(number));
        let places: Vec<u64> =
            numbers.par_iter().map(|&number| state.place(number)).collect::<Result<_, Error>>()?;
        places.iter().for_each(|&place| state.log.expect(place, EXPECTED_BYTES));
        let document = |(&number, &place)| state.log.document(place, number, &state.tables);
        numbers.par_iter().zip(&places).map(document).collect()
    }

    /// The distinct features by `plan` of the documents with these numbers, made again from their texts.
    pub(crate) fn features(&self, plan: &Plan, numbers: &[u64]) -> Result<Vec<Vec<u64>>, Error> {
        let builder = || SketchBuilder::new(plan, self.weights(), Level::detect());
        let features = |builder: &mut SketchBuilder, document: LoggedDocument<'_>| {
            let text = document.text(&self.state.dictionaries)?;
            let mut features = builder.compared(&text).to_vec();
            let distinct = builder.prepare(&mut features, &mut []);
            features.truncate(distinct);
            Ok(features)
        };
        self.stored(numbers)?.into_par_iter().map_init(builder, features).collect()
    }
}
