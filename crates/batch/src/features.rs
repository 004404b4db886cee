//! The features of those documents that are compared: kept from the first scan, or read again.

use crate::documents::Documents;
use crate::error::Error;
use crate::ids::Names;
use crate::job::Job;
use crate::progress::{Monitor, Unit};
use crate::scan::scan;
use lookalike::{Comparer, Sketcher};
use lookalike_corpus::{Chunk, Fields, Inputs, Reader, Scan, Scratch};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The features that one worker keeps, document after document.
///
/// Room for all of them is asked for at once: the system gives it page by page as it is touched, and workers do not
/// wait for one another's mappings.
#[derive(Debug)]
pub(crate) struct Store {
    id: u32,
    values: Vec<u64>,
}

/// Where the features of a chunk's documents are kept.
#[derive(Debug)]
pub(crate) struct Kept {
    store: u32,
    start: usize,
    /// Behind each document, from `start`.
    ends: Vec<u32>,
}

impl Store {
    /// The store of worker `id`, with room for `bytes`.
    pub(crate) fn new(id: u32, bytes: u64) -> Self {
        Store { id, values: Vec::with_capacity(usize::try_from(bytes / 8).unwrap_or(0)) }
    }

    /// Starts to keep the features of a chunk.
    pub(crate) fn start(&self) -> Kept {
        Kept { store: self.id, start: self.values.len(), ends: Vec::new() }
    }

    /// Keeps the features of the chunk's next document; `None`, and those of the chunk's others are given up, if there
    /// is no room.
    pub(crate) fn keep(&mut self, features: &[u64], kept: Option<Kept>) -> Option<Kept> {
        let mut kept = kept?;
        let end = u32::try_from(self.values.len() + features.len() - kept.start);
        match end {
            Ok(end) if features.len() <= self.values.capacity() - self.values.len() => {
                self.values.extend_from_slice(features);
                kept.ends.push(end);
                Some(kept)
            }
            _ => {
                self.values.truncate(kept.start);
                None
            }
        }
    }
}

impl Kept {
    /// Where the features of the chunk's document `index` are in its store.
    fn span(&self, index: usize) -> Span {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Span { arena: self.store, start: self.start + start as usize, len: self.ends[index] - start }
    }
}

/// Where features are.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    arena: u32,
    start: usize,
    len: u32,
}

/// Features of several documents, and where those of each document are.
type Part = (Vec<u64>, Vec<(u32, Span)>);

/// The different features of every document that may be compared.
pub(crate) struct Features {
    /// The workers' stores, then one for each chunk that was read again.
    arenas: Vec<Vec<u64>>,
    /// For each document; nothing for those that are not compared.
    spans: Vec<Span>,
}

impl Features {
    /// The features of the documents that `wanted` names; none for the others.
    ///
    /// Chunks whose features were `kept` in `stores` are not read again.
    pub(crate) fn load(
        job: &Job,
        inputs: &Inputs,
        documents: &Documents,
        kept: (Vec<Option<Kept>>, Vec<Store>),
        wanted: &[AtomicBool],
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let (kept, mut stores) = kept;
        let wanted = |document: &u32| wanted[*document as usize].load(Ordering::Relaxed);
        stores.sort_unstable_by_key(|store| store.id);
        // For each arena its values and the documents in it.
        let mut arenas: Vec<Part> = stores.into_iter().map(|store| (store.values, Vec::new())).collect();
        for (chunk, kept) in documents.chunks.iter().zip(&kept) {
            let Some(kept) = kept else { continue };
            let documents = (0..chunk.documents as usize).zip(chunk.range());
            let spans = documents.filter(|(_, document)| wanted(document));
            arenas[kept.store as usize].1.extend(spans.map(|(index, document)| (document, kept.span(index))));
        }
        arenas.par_iter_mut().for_each_init(
            || Comparer::with_level(job.level),
            |comparer, (values, spans)| {
                for (_, span) in spans {
                    let features = &mut values[span.start..span.start + span.len as usize];
                    span.len = comparer.distinct(features) as u32;
                }
            },
        );
        for (values, spans) in read_again(job, inputs, documents, &kept, &wanted, monitor)? {
            let arena = arenas.len() as u32;
            arenas.push((
                values,
                spans.into_iter().map(|(document, span)| (document, Span { arena, ..span })).collect(),
            ));
        }
        let mut features = Features {
            arenas: Vec::with_capacity(arenas.len()),
            spans: vec![Span::default(); documents.len()],
        };
        for (values, spans) in arenas {
            spans.into_iter().for_each(|(document, span)| features.spans[document as usize] = span);
            features.arenas.push(values);
        }
        Ok(features)
    }

    /// The different features of `document`.
    pub(crate) fn of(&self, document: u32) -> &[u64] {
        let Span { arena, start, len } = self.spans[document as usize];
        &self.arenas[arena as usize][start..start + len as usize]
    }
}

/// Reads the wanted documents of those chunks whose features were not kept: for each chunk the different features and, for
/// each document, where they are.
fn read_again(
    job: &Job,
    inputs: &Inputs,
    documents: &Documents,
    kept: &[Option<Kept>],
    wanted: &(impl Fn(&u32) -> bool + Sync),
    monitor: &Monitor,
) -> Result<Vec<Part>, Error> {
    let missing = || documents.chunks.iter().zip(kept).filter(|(_, kept)| kept.is_none());
    let total = missing().flat_map(|(chunk, _)| chunk.range()).filter(wanted).count();
    if total == 0 {
        return Ok(Vec::new());
    }
    let fields = Fields { text: job.text_field.clone(), id: None, number: None };
    let bar = monitor.stage("read again", Unit::Documents, Some(total as u64));
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let state =
        || (Sketcher::with_level(&job.plan, job.level), Comparer::with_level(job.level), Scratch::default());
    let work = |(sketcher, comparer, scratch): &mut (Sketcher<'_>, Comparer, Scratch), chunk: Chunk<'_>| {
        let index = documents.chunk_index(chunk.id()).filter(|&index| kept[index].is_none());
        let here: Vec<u32> =
            index.map(|index| documents.chunks[index].range().filter(wanted).collect()).unwrap_or_default();
        if here.is_empty() {
            return Ok(None);
        }
        let mut loaded = chunk.load(scratch)?;
        let (mut values, mut spans) = (Vec::new(), Vec::with_capacity(here.len()));
        for document in here {
            let record =
                loaded.record(documents.places[document as usize]).map_err(|bad| Error::Changed {
                    place: Names { inputs, documents }.place(document),
                    problem: bad.problem.to_string(),
                })?;
            let start = values.len();
            values.extend_from_slice(sketcher.features(record.text));
            let distinct = comparer.distinct(&mut values[start..]);
            values.truncate(start + distinct);
            spans.push((document, Span { arena: 0, start, len: distinct as u32 }));
        }
        bar.inc(spans.len() as u64);
        Ok(Some((values, spans)))
    };
    let parts = scan(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    bar.finish_and_clear();
    Ok(parts?.0)
}
