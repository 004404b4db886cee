//! What a job says of itself when it is done.

pub(crate) mod against;

use crate::findings::Findings;
use crate::request::Job;
use crate::summary::against::AgainstSummary;
use lookalike::quality::Recall;
use lookalike::{Method, Score, Weights};
use lookalike_corpus::Inputs;
use lookalike_engine::PlanSummary;
use lookalike_engine::clock::{Clock, Seconds};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::reasons::{Loose, Reasons};
use lookalike_engine::documents::Documents;
use lookalike_engine::documents::ids::Ids;
use lookalike_engine::documents::names::Names;
use lookalike_engine::documents::scanned::Scanned;
use lookalike_engine::documents::skipped::{MOST_SKIPPED_EXAMPLES, Skipped};
use lookalike_engine::recall::audit::Audit;
use lookalike_engine::search::Sketched;
use lookalike_engine::search::choice::Choice;
use lookalike_engine::search::monitoring::Monitoring;
use lookalike_engine::work::Work;
use lookalike_engine::work::memory;
use serde::Serialize;

/// The figures of a finished job; the same for people and, as JSON, for programs.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Documents read; without those that they were compared against.
    pub documents: u64,
    /// What there is to tell of those, if there are any.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub against: Option<AgainstSummary>,
    /// Documents that are in the index now that the inputs were added to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed: Option<u64>,
    /// Size of all files read, as they are stored.
    pub bytes: u64,
    /// Records that could not be read.
    pub skipped: u64,
    /// The first of these, with file, line and reason.
    pub skipped_examples: Vec<Skipped>,
    /// Documents without any feature, such as empty ones: they are never duplicates.
    pub empty: u64,
    /// Ids that more than one document carries; `None` if ids were not read.
    pub repeated_ids: Option<u64>,
    /// Documents without an id, which go by their places; `None` if ids were not read.
    pub without_id: Option<u64>,
    /// Documents without a number in the field to choose by, which lose against those with one; `None` if there is no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_number: Option<u64>,
    /// Files in walked folders that were passed over because their format is unknown, and what is no file there, such as pipes.
    pub ignored_files: u64,
    /// Records of archives that are no documents, such as requests, redirections and images.
    pub other_records: u64,
    /// Pairs that share a band, or have near fingerprints, and were looked at.
    pub candidates: u64,
    /// Pairs found and verified. `dedup` looks only for those that connect clusters.
    pub pairs: u64,
    /// What to watch from run to run.
    pub monitoring: Monitoring,
    /// Clusters of two or more.
    pub clusters: u64,
    /// Members of the largest cluster.
    pub largest_cluster: u64,
    /// What makes a cluster, if documents are removed: `union` or `star`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clustering: Option<&'static str>,
    /// Clusters with a removed document that makes no pair with the one kept for it: a chain of pairs connects the two.
    pub loose_clusters: u64,
    /// The loosest of these, up to five.
    pub loosest: Vec<LooseCluster>,
    /// The share of a document that must be in the one kept for it, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_containment: Option<f64>,
    /// Documents that are kept for that only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_for_content: Option<u64>,
    /// Documents kept.
    pub kept: u64,
    /// Documents removed.
    pub removed: u64,
    /// Bytes of their texts.
    pub removed_bytes: u64,
    /// Words of their texts, or other tokens that the plan asks for, without stop words.
    pub removed_words: u64,
    /// Share of the pairs at or above the threshold that were found, estimated; `None` if the distance of fingerprints
    /// decides alone, if the search does not go by the measure, if nobody knows how likely it finds a pair, or if there are no two
    /// documents.
    pub recall_estimate: Option<f64>,
    /// Between which values that share lies with a probability of 95 %, whether the pairs of a cluster are found or missed together or
    /// each for itself. Clusters hold pairs besides that did not meet, so that for `dedup` the upper one is 1.
    pub recall_interval: Option<[f64; 2]>,
    /// What an audit found, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
    /// What there is to look at, if a report was asked for.
    #[serde(skip)]
    pub findings: Option<Findings>,
    /// Wall time of every stage.
    pub seconds: Seconds,
    /// The most memory the process has held, the page cache aside; `None` where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
    /// Was something put on disk because memory did not suffice?
    pub spilled: bool,
    /// The fields in which documents must have the same values to be compared, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<String>,
    /// What was done.
    pub plan: PlanSummary,
}

impl Summary {
    /// Of a job that has done nothing yet.
    pub(crate) fn new(job: &Job, inputs: &Inputs) -> Self {
        Summary {
            documents: 0,
            against: None,
            indexed: None,
            bytes: inputs.bytes(),
            skipped: 0,
            skipped_examples: Vec::new(),
            empty: 0,
            repeated_ids: None,
            without_id: None,
            without_number: None,
            ignored_files: inputs.ignored(),
            other_records: 0,
            candidates: 0,
            monitoring: Monitoring::default(),
            pairs: 0,
            clusters: 0,
            largest_cluster: 0,
            clustering: None,
            loose_clusters: 0,
            loosest: Vec::new(),
            min_containment: None,
            kept_for_content: None,
            kept: 0,
            removed: 0,
            removed_bytes: 0,
            removed_words: 0,
            recall_estimate: None,
            recall_interval: None,
            audit: None,
            findings: None,
            seconds: Seconds::new(),
            peak_memory_bytes: None,
            spilled: false,
            within: job.request.within.clone(),
            plan: PlanSummary::new(&job.request.plan),
        }
    }

