//! What a run found, for people who want to look at it: how similar documents are, how large clusters are, and examples with their
//! texts.
//!
//! Made only when somebody asks for a report. Counts come from what the run knows anyway; the texts of the few examples are read
//! again, in one scan.

mod choose;
mod examples;
mod scores;

pub use examples::{ClusterExample, Member, PairExample, TextExample};
pub use scores::{Chances, Scores};

use crate::error::Error;
use crate::outputs::OutputContext;
use choose::Chosen;
use examples::Read;
use lookalike::{Match, Score};
use lookalike_corpus::Fields;
use lookalike_engine::decisions::Decisions;
use lookalike_engine::progress::Monitor;
use lookalike_engine::recall::estimated::Estimated;

/// What there is to look at.
#[derive(Clone, Debug)]
pub struct Findings {
    /// How similar removed documents and the kept ones of their clusters are.
    pub removed: Scores,
    /// How many of these reach the threshold only by way of others.
    pub below_threshold: u64,
    /// How similar the pairs are that the search found, as many as were looked for; copies are not searched.
    pub links: Scores,
    /// How likely the search finds a pair; `None` if that is not known, or if it misses nothing.
    pub chances: Option<Chances>,
    /// Sizes of clusters, in powers of two.
    pub cluster_sizes: Vec<ClusterSizes>,
    /// The clusters of the most documents.
    pub largest: Vec<ClusterExample>,
    /// Of the clusters of three or more, those that hold a document least similar to the kept one.
    pub loosest: Vec<ClusterExample>,
    /// Removed documents that only just reach the threshold, one of a cluster.
    pub closest: Vec<PairExample>,
}

/// Clusters of similar size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterSizes {
    /// The least number of documents.
    pub from: u64,
    /// The greatest.
    pub to: u64,
    /// How many clusters have so many.
    pub clusters: u64,
    /// How many documents these hold.
    pub documents: u64,
}

impl Findings {
    /// What is told of the documents, and the pairs that led to it. `fields` are those that examples are read by.
    pub(crate) fn new(
        fields: &Fields,
        estimated: Estimated<'_>,
        context: &OutputContext<'_>,
        links: &[Match],
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let plan = &estimated.request.plan;
        let OutputContext { names, decisions, .. } = *context;
        let reasons = context.reasons;
        let removed = || choose::removed(decisions, reasons).map(|removed| removed.reason.score);
        let chosen = Chosen::new(plan, decisions, reasons);
        let read = Read::documents(fields, names, decisions, reasons, &chosen, monitor)?;
        let examples = examples::Examples::new(plan, decisions, reasons, &read);
        Ok(Findings {
            removed: Scores::of(plan, removed()),
            below_threshold: removed().filter(|&score| !plan.accepts(score)).count() as u64,
            links: Scores::of(plan, links.iter().map(|link| link.score)),
            chances: Chances::of(estimated, links),
            cluster_sizes: sizes(decisions),
            largest: chosen.largest.iter().map(|&pair| examples.cluster(pair)).collect(),
            loosest: chosen.loosest.iter().map(|&pair| examples.cluster(pair)).collect(),
            closest: chosen.closest.iter().map(|&pair| examples.pair(pair)).collect(),
        })
    }
}

fn sizes(decisions: &Decisions) -> Vec<ClusterSizes> {
    let mut sizes: Vec<ClusterSizes> = Vec::new();
    for cluster in decisions.clusters() {
        let documents = cluster.members.len() as u64;
        // Clusters have two members at least.
        let class = documents.ilog2() as usize - 1;
        while sizes.len() <= class {
            let from = 2 << sizes.len();
            sizes.push(ClusterSizes { from, to: 2 * from - 1, clusters: 0, documents: 0 });
        }
        sizes[class].clusters += 1;
        sizes[class].documents += documents;
    }
    sizes
}

/// How far apart two documents are: greater is farther, whatever the score is.
fn distance(score: Score) -> f64 {
    match score {
        Score::Similarity(similarity) => 1.0 - similarity.value(),
        Score::Hamming(bits) => f64::from(bits),
    }
}
