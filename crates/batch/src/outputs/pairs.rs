//! The output of `pairs`.

use super::columns::{cell, column};
use super::places::check_places;
use crate::error::Error;
use crate::request;
use lookalike::Match;
use lookalike_corpus::{Cell, ColumnKind, Completed, Inputs, TableWriter};
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::progress::Monitor;

/// The output of `pairs`. There is no table if the pairs are returned.
pub(crate) struct PairsOutput(Option<TableWriter>);

impl PairsOutput {
    pub(crate) fn create(pairs: &request::Pairs, inputs: &Inputs) -> Result<Self, Error> {
        let job = &pairs.job;
        check_places(job, inputs, Vec::new(), &[&pairs.output.file(), &job.summary, &pairs.report])?;
        let columns = [("a", ColumnKind::Text), ("b", ColumnKind::Text), column(&job.request.plan)];
        let table = pairs.output.path().map(|path| TableWriter::create(path, &columns, inputs.waiting()));
        Ok(PairsOutput(table.transpose()?))
    }

    pub(crate) fn write(
        self,
        names: &DocumentNames<'_>,
        pairs: &[Match],
        monitor: &Monitor,
    ) -> Result<Completed, Error> {
        let Some(mut table) = self.0 else { return Ok(Completed::default()) };
        for pair in pairs {
            monitor.interrupt.check()?;
            let (a, b) = (names.id(pair.a), names.id(pair.b));
            table.row(&[Cell::Text(&a), Cell::Text(&b), cell(pair.score)])?;
        }
        Ok(table.complete()?)
    }
}
