//! `dedup`, straight: sketch, group, read again, verify, decide, write.

mod steps;

use crate::error::Error;
use crate::outputs::unpublished::{Unpublished, ended, start};
use crate::outputs::{self, OutputContext};
use crate::request::Dedup;
use crate::summary::Summary;
use lookalike_corpus::{Fields, Inputs};
use lookalike_engine::clock::Clock;
use lookalike_engine::clusters::evidence::Evidence;
use lookalike_engine::decisions::reasons::Reasons;
use lookalike_engine::decisions::uncovered_text::UncoveredText;
use lookalike_engine::documents::names::Names;
use lookalike_engine::documents::scanned::Scanned;
use lookalike_engine::documents::sketching::sketch;
use lookalike_engine::features::weights::weights;
use lookalike_engine::index::{Index, Update, check_new};
use lookalike_engine::progress::Monitor;
use lookalike_engine::recall::estimated::Estimated;
use lookalike_engine::request::Keep;
use lookalike_engine::search::Sketched;
use lookalike_engine::search::monitoring::Monitoring;
use lookalike_engine::search::prepared::{Candidates, Prepared};
use lookalike_engine::threads::in_pool;
use lookalike_engine::work::{RunContext, Work};
use steps::check_numbers;

impl Dedup {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; no output is then left.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<Summary>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<Summary>, Error> {
        if self.min_containment.is_some() && !self.job.request.plan.verifies() {
            return Err(Error::NoContainment);
        }
        if self.min_containment.is_some() && self.keep == Keep::None {
            return Err(Error::NothingKept);
        }
        self.against.check(&self.job.request.plan)?;
        self.against.check_index(self)?;
        let mut inputs = self.job.limit(self.against.resolve(&self.job.inputs, monitor)?);
        if self.output.is_some() {
            inputs.read_whole_rows();
        }
        if let Some(index) = self.against.growing_index() {
            check_new(index, &inputs)?;
        }
        let id = self.names_ids().then(|| self.job.id_field.clone());
        let fields = Fields {
            text: self.job.request.text_field.clone(),
            id,
            number: self.keep.field(),
            within: self.job.request.within.clone(),
        };
        let outputs = outputs::Dedup::create(self, &inputs, &fields)?;
        let report = start(self.report.as_ref(), &monitor.waiting())?;
        let work = Work::new(&self.run_context(&inputs), monitor)?;
        match self.run_with(&inputs, &fields, outputs, &work, monitor) {
            Ok(done) => Ok(done.with_report(report).with_work(work)),
            Err(error) => Err(ended(Some(work), error, monitor)),
        }
    }

    /// All that what is put on disk depends on.
    fn run_context<'a>(&'a self, inputs: &'a Inputs) -> RunContext<'a> {
        let index = self.against.index.as_deref();
        let more = vec![
            ("--keep", self.keep.ranks_by().to_owned()),
            ("clusters", self.clustering.name().to_owned()),
            ("ids", self.names_ids().to_string()),
            ("files of --against", inputs.against().to_string()),
            ("index of --against", index.map_or_else(|| "none".to_owned(), Index::describe)),
        ];
        let arguments = self.against.inputs.iter().chain(&self.job.inputs).map(String::as_str).collect();
        let output = self.output.as_deref().or(self.removed.as_deref()).or(index.map(Index::folder));
        self.job.run_context("dedup", arguments, inputs, output, more)
    }

    /// Are ids needed?
    fn names_ids(&self) -> bool {
        let lists = self.annotate || self.removed.is_some() || self.clusters.is_some();
        lists || self.against.index.is_some()
    }

    fn run_with(
        &self,
        inputs: &Inputs,
        fields: &Fields,
        outputs: outputs::Dedup<'_>,
        work: &Work,
        monitor: &Monitor,
    ) -> Result<Unpublished<Summary>, Error> {
        let mut clock = Clock::start();
        let job = &self.job;
        let summary_files = job.start_summary(monitor)?;
        let weights = weights(&job.request, inputs, &mut clock, monitor)?;
        let mut documents = sketch(&job.request, inputs, fields, &self.keep, &weights, work, monitor)?;
        let without_number = check_numbers(&self.keep, &documents)?;
        clock.lap("sketch");
        self.take_from_index(&mut documents, work, monitor, &mut clock)?;

        let kept = std::mem::take(&mut documents.kept);
        let originals = documents.sketches.originals(work.budget.parts(documents.len()));
        let scanned = Scanned { request: &job.request, inputs, documents: &documents, monitor };
        let sketched = Sketched { scanned, originals: &originals, weights: &weights, work };
        let contained = self.contained(sketched, &mut clock)?;
        let mut prepared = Prepared::new(sketched, kept, &mut clock)?;
        let Candidates { search, choice, features } = prepared.candidates()?;
        clock.lap("candidates");

        let evidence = Evidence::new(sketched, features, &contained);
        let decided = self.decide(&search, sketched, evidence)?;
        let monitoring = Monitoring::new(&search, decided.tally);
        clock.lap("verify");
        let all = outputs.need_reasons() || self.report.is_some();
        let reasons = Reasons::new(&decided.decisions, &decided.pairs, evidence, work, all)?;
        let uncovered_text = match outputs.lists_removed() {
            true => UncoveredText::read(sketched, evidence, &decided.decisions, &reasons)?,
            false => UncoveredText::default(),
        };
        clock.lap("explain");

        let estimated = Estimated::new(sketched, choice.method, features);
        let audit = self.audit(&decided, sketched, evidence, estimated, &mut clock)?;
        let names = Names { inputs, documents: &documents };
        let context = OutputContext {
            names: &names,
            decisions: &decided.decisions,
            reasons: &reasons,
            uncovered_text: &uncovered_text,
        };
        let findings = self.findings(fields, estimated, &context, &decided, monitor, &mut clock)?;
        let update = self.update(scanned, &decided, &mut clock)?;

        let mut summary = self.summary(sketched, choice, &contained, &decided);
        summary.loosely(&names, &decided.decisions, &reasons);
        summary.without_number = without_number;
        summary.indexed = update.as_ref().map(Update::documents);
        summary.recalls(self.recall(&decided, estimated));
        (summary.audit, summary.findings) = (audit, findings);
        // It may hold sets of them.
        drop(search);
        prepared.features.release();
        let outputs = outputs.write(fields, &context, monitor)?;
        clock.lap("write");
        summary.finish_search(clock, work, monitoring);
        Ok(Unpublished::of_summary(summary, outputs, summary_files)?.with_update(update))
    }
}
