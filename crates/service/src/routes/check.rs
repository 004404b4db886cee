//! `POST /v1/check`

use super::text::{Match, text_of, threshold_of};
use crate::app::App;
use crate::object::JsonObject;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A text to be checked. It has one of `text` and `html`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckRequest {
    /// The text.
    pub(super) text: Option<String>,
    /// A page, of which the visible text is checked.
    pub(super) html: Option<String>,
    /// Find only documents of this similarity or more. It must not be less than the threshold of the index.
    #[schema(minimum = 0, maximum = 1)]
    pub(super) threshold: Option<f64>,
}

/// Whether a text was seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// No document is similar.
    New,
    /// A document is similar.
    Duplicate,
    /// A document has the same shingles equally often.
    Copy,
}

/// The answer to a check.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CheckAnswer {
    status: Status,
    /// The most similar document.
    r#match: Option<Match>,
    /// The documents whose sketches match that of the text.
    candidates: u64,
    /// The candidates that were compared: exactly, or by their sketches if these decide alone.
    compared: u64,
    /// Whether there were more candidates than a text is compared with.
    capped: bool,
}

pub(super) fn check_text(app: &App, request: CheckRequest) -> Result<CheckAnswer, Problem> {
    let threshold = threshold_of(app, "threshold", request.threshold)?;
    let text = text_of(request.text, request.html)?;
    let checked = app.backend.check(&app.backend.sketch(&text), threshold)?;
    app.metrics.checked(&checked);
    let best = checked.found.into_iter().next();
    let status = match &best {
        None => Status::New,
        Some(found) if found.is_copy => Status::Copy,
        Some(_) => Status::Duplicate,
    };
    let (candidates, compared, capped) = (checked.candidates, checked.compared, checked.is_capped);
    Ok(CheckAnswer { status, r#match: best.map(Match::from), candidates, compared, capped })
}

/// Was this text seen before?
#[utoipa::path(
    post, path = "/v1/check", tag = "documents", request_body = CheckRequest, security(("key" = [])),
    responses((status = 200, body = CheckAnswer), (status = "default", body = Problem, content_type = "application/problem+json"))
)]
pub(super) async fn check(
    State(app): State<Arc<App>>,
    JsonObject(request): JsonObject<CheckRequest>,
) -> Result<Json<CheckAnswer>, Problem> {
    let bytes = [&request.text, &request.html].into_iter().flatten().map(String::len).sum();
    app.run_for(bytes, |app| check_text(app, request)).await.map(Json)
}
