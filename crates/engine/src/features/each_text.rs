//! One scan that looks at the features of every text.

use crate::error::Error;
use crate::progress::{Monitor, Unit};
use crate::request::Request;
use crate::scan::{ReadChunk, scan};
use lookalike::Sketcher;
use lookalike::compare::Comparer;
use lookalike_corpus::{Inputs, Reader, Scan, Scratch};
use std::sync::atomic::AtomicBool;

/// A thread that looks at texts.
pub(super) struct TextReader {
    sketcher: Sketcher,
    comparer: Comparer,
    features: Vec<u64>,
}

impl TextReader {
    /// The features of `text`, in order and with repetitions.
    pub(super) fn features(&mut self, text: &str) -> &[u64] {
        self.sketcher.features(text)
    }

    /// The distinct features of `text`, in no order.
    pub(super) fn distinct(&mut self, text: &str) -> &[u64] {
        self.features.clear();
        self.features.extend_from_slice(self.sketcher.features(text));
        let distinct = self.comparer.distinct(&mut self.features);
        &self.features[..distinct]
    }

    /// The features of `text` in order, each with its shingle.
    pub(super) fn named(&mut self, text: &str) -> Vec<(u64, String)> {
        let features = self.sketcher.features(text).to_vec();
        features.into_iter().zip(self.sketcher.shingles(text).map(str::to_owned)).collect()
    }
}

/// Calls `look` with the text of every record of `inputs`, on all threads, until `stop` is set. Each thread has a state of its own. Returns the
/// lines of all chunks, and the states.
pub(super) fn each_text<State: Send>(
    request: &Request,
    inputs: &Inputs,
    stop: &AtomicBool,
    monitor: &Monitor,
    state: impl Fn() -> State + Sync,
    look: impl Fn(&mut State, &mut TextReader, &str) + Sync,
) -> Result<(Vec<ReadChunk>, Vec<State>), Error> {
    let fields = request.fields_of_text();
    let bar = monitor.stage("frequencies", Unit::Bytes, None);
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let thread = || {
        let sketcher = Sketcher::with_level(&request.plan, request.level);
        let comparer = Comparer::with_level(request.level);
        (TextReader { sketcher, comparer, features: Vec::new() }, state(), Scratch::default())
    };
    let work = |(texts, state, scratch): &mut (TextReader, State, Scratch),
                chunk: lookalike_corpus::Chunk<'_>| {
        let (mut bytes, mut bad) = (0, Vec::new());
        let mut loaded = chunk.load(scratch)?;
        loaded.for_each(|record| match record {
            Ok(record) => {
                look(state, texts, record.text);
                bytes += record.text.len() as u64;
            }
            Err(record) => bad.push(record),
        });
        bar.inc(bytes);
        let (id, lines, suspect) = (loaded.id(), loaded.lines(), loaded.suspect_quotes());
        Ok(Some(ReadChunk { id, lines, bad, suspect }))
    };
    let done = scan::<_, _, Error>(&reader, &monitor.interrupt, stop, thread, work);
    drop(bar);
    let (chunks, threads) = done?;
    Ok((chunks, threads.into_iter().map(|(_, state, _)| state).collect()))
}
