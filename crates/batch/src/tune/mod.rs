//! `tune` recommends settings for a corpus. A sample of its documents is compared exactly with all others.
//!
//! The recommendation depends only on the documents, the options and the seed. Speeds are measured and reported, and decide
//! nothing.
//!
//! # How the recall of a setting is known
//!
//! An inverted index of a sample's features compares the sample with *all* other documents. (A sampled corpus would not
//! do: it keeps one pair in a hundred where it keeps one document in ten.) The result is a `Distribution` of
//! similarities. Weighted with it, the chance of bands to find a pair gives the recall at and above the threshold, and
//! the number of candidates. If the sample is the whole corpus, the result is exact, and tests compare it with brute
//! force. Copies are set aside first, as in every search. The advice depends on the documents only. Speeds are measured
//! and shown, and decide nothing.

mod distribution;
mod experiment;
mod forecast;
mod settings;
mod survey;
mod tolerance;
mod work;

pub use experiment::{BandingResult, Experiment};
pub use forecast::Forecast;
pub use settings::{SettingForecasts, ShingleSummary};
pub use survey::CorpusSummary;
pub use tolerance::{Tolerable, Tolerance};

use crate::error::Error;
use crate::outputs::places::check_places;
use crate::outputs::unpublished::Unpublished;
use crate::request::Job;
use lookalike::{Measure, Options, Plan};
use lookalike_engine::PlanSummary;
use lookalike_engine::clock::Clock;
use lookalike_engine::documents::sketch;
use lookalike_engine::features::given_weights;
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::{Keep, Request};
use lookalike_engine::threads::in_pool;
use lookalike_engine::work::Work;
use lookalike_report::{EffortSummary, NoFigures, ReadSummary, ScanSummary, TuneSummary};
use serde::Serialize;
use std::num::NonZeroUsize;
use survey::Survey;

/// Recommends settings for a corpus.
#[derive(Clone, Debug)]
pub struct Tune {
    /// The inputs, and what is similar. The plan follows from the options.
    pub job: Job,
    /// The options that were given. The others are tuned.
    pub options: Options,
    /// How many documents to compare with all others.
    pub sample: NonZeroUsize,
    /// The question to answer.
    pub question: Question,
    /// Names a setting in the words of the caller, such as options of a command line. See [`Forecast::options`].
    pub name_setting: fn(&Plan) -> String,
}

/// The question to answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question {
    /// Which method and which bands?
    Settings,
    /// Which shingle and threshold make duplicates of documents if this share of their tokens was changed?
    Tolerance(f64),
    /// Which pairs does each banding of one signature find?
    Experiment,
}

/// The result of `tune`.
#[derive(Clone, Debug, Serialize)]
pub struct Tuning {
    /// The corpus.
    pub corpus: CorpusSummary,
    /// Documents that were compared with all others. If these are all different documents, all figures are exact.
    pub sample: u64,
    /// The measure of similarity.
    pub measure: &'static str,
    /// The threshold of similarity, given or recommended.
    pub threshold: f64,
    /// How texts are cut.
    pub tokens: &'static str,
    /// Tokens per shingle, given or recommended.
    pub shingle: usize,
    /// The answer.
    #[serde(flatten)]
    pub answer: TuneAnswer,
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TuneAnswer {
    /// To [`Question::Settings`].
    Settings(SettingForecasts),
    /// To [`Question::Tolerance`].
    Tolerance(Tolerance),
    /// To [`Question::Experiment`].
    Experiment(Experiment),
}

impl Tune {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; [`Error::NotTuned`] if the search does not use the measure.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<(Tuning, TuneSummary)>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<(Tuning, TuneSummary)>, Error> {
        let mut clock = Clock::start();
        let plan = &self.job.request.plan;
        let words = plan.measure() == Measure::WordJaccard && plan.shingle() > 1;
        // The first scan is only for content hashes.
        let exactly = plan.exactly().filter(|_| !words).ok_or(Error::NotTuned)?;
        let request = Request { plan: exactly, auto: None, features_bytes: 0, ..self.job.request.clone() };
        let job = Job { request, ..self.job.clone() };
        let inputs = job.resolve(monitor)?;
        check_places(&job, &inputs, Vec::new(), &[&job.summary])?;
        let summary_files = job.start_summary(monitor)?;
        let fields = job.request.fields_of_text();
        let weights = given_weights(&job.request)?;
        let documents =
            sketch(&job.request, &inputs, &fields, &Keep::First, &weights, &Work::in_memory(), monitor)?;
        let scan = clock.lap("read");
        if documents.is_empty() {
            return Err(Error::NoDocuments { inputs: job.inputs.join(", ") });
        }
        let mut survey = Survey::new(&job.request, &inputs, &documents, self.sample.get(), monitor)?;
        clock.lap("sample");
        let answer = match self.question {
            Question::Settings => TuneAnswer::Settings(SettingForecasts::new(self, scan, &mut survey)?),
            Question::Tolerance(changed) => {
                TuneAnswer::Tolerance(Tolerance::new(&self.options, changed, &mut survey)?)
            }
            Question::Experiment => TuneAnswer::Experiment(Experiment::run(plan, &survey)?),
        };
        clock.lap("compare");
        let (threshold, shingle) = match &answer {
            TuneAnswer::Tolerance(Tolerance { shingles, recommended, .. }) => {
                (shingles[*recommended].threshold, shingles[*recommended].shingle)
            }
            TuneAnswer::Settings(_) | TuneAnswer::Experiment(_) => (plan.threshold(), plan.shingle()),
        };
        let tuning = Tuning {
            sample: survey.sample.len() as u64,
            corpus: survey.corpus,
            measure: plan.measure().name(),
            threshold,
            tokens: plan.tokens().name(),
            shingle,
            answer,
        };
        let summary = TuneSummary {
            read: ReadSummary::of_sketched(&inputs, &documents),
            scan: ScanSummary::new(&documents),
            no_figures: NoFigures::OF_PAIRS,
            effort: EffortSummary::finish(clock),
            plan: PlanSummary::new(plan),
        };
        let outputs = summary_files.write(&summary)?;
        Ok(Unpublished::new((tuning, summary), outputs))
    }
}
