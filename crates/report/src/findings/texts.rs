//! The texts of the examples, read again in one scan.

use super::example::ExampleText;
use lookalike::Sketcher;
use lookalike::compare::Passages;
use lookalike_corpus::{Chunk, Fields, Reader, Scan, Scratch};
use lookalike_engine::Error;
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::scan::scan;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Bytes of a text that an example holds: far more than anybody reads.
const TEXT_BYTES: usize = 1 << 16;

/// Tokens in a row that make a passage at least, however short the shingle: as in `compare`.
const LEAST_PASSAGE: usize = 3;

/// The documents that examples need, by number.
#[derive(Default)]
pub(super) struct WantedDocuments {
    /// Those whose texts are shown.
    pub(super) with_text: BTreeSet<u32>,
    /// Others that are only named.
    pub(super) named: BTreeSet<u32>,
}

/// The documents of examples.
pub(super) struct ExampleTexts(BTreeMap<u32, ExampleText>);

impl ExampleTexts {
    /// Reads the documents that are `wanted`.
    pub(super) fn read(
        fields: &Fields,
        names: &DocumentNames<'_>,
        wanted: &WantedDocuments,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let all: BTreeSet<u32> = wanted.with_text.union(&wanted.named).copied().collect();
        if all.is_empty() {
            return Ok(ExampleTexts(BTreeMap::new()));
        }
        let (inputs, documents) = (names.inputs, names.documents);
        let bar = monitor.stage("examples", Unit::Documents, Some(all.len() as u64));
        let reader = Reader::new(inputs, fields, Scan::Documents);
        let (stop, left) = (AtomicBool::new(false), AtomicUsize::new(all.len()));
        let work = |scratch: &mut Scratch, chunk: Chunk<'_>| {
            let range =
                documents.chunk_index(chunk.id()).map_or(0..0, |index| documents.chunks[index].range());
            let numbers: Vec<u32> = all.range(range).copied().collect();
            if numbers.is_empty() {
                return Ok(None);
            }
            let mut loaded = documents.load(&numbers, chunk, scratch)?;
            let mut here = Vec::new();
            for document in numbers {
                let record = loaded.record(documents.places[document as usize]).map_err(|bad| {
                    let (place, problem) = (names.place(document), bad.problem.to_string());
                    lookalike_engine::Error::Changed { place, problem }
                })?;
                let text = if wanted.with_text.contains(&document) { start(record.text) } else { "" };
                let id = record.id.filter(|id| !id.is_empty());
                let example = ExampleText {
                    id: id.map_or_else(|| names.place(document), str::to_owned),
                    text: text.to_owned(),
                    characters: record.text.chars().count() as u64,
                };
                here.push((document, example));
            }
            bar.inc(here.len() as u64);
            if left.fetch_sub(here.len(), Ordering::Relaxed) == here.len() {
                stop.store(true, Ordering::Relaxed);
            }
            Ok(Some(here))
        };
        let parts = scan::<_, _, Error>(&reader, &monitor.interrupt, &stop, Scratch::default, work);
        drop(bar);
        Ok(ExampleTexts(parts?.0.into_iter().flatten().collect()))
    }

    /// The text of `document`.
    pub(super) fn of(&self, document: u32) -> ExampleText {
        self.0.get(&document).cloned().unwrap_or_default()
    }
}

/// The passages that two texts share, by the tokens of the sketcher's plan.
pub(crate) fn shared_passages(sketcher: &mut Sketcher, [left, right]: &[ExampleText; 2]) -> Passages {
    let (left, right) = (sketcher.locate(&left.text), sketcher.locate(&right.text));
    Passages::of(&left, &right, sketcher.plan().shingle().max(LEAST_PASSAGE))
}

/// The start of a long text.
fn start(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES)]
}
