//! The features of those documents that are compared: kept from the first scan, or read again.

pub mod frequencies;
mod spilled;
pub mod weights;

use self::spilled::{Spilled, part};
use crate::documents::Documents;
use crate::documents::kept::{Kept, Span, Store};
use crate::documents::names::Names;
use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::progress::Unit;
use crate::request::Request;
use crate::scan::scan;
use crate::threads::Threads;
use crate::work::{Folder, Work};
use lookalike::Weights;
use lookalike::compare::Set;
use lookalike::search::{ExactJoin, GroupedSets, SketchBuilder};
use lookalike_corpus::{Chunk, Fields, Reader, Scan, Scratch};
use lookalike_store::{Column, ColumnWriter, Log, Record};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Features of several documents, the weight of each if weights are compared, and where those of each document are.
#[derive(Default)]
struct Arena {
    values: Vec<u64>,
    weights: Vec<u32>,
    spans: Vec<(u32, Span)>,
}

/// Features that an arena has room for at first: those of several chunks, as a list that grows is copied.
const ROOM: usize = 1 << 20;

impl Arena {
    /// One of `arenas` in which there is room for a chunk of the usual size.
    fn with_room(arenas: &mut Vec<Arena>) -> &mut Arena {
        let has_room = |arena: &Arena| arena.values.capacity() - arena.values.len() >= ROOM / 4;
        let arena = match arenas.pop() {
            Some(arena) if has_room(&arena) => arena,
            full => {
                arenas.extend(full);
                Arena { values: Vec::with_capacity(ROOM), ..Arena::default() }
            }
        };
        arenas.push_mut(arena)
    }

    /// Takes away all but the first documents, and memory that is more than usual.
    fn truncate(&mut self, documents: usize, values: usize) {
        self.spans.truncate(documents);
        self.values.truncate(values);
        self.weights.truncate(values);
        self.values.shrink_to(ROOM);
        self.weights.shrink_to(ROOM);
    }
}

/// The different features of every document that may be compared.
pub struct Features {
    /// The workers' stores, then those of what was read again, by worker or by chunk: features, and weights.
    arenas: Vec<(Column<u64>, Column<u32>)>,
    /// For each document; nothing for those that are not compared.
    spans: Column<Span>,
}

/// Where features are put, and how many stay in memory.
#[derive(Clone, Copy)]
pub struct Room<'a> {
    /// Where they are put.
    pub work: &'a Work,
    /// Bytes of memory for them.
    pub bytes: u64,
}

impl Features {
    /// The features of the documents that `wanted` names; none for the others.
    ///
    /// Chunks whose features were `kept` in stores are not read again. Without `room` all are held in memory.
    pub fn load(
        scanned: Scanned<'_>,
        kept: (Vec<Option<Kept>>, Vec<Store>),
        wanted: &[AtomicBool],
        weights: &Weights,
        room: Option<Room<'_>>,
    ) -> Result<Self, Error> {
        let Scanned { request, documents, .. } = scanned;
        let wanted = |document: &u32| wanted[*document as usize].load(Ordering::Relaxed);
        let (mut kept, stores) = kept;
        let spilled = Spilled::new(room, scanned.monitor)?;
        for (chunk, kept) in documents.chunks.iter().zip(&mut kept) {
            // What an earlier run has put on disk is not to be there twice.
            kept.take_if(|_| spilled.has(chunk.first_document));
        }
        let mut arenas = stored(documents, &kept, stores, &wanted);
        prepare(request, weights, &mut arenas);
        let (more, log) = read_again(scanned, &kept, &wanted, Some(weights), spilled)?;
        arenas.extend(more);
        arenas.extend(indexed(documents, &wanted)?);
        match (log, room.and_then(|room| room.work.folder())) {
            (Some(log), Some(folder)) => Self::of_log(documents, arenas, &log, folder),
            _ => Ok(Self::of_arenas(documents, arenas)),
        }
    }

