//! `POST /v1/similar`

use super::selected::Selected;
use super::text::{Match, threshold_of};
use crate::app::App;
use crate::object::JsonObject;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use lookalike::Plan;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The most documents in an answer.
const MOST: usize = 100;

/// A text, or a document, to which similar documents are listed. It has one of `text`, `html`, `id` and `url`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SimilarRequest {
    /// The text.
    text: Option<String>,
    /// A page, of which the visible text is compared.
    html: Option<String>,
    /// The id of a document of the index. The document itself is not listed.
    id: Option<String>,
    /// The URL of a document of the index, in any spelling. The document itself is not listed.
    url: Option<String>,
    /// List so many documents at most.
    #[schema(default = 10, minimum = 1, maximum = 100)]
    k: Option<usize>,
    /// List only documents of this similarity or more. Without it, those from the threshold of the index on. Below that, fewer are found: the answer has
    /// the recall.
    #[schema(exclusive_minimum = 0, maximum = 1)]
    least: Option<f64>,
    /// If no document is similar, name the nearest candidate.
    #[serde(default)]
    explain: bool,
}

/// Similar documents.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SimilarAnswer {
    /// The most similar first.
    matches: Vec<Match>,
    /// The least similarity of the documents that were looked for, unless distances decide alone.
    least: Option<f64>,
    /// The chance to find a document of this least similarity. It is higher for more similar ones, and unknown for some measures.
    recall: Option<f64>,
    /// Whether there were more candidates than a text is compared with.
    capped: bool,
    /// The documents whose sketches match that of the text, or of the document. The document itself does not count.
    candidates: u64,
    /// If an explanation was asked for and no document is similar: the nearest candidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<Match>,
}

/// Which documents are similar to this text, or to this document?
#[utoipa::path(
    post, path = "/v1/similar", tag = "documents", request_body = SimilarRequest, security(("key" = [])),
    responses(
        (status = 200, body = SimilarAnswer),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "No document has the id or URL"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "It has expired"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn similar(
    State(app): State<Arc<App>>,
    JsonObject(request): JsonObject<SimilarRequest>,
) -> Result<Json<SimilarAnswer>, Problem> {
    // A document of the index may be long too.
    let bytes = [&request.text, &request.html].into_iter().flatten().map(String::len).sum();
    let bytes = if request.id.is_some() || request.url.is_some() { usize::MAX } else { bytes };
    app.run_for(bytes, |app| answer(app, request)).await.map(Json)
}

/// The least similarity of a request, or 0 for the threshold of the index.
fn least_of(app: &App, given: Option<f64>) -> Result<f64, Problem> {
    match given {
        Some(least) if !app.backend.plan().decides_by_distance() => match least > 0.0 && least <= 1.0 {
            true => Ok(least),
            false => Err(Problem::invalid("least must be above 0 and up to 1".to_owned())),
        },
        given => threshold_of(app, "least", given),
    }
}

/// The chance to find a document of this similarity, if no less similar one is looked for.
fn recall(plan: &Plan, least: f64) -> f64 {
    let by_plan = || plan.chance_at(least);
    match least < plan.threshold() || plan.estimates() {
        true => plan.with_threshold(least).map_or_else(|_| by_plan(), |other| other.chance_at(least)),
        false => by_plan(),
    }
}

fn answer(app: &App, request: SimilarRequest) -> Result<SimilarAnswer, Problem> {
    let (least, k) = (least_of(app, request.least)?, request.k.unwrap_or(10));
    if !(1..=MOST).contains(&k) {
        return Err(Problem::invalid(format!("k must be from 1 to {MOST}")));
    }
    let SimilarRequest { text, html, id, url, explain, .. } = request;
    let (text, id) = Selected { text, html, id, url }.sketch(app)?;
    let checked = app.backend.check(&text, least)?;
    app.metrics.checked(&checked);
    let others = checked.found.into_iter().filter(|found| Some(&found.id) != id.as_ref());
    let matches: Vec<Match> = others.take(k).map(Match::from).collect();
    let nearest = match explain && matches.is_empty() {
        true => app.backend.nearest(&text, id.as_deref())?,
        false => None,
    };
    let plan = app.backend.plan();
    let least = (!plan.decides_by_distance()).then(|| if least > 0.0 { least } else { plan.threshold() });
    Ok(SimilarAnswer {
        matches,
        least,
        recall: least.filter(|_| plan.recall_is_known()).map(|least| recall(plan, least)),
        capped: checked.is_capped,
        // A document shares all keys with itself.
        candidates: checked.candidates.saturating_sub(u64::from(id.is_some())),
        nearest: nearest.map(Match::from),
    })
}
