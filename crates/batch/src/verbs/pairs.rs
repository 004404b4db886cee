//! `pairs`: the steps of `dedup`, a comparison of all candidates, and the pairs that copies make.

use crate::error::Error;
use crate::files::RunCommand;
use crate::outputs;
use crate::outputs::unpublished::{Unpublished, ended, start};
use crate::request::{ListOutput, Pairs};
use lookalike::cluster::UnionFind;
use lookalike::search::{Tally, with_copies};
use lookalike::{Match, Method};
use lookalike_corpus::{Fields, Inputs};
use lookalike_engine::clock::Clock;
use lookalike_engine::clusters::Evidence;
use lookalike_engine::clusters::compare;
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::documents::Scanned;
use lookalike_engine::documents::sketch;
use lookalike_engine::features::frequent::FrequentSummary;
use lookalike_engine::features::weights;
use lookalike_engine::progress::Monitor;
use lookalike_engine::recall::{AuditedPairs, RecallAudit, audit};
use lookalike_engine::request::Keep;
use lookalike_engine::search::Contained;
use lookalike_engine::search::Monitoring;
use lookalike_engine::search::Sketched;
use lookalike_engine::search::{Candidates, LoadedSearch, MarkedSearch};
use lookalike_engine::threads::in_pool;
use lookalike_engine::work::{Work, too_many_pairs};
use lookalike_report::ReturnedPairs;
use lookalike_report::{
    EffortSummary, FoundSummary, IdsSummary, NoFigures, PairsSummary, ReadSummary, RecallSummary,
    ScanSummary, searched_plan,
};
use lookalike_report::{ListedPairs, PairFindings};

impl Pairs {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; the job then leaves no output.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<PairsSummary>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<PairsSummary>, Error> {
        let job = &self.job;
        let inputs = job.resolve(monitor)?;
        job.check_named_fields(&inputs, monitor);
        let output = outputs::PairsOutput::create(self, &inputs)?;
        let report = start(self.report.as_ref(), &monitor.waiting())?;
        let output_file = self.output.file();
        let arguments = job.inputs.iter().map(String::as_str).collect();
        let command = RunCommand { verb: "pairs", arguments, output: output_file.as_deref() };
        let mut clock = Clock::start();
        let without = job.leaving_out_frequent(&inputs, &mut clock, monitor)?;
        let (without, frequent) =
            without.map(|(job, frequent)| (Pairs { job, ..self.clone() }, frequent)).unzip();
        let run = without.as_ref().unwrap_or(self);
        let work = Work::new(&run.job.run_context(&command, &inputs, Vec::new())?, monitor)?;
        match run.run_with(&inputs, output, frequent, &work, clock, monitor) {
            Ok(done) => Ok(done.with_report(report).with_work(work)),
            Err(error) => Err(ended(Some(work), error, monitor)),
        }
    }

