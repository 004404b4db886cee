//! The result of an evaluation.

use super::list::ListContents;
use super::names::NumberedIds;
use lookalike::quality::{Agreement, Histogram};
use lookalike_engine::clock::Seconds;
use lookalike_report::Skips;
use serde::Serialize;

/// How well the found list agrees with the ground truth. A share of nothing is null.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// The found list.
    pub found: ListSummary,
    /// The ground truth.
    pub truth: ListSummary,
    /// How well the pairs agree.
    pub pairs: Accuracy,
    /// How well the clusters agree. The clusters of a list of pairs are the documents that pairs connect.
    pub clusters: Clustering,
    /// How many of the true pairs were found, by their values in the ground truth. `None` if it has no values.
    pub by_truth: Option<ByValue>,
    /// How many of the found pairs are true, by their values in the found list. `None` if it has no values.
    pub by_found: Option<ByValue>,
    /// Records that could not be read, and the first of them.
    #[serde(flatten)]
    pub skips: Skips,
}

/// An evaluation, with its time and memory.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluationSummary {
    /// The evaluation, which is the same in every run.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    /// Size of the lists, as they are stored.
    pub bytes: u64,
    /// Wall time of every stage.
    pub seconds: Seconds,
    /// The most memory that the process has held. `None` where the system does not report it.
    pub peak_memory_bytes: Option<u64>,
}

/// The content of a list.
#[derive(Clone, Debug, Serialize)]
pub struct ListSummary {
    /// The argument that names it.
    pub list: String,
    /// `pairs` or `clusters`.
    pub kind: &'static str,
    /// Is the first line a header?
    pub header: bool,
    /// The two ids of the first line, if it is no header.
    pub first_line: Option<[String; 2]>,
    /// Rows that were read.
    pub rows: u64,
    /// Pairs, or documents with their cluster, that came again and count once.
    pub repeated: u64,
    /// Pairs of a document with itself, which do not count.
    pub with_itself: u64,
    /// Rows that put a document into another cluster than an earlier row. These clusters count as one.
    pub in_several: u64,
    /// Clusters of two or more.
    pub clusters: u64,
    /// Members of the largest cluster.
    pub largest_cluster: u64,
}

/// How well pairs agree.
#[derive(Clone, Debug, Serialize)]
pub struct Accuracy {
    /// Pairs found. In clusters these are all pairs of members.
    pub found: u64,
    /// Pairs that are true.
    #[serde(rename = "true")]
    pub truth: u64,
    /// Pairs found that are true.
    pub both: u64,
    /// Pairs found that are not true.
    pub wrong: u64,
    /// Pairs that are true, but were not found.
    pub missing: u64,
    /// The share of the found pairs that are true.
    pub precision: Option<f64>,
    /// The share of the true pairs that were found.
    pub recall: Option<f64>,
    /// The harmonic mean of the two.
    pub f1: Option<f64>,
}

/// How well clusters agree.
#[derive(Clone, Debug, Serialize)]
pub struct Clustering {
    /// The documents that the adjusted Rand index counts.
    pub documents: u64,
    /// Documents that a list names. Each of the others is alone in both lists.
    pub named: u64,
    /// The adjusted Rand index (Hubert and Arabie, 1985): 1 if the clusters are the same, 0 if they agree as by chance.
    pub adjusted_rand_index: f64,
    /// The pairs of documents that share a cluster.
    pub pairs: Accuracy,
}

/// The pairs of one list, by their values in it.
#[derive(Clone, Debug, Serialize)]
pub struct ByValue {
    /// The column of the values.
    pub column: String,
    /// Bins without a gap, from the least similarity or from distance 0 on. Similarity 1 is a bin of its own.
    pub bins: Vec<ValueBin>,
    /// Pairs without a value, or with one that is no similarity or distance.
    pub outside: u64,
}

/// Pairs that are about equally similar.
#[derive(Clone, Debug, Serialize)]
pub struct ValueBin {
    /// The least value.
    pub from: f64,
    /// The first value above the bin. The same as `from` if the bin has one value.
    pub to: f64,
    /// Pairs of the list.
    pub pairs: u64,
    /// Pairs that the other list has too.
    pub both: u64,
    /// Their share: recall by values of the ground truth, precision by values of the found list.
    pub share: Option<f64>,
}

/// The documents that clusters are made of.
pub(super) struct ClusteredDocuments<'n> {
    /// The documents that a list names.
    pub(super) named: u32,
    /// All documents, with those that neither list names.
    pub(super) all: u32,
    pub(super) names: &'n NumberedIds,
}

impl Evaluation {
    pub(super) fn new(
        found: &ListContents,
        truth: &ListContents,
        documents: ClusteredDocuments<'_>,
        skips: Skips,
    ) -> Self {
        let named = documents.named as usize;
        let (found_clusters, true_clusters) =
            (found.account.partition(named), truth.account.partition(named));
        let clusters = Agreement {
            found: found_clusters.pairs(),
            truth: true_clusters.pairs(),
            both: found_clusters.pairs_in_both(&true_clusters),
        };
        Evaluation {
            found: ListSummary::new(found, &found_clusters.sizes(), documents.names),
            truth: ListSummary::new(truth, &true_clusters.sizes(), documents.names),
            pairs: Accuracy::new(found.account.agreement(&truth.account)),
            clusters: Clustering {
                documents: u64::from(documents.all),
                named: u64::from(documents.named),
                adjusted_rand_index: clusters.adjusted_rand_index(documents.all),
                pairs: Accuracy::new(clusters),
            },
            by_truth: ByValue::new(truth, found),
            by_found: ByValue::new(found, truth),
            skips,
        }
    }
}

impl ListSummary {
    fn new(contents: &ListContents, sizes: &[u64], names: &NumberedIds) -> Self {
        let first_line = contents.first_line.as_ref();
        ListSummary {
            list: contents.name.clone(),
            kind: contents.form.kind(),
            header: contents.form.header,
            first_line: first_line.map(|line| [line.a, line.b].map(|id| names.name(id).to_owned())),
            rows: contents.rows,
            repeated: contents.repeated,
            with_itself: contents.with_itself,
            in_several: contents.in_several,
            clusters: sizes.len() as u64,
            largest_cluster: sizes.iter().copied().max().unwrap_or(0),
        }
    }
}

impl Accuracy {
    fn new(agreement: Agreement) -> Self {
        let Agreement { found, truth, both } = agreement;
        Accuracy {
            found,
            truth,
            both,
            wrong: found - both,
            missing: truth - both,
            precision: agreement.precision(),
            recall: agreement.recall(),
            f1: agreement.f1(),
        }
    }
}

impl ByValue {
    /// The pairs of `contents`, and which of them `other` has too.
    fn new(contents: &ListContents, other: &ListContents) -> Option<Self> {
        let column = contents.form.value()?.to_owned();
        let agrees = |pair: &lookalike::quality::Pair| other.account.contains(pair.a, pair.b);
        let Histogram { bins, outside } =
            Histogram::new(contents.account.listed_pairs(), contents.form.scale(), agrees);
        let bins = bins.iter().map(|bin| ValueBin {
            from: bin.from,
            to: bin.to,
            pairs: bin.pairs,
            both: bin.agreed,
            share: bin.share(),
        });
        Some(ByValue { column, bins: bins.collect(), outside })
    }
}
