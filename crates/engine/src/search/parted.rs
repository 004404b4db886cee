//! A search in parts: the features of one part are in memory at a time.

use super::{Search, Sketched, choice::Choice, prepared::MarkedSearch};
use crate::clock::Clock;
use crate::error::Error;
use crate::features::Features;
use crate::threads::Threads;
use lookalike::search::{SearchPart, SearchParts};
use lookalike_corpus::Format;
use std::sync::atomic::Ordering;

/// A search in parts, which begins with the first one.
pub struct PartedSearch<'a> {
    /// The rounds of candidates of all parts.
    pub search: Search<'a>,
    /// The method of the search, and why it was chosen.
    pub choice: Choice,
    /// The features of the first part.
    pub first: Features,
}

impl<'a> MarkedSearch<'a> {
    /// The parts of the search. The features of each take about [`Request::part_bytes`](crate::request::Request::part_bytes), or as much as
    /// the sketches of all documents. `None` if one part is enough, or the search cannot be in parts.
    ///
    /// Only texts that the caller holds in memory are searched in parts, because they are read again at no cost. If memory has no room for
    /// the features of all documents, those of the candidates may go to disk, and are then all there together.
    pub fn parts(&self) -> Option<SearchParts> {
        let Sketched { scanned, work, .. } = self.sketched;
        let documents = scanned.documents;
        let footprint = documents.footprint();
        let are_in_memory = scanned.inputs.files().iter().all(|file| file.format == Format::Memory);
        let bytes = 8 * documents.features;
        let fit = work.folder().is_none() && bytes <= work.budget.features(footprint);
        if !are_in_memory || !fit || self.kept.bytes() > 0 || !documents.indexed.numbers.is_empty() {
            return None;
        }
        let (candidates, marks) = self.candidates.as_ref()?;
        let is_marked = |document: u32| marks[document as usize].load(Ordering::Relaxed);
        // A text has about as many features as its length says.
        let length: u64 =
            (0..documents.len() as u32).map(|document| u64::from(documents.text_bytes(document))).sum();
        let share = bytes as f64 / length.max(1) as f64;
        let features = |document| (f64::from(documents.text_bytes(document)) * share) as u64;
        let parts = candidates.parts(is_marked, features, footprint.bytes.max(scanned.request.part_bytes))?;
        (parts.count() > 1).then_some(parts)
    }

    /// Loads the features of the first of `parts`, and joins the families, which it has.
    ///
    /// # Errors
    /// Errors of reading.
    ///
    /// # Panics
    /// If the parts are of another search.
    pub fn start(self, parts: &SearchParts, clock: &mut Clock) -> Result<PartedSearch<'a>, Error> {
        let MarkedSearch { sketched, choice, candidates, .. } = self;
        let candidates = candidates.expect("only a search by sketches has parts").0;
        let part = parts.iter().next().expect("there is at least one part");
        let first = sketched.load(part, Features::default(), clock)?;
        let set = |document: u32| first.of(document).features;
        let scanned = sketched.scanned;
        let search =
            candidates.join_families(&scanned.request.plan, set, &Threads(&scanned.monitor.interrupt))?;
        clock.lap("candidates");
        Ok(PartedSearch { search, choice, first })
    }
}

impl Sketched<'_> {
    /// The features of a part, in the memory of those of the part `before`.
    ///
    /// # Errors
    /// Errors of reading.
    pub fn load(self, part: SearchPart<'_>, before: Features, clock: &mut Clock) -> Result<Features, Error> {
        let wanted = |document: u32| part.compares(document);
        let features = Features::read_again(self.scanned, wanted, self.weights, before)?;
        clock.lap("features");
        Ok(features)
    }
}
