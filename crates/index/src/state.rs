//! What a reader sees: the log, and where its documents are.

use crate::error::Error;
use crate::keys::memtable::Memtable;
use crate::keys::runs::Run;
use crate::log::texts::Dictionary;
use crate::log::{LogFiles, StoredDocument};
use crate::removed::Removed;
use lookalike::Plan;
use std::sync::Arc;

/// The documents of an index at one moment. A copy of it shares everything, and takes no time.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) plan: Arc<Plan>,
    pub(crate) dictionaries: Vec<Arc<Dictionary>>,
    pub(crate) log: LogFiles,
    /// The runs, in the order of their documents.
    pub(crate) runs: Vec<Arc<Run>>,
    /// The documents that no run has yet, in order.
    pub(crate) memtables: Vec<Arc<Memtable>>,
    pub(crate) removed: Arc<Removed>,
}

impl State {
    /// The tables of a run: one for each band, one for ids, and one for URLs.
    pub(crate) fn tables(plan: &Plan) -> usize {
        plan.banding().bands + 2
    }

    /// The table of the hashes of ids.
    pub(crate) fn id_table(plan: &Plan) -> usize {
        plan.banding().bands
    }

    /// The table of the hashes of URLs.
    pub(crate) fn url_table(plan: &Plan) -> usize {
        plan.banding().bands + 1
    }

    /// The number that the next document will get, if `first` is the first one.
    pub(crate) fn end(&self) -> u64 {
        let memtable = self.memtables.last().map(|memtable| memtable.range().end);
        memtable.or_else(|| self.runs.last().map(|run| run.range().end)).unwrap_or(0)
    }

    /// Appends the documents from number `first` on that have one of `keys` to `found`, once for each key that they have: see
    /// [`Run::look_up`]. Documents that were removed before the change with the sequence number `before` are left out.
    ///
    /// # Errors
    /// [`Error::Store`] if a run is damaged.
    pub(crate) fn look_up(
        &self,
        first_table: usize,
        keys: &[u64],
        first: u64,
        before: u64,
        found: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let start = found.len();
        let mut runs = self.runs.iter().filter(|run| run.range().end > first);
        runs.try_for_each(|run| run.look_up(first_table, keys, found))?;
        let memtables = self.memtables.iter().filter(|memtable| memtable.range().end > first);
        memtables.for_each(|memtable| memtable.look_up(first_table, keys, first, found));
        let mut kept = start;
        for at in start..found.len() {
            if found[at] >= first && !self.removed.contains_before(found[at], before) {
                found[kept] = found[at];
                kept += 1;
            }
        }
        found.truncate(kept);
        Ok(())
    }

    /// The place in the log of the document with this number.
    pub(crate) fn place(&self, number: u64) -> Result<u64, Error> {
        match self.run_of(number) {
            Some(run) => Ok(run.place(number)?),
            None => {
                let memtable = self.memtables.iter().find(|memtable| memtable.range().contains(&number));
                Ok(memtable.ok_or(Error::NoDocument { number })?.place(number))
            }
        }
    }

    fn run_of(&self, number: u64) -> Option<&Arc<Run>> {
        let behind = self.runs.partition_point(|run| run.range().start <= number);
        self.runs[..behind].last().filter(|run| run.range().contains(&number))
    }

    /// Tells the system that the place of this document will be read soon.
    pub(crate) fn expect_place(&self, number: u64) {
        self.run_of(number).inspect(|run| run.expect_place(number));
    }

    /// The document with this number.
    ///
    /// # Errors
    /// [`Error::Store`] if it is damaged.
    pub(crate) fn document(&self, number: u64) -> Result<StoredDocument<'_>, Error> {
        self.log.document(self.place(number)?, number, &self.plan)
    }
}
