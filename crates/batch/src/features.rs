//! The second scan: the features of those documents that are compared.

use crate::documents::Documents;
use crate::error::Error;
use crate::ids::Names;
use crate::job::Job;
use crate::progress::{Monitor, Unit};
use crate::scan::scan;
use lookalike::{Comparer, FeatureSet, Sketcher};
use lookalike_corpus::{Fields, Inputs, Reader, Scan, Scratch};
use std::sync::atomic::AtomicBool;

/// The features of the documents that `wanted` names; empty sets for the others.
pub(crate) fn load(
    job: &Job,
    inputs: &Inputs,
    documents: &Documents,
    wanted: &[AtomicBool],
    monitor: &Monitor,
) -> Result<Vec<FeatureSet>, Error> {
    let fields = Fields { text: job.text_field.clone(), id: None, number: None };
    let wanted = |document: u32| wanted[document as usize].load(std::sync::atomic::Ordering::Relaxed);
    let total = (0..documents.len() as u32).filter(|&document| wanted(document)).count();
    let bar = monitor.stage("read again", Unit::Documents, Some(total as u64));
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let state = || (Sketcher::with_level(&job.plan, job.level), Comparer::default(), Scratch::default());
    let work = |(sketcher, comparer, scratch): &mut (Sketcher<'_>, Comparer, Scratch), chunk: lookalike_corpus::Chunk<'_>| {
        let here: Vec<u32> = documents.of_chunk(chunk.id()).filter(|&document| wanted(document)).collect();
        if here.is_empty() {
            return Ok(None);
        }
        let mut loaded = chunk.load(scratch)?;
        let mut sets = Vec::with_capacity(here.len());
        for &document in &here {
            let place = documents.places[document as usize];
            let record = loaded.record(place).map_err(|bad| Error::Changed {
                place: Names { inputs, documents }.place(document),
                problem: bad.problem.to_string(),
            })?;
            sets.push((document, comparer.distinct(sketcher.features(record.text))));
        }
        bar.inc(here.len() as u64);
        Ok(Some(sets))
    };
    let parts = scan(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    bar.finish_and_clear();
    let mut features = vec![FeatureSet::default(); documents.len()];
    for (document, set) in parts?.into_iter().flatten() {
        features[document as usize] = set;
    }
    Ok(features)
}
