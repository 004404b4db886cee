//! The first scan: every document sketched.

use crate::choice;
use crate::documents::{Documents, Sketched};
use crate::error::Error;
use crate::features::Store;
use crate::ids::{Ids, place_name};
use crate::job::{Job, Keep};
use crate::progress::{Monitor, Unit};
use crate::scan::scan;
use lookalike::{Drafter, Sketches, Weights};
use lookalike_corpus::{Compression, Fields, Format, Inputs, Loaded, Problem, Reader, Scan, Scratch};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Sketches all documents of `inputs`.
pub(crate) fn sketch(
    job: &Job,
    inputs: &Inputs,
    fields: &Fields,
    keep: &Keep,
    weights: Weights<'_>,
    monitor: &Monitor,
) -> Result<Documents, Error> {
    let plain = inputs.files().iter().all(|file| {
        file.compression == Compression::None && matches!(file.format, Format::Jsonl | Format::Text)
    });
    let bar = monitor.stage("sketch", Unit::Bytes, plain.then(|| inputs.bytes()));
    let reader = Reader::new(inputs, fields, Scan::Documents);
    let workers = AtomicU32::new(0);
    let state = || {
        let store = Store::new(
            workers.fetch_add(1, Ordering::Relaxed),
            job.features_bytes / rayon::current_num_threads() as u64,
        );
        (Drafter::new(&job.plan, weights, job.level), Scratch::default(), store)
    };
    let wanted = choice::keeps_features(job, inputs);
    let stop = AtomicBool::new(false);
    let parts = scan(&reader, &monitor.interrupt, &stop, state, |(drafter, scratch, store), chunk| {
        let loaded = chunk.load(scratch)?;
        let part = sketch_chunk(job, fields, keep, (store, wanted), drafter, loaded);
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
    let (parts, states) = parts?;
    let stores = states.into_iter().map(|(_, _, store)| store).collect();
    let documents = Documents::assemble(&job.plan, parts, stores)?;
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
    (store, wanted): (&mut Store, bool),
    drafter: &mut Drafter<'_>,
    mut loaded: Loaded<'_>,
) -> Sketched {
    let mut part = Sketched {
        id: loaded.id(),
        lines: 0,
        others: 0,
        text_bytes: 0,
        features: 0,
        sketches: Sketches::new(&job.plan),
        places: Vec::new(),
        ranks: Vec::new(),
        ids: fields.id.as_ref().map(|_| Ids::default()),
        bad: Vec::new(),
        kept: ((wanted || loaded.is_decoded()) && job.plan.verifies()).then(|| store.start()),
    };
    loaded.for_each(|record| match record {
        Ok(record) => {
            let compared = drafter.draft(record.text, &mut part.sketches);
            part.features += compared.len() as u64;
            part.kept = store.keep(compared, part.kept.take());
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
    part.others = loaded.other_records();
    part
}

/// Refuses a file whose records lack the text field, if that is what is wrong with its first one.
pub(crate) fn check_text_field(inputs: &Inputs, file: u32, problem: Option<&Problem>) -> Result<(), Error> {
    match problem {
        Some(Problem::MissingField { field, seen }) => Err(Error::NoTextField {
            file: inputs.files()[file as usize].name.clone(),
            field: field.clone(),
            seen: seen.join(", "),
        }),
        _ => Ok(()),
    }
}
