//! What is lost with removed documents, where there is room for it: in memory, and from some megabytes on in a log on disk.
//!
//! What is lost with one is an excerpt of up to a thousand bytes; with all of them it may be more than everything else that a run holds.

use crate::error::Error;
use crate::progress::Monitor;
use crate::work::{Part, Work};
use lookalike::compare::Uncovered;
use lookalike_store::{Column, Record, bytes_of};
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

/// What every removed document holds that is not in the one kept for it, by document; of those that are wholly contained there
/// is nothing to tell.
#[derive(Debug, Default)]
pub struct UncoveredText(Vec<Excerpts>);

/// What is lost with documents of one chunk; one excerpt behind the other.
#[derive(Debug, Default)]
pub struct Excerpts {
    /// They ascend.
    documents: Column<u32>,
    /// How many words each loses.
    words: Column<u64>,
    /// Where each excerpt ends.
    ends: Column<u64>,
    text: Column<u8>,
}

/// Takes excerpts from all threads.
pub struct Taking<'w> {
    work: &'w Work,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How much is held in memory.
    bytes: u64,
    held: Vec<Excerpts>,
    log: Option<Part>,
}

impl UncoveredText {
    /// How many words go with `document`, and an excerpt of them; `None` if nothing does.
    pub fn with(&self, document: u32) -> Option<(u64, &str)> {
        let before = self.0.partition_point(|excerpts| excerpts.first() <= Some(document));
        let excerpts = &self.0[before.checked_sub(1)?];
        Some(excerpts.at(excerpts.documents.binary_search(&document).ok()?))
    }
}

impl Excerpts {
    /// Appends what goes with `document`, which comes behind all that are there.
    pub fn push(&mut self, document: u32, uncovered_text: &Uncovered) {
        self.documents.memory().push(document);
        self.words.memory().push(uncovered_text.words as u64);
        self.text.memory().extend_from_slice(uncovered_text.excerpt.as_bytes());
        self.ends.memory().push(self.text.len() as u64);
    }

    /// Of a record.
    fn of(record: Record<'_>) -> Result<Self, Error> {
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

    /// Gives back what was reserved and not needed: what is held stays until the end.
    fn shrink(&mut self) {
        self.documents.memory().shrink_to_fit();
        self.words.memory().shrink_to_fit();
        self.ends.memory().shrink_to_fit();
        self.text.memory().shrink_to_fit();
    }
}

impl<'w> Taking<'w> {
    /// Nothing yet: whatever an earlier run had found is found anew.
    pub fn new(work: &'w Work) -> Self {
        if let Some(folder) = work.folder() {
            folder.forget(LOG);
        }
        Taking { work, state: Mutex::default() }
    }

    /// Takes what is lost with documents of a chunk.
    pub fn take(&self, mut excerpts: Excerpts) -> Result<(), Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.log.is_none() {
            if state.bytes + excerpts.bytes() <= self.work.budget.excerpts() {
                state.bytes += excerpts.bytes();
                excerpts.shrink();
                state.held.push(excerpts);
                return Ok(());
            }
            state.log = Some(self.work.begin()?.log(LOG, &Monitor::default())?.1);
        }
        if let Some(log) = &mut state.log {
            let Excerpts { documents, words, ends, text } = &excerpts;
            log.append(&[bytes_of(documents), bytes_of(words), bytes_of(ends), text])?;
        }
        Ok(())
    }

    /// Everything that was taken.
    pub fn finish(self) -> Result<UncoveredText, Error> {
        let State { mut held, log, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
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
    fn what_is_lost_is_found_by_its_document_in_whatever_order_it_came() {
        let work = Work::in_memory();
        let taking = Taking::new(&work);
        let uncovered_text = |document: u32| Uncovered {
            words: document as usize,
            excerpt: "é".repeat(document as usize % 4),
        };
        for documents in [[9, 20, 21], [1, 3, 4], [30, 31, 40]] {
            let mut excerpts = Excerpts::default();
            documents.iter().for_each(|&document| excerpts.push(document, &uncovered_text(document)));
            taking.take(excerpts).expect("it stays in memory");
        }
        let found = taking.finish().expect("it is in memory");
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
