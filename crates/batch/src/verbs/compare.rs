//! `compare`: two texts, given or looked up in a corpus; every measure of them, and what they share.

use crate::error::Error;
use crate::outputs::places::check_places;
use crate::outputs::summary_files::SummaryFiles;
use crate::outputs::unpublished::{Unpublished, start};
use crate::request::Job;
use crate::summary::Summary;
use crate::verbs::look_up::texts_of;
use lookalike::compare::{Passages, Subsequence};
use lookalike::{Comparison, Sketcher};
use lookalike_corpus::{Completed, Inputs};
use lookalike_engine::PlanSummary;
use lookalike_engine::clock::Clock;
use lookalike_engine::features::weights::{given_weights, weights};
use lookalike_engine::progress::Monitor;
use lookalike_engine::threads::in_pool;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Compares two texts.
#[derive(Clone, Debug)]
pub struct Compare {
    /// What is similar; and where to look up ids.
    pub job: Job,
    /// The texts.
    pub pair: Pair,
    /// How long to go on with what takes more than linear time.
    pub time_limit: Duration,
    /// Where the result goes. The caller writes it: see [`Unpublished::write_report`].
    pub output: Option<PathBuf>,
}

/// Two texts, or where they are.
#[derive(Clone, Debug)]
pub enum Pair {
    /// The texts themselves. The job needs no inputs.
    Texts([Text; 2]),
    /// The ids of two documents of the job's inputs.
    Ids([String; 2]),
}

/// A text and what it is called.
#[derive(Clone, Debug)]
pub struct Text {
    /// Its id or path.
    pub name: String,
    /// The text.
    pub text: String,
}

/// How two texts compare.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The texts.
    pub texts: [Text; 2],
    /// How many tokens each has, stop words too.
    pub tokens: [usize; 2],
    /// The measures.
    pub comparison: Comparison,
    /// What is in the same order in both, as far as the time allowed to find out.
    pub subsequence: Subsequence,
    /// What they share.
    pub passages: Passages,
    /// By what they were compared.
    pub plan: PlanSummary,
    /// What was read to look up ids.
    pub summary: Option<Summary>,
}

/// Tokens in a row that make a passage at least, however short the shingle: one or two words in common are none.
const LEAST_PASSAGE: usize = 3;

impl Compare {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`].
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<Compared>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<Compared>, Error> {
        let (job, mut clock) = (&self.job, Clock::start());
        let (report, summary_files);
        let (texts, weights, summary) = match &self.pair {
            Pair::Texts(texts) => {
                // Only files that were named besides, and the texts, can be in the way of the output.
                check_places(job, &Inputs::default(), Vec::new(), &[&self.output])?;
                (report, summary_files) =
                    (start(self.output.as_ref(), &monitor.waiting())?, SummaryFiles::default());
                (texts.clone(), given_weights(&job.request)?, None)
            }
            Pair::Ids(ids) => {
                let inputs = job.resolve(monitor)?;
                check_places(job, &inputs, Vec::new(), &[&self.output, &job.summary])?;
                (report, summary_files) =
                    (start(self.output.as_ref(), &monitor.waiting())?, job.start_summary(monitor)?);
                let mut summary = Summary::new(job, &inputs);
                let texts = texts_of(job, &inputs, ids, &mut summary, monitor)?;
                clock.lap("look up");
                let weights = weights(&job.request, &inputs, &mut clock, monitor)?;
                let ([left, right], [left_text, right_text]) = (ids.clone(), texts);
                let texts = [Text { name: left, text: left_text }, Text { name: right, text: right_text }];
                (texts, weights, Some(summary))
            }
        };
        let [left, right] = texts.each_ref().map(|text| text.text.as_str());
        let compare = if job.request.auto.is_some() { Comparison::of_open_method } else { Comparison::new };
        let comparison = compare(&job.request.plan, &weights, job.request.level, left, right);
        monitor.interrupt.check()?;
        let mut sketcher = Sketcher::with_level(&job.request.plan, job.request.level);
        let (left, right) = (sketcher.locate(left), sketcher.locate(right));
        let passages = Passages::of(&left, &right, job.request.plan.shingle().max(LEAST_PASSAGE));
        let started = Instant::now();
        let go_on = || started.elapsed() < self.time_limit && !monitor.interrupt.is_set();
        let subsequence = Subsequence::of(left.hashes(), right.hashes(), go_on);
        monitor.interrupt.check()?;
        clock.lap("compare");
        let tokens = [left.hashes().len(), right.hashes().len()];
        let mut plan = PlanSummary::new(&job.request.plan);
        if job.request.auto.is_some() {
            // Which method a run takes depends on what else is in the corpus.
            plan.method = "auto";
        }
        plan.table = weights.table().map(|id| format!("{id:016x}"));
        let summary = summary.map(|mut summary| {
            summary.weighed_by(&weights);
            summary.finish(clock);
            summary
        });
        let outputs = match &summary {
            Some(summary) => summary_files.write(summary)?,
            None => Completed::default(),
        };
        let compared = Compared { texts, tokens, comparison, subsequence, passages, plan, summary };
        Ok(Unpublished::new(compared, outputs).with_report(report))
    }
}
