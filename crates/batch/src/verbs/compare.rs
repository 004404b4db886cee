//! `compare`: every measure of two texts, and the passages that they share. The texts are given or looked up in a corpus.

use crate::error::Error;
use crate::outputs::places::check_places;
use crate::outputs::summary_files::SummaryFiles;
use crate::outputs::unpublished::{Unpublished, start};
use crate::request::Job;
use crate::verbs::look_up::texts_of;
use lookalike::compare::{Passages, Subsequence};
use lookalike::{Comparison, Sketcher, Weights};
use lookalike_corpus::{Completed, Inputs, WholeFile};
use lookalike_engine::PlanSummary;
use lookalike_engine::clock::Clock;
use lookalike_engine::features::{given_weights, weights};
use lookalike_engine::progress::Monitor;
use lookalike_engine::threads::in_pool;
use lookalike_report::{
    CompareSummary, ComparedTexts, EffortSummary, NamedText, NoFigures, ReadSummary, weighted_plan,
};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Compares two texts.
#[derive(Clone, Debug)]
pub struct Compare {
    /// What is similar, and where to look up ids.
    pub job: Job,
    /// The texts.
    pub pair: TwoTexts,
    /// The limit of steps that take more than linear time.
    pub time_limit: Duration,
    /// The file of the result. The caller writes it: see [`Unpublished::write_report`].
    pub output: Option<PathBuf>,
}

/// Two texts, or their ids.
#[derive(Clone, Debug)]
pub enum TwoTexts {
    /// The texts themselves. The job needs no inputs.
    Texts([NamedText; 2]),
    /// The ids of two documents of the job's inputs.
    Ids([String; 2]),
}

/// The texts of a comparison, and its outputs, which are started and empty.
struct StartedComparison {
    texts: [NamedText; 2],
    weights: Weights,
    /// The documents that were read to find the texts, if they were not given.
    read: Option<ReadSummary>,
    report: Option<WholeFile>,
    summary_files: SummaryFiles,
}

/// The fewest tokens in a row that make a passage, even with shorter shingles: one or two common words are none.
const LEAST_PASSAGE: usize = 3;

impl Compare {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`].
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<ComparedTexts>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<ComparedTexts>, Error> {
        let mut clock = Clock::start();
        let StartedComparison { texts, weights, read, report, summary_files } = match &self.pair {
            TwoTexts::Texts(texts) => self.start_with_texts(texts, monitor)?,
            TwoTexts::Ids(ids) => self.start_with_ids(ids, &mut clock, monitor)?,
        };
        let compared = self.compare(texts, &weights, monitor)?;
        clock.lap("compare");
        let summary = read.map(|read| CompareSummary {
            read,
            no_figures: NoFigures::OF_PAIRS,
            effort: EffortSummary::finish(clock),
            plan: weighted_plan(&self.job.request.plan, &weights),
        });
        let outputs = match &summary {
            Some(summary) => summary_files.write(summary)?,
            None => Completed::default(),
        };
        Ok(Unpublished::new(ComparedTexts { summary, ..compared }, outputs).with_report(report))
    }

    /// Starts the output for two given texts.
    fn start_with_texts(
        &self,
        texts: &[NamedText; 2],
        monitor: &Monitor,
    ) -> Result<StartedComparison, Error> {
        // There are no inputs: the output may only be in the way of the texts, and of other files that are read.
        check_places(&self.job, &Inputs::default(), Vec::new(), &[&self.output])?;
        Ok(StartedComparison {
            texts: texts.clone(),
            weights: given_weights(&self.job.request)?,
            read: None,
            report: start(self.output.as_ref(), &monitor.waiting())?,
            summary_files: SummaryFiles::default(),
        })
    }

    /// Starts the outputs, and reads the texts of two documents of the inputs.
    fn start_with_ids(
        &self,
        ids: &[String; 2],
        clock: &mut Clock,
        monitor: &Monitor,
    ) -> Result<StartedComparison, Error> {
        let job = &self.job;
        let inputs = job.resolve(monitor)?;
        check_places(job, &inputs, Vec::new(), &[&self.output, &job.summary])?;
        let report = start(self.output.as_ref(), &monitor.waiting())?;
        let summary_files = job.start_summary(monitor)?;
        let ([left, right], read) = texts_of(job, &inputs, ids, monitor)?;
        let [left_id, right_id] = ids.clone();
        let texts = [NamedText { name: left_id, text: left }, NamedText { name: right_id, text: right }];
        clock.lap("look up");
        let weights = weights(&job.request, &inputs, clock, monitor)?;
        Ok(StartedComparison { texts, weights, read: Some(read), report, summary_files })
    }

    /// Compares the texts by every measure.
    fn compare(
        &self,
        texts: [NamedText; 2],
        weights: &Weights,
        monitor: &Monitor,
    ) -> Result<ComparedTexts, Error> {
        let request = &self.job.request;
        let [left, right] = texts.each_ref().map(|text| text.text.as_str());
        let compare = if request.auto.is_some() { Comparison::of_open_method } else { Comparison::new };
        let comparison = compare(&request.plan, weights, request.level, left, right);
        monitor.interrupt.check()?;
        let mut sketcher = Sketcher::with_level(&request.plan, request.level);
        let (left, right) = (sketcher.locate(left), sketcher.locate(right));
        let passages = Passages::of(&left, &right, request.plan.shingle().max(LEAST_PASSAGE));
        let started = Instant::now();
        let go_on = || started.elapsed() < self.time_limit && !monitor.interrupt.is_set();
        let subsequence = Subsequence::of(left.hashes(), right.hashes(), go_on);
        monitor.interrupt.check()?;
        let tokens = [left.hashes().len(), right.hashes().len()];
        let plan = weighted_plan(&request.plan, weights);
        // The method of a run depends on the whole corpus.
        let method = if request.auto.is_some() { "auto" } else { plan.method };
        let plan = PlanSummary { method, ..plan };
        Ok(ComparedTexts { tokens, comparison, subsequence, passages, plan, summary: None, texts })
    }
}