    /// The features of those documents that may be similar to another at all, by features that they alone have; none for the others,
    /// nor for copies. Those of all documents are in memory for it.
    pub fn of_partners(
        scanned: Scanned<'_>,
        kept: (Vec<Option<Kept>>, Vec<Store>),
        originals: &[u32],
        weights: &Weights,
        room: Room<'_>,
    ) -> Result<Self, Error> {
        let Scanned { request, documents, .. } = scanned;
        let (needed, left) = (8 * documents.features, room.bytes);
        if needed > left {
            return Err(Error::TooMuchToHold { what: "exact search", needed, left });
        }
        let is_original = |&document: &u32| originals[document as usize] == document;
        let (kept, stores) = kept;
        let mut arenas = stored(documents, &kept, stores, &is_original);
        arenas
            .extend(read_again(scanned, &kept, &is_original, None, Spilled::new(None, scanned.monitor)?)?.0);
        let mut sets: Vec<&[u64]> = vec![&[]; documents.len()];
        for Arena { values, spans, .. } in &arenas {
            for (document, span) in spans {
                sets[*document as usize] = &values[span.range()];
            }
        }
        let (measure, threshold) = (request.plan.measure(), request.plan.threshold());
        let sets = GroupedSets { sets, groups: documents.groups() };
        let partners = ExactJoin::may_have_partners(&sets, measure, threshold, &Threads);
        drop(sets);
        for arena in &mut arenas {
            arena.spans.retain(|(document, _)| partners.binary_search(document).is_ok());
        }
        prepare(request, weights, &mut arenas);
        Ok(Self::of_arenas(documents, arenas))
    }

    fn of_arenas(documents: &Documents, arenas: Vec<Arena>) -> Self {
        let mut features = Features { arenas: Vec::with_capacity(arenas.len()), spans: Column::default() };
        let mut spans = vec![Span::default(); documents.len()];
        for (index, arena) in (0..).zip(arenas) {
            for (document, span) in arena.spans {
                spans[document as usize] = Span { arena: index, ..span };
            }
            features.arenas.push((Column::Memory(arena.values), Column::Memory(arena.weights)));
        }
        features.spans = Column::Memory(spans);
        features
    }

    /// Those of `arenas`, and those of a log.
    fn of_log(documents: &Documents, arenas: Vec<Arena>, log: &Log, folder: &Folder) -> Result<Self, Error> {
        let mut records: Vec<Record<'_>> = log.records().collect();
        let first = |record: &Record<'_>| {
            record.values::<u32>(part::DOCUMENTS).ok().and_then(|found| found.first().copied())
        };
        records.sort_by_cached_key(first);
        let mut of_memory: Vec<(u32, Span)> = Vec::new();
        let mut features = Features { arenas: Vec::new(), spans: Column::default() };
        for (index, arena) in (0..).zip(arenas) {
            of_memory.extend(
                arena.spans.iter().map(|&(document, span)| (document, Span { arena: index, ..span })),
            );
            features.arenas.push((Column::Memory(arena.values), Column::Memory(arena.weights)));
        }
        of_memory.sort_unstable_by_key(|(document, _)| *document);
        let mut of_memory = of_memory.into_iter().peekable();
        // One span for each document, in order, whether it has features or not.
        let mut spans = folder.start_column::<Span>("spans")?;
        let mut next = 0;
        let mut put = |column: &mut ColumnWriter<Span>, until: u32| {
            while next < until {
                let span = of_memory.next_if(|(document, _)| *document == next).map(|(_, span)| span);
                column.extend(&[span.unwrap_or_default()])?;
                next += 1;
            }
            next += 1;
            Ok::<(), Error>(())
        };
        for record in records {
            let (numbers, lengths): (&[u32], &[u32]) =
                (record.values(part::DOCUMENTS)?, record.values(part::LENGTHS)?);
            let (arena, mut start) = (features.arenas.len() as u32, 0);
            for (&document, &len) in numbers.iter().zip(lengths) {
                put(&mut spans, document)?;
                spans.extend(&[Span { start, arena, len }])?;
                start += u64::from(len);
            }
            features.arenas.push((
                Column::Disk(record.column(part::VALUES)?),
                Column::Disk(record.column(part::WEIGHTS)?),
            ));
        }
        put(&mut spans, documents.len() as u32)?;
        debug_assert!(of_memory.peek().is_none(), "each document has its features once");
        features.spans = Column::Disk(folder.finish_column("spans", spans)?);
        Ok(features)
    }

    /// What is compared of `document`.
    pub fn of(&self, document: u32) -> Set<'_> {
        let span = self.spans[document as usize];
        let Some((values, weights)) = self.arenas.get(span.arena as usize) else { return Set::default() };
        Set { features: &values[span.range()], weights: weights.get(span.range()).unwrap_or_default() }
    }

    /// Gives their memory back, by all threads: of gigabytes that takes one alone long enough to see.
    pub fn release(self) {
        self.arenas.into_par_iter().for_each(drop);
    }

    /// What is compared of each document, without weights; nothing of those that were not wanted.
    pub fn sets(&self) -> Vec<&[u64]> {
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
        arena
            .spans
            .push((*document, Span { arena: 0, start: arena.values.len() as u64, len: set.len() as u32 }));
        arena.values.extend_from_slice(set);
    }
    Ok((!numbers.is_empty()).then_some(arena))
}

