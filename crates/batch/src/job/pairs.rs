//! `pairs`: the same steps, then all candidates, and the pairs that copies make.

use super::gather::gather;
use crate::audit::{FoundPairs, audit};
use crate::choice::Choice;
use crate::clock::Clock;
use crate::compare;
use crate::error::Error;
use crate::estimated::Estimated;
use crate::features::Reading;
use crate::monitoring::Monitoring;
use crate::names::Names;
use crate::outputs::{self};
use crate::progress::Monitor;
use crate::request::{Keep, Pairs};
use crate::search::{Search, Sketched};
use crate::sketching::sketch;
use crate::summary::Summary;
use crate::threads::in_pool;
use crate::unpublished::{Unpublished, start};
use crate::weights::{count_frequencies, weights};
use crate::work::{Asked, Work, too_many_pairs};
use lookalike::{Match, with_copies};
use lookalike_corpus::{Fields, Inputs};

impl Pairs {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; no output is then left.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<Summary>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<Summary>, Error> {
        let job = &self.job;
        let inputs = job.resolve()?;
        let output = outputs::Pairs::create(self.output.as_deref(), job, &inputs)?;
        let arguments = job.inputs.iter().map(String::as_str).collect();
        let (path, more) = (self.output.as_deref(), Vec::new());
        let asked = Asked { verb: "pairs", job, arguments, inputs: &inputs, output: path, more };
        let work = Work::new(&asked, monitor)?;
        match self.run_with(&inputs, output, &work, monitor) {
            Ok(done) => Ok(done.with_work(work)),
            failed => work.end(failed, monitor),
        }
    }

    fn run_with(
        &self,
        inputs: &Inputs,
        output: outputs::Pairs,
        work: &Work,
        monitor: &Monitor,
    ) -> Result<Unpublished<Summary>, Error> {
        let mut clock = Clock::start();
        let job = &self.job;
        let summary_file = start(job.summary.as_ref())?;
        let fields = Fields { text: job.text_field.clone(), id: Some(job.id_field.clone()), number: None };
        let counted = count_frequencies(job, inputs, &mut clock, monitor)?;
        let weights = weights(job, counted.as_ref())?;
        let mut documents = sketch(job, inputs, &fields, &Keep::First, weights, work, monitor)?;
        clock.lap("sketch");

        let kept = std::mem::take(&mut documents.kept);
        let originals = documents.sketches.originals(work.budget.parts(documents.len()));
        refuse_too_many(&[], &originals, work)?;
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

        let (matches, tally) = compare::pairs(job, &search, &features, work, monitor)?;
        refuse_too_many(&matches, &originals, work)?;
        let monitoring = Monitoring::new(&search, tally);
        drop(search);
        let pairs = with_copies(matches, &originals, job.plan.likeness_of_copies());
        let mut sets = lookalike::UnionFind::new(documents.len());
        pairs.iter().for_each(|pair| sets.unite(pair.a, pair.b));
        let roots = sets.roots();
        let clusters = sets.into_buckets();
        let estimated = Estimated { job, method: choice.method, originals: &originals, features: &features };
        let recall = estimated.recall(&pairs, |document| roots[document as usize]);
        let partners = if job.audit > 0 { estimated.partners(&pairs) } else { Vec::new() };
        drop(features);
        clock.lap("verify");

        let is_found = |a, b| pairs.binary_search_by_key(&(a, b), |pair| (pair.a, pair.b)).is_ok();
        let found = FoundPairs { is_found, partners };
        let audit = audit(job, inputs, &documents, &originals, weights, monitor, found)?;
        if audit.is_some() {
            clock.lap("audit");
        }
        let outputs = output.write(&Names { inputs, documents: &documents }, &pairs, monitor)?;
        clock.lap("write");

        let mut summary = Summary::new(job, inputs);
        summary.chosen(job, choice);
        summary.tell_of(inputs, &documents);
        summary.weighed_by(weights);
        summary.finish(clock);
        summary.spilled(work);
        summary.candidates = tally.candidates;
        summary.monitoring = monitoring.timed(summary.seconds.get("verify").copied());
        summary.pairs = pairs.len() as u64;
        summary.audit = audit;
        summary.recalls(recall);
        summary.clusters = clusters.len() as u64;
        summary.largest_cluster = clusters.iter().map(|cluster| cluster.len() as u64).max().unwrap_or(0);
        summary.kept = summary.documents;
        Unpublished::of_summary(summary, outputs, summary_file)
    }
}

/// Refuses a list of pairs that copies of the same content would make too long, for anybody or for the memory.
fn refuse_too_many(matches: &[Match], originals: &[u32], work: &Work) -> Result<(), Error> {
    let mut copies = vec![0_u64; originals.len()];
    originals.iter().for_each(|&original| copies[original as usize] += 1);
    let of = |document: u32| copies[document as usize];
    let within: u64 = copies.iter().map(|count| count * count.saturating_sub(1) / 2).sum();
    let between: u64 = matches.iter().map(|pair| of(pair.a) * of(pair.b)).sum();
    match within + between {
        pairs if pairs >= work.budget.most_pairs() => Err(too_many_pairs(pairs)),
        _ => Ok(()),
    }
}
