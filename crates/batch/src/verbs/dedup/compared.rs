//! The steps of `dedup` that need features: verify, decide, explain, estimate the recall.

use super::steps::DecidedPairs;
use crate::error::Error;
use crate::request::Dedup;
use lookalike::Measure;
use lookalike::search::{SearchParts, Tally};
use lookalike_engine::clock::Clock;
use lookalike_engine::clusters::Evidence;
use lookalike_engine::decisions::Reasons;
use lookalike_engine::decisions::UncoveredText;
use lookalike_engine::decisions::{Decisions, PartDecisions};
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::documents::Scanned;
use lookalike_engine::features::Features;
use lookalike_engine::request::ClusterShape;
use lookalike_engine::search::Choice;
use lookalike_engine::search::Contained;
use lookalike_engine::search::Monitoring;
use lookalike_engine::search::PartedSearch;
use lookalike_engine::search::Sketched;
use lookalike_engine::search::{Candidates, LoadedSearch, MarkedSearch};
use lookalike_report::Findings;
use lookalike_report::RecallSummary;

/// Everything that is known once no features are needed any more.
pub(super) struct VerifiedDocuments {
    pub(super) choice: Choice,
    pub(super) decided: DecidedPairs,
    pub(super) monitoring: Monitoring,
    pub(super) reasons: Reasons,
    pub(super) uncovered_text: UncoveredText,
    pub(super) recall: RecallSummary,
    pub(super) findings: Option<Findings>,
}

impl Dedup {
    /// Compares the candidates and decides, with all features in memory or with those of one part after the other. The result is the same.
    pub(super) fn compare(
        &self,
        marked: MarkedSearch<'_>,
        sketched: Sketched<'_>,
        contained: &Contained,
        clock: &mut Clock,
    ) -> Result<VerifiedDocuments, Error> {
        let parts = if self.may_be_in_parts() { marked.parts() } else { None };
        match parts {
            Some(parts) => self.compare_parts(marked, &parts, sketched, contained, clock),
            None => self.compare_all(marked, sketched, contained, clock),
        }
    }

    /// Are the features of a document needed only with those of documents that it may be similar to?
    fn may_be_in_parts(&self) -> bool {
        let plan = &self.job.request.plan;
        // The chance to find a pair then depends on its similarity alone.
        let by_similarity = !plan.compares_weights() && plan.measure() != Measure::Cosine;
        by_similarity
            && self.clustering == ClusterShape::Union
            && self.min_containment.is_none()
            && self.against.containment.is_none()
            && !self.needs_reasons()
    }

    fn compare_all(
        &self,
        marked: MarkedSearch<'_>,
        sketched: Sketched<'_>,
        contained: &Contained,
        clock: &mut Clock,
    ) -> Result<VerifiedDocuments, Error> {
        let LoadedSearch { search, features: loaded } = marked.load(clock)?;
        let Candidates { search, choice, features } = search.candidates(&loaded)?;
        clock.lap("candidates");
        let evidence = Evidence::new(sketched, features, contained);
        let decided = self.decide(&search, None, sketched, evidence)?;
        let monitoring = Monitoring::new(&search, decided.tally);
        clock.lap("verify");
        let (reasons, uncovered_text) = self.explain(&decided, sketched, evidence)?;
        clock.lap("explain");
        let recall = self.recall(&decided, sketched, evidence, choice.method, &search, clock)?;
        let Scanned { inputs, documents, monitor, .. } = sketched.scanned;
        let names = DocumentNames { inputs, documents };
        let context = decided.context(&names, &reasons, &uncovered_text);
        let findings = self.findings(evidence, choice.method, &context, &decided.pairs, monitor)?;
        if findings.is_some() {
            clock.lap("examples");
        }
        // It may hold sets of features.
        drop(search);
        loaded.release();
        Ok(VerifiedDocuments { choice, decided, monitoring, reasons, uncovered_text, recall, findings })
    }

    fn compare_parts(
        &self,
        marked: MarkedSearch<'_>,
        parts: &SearchParts,
        sketched: Sketched<'_>,
        contained: &Contained,
        clock: &mut Clock,
    ) -> Result<VerifiedDocuments, Error> {
        let documents = sketched.originals.len();
        let PartedSearch { search, choice, first } = marked.start(parts, clock)?;
        let mut features = first;
        let mut found = PartsFound::new(documents);
        for part in parts.iter() {
            if !part.is_first() {
                features = sketched.load(part, features, clock)?;
            }
            let evidence = Evidence::new(sketched, &features, contained);
            let decided = self.decide(&search, Some(part), sketched, evidence)?;
            clock.lap("verify");
            let (reasons, _) = self.explain(&decided, sketched, evidence)?;
            found.add(decided, reasons);
            clock.lap("explain");
        }
        features.release();
        let (decided, reasons) = found.merged();
        let monitoring = Monitoring::new(&search, decided.tally);
        let none = Features::none(documents);
        let evidence = Evidence::new(sketched, &none, contained);
        let recall = self.recall(&decided, sketched, evidence, choice.method, &search, clock)?;
        let uncovered_text = UncoveredText::default();
        Ok(VerifiedDocuments { choice, decided, monitoring, reasons, uncovered_text, recall, findings: None })
    }
}

/// What was found in the parts so far.
struct PartsFound {
    /// Everything but the decisions.
    decided: DecidedPairs,
    decisions: Vec<PartDecisions>,
    reasons: Vec<Reasons>,
}

impl PartsFound {
    /// Nothing is found of so many documents.
    fn new(documents: usize) -> Self {
        let decisions = Decisions::merged(&[], documents);
        let roots = (0..documents as u32).collect();
        let decided =
            DecidedPairs { pairs: Vec::new(), roots, tally: Tally::default(), decisions, spared: 0 };
        PartsFound { decided, decisions: Vec::new(), reasons: Vec::new() }
    }

    fn add(&mut self, part: DecidedPairs, reasons: Reasons) {
        self.decided.pairs.extend(part.pairs);
        self.decided.tally += part.tally;
        // A document of another part is its own root there.
        for (root, of_part) in self.decided.roots.iter_mut().zip(part.roots) {
            *root = of_part.min(*root);
        }
        self.decisions.push(part.decisions.into());
        self.reasons.push(reasons);
    }

    fn merged(self) -> (DecidedPairs, Reasons) {
        let PartsFound { mut decided, decisions, reasons } = self;
        decided.pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
        decided.decisions = Decisions::merged(&decisions, decided.roots.len());
        let reasons = Reasons::merged(reasons, &decisions, &decided.decisions);
        (decided, reasons)
    }
}
