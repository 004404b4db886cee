//! What a reader sees: the log, and where its documents are.

use crate::error::Error;
use crate::keys::memtable::Memtable;
use crate::keys::runs::KeyRun;
use crate::keys::tables::{NearPart, Tables};
use crate::life::extended::Extended;
use crate::life::removed::RemovedDocuments;
use crate::life::{Lives, NEVER};
use crate::log::texts::Dictionary;
use crate::log::{LogFiles, LoggedDocument};
use lookalike::{Plan, Weights};
use std::convert::Infallible;
use std::sync::Arc;

/// The documents of an index at one moment. A copy of it shares everything, and takes no time.
#[derive(Clone, Debug)]
pub(crate) struct IndexState {
    pub(crate) plan: Arc<Plan>,
    /// The weights of features.
    pub(crate) weights: Weights,
    /// The tables by which documents are found.
    pub(crate) tables: Arc<Tables>,
    pub(crate) dictionaries: Vec<Arc<Dictionary>>,
    pub(crate) log: LogFiles,
    /// The runs, in the order of their documents.
    pub(crate) runs: Vec<Arc<KeyRun>>,
    /// The documents that no run has yet, in order.
    pub(crate) memtables: Vec<Arc<Memtable>>,
    pub(crate) removed: Arc<RemovedDocuments>,
    pub(crate) extended: Arc<Extended>,
    /// Documents that expire at this second or before are dead, and what is left of them may be gone.
    pub(crate) dropped: u32,
}

/// The moment at which documents are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// Removals and extensions with this sequence number or a later one are not seen.
    pub(crate) sequence: u64,
    /// The second since 1970: documents that have expired by then are not seen.
    pub(crate) now: u32,
}

impl Moment {
    /// After all changes, and before any document expires.
    pub(crate) const LATEST: Moment = Moment { sequence: u64::MAX, now: 0 };
}

impl IndexState {
    /// The number that the next document will get, if `first` is the first one.
    pub(crate) fn end(&self) -> u64 {
        let memtable = self.memtables.last().map(|memtable| memtable.range().end);
        memtable.or_else(|| self.runs.last().map(|run| run.range().end)).unwrap_or(0)
    }

    /// Appends the documents from number `first` on that may be similar to one whose sketch has these `keys`, once for each key that is equal,
    /// or near enough. Documents that are dead at that `moment` are left out.
    ///
    /// # Errors
    /// [`Error::Store`] if a run is damaged.
    pub(crate) fn look_up_sketch(
        &self,
        keys: &[u64],
        first: u64,
        moment: Moment,
        found: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let Some(parts) = self.tables.parts() else { return self.look_up(0, keys, first, moment, found) };
        let start = found.len();
        for (table, (part, &key)) in parts.iter().zip(keys).enumerate() {
            self.look_near(table, part, key, first, found)?;
        }
        self.retain_living(start, first, moment, found)
    }

    /// Like [`IndexState::look_up_sketch`], by the key in one table, among all documents.
    ///
    /// # Errors
    /// [`Error::Store`] if a run is damaged.
    pub(crate) fn look_up_key(
        &self,
        table: usize,
        key: u64,
        moment: Moment,
        found: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let Some(parts) = self.tables.parts() else { return self.look_up(table, &[key], 0, moment, found) };
        let start = found.len();
        self.look_near(table, &parts[table], key, 0, found)?;
        self.retain_living(start, 0, moment, found)
    }

    fn look_near(
        &self,
        table: usize,
        part: &NearPart,
        key: u64,
        first: u64,
        found: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let mut runs = self.runs.iter().filter(|run| run.range().end > first);
        runs.try_for_each(|run| run.look_near(table, part, key, found))?;
        let memtables = self.memtables.iter().filter(|memtable| memtable.range().end > first);
        memtables.for_each(|memtable| memtable.look_near(table, part, key, first, found));
        Ok(())
    }

    /// Appends the documents from number `first` on that have one of `keys` to `found`, once for each key that they have: see
    /// [`KeyRun::look_up`]. Documents that are dead at that `moment` are left out.
    ///
    /// # Errors
    /// [`Error::Store`] if a run is damaged.
    pub(crate) fn look_up(
        &self,
        first_table: usize,
        keys: &[u64],
        first: u64,
        moment: Moment,
        found: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let start = found.len();
        let mut runs = self.runs.iter().filter(|run| run.range().end > first);
        runs.try_for_each(|run| run.look_up(first_table, keys, found))?;
        let memtables = self.memtables.iter().filter(|memtable| memtable.range().end > first);
        memtables.for_each(|memtable| memtable.look_up(first_table, keys, first, found));
        self.retain_living(start, first, moment, found)
    }