    /// Of a search: its documents, its method, its weights.
    pub(crate) fn of_search(job: &Job, sketched: Sketched<'_>, choice: Choice) -> Self {
        let Sketched { scanned: Scanned { inputs, documents, .. }, weights, .. } = sketched;
        let mut summary = Summary::new(job, inputs);
        summary.chosen(job, choice);
        summary.tell_of(inputs, documents);
        // Behind the method, whose plan has no table.
        summary.weighed_by(weights);
        summary
    }

    /// Tells of the table of `weights`.
    pub(crate) fn weighed_by(&mut self, weights: &Weights) {
        self.plan.table = weights.table().map(|id| format!("{id:016x}"));
    }

    /// Tells how pairs were searched.
    fn chosen(&mut self, job: &Job, choice: Choice) {
        if let (Method::Exact, Some(plan)) = (choice.method, job.request.plan.exactly()) {
            self.plan = PlanSummary::new(&plan);
        }
        self.plan.reason = choice.reason;
    }

    /// Tells how much of what is similar was found.
    pub(crate) fn recalls(&mut self, recall: Option<Recall>) {
        self.recall_estimate = recall.map(|recall| recall.recall);
        self.recall_interval = recall.map(|recall| [recall.low, recall.high]);
    }

    /// Why nothing is told of the recall, where it is unknown; `None` where it is told, or where there is nothing to find.
    pub fn recall_unknown(&self) -> Option<&'static str> {
        match (self.plan.measure, self.recall_estimate) {
            (None, _) | (_, Some(_)) => None,
            _ if !self.plan.recall_is_known => {
                Some("what is compared is searched by other features or weights than the measure's")
            }
            _ if self.pairs > 0 => {
                Some("some pairs have too few features, or differ in too few, to tell how their weights vote")
            }
            _ => None,
        }
    }

    /// Counts a record that was skipped.
    pub(crate) fn skip(&mut self, place: String, problem: String) {
        self.skipped += 1;
        if self.skipped_examples.len() < MOST_SKIPPED_EXAMPLES {
            self.skipped_examples.push(Skipped { place, problem });
        }
    }

    /// What the inputs are, and what the first scan has found in them.
    pub(crate) fn tell_of(&mut self, inputs: &Inputs, documents: &Documents) {
        for (name, problem) in inputs.skipped() {
            self.skip(name, problem.to_string());
        }
        let inputs_skipped = self.skipped;
        for bad in &documents.bad {
            self.skip(bad.place(inputs), bad.problem.clone());
        }
        self.skipped = inputs_skipped + documents.skipped;
        let count = documents.len() as u32;
        let empty =
            (documents.first_new..count).filter(|&document| documents.sketches.content(document).is_empty());
        self.empty = empty.count() as u64;
        self.documents = u64::from(count - documents.first_new);
        self.other_records = documents.others;
        // What is in an index may well come again.
        self.repeated_ids = documents.ids.as_ref().map(|ids| ids.repeated(documents.indexed.numbers.len()));
        self.without_id = documents.ids.as_ref().map(Ids::absent);
    }

    /// Tells of clusters that chains hold together, the loosest first.
    pub(crate) fn loosely(&mut self, names: &Names<'_>, decisions: &Decisions, reasons: &Reasons) {
        self.loose_clusters = reasons.loose;
        let told = |loose: &Loose| {
            let cluster = decisions.cluster(loose.cluster);
            LooseCluster {
                cluster: loose.cluster as u64 + 1,
                documents: cluster.members.len() as u64,
                kept_id: Some(cluster.kept[loose.member])
                    .filter(|&kept| decisions.keeps(kept))
                    .map(|kept| names.id(kept).into_owned()),
                removed_id: names.id(cluster.members[loose.member]).into_owned(),
                least_similarity: loose.score.similarity().map(|similarity| similarity.value()),
                greatest_distance: match loose.score {
                    Score::Hamming(distance) => Some(distance),
                    Score::Similarity(_) => None,
                },
            }
        };
        self.loosest = reasons.loosest.iter().map(told).collect();
    }

    /// How long a search took, how much memory, and where it has put things.
    pub(crate) fn finish_search(&mut self, clock: Clock, work: &Work, monitoring: Monitoring) {
        self.finish(clock);
        self.monitoring = monitoring.timed(self.seconds.get("verify").copied());
        if let Some(folder) = work.folder() {
            self.spilled = true;
            self.peak_memory_bytes = folder.peak_memory();
        }
    }

    /// How long it took, and how much memory.
    pub(crate) fn finish(&mut self, clock: Clock) {
        self.seconds = clock.finish();
        self.peak_memory_bytes = memory::peak();
    }
}

/// A cluster that chains of pairs hold together.
#[derive(Clone, Debug, Serialize)]
pub struct LooseCluster {
    /// Its number in the lists.
    pub cluster: u64,
    /// Its members.
    pub documents: u64,
    /// Of the two that are the least similar, the kept one: its id, or file and line if ids were not read, because no list asked
    /// for them. `None` if nothing of the cluster is kept: it is then the first.
    pub kept_id: Option<String>,
    /// The removed one.
    pub removed_id: String,
    /// How similar they are; `None` if the distance of fingerprints decides alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_similarity: Option<f64>,
    /// How far apart their fingerprints are, if that decides alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub greatest_distance: Option<u32>,
}
