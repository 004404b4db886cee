//! The first scan: every document sketched.

use crate::documents::ids::Ids;
use crate::documents::kept::Store;
use crate::documents::skipped::MOST_SKIPPED_EXAMPLES;
use crate::documents::{BadLine, Collected, Documents, Head, SketchedChunk, TextLengths};
use crate::error::Error;
use crate::progress::{Monitor, Unit};
use crate::request::{Affordable, Keep, Request};
use crate::scan::scan;
use crate::work::Work;
use lookalike::search::{SketchBuilder, Sketches};
use lookalike::sketch::Group;
use lookalike::{Method, Weights};
use lookalike_corpus::{
    ChunkId, Compression, Fields, Format, GroupValues, Inputs, Loaded, Problem, Reader, Scan, Scratch,
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
    let collected = Collected::new(work, &request.plan, inputs.bytes(), monitor)?;
    let unusable = Unusable::default();
    let stores = match collected.is_complete() {
        true => Vec::new(),
        false => scan_inputs(request, inputs, fields, keep, weights, (work, &collected, &unusable), monitor)?,
    };
    let strict = |bad: &BadLine| Error::Strict { place: bad.place(inputs), problem: bad.problem.clone() };
    if request.strict
        && let Some(bad) = collected.first_bad()?
    {
        // Before anything is put in order: not everything was read.
        return Err(strict(&bad));
    }
    let mut documents = collected.assemble(stores, monitor)?;
    documents.compare_against(inputs.against());
    check_groups(fields, &documents)?;
    if request.strict
        && let Some(bad) = documents.bad.first()
    {
        return Err(strict(bad));
    }
    if documents.first_new == 0 {
        // Compared against nothing, the run would keep what it should not.
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

/// Sketches what is not yet `collected`; returns the features that were kept.
fn scan_inputs(
    request: &Request,
    inputs: &Inputs,
    fields: &Fields,
    keep: &Keep,
    weights: &Weights,
    (work, collected, unusable): (&Work, &Collected<'_>, &Unusable),
    monitor: &Monitor,
) -> Result<Vec<Store>, Error> {
    let plain = inputs.files().iter().all(|file| {
        file.compression == Compression::None && matches!(file.format, Format::Jsonl | Format::Text)
    });
    let bar = monitor.stage("sketch", Unit::Bytes, plain.then(|| inputs.bytes()));
    let reader = Reader::new(inputs, fields, Scan::Documents);
    let workers = AtomicU32::new(0);
    let kept_bytes =
        request.features_bytes.min(work.budget.kept_features()) / rayon::current_num_threads() as u64;
    let state = || {
        let store = Store::new(workers.fetch_add(1, Ordering::Relaxed), kept_bytes);
        (SketchBuilder::new(&request.plan, weights, request.level), Scratch::default(), store)
    };
    let wanted = keeps_features(request, inputs);
    let stop = AtomicBool::new(false);
    let done =
        scan::<_, _, Error>(&reader, &monitor.interrupt, &stop, state, |(builder, scratch, store), chunk| {
            if collected.has(chunk.id()) {
                return Ok(None);
            }
            let loaded = chunk.load(scratch)?;
            if collected.is_on_disk() {
                // What was kept is given back: memory is short.
                *store = Store::new(u32::MAX, 0);
            }
            let (part, problem) = sketch_chunk(request, fields, keep, (store, wanted), builder, loaded);
            if let Some(problem) = problem {
                unusable.add(inputs, part.head.id, problem);
                let lacks_text = part.places.is_empty() && part.head.id.sequence == 0;
                if lacks_text && inputs.files().len() == 1 {
                    // The whole first chunk of the only file lacks the text field: no need to read the rest to say so.
                    unusable.error(inputs, Side::Inputs).map_or(Ok(()), Err)?;
                }
            }
            bar.inc(part.head.text_bytes);
            if request.strict && part.head.skipped > 0 {
                stop.store(true, Ordering::Relaxed);
            }
            collected.add(part)?;
            Ok(None::<()>)
        });
    drop(bar);
    Ok(done?.1.into_iter().map(|(_, _, store)| store).collect())
}

/// Bytes of plain text a feature stands for, at least: five letters and a space.
const FEATURE_BYTES: u64 = 6;

/// Are the features of all documents likely to be needed? It is worth keeping them then; the result is the same.
fn keeps_features(request: &Request, inputs: &Inputs) -> bool {
    let affordable = |affordable: Affordable| inputs.bytes() / FEATURE_BYTES <= affordable.features;
    request.plan.method() == Method::Exact || request.auto.is_some_and(affordable)
}

/// The chunk's share, and what is wrong with its first bad record.
fn sketch_chunk(
    request: &Request,
    fields: &Fields,
    keep: &Keep,
    (store, wanted): (&mut Store, bool),
    builder: &mut SketchBuilder,
    mut loaded: Loaded<'_>,
) -> (SketchedChunk, Option<Problem>) {
    let mut head = Head::start(loaded.id(), loaded.stored_bytes());
    let mut part = SketchedChunk {
        sketches: Sketches::new(&request.plan),
        places: Vec::new(),
        ranks: Vec::new(),
        sizes: TextLengths::default(),
        groups: Vec::new(),
        ids: fields.id.as_ref().map(|_| Ids::default()),
        kept: ((wanted || loaded.is_decoded()) && request.plan.verifies()).then(|| store.start()),
        head: head.clone(),
    };
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
            head.text_bytes += record.text.len() as u64;
            match keep {
                Keep::First | Keep::Last | Keep::Longest | Keep::Count(_) | Keep::None => {}
                Keep::Max(_) | Keep::Min(_) => part.ranks.push(record.number.unwrap_or(f64::NAN)),
            }
            if let Some(ids) = &mut part.ids {
                ids.push(record.id);
            }
        }
        Err(bad) => {
            head.skipped += 1;
            if head.bad.len() < MOST_SKIPPED_EXAMPLES {
                let line = (!bad.problem.is_of_file()).then_some(bad.line);
                head.bad.push((line, bad.problem.to_string()));
            }
            problem.get_or_insert(bad.problem);
        }
    });
    head.lines = loaded.lines();
    head.others = loaded.other_records();
    head.documents = part.places.len() as u32;
    (SketchedChunk { head, ..part }, problem)
}

