//! `dedup`, straight: sketch, group, read again, verify, decide, write.

use super::gather::gather;
use crate::against::AgainstSummary;
use crate::audit::{FoundPairs, audit};
use crate::choice::Choice;
use crate::clock::Clock;
use crate::compare;
use crate::contained::Contained;
use crate::decide::{Decisions, Grounds};
use crate::documents::Documents;
use crate::error::Error;
use crate::estimated::Estimated;
use crate::features::Reading;
use crate::findings::Findings;
use crate::index::{Added, Gathered, Index, Update};
use crate::lost::Lost;
use crate::monitoring::Monitoring;
use crate::names::Names;
use crate::outputs::{self, Told};
use crate::progress::Monitor;
use crate::reasons::Reasons;
use crate::request::{ClusterShape, Dedup, Keep};
use crate::sampled::Scanned;
use crate::search::{Search, Sketched};
use crate::sketching::sketch;
use crate::star;
use crate::summary::Summary;
use crate::threads::in_pool;
use crate::unpublished::{Unpublished, start};
use crate::weights::{count_frequencies, weights};
use crate::work::{Asked, Work};
use lookalike::Recall;
use lookalike_corpus::{Fields, Inputs};
use std::sync::Arc;

impl Dedup {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; no output is then left.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<Summary>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<Summary>, Error> {
        if self.min_containment.is_some() && !self.job.plan.verifies() {
            return Err(Error::NoContainment);
        }
        self.against.check(&self.job.plan)?;
        self.against.check_index(self)?;
        let mut inputs = self.job.limit(self.against.resolve(&self.job.inputs)?);
        if self.output.is_some() {
            inputs.read_whole_rows();
        }
        if let Some(index) = self.against.growing_index() {
            index.check_new(&inputs)?;
        }
        let id = self.names_ids().then(|| self.job.id_field.clone());
        let fields = Fields { text: self.job.text_field.clone(), id, number: self.keep.field() };
        let outputs = outputs::Dedup::create(self, &inputs, &fields)?;
        let report = start(self.report.as_ref())?;
        let work = Work::new(&self.asked(&inputs), monitor)?;
        match self.run_with(&inputs, &fields, outputs, &work, monitor) {
            Ok(done) => Ok(done.with_report(report).with_work(work)),
            failed => work.end(failed, monitor),
        }
    }

