//! What of an index new documents may have to do with: found by band keys, and taken out of it.

use super::key_set::KeySet;
use super::{Index, damaged};
use crate::error::Error;
use crate::ids::Ids;
use crate::progress::{Monitor, Unit};
use crate::work::Budget;
use lookalike::{Share, SketchTable, SketchView};
use rayon::prelude::*;
use std::sync::Arc;

/// Documents of an index that share a band key with a new document, and the first of whatever each of them hangs together with.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) indexed: Indexed,
    pub(crate) table: SketchTable,
    pub(crate) ids: Ids,
}

/// Which documents of an index these are; none by default.
#[derive(Debug, Default)]
pub(crate) struct Indexed {
    /// Their numbers in the whole index; ascending.
    pub(crate) numbers: Vec<u64>,
    /// For each of them which one here is the first that it hangs together with: itself, if it is that.
    pub(crate) first_of: Vec<u32>,
    /// Where they are.
    index: Option<Arc<Index>>,
}

impl Indexed {
    /// The different features of those of them that are `wanted`, by their places here.
    pub(crate) fn features(&self, wanted: &[u32]) -> Result<Vec<&[u64]>, Error> {
        let Some(index) = &self.index else { return Ok(Vec::new()) };
        let features = |&place: &u32| {
            let number = self.numbers[place as usize];
            index.segment_of(number).document(number)?.features()
        };
        wanted.par_iter().map(features).collect::<Result<_, Error>>().map_err(damaged)
    }
}

impl Gathered {
    /// Gathers from `index` what has to do with the documents of `new`, which were sketched by its plan.
    pub(crate) fn from(
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

impl Index {
    fn gather(&self, new: SketchView<'_>, budget: Budget, monitor: &Monitor) -> Result<Gathered, Error> {
        let (bands, num_perm) = (self.plan.banding().bands, self.plan.num_perm());
        let mut numbers = self.with_keys_of(new, budget, monitor)?;
        let mut sets = self.sets()?;
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
        Ok(Gathered { indexed: Indexed { numbers, first_of, index: None }, table, ids })
    }

    /// The documents that share a band key with one of `new`, ascending. Of the index only keys are read: once, if there is memory for
    /// all keys of the new documents.
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
            let rows = new.keys.chunks_exact(bands).zip(new.contents);
            // Documents of nothing have the same keys, and are no copies.
            let keys = rows.filter(|(_, content)| !content.is_empty()).flat_map(|(keys, _)| keys);
            let wanted = KeySet::new(keys.copied().filter(|&key| share.has(key)).collect());
            for segment in &self.segments {
                found.extend(segment.with_keys(&wanted, bands, &monitor.interrupt, &bar)?);
            }
        }
        bar.finish_and_clear();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}
