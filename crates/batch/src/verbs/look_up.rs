//! The documents of a corpus that go by given ids: one scan, and another if an id is a place that a line has to be counted for.

use crate::error::Error;
use crate::lines::Starts;
use crate::request::Job;
use crate::summary::Summary;
use lookalike_corpus::{ChunkId, Fields, Inputs, Place, Reader, Scan, Scratch};
use lookalike_engine::documents::ids::place_name;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::scan::Lines;
use lookalike_engine::scan::scan;
use std::sync::atomic::AtomicBool;

/// Where a document is that has one of the ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    wanted: usize,
    chunk: ChunkId,
    place: Place,
}

/// What a worker found.
#[derive(Default)]
struct Seen {
    found: Vec<Found>,
    /// The text of the first one that this worker found of each id: more than one are an error.
    texts: Vec<(Found, String)>,
    documents: u64,
    chunks: Vec<Lines>,
    /// The first documents of the first chunk.
    first: Vec<(ChunkId, Place, Option<String>)>,
}

/// Documents that are named when there is none of the wanted id.
const EXAMPLES: usize = 3;

/// The texts of the documents called `ids`: by the id that they have, or by their place, whether they have an id or not.
pub(crate) fn texts_of(
    job: &Job,
    inputs: &Inputs,
    ids: &[String; 2],
    summary: &mut Summary,
    monitor: &Monitor,
) -> Result<[String; 2], Error> {
    let mut seen = search(job, inputs, ids, monitor)?;
    summary.documents = seen.documents;
    let starts = Starts::new(job, inputs, seen.chunks, summary)?;
    let name = |chunk: ChunkId, place: Place| {
        place_name(inputs, chunk.file, place.offset, starts.of(chunk) + u64::from(place.line))
    };
    let bad = |id: &str| summary.skipped_examples.iter().find(|skipped| skipped.place == id);
    seen.found.sort_unstable();
    let mut text = |wanted: usize| {
        let id = &ids[wanted];
        let places: Vec<&Found> = seen.found.iter().filter(|found| found.wanted == wanted).collect();
        match places[..] {
            [only] => {
                let text = seen.texts.iter_mut().find(|(found, _)| found == only);
                Ok(text.map(|(_, text)| std::mem::take(text)).unwrap_or_default())
            }
            [] => match at_place(job, inputs, id, &starts, monitor)? {
                Some(text) => Ok(text),
                None => {
                    if let Some(bad) = bad(id) {
                        let (place, problem) = (bad.place.clone(), bad.problem.clone());
                        return Err(Error::BadDocument { place, problem });
                    }
                    let name = |(chunk, place, id): &(ChunkId, Place, Option<String>)| {
                        id.clone().unwrap_or_else(|| name(*chunk, *place))
                    };
                    let first: Vec<String> = seen.first.iter().map(name).collect();
                    let seen = if first.is_empty() { "none".to_owned() } else { first.join(", ") };
                    match summary.skipped_examples.first() {
                        None => Err(Error::NoSuchId { id: id.clone(), seen }),
                        Some(bad) => {
                            let first = format!("{}: {}", bad.place, bad.problem);
                            Err(Error::NoSuchIdRead { id: id.clone(), seen, skipped: summary.skipped, first })
                        }
                    }
                }
            },
            _ => {
                let first = places.iter().take(EXAMPLES).map(|found| name(found.chunk, found.place));
                let places_named = first.collect::<Vec<String>>().join(", ");
                Err(Error::RepeatedId { id: id.clone(), count: places.len(), places: places_named })
            }
        }
    };
    Ok([text(0)?, text(1)?])
}

fn search(job: &Job, inputs: &Inputs, ids: &[String; 2], monitor: &Monitor) -> Result<Seen, Error> {
    let fields = job.fields();
    let bar = monitor.stage("look up", Unit::Documents, None);
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let state = || (Seen::default(), Scratch::default());
    let states = scan::<_, _, Error>(
        &reader,
        &monitor.interrupt,
        &AtomicBool::new(false),
        state,
        |(seen, scratch): &mut (Seen, Scratch), chunk| {
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
                    let found = Found { wanted, chunk, place: record.place };
                    seen.found.push(found);
                    if !seen.texts.iter().any(|(other, _)| other.wanted == wanted) {
                        seen.texts.push((found, record.text.to_owned()));
                    }
                }
            });
            bar.inc(seen.documents - before);
            seen.chunks.push(Lines { id: chunk, lines: loaded.lines(), bad });
            Ok(None::<()>)
        },
    );
    drop(bar);
    let mut all = Seen::default();
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

/// The text of the document at `place`, written `path:line`; `None` if that is no place.
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
    let fields = Fields { text: job.request.text_field.clone(), id: None, number: None, within: Vec::new() };
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
