//! A corpus after its first scan, whose texts can be read again.

use super::Documents;
use super::names::DocumentNames;
use crate::error::Error;
use crate::progress::{Monitor, Unit};
use crate::request::Request;
use crate::scan::scan;
use lookalike::sketch::ContentHash;
use lookalike_corpus::{Chunk, Inputs, Reader, Scan, Scratch};
use std::sync::atomic::AtomicBool;

/// A corpus after its first scan.
#[derive(Clone, Copy)]
pub struct Scanned<'a> {
    /// The plan, and how texts are read.
    pub request: &'a Request,
    /// The files.
    pub inputs: &'a Inputs,
    /// The documents that the first scan found in them.
    pub documents: &'a Documents,
    /// Observes the run, and may stop it.
    pub monitor: &'a Monitor,
}

impl Scanned<'_> {
    /// The documents that have features.
    pub fn with_features(self) -> impl Iterator<Item = u32> {
        let sketches = &self.documents.sketches;
        (0..self.documents.len() as u32).filter(|&document| !sketches.content(document).is_empty())
    }

    /// Checks by its content hash that a text which was read again is the one that was sketched as `document`.
    ///
    /// # Errors
    /// [`Error::Changed`] if it is another text.
    pub(crate) fn check_unchanged(self, document: u32, content: ContentHash) -> Result<(), Error> {
        let Scanned { inputs, documents, .. } = self;
        let content = match documents.groups.get(document as usize) {
            Some(&group) => content.within(group),
            None => content,
        };
        if content == documents.sketches.content(document) {
            return Ok(());
        }
        let place = DocumentNames { inputs, documents }.place(document);
        Err(Error::Changed { place, problem: "it is another text".to_owned() })
    }

    /// Reads the documents that are `wanted` again, on all threads and in any order, and calls `work` with the number and the text of each.
    /// Returns the states of the threads.
    ///
    /// `work` may check by `check_unchanged` that a text is still the one that was sketched.
    pub fn visit<State: Send>(
        self,
        stage: &'static str,
        wanted: impl Fn(u32) -> bool + Sync,
        state: impl Fn() -> State + Sync,
        work: impl Fn(&mut State, u32, &str) -> Result<(), Error> + Sync,
    ) -> Result<Vec<State>, Error> {
        let Scanned { request, inputs, documents, monitor } = self;
        let total = (0..documents.len() as u32).filter(|&document| wanted(document)).count();
        let fields = request.fields_of_text();
        let bar = monitor.stage(stage, Unit::Documents, Some(total as u64));
        let reader = Reader::new(inputs, &fields, Scan::Documents);
        let visit = |(state, scratch): &mut (State, Scratch), chunk: Chunk<'_>| {
            let Some(index) = documents.chunk_index(chunk.id()) else { return Ok(None) };
            let here: Vec<u32> =
                documents.chunks[index].range().filter(|&document| wanted(document)).collect();
            if here.is_empty() {
                return Ok(None);
            }
            let mut loaded = documents.load(&here, chunk, scratch)?;
            for &document in &here {
                let record =
                    loaded.record(documents.places[document as usize]).map_err(|bad| Error::Changed {
                        place: DocumentNames { inputs, documents }.place(document),
                        problem: bad.problem.to_string(),
                    })?;
                work(state, document, record.text)?;
                monitor.interrupt.check()?;
            }
            bar.inc(here.len() as u64);
            Ok(None::<()>)
        };
        let state = || (state(), Scratch::default());
        let states = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, visit);
        drop(bar);
        Ok(states?.1.into_iter().map(|(state, _)| state).collect())
    }
}
