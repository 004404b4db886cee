//! The features of those documents that are compared: kept from the first scan, or read again.

use crate::documents::Documents;
use crate::error::Error;
use crate::ids::Names;
use crate::job::Job;
use crate::progress::{Monitor, Unit};
use crate::scan::scan;
use crate::threads::Threads;
use lookalike::{Drafter, ExactJoin, Set, Weights};
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

/// Features of several documents, the weight of each if weights are compared, and where those of each document are.
#[derive(Default)]
struct Arena {
    values: Vec<u64>,
    weights: Vec<u32>,
    spans: Vec<(u32, Span)>,
}

/// The different features of every document that may be compared.
pub(crate) struct Features {
    /// The workers' stores, then one for each chunk that was read again.
    arenas: Vec<(Vec<u64>, Vec<u32>)>,
    /// For each document; nothing for those that are not compared.
    spans: Vec<Span>,
}

impl Features {
    /// The features of the documents that `wanted` names; none for the others.
    ///
    /// Chunks whose features were `kept` in stores are not read again.
    pub(crate) fn load(
        job: &Job,
        inputs: &Inputs,
        documents: &Documents,
        kept: (Vec<Option<Kept>>, Vec<Store>),
        wanted: &[AtomicBool],
        weights: Weights<'_>,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let wanted = |document: &u32| wanted[*document as usize].load(Ordering::Relaxed);
        let (kept, stores) = kept;
        let mut arenas = stored(documents, &kept, stores, &wanted);
        prepare(job, weights, &mut arenas);
        arenas.extend(read_again(job, inputs, documents, &kept, &wanted, Some(weights), monitor)?);
        arenas.extend(indexed(documents, &wanted)?);
        Ok(Self::of_arenas(documents, arenas))
    }

    /// The features of those documents that may be alike to another at all, by features that they alone have; none for the others,
    /// nor for copies. Those of all documents are in memory for it.
    pub(crate) fn of_partners(
        job: &Job,
        inputs: &Inputs,
        documents: &Documents,
        kept: (Vec<Option<Kept>>, Vec<Store>),
        originals: &[u32],
        weights: Weights<'_>,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let is_original = |&document: &u32| originals[document as usize] == document;
        let (kept, stores) = kept;
        let mut arenas = stored(documents, &kept, stores, &is_original);
        arenas.extend(read_again(job, inputs, documents, &kept, &is_original, None, monitor)?);
        let mut sets: Vec<&[u64]> = vec![&[]; documents.len()];
        for Arena { values, spans, .. } in &arenas {
            for (document, span) in spans {
                sets[*document as usize] = &values[span.start..span.start + span.len as usize];
            }
        }
        let (measure, threshold) = (job.plan.measure(), job.plan.threshold());
        let partners = ExactJoin::may_have_partners(&sets, measure, threshold, &Threads);
        for arena in &mut arenas {
            arena.spans.retain(|(document, _)| partners.binary_search(document).is_ok());
        }
        prepare(job, weights, &mut arenas);
        Ok(Self::of_arenas(documents, arenas))
    }

    fn of_arenas(documents: &Documents, arenas: Vec<Arena>) -> Self {
        let mut features = Features {
            arenas: Vec::with_capacity(arenas.len()),
            spans: vec![Span::default(); documents.len()],
        };
        for (index, arena) in (0..).zip(arenas) {
            for (document, span) in arena.spans {
                features.spans[document as usize] = Span { arena: index, ..span };
            }
            features.arenas.push((arena.values, arena.weights));
        }
        features
    }

    /// What is compared of `document`.
    pub(crate) fn of(&self, document: u32) -> Set<'_> {
        let Span { arena, start, len } = self.spans[document as usize];
        let Some((values, weights)) = self.arenas.get(arena as usize) else { return Set::default() };
        let stretch = start..start + len as usize;
        Set { features: &values[stretch.clone()], weights: weights.get(stretch).unwrap_or_default() }
    }

    /// What is compared of each document, without weights; nothing of those that were not wanted.
    pub(crate) fn sets(&self) -> Vec<&[u64]> {
        (0..self.spans.len() as u32).map(|document| self.of(document).features).collect()
    }
}