    /// Keeps those of the documents behind place `start` that are alive at that `moment` and have number `first` or a later one.
    fn retain_living(
        &self,
        start: usize,
        first: u64,
        moment: Moment,
        found: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let mut kept = start;
        for at in start..found.len() {
            if found[at] >= first && !self.is_dead(found[at], moment)? {
                found[kept] = found[at];
                kept += 1;
            }
        }
        found.truncate(kept);
        Ok(())
    }

    /// Whether the document was removed, or has expired.
    ///
    /// # Errors
    /// [`Error::Store`] if a run is damaged.
    pub(crate) fn is_dead(&self, number: u64, moment: Moment) -> Result<bool, Error> {
        let now = moment.now.max(self.dropped);
        Ok(self.removed.contains_before(number, moment.sequence)
            || now > 0 && self.expiry(number, moment)? <= now)
    }

    /// The second at which the document expires, as it is known at that `moment`.
    ///
    /// # Errors
    /// [`Error::Store`] if a run is damaged.
    pub(crate) fn expiry(&self, number: u64, moment: Moment) -> Result<u32, Error> {
        Ok(self.extended.expiry_before(number, self.own_expiry(number)?, moment.sequence))
    }

    /// The number of documents that have expired at second `now`, and were not removed before. Reads when each one expires.
    ///
    /// # Errors
    /// [`Error::Store`] if a run is damaged.
    pub(crate) fn expired(&self, now: u32) -> Result<u64, Error> {
        let now = now.max(self.dropped);
        let has_expired = |number, own| {
            let expiry = self.extended.expiry(number, own);
            u64::from(expiry != NEVER && expiry <= now && !self.removed.contains(number))
        };
        let mut expired = 0;
        for run in self.runs.iter().filter(|run| run.has_expiries()) {
            for (number, own) in run.range().zip(run.expiries()) {
                expired += has_expired(number, own?);
            }
        }
        let newest = self
            .memtables
            .iter()
            .flat_map(|memtable| memtable.range().map(|number| has_expired(number, memtable.expiry(number))));
        Ok(expired + newest.sum::<u64>())
    }

    /// The second at which the document expires, as the run or memtable says that it is in.
    ///
    /// # Errors
    /// [`Error::Store`] if a run is damaged.
    pub(crate) fn own_expiry(&self, number: u64) -> Result<u32, Error> {
        Ok(match self.run_of(number) {
            Some(run) => run.expiry(number)?,
            None => self.memtable_of(number)?.expiry(number),
        })
    }

    /// Which documents of `runs` are alive. Those that have expired at second `dropped` or before are not.
    ///
    /// # Errors
    /// [`Error::Store`] if a run is damaged.
    pub(crate) fn lives_of_runs(&self, runs: &[Arc<KeyRun>], dropped: u32) -> Result<Lives, Error> {
        let first = runs.first().map_or(0, |run| run.range().start);
        let own = runs.iter().flat_map(|run| run.expiries());
        Ok(Lives::new(first, own, &self.removed, &self.extended, dropped.max(self.dropped))?)
    }

    /// Which documents of `memtable` are alive. Those that have expired at second `dropped` or before are not.
    pub(crate) fn lives_of(&self, memtable: &Memtable, dropped: u32) -> Lives {
        let range = memtable.range();
        let own = range.clone().map(|number| Ok::<_, Infallible>(memtable.expiry(number)));
        let dropped = dropped.max(self.dropped);
        let lives = Lives::new(range.start, own, &self.removed, &self.extended, dropped);
        lives.unwrap_or_else(|never| match never {})
    }

    fn memtable_of(&self, number: u64) -> Result<&Memtable, Error> {
        let memtable = self.memtables.iter().find(|memtable| memtable.range().contains(&number));
        memtable.map(|memtable| &**memtable).ok_or(Error::NoDocument { number })
    }

    /// The place in the log of the document with this number.
    pub(crate) fn place(&self, number: u64) -> Result<u64, Error> {
        match self.run_of(number) {
            Some(run) => Ok(run.place(number)?),
            None => Ok(self.memtable_of(number)?.place(number)),
        }
    }

    fn run_of(&self, number: u64) -> Option<&Arc<KeyRun>> {
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
    pub(crate) fn document(&self, number: u64) -> Result<LoggedDocument<'_>, Error> {
        self.log.document(self.place(number)?, number, &self.tables)
    }
}
