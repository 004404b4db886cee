//! Repeated passages: which parts of texts occur earlier in the corpus, and where.
//!
//! What a repeated passage is, and how it is found by anchors, is defined in [`lookalike::windows`]. This module does it
//! on files and threads:
//!
//! ```text
//! scan 1  texts ──→ token hashes ──→ anchors ──→ classes (of each anchor: its run, its first place)
//! scan 2  texts with an anchor whose class has several runs ──→ windows (of each: its first place)
//! scan 3  texts with an anchor that occurs again ──→ spans, each with links to sources
//! scan 4  texts with a source ──→ the tokens of the sources
//! output  texts with a span: the tokens of each link are compared with those of its source
//! ```
//!
//! Scan 1 reads everything. The others read only the texts that they need.
//!
//! A place is a `u64`: the number of a chunk, and a position in it. Positions count tokens, and `length` more for each
//! text, so that windows of two texts do not overlap.
//!
//! If the tokens of a link are not those of its source, two hashes were equal by chance. The caller then searches again
//! with another seed ([`Error::EqualHashes`]).
//!
//! # What memory holds
//!
//! | data | bytes |
//! |---|---|
//! | a class, during scan 1 | 33 for each different anchor; there is one for 12 tokens |
//! | the anchors of each text, during scan 1 | 8 for each |
//! | a class whose anchor occurs again, until scan 3 | 30 |
//! | a window of a class with several runs, until scan 3 | 20 for each different one |
//! | a text | 20 |
//! | the id of a text with a passage, if ids are read | its length, and 24 |
//! | a link | 40 |
//! | the tokens of sources, from scan 4 on | the length of their text |
//!
//! Where last places count, a class and a window have 8 bytes more.
//!
//! If a table grows beyond its share of the budget, the search starts again in two parts, then in four, and so on: each has the classes of
//! some keys, with all of their windows. Each part takes as long as the whole search.

mod classes;
mod find;
mod first_scan;
mod shards;
mod sources;
mod texts;
mod token_bytes;
mod visit;

#[cfg(test)]
mod tests;

pub use self::find::{FoundSpans, SpansOfText};
pub use self::sources::SourceTexts;
pub use self::texts::{ChunkTexts, ScannedTexts, TextPlace};

use crate::error::Error;
use crate::progress::Monitor;
use crate::request::Request;
use crate::work::Budget;
use lookalike::windows::{KeptOccurrence, Repeats, WindowHasher};
use lookalike_corpus::{Fields, Inputs};

/// What a repeated passage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanSettings {
    /// The least tokens of a passage.
    pub length: usize,
    /// Which occurrences stay.
    pub keep: KeptOccurrence,
    /// Whether no token of a first occurrence is removed, even if a part of it occurs earlier.
    pub whole: bool,
}

/// A corpus whose repeated passages are searched for.
#[derive(Clone, Copy)]
pub struct SpanSearch<'a> {
    /// How texts are read and cut into tokens.
    pub request: &'a Request,
    /// The files. If some are only compared against, passages are repeated if these have them.
    pub inputs: &'a Inputs,
    /// The fields that are read.
    pub fields: &'a Fields,
    /// What is searched for.
    pub settings: SpanSettings,
    /// The memory for tables.
    pub budget: Budget,
    /// Another seed gives other hashes, and the same result.
    pub seed: u64,
    /// Observes the run, and may stop it.
    pub monitor: &'a Monitor,
}

/// Some of the shards of all tables. If memory is short, the search has one part after the other, and the result is the same.
#[derive(Clone, Copy, Debug)]
struct TablePart {
    part: usize,
    of: usize,
}

impl TablePart {
    /// Whether a key is in the tables of this part.
    fn has(self, key: u64) -> bool {
        self.of == 1 || shards::shard(key) % self.of == self.part
    }
}

impl SpanSearch<'_> {
    /// Finds the spans of all texts. `check` gets all texts before spans are looked for, and may end the run.
    ///
    /// # Errors
    /// [`Error`], and those of `check`.
    pub fn run<E: From<Error>>(
        self,
        mut check: impl FnMut(&mut ScannedTexts) -> Result<(), E>,
    ) -> Result<(ScannedTexts, FoundSpans), E> {
        let mut of = 1;
        loop {
            match self.run_in_parts(of, &mut check) {
                Err(PartError::Full(_)) if of < shards::SHARDS => of *= 2,
                Err(PartError::Full(error)) => return Err(error.into()),
                Err(PartError::Other(error)) => return Err(error),
                Ok(done) => return Ok(done),
            }
        }
    }

    fn run_in_parts<E: From<Error>>(
        self,
        of: usize,
        check: &mut impl FnMut(&mut ScannedTexts) -> Result<(), E>,
    ) -> Result<(ScannedTexts, FoundSpans), PartError<E>> {
        let part_error = |error| match error {
            error @ Error::TooMuchToHold { .. } => PartError::Full(error),
            error => PartError::Other(error.into()),
        };
        let mut all: Option<(ScannedTexts, FoundSpans)> = None;
        for part in 0..of {
            let mut texts = first_scan::first_scan(self, TablePart { part, of }).map_err(part_error)?;
            if part == 0 {
                check(&mut texts).map_err(PartError::Other)?;
            }
            let windows = find::scan_windows(self, &texts).map_err(part_error)?;
            let found = find::find(self, &texts, &windows).map_err(part_error)?;
            texts.forget_classes();
            match &mut all {
                Some((_, before)) => before.join(found, self.settings.length),
                none => *none = Some((texts, found)),
            }
        }
        let (texts, mut found) = all.unwrap_or_default();
        found.settle();
        Ok((texts, found))
    }

    /// Reads the tokens of all sources, and their ids and places if ids are read.
    ///
    /// # Errors
    /// [`Error`]
    pub fn read_sources(self, texts: &ScannedTexts, found: &FoundSpans) -> Result<SourceTexts, Error> {
        sources::read(self, texts, found, self.fields.id.is_some())
    }

    fn hasher(self) -> WindowHasher {
        WindowHasher::new(self.settings.length, self.seed)
    }

    fn repeats(self) -> Repeats {
        Repeats::new(self.settings.length, self.settings.keep, self.settings.whole)
    }

    /// The number of files that are only compared against.
    fn against(self) -> u32 {
        self.inputs.against() as u32
    }
}

/// Why a search in parts ends.
enum PartError<E> {
    /// The tables of a part are too large.
    Full(Error),
    Other(E),
}
