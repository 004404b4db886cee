//! The lines of chunks that were read in any order: the places of bad records, and the first line of each chunk.

use crate::error::Error;
use crate::request::Job;
use lookalike_corpus::{ChunkId, Inputs};
use lookalike_engine::documents::SkippedRecord;
use lookalike_engine::documents::add_suspect;
use lookalike_engine::documents::place_name;
use lookalike_engine::documents::{Side, Unusable};
use lookalike_engine::scan::ReadChunk;
use lookalike_report::{Skips, warnings};

/// Where the lines of each chunk start in its file.
pub(crate) struct Starts(Vec<(ChunkId, u64)>);

impl Starts {
    /// Puts `chunks`, which hold so many `documents`, in order. Gives the records that were skipped too.
    ///
    /// # Errors
    /// [`Unusable`](lookalike_engine::Error::Unusable) if no record has the text field,
    /// [`NoDocument`](lookalike_engine::Error::NoDocument) if all records are bad,
    /// [`Strict`](lookalike_engine::Error::Strict) at the first bad record, if the job is to stop there.
    pub(crate) fn new(
        job: &Job,
        inputs: &Inputs,
        mut chunks: Vec<ReadChunk>,
        documents: u64,
    ) -> Result<(Self, Skips), Error> {
        chunks.sort_by_key(|chunk| chunk.id);
        if documents == 0 {
            let unusable = Unusable::default();
            let firsts = chunks.iter().filter_map(|chunk| Some((chunk.id, chunk.bad.first()?)));
            firsts.for_each(|(chunk, bad)| unusable.add(inputs, chunk, bad.problem.clone()));
            unusable.error(inputs, Side::Inputs).map_or(Ok(()), Err)?;
        }
        let mut skips = Skips { suspect_quotes: suspect_quotes(inputs, &chunks), ..Skips::default() };
        let starts = Starts::of_sorted(inputs, chunks, job.request.strict, |place, problem| {
            skips.add(place, problem)
        })?;
        match skips.skipped_examples.first() {
            Some(SkippedRecord { place, problem }) if documents == 0 => {
                Err(lookalike_engine::Error::NoDocument { place: place.clone(), problem: problem.clone() }
                    .into())
            }
            _ => Ok((starts, skips)),
        }
    }

    /// The same for chunks that are in order. `skip` gets place and problem of each skipped input and of each bad record.
    ///
    /// # Errors
    /// [`Strict`](lookalike_engine::Error::Strict) at the first of them, if `strict`.
    pub(crate) fn of_sorted(
        inputs: &Inputs,
        chunks: Vec<ReadChunk>,
        strict: bool,
        mut skip: impl FnMut(String, String),
    ) -> Result<Self, Error> {
        for (place, problem) in inputs.skipped().map(|(name, problem)| (name, problem.to_string())) {
            if strict {
                return Err(lookalike_engine::Error::Strict { place, problem }.into());
            }
            skip(place, problem);
        }
        let (mut file, mut line, mut starts) = (None, 0, Vec::with_capacity(chunks.len()));
        for ReadChunk { id, lines, bad, .. } in chunks {
            if file != Some(id.file) {
                (file, line) = (Some(id.file), 0);
            }
            starts.push((id, line));
            for bad in bad {
                let place = match bad.problem.is_of_file() {
                    true => inputs.files()[id.file as usize].name.clone(),
                    false => place_name(inputs, id.file, bad.line, line + u64::from(bad.line)),
                };
                let problem = bad.problem.to_string();
                if strict {
                    return Err(lookalike_engine::Error::Strict { place, problem }.into());
                }
                skip(place, problem);
            }
            line += u64::from(lines);
        }
        Ok(Starts(starts))
    }

    /// Lines of the file before the chunk.
    pub(crate) fn of(&self, chunk: ChunkId) -> u64 {
        self.0.binary_search_by_key(&chunk, |(id, _)| *id).map_or(0, |at| self.0[at].1)
    }

    /// The chunk of `file` that has line `line`, and the number of the line in it. Both are counted from 0. `None` if there is
    /// no such line.
    pub(crate) fn find(&self, file: u32, line: u64) -> Option<(ChunkId, u64)> {
        let after = self.0.partition_point(|(id, start)| (id.file, *start) <= (file, line));
        let (id, start) = *self.0[..after].last()?;
        (id.file == file).then_some((id, line - start))
    }
}

/// What to tell of quotes in chunks that are in order.
fn suspect_quotes(inputs: &Inputs, chunks: &[ReadChunk]) -> Vec<SkippedRecord> {
    let (mut file, mut line, mut files) = (None, 0, Vec::new());
    for chunk in chunks {
        if file != Some(chunk.id.file) {
            (file, line) = (Some(chunk.id.file), 0);
        }
        add_suspect(&mut files, chunk.id.file, &chunk.suspect, line);
        line += u64::from(chunk.lines);
    }
    warnings(inputs, &files)
}