/// The group of a document: those without any of the fields are in one, too.
fn group_of(values: Option<&GroupValues>) -> Group {
    let hash = xxh3_128(values.map_or(&[], GroupValues::encoded));
    Group([hash as u64, (hash >> 64) as u64])
}

/// Refuses to compare within a field that no document has: the name is probably wrong.
fn check_groups(fields: &Fields, documents: &Documents) -> Result<(), Error> {
    let is_missing = |(index, _): &(usize, &String)| documents.group_fields >> (*index).min(63) & 1 == 0;
    match fields.within.iter().enumerate().find(is_missing) {
        Some((_, field)) if !documents.is_empty() => Err(Error::NoGroup { field: field.clone() }),
        _ => Ok(()),
    }
}

/// Files that are compared against, or inputs.
#[derive(Clone, Copy)]
pub enum Side {
    /// Files that are compared against.
    Against,
    /// The inputs.
    Inputs,
}

/// Of each side, the first problem that says of a file why nothing of it can be read: that is what to say if no file can be.
#[derive(Default)]
pub struct Unusable(Mutex<[Option<(ChunkId, Problem)>; 2]>);

impl Unusable {
    /// Takes what is wrong with the first bad record of a chunk.
    pub fn add(&self, inputs: &Inputs, chunk: ChunkId, problem: Problem) {
        if !problem.is_missing_text() && !problem.is_of_file() {
            return;
        }
        let side = if (chunk.file as usize) < inputs.against() { Side::Against } else { Side::Inputs };
        let first = &mut self.0.lock().unwrap_or_else(PoisonError::into_inner)[side as usize];
        // That the text is missing can be helped by another name for it, and so comes first.
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
        Some(Error::Unusable { file, problem: problem.clone() })
    }
}
