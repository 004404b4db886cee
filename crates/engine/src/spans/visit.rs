//! Scans that read only some texts again.

use super::SpanSearch;
use super::texts::{ChunkTexts, ScannedTexts};
use crate::documents::place_name;
use crate::error::Error;
use crate::progress::Unit;
use crate::scan::scan;
use lookalike::Sketcher;
use lookalike_corpus::{Chunk, Inputs, Loaded, Reader, Record, Scan, Scratch};
use std::sync::atomic::AtomicBool;

/// A text that is read again.
#[derive(Clone, Copy, Debug)]
pub(super) struct VisitedText {
    /// The number of its chunk.
    pub(super) chunk: usize,
    /// Its number in the chunk.
    pub(super) text: usize,
}

impl SpanSearch<'_> {
    /// Reads the texts that are `wanted` again, in any order, and calls `work` with each. Each thread has a state of its own.
    pub(super) fn visit<State: Send>(
        self,
        stage: &'static str,
        texts: &ScannedTexts,
        wanted: impl Fn(VisitedText) -> bool + Sync,
        state: impl Fn() -> State + Sync,
        work: impl Fn(&mut State, &mut Sketcher, VisitedText, &Record<'_>) -> Result<(), Error> + Sync,
    ) -> Result<Vec<State>, Error> {
        let SpanSearch { request, inputs, fields, monitor, .. } = self;
        let bar = monitor.stage(stage, Unit::Documents, None);
        let reader = Reader::new(inputs, fields, Scan::Documents);
        let thread = || (state(), Sketcher::with_level(&request.plan, request.level), Scratch::default());
        let visit = |(state, sketcher, scratch): &mut (State, Sketcher, Scratch), chunk: Chunk<'_>| {
            let Some(number) = texts.chunk_index(chunk.id()) else { return Ok(None) };
            let of_chunk = &texts.chunks[number];
            let here: Vec<usize> = (0..of_chunk.texts.len())
                .filter(|&text| wanted(VisitedText { chunk: number, text }))
                .collect();
            if here.is_empty() {
                return Ok(None);
            }
            let mut loaded = texts.load(number, &here, chunk, scratch)?;
            for &text in &here {
                let record = self.record(texts, &mut loaded, number, text)?;
                work(state, sketcher, VisitedText { chunk: number, text }, &record)?;
                monitor.interrupt.check()?;
            }
            bar.inc(here.len() as u64);
            Ok(None::<()>)
        };
        let states = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), thread, visit);
        drop(bar);
        Ok(states?.1.into_iter().map(|(state, ..)| state).collect())
    }

    /// The record of a text of a loaded chunk.
    ///
    /// # Errors
    /// [`Error::Changed`] if it is not there any more.
    pub(super) fn record<'l>(
        self,
        texts: &ScannedTexts,
        loaded: &'l mut Loaded<'_>,
        chunk: usize,
        text: usize,
    ) -> Result<Record<'l>, Error> {
        let place = texts.chunks[chunk].texts[text].place;
        loaded.record(place).map_err(|bad| Error::Changed {
            place: texts.name(self.inputs, chunk, text),
            problem: bad.problem.to_string(),
        })
    }
}

impl ScannedTexts {
    /// Loads as much of a chunk as is needed to read its texts `wanted`, which ascend.
    ///
    /// # Errors
    /// Errors of reading.
    pub(super) fn load<'s, 'a: 's>(
        &self,
        chunk: usize,
        wanted: &[usize],
        content: Chunk<'a>,
        scratch: &'s mut Scratch,
    ) -> Result<Loaded<'s>, Error> {
        let texts = &self.chunks[chunk].texts;
        let start = |text: usize| texts.get(text).map_or(u32::MAX, |text| text.place.offset);
        Ok(content.load_parts(wanted.iter().map(|&text| start(text)..start(text + 1)), scratch)?)
    }

    /// The name of a text by its place: `path:line`, `path:row` or `path`, counted from 1.
    pub fn name(&self, inputs: &Inputs, chunk: usize, text: usize) -> String {
        let ChunkTexts { id, first_line, texts, .. } = &self.chunks[chunk];
        let place = texts[text].place;
        place_name(inputs, id.file, place.offset, first_line + u64::from(place.line))
    }
}
