//! Steps that several jobs take.

use super::Job;
use crate::clock::Clock;
use crate::compare;
use crate::error::Error;
use crate::features::{Features, Kept, Reading, Room, Store};
use crate::frequencies;
use crate::progress::Monitor;
use crate::search::Search;
use crate::work::Work;
use lookalike::{DocumentFrequencies, Weighting, Weights};
use lookalike_corpus::Inputs;

/// The features of what the search will compare; without one yet, of what may be alike to anything.
pub(super) fn gather(
    reading: Reading<'_>,
    kept: (Vec<Option<Kept>>, Vec<Store>),
    (search, originals): (Option<&Search<'_>>, &[u32]),
    weights: Weights<'_>,
    work: &Work,
    clock: &mut Clock,
) -> Result<Features, Error> {
    let features: usize = kept.1.iter().map(Store::bytes).sum();
    work.budget.check_held(reading.documents, features as u64)?;
    let room = Room { work, bytes: work.budget.features(reading.documents) };
    let features = match search {
        Some(search) => {
            let involved = compare::involved(search, reading.documents, originals, work, reading.monitor)?;
            clock.lap("candidates");
            Features::load(reading, kept, &involved, weights, Some(room))?
        }
        None => Features::of_partners(reading, kept, originals, weights, room)?,
    };
    clock.lap("features");
    Ok(features)
}

/// The frequencies that the weights need, if they were not given.
pub(crate) fn count_frequencies(
    job: &Job,
    inputs: &Inputs,
    clock: &mut Clock,
    monitor: &Monitor,
) -> Result<Option<DocumentFrequencies>, Error> {
    if job.plan.weighting() != Weighting::TfIdf || job.frequencies.is_some() {
        return Ok(None);
    }
    let (counted, _) = frequencies::count(job, inputs, monitor)?;
    clock.lap("frequencies");
    Ok(Some(counted))
}

pub(crate) fn weights<'t>(
    job: &'t Job,
    counted: Option<&'t DocumentFrequencies>,
) -> Result<Weights<'t>, Error> {
    if let Some(weights) = Weights::without_table(job.plan.weighting()) {
        return Ok(weights);
    }
    if job.plan.weighting() == Weighting::Levels {
        return job.levels.as_deref().map(Weights::Levels).ok_or(Error::NoLevels);
    }
    match job.frequencies.as_deref().or(counted) {
        Some(table) if table.plan() == job.plan.feature_id() => Ok(Weights::TfIdf(table)),
        _ => Err(Error::OtherFeatures),
    }
}

/// What a thread takes when it starts: its stack of 2 MiB, and what it is given besides.
const THREAD_BYTES: usize = (2 << 20) + (1 << 18);

pub(crate) fn in_pool<T: Send>(
    threads: usize,
    run: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    // A thread that starts in the last of the memory dies without a word, so that is tried before. The program's allocator
    // ends the process here, with its own sentence; other callers get the error.
    let mut room = Vec::<u8>::new();
    let tried = room.try_reserve_exact(threads * THREAD_BYTES);
    tried.map_err(|error| Error::Threads { threads, message: error.to_string() })?;
    drop(std::hint::black_box(room));
    let failed = |error: rayon::ThreadPoolBuildError| Error::Threads { threads, message: error.to_string() };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(failed)?.install(run)
}