/// The stores, and where the wanted documents of the chunks kept are in them.
fn stored(
    documents: &Documents,
    kept: &[Option<Kept>],
    mut stores: Vec<Store>,
    wanted: &impl Fn(&u32) -> bool,
) -> Vec<Arena> {
    stores.sort_unstable_by_key(|store| store.id);
    let arena = |store: Store| Arena { values: store.values, ..Arena::default() };
    let mut arenas: Vec<Arena> = stores.into_iter().map(arena).collect();
    for (chunk, kept) in documents.chunks.iter().zip(kept) {
        let Some(kept) = kept else { continue };
        let documents = (0..chunk.documents as usize).zip(chunk.range());
        let spans = documents.filter(|(_, document)| wanted(document));
        arenas[kept.store as usize].spans.extend(spans.map(|(index, document)| (document, kept.span(index))));
    }
    arenas
}

/// The features of the wanted documents of an index, as they are there: different, and without weights.
fn indexed(documents: &Documents, wanted: &impl Fn(&u32) -> bool) -> Result<Option<Arena>, Error> {
    let numbers: Vec<u32> = (0..documents.indexed.numbers.len() as u32).filter(wanted).collect();
    let mut arena = Arena::default();
    for (document, set) in numbers.iter().zip(documents.indexed.features(&numbers)?) {
        arena.spans.push((*document, Span { arena: 0, start: arena.values.len(), len: set.len() as u32 }));
        arena.values.extend_from_slice(set);
    }
    Ok((!numbers.is_empty()).then_some(arena))
}

/// Makes the features of each document different, and weighs them.
fn prepare(job: &Job, weights: Weights<'_>, arenas: &mut [Arena]) {
    arenas.par_iter_mut().for_each_init(
        || Drafter::new(&job.plan, weights, job.level),
        |drafter, Arena { values, weights, spans }| {
            weights.resize(if job.plan.compares_weights() { values.len() } else { 0 }, 0);
            for (_, span) in spans {
                let stretch = span.start..span.start + span.len as usize;
                let weights = weights.get_mut(stretch.clone()).unwrap_or_default();
                span.len = drafter.prepare(&mut values[stretch], weights) as u32;
            }
        },
    );
}

/// Reads the wanted documents of those chunks whose features were not kept: for each chunk what is compared of them, different
/// and weighed by `weights`; as it is, if there are none.
fn read_again(
    job: &Job,
    inputs: &Inputs,
    documents: &Documents,
    kept: &[Option<Kept>],
    wanted: &(impl Fn(&u32) -> bool + Sync),
    weights: Option<Weights<'_>>,
    monitor: &Monitor,
) -> Result<Vec<Arena>, Error> {
    let missing = || documents.chunks.iter().zip(kept).filter(|(_, kept)| kept.is_none());
    let total = missing().flat_map(|(chunk, _)| chunk.range()).filter(wanted).count();
    if total == 0 {
        return Ok(Vec::new());
    }
    let fields = Fields { text: job.text_field.clone(), id: None, number: None };
    let bar = monitor.stage("read again", Unit::Documents, Some(total as u64));
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let drafted_by = weights.unwrap_or(Weights::Set);
    let state = || (Drafter::new(&job.plan, drafted_by, job.level), Scratch::default());
    let work = |(drafter, scratch): &mut (Drafter<'_>, Scratch), chunk: Chunk<'_>| {
        let index = documents.chunk_index(chunk.id()).filter(|&index| kept[index].is_none());
        let here: Vec<u32> =
            index.map(|index| documents.chunks[index].range().filter(wanted).collect()).unwrap_or_default();
        if here.is_empty() {
            return Ok(None);
        }
        let mut loaded = chunk.load(scratch)?;
        let mut arena = Arena::default();
        let Arena { values, weights, spans } = &mut arena;
        for document in here {
            let record =
                loaded.record(documents.places[document as usize]).map_err(|bad| Error::Changed {
                    place: Names { inputs, documents }.place(document),
                    problem: bad.problem.to_string(),
                })?;
            let start = values.len();
            values.extend_from_slice(drafter.compared(record.text));
            weights.resize(if job.plan.compares_weights() { values.len() } else { 0 }, 0);
            let own_weights = weights.get_mut(start..).unwrap_or_default();
            let distinct = drafter.prepare(&mut values[start..], own_weights);
            values.truncate(start + distinct);
            weights.truncate(start + distinct);
            spans.push((document, Span { arena: 0, start, len: distinct as u32 }));
        }
        bar.inc(spans.len() as u64);
        Ok(Some(arena))
    };
    let parts = scan(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    bar.finish_and_clear();
    Ok(parts?.0)
}
