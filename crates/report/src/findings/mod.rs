//! What a run found, for its report page: how similar documents are, how large clusters are, and examples with their texts.
//!
//! Findings are made only for `--report`. The counts follow from what the run holds anyway, and the texts of the few examples are
//! read again, in one scan.

mod choose;
mod example;
mod examples;
mod first;
mod of_pairs;
mod scores;
mod sizes;
mod texts;

pub(crate) use example::{Example, ExampleCluster, ExampleRoles, ExampleText};
pub use of_pairs::{ListedPairs, PairFindings};
pub(crate) use scores::{Chances, Scores};
pub(crate) use texts::shared_passages;

use crate::lists::OutputContext;
use crate::run::SizeClass;
use choose::ChosenExamples;
use examples::Examples;
use lookalike::{Match, Method, Score};
use lookalike_corpus::Fields;
use lookalike_engine::Error;
use lookalike_engine::clusters::Evidence;
use lookalike_engine::progress::Monitor;
use sizes::cluster_sizes;
use texts::ExampleTexts;

/// What the page of `dedup` shows.
#[derive(Clone, Debug)]
pub struct Findings {
    /// How similar removed documents are to the kept ones of their clusters.
    pub(crate) removed: Scores,
    /// Removed documents that are connected to the kept one by other documents only.
    pub(crate) below_threshold: u64,
    /// How similar the pairs are that the search found. It needs only those that connect clusters, and no copies.
    pub(crate) links: Scores,
    /// How likely the search finds a pair. `None` if that is unknown, or if the search misses nothing.
    pub(crate) chances: Option<Chances>,
    /// Sizes of clusters, in powers of two.
    pub(crate) cluster_sizes: Vec<SizeClass>,
    /// The clusters of the most documents.
    pub(crate) largest: Vec<Example>,
    /// Clusters of three or more with the documents that are least similar to the kept one.
    pub(crate) loosest: Vec<Example>,
    /// Removed documents that only just reach the threshold, one of a cluster.
    pub(crate) closest: Vec<Example>,
}

impl Findings {
    /// Of documents that were decided on, and of the pairs that connect them. Examples are read by `fields`.
    pub fn new(
        fields: &Fields,
        evidence: Evidence<'_>,
        method: Method,
        context: &OutputContext<'_>,
        links: &[Match],
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let plan = &evidence.request.plan;
        let OutputContext { names, decisions, reasons, .. } = *context;
        let removed = || choose::removed(decisions, reasons).map(|removed| removed.reason.score);
        let chosen = ChosenExamples::new(plan, decisions, reasons);
        let texts =
            ExampleTexts::read(fields, names, &examples::wanted(decisions, reasons, &chosen), monitor)?;
        let examples = Examples { plan, decisions, reasons, texts: &texts };
        Ok(Findings {
            removed: Scores::of(plan, removed()),
            below_threshold: removed().filter(|&score| !plan.accepts(score)).count() as u64,
            links: Scores::of(plan, links.iter().map(|link| link.score)),
            chances: Chances::of(evidence, method, links),
            cluster_sizes: cluster_sizes(decisions.clusters().map(|cluster| cluster.members.len())),
            largest: chosen.largest.iter().map(|&pair| examples.cluster(pair)).collect(),
            loosest: chosen.loosest.iter().map(|&pair| examples.cluster(pair)).collect(),
            closest: chosen.closest.iter().map(|&pair| examples.pair(pair)).collect(),
        })
    }
}

/// The distance of two documents with this score: 1 less the similarity, or bits.
fn distance(score: Score) -> f64 {
    match score {
        Score::Similarity(similarity) => 1.0 - similarity.value(),
        Score::Estimate(estimate) => 1.0 - estimate.similarity().value(),
        Score::Hamming(bits) => f64::from(bits),
    }
}
