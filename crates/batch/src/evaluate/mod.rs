//! `eval`: how good a list of pairs or clusters is, beside a list that is true.
//!
//! Both are read once, found first; ids get numbers in the order in which the lists name them. Everything after that is
//! counting, done in `core`. Memory holds sixteen bytes a pair (twice that while it is read) and every id once.

mod differences;
mod evaluation;
mod form;
mod list;
mod names;
mod unnamed;

pub use evaluation::{Accuracy, ByValue, Clustering, Evaluation, EvaluationSummary, ListSummary, ValueBin};

use crate::error::Error;
use crate::outputs::places::check_places_beside;
use crate::outputs::summary_files::SummaryFiles;
use crate::outputs::unpublished::Unpublished;
use crate::request::SettingsFile;
use crate::summary::Skips;
use differences::Differences;
use evaluation::Documents;
use form::Form;
use list::Intake;
use lookalike_corpus::{Completed, Inputs};
use lookalike_engine::clock::Clock;
use lookalike_engine::progress::Monitor;
use lookalike_engine::threads::in_pool;
use lookalike_engine::work::memory;
use names::Names;
use std::path::PathBuf;

/// Compares what was found with what is true.
#[derive(Clone, Debug)]
pub struct Evaluate {
    /// The list of what was found: a file, or several of the same columns by a folder or a glob, or `-`.
    pub found: String,
    /// The list of what is true, given in the same way.
    pub truth: String,
    /// How many documents there are, with those that neither list names; `None` if these are not to count.
    pub documents: Option<u32>,
    /// Where the pairs go that were found and are not true.
    pub wrong: Option<PathBuf>,
    /// Where the pairs go that are true and were not found.
    pub missing: Option<PathBuf>,
    /// Where the summary goes, as JSON.
    pub summary: Option<PathBuf>,
    /// What is written beside the summary, to repeat the run.
    pub settings: Option<SettingsFile>,
    /// Other files that are read: no output takes their place.
    pub read: Vec<PathBuf>,
    /// Worker threads.
    pub threads: usize,
    /// Stop at the first bad record.
    pub strict: bool,
}

impl Evaluate {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; no output is then left.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<EvaluationSummary>, Error> {
        in_pool(self.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<EvaluationSummary>, Error> {
        let mut clock = Clock::start();
        let waiting = monitor.waiting();
        let mut found = Inputs::resolve_list(&self.found, &waiting)?;
        let mut truth = Inputs::resolve_list(&self.truth, &waiting)?;
        let (found_form, truth_form) = (Form::of(&mut found)?, Form::of(&mut truth)?);
        let of_truth = truth.files().iter().map(|file| file.path.clone());
        let read: Vec<PathBuf> = of_truth.chain(self.read.iter().cloned()).collect();
        let settings = self.settings.as_ref().map(|settings| settings.path.clone());
        let lists = [&self.wrong, &self.missing, &self.summary, &settings];
        check_places_beside(&read, &found, Vec::new(), &lists)?;
        let wrong = Differences::create(self.wrong.as_deref(), &found_form, &waiting)?;
        let missing = Differences::create(self.missing.as_deref(), &truth_form, &waiting)?;
        let summary_files = SummaryFiles::start(self.summary.as_ref(), self.settings.as_ref(), &waiting)?;

        let bytes = found.bytes() + truth.bytes();
        let mut intake =
            Intake { names: Names::default(), skips: Skips::default(), strict: self.strict, monitor };
        let found = intake.read(&self.found, &found, found_form)?;
        let truth = intake.read(&self.truth, &truth, truth_form)?;
        let Intake { names, skips, .. } = intake;
        let named = names.count();
        let documents = match self.documents {
            Some(documents) if documents < named => {
                return Err(Error::FewerDocuments { documents, named });
            }
            documents => documents.unwrap_or(named),
        };
        unnamed::check(&found, &truth, &names)?;
        unnamed::check(&truth, &found, &names)?;
        monitor.interrupt.check()?;
        let (found, truth) = (found.contents(named), truth.contents(named));
        clock.lap("read");

        let documents = Documents { named, all: documents, names: &names };
        let evaluation = Evaluation::new(&found, &truth, documents, skips);
        clock.lap("compare");

        let wrong =
            wrong.map(|list| list.write(&found.account, &truth.account, &names, monitor)).transpose()?;
        let missing =
            missing.map(|list| list.write(&truth.account, &found.account, &names, monitor)).transpose()?;
        let mut outputs = Completed::default();
        [wrong, missing].into_iter().flatten().for_each(|written| outputs.join(written));
        clock.lap("write");
        let summary = EvaluationSummary {
            evaluation,
            bytes,
            seconds: clock.finish(),
            peak_memory_bytes: memory::peak(),
        };
        Unpublished::of_summary(summary, outputs, summary_files)
    }
}
