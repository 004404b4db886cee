//! The words that are lost with removed documents: in memory, and from some megabytes on in a log on disk.
//!
//! For each document there is an excerpt of up to a thousand bytes. All excerpts together may be larger than everything else that a run
//! holds.

use crate::error::Error;
use crate::progress::Monitor;
use crate::work::{RunLog, Work};
use lookalike::compare::Uncovered;
use lookalike_store::{Column, StoredRecord, bytes_of};
use std::sync::{Mutex, PoisonError};

/// The log's name.
const LOG: &str = "uncovered_text";

/// The parts of its records.
mod part {
    pub(super) const DOCUMENTS: usize = 0;
    pub(super) const WORDS: usize = 1;
    pub(super) const ENDS: usize = 2;
    pub(super) const EXCERPTS: usize = 3;
}

/// For each removed document the words that the one kept for it does not have. Documents that are wholly contained are left out.
#[derive(Debug, Default)]
pub struct UncoveredText(Vec<Excerpts>);

/// The excerpts of the documents of one chunk, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Excerpts {
    /// The documents, ascending.
    documents: Column<u32>,
    /// The number of words that are lost with each.
    words: Column<u64>,
    /// The end of each excerpt in `text`.
    ends: Column<u64>,
    text: Column<u8>,
}

/// Collects the excerpts of all threads.
pub(crate) struct ExcerptCollector<'w> {
    work: &'w Work,
    collected: Mutex<CollectedExcerpts>,
}

#[derive(Default)]
struct CollectedExcerpts {
    /// The bytes of `held`.
    bytes: u64,
    /// The excerpts in memory.
    held: Vec<Excerpts>,
    /// The excerpts that memory has no room for.
    log: Option<RunLog>,
}

impl UncoveredText {
    /// The number of words that are lost with `document`, and an excerpt of them, or `None` if none is lost.
    pub fn with(&self, document: u32) -> Option<(u64, &str)> {
        let before = self.0.partition_point(|excerpts| excerpts.first() <= Some(document));
        let excerpts = &self.0[before.checked_sub(1)?];
        Some(excerpts.at(excerpts.documents.binary_search(&document).ok()?))
    }
}

impl Excerpts {
    /// Appends the excerpt of `document`. Documents must ascend.
    pub(crate) fn push(&mut self, document: u32, uncovered_text: &Uncovered) {
        self.documents.memory().push(document);
        self.words.memory().push(uncovered_text.words as u64);
        self.text.memory().extend_from_slice(uncovered_text.excerpt.as_bytes());
        self.ends.memory().push(self.text.len() as u64);
    }

    /// The excerpts of a record.
    fn of(record: StoredRecord<'_>) -> Result<Self, Error> {
        Ok(Excerpts {
            documents: Column::Disk(record.column(part::DOCUMENTS)?),
            words: Column::Disk(record.column(part::WORDS)?),
            ends: Column::Disk(record.column(part::ENDS)?),
            text: Column::Disk(record.column(part::EXCERPTS)?),
        })
    }

    fn at(&self, index: usize) -> (u64, &str) {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let text = &self.text[start as usize..self.ends[index] as usize];
        // It was text when it was put in.
        (self.words[index], std::str::from_utf8(text).unwrap_or_default())
    }

    fn first(&self) -> Option<u32> {
        self.documents.first().copied()
    }

    fn bytes(&self) -> u64 {
        (size_of::<Excerpts>() + 20 * self.documents.len() + self.text.len()) as u64
    }

    /// Gives unused memory back: excerpts are held until the end of the run.
    fn shrink(&mut self) {
        self.documents.memory().shrink_to_fit();
        self.words.memory().shrink_to_fit();
        self.ends.memory().shrink_to_fit();
        self.text.memory().shrink_to_fit();
    }
}

impl<'w> ExcerptCollector<'w> {
    /// Starts empty. The log of an earlier run is removed, as all excerpts are made again.
    pub(crate) fn new(work: &'w Work) -> Self {
        if let Some(folder) = work.folder() {
            folder.forget(LOG);
        }
        ExcerptCollector { work, collected: Mutex::default() }
    }

    /// Adds the excerpts of a chunk.
    pub(crate) fn add(&self, mut excerpts: Excerpts) -> Result<(), Error> {
        let mut collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
        if collected.log.is_none() {
            if collected.bytes + excerpts.bytes() <= self.work.budget.excerpts() {
                collected.bytes += excerpts.bytes();
                excerpts.shrink();
                collected.held.push(excerpts);
                return Ok(());
            }
            collected.log = Some(self.work.begin()?.log(LOG, &Monitor::default())?.1);
        }
        if let Some(log) = &mut collected.log {
            let Excerpts { documents, words, ends, text } = &excerpts;
            log.append(&[bytes_of(documents), bytes_of(words), bytes_of(ends), text])?;
        }
        Ok(())
    }

    /// All excerpts.
    pub(crate) fn finish(self) -> Result<UncoveredText, Error> {
        let CollectedExcerpts { mut held, log, .. } =
            self.collected.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Some(_), Some(folder)) = (log, self.work.folder()) {
            let log = folder.read_log(LOG)?;
            held.extend(log.records().map(Excerpts::of).collect::<Result<Vec<_>, Error>>()?);
        }
        held.sort_unstable_by_key(Excerpts::first);
        Ok(UncoveredText(held))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_found_in_any_order_of_chunks() {
        let work = Work::in_memory();
        let collector = ExcerptCollector::new(&work);
        let uncovered_text = |document: u32| Uncovered {
            words: document as usize,
            excerpt: "é".repeat(document as usize % 4),
        };
        for documents in [[9, 20, 21], [1, 3, 4], [30, 31, 40]] {
            let mut excerpts = Excerpts::default();
            documents.iter().for_each(|&document| excerpts.push(document, &uncovered_text(document)));
            collector.add(excerpts).expect("it stays in memory");
        }
        let found = collector.finish().expect("it is in memory");
        for document in 0..50 {
            let expected =
                [9, 20, 21, 1, 3, 4, 30, 31, 40].contains(&document).then(|| uncovered_text(document));
            let expected = expected
                .as_ref()
                .map(|uncovered_text| (uncovered_text.words as u64, uncovered_text.excerpt.as_str()));
            assert_eq!(found.with(document), expected, "{document}");
        }
    }
}
