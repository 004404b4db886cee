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
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The features of several documents, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    values: Vec<u64>,
    ends: Vec<u32>,
}

impl Arena {
    /// An arena with room for the features of about `bytes` of text.
    pub(crate) fn for_text(bytes: usize) -> Self {
        // Words of English take six bytes with the space behind them; what is too much is never touched.
        Arena { values: Vec::with_capacity(bytes / 5), ends: Vec::new() }
    }

    pub(crate) fn push(&mut self, features: &[u64]) {
        self.values.extend_from_slice(features);
        self.ends.push(self.values.len() as u32);
    }

    /// Gives back room that small chunks do not need.
    pub(crate) fn shrink(&mut self) {
        if self.values.len() < self.values.capacity() / 2 {
            self.values.shrink_to_fit();
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        8 * self.values.len() as u64
    }

    fn span(&self, index: usize) -> (u32, u32) {
        (if index == 0 { 0 } else { self.ends[index - 1] }, self.ends[index])
    }
}

/// How many bytes of features may still be kept.
pub(crate) struct Room(AtomicU64);

impl Room {
    pub(crate) fn new(bytes: u64) -> Self {
        Room(AtomicU64::new(bytes))
    }

    /// Is there room at all?
    pub(crate) fn is_left(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Takes `bytes` if they fit; otherwise there is no room any more.
    pub(crate) fn take(&self, bytes: u64) -> bool {
        let left = |room: u64| Some(room.saturating_sub(bytes));
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok_and(|room| room >= bytes)
    }
}

/// The different features of every document that may be compared.
pub(crate) struct Features {
    /// One arena for each chunk.
    arenas: Vec<Vec<u64>>,
    /// For each document its arena and, in there, where its different features start and end.
    spans: Vec<(u32, u32, u32)>,
}

impl Features {
    /// The features of the documents that `wanted` names; none for the others.
    ///
    /// Chunks whose features were `kept` are not read again.
    pub(crate) fn load(
        job: &Job,
        inputs: &Inputs,
        documents: &Documents,
        kept: Vec<Option<Arena>>,
        wanted: &[AtomicBool],
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let wanted = |document: &u32| wanted[*document as usize].load(Ordering::Relaxed);
        let read = read_again(job, inputs, documents, &kept, &wanted, monitor)?;
        let chunks = documents.chunks.iter().zip(kept).map(|(chunk, arena)| {
            let of_wanted = |arena: Arena| {
                let indices = (0..chunk.documents as usize).zip(chunk.range());
                let spans = indices.filter(|(_, document)| wanted(document));
                (spans.map(|(index, document)| (document, arena.span(index))).collect(), arena.values)
            };
            arena.map(of_wanted)
        });
        let mut parts: Vec<Part> = chunks.flatten().chain(read).collect();
        parts.par_iter_mut().for_each_init(
            || Comparer::with_level(job.level),
            |comparer, (spans, values)| {
                for (_, (start, end)) in spans {
                    *end = *start + comparer.distinct(&mut values[*start as usize..*end as usize]) as u32;
                }
            },
        );
        let mut features = Features { arenas: Vec::new(), spans: vec![(0, 0, 0); documents.len()] };
        for (index, (spans, values)) in parts.into_iter().enumerate() {
            for (document, (start, end)) in spans {
                features.spans[document as usize] = (index as u32, start, end);
            }
            features.arenas.push(values);
        }
        Ok(features)
    }

    /// The different features of `document`.
    pub(crate) fn of(&self, document: u32) -> &[u64] {
        let (arena, start, end) = self.spans[document as usize];
        &self.arenas[arena as usize][start as usize..end as usize]
    }
}

/// Documents with the spans of their features, and the features.
type Part = (Vec<(u32, (u32, u32))>, Vec<u64>);

/// Reads the wanted documents of those chunks whose features were not kept.
fn read_again(
    job: &Job,
    inputs: &Inputs,
    documents: &Documents,
    kept: &[Option<Arena>],
    wanted: &(impl Fn(&u32) -> bool + Sync),
    monitor: &Monitor,
) -> Result<Vec<Part>, Error> {
    let missing = || documents.chunks.iter().zip(kept).filter(|(_, arena)| arena.is_none());
    let total = missing().flat_map(|(chunk, _)| chunk.range()).filter(wanted).count();
    if total == 0 {
        return Ok(Vec::new());
    }
    let fields = Fields { text: job.text_field.clone(), id: None, number: None };
    let bar = monitor.stage("read again", Unit::Documents, Some(total as u64));
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let state = || (Sketcher::with_level(&job.plan, job.level), Scratch::default());
    let work = |(sketcher, scratch): &mut (Sketcher<'_>, Scratch), chunk: Chunk<'_>| {
        let index = documents.chunk_index(chunk.id()).filter(|&index| kept[index].is_none());
        let here: Vec<u32> =
            index.map(|index| documents.chunks[index].range().filter(wanted).collect()).unwrap_or_default();
        if here.is_empty() {
            return Ok(None);
        }
        let mut loaded = chunk.load(scratch)?;
        let mut arena = Arena::default();
        for &document in &here {
            let record =
                loaded.record(documents.places[document as usize]).map_err(|bad| Error::Changed {
                    place: Names { inputs, documents }.place(document),
                    problem: bad.problem.to_string(),
                })?;
            arena.push(sketcher.features(record.text));
        }
        bar.inc(here.len() as u64);
        let spans = here.into_iter().enumerate().map(|(index, document)| (document, arena.span(index)));
        Ok(Some((spans.collect(), arena.values)))
    };
    let parts = scan(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    bar.finish_and_clear();
    parts
}
