//! The first scan: it sketches every document.

use crate::documents::ids::DocumentIds;
use crate::documents::kept::FeatureStore;
use crate::documents::sketched::NO_RANK;
use crate::documents::skipped::{MOST_SKIPPED_EXAMPLES, SkippedRun};
use crate::documents::{BadLine, ChunkCollector, ChunkHead, Documents, SketchedChunk, TextLengths};
use crate::error::Error;
use crate::progress::{Monitor, Unit};
use crate::request::{Affordable, Keep, Request};
use crate::scan::scan;
use crate::work::Work;
use lookalike::search::{SketchBuilder, Sketches};
use lookalike::sketch::Group;
use lookalike::{Method, Weights};
use lookalike_corpus::{
    Chunk, ChunkId, Compression, Fields, Format, GroupValues, Inputs, Loaded, Problem, Rank, Reader, Scan,
    Scratch,
};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU32, Ordering},
};
use xxhash_rust::xxh3::xxh3_128;

/// Sketches all documents of `inputs`.
pub fn sketch(
    request: &Request,
    inputs: &Inputs,
    fields: &Fields,
    keep: &Keep,
    weights: &Weights,
    work: &Work,
    monitor: &Monitor,
) -> Result<Documents, Error> {
    if request.strict
        && let Some((place, problem)) = inputs.skipped().next()
    {
        return Err(Error::Strict { place, problem: problem.to_string() });
    }
    let collector = ChunkCollector::new(work, &request.plan, inputs.bytes(), monitor)?;
    let unusable = Unusable::default();
    let scan = FirstScan { request, inputs, fields, keep, weights, work, monitor, collector, unusable };
    let stores = match scan.collector.is_complete() {
        true => Vec::new(),
        false => scan.run()?,
    };
    let FirstScan { collector, unusable, .. } = scan;
    let strict = |bad: &BadLine| Error::Strict { place: bad.place(inputs), problem: bad.problem.clone() };
    if request.strict
        && let Some(bad) = collector.first_bad()?
    {
        // Before anything is put in order, as not everything was read.
        return Err(strict(&bad));
    }
    let mut documents = collector.assemble(stores, monitor)?;
    documents.compare_against(inputs.against());
    check_groups(fields, inputs, &documents)?;
    if request.strict
        && let Some(bad) = documents.bad.first()
    {
        return Err(strict(bad));
    }
    if documents.first_new == 0 {
        // Without documents to compare against, the run would keep documents that it should remove.
        unusable.error(inputs, Side::Against).map_or(Ok(()), Err)?;
    }
    let mut bad = documents.bad.iter().filter(|bad| bad.file as usize >= inputs.against());
    match bad.next() {
        // Other records of archives are kept, so that their output is not empty.
        Some(bad) if documents.len() as u32 == documents.first_new && documents.others == 0 => {
            let nothing = Error::NoDocument { place: bad.place(inputs), problem: bad.problem.clone() };
            Err(unusable.error(inputs, Side::Inputs).unwrap_or(nothing))
        }
        _ => Ok(documents),
    }
}

/// The first scan: everything that a thread needs to sketch a chunk, and where the result goes.
struct FirstScan<'a> {
    request: &'a Request,
    inputs: &'a Inputs,
    fields: &'a Fields,
    keep: &'a Keep,
    weights: &'a Weights,
    work: &'a Work,
    monitor: &'a Monitor,
    collector: ChunkCollector<'a>,
    unusable: Unusable,
}

/// The state of a thread of the first scan.
struct Worker {
    builder: SketchBuilder,
    /// The features that it keeps.
    store: FeatureStore,
    /// Whether it keeps the features of plain lines too.
    keeps_plain: bool,
    /// The documents of its last chunk. The next one is likely to have about as many.
    documents: usize,
}

