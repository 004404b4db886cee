//! What of an index new documents may have to do with: found by band keys, and taken out of it.

use super::Index;
use super::key_set::KeySet;
use crate::error::Error;
use crate::ids::Ids;
use crate::progress::{Monitor, Unit};
use lookalike::{SketchTable, SketchView};
use rayon::prelude::*;

/// Documents of an index that share a band key with a new document, and the first of whatever each of them hangs together with.
#[derive(Debug)]
pub(crate) struct Gathered {
    /// Their numbers in the whole index; ascending.
    pub(crate) numbers: Vec<u64>,
    /// For each of them which one here is the first that it hangs together with: itself, if it is that.
    pub(crate) first_of: Vec<u32>,
    pub(crate) table: SketchTable,
    pub(crate) ids: Ids,
}

impl Index {
    /// Gathers what has to do with the documents of `new`, which were sketched by its plan.
    pub(crate) fn gather(&self, new: SketchView<'_>, monitor: &Monitor) -> Result<Gathered, Error> {
        let (bands, num_perm) = (self.plan.banding().bands, self.plan.num_perm());
        let mut sets = self.sets()?;
        let mut numbers = self.with_keys_of(new, monitor)?;
        let firsts: Vec<u64> = numbers.iter().map(|&number| u64::from(sets.find(number as u32))).collect();
        numbers.extend(firsts);
        numbers.sort_unstable();
        numbers.dedup();

        let place = |number: u32| numbers.partition_point(|&before| before < u64::from(number)) as u32;
        let first_of = numbers.iter().map(|&number| place(sets.find(number as u32))).collect();
        let known: Vec<_> = numbers
            .par_iter()
            .map(|&number| {
                monitor.interrupt.check()?;
                let known = self.segment_of(number).document(number)?;
                Ok((known.sketch(bands, num_perm)?, known.id))
            })
            .collect::<Result<_, Error>>()?;
        let mut table = SketchTable::new(num_perm, self.plan.banding());
        let mut ids = Ids::default();
        for ((keys, bytes, content), id) in known {
            table.extend(keys, bytes, &[content]);
            ids.push(Some(id));
        }
        Ok(Gathered { numbers, first_of, table, ids })
    }

    /// The documents that share a band key with one of `new`, ascending. Of the index only keys are read.
    fn with_keys_of(&self, new: SketchView<'_>, monitor: &Monitor) -> Result<Vec<u64>, Error> {
        if self.segments.is_empty() {
            return Ok(Vec::new());
        }
        let bands = self.plan.banding().bands;
        let rows = new.keys.chunks_exact(bands).zip(new.contents);
        // Documents of nothing have the same keys, and are no copies.
        let keys = rows.filter(|(_, content)| !content.is_empty()).flat_map(|(keys, _)| keys.iter().copied());
        let wanted = KeySet::new(keys.collect());
        let bytes = self.segments.iter().map(|segment| segment.key_bytes()).sum();
        let bar = monitor.stage("index", Unit::Bytes, Some(bytes));
        let found = self.segments.iter().map(|segment| segment.with_keys(&wanted, bands, &monitor.interrupt, &bar));
        let found: Result<Vec<Vec<u64>>, Error> = found.collect();
        bar.finish_and_clear();
        Ok(found?.concat())
    }

    /// The different features of the documents with these numbers in the whole index.
    pub(crate) fn features(&self, numbers: &[u64]) -> Result<Vec<&[u64]>, Error> {
        numbers.par_iter().map(|&number| self.segment_of(number).document(number)?.features()).collect()
    }
}
