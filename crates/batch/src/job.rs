//! What a job is, and its straight path: sketch, group, read again, verify, decide, write.

use crate::against::{Against, AgainstSummary};
use crate::audit::audit;
use crate::choice::{Affordable, Choice};
use crate::clock::Clock;
use crate::compare;
use crate::contained::Contained;
use crate::decide::{Decisions, Grounds};
use crate::documents::Documents;
use crate::error::Error;
use crate::features::{Features, Kept, Reading, Room, Store};
use crate::findings::Findings;
use crate::frequencies;
use crate::ids::Names;
use crate::index::{Added, Gathered, Index, Update};
use crate::lost::Lost;
use crate::monitoring::Monitoring;
use crate::outputs::{self, Told};
use crate::progress::Monitor;
use crate::reasons::Reasons;
use crate::sampled::Scanned;
use crate::search::{Search, Sketched};
use crate::sketching::sketch;
use crate::star;
use crate::summary::{Summary, recall_estimate};
use crate::work::{Asked, Work};
use lookalike::{
    DocumentFrequencies, FeatureLevels, Level, Match, Plan, Recall, Weighting, Weights, with_copies,
};
use lookalike_corpus::{Fields, Inputs};
use std::path::PathBuf;
use std::sync::Arc;

/// What every job needs.
#[derive(Clone, Debug)]
pub struct Job {
    /// Files, folders, globs or `-`.
    pub inputs: Vec<String>,
    /// What is alike, and how it is searched.
    pub plan: Plan,
    /// Take the exact join instead of the plan's method where it is affordable: it misses nothing. That depends on the
    /// documents only, not on the machine.
    pub auto: Option<Affordable>,
    /// How many random documents are compared with all others, to measure the recall; 0 for none.
    pub audit: u64,
    /// The field that holds the text.
    pub text_field: String,
    /// The field that holds the id.
    pub id_field: String,
    /// Worker threads.
    pub threads: usize,
    /// The instruction set.
    pub level: Level,
    /// Stop at the first bad record.
    pub strict: bool,
    /// Where the summary will be written, so that no output takes its place. The job itself does not write it.
    pub summary: Option<PathBuf>,
    /// Bytes of features that may be kept from the first scan of inputs that must be decoded; other documents are read
    /// again if they are compared. The result is the same.
    pub features_bytes: u64,
    /// How many bytes of memory the process may take; what does not fit goes to disk. `None` holds everything.
    pub memory: Option<u64>,
    /// Where what does not fit is put, and found again by a run that goes on; `None` is beside the output.
    pub temp_dir: Option<PathBuf>,
    /// Other files that are read, such as tables: no output takes their place.
    pub read: Vec<PathBuf>,
    /// In how many documents features are, for weights by TF-IDF; counted in the inputs themselves if it is not given.
    pub frequencies: Option<Arc<DocumentFrequencies>>,
    /// The levels of features, for weights by levels.
    pub levels: Option<Arc<FeatureLevels>>,
}

/// Which document of a cluster stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The first in input order.
    #[default]
    First,
    /// The last in input order.
    Last,
    /// The one with the longest text.
    Longest,
    /// The one with the greatest number in this field.
    Max(String),
    /// The one with the least number in this field.
    Min(String),
}

impl Keep {
    /// The field that it chooses by.
    fn field(&self) -> Option<String> {
        match self {
            Keep::Max(field) | Keep::Min(field) => Some(field.clone()),
            Keep::First | Keep::Last | Keep::Longest => None,
        }
    }

    /// What of a document is needed to choose.
    fn ranks_by(&self) -> &str {
        match self {
            Keep::First | Keep::Last => "the place",
            Keep::Longest => "the length",
            Keep::Max(field) | Keep::Min(field) => field,
        }
    }
}

/// What makes a cluster of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterShape {
    /// Whatever hangs together by pairs, through however many documents.
    #[default]
    Union,
    /// A kept document and those that make a pair with it.
    Star,
}

impl ClusterShape {
    /// The name people give it.
    pub fn name(self) -> &'static str {
        match self {
            ClusterShape::Union => "union",
            ClusterShape::Star => "star",
        }
    }
}

/// Keeps one document of each cluster.
#[derive(Clone, Debug)]
pub struct Dedup {
    /// What to read and what is alike.
    pub job: Job,
    /// What else to compare with; nothing of it is written or removed.
    pub against: Against,
    /// Which document stays.
    pub keep: Keep,
    /// What makes a cluster.
    pub clustering: ClusterShape,
    /// Remove only documents of whose features at least this share, from 0 to 1, is in the one that is kept for them. A
    /// cluster may then keep several.
    pub min_containment: Option<f64>,
    /// Where the kept documents go; `None` writes none.
    pub output: Option<PathBuf>,
    /// Keep every document, and say in new fields what would become of it.
    pub annotate: bool,
    /// Where the list of removed documents goes.
    pub removed: Option<PathBuf>,
    /// Where the list of clusters goes.
    pub clusters: Option<PathBuf>,
    /// Where a report will be written, so that no output takes its place. The job itself only finds out what is in it.
    pub report: Option<PathBuf>,
}

