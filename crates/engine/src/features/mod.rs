//! The features of the documents that are compared: kept from the first scan, or made again from their texts.

mod each_text;
pub mod frequencies;
pub mod frequent;
mod spare;
mod spilled;
pub(crate) mod weights;

pub use self::weights::{given_weights, weights};

use self::spare::Spare;
use self::spilled::{Spilled, part};
use crate::documents::Documents;
use crate::documents::kept::{FeatureSpan, FeatureStore, KeptChunks, KeptFeatures};
use crate::documents::names::DocumentNames;
use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::progress::Unit;
use crate::request::Request;
use crate::scan::scan;
use crate::threads::Threads;
use crate::work::{Folder, Work, exact_bytes};
use lookalike::compare::Set;
use lookalike::search::{ExactJoin, GroupedSets, SketchBuilder};
use lookalike::sketch::ContentHash;
use lookalike::{Plan, Weights};
use lookalike_corpus::{Chunk, Reader, Scan, Scratch};
use lookalike_store::{Column, ColumnWriter, Log, StoredRecord};
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;

/// The features of several documents, and their weights if weights are compared. `spans` says which belong to which document.
#[derive(Default)]
struct Arena {
    values: Vec<u64>,
    weights: Vec<u32>,
    spans: Vec<(u32, FeatureSpan)>,
}

/// The part of an arena that one chunk has filled starts behind so many documents and values.
#[derive(Clone, Copy)]
struct ArenaStart {
    documents: usize,
    values: usize,
}

/// Features that an arena has room for at first: enough for several chunks, as a list that grows is copied.
const ROOM: usize = 1 << 20;

impl Arena {
    /// An arena of `arenas` with room for a chunk of the usual size.
    fn with_room<'a>(arenas: &'a mut Vec<Arena>, spare: &Spare) -> &'a mut Arena {
        let has_room = |arena: &Arena| arena.values.capacity() - arena.values.len() >= ROOM / 4;
        let arena = match arenas.pop() {
            Some(arena) if has_room(&arena) => arena,
            full => {
                arenas.extend(full);
                Arena { values: spare.take(), ..Arena::default() }
            }
        };
        arenas.push_mut(arena)
    }

    /// Appends the features of `document`, which are distinct, and weighed if `plan` compares weights. Returns its content hash.
    fn push(&mut self, document: u32, text: &str, builder: &mut SketchBuilder, plan: &Plan) -> ContentHash {
        let Arena { values, weights, spans } = self;
        let first = values.len();
        let (compared, content) = builder.compared_and_content(text);
        values.extend_from_slice(compared);
        weights.resize(if plan.compares_weights() { values.len() } else { 0 }, 0);
        let own_weights = weights.get_mut(first..).unwrap_or_default();
        let distinct = builder.prepare(&mut values[first..], own_weights);
        values.truncate(first + distinct);
        weights.truncate(first + distinct);
        spans.push((document, FeatureSpan { arena: 0, start: first as u64, len: distinct as u32 }));
        content
    }

    /// Removes all documents but the first ones, and gives back memory beyond the usual room.
    fn truncate(&mut self, documents: usize, values: usize) {
        self.spans.truncate(documents);
        self.values.truncate(values);
        self.weights.truncate(values);
        self.values.shrink_to(ROOM);
        self.weights.shrink_to(ROOM);
    }
}

/// The distinct features of every document that may be compared.
#[derive(Default)]
pub struct Features {
    /// Features and weights: the workers' stores, and then the features that were made again, by worker or by chunk.
    arenas: Vec<(Column<u64>, Column<u32>)>,
    /// The features of each document. Empty for documents that are not compared.
    spans: Column<FeatureSpan>,
}

/// How many features stay in memory, and where the others go.
#[derive(Clone, Copy)]
pub struct FeatureRoom<'a> {
    /// Has the folder for the others.
    pub work: &'a Work,
    /// The bytes that stay in memory.
    pub bytes: u64,
}

impl Features {
    /// The features of the `wanted` documents. The others have none here.
    ///
    /// Chunks whose features were `kept` in stores are not read again. Without `room` all features are in memory.
    pub fn load(
        scanned: Scanned<'_>,
        kept: KeptChunks,
        wanted: impl Fn(u32) -> bool + Sync,
        weights: &Weights,
        room: Option<FeatureRoom<'_>>,
    ) -> Result<Self, Error> {
        let Scanned { request, documents, .. } = scanned;
        let wanted = |document: &u32| wanted(*document);
        let KeptChunks { places: mut kept, stores } = kept;
        let spilled = Spilled::new(room, scanned.monitor)?;
        for (chunk, kept) in documents.chunks.iter().zip(&mut kept) {
            // An earlier run has put these on disk already.
            kept.take_if(|_| spilled.has(chunk.first_document));
        }
        let mut arenas = stored(documents, &kept, stores, &wanted);
        prepare(request, weights, &mut arenas);
        let (more, log) = read_again(scanned, &kept, &wanted, Some(weights), spilled, &Spare::default())?;
        arenas.extend(more);
        arenas.extend(indexed(documents, &request.plan, &wanted)?);
        match (log, room.and_then(|room| room.work.folder())) {
            (Some(log), Some(folder)) => Self::of_log(documents, arenas, &log, folder),
            _ => Ok(Self::of_arenas(documents, arenas)),
        }
    }

