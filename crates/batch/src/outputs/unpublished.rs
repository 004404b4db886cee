//! The end of every job: its outputs are complete, and get their names together, or none of them does.

use crate::error::Error;
use crate::outputs::summary_files::SummaryFiles;
use lookalike_corpus::{Completed, Waiting, WholeFile};
use lookalike_engine::index::{Update, completed_manifest};
use lookalike_engine::progress::Monitor;
use lookalike_engine::work::Work;
use serde::Serialize;
use std::path::PathBuf;

/// A job that is done, whose outputs are complete and have no names yet. Dropped, it leaves none.
#[must_use = "outputs have no names until they are published"]
pub struct Unpublished<T> {
    result: T,
    outputs: Completed,
    /// What the caller makes of the result.
    report: Option<WholeFile>,
    /// What is added to an index.
    update: Option<Update>,
    work: Option<Work>,
}

impl<T: Serialize> Unpublished<T> {
    /// Of a job whose result is its summary, which goes into the files that were started for it.
    pub(crate) fn of_summary(summary: T, mut outputs: Completed, files: SummaryFiles) -> Result<Self, Error> {
        outputs.join(files.write(&summary)?);
        Ok(Self::new(summary, outputs))
    }
}

impl<T> Unpublished<T> {
    pub(crate) fn new(result: T, outputs: Completed) -> Self {
        Unpublished { result, outputs, report: None, update: None, work: None }
    }

    /// The same with a file for a report: see [`Unpublished::write_report`].
    pub(crate) fn with_report(self, report: Option<WholeFile>) -> Self {
        Unpublished { report, ..self }
    }

    /// The same with what is added to an index. It is the last to change: if the process ends in between, the job has the same outputs
    /// when it is done again.
    pub(crate) fn with_update(self, update: Option<Update>) -> Self {
        Unpublished { update, ..self }
    }

    /// The same with what was put on disk on the way, which goes when outputs have their names.
    pub(crate) fn with_work(self, work: Work) -> Self {
        Unpublished { work: Some(work), ..self }
    }

    /// What the job found out.
    pub fn result(&self) -> &T {
        &self.result
    }

    /// Writes the report that was asked for, if one was.
    ///
    /// # Errors
    /// [`Error::Engine`] if it cannot be written.
    pub fn write_report(&mut self, content: &str, monitor: &Monitor) -> Result<(), Error> {
        let Some(report) = self.report.take() else { return Ok(()) };
        match report.write(content.as_bytes()) {
            Ok(report) => {
                self.outputs.join(report);
                Ok(())
            }
            Err(error) => Err(ended(self.work.take(), error.into(), monitor)),
        }
    }

    /// Gives all outputs their names.
    ///
    /// # Errors
    /// [`Error::Engine`]; none of them then has its name, as far as the file system can take one back.
    pub fn publish(self, monitor: &Monitor) -> Result<T, Error> {
        let Unpublished { result, mut outputs, update, work, .. } = self;
        let manifest = update.as_ref().map(completed_manifest).transpose().map_err(Error::from);
        let published = manifest.and_then(|manifest| {
            outputs.join(manifest.unwrap_or_default());
            Ok(outputs.publish()?)
        });
        match published {
            Ok(_) => {
                update.into_iter().for_each(Update::keep);
                work.into_iter().for_each(Work::remove);
                Ok(result)
            }
            Err(error) => Err(ended(work, error, monitor)),
        }
    }
}

/// Ends what a failed job has put on disk: see [`Work::fail`].
pub(crate) fn ended(work: Option<Work>, error: Error, monitor: &Monitor) -> Error {
    match (work, error.of_engine()) {
        (Some(work), Some(of_engine)) => work.fail(of_engine, monitor),
        (Some(work), None) => work.remove(),
        (None, _) => {}
    }
    error
}

/// Starts a file that is written when the job is done, if one is asked for.
pub(crate) fn start(path: Option<&PathBuf>, waiting: &Waiting) -> Result<Option<WholeFile>, Error> {
    Ok(path.map(|path| WholeFile::create(path, waiting)).transpose()?)
}
