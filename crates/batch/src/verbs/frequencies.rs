//! `frequencies`: the table of document frequencies that weights by TF-IDF need.

use crate::error::Error;
use crate::lines::Starts;
use crate::outputs::places::check_places;
use crate::outputs::unpublished::{Unpublished, start};
use crate::request::Job;
use lookalike_corpus::Completed;
use lookalike_engine::PlanSummary;
use lookalike_engine::clock::Clock;
use lookalike_engine::features::frequencies;
use lookalike_engine::progress::Monitor;
use lookalike_engine::threads::in_pool;
use lookalike_report::{EffortSummary, FrequenciesSummary, NoFigures, ReadSummary};
use std::path::PathBuf;

/// Counts the documents that have each feature, and writes the table.
#[derive(Clone, Debug)]
pub struct CountFrequencies {
    /// The inputs, and how features are made.
    pub job: Job,
    /// The file of the table. `None` writes none, and the summary has it.
    pub output: Option<PathBuf>,
    /// Features of fewer documents are left out of the table. Only tables with all features, from 1 on, can be merged.
    pub least: u32,
}

impl CountFrequencies {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; the job then leaves no output.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<FrequenciesSummary>, Error> {
        in_pool(self.job.threads, || {
            let (job, mut clock) = (&self.job, Clock::start());
            let inputs = job.resolve(monitor)?;
            check_places(job, &inputs, Vec::new(), &[&self.output, &job.summary])?;
            let (table, summary_files) =
                (start(self.output.as_ref(), &monitor.waiting())?, job.start_summary(monitor)?);
            let (counted, documents, chunks) = frequencies::count(&job.request, &inputs, monitor)?;
            let (_, skips) = Starts::new(job, &inputs, chunks, documents)?;
            let counted = counted.pruned(self.least);
            let outputs = match table {
                Some(table) => table.write(&counted.to_bytes())?,
                None => Completed::default(),
            };
            clock.lap("count");
            let summary = FrequenciesSummary {
                read: ReadSummary::new(&inputs, documents, skips),
                no_figures: NoFigures::OF_PAIRS,
                effort: EffortSummary::finish(clock),
                plan: PlanSummary::new(&job.request.plan),
                table: counted.into(),
            };
            Unpublished::of_summary(summary, outputs, summary_files)
        })
    }
}
