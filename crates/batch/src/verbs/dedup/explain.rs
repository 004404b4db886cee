//! Why documents were removed, and the findings of a report, for decisions that were made before.
//!
//! The texts are read again, and each removed document is compared with the kept one. Nothing is searched, and nothing is decided.

use crate::error::Error;
use crate::outputs::places::check_places;
use crate::outputs::unpublished::{Unpublished, ended, start};
use crate::request::Dedup;
use lookalike_corpus::{Completed, Inputs};
use lookalike_engine::clock::Clock;
use lookalike_engine::clusters::Evidence;
use lookalike_engine::decisions::Reasons;
use lookalike_engine::decisions::UncoveredText;
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::documents::Scanned;
use lookalike_engine::features::weights;
use lookalike_engine::progress::Monitor;
use lookalike_engine::search::Sketched;
use lookalike_engine::threads::in_pool;
use lookalike_engine::work::Work;
use lookalike_report::{Findings, OutputContext, ReturnedDecisions};

/// Decisions that were made before, with their reasons.
pub struct ExplainedDecisions {
    /// The decisions, with reasons, the words that are lost, and the ids that the job asks for.
    pub decisions: ReturnedDecisions,
    /// The findings of the report page, if the job asks for one.
    pub findings: Option<Findings>,
}

impl Dedup {
    /// Explains the decisions that this job has returned. It writes no output but the report, which the caller writes.
    ///
    /// # Errors
    /// [`Error::OtherDocuments`] if the documents have changed since, and errors of reading.
    pub fn explain_decided(
        &self,
        decided: &ReturnedDecisions,
        monitor: &Monitor,
    ) -> Result<Unpublished<ExplainedDecisions>, Error> {
        in_pool(self.job.threads, || {
            let inputs = self.job.limit(self.against.resolve(&self.job, monitor)?);
            check_places(&self.job, &inputs, Vec::new(), &[&self.report])?;
            let report = start(self.report.as_ref(), &monitor.waiting())?;
            let without = self.job.leaving_out_frequent(&inputs, &mut Clock::start(), monitor)?;
            let without = without.map(|(job, _)| Dedup { job, ..self.clone() });
            let run = without.as_ref().unwrap_or(self);
            let work = Work::new(&run.run_context(&inputs)?, monitor)?;
            match run.explain_with(&inputs, decided, &work, monitor) {
                Ok(explained) => {
                    let done = Unpublished::new(explained, Completed::default());
                    Ok(done.with_report(report).with_work(work))
                }
                Err(error) => Err(ended(Some(work), error, monitor)),
            }
        })
    }

    fn explain_with(
        &self,
        inputs: &Inputs,
        decided: &ReturnedDecisions,
        work: &Work,
        monitor: &Monitor,
    ) -> Result<ExplainedDecisions, Error> {
        let (mut clock, job, decisions) = (Clock::start(), &self.job, &decided.decisions);
        let weights = weights(&job.request, inputs, &mut clock, monitor)?;
        let mut documents = self.sketch(inputs, &self.fields(), &weights, work, monitor, &mut clock)?;
        let digest = documents.sketches.digest(documents.len() as u32);
        if (digest, documents.first_new) != (decided.digest, decided.first_new) {
            return Err(Error::OtherDocuments);
        }
        let kept = std::mem::take(&mut documents.kept);
        let originals = documents.sketches.originals(work.budget.parts(documents.len()));
        let scanned = Scanned { request: &job.request, inputs, documents: &documents, monitor };
        let sketched = Sketched { scanned, originals: &originals, weights: &weights, work };
        let contained = self.contained(sketched, &mut clock)?;
        let mut wanted = vec![false; documents.len()];
        for (member, kept) in decisions.clusters().flat_map(|cluster| cluster.decisions()) {
            wanted[originals[member as usize] as usize] = true;
            wanted[originals[kept as usize] as usize] = true;
        }
        // Links may lead to documents that stayed for their content, and are in no cluster.
        if self.report.is_some() {
            for document in decided.links.iter().flat_map(|link| [link.a, link.b]) {
                wanted[originals[document as usize] as usize] = true;
            }
        }
        let features = sketched.features(kept, |document| wanted[document as usize])?;
        let evidence = Evidence::new(sketched, &features, &contained);
        let reasons = Reasons::new(decisions, &[], evidence, work, true)?;
        let uncovered_text = UncoveredText::read(sketched, evidence, decisions, &reasons)?;
        let names = DocumentNames { inputs, documents: &documents };
        let context =
            OutputContext { names: &names, decisions, reasons: &reasons, uncovered_text: &uncovered_text };
        let findings = self.findings(evidence, decided.method, &context, &decided.links, monitor)?;
        features.release();
        let ids = ReturnedDecisions::ids(&context, self.returned.unwrap_or_default());
        let (reasons, uncovered_text) = (reasons.into(), uncovered_text.into());
        let decisions = ReturnedDecisions { reasons, uncovered_text, ids, ..decided.clone() };
        Ok(ExplainedDecisions { decisions, findings })
    }
}
