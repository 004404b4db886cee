//! `frequencies`: the table that weights by TF-IDF need, of a corpus of one's choice.

use crate::clock::Clock;
use crate::error::Error;
use crate::frequencies;
use crate::lines::Starts;
use crate::places::check_places;
use crate::progress::Monitor;
use crate::request::Job;
use crate::summary::Summary;
use crate::threads::in_pool;
use crate::unpublished::{Unpublished, start};
use lookalike_corpus::WholeFile;
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
            let inputs = job.resolve()?;
            check_places(job, &inputs, Vec::new(), &[&Some(self.output.clone()), &job.summary])?;
            let (table, summary_file) = (WholeFile::create(&self.output)?, start(job.summary.as_ref())?);
            let (counted, chunks) = frequencies::count(job, &inputs, monitor)?;
            let mut summary = Summary::new(job, &inputs);
            summary.documents = counted.documents();
            Starts::new(job, &inputs, chunks, &mut summary)?;
            let outputs = table.write(&counted.to_bytes())?;
            clock.lap("count");
            summary.finish(clock);
            Unpublished::of_summary(summary, outputs, summary_file)
        })
    }
}
