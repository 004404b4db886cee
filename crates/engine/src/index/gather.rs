//! Takes the documents out of an index that new documents may be similar to.

use super::progress::StageProgress;
use crate::error::Error;
use crate::progress::{Monitor, Unit};
use crate::work::Budget;
use lookalike::search::SketchView;
use lookalike_index::{Gathered, Index, LOOKUP_KEY_BYTES};
use std::sync::Arc;

/// The documents of `index` that share a band key with a document of `new`, and the first document of each of their clusters. `new` must
/// be sketched by the plan of the index.
///
/// # Errors
/// [`Error`] if the index is damaged or the run is stopped.
pub fn gather(
    index: &Arc<Index>,
    new: SketchView<'_>,
    budget: Budget,
    monitor: &Monitor,
) -> Result<Gathered, Error> {
    let interrupt = &monitor.interrupt;
    let candidates = match index.key_bytes() {
        0 => Vec::new(),
        bytes => {
            let parts = budget.parts_of_bytes((new.keys.len() * LOOKUP_KEY_BYTES) as u64);
            let total = bytes * u64::from(parts.get());
            let stage = monitor.stage("index", Unit::Bytes, Some(total));
            index.candidates(new, parts, &StageProgress { stage: Some(&stage), interrupt })?
        }
    };
    Ok(index.gather(candidates, &StageProgress { stage: None, interrupt })?)
}
