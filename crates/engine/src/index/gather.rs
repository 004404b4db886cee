//! What of an index new documents may have to do with: found by band keys, and taken out of it.

use super::key_set::KeySet;
use super::segment::Known;
use super::{Index, damaged};
use crate::documents::ids::Ids;
use crate::error::Error;
use crate::progress::{Monitor, Unit};
use crate::work::Budget;
use lookalike::search::{Share, SketchTable, SketchView};
use lookalike_store::Found;
use rayon::prelude::*;
use std::sync::Arc;

/// Documents of an index that share a band key with a new document, and the first of whatever each of them hangs together with.
#[derive(Debug)]
pub struct Gathered {
    /// Where they stand in the index.
    pub indexed: Indexed,
    /// Their sketches.
    pub table: SketchTable,
    /// Their ids.
    pub ids: Ids,
}

/// Which documents of an index these are; none by default.
#[derive(Debug, Default)]
pub struct Indexed {
    /// Their numbers in the whole index; ascending.
    pub numbers: Vec<u64>,
    /// For each of them which one here is the first that it hangs together with: itself, if it is that.
    pub first_of: Vec<u32>,
    /// Where they are.
    index: Option<Arc<Index>>,
}

impl Indexed {
    /// The different features of those of them that are `wanted`, by their places here.
    pub fn features(&self, wanted: &[u32]) -> Result<Vec<&[u64]>, Error> {
        let Some(index) = &self.index else { return Ok(Vec::new()) };
        let mut features = Vec::with_capacity(wanted.len());
        for wanted in wanted.chunks(AT_ONCE) {
            let numbers: Vec<u64> = wanted.iter().map(|&place| self.numbers[place as usize]).collect();
            features.extend(index.features(&numbers).map_err(damaged)?);
        }
        Ok(features)
    }
}

impl Gathered {
    /// Gathers from `index` what has to do with the documents of `new`, which were sketched by its plan.
    pub fn from(
        index: &Arc<Index>,
        new: SketchView<'_>,
        budget: Budget,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let mut gathered = index.gather(new, budget, monitor).map_err(damaged)?;
        gathered.indexed.index = Some(Arc::clone(index));
        Ok(gathered)
    }
}

/// Documents that are asked for at once: the disk has enough to do, and these pages have room in any memory.
const AT_ONCE: usize = 4096;

impl Index {
    /// What `look` makes of documents, one by one.
    fn look_at<'i, T: Send>(
        &'i self,
        numbers: &[u64],
        monitor: &Monitor,
        look: impl Fn(Known<'i>) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let mut made = Vec::with_capacity(numbers.len());
        for numbers in numbers.chunks(AT_ONCE) {
            monitor.interrupt.check()?;
            let known = self.known(numbers)?;
            made.extend(known.into_par_iter().map(&look).collect::<Result<Vec<T>, Error>>()?);
        }
        Ok(made)
    }

    /// Documents whose sketches will be asked for.
    fn known(&self, numbers: &[u64]) -> Result<Vec<Known<'_>>, Error> {
        let of = |&number: &u64| self.segment_of(number);
        numbers.iter().for_each(|number| of(number).expect_place(*number));
        let places: Vec<Found> =
            numbers.par_iter().map(|number| of(number).place(*number)).collect::<Result<_, Error>>()?;
        numbers.iter().zip(&places).for_each(|(number, &place)| of(number).expect(place, &self.plan));
        numbers.par_iter().zip(&places).map(|(number, &place)| of(number).at(place)).collect()
    }

    fn features(&self, numbers: &[u64]) -> Result<Vec<&[u64]>, Error> {
        let known = self.known(numbers)?;
        known.iter().for_each(|known| known.expect_features());
        known.into_par_iter().map(Known::features).collect()
    }

    fn gather(&self, new: SketchView<'_>, budget: Budget, monitor: &Monitor) -> Result<Gathered, Error> {
        let mut numbers = self.with_keys_of(new, budget, monitor)?;
        let mut linked = self.linked()?;
        let firsts: Vec<u64> = numbers.iter().map(|&number| linked.first(number)).collect();
        numbers.extend(firsts);
        numbers.sort_unstable();
        numbers.dedup();

        let place = |number: u64| numbers.partition_point(|&before| before < number) as u32;
        let first_of = numbers.iter().map(|&number| place(linked.first(number))).collect();
        let mut table = SketchTable::new(self.plan.num_perm(), self.plan.banding());
        let mut ids = Ids::default();
        for sketched in self.look_at(&numbers, monitor, |known| known.sketch(&self.plan))? {
            table.extend(sketched.keys, sketched.bytes, &[sketched.content]);
            ids.push(Some(sketched.id));
        }
        Ok(Gathered { indexed: Indexed { numbers, first_of, index: None }, table, ids })
    }

    /// The documents that share a band key with one of `new`, ascending. Of the index the starts of keys are read: once, if there is
    /// memory for all keys of the new documents; and the documents that have one of a key that is looked for.
    fn with_keys_of(
        &self,
        new: SketchView<'_>,
        budget: Budget,
        monitor: &Monitor,
    ) -> Result<Vec<u64>, Error> {
        if self.segments.is_empty() {
            return Ok(Vec::new());
        }
        let parts = KeySet::parts(new.keys.len(), budget);
        let bytes: u64 = self.segments.iter().map(|segment| segment.key_bytes()).sum();
        let bar = monitor.stage("index", Unit::Bytes, Some(bytes * u64::from(parts)));
        let bands = self.plan.banding().bands;
        let mut found = Vec::new();
        for share in Share::all(parts) {
            let mut keys = vec![Vec::new(); bands];
            let rows = new.keys.chunks_exact(bands).zip(new.contents);
            // Documents of nothing have the same keys, and are no copies.
            for (row, _) in rows.filter(|(_, content)| !content.is_empty()) {
                let keys = keys.iter_mut().zip(row).filter(|(_, key)| share.has(**key));
                keys.for_each(|(keys, &key)| keys.push(key));
            }
            let wanted: Vec<KeySet> = keys.into_par_iter().map(KeySet::new).collect();
            for segment in &self.segments {
                let numbers = segment.with_starts(&wanted, &monitor.interrupt, &bar)?;
                // Some may share no more than the start of a key.
                let share_key = self.look_at(&numbers, monitor, |known| {
                    let keys = known.sketch(&self.plan)?.keys;
                    Ok(wanted.iter().zip(keys).any(|(set, &key)| set.has(key)))
                })?;
                let numbers = numbers.into_iter().zip(share_key);
                found.extend(numbers.filter(|&(_, shares)| shares).map(|(number, _)| number));
            }
        }
        drop(bar);
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

#[cfg(test)]
mod tests;
