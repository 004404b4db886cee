//! `dedup`, step by step: sketch, group, read again, verify, decide, write.

mod compared;
mod recall;
mod steps;

use self::compared::{ComparisonInputs, VerifiedDocuments};
use crate::error::Error;
use crate::files::RunCommand;
use crate::outputs;
use crate::outputs::unpublished::{Unpublished, ended, start};
use crate::request::Dedup;
use crate::returned::ReturnedDecisions;
use crate::summary::{
    AgainstSummary, DedupSummary, EffortSummary, IdsSummary, ReadSummary, ScanSummary, searched_plan,
};
use lookalike_corpus::{Fields, Inputs};
use lookalike_engine::clock::Clock;
use lookalike_engine::documents::names::DocumentNames;
use lookalike_engine::documents::scanned::Scanned;
use lookalike_engine::features::weights::weights;
use lookalike_engine::index::{Index, Update, check_new};
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::Keep;
use lookalike_engine::search::Sketched;
use lookalike_engine::search::prepared::MarkedSearch;
use lookalike_engine::threads::in_pool;
use lookalike_engine::work::{RunContext, Work};

impl Dedup {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; the job then leaves no output.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<DedupSummary>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<DedupSummary>, Error> {
        if self.min_containment.is_some() && !self.job.request.plan.verifies() {
            return Err(Error::NoContainment);
        }
        if self.min_containment.is_some() && self.keep == Keep::None {
            return Err(Error::NothingKept);
        }
        self.against.check(&self.job.request.plan)?;
        self.against.check_index(self)?;
        let mut inputs = self.job.limit(self.against.resolve(&self.job, monitor)?);
        if self.output.is_some() {
            inputs.read_whole_rows();
        }
        if let Some(index) = self.against.growing_index() {
            check_new(index, &inputs)?;
        }
        self.job.check_named_fields(&inputs, monitor);
        let id = self.names_ids().then(|| self.job.id_field.clone());
        let fields = Fields { id, number: self.keep.field(), ..self.job.fields() };
        let outputs = outputs::DedupOutputs::create(self, &inputs, &fields)?;
        let report = start(self.report.as_ref(), &monitor.waiting())?;
        let work = Work::new(&self.run_context(&inputs)?, monitor)?;
        match self.run_with(&inputs, &fields, outputs, &work, monitor) {
            Ok(done) => Ok(done.with_report(report).with_work(work)),
            Err(error) => Err(ended(Some(work), error, monitor)),
        }
    }

    /// Everything that the data on disk depends on.
    fn run_context<'a>(&'a self, inputs: &'a Inputs) -> Result<RunContext<'a>, Error> {
        let index = self.against.index.as_deref();
        let settings = vec![
            ("--keep", self.keep.ranks_by().to_owned()),
            ("clusters", self.clustering.name().to_owned()),
            ("ids", self.names_ids().to_string()),
            ("files of --against", inputs.against().to_string()),
            ("index of --against", index.map_or_else(|| "none".to_owned(), Index::describe)),
        ];
        let arguments = self.against.inputs.iter().chain(&self.job.inputs).map(String::as_str).collect();
        let output = self.output.as_deref().or(self.removed.as_deref()).or(index.map(Index::folder));
        self.job.run_context(&RunCommand { verb: "dedup", arguments, output }, inputs, settings)
    }

    /// Are ids needed?
    fn names_ids(&self) -> bool {
        let lists = self.annotate || self.removed.is_some() || self.clusters.is_some();
        let returned = self.returned.is_some_and(|details| details.ids);
        lists || returned || self.against.index.is_some()
    }

    fn run_with(
        &self,
        inputs: &Inputs,
        fields: &Fields,
        outputs: outputs::DedupOutputs<'_>,
        work: &Work,
        monitor: &Monitor,
    ) -> Result<Unpublished<DedupSummary>, Error> {
        let mut clock = Clock::start();
        let job = &self.job;
        let summary_files = job.start_summary(monitor)?;
        let weights = weights(&job.request, inputs, &mut clock, monitor)?;
        let mut documents = self.sketch(inputs, fields, &weights, work, monitor, &mut clock)?;
        let without_number = self.without_number(&documents);
        let kept = std::mem::take(&mut documents.kept);
        let originals = documents.sketches.originals(work.budget.parts(documents.len()));
        let scanned = Scanned { request: &job.request, inputs, documents: &documents, monitor };
        let sketched = Sketched { scanned, originals: &originals, weights: &weights, work };
        let contained = self.contained(sketched, &mut clock)?;
        let marked = MarkedSearch::new(sketched, kept, &mut clock)?;
        let comparison = ComparisonInputs { sketched, contained: &contained, fields, outputs: &outputs };
        let compared = self.compare(marked, comparison, &mut clock)?;
        let VerifiedDocuments { choice, decided, monitoring, reasons, uncovered_text, recall, findings } =
            compared;
        let update = self.update(scanned, &decided, &mut clock)?;
        let names = DocumentNames { inputs, documents: &documents };
        let context = decided.context(&names, &reasons, &uncovered_text);
        let outputs = outputs.write(fields, &context, monitor)?;
        clock.lap("write");
        let ids = ReturnedDecisions::ids(&context, self.returned.unwrap_or_default());

        let effort = EffortSummary::finish_search(clock, work);
        let mut summary = DedupSummary {
            read: ReadSummary::of_sketched(inputs, &documents),
            scan: ScanSummary::new(&documents),
            ids: IdsSummary::new(&names, &job.id_field),
            without_number,
            against: AgainstSummary::new(&self.against, &documents, &decided.decisions, &contained),
            indexed: update.as_ref().map(Update::documents),
            found: decided.found(monitoring.timed(effort.seconds.get("verify").copied())),
            removal: self.removal(&decided, &names, &reasons),
            recall,
            effort,
            spilled: work.folder().is_some(),
            within: job.request.within.clone(),
            plan: searched_plan(&job.request.plan, choice, &weights),
            findings,
            decisions: None,
        };
        if self.returned.is_some() {
            summary.decisions = Some(ReturnedDecisions {
                documents: documents.len() as u32,
                first_new: documents.first_new,
                skipped: documents.skipped_places.clone(),
                ids,
                decisions: decided.decisions.into(),
                reasons: reasons.into(),
                uncovered_text: uncovered_text.into(),
            });
        }
        Ok(Unpublished::of_summary(summary, outputs, summary_files)?.with_update(update))
    }
}
