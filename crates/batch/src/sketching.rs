//! The first scan: every document sketched.

use crate::documents::{Documents, Sketched};
use crate::error::Error;
use crate::features::{Arena, Room};
use crate::ids::{Ids, place_name};
use crate::job::{Job, Keep};
use crate::progress::{Monitor, Unit};
use crate::scan::scan;
use lookalike::{SketchTable, Sketcher};
use lookalike_corpus::{Compression, Fields, Format, Inputs, Loaded, Problem, Reader, Scan, Scratch};
use std::sync::atomic::{AtomicBool, Ordering};

/// Sketches all documents of `inputs`.
pub(crate) fn sketch(
    job: &Job,
    inputs: &Inputs,
    fields: &Fields,
    keep: &Keep,
    monitor: &Monitor,
) -> Result<Documents, Error> {
    let plain = inputs.files().iter().all(|file| {
        file.compression == Compression::None && matches!(file.format, Format::Jsonl | Format::Text)
    });
    let bar = monitor.stage("sketch", Unit::Bytes, plain.then(|| inputs.bytes()));
    let reader = Reader::new(inputs, fields, Scan::Documents);
    let state = || (Sketcher::with_level(&job.plan, job.level), Scratch::default());
    let stop = AtomicBool::new(false);
    let room = Room::new(job.features_bytes);
    let parts = scan(&reader, &monitor.interrupt, &stop, state, |(sketcher, scratch), chunk| {
        let loaded = chunk.load(scratch)?;
        let part = sketch_chunk(job, fields, keep, &room, sketcher, loaded);
        if part.places.is_empty() && part.id.sequence == 0 {
            // The whole first chunk of a file lacks the text field: no need to read the rest to say so.
            check_text_field(inputs, part.id.file, part.bad.first().map(|bad| &bad.problem))?;
        }
        bar.inc(part.text_bytes);
        if job.strict && !part.bad.is_empty() {
            stop.store(true, Ordering::Relaxed);
        }
        Ok(Some(part))
    });
    bar.finish_and_clear();
    let documents = Documents::assemble(&job.plan, parts?)?;
    match documents.bad.first() {
        Some(bad) if job.strict => Err(Error::Strict {
            place: place_name(inputs, bad.file, bad.record.line, bad.line),
            problem: bad.record.problem.to_string(),
        }),
        _ => Ok(documents),
    }
}

fn sketch_chunk(
    job: &Job,
    fields: &Fields,
    keep: &Keep,
    room: &Room,
    sketcher: &mut Sketcher<'_>,
    mut loaded: Loaded<'_>,
) -> Sketched {
    let mut part = Sketched {
        id: loaded.id(),
        lines: 0,
        text_bytes: 0,
        table: SketchTable::new(job.plan.num_perm(), job.plan.banding()),
        places: Vec::new(),
        ranks: Vec::new(),
        ids: fields.id.as_ref().map(|_| Ids::default()),
        bad: Vec::new(),
        features: room.is_left().then(|| Arena::for_text(1 << 20)),
    };
    loaded.for_each(|record| match record {
        Ok(record) => {
            let sketch = sketcher.sketch(record.text);
            part.table.push(&sketch);
            if let Some(arena) = &mut part.features {
                arena.push(sketch.features);
            }
            part.places.push(record.place);
            part.text_bytes += record.text.len() as u64;
            match keep {
                Keep::First | Keep::Last => {}
                Keep::Longest => part.ranks.push(record.text.len() as f64),
                Keep::Max(_) | Keep::Min(_) => part.ranks.push(record.number.unwrap_or(f64::NAN)),
            }
            if let Some(ids) = &mut part.ids {
                ids.push(record.id);
            }
        }
        Err(bad) => part.bad.push(bad),
    });
    part.lines = loaded.lines();
    part.features = part.features.filter(|arena| room.take(arena.bytes()));
    part.features.iter_mut().for_each(Arena::shrink);
    part
}

fn check_text_field(inputs: &Inputs, file: u32, problem: Option<&Problem>) -> Result<(), Error> {
    match problem {
        Some(Problem::MissingField { field, seen }) => Err(Error::NoTextField {
            file: inputs.files()[file as usize].name.clone(),
            field: field.clone(),
            seen: seen.join(", "),
        }),
        _ => Ok(()),
    }
}