/// Lists every verified pair.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// What to read and what is alike.
    pub job: Job,
    /// Where the list goes; `None` is standard output, as JSONL.
    pub output: Option<PathBuf>,
}

/// What a pair of a list takes while it is made (measured).
const PAIR_BYTES: u64 = 47;

/// From this many pairs on the list is refused: it would take 9 GB of memory and 12 GB of disk.
pub(crate) const MOST_PAIRS: u64 = 200_000_000;

/// From how many pairs on the run refuses to list them.
pub(crate) fn most_pairs(work: &Work) -> u64 {
    MOST_PAIRS.min(work.budget.pairs() / PAIR_BYTES)
}

/// Refuses so many pairs, or more.
pub(crate) fn too_many_pairs(pairs: u64) -> Error {
    Error::TooManyPairs { pairs, for_memory: pairs < MOST_PAIRS }
}

impl Dedup {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; no output then has its final name.
    pub fn run(&self, monitor: &Monitor) -> Result<Summary, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Summary, Error> {
        if self.min_containment.is_some() && !self.job.plan.verifies() {
            return Err(Error::NoContainment);
        }
        self.against.check(&self.job.plan)?;
        self.against.check_index(self)?;
        let inputs = self.against.resolve(&self.job.inputs)?;
        if let Some(index) = self.against.growing_index() {
            index.check_new(&inputs)?;
        }
        let id = self.names_ids().then(|| self.job.id_field.clone());
        let fields = Fields { text: self.job.text_field.clone(), id, number: self.keep.field() };
        let outputs = outputs::Dedup::create(self, &inputs, &fields)?;
        let work = Work::new(&self.asked(&inputs), monitor)?;
        let ended = self.run_with(&inputs, &fields, outputs, &work, monitor);
        work.end(ended, monitor)
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
    ) -> Result<Summary, Error> {
        let mut clock = Clock::start();
        let job = &self.job;
        let counted = count_frequencies(job, inputs, &mut clock, monitor)?;
        let weights = weights(job, counted.as_ref())?;
        let mut documents = sketch(job, inputs, fields, &self.keep, weights, work, monitor)?;
        check_number(&self.keep, &documents)?;
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
        let search = search.map_or_else(|| Search::by_features(grounds, &mut choice, &sets, monitor), Ok)?;
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
        let reasons = Reasons::new(&decisions, grounds, work, all)?;
        let lost = match outputs.lists_removed() {
            true => Lost::read(inputs, &decisions, &reasons, grounds, work, monitor)?,
            false => Lost::default(),
        };
        clock.lap("explain");
        let names = Names { inputs, documents: &documents };
        let root = |document: u32| found.roots[document as usize];
        let audit =
            audit(job, inputs, &documents, &originals, weights, monitor, |a, b| match self.clustering {
                ClusterShape::Union => root(a) == root(b),
                ClusterShape::Star => grounds.are_copies(a, b) || star::holds(&found.pairs, grounds, a, b),
            })?;
        if audit.is_some() {
            clock.lap("audit");
        }
        let told = Told { names: &names, decisions: &decisions, reasons: &reasons, lost: &lost };
        let findings = match self.report {
            Some(_) => Some(Findings::new(job, choice.method, &told, &found.pairs, monitor)?),
            None => None,
        };
        if findings.is_some() {
            clock.lap("examples");
        }
        // The index is the last to change: if the run ends in between, it has the same outputs when it is done again.
        let added = Added { job, inputs, documents: &documents, roots: &found.roots };
        let update =
            self.against.growing_index().map(|index| Update::write(index, added, monitor)).transpose()?;
        if update.is_some() {
            clock.lap("add");
        }
        outputs.write(fields, &told, monitor)?;
        clock.lap("write");
        let grown = update.map(Update::publish).transpose()?;

        let mut summary = Summary::new(job, inputs);
        summary.indexed = grown;
        summary.chosen(job, choice);
        summary.tell_of(inputs, &documents);
        summary.against = AgainstSummary::new(&self.against, &documents, &decisions, &contained);
        summary.weighed_by(weights);
        summary.finish(clock);
        summary.spilled(work);
        summary.candidates = found.tally.candidates;
        summary.monitoring = monitoring.timed(summary.seconds.get("verify").copied());
        summary.large_buckets = found.tally.led;
        summary.pairs = found.pairs.len() as u64;
        summary.audit = audit;
        let recall = recall_estimate(job, &summary, &found.pairs, |document| found.roots[document as usize]);
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
        Ok(summary)
    }
}