impl FirstScan<'_> {
    /// Sketches all chunks that an earlier run has not sketched. Returns the features that were kept.
    fn run(&self) -> Result<Vec<FeatureStore>, Error> {
        let FirstScan { request, inputs, collector, unusable, .. } = self;
        let plain = inputs.files().iter().all(|file| {
            file.compression == Compression::None
                && matches!(file.format, Format::Jsonl | Format::Text | Format::Memory)
        });
        let bar = self.monitor.stage("sketch", Unit::Bytes, plain.then(|| inputs.bytes()));
        let reader = Reader::new(inputs, self.fields, Scan::Documents);
        let workers = AtomicU32::new(0);
        let kept_bytes = request.features_bytes.min(self.work.budget.kept_features())
            / rayon::current_num_threads() as u64;
        let keeps_plain = keeps_features(request, inputs);
        let state = || {
            let builder = SketchBuilder::new(&request.plan, self.weights, request.level);
            let store = FeatureStore::new(workers.fetch_add(1, Ordering::Relaxed), kept_bytes);
            (Worker { builder, store, keeps_plain, documents: 0 }, Scratch::default())
        };
        let work = |(worker, scratch): &mut (Worker, Scratch), chunk: Chunk<'_>| {
            if collector.has(chunk.id()) {
                return Ok(None);
            }
            let loaded = chunk.load(scratch)?;
            if collector.is_on_disk() {
                // Memory is short, and so kept features are given up.
                worker.store = FeatureStore::new(u32::MAX, 0);
            }
            let (part, problem) = self.sketch_chunk(worker, loaded);
            if let Some(problem) = problem {
                unusable.add(inputs, part.head.id, problem);
                let lacks_text = part.places.is_empty() && part.head.id.sequence == 0;
                if lacks_text && inputs.files().len() == 1 {
                    // The whole first chunk of the only file lacks the text field: no need to read the rest to say so.
                    unusable.error(inputs, Side::Inputs).map_or(Ok(()), Err)?;
                }
            }
            // The unit of the sum: of plain inputs it is known.
            bar.inc(if plain { part.head.stored_bytes } else { part.head.text_bytes });
            if request.strict && part.head.skipped > 0 {
                // Threads are in several files, and a chunk before this one may have a bad record too, which is named in its place.
                reader.end_after(part.head.id);
            }
            collector.add(part)?;
            Ok(None::<()>)
        };
        let done =
            scan::<_, _, Error>(&reader, &self.monitor.interrupt, &AtomicBool::new(false), state, work);
        drop(bar);
        Ok(done?.1.into_iter().map(|(worker, _)| worker.store).collect())
    }

    /// Sketches the documents of a chunk. Returns the problem of its first bad record too.
    fn sketch_chunk(&self, worker: &mut Worker, mut loaded: Loaded<'_>) -> (SketchedChunk, Option<Problem>) {
        let FirstScan { request, fields, .. } = self;
        let Worker { builder, store, keeps_plain, documents } = worker;
        let mut head = ChunkHead::start(loaded.id(), loaded.stored_bytes());
        let keeps = (*keeps_plain || loaded.is_decoded()) && request.plan.verifies();
        let mut part = SketchedChunk {
            sketches: Sketches::new(&request.plan),
            places: Vec::new(),
            ranks: Vec::new(),
            sizes: TextLengths::default(),
            groups: Vec::new(),
            ids: fields.id.as_ref().map(|_| DocumentIds::default()),
            kept: keeps.then(|| store.start()),
            head: head.clone(),
        };
        part.sketches.reserve(*documents);
        part.places.reserve(*documents);
        let mut problem = None;
        loaded.for_each(|record| match record {
            Ok(record) => {
                let compared = builder.sketch_into(record.text, &mut part.sketches);
                head.features += compared.len() as u64;
                part.kept = store.keep(compared, part.kept.take());
                let shingles = part.sketches.content(part.places.len() as u32).shingles();
                part.sizes.push(record.text, shingles, builder.last_tokens());
                if !fields.within.is_empty() {
                    head.group_fields |= record.within.map_or(0, GroupValues::present);
                    let group = group_of(record.within);
                    part.sketches.put_last_into(group);
                    part.groups.push(group);
                }
                part.places.push(record.place);
                head.without_text += u32::from(record.is_null);
                head.text_bytes += record.text.len() as u64;
                if let Keep::Max(_) | Keep::Min(_) = self.keep {
                    part.ranks.push(record.number.map_or(NO_RANK, Rank::to_key));
                }
                if let Some(ids) = &mut part.ids {
                    ids.push(record.id);
                }
            }
            Err(bad) => {
                head.skipped += 1;
                if !bad.problem.is_of_file() {
                    SkippedRun::add(&mut head.skipped_runs, part.places.len() as u32);
                }
                if head.bad.len() < MOST_SKIPPED_EXAMPLES {
                    let line = (!bad.problem.is_of_file()).then_some(bad.line);
                    head.bad.push((line, bad.problem.to_string()));
                }
                problem.get_or_insert(bad.problem);
            }
        });
        head.lines = loaded.lines();
        head.others = loaded.other_records();
        head.suspect = loaded.suspect_quotes();
        *documents = part.places.len();
        head.documents = *documents as u32;
        (SketchedChunk { head, ..part }, problem)
    }
}