/// Makes the features of each document different, and weighs them.
fn prepare(request: &Request, weights: &Weights, arenas: &mut [Arena]) {
    arenas.par_iter_mut().for_each_init(
        || SketchBuilder::new(&request.plan, weights, request.level),
        |builder, Arena { values, weights, spans }| {
            weights.resize(if request.plan.compares_weights() { values.len() } else { 0 }, 0);
            for (_, span) in spans {
                let weights = weights.get_mut(span.range()).unwrap_or_default();
                span.len = builder.prepare(&mut values[span.range()], weights) as u32;
            }
        },
    );
}

/// Reads the wanted documents of those chunks whose features were not kept: what is compared of them, different
/// and weighed by `weights`; as it is, if there are none. What there is no room for is `spilled`, as an earlier run may have done.
fn read_again(
    scanned: Scanned<'_>,
    kept: &[Option<Kept>],
    wanted: &(impl Fn(&u32) -> bool + Sync),
    weights: Option<&Weights>,
    spilled: Spilled<'_>,
) -> Result<(Vec<Arena>, Option<Log>), Error> {
    let Scanned { request, inputs, documents, monitor } = scanned;
    let is_missing =
        |index: usize| kept[index].is_none() && !spilled.has(documents.chunks[index].first_document);
    let missing = || (0..kept.len()).filter(|&index| is_missing(index)).map(|index| &documents.chunks[index]);
    let total = missing().flat_map(|chunk| chunk.range()).filter(wanted).count();
    if total == 0 {
        return Ok((Vec::new(), spilled.finish()?));
    }
    let fields = Fields { text: request.text_field.clone(), id: None, number: None, within: Vec::new() };
    let bar = monitor.stage("read again", Unit::Documents, Some(total as u64));
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let drafted_by = weights.unwrap_or(&Weights::Set);
    let state =
        || (SketchBuilder::new(&request.plan, drafted_by, request.level), Scratch::default(), Vec::new());
    let work = |(builder, scratch, arenas): &mut (SketchBuilder, Scratch, Vec<Arena>), chunk: Chunk<'_>| {
        let index = documents.chunk_index(chunk.id()).filter(|&index| is_missing(index));
        let range = index.map_or(0..0, |index| documents.chunks[index].range());
        let first_document = range.start;
        let here: Vec<u32> = range.filter(wanted).collect();
        if here.is_empty() {
            return Ok(None::<()>);
        }
        let mut loaded = documents.load(&here, chunk, scratch)?;
        let arena = Arena::with_room(arenas);
        let before = (arena.spans.len(), arena.values.len());
        let Arena { values, weights, spans } = &mut *arena;
        for document in here {
            let record =
                loaded.record(documents.places[document as usize]).map_err(|bad| Error::Changed {
                    place: Names { inputs, documents }.place(document),
                    problem: bad.problem.to_string(),
                })?;
            let start = values.len();
            values.extend_from_slice(builder.compared(record.text));
            weights.resize(if request.plan.compares_weights() { values.len() } else { 0 }, 0);
            let own_weights = weights.get_mut(start..).unwrap_or_default();
            let distinct = builder.prepare(&mut values[start..], own_weights);
            values.truncate(start + distinct);
            weights.truncate(start + distinct);
            spans.push((document, Span { arena: 0, start: start as u64, len: distinct as u32 }));
        }
        bar.inc((spans.len() - before.0) as u64);
        if spilled.takes(first_document, arena, before)? {
            arena.truncate(before.0, before.1);
        }
        Ok(None)
    };
    let done = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    drop(bar);
    let arenas = done?.1.into_iter().flat_map(|(_, _, arenas)| arenas);
    // What was spilled has left its memory.
    let arenas = arenas.filter(|arena| !arena.spans.is_empty()).collect();
    Ok((arenas, spilled.finish()?))
}
