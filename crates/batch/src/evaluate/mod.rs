//! `eval` scores a list of pairs or clusters against ground truth.
//!
//! Both lists are read once, the found one first. Ids get numbers in the order in which the lists name them. Then `core`
//! counts. Memory holds sixteen bytes for each pair, twice as much while it is read, and every id once.

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
use differences::Differences;
use evaluation::ClusteredDocuments;
use form::ListForm;
use list::Intake;
use lookalike_corpus::{Completed, Inputs};
use lookalike_engine::clock::Clock;
use lookalike_engine::progress::Monitor;
use lookalike_engine::threads::in_pool;
use lookalike_engine::work::memory;
use std::path::PathBuf;

/// Compares found pairs or clusters with ground truth.
#[derive(Clone, Debug)]
pub struct Evaluate {
    /// The found list: a file, `-`, or a folder or glob of files with the same columns.
    pub found: String,
    /// The ground truth, given in the same way.
    pub truth: String,
    /// The number of documents, with those that neither list names. `None` counts only those that a list names.
    pub documents: Option<u32>,
    /// The file of found pairs that are not true.
    pub wrong: Option<PathBuf>,
    /// The file of true pairs that were not found.
    pub missing: Option<PathBuf>,
    /// The file of the summary, as JSON.
    pub summary: Option<PathBuf>,
    /// The settings that repeat the run, which are written beside the summary.
    pub settings: Option<SettingsFile>,
    /// Other files that are read. No output may replace them.
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
    /// [`Error`]; the job then leaves no output.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<EvaluationSummary>, Error> {
        in_pool(self.threads, || self.run_here(monitor))
    }

    /// The note on lists without a common id, of each of which it names one.
    fn nothing_in_common(&self, one: &str, other: &str) -> String {
        let (found, truth) = (&self.found, &self.truth);
        format!("the lists have no id in common: one of {found} is {one}, and one of {truth} is {other}")
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<EvaluationSummary>, Error> {
        let mut clock = Clock::start();
        let waiting = monitor.waiting();
        let mut found = Inputs::resolve_list(&self.found, &waiting)?;
        let mut truth = Inputs::resolve_list(&self.truth, &waiting)?;
        let (found_form, truth_form) = (ListForm::of(&mut found)?, ListForm::of(&mut truth)?);
        let of_truth = truth.files().iter().map(|file| file.path.clone());
        let read: Vec<PathBuf> = of_truth.chain(self.read.iter().cloned()).collect();
        let settings = self.settings.as_ref().map(|settings| settings.path.clone());
        let lists = [&self.wrong, &self.missing, &self.summary, &settings];
        check_places_beside(&read, &found, Vec::new(), &lists)?;
        let wrong = Differences::create(self.wrong.as_deref(), &found_form, &waiting)?;
        let missing = Differences::create(self.missing.as_deref(), &truth_form, &waiting)?;
        let summary_files = SummaryFiles::start(self.summary.as_ref(), self.settings.as_ref(), &waiting)?;

        let bytes = found.bytes() + truth.bytes();
        let mut intake = Intake::new(self.strict, monitor);
        let found = intake.read(&self.found, &found, found_form)?;
        let of_found = intake.names.count();
        intake.known = of_found;
        let truth = intake.read(&self.truth, &truth, truth_form)?;
        let Intake { names, skips, names_known, .. } = intake;
        if of_found > 0 && names.count() > of_found && !names_known {
            monitor.note(&self.nothing_in_common(names.name(0), names.name(of_found)));
        }
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

        let documents = ClusteredDocuments { named, all: documents, names: &names };
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
