//! The output of `pairs`.

use super::columns::{cell, column};
use super::places::check_places;
use crate::error::Error;
use crate::request;
use lookalike::Match;
use lookalike_corpus::{Cell, ColumnKind, Completed, Inputs, TableWriter};
use lookalike_engine::documents::names::Names;
use lookalike_engine::progress::Monitor;
use std::path::Path;

/// The output of `pairs`.
pub(crate) struct Pairs(TableWriter);

impl Pairs {
    pub(crate) fn create(pairs: &request::Pairs, inputs: &Inputs) -> Result<Self, Error> {
        let (job, path) = (&pairs.job, pairs.output.as_deref().unwrap_or(Path::new("-")));
        check_places(job, inputs, Vec::new(), &[&pairs.output, &job.summary, &pairs.report])?;
        let columns = [("a", ColumnKind::Text), ("b", ColumnKind::Text), column(&job.request.plan)];
        Ok(Pairs(TableWriter::create(path, &columns, inputs.waiting())?))
    }

    pub(crate) fn write(
        mut self,
        names: &Names<'_>,
        pairs: &[Match],
        monitor: &Monitor,
    ) -> Result<Completed, Error> {
        for pair in pairs {
            monitor.interrupt.check()?;
            let (a, b) = (names.id(pair.a), names.id(pair.b));
            self.0.row(&[Cell::Text(&a), Cell::Text(&b), cell(pair.score)])?;
        }
        Ok(self.0.complete()?)
    }
}