    /// All that what is put on disk depends on.
    fn asked<'a>(&'a self, inputs: &'a Inputs) -> Asked<'a> {
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
        Asked { verb: "dedup", job: &self.job, arguments, inputs, output, more }
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
        let summary_file = start(job.summary.as_ref())?;
        let counted = count_frequencies(job, inputs, &mut clock, monitor)?;
        let weights = weights(job, counted.as_ref())?;
        let mut documents = sketch(job, inputs, fields, &self.keep, weights, work, monitor)?;
        let without_number = check_numbers(&self.keep, &documents)?;
        clock.lap("sketch");
        if let Some((index, new)) = self.against.index.as_ref().zip(documents.view()) {
            let gathered = Gathered::from(index, new, work.budget, monitor)?;
            documents.put_behind(gathered, work)?;
            clock.lap("index");
        }

        let kept = std::mem::take(&mut documents.kept);
        let originals = documents.sketches.originals(work.budget.parts(documents.len()));
        let contained = match self.against.containment {
            Some(containment) => {
                let scanned = Scanned { job, inputs, documents: &documents, monitor };
                Contained::find(containment, scanned, &originals, weights, work)?
            }
            None => Contained::default(),
        };
        if self.against.containment.is_some() {
            clock.lap("contained");
        }
        let mut choice = Choice::new(job, &documents);
        let grounds = Sketched { job, documents: &documents, originals: &originals, work };
        let search = Search::before_features(grounds, &choice, monitor)?;
        let reading = Reading { job, inputs, documents: &documents, monitor };
        let features = gather(reading, kept, (search.as_ref(), &originals), weights, work, &mut clock)?;
        let sets = if search.is_none() { features.sets() } else { Vec::new() };
        let mut search =
            search.map_or_else(|| Search::by_features(grounds, &mut choice, &sets, monitor), Ok)?;
        search.join_families(job, &features);
        clock.lap("candidates");

        let grounds = Grounds {
            job,
            documents: &documents,
            originals: &originals,
            features: &features,
            contained: &contained,
        };
        let found = match self.clustering {
            ClusterShape::Union => compare::cluster(&search, grounds, work, monitor)?,
            ClusterShape::Star => star::cluster(self, &search, grounds, work, monitor)?,
        };
        let monitoring = Monitoring::new(&search, found.tally);
        let mut decisions = Decisions::new(found.sets, grounds, &self.keep);
        let spared = match (self.min_containment, self.clustering) {
            (Some(least), ClusterShape::Union) => decisions.spare(&self.keep, least, grounds, monitor)?,
            _ => found.spared,
        };
        clock.lap("verify");

        let all = outputs.need_reasons() || self.report.is_some();
        let reasons = Reasons::new(&decisions, &found.pairs, grounds, work, all)?;
        let lost = match outputs.lists_removed() {
            true => Lost::read(inputs, &decisions, &reasons, grounds, work, monitor)?,
            false => Lost::default(),
        };
        clock.lap("explain");
        let names = Names { inputs, documents: &documents };
        let root = |document: u32| found.roots[document as usize];
        let estimated = Estimated { job, method: choice.method, originals: &originals, features: &features };
        let recall = estimated.recall(&found.pairs, root);
        let is_found = |a, b| match self.clustering {
            ClusterShape::Union => root(a) == root(b),
            ClusterShape::Star => {
                grounds.are_copies(a, b) || compare::likeness_of(&found.pairs, grounds, a, b).is_some()
            }
        };
        let partners = match self.clustering {
            _ if job.audit == 0 => Vec::new(),
            ClusterShape::Union => partners_in_clusters(&originals, root),
            ClusterShape::Star => estimated.partners(&found.pairs),
        };
        let found_pairs = FoundPairs { is_found, partners };
        let audit = audit(job, inputs, &documents, &originals, weights, monitor, found_pairs)?;
        if audit.is_some() {
            clock.lap("audit");
        }
        let told = Told { names: &names, decisions: &decisions, reasons: &reasons, lost: &lost };
        let findings = match self.report {
            Some(_) => Some(Findings::new(estimated, &told, &found.pairs, monitor)?),
            None => None,
        };
        if findings.is_some() {
            clock.lap("examples");
        }
        let added = Added { job, inputs, documents: &documents, roots: &found.roots };
        let update = self
            .against
            .growing_index()
            .map(|index| Update::write(Arc::clone(index), added, monitor))
            .transpose()?;
        if update.is_some() {
            clock.lap("add");
        }
        // It may hold sets of them.
        drop(search);
        features.release();
        let outputs = outputs.write(fields, &told, monitor)?;
        clock.lap("write");

        let mut summary = Summary::new(job, inputs);
        summary.indexed = update.as_ref().map(Update::documents);
        summary.chosen(job, choice);
        summary.tell_of(inputs, &documents);
        summary.against = AgainstSummary::new(&self.against, &documents, &decisions, &contained);
        summary.weighed_by(weights);
        summary.finish(clock);
        summary.spilled(work);
        summary.candidates = found.tally.candidates;
        summary.monitoring = monitoring.timed(summary.seconds.get("verify").copied());
        summary.pairs = found.pairs.len() as u64;
        summary.audit = audit;
        summary.recalls(match self.clustering {
            // Pairs that are in one cluster by way of others were found, too, and are not counted.
            ClusterShape::Union => recall.map(|recall| Recall { high: 1.0, ..recall }),
            ClusterShape::Star => recall,
        });
        summary.clustering = Some(self.clustering.name());
        summary.min_containment = self.min_containment;
        summary.kept_for_content = self.min_containment.map(|_| spared);
        summary.loosely(&names, &decisions, &reasons);
        summary.findings = findings;
        summary.clusters = decisions.len() as u64;
        summary.largest_cluster =
            decisions.clusters().map(|cluster| cluster.members.len() as u64).max().unwrap_or(0);
        summary.removed = decisions.removed();
        summary.kept = summary.documents - summary.removed;
        summary.without_number = without_number;
        Ok(Unpublished::of_summary(summary, outputs, summary_file)?.with_update(update))
    }
}

/// How many others are in the cluster of each document.
fn partners_in_clusters(originals: &[u32], root: impl Fn(u32) -> u32) -> Vec<f64> {
    let root = |&original: &u32| root(original) as usize;
    let mut sizes = vec![0.0; originals.len()];
    originals.iter().for_each(|original| sizes[root(original)] += 1.0);
    originals.iter().map(|original| sizes[root(original)] - 1.0).collect()
}

/// How many documents have no number in the field to choose by, if there is one. Refuses to choose if none has.
fn check_numbers(keep: &Keep, documents: &Documents) -> Result<Option<u64>, Error> {
    let (Keep::Max(field) | Keep::Min(field)) = keep else { return Ok(None) };
    let new = &documents.ranks[documents.first_new as usize..];
    let without = new.iter().filter(|rank| rank.is_nan()).count();
    match without == new.len() && without > 0 {
        true => Err(Error::NoNumber { field: field.clone() }),
        false => Ok(Some(without as u64)),
    }
}