impl Pairs {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; no output then has its final name.
    pub fn run(&self, monitor: &Monitor) -> Result<Summary, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Summary, Error> {
        let job = &self.job;
        let inputs = Inputs::resolve(&job.inputs)?;
        let output = outputs::Pairs::create(self.output.as_deref(), job, &inputs)?;
        let arguments = job.inputs.iter().map(String::as_str).collect();
        let (path, more) = (self.output.as_deref(), Vec::new());
        let asked = Asked { verb: "pairs", job, arguments, inputs: &inputs, output: path, more };
        let work = Work::new(&asked, monitor)?;
        let ended = self.run_with(&inputs, output, &work, monitor);
        work.end(ended, monitor)
    }

    fn run_with(
        &self,
        inputs: &Inputs,
        output: outputs::Pairs,
        work: &Work,
        monitor: &Monitor,
    ) -> Result<Summary, Error> {
        let mut clock = Clock::start();
        let job = &self.job;
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
        let search = search.map_or_else(|| Search::by_features(grounds, &mut choice, &sets, monitor), Ok)?;
        clock.lap("candidates");

        let (matches, tally) = compare::pairs(job, &search, &features, work, monitor)?;
        refuse_too_many(&matches, &originals, work)?;
        let monitoring = Monitoring::new(&search, tally);
        drop(search);
        drop(features);
        let pairs = with_copies(matches, &originals, job.plan.likeness_of_copies());
        clock.lap("verify");

        let audit = audit(job, inputs, &documents, &originals, weights, monitor, |a, b| {
            pairs.binary_search_by_key(&(a, b), |pair| (pair.a, pair.b)).is_ok()
        })?;
        if audit.is_some() {
            clock.lap("audit");
        }
        output.write(&Names { inputs, documents: &documents }, &pairs, monitor)?;
        clock.lap("write");

        let mut sets = lookalike::UnionFind::new(documents.len());
        pairs.iter().for_each(|pair| sets.unite(pair.a, pair.b));
        let roots = sets.roots();
        let clusters = sets.into_buckets();
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
        summary.recalls(recall_estimate(job, &summary, &pairs, |document| roots[document as usize]));
        summary.clusters = clusters.len() as u64;
        summary.largest_cluster = clusters.iter().map(|cluster| cluster.len() as u64).max().unwrap_or(0);
        summary.kept = summary.documents;
        Ok(summary)
    }
}

/// The features of what the search will compare; without one yet, of what may be alike to anything.
fn gather(
    reading: Reading<'_>,
    kept: (Vec<Option<Kept>>, Vec<Store>),
    (search, originals): (Option<&Search<'_>>, &[u32]),
    weights: Weights<'_>,
    work: &Work,
    clock: &mut Clock,
) -> Result<Features, Error> {
    let features: usize = kept.1.iter().map(Store::bytes).sum();
    work.budget.check_held(reading.documents, features as u64)?;
    let room = Room { work, bytes: work.budget.features(reading.documents) };
    let features = match search {
        Some(search) => {
            let involved = compare::involved(search, reading.documents, originals, work, reading.monitor)?;
            clock.lap("candidates");
            Features::load(reading, kept, &involved, weights, Some(room))?
        }
        None => Features::of_partners(reading, kept, originals, weights, room)?,
    };
    clock.lap("features");
    Ok(features)
}

/// The frequencies that the weights need, if they were not given.
pub(crate) fn count_frequencies(
    job: &Job,
    inputs: &Inputs,
    clock: &mut Clock,
    monitor: &Monitor,
) -> Result<Option<DocumentFrequencies>, Error> {
    if job.plan.weighting() != Weighting::TfIdf || job.frequencies.is_some() {
        return Ok(None);
    }
    let (counted, _) = frequencies::count(job, inputs, monitor)?;
    clock.lap("frequencies");
    Ok(Some(counted))
}

pub(crate) fn weights<'t>(
    job: &'t Job,
    counted: Option<&'t DocumentFrequencies>,
) -> Result<Weights<'t>, Error> {
    if let Some(weights) = Weights::without_table(job.plan.weighting()) {
        return Ok(weights);
    }
    if job.plan.weighting() == Weighting::Levels {
        return job.levels.as_deref().map(Weights::Levels).ok_or(Error::NoLevels);
    }
    match job.frequencies.as_deref().or(counted) {
        Some(table) if table.plan() == job.plan.feature_id() => Ok(Weights::TfIdf(table)),
        _ => Err(Error::OtherFeatures),
    }
}

pub(crate) fn in_pool<T: Send>(
    threads: usize,
    run: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    let failed = |error: rayon::ThreadPoolBuildError| Error::Threads { threads, message: error.to_string() };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(failed)?.install(run)
}

/// Refuses to choose by a field in which no document has a number.
fn check_number(keep: &Keep, documents: &Documents) -> Result<(), Error> {
    match keep {
        Keep::Max(field) | Keep::Min(field)
            if documents.len() > documents.first_new as usize
                && documents.ranks[documents.first_new as usize..].iter().all(|rank| rank.is_nan()) =>
        {
            Err(Error::NoNumber { field: field.clone() })
        }
        _ => Ok(()),
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
        pairs if pairs >= most_pairs(work) => Err(too_many_pairs(pairs)),
        _ => Ok(()),
    }
}