    /// The features of the `wanted` documents, all made again, in the memory of the features `before`.
    pub fn read_again(
        scanned: Scanned<'_>,
        wanted: impl Fn(u32) -> bool + Sync,
        weights: &Weights,
        before: Features,
    ) -> Result<Self, Error> {
        let KeptChunks { places: none, .. } = KeptChunks::none(scanned.documents.chunks.len());
        let wanted = |document: &u32| wanted(*document);
        let (spilled, spare) = (Spilled::new(None, scanned.monitor)?, Spare::of(before));
        let (arenas, _) = read_again(scanned, &none, &wanted, Some(weights), spilled, &spare)?;
        Ok(Self::of_arenas(scanned.documents, arenas))
    }

    /// The features of the documents that may be similar to another one. Documents with too many features that no other has, and copies, have
    /// none here. The features of all documents must fit in the memory that is `left`.
    pub(crate) fn of_partners(
        scanned: Scanned<'_>,
        kept: KeptChunks,
        originals: &[u32],
        weights: &Weights,
        left: u64,
    ) -> Result<Self, Error> {
        let Scanned { request, documents, .. } = scanned;
        let needed = exact_bytes(documents.features);
        if needed > left {
            return Err(Error::TooMuchToHold { what: "exact search", needed, left });
        }
        let is_original = |&document: &u32| originals[document as usize] == document;
        let KeptChunks { places: kept, stores } = kept;
        let mut arenas = stored(documents, &kept, stores, &is_original);
        let spilled = Spilled::new(None, scanned.monitor)?;
        arenas.extend(read_again(scanned, &kept, &is_original, None, spilled, &Spare::default())?.0);
        let mut sets: Vec<&[u64]> = vec![&[]; documents.len()];
        for Arena { values, spans, .. } in &arenas {
            for (document, span) in spans {
                sets[*document as usize] = &values[span.range()];
            }
        }
        let (measure, threshold) = (request.plan.measure(), request.plan.threshold());
        let sets = GroupedSets { sets, groups: documents.groups() };
        let partners =
            ExactJoin::may_have_partners(&sets, measure, threshold, &Threads(&scanned.monitor.interrupt))?;
        drop(sets);
        for arena in &mut arenas {
            arena.spans.retain(|(document, _)| partners.binary_search(document).is_ok());
        }
        prepare(request, weights, &mut arenas);
        Ok(Self::of_arenas(documents, arenas))
    }

    fn of_arenas(documents: &Documents, arenas: Vec<Arena>) -> Self {
        let mut features = Features { arenas: Vec::with_capacity(arenas.len()), spans: Column::default() };
        let mut spans = vec![FeatureSpan::default(); documents.len()];
        for (index, arena) in (0..).zip(arenas) {
            for (document, span) in arena.spans {
                spans[document as usize] = FeatureSpan { arena: index, ..span };
            }
            features.arenas.push((Column::Memory(arena.values), Column::Memory(arena.weights)));
        }
        features.spans = Column::Memory(spans);
        features
    }

    /// The features of `arenas` and of a log.
    fn of_log(documents: &Documents, arenas: Vec<Arena>, log: &Log, folder: &Folder) -> Result<Self, Error> {
        let mut records: Vec<StoredRecord<'_>> = log.records().collect();
        let first = |record: &StoredRecord<'_>| {
            record.values::<u32>(part::DOCUMENTS).ok().and_then(|found| found.first().copied())
        };
        records.sort_by_cached_key(first);
        let mut of_memory: Vec<(u32, FeatureSpan)> = Vec::new();
        let mut features = Features { arenas: Vec::new(), spans: Column::default() };
        for (index, arena) in (0..).zip(arenas) {
            of_memory.extend(
                arena.spans.iter().map(|&(document, span)| (document, FeatureSpan { arena: index, ..span })),
            );
            features.arenas.push((Column::Memory(arena.values), Column::Memory(arena.weights)));
        }
        of_memory.sort_unstable_by_key(|(document, _)| *document);
        let mut of_memory = of_memory.into_iter().peekable();
        // One span for each document, in order, also for documents without features.
        let mut spans = folder.start_column::<FeatureSpan>("spans")?;
        let mut next = 0;
        let mut put = |column: &mut ColumnWriter<FeatureSpan>, until: u32| {
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
                spans.extend(&[FeatureSpan { start, arena, len }])?;
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

    /// No features of so many documents.
    pub fn none(documents: usize) -> Self {
        Features { arenas: Vec::new(), spans: Column::Memory(vec![FeatureSpan::default(); documents]) }
    }

    /// The features of `document`, and their weights.
    pub fn of(&self, document: u32) -> Set<'_> {
        let span = self.spans[document as usize];
        let Some((values, weights)) = self.arenas.get(span.arena as usize) else { return Set::default() };
        Set { features: &values[span.range()], weights: weights.get(span.range()).unwrap_or_default() }
    }

