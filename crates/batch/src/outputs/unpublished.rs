//! The end of every job: all its complete outputs get their names together, or none does.
//!
//! **Outputs.** Every verb returns an `Unpublished`: a result, and outputs that are complete but have no names. The
//! caller adds its own outputs and publishes all of them at once (`publish`). A name is given by a rename that replaces
//! nothing, or by an exchange of the two files. Both can be taken back.

use crate::error::Error;
use crate::outputs::summary_files::SummaryFiles;
use lookalike_corpus::{Completed, Waiting, WholeFile};
use lookalike_engine::index::{Update, completed_manifest};
use lookalike_engine::progress::Monitor;
use lookalike_engine::work::Work;
use serde::Serialize;
use std::path::PathBuf;

/// A finished job. Its outputs are complete and have no names yet. If it is dropped, none is left.
#[must_use = "outputs have no names until they are published"]
pub struct Unpublished<T> {
    result: T,
    outputs: Completed,
    /// The file of the report, which the caller writes.
    report: Option<WholeFile>,
    /// The documents that are added to an index.
    update: Option<Update>,
    work: Option<Work>,
}

impl<T: Serialize> Unpublished<T> {
    /// Of a job whose result is its summary. The summary is written into the files that were started for it.
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

    /// The same with documents that are added to an index. The index changes last. If the process ends before that, the job
    /// gives the same outputs when it runs again.
    pub(crate) fn with_update(self, update: Option<Update>) -> Self {
        Unpublished { update, ..self }
    }

    /// The same with the data that the run has put on disk. It is removed when the outputs have their names.
    pub(crate) fn with_work(self, work: Work) -> Self {
        Unpublished { work: Some(work), ..self }
    }

    /// The result of the job.
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
    /// [`Error::Engine`]. Then no output has its name, unless the file system cannot take one back.
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

/// Removes or keeps the data that a failed job has put on disk: see [`Work::fail`].
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
