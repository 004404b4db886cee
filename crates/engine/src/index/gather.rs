//! Takes the documents out of an index that new documents may be similar to.

use super::progress::StageProgress;
use crate::error::Error;
use crate::progress::{Monitor, Unit};
use lookalike::search::SketchView;
use lookalike_index::{Gathered, Index};
use std::sync::Arc;

/// The documents of `index` that are alive at second `now` since 1970 and share a band key with a document of `new`, and the first living
/// document of each of their clusters. `new` must be sketched by the plan of the index.
///
/// # Errors
/// [`Error`] if the index is damaged or the run is stopped.
pub fn gather(
    index: &Arc<Index>,
    new: SketchView<'_>,
    now: u32,
    monitor: &Monitor,
) -> Result<Gathered, Error> {
    let interrupt = &monitor.interrupt;
    let stage = monitor.stage("index", Unit::Parts, Some(index.plan().banding().bands as u64));
    let candidates = index.candidates(new, now, &StageProgress { stage: Some(&stage), interrupt })?;
    drop(stage);
    Ok(index.gather(candidates, now, &StageProgress { stage: None, interrupt })?)
}
