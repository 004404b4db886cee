//! Results that a caller in the same process gets beside the summary. It knows its documents by their numbers.

use crate::lists::OutputContext;
use lookalike::simhash::ExplainedFingerprint;
use lookalike::{Match, Method, Score};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::Reasons;
use lookalike_engine::decisions::UncoveredText;
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::documents::SkippedPlaces;
use std::sync::Arc;

/// The details that `dedup` returns with its decisions. Each of them takes time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// How similar each removed document is to the kept one, and the words that are lost with it.
    pub reasons: bool,
    /// The ids of all members of clusters.
    pub ids: bool,
}

/// The decisions of `dedup`.
///
/// Documents have numbers. Those of `--against` come first, and the others have the order of the inputs.
#[derive(Clone, Debug)]
pub struct ReturnedDecisions {
    /// The decision about every document.
    pub decisions: Arc<Decisions>,
    /// The pairs by which the search has made the clusters.
    pub links: Arc<[Match]>,
    /// The method of the search.
    pub method: Method,
    /// The reasons, if they were asked for.
    pub reasons: Arc<Reasons>,
    /// The words that are lost with removed documents, if reasons were asked for.
    pub uncovered_text: Arc<UncoveredText>,
    /// The number of all documents.
    pub documents: u32,
    /// The number of the first document that is not one of `--against`.
    pub first_new: u32,
    /// Where records were skipped among the other documents.
    pub skipped: SkippedPlaces,
    /// A hash of what all documents contain.
    pub digest: u64,
    /// For every member of all clusters, in their order, its id, and the id of the document that is kept for it. Empty if nobody asked for ids.
    pub ids: Arc<[(String, Option<String>)]>,
}

impl ReturnedDecisions {
    /// The number of rows: the documents that are not of `--against`, and the skipped records.
    pub fn rows(&self) -> u64 {
        u64::from(self.documents - self.first_new) + self.skipped.records()
    }

    /// The row of a document, or `None` if it is one of `--against`. It is the position of the record in the inputs.
    pub fn row(&self, document: u32) -> Option<u64> {
        let new = document.checked_sub(self.first_new)?;
        Some(u64::from(new) + self.skipped.before(document))
    }

    /// The ids of the members of all clusters, if `details` ask for them.
    pub fn ids(context: &OutputContext<'_>, details: Details) -> Arc<[(String, Option<String>)]> {
        let decisions = context.decisions.clusters().flat_map(|cluster| cluster.decisions());
        let id = |(member, kept)| {
            (context.names.id(member).into_owned(), context.id_of_kept(kept).map(|id| id.into_owned()))
        };
        if details.ids { decisions.map(id).collect() } else { Arc::default() }
    }
}

/// The pairs that `pairs` has found.
#[derive(Clone, Debug)]
pub struct ReturnedPairs {
    /// The pairs, ordered by their documents.
    pub pairs: Arc<[Match]>,
    /// The number of all documents.
    pub documents: u32,
    /// Where records were skipped among them.
    pub skipped: SkippedPlaces,
    /// The ids of each pair. Empty if nobody asked for ids.
    pub ids: Arc<[[String; 2]]>,
}

impl ReturnedPairs {
    /// The row of a document: the position of the record in the inputs.
    pub fn row(&self, document: u32) -> u64 {
        u64::from(document) + self.skipped.before(document)
    }

    /// These pairs, `with_ids` or without.
    pub fn new(names: &DocumentNames<'_>, pairs: Vec<Match>, with_ids: bool) -> Self {
        let id = |document| names.id(document).into_owned();
        let ids = pairs.iter().filter(|_| with_ids).map(|pair| [id(pair.a), id(pair.b)]).collect();
        let skipped = names.documents.skipped_places.clone();
        ReturnedPairs { pairs: pairs.into(), documents: names.documents.len() as u32, skipped, ids }
    }
}

/// A document that `similar` has found.
#[derive(Clone, Debug)]
pub struct SimilarDocument {
    /// The row or line of its file, counted from 0.
    pub row: u64,
    /// Its id, or else its place.
    pub id: String,
    /// How similar it is.
    pub score: Score,
}

/// The sketches that `sketch` has made, in the order of the inputs.
#[derive(Clone, Debug, Default)]
pub struct ReturnedSketches {
    /// Signatures, one after the other, if the plan makes signatures.
    pub signatures: Vec<u32>,
    /// Fingerprints, if the plan makes fingerprints.
    pub fingerprints: Vec<u128>,
    /// Whether each document has features. The sketches of others say nothing.
    pub has_features: Vec<bool>,
    /// The id of each document, or else its place.
    pub ids: Vec<String>,
    /// How the first fingerprints were made, if that was asked for.
    pub explained: Vec<ExplainedFingerprint>,
}
