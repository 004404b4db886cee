//! `frequencies`: the table that weights by TF-IDF need, of a corpus of one's choice.

use crate::error::Error;
use crate::lines::Starts;
use crate::outputs::places::check_places;
use crate::outputs::unpublished::Unpublished;
use crate::request::Job;
use crate::summary::Summary;
use lookalike_corpus::WholeFile;
use lookalike_engine::clock::Clock;
use lookalike_engine::features::frequencies;
use lookalike_engine::progress::Monitor;
use lookalike_engine::threads::in_pool;
use std::path::PathBuf;

/// Counts in how many documents each feature is, and writes the table.
#[derive(Clone, Debug)]
pub struct Frequencies {
    /// What to read, and what features are.
    pub job: Job,
    /// Where the table goes.
    pub output: PathBuf,
}

impl Frequencies {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; no output is then left.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<Summary>, Error> {
        in_pool(self.job.threads, || {
            let (job, mut clock) = (&self.job, Clock::start());
            let inputs = job.resolve(monitor)?;
            check_places(job, &inputs, Vec::new(), &[&Some(self.output.clone()), &job.summary])?;
            let (table, summary_files) =
                (WholeFile::create(&self.output, &monitor.waiting())?, job.start_summary(monitor)?);
            let (counted, chunks) = frequencies::count(&job.request, &inputs, monitor)?;
            let mut summary = Summary::new(job, &inputs);
            summary.documents = counted.documents();
            Starts::new(job, &inputs, chunks, &mut summary)?;
            let outputs = table.write(&counted.to_bytes())?;
            clock.lap("count");
            summary.finish(clock);
            Unpublished::of_summary(summary, outputs, summary_files)
        })
    }
}