    fn run_with(
        &self,
        inputs: &Inputs,
        output: outputs::PairsOutput,
        frequent_shingles: Option<FrequentSummary>,
        work: &Work,
        mut clock: Clock,
        monitor: &Monitor,
    ) -> Result<Unpublished<PairsSummary>, Error> {
        let job = &self.job;
        let summary_files = job.start_summary(monitor)?;
        let fields = job.fields();
        let weights = weights(&job.request, inputs, &mut clock, monitor)?;
        let mut documents = sketch(&job.request, inputs, &fields, &Keep::First, &weights, work, monitor)?;
        clock.lap("sketch");

        let kept = std::mem::take(&mut documents.kept);
        let originals = documents.sketches.originals(work.budget.parts(documents.len()));
        self.refuse_too_many(&[], &originals, work)?;
        let scanned = Scanned { request: &job.request, inputs, documents: &documents, monitor };
        let sketched = Sketched { scanned, originals: &originals, weights: &weights, work };
        let LoadedSearch { search, features: loaded } =
            MarkedSearch::new(sketched, kept, &mut clock)?.load(&mut clock)?;
        let Candidates { search, choice, features } = search.candidates(&loaded)?;
        clock.lap("candidates");

        let (matches, tally) = compare::pairs(&job.request, &search, features, work, monitor)?;
        self.refuse_too_many(&matches, &originals, work)?;
        let monitoring = Monitoring::new(&search, tally);
        drop(search);
        let pairs = with_copies(matches, &originals, job.request.plan.score_of_copies());
        let mut sets = UnionFind::new(documents.len());
        pairs.iter().for_each(|pair| sets.unite(pair.a, pair.b));
        let (roots, clusters) = (sets.roots(), sets.into_buckets());
        let contained = Contained::default();
        let evidence = Evidence::new(sketched, features, &contained);
        let recall = evidence.recall(choice.method, &pairs, |document| roots[document as usize]);
        let partners = if job.audit > 0 { evidence.partners(choice.method, &pairs) } else { Vec::new() };
        clock.lap("verify");
        let listed = ListedPairs { pairs: &pairs, roots: &roots, clusters: &clusters };
        let names = DocumentNames { inputs, documents: &documents };
        let findings = self.findings(evidence, choice.method, &names, listed, monitor, &mut clock)?;
        drop(loaded);
        let audit = audited(sketched, job.audit, &pairs, partners, &mut clock)?;
        let outputs = output.write(&fields, &names, &pairs, monitor)?;
        clock.lap("write");

        let effort = EffortSummary::finish_search(clock, work);
        let found = found(
            listed,
            documents.len() as u64,
            tally,
            monitoring.timed(effort.seconds.get("verify").copied()),
        );
        let summary = PairsSummary {
            read: ReadSummary::of_sketched(inputs, &documents),
            scan: ScanSummary::new(&documents),
            ids: IdsSummary::new(&names, &job.id_field),
            frequent_shingles,
            found,
            no_figures: NoFigures::OF_REMOVAL,
            recall: RecallSummary::new(recall, audit),
            effort,
            spilled: work.folder().is_some(),
            within: job.request.within.clone(),
            plan: searched_plan(&job.request.plan, choice, &weights),
            findings,
            returned: match self.output {
                ListOutput::Returned { ids } => Some(ReturnedPairs::new(&names, pairs, ids)),
                ListOutput::StandardOutput | ListOutput::File(_) => None,
            },
        };
        Unpublished::of_summary(summary, outputs, summary_files)
    }

    /// Makes the findings of the report page, if one was asked for.
    fn findings(
        &self,
        evidence: Evidence<'_>,
        method: Method,
        names: &DocumentNames<'_>,
        listed: ListedPairs<'_>,
        monitor: &Monitor,
        clock: &mut Clock,
    ) -> Result<Option<PairFindings>, Error> {
        if self.report.is_none() {
            return Ok(None);
        }
        let fields = Fields { within: Vec::new(), ..self.job.fields() };
        let findings = PairFindings::new(&fields, evidence, method, names, listed, monitor)?;
        clock.lap("examples");
        Ok(Some(findings))
    }

    /// Refuses a list of pairs that copies would make too long to use, or too long for the memory.
    fn refuse_too_many(&self, matches: &[Match], originals: &[u32], work: &Work) -> Result<(), Error> {
        let mut copies = vec![0_u64; originals.len()];
        originals.iter().for_each(|&original| copies[original as usize] += 1);
        let of = |document: u32| copies[document as usize];
        let within: u64 = copies.iter().map(|count| count * count.saturating_sub(1) / 2).sum();
        let between: u64 = matches.iter().map(|pair| of(pair.a) * of(pair.b)).sum();
        let pairs = within + between;
        match self.limit {
            Some(limit) if pairs > limit => Err(Error::MorePairs { pairs, limit }),
            _ if pairs >= work.budget.most_pairs() => Err(too_many_pairs(pairs).into()),
            _ => Ok(()),
        }
    }
}

/// Compares `count` random documents with all others, and counts how many of their pairs are among `pairs`.
fn audited(
    sketched: Sketched<'_>,
    count: u64,
    pairs: &[Match],
    partners: Vec<f64>,
    clock: &mut Clock,
) -> Result<Option<RecallAudit>, Error> {
    let is_found = |a, b| pairs.binary_search_by_key(&(a, b), |pair| (pair.a, pair.b)).is_ok();
    let audit = audit(sketched, count, AuditedPairs { is_found, partners })?;
    if audit.is_some() {
        clock.lap("audit");
    }
    Ok(audit)
}

/// Counts pairs and clusters.
fn found(listed: ListedPairs<'_>, documents: u64, tally: Tally, monitoring: Monitoring) -> FoundSummary {
    let ListedPairs { pairs, clusters, .. } = listed;
    FoundSummary {
        candidates: tally.candidates,
        reduction: FoundSummary::reduction_of(tally.candidates, documents),
        pairs: pairs.len() as u64,
        monitoring,
        clusters: clusters.len() as u64,
        largest_cluster: clusters.iter().map(|cluster| cluster.len() as u64).max().unwrap_or(0),
    }
}