/// The least bytes of plain text for a feature: five letters and a space.
const FEATURE_BYTES: u64 = 6;

/// Whether the features of all documents are likely to be needed. Keeping them then saves time, and the result is the same.
fn keeps_features(request: &Request, inputs: &Inputs) -> bool {
    let affordable = |affordable: Affordable| inputs.bytes() / FEATURE_BYTES <= affordable.features;
    request.plan.method() == Method::Exact || request.auto.is_some_and(affordable)
}

/// The group of a document. All documents without any of the fields are in one group.
fn group_of(values: Option<&GroupValues>) -> Group {
    let hash = xxh3_128(values.map_or(&[], GroupValues::encoded));
    Group([hash as u64, (hash >> 64) as u64])
}

/// A number that is equal for texts in the same group.
pub(crate) fn text_group(values: Option<&GroupValues>) -> u64 {
    group_of(values).0[0]
}

/// Refuses a field of `--within` that no document has: its name is probably wrong.
fn check_groups(fields: &Fields, inputs: &Inputs, documents: &Documents) -> Result<(), Error> {
    let is_missing = |(index, _): &(usize, &String)| documents.group_fields >> (*index).min(63) & 1 == 0;
    match fields.within.iter().enumerate().find(is_missing) {
        Some((_, field)) if !documents.is_empty() => {
            // The error names them if it can.
            let seen = inputs.files().get(inputs.against()).and_then(|file| file.columns().ok());
            Err(Error::NoGroup { field: field.clone(), seen: seen.unwrap_or_default() })
        }
        _ => Ok(()),
    }
}

/// A side of the comparison.
#[derive(Clone, Copy)]
pub enum Side {
    /// Files that are compared against.
    Against,
    /// The inputs.
    Inputs,
}

/// For each side, the first problem for which nothing of a file can be read. If no file of the side can be read, it is the error.
#[derive(Default)]
pub struct Unusable(Mutex<[Option<(ChunkId, Problem)>; 2]>);

impl Unusable {
    /// Adds the problem of the first bad record of a chunk.
    pub fn add(&self, inputs: &Inputs, chunk: ChunkId, problem: Problem) {
        if !problem.is_missing_text() && !problem.is_of_file() {
            return;
        }
        let side = if (chunk.file as usize) < inputs.against() { Side::Against } else { Side::Inputs };
        let first = &mut self.0.lock().unwrap_or_else(PoisonError::into_inner)[side as usize];
        // A missing text comes first, as another name of the field helps.
        let rank = |chunk: ChunkId, problem: &Problem| (!problem.is_missing_text(), chunk);
        if first.as_ref().is_none_or(|(other, known)| rank(chunk, &problem) < rank(*other, known)) {
            *first = Some((chunk, problem));
        }
    }

    /// The error of a side without any document, if there is such a problem.
    pub fn error(&self, inputs: &Inputs, side: Side) -> Option<Error> {
        let firsts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (chunk, problem) = firsts[side as usize].as_ref()?;
        let file = inputs.files()[chunk.file as usize].name.clone();
        let is_against = matches!(side, Side::Against);
        Some(Error::Unusable { file, problem: problem.clone(), is_against })
    }
}
