//! Makes one run of several.

use super::layout::KeyRunTable;
use super::{KeyRun, RunWriter};
use crate::error::Error;
use crate::life::Lives;
use crate::progress::{Progress, advance};
use lookalike_store::PagedSummary;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// How many times as large as the next run a run is, at least. With three, ten million documents are in four runs, and each entry is
/// written about three times.
const RATIO: u64 = 3;

/// The runs to merge next, or `None` if each is large enough beside the one that follows it. `documents` has the size of each run.
pub(crate) fn next_merge(documents: &[u64]) -> Option<Range<usize>> {
    // From the first run on that is too small for all that follow it together.
    let is_small = |first: &usize| {
        let behind: u64 = documents[first + 1..].iter().sum();
        // A directory counts entries in 32 bits.
        let fits = documents[*first] + behind <= u64::from(u32::MAX);
        documents[*first] < RATIO * behind && fits
    };
    (0..documents.len().saturating_sub(1)).find(is_small).map(|first| first..documents.len())
}

/// Writes one run at `path` that has the documents of all of `runs`, which follow each other. Dead ones lose their entries, and
/// keep their places. `lives` is of the same documents. `progress` counts entries.
pub(crate) fn merge(
    path: &Path,
    owner: u64,
    runs: &[Arc<KeyRun>],
    lives: &Lives,
    progress: &dyn Progress,
) -> Result<PagedSummary, Error> {
    let first = runs[0].range().start;
    let documents = runs.iter().map(|run| run.documents()).sum();
    let mut writer = RunWriter::create(path, owner, runs[0].outline.held_bits(), first, documents)?;
    for table in 0..runs[0].outline.tables.len() {
        advance(progress, 0)?;
        let mut cursors: Vec<Cursor<'_>> =
            runs.iter().map(|run| Cursor::new(run, run.outline.tables[table])).collect::<Result<_, _>>()?;
        let next = || {
            loop {
                // The first of equal keys is the one with the smallest number.
                let least = cursors.iter_mut().filter(|cursor| cursor.next.is_some()).min_by_key(|c| c.next);
                let cursor = least?;
                let entry = cursor.next;
                if let Err(error) = cursor.step() {
                    return Some(Err(error));
                }
                match entry {
                    Some((_, number)) if lives.is_dead(number) => {}
                    entry => return entry.map(Ok),
                }
            }
        };
        writer.table(std::iter::from_fn(next))?;
        advance(progress, documents)?;
    }
    Ok(writer.finish(runs.iter().flat_map(|run| run.places()), lives.expiries())?)
}

/// Reads the entries of a table in order.
struct Cursor<'r> {
    run: &'r KeyRun,
    table: KeyRunTable,
    bucket: usize,
    /// The end of the bucket.
    end: usize,
    /// The place of the entry behind the next one.
    at: usize,
    /// The key and the number of the next entry.
    next: Option<(u64, u64)>,
}

impl<'r> Cursor<'r> {
    fn new(run: &'r KeyRun, table: KeyRunTable) -> Result<Self, lookalike_store::Error> {
        let (_, end) = run.bucket(&table, 0)?;
        let mut cursor = Cursor { run, table, bucket: 0, end, at: 0, next: None };
        cursor.step()?;
        Ok(cursor)
    }

    fn step(&mut self) -> Result<(), lookalike_store::Error> {
        if self.at == self.table.entries {
            self.next = None;
            return Ok(());
        }
        while self.at >= self.end {
            self.bucket += 1;
            (_, self.end) = self.run.bucket(&self.table, self.bucket)?;
        }
        let outline = &self.run.outline;
        let width = outline.entry_bytes(&self.table);
        let at = self.table.start + width * self.at;
        let entry = self.run.file.bytes(at..at + width + 8)?;
        let key = outline.key_in(&self.table, self.bucket, entry);
        self.next = Some((key, outline.number_in(&self.table, entry)));
        self.at += 1;
        Ok(())
    }
}
