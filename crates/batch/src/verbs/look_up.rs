//! Finds the documents with given ids in one scan. A second scan follows if an id is a place, as its line must be counted.

use crate::error::Error;
use crate::lines::Starts;
use crate::request::Job;
use lookalike_corpus::{ChunkId, Inputs, Place, Reader, Scan, Scratch};
use lookalike_engine::documents::place_name;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::scan::ReadChunk;
use lookalike_engine::scan::scan;
use lookalike_report::{ReadSummary, Skips};
use std::sync::atomic::AtomicBool;

/// The place of a document that has one of the ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct IdPlace {
    wanted: usize,
    chunk: ChunkId,
    place: Place,
}

/// The documents that a worker has found.
#[derive(Default)]
struct IdPlaces {
    found: Vec<IdPlace>,
    /// For each id, the text of the first document that this worker found. Several documents with one id are an error.
    texts: Vec<(IdPlace, String)>,
    documents: u64,
    chunks: Vec<ReadChunk>,
    /// The first documents of the first chunk.
    first: Vec<(ChunkId, Place, Option<String>)>,
}

/// How many documents an error names if none has the wanted id.
const EXAMPLES: usize = 3;

/// The texts of the two documents with these `ids`, and the summary of the documents read. The place of a document stands for
/// it even if it has an id.
pub(crate) fn texts_of(
    job: &Job,
    inputs: &Inputs,
    ids: &[String; 2],
    monitor: &Monitor,
) -> Result<([String; 2], ReadSummary), Error> {
    let IdPlaces { mut found, mut texts, documents, chunks, first } = search(job, inputs, ids, monitor)?;
    let (starts, skips) = Starts::new(job, inputs, chunks, documents)?;
    found.sort_unstable();
    let name = |chunk: ChunkId, place: Place| {
        place_name(inputs, chunk.file, place.offset, starts.of(chunk) + u64::from(place.line))
    };
    let mut text = |wanted: usize| {
        let id = &ids[wanted];
        let places: Vec<&IdPlace> = found.iter().filter(|found| found.wanted == wanted).collect();
        let text = match places[..] {
            [only] => {
                let text = texts.iter_mut().find(|(found, _)| found == only);
                text.map(|(_, text)| std::mem::take(text))
            }
            [] => at_place(job, inputs, id, &starts, monitor)?,
            _ => {
                let first = places.iter().take(EXAMPLES).map(|found| name(found.chunk, found.place));
                let places_named = first.collect::<Vec<String>>().join(", ");
                return Err(Error::RepeatedId { id: id.clone(), count: places.len(), places: places_named });
            }
        };
        let seen = || {
            let first =
                first.iter().map(|(chunk, place, id)| id.clone().unwrap_or_else(|| name(*chunk, *place)));
            first.collect::<Vec<String>>().join(", ")
        };
        text.ok_or_else(|| no_such_id(id, seen(), &skips))
    };
    let texts = [text(0)?, text(1)?];
    Ok((texts, ReadSummary::new(inputs, documents, skips)))
}

/// The error if no document has this `id`. It names the first ids that were `seen`.
fn no_such_id(id: &str, seen: String, skips: &Skips) -> Error {
    let (id, seen) = (id.to_owned(), if seen.is_empty() { "none".to_owned() } else { seen });
    if let Some(bad) = skips.skipped_examples.iter().find(|skipped| skipped.place == id) {
        return Error::BadDocument { place: bad.place.clone(), problem: bad.problem.clone() };
    }
    match skips.skipped_examples.first() {
        None => Error::NoSuchId { id, seen },
        Some(bad) => {
            let first = format!("{}: {}", bad.place, bad.problem);
            Error::NoSuchIdRead { id, seen, skipped: skips.skipped, first }
        }
    }
}

fn search(job: &Job, inputs: &Inputs, ids: &[String; 2], monitor: &Monitor) -> Result<IdPlaces, Error> {
    let fields = job.fields();
    let bar = monitor.stage("look up", Unit::Documents, None);
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let state = || (IdPlaces::default(), Scratch::default());
    let states = scan::<_, _, Error>(
        &reader,
        &monitor.interrupt,
        &AtomicBool::new(false),
        state,
        |(seen, scratch): &mut (IdPlaces, Scratch), chunk| {
            let mut loaded = chunk.load(scratch)?;
            let (chunk, before) = (loaded.id(), seen.documents);
            let is_file = inputs.files()[chunk.file as usize].format.is_one_document();
            let mut bad = Vec::new();
            loaded.for_each(|record| {
                let record = match record {
                    Ok(record) => record,
                    Err(record) => return bad.push(record),
                };
                seen.documents += 1;
                let id = match record.id.filter(|id| !id.is_empty()) {
                    None if is_file => {
                        Some(inputs.files()[(chunk.file + record.place.offset) as usize].name.as_str())
                    }
                    id => id,
                };
                if chunk == FIRST && seen.first.len() < EXAMPLES {
                    seen.first.push((chunk, record.place, id.map(str::to_owned)));
                }
                for wanted in (0..ids.len()).filter(|&wanted| id == Some(&ids[wanted])) {
                    let found = IdPlace { wanted, chunk, place: record.place };
                    seen.found.push(found);
                    if !seen.texts.iter().any(|(other, _)| other.wanted == wanted) {
                        seen.texts.push((found, record.text.to_owned()));
                    }
                }
            });
            bar.inc(seen.documents - before);
            seen.chunks.push(ReadChunk {
                id: chunk,
                lines: loaded.lines(),
                bad,
                suspect: loaded.suspect_quotes(),
            });
            Ok(None::<()>)
        },
    );
    drop(bar);
    let mut all = IdPlaces::default();
    for (seen, _) in states?.1 {
        all.found.extend(seen.found);
        all.texts.extend(seen.texts);
        all.documents += seen.documents;
        all.chunks.extend(seen.chunks);
        all.first.extend(seen.first);
    }
    Ok(all)
}

const FIRST: ChunkId = ChunkId { file: 0, sequence: 0 };

/// The text of the document at `place`, written `path:line`. `None` if that is no place of a document.
fn at_place(
    job: &Job,
    inputs: &Inputs,
    place: &str,
    starts: &Starts,
    monitor: &Monitor,
) -> Result<Option<String>, Error> {
    let Some((name, line)) = place.rsplit_once(':') else { return Ok(None) };
    let line = line.parse::<u64>().ok().and_then(|line| line.checked_sub(1));
    let file = inputs.files().iter().position(|file| file.name == name && !file.format.is_one_document());
    let Some((chunk, line)) = line.zip(file).and_then(|(line, file)| starts.find(file as u32, line)) else {
        return Ok(None);
    };
    let fields = job.request.fields_of_text();
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let stop = AtomicBool::new(false);
    let found =
        scan::<_, _, Error>(&reader, &monitor.interrupt, &stop, Scratch::default, |scratch, next| {
            if next.id() != chunk {
                return Ok(None);
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            let mut found = None;
            next.load(scratch)?.for_each(|record| match record {
                Ok(record) if u64::from(record.place.line) == line => {
                    found = Some(Ok(record.text.to_owned()))
                }
                Err(bad) if u64::from(bad.line) == line => {
                    let problem = bad.problem.to_string();
                    found = Some(Err(Error::BadDocument { place: place.to_owned(), problem }));
                }
                _ => {}
            });
            found.transpose()
        })?;
    Ok(found.0.into_iter().next())
}
