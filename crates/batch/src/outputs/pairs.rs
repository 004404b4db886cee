//! The output of `pairs`.

use super::id_type::type_ids;
use super::places::check_places;
use crate::error::Error;
use crate::request;
use lookalike::Match;
use lookalike_corpus::{Completed, Fields, Inputs, TableWriter};
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::progress::Monitor;
use lookalike_report::{columns_of_pairs, write_pairs};

/// The output of `pairs`. There is no table if the pairs are returned.
pub(crate) struct PairsOutput(Option<TableWriter>);

impl PairsOutput {
    pub(crate) fn create(pairs: &request::Pairs, inputs: &Inputs) -> Result<Self, Error> {
        let job = &pairs.job;
        check_places(job, inputs, Vec::new(), &[&pairs.output.file(), &job.summary, &pairs.report])?;
        let columns = columns_of_pairs(&job.request.plan);
        let table = pairs.output.path().map(|path| TableWriter::create(path, &columns, inputs.waiting()));
        Ok(PairsOutput(table.transpose()?))
    }

    pub(crate) fn write(
        mut self,
        fields: &Fields,
        names: &DocumentNames<'_>,
        pairs: &[Match],
        monitor: &Monitor,
    ) -> Result<Completed, Error> {
        type_ids(self.0.iter_mut(), fields, names)?;
        let Some(table) = self.0 else { return Ok(Completed::default()) };
        Ok(write_pairs(table, names, pairs, monitor)?.complete()?)
    }
}