    /// Gives the memory back on all threads: for gigabytes one thread takes noticeable time.
    pub fn release(self) {
        self.arenas.into_par_iter().for_each(drop);
    }

    /// The features of each document, without weights. Empty for documents that were not wanted.
    pub fn sets(&self) -> Vec<&[u64]> {
        (0..self.spans.len() as u32).map(|document| self.of(document).features).collect()
    }
}

/// The stores as arenas, with the spans of the wanted documents of the chunks that were kept.
fn stored(
    documents: &Documents,
    kept: &[Option<KeptFeatures>],
    mut stores: Vec<FeatureStore>,
    wanted: &impl Fn(&u32) -> bool,
) -> Vec<Arena> {
    stores.sort_unstable_by_key(|store| store.id);
    let arena = |store: FeatureStore| Arena { values: store.values, ..Arena::default() };
    let mut arenas: Vec<Arena> = stores.into_iter().map(arena).collect();
    for (chunk, kept) in documents.chunks.iter().zip(kept) {
        let Some(kept) = kept else { continue };
        let documents = (0..chunk.documents as usize).zip(chunk.range());
        let spans = documents.filter(|(_, document)| wanted(document));
        arenas[kept.store as usize].spans.extend(spans.map(|(index, document)| (document, kept.span(index))));
    }
    arenas
}

/// The features of the wanted documents of an index. They are distinct already, and have no weights.
fn indexed(
    documents: &Documents,
    plan: &Plan,
    wanted: &impl Fn(&u32) -> bool,
) -> Result<Option<Arena>, Error> {
    let numbers: Vec<u32> = (0..documents.indexed.numbers.len() as u32).filter(wanted).collect();
    let mut arena = Arena::default();
    let mut documents_of_arena = numbers.iter();
    documents.indexed.features(plan, &numbers, |set| {
        let span = FeatureSpan { arena: 0, start: arena.values.len() as u64, len: set.len() as u32 };
        arena.spans.extend(documents_of_arena.next().map(|&document| (document, span)));
        arena.values.extend_from_slice(set);
    })?;
    Ok((!numbers.is_empty()).then_some(arena))
}

/// Removes repeated features of each document, and weighs the others.
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

/// Reads the wanted documents of the chunks whose features were not kept. Their features are distinct, and weighed by `weights` if there are
/// any. Those that memory has no room for go to `spilled`, where an earlier run may have put some.
fn read_again(
    scanned: Scanned<'_>,
    kept: &[Option<KeptFeatures>],
    wanted: &(impl Fn(&u32) -> bool + Sync),
    weights: Option<&Weights>,
    spilled: Spilled<'_>,
    spare: &Spare,
) -> Result<(Vec<Arena>, Option<Log>), Error> {
    let Scanned { request, inputs, documents, monitor } = scanned;
    let is_missing =
        |index: usize| kept[index].is_none() && !spilled.has(documents.chunks[index].first_document);
    let missing = || (0..kept.len()).filter(|&index| is_missing(index)).map(|index| &documents.chunks[index]);
    let total = missing().flat_map(|chunk| chunk.range()).filter(wanted).count();
    if total == 0 {
        return Ok((Vec::new(), spilled.finish()?));
    }
    let fields = request.fields_of_text();
    let bar = monitor.stage("read again", Unit::Documents, Some(total as u64));
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let sketch_weights = weights.unwrap_or(&Weights::Set);
    let state =
        || (SketchBuilder::new(&request.plan, sketch_weights, request.level), Scratch::default(), Vec::new());
    let work = |(builder, scratch, arenas): &mut (SketchBuilder, Scratch, Vec<Arena>), chunk: Chunk<'_>| {
        let index = documents.chunk_index(chunk.id()).filter(|&index| is_missing(index));
        let range = index.map_or(0..0, |index| documents.chunks[index].range());
        let first_document = range.start;
        let here: Vec<u32> = range.filter(wanted).collect();
        if here.is_empty() {
            return Ok(None::<()>);
        }
        let mut loaded = documents.load(&here, chunk, scratch)?;
        let arena = Arena::with_room(arenas, spare);
        let start = ArenaStart { documents: arena.spans.len(), values: arena.values.len() };
        for document in here {
            let record =
                loaded.record(documents.places[document as usize]).map_err(|bad| Error::Changed {
                    place: DocumentNames { inputs, documents }.place(document),
                    problem: bad.problem.to_string(),
                })?;
            let content = arena.push(document, record.text, builder, &request.plan);
            scanned.check_unchanged(document, content)?;
        }
        bar.inc((arena.spans.len() - start.documents) as u64);
        if spilled.take(first_document, arena, start)? {
            arena.truncate(start.documents, start.values);
        }
        Ok(None)
    };
    let done = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    drop(bar);
    let arenas = done?.1.into_iter().flat_map(|(_, _, arenas)| arenas);
    // Spilled features have left their arenas.
    let arenas = arenas.filter(|arena| !arena.spans.is_empty()).collect();
    Ok((arenas, spilled.finish()?))
}
