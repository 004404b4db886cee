//! An index in words.

use super::progress::StageAdvance;
use crate::error::Error;
use crate::progress::{Monitor, Unit};
use crate::request::plan_summary::PlanSummary;
use lookalike_index::{Index, IndexInfo, Verify, unix_seconds};
use serde::Serialize;
use std::path::Path;

/// The contents of an index, and its plan.
#[derive(Clone, Debug, Serialize)]
pub struct IndexSummary {
    /// Its contents.
    #[serde(flatten)]
    pub info: IndexInfo,
    /// Documents that were not removed, and have not expired.
    pub alive: u64,
    /// How its documents are sketched and compared.
    pub plan: PlanSummary,
}

impl IndexSummary {
    /// Summarises the index in `folder`, and verifies as much of it as `verify` says.
    ///
    /// # Errors
    /// [`Error`] if damage is found or the run is stopped.
    pub fn read(folder: &Path, verify: Verify, monitor: &Monitor) -> Result<Self, Error> {
        let index = Index::open(folder)?;
        let stage = match verify {
            Verify::Everything => Some(monitor.stage("verify", Unit::Parts, Some(index.parts()))),
            Verify::Outline => None,
        };
        let progress = StageAdvance { stage: stage.as_ref(), interrupt: &monitor.interrupt };
        let info = index.info(verify, &progress)?;
        Ok(IndexSummary { info, alive: index.alive(unix_seconds())?, plan: PlanSummary::new(index.plan()) })
    }
}
