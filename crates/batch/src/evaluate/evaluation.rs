//! What an evaluation says.

use super::list::ListContents;
use super::names::Names;
use crate::summary::Skips;
use lookalike::quality::{Agreement, Histogram};
use lookalike_engine::clock::Seconds;
use serde::Serialize;

/// How well what was found agrees with what is true; the same for people and, as JSON, for programs. Shares are null where
/// they would be of nothing.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// The list of what was found.
    pub found: ListSummary,
    /// The list of what is true.
    pub truth: ListSummary,
    /// How well the pairs agree.
    pub pairs: Accuracy,
    /// How well the clusters agree; those of a list of pairs are what hangs together by them.
    pub clusters: Clustering,
    /// How many of the true pairs were found, by how similar the truth says they are; `None` if it does not say.
    pub by_truth: Option<ByValue>,
    /// How many of the found pairs are true, by how similar they were found; `None` if their list does not say.
    pub by_found: Option<ByValue>,
    /// Records that could not be read, and the first of them.
    #[serde(flatten)]
    pub skips: Skips,
}

/// An evaluation, and what it cost.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluationSummary {
    /// What is the same in every run.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    /// Size of the lists, as they are stored.
    pub bytes: u64,
    /// Wall time of every stage.
    pub seconds: Seconds,
    /// The most memory the process has held; `None` where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
}

/// What a list holds.
#[derive(Clone, Debug, Serialize)]
pub struct ListSummary {
    /// It, as it was given.
    pub list: String,
    /// `pairs` or `clusters`.
    pub kind: &'static str,
    /// Did the first line say what the columns are called?
    pub header: bool,
    /// The two ids of the first line, if it does not say that.
    pub first_line: Option<[String; 2]>,
    /// Rows that were read.
    pub rows: u64,
    /// Pairs, or documents with their cluster, that came again and count once.
    pub repeated: u64,
    /// Pairs of a document with itself, which do not count.
    pub with_itself: u64,
    /// Rows that put a document into another cluster than a row before; these clusters count as one.
    pub in_several: u64,
    /// Clusters of two or more.
    pub clusters: u64,
    /// Members of the largest cluster.
    pub largest_cluster: u64,
}

/// How well pairs agree.
#[derive(Clone, Debug, Serialize)]
pub struct Accuracy {
    /// Pairs found. Of clusters these are all pairs of their members.
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
    /// The documents that the index counts.
    pub documents: u64,
    /// Those of them that a list names. The others are alone in both.
    pub named: u64,
    /// How far the clusters agree beyond chance (Hubert and Arabie, 1985); 1 where they are the same.
    pub adjusted_rand_index: f64,
    /// The pairs of documents that share a cluster, from which the index comes.
    pub pairs: Accuracy,
}

/// The pairs of one list, by how similar it says they are.
#[derive(Clone, Debug, Serialize)]
pub struct ByValue {
    /// The column that says so.
    pub column: String,
    /// Without a gap, from the least similarity or the distance 0 on; a similarity of 1 is a bin for itself.
    pub bins: Vec<ValueBin>,
    /// Pairs without such a value, or with one that no similarity or distance has.
    pub outside: u64,
}

/// Pairs that are about equally similar.
#[derive(Clone, Debug, Serialize)]
pub struct ValueBin {
    /// The least value.
    pub from: f64,
    /// The value that is too great; the same as `from` if the bin is of one value.
    pub to: f64,
    /// Pairs of the list.
    pub pairs: u64,
    /// Those that the other list has too.
    pub both: u64,
    /// Their share: by the truth the recall, by what was found the precision.
    pub share: Option<f64>,
}

/// The documents that clusters are made of.
pub(super) struct Documents<'n> {
    /// Those that a list names.
    pub(super) named: u32,
    /// These and the ones that neither names.
    pub(super) all: u32,
    pub(super) names: &'n Names,
}

impl Evaluation {
    pub(super) fn new(
        found: &ListContents,
        truth: &ListContents,
        documents: Documents<'_>,
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
    fn new(contents: &ListContents, sizes: &[u64], names: &Names) -> Self {
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
