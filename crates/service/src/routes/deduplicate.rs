//! `POST /v1/deduplicate`

use super::text::{Match, text_of, threshold_of};
use crate::app::App;
use crate::object::JsonObject;
use crate::problem::Problem;
use crate::score::ScoreAnswer;
use axum::Json;
use axum::extract::State;
use lookalike::cluster::Stars;
use lookalike::{Corpus, Match as Pair, Score};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Documents of a request, at most.
const MOST_DOCUMENTS: usize = 10_000;

/// Documents in the order of preference, such as the results of a search.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeduplicateRequest {
    #[schema(max_items = 10000)]
    documents: Vec<ListedDocument>,
    /// Documents are similar from this similarity on. It must not be less than the threshold of the index.
    #[schema(minimum = 0, maximum = 1)]
    threshold: Option<f64>,
    /// Whether documents that are similar to one of the index are left out too.
    #[serde(default)]
    against_index: bool,
}

/// A document of a list. It has one of `text` and `html`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ListedDocument {
    /// A name for it in the answer.
    id: Option<String>,
    /// The text.
    text: Option<String>,
    /// A page, of which the visible text is compared.
    html: Option<String>,
}

/// The list without near-duplicates.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DeduplicateAnswer {
    /// The documents that are left, in their order. No two are similar, as far as the search finds it.
    unique: Vec<UniqueDocument>,
    /// The documents that were left out because the index has a similar one.
    seen: Vec<SeenDocument>,
}

/// A document that is left.
#[derive(Debug, Serialize, ToSchema)]
struct UniqueDocument {
    /// Its place in the list, from 0 on.
    index: u32,
    id: Option<String>,
    /// The documents behind it that are similar to it, and were left out.
    stands_for: Vec<Represented>,
}

/// A document that was left out because another one of the list stands for it.
#[derive(Debug, Serialize, ToSchema)]
struct Represented {
    /// Its place in the list, from 0 on.
    index: u32,
    id: Option<String>,
    /// How near the two are.
    #[serde(flatten)]
    score: ScoreAnswer,
}

/// A document that was left out because the index has a similar one.
#[derive(Debug, Serialize, ToSchema)]
struct SeenDocument {
    /// Its place in the list, from 0 on.
    index: u32,
    id: Option<String>,
    /// The most similar document of the index.
    r#match: Match,
}

/// Which documents of a list are unique, and what does each stand for?
///
/// Documents are taken in their order. One that is similar to a document that is left stands behind the first such one. Nothing is stored.
#[utoipa::path(
    post, path = "/v1/deduplicate", tag = "documents", request_body = DeduplicateRequest, security(("key" = [])),
    responses((status = 200, body = DeduplicateAnswer), (status = "default", body = Problem, content_type = "application/problem+json"))
)]
pub(super) async fn deduplicate(
    State(app): State<Arc<App>>,
    JsonObject(request): JsonObject<DeduplicateRequest>,
) -> Result<Json<DeduplicateAnswer>, Problem> {
    app.run_blocking(|app| answer(app, request)).await.map(Json)
}

fn answer(app: &App, request: DeduplicateRequest) -> Result<DeduplicateAnswer, Problem> {
    let DeduplicateRequest { documents, threshold, against_index } = request;
    let threshold = threshold_of(app, "threshold", threshold)?;
    if documents.len() > MOST_DOCUMENTS {
        let detail =
            format!("there are {} documents; at most {MOST_DOCUMENTS} are possible", documents.len());
        return Err(Problem::invalid(detail));
    }
    let (mut ids, mut texts) = (Vec::new(), Vec::new());
    for (index, document) in documents.into_iter().enumerate() {
        let text = text_of(document.text, document.html)
            .map_err(|problem| Problem::invalid(format!("documents[{index}]: {}", problem.detail)))?;
        ids.push(document.id);
        texts.push(text);
    }
    let seen = if against_index { seen(app, &texts, threshold)? } else { BTreeMap::new() };
    let mut plan = app.backend.plan().clone();
    if plan.estimates() && threshold > 0.0 {
        plan = plan.with_threshold(threshold).map_err(|error| Problem::invalid(error.to_string()))?;
    }
    let mut corpus = Corpus::with_weights(&plan, app.backend.index.weights());
    for text in &texts {
        corpus.push(text);
    }
    let pairs: Vec<Pair> = corpus.pairs().into_iter().filter(|pair| reaches(pair, threshold)).collect();
    Ok(unique(ids, seen, &pairs))
}

/// The most similar document of the index of each text that has one.
fn seen(app: &App, texts: &[String], threshold: f64) -> Result<BTreeMap<u32, Match>, Problem> {
    let mut seen = BTreeMap::new();
    for (index, text) in (0..).zip(texts) {
        let checked = app.backend.check(&app.backend.sketch(text), threshold)?;
        app.metrics.checked(&checked);
        if let Some(found) = checked.found.into_iter().next() {
            seen.insert(index, found.into());
        }
    }
    Ok(seen)
}

/// Whether a pair is similar enough. Pairs that sketches alone decide are.
fn reaches(pair: &Pair, threshold: f64) -> bool {
    pair.score.similarity().is_none_or(|similarity| similarity.value() >= threshold)
}

fn unique(ids: Vec<Option<String>>, seen: BTreeMap<u32, Match>, pairs: &[Pair]) -> DeduplicateAnswer {
    let order: Vec<u32> = (0..ids.len() as u32).filter(|index| !seen.contains_key(index)).collect();
    let stars = Stars::new(ids.len(), &order, pairs, |_, document| !seen.contains_key(&document));
    let scores: BTreeMap<(u32, u32), Score> =
        pairs.iter().map(|pair| ((pair.a, pair.b), pair.score)).collect();
    let mut unique: BTreeMap<u32, UniqueDocument> = BTreeMap::new();
    for &index in &order {
        let (centre, id) = (stars.centres[index as usize], ids[index as usize].clone());
        if centre == index {
            unique.insert(index, UniqueDocument { index, id, stands_for: Vec::new() });
        } else if let (Some(score), Some(centre)) =
            (scores.get(&(centre.min(index), centre.max(index))), unique.get_mut(&centre))
        {
            // A document stands behind a centre that it makes a pair with.
            centre.stands_for.push(Represented { index, id, score: (*score).into() });
        }
    }
    let seen = seen.into_iter();
    let seen = seen.map(|(index, r#match)| SeenDocument { index, id: ids[index as usize].clone(), r#match });
    DeduplicateAnswer { unique: unique.into_values().collect(), seen: seen.collect() }
}
