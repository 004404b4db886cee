//! `/v1/documents`

use super::text::{AboutAnswer, Match, OnDuplicate, on_one_line, text_of};
use crate::app::App;
use crate::object::JsonObject;
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use lookalike_html::normalised_url;
use lookalike_index::About;
use lookalike_seen::DocumentName;
use lookalike_seen::StoredDocument;
use lookalike_seen::{Added, Decided, NewText};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// A document to be added. It has one of `text` and `html`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AddRequest {
    /// Its id, of 1,024 bytes at most. Adding the same id and text again changes nothing.
    #[schema(min_length = 1, max_length = 1024)]
    pub(super) id: String,
    /// The text.
    text: Option<String>,
    /// A page, of which the visible text is stored.
    html: Option<String>,
    /// Its URL.
    #[schema(example = "https://example.org/page")]
    url: Option<String>,
    /// Its title.
    title: Option<String>,
    /// Its priority as canonical document of a cluster. Higher is better.
    priority: Option<f64>,
    /// Anything to be stored with it.
    #[schema(value_type = Option<serde_json::Value>)]
    meta: Option<Box<RawValue>>,
    /// The seconds after which it is not found any more. Without them, or with null, the default of the service holds.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295_i64)]
    ttl: Option<u32>,
    /// What happens if it is similar to a document. The service has a default.
    pub(super) on_duplicate: Option<OnDuplicate>,
}

/// A document without its id. It has one of `text` and `html`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PutRequest {
    /// The text.
    text: Option<String>,
    /// A page, of which the visible text is stored.
    html: Option<String>,
    /// Its URL.
    #[schema(example = "https://example.org/page")]
    url: Option<String>,
    /// Its title.
    title: Option<String>,
    /// Its priority as canonical document of a cluster. Higher is better.
    priority: Option<f64>,
    /// Anything to be stored with it.
    #[schema(value_type = Option<serde_json::Value>)]
    meta: Option<Box<RawValue>>,
    /// The seconds after which it is not found any more. Without them, or with null, the default of the service holds.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295_i64)]
    ttl: Option<u32>,
}

/// What happened to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum AddStatus {
    /// It is new, and was added.
    Added,
    /// It is similar to a document.
    Duplicate,
    /// It has the same shingles as a document, equally often.
    Copy,
    /// The index has this id with the same text.
    Unchanged,
}

/// The answer to a document that was to be added.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AddAnswer {
    pub(super) status: AddStatus,
    /// Whether the index has it now.
    stored: bool,
    /// The most similar document.
    r#match: Option<Match>,
    /// Whether the sketches of more documents match its own than a text is compared with. It may be similar to one of the others then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    capped: bool,
    /// The number of changes of the index when this was decided. A change that it made itself has this number, counted from 0.
    sequence: u64,
}

/// A document without a time to live never expires, so it cannot let another one live longer.
pub(super) const NO_TTL: &str = "give ttl, in seconds; the service has no default for it";

/// The most bytes of an id: what every client and proxy takes in a path.
const MOST_ID_BYTES: usize = 1024;

/// The second since 1970 at which a document expires that lives for `ttl` seconds from now on, or for as long as the service says.
pub(super) fn expires(app: &App, ttl: Option<u32>) -> Result<Option<u32>, Problem> {
    match ttl {
        Some(0) => Err(Problem::invalid("ttl must be 1 or more seconds; DELETE removes a document")),
        ttl => Ok(app.expires(ttl)),
    }
}

/// The document that a request describes.
pub(super) fn new_text(
    app: &App,
    id: String,
    content: PutRequest,
    on_duplicate: lookalike_seen::OnDuplicate,
) -> Result<NewText, Problem> {
    if id.is_empty() {
        return Err(Problem::invalid("id must not be empty"));
    }
    if id.len() > MOST_ID_BYTES {
        return Err(Problem::invalid(format!(
            "id has {} bytes; at most {MOST_ID_BYTES} are possible",
            id.len()
        )));
    }
    let PutRequest { text, html, url, title, priority, meta, ttl } = content;
    if let Some(url) = url.as_deref().filter(|url| normalised_url(url).is_none()) {
        let detail = format!("url is {url:?}; it must be whole, such as https://example.org/page");
        return Err(Problem::invalid(detail));
    }
    let expires = expires(app, ttl)?;
    if on_duplicate == lookalike_seen::OnDuplicate::Touch && expires.is_none() {
        return Err(Problem::invalid(NO_TTL));
    }
    let meta = meta.map(|meta| on_one_line(meta.get()));
    let about = About { meta, url, title, priority };
    Ok(NewText { id, text: text_of(text, html)?, about, expires, on_duplicate })
}

pub(super) fn new_document(app: &App, request: AddRequest) -> Result<NewText, Problem> {
    let default = app.settings.mode.on_duplicate();
    let AddRequest { id, text, html, url, title, priority, meta, ttl, on_duplicate } = request;
    let content = PutRequest { text, html, url, title, priority, meta, ttl };
    new_text(app, id, content, on_duplicate.map_or(default, Into::into))
}

/// The answer to a decision, and its status.
pub(super) fn answer(decided: Decided<Added>) -> Result<(StatusCode, AddAnswer), Problem> {
    let Decided { answer: added, sequence } = decided;
    let capped = matches!(added, Added::New { is_capped: true, .. });
    let answer = |code, status, stored, found| {
        Ok((code, AddAnswer { status, stored, r#match: found, capped, sequence }))
    };
    match added {
        Added::New { .. } => answer(StatusCode::CREATED, AddStatus::Added, true, None),
        Added::Duplicate { found, stored } => {
            let status = if found.is_copy { AddStatus::Copy } else { AddStatus::Duplicate };
            let code = if stored.is_some() { StatusCode::CREATED } else { StatusCode::OK };
            answer(code, status, stored.is_some(), Some(found.into()))
        }
        Added::Unchanged { .. } => answer(StatusCode::OK, AddStatus::Unchanged, true, None),
        Added::OtherText { .. } => {
            let detail = "a document with this id has another text; remove it first";
            Err(Problem::new(StatusCode::CONFLICT, "other_text", detail))
        }
    }
}

async fn add_text(app: &Arc<App>, text: NewText) -> Result<(StatusCode, Json<AddAnswer>), Problem> {
    let decided = app.add(text).await?;
    answer(decided).map(|(status, answer)| (status, Json(answer)))
}

/// Add this document, unless it was seen before.
///
/// The answer is given when it is on the disk. Of two similar documents that are added at the same moment, one is a duplicate of the other.
#[utoipa::path(
    post, path = "/v1/documents", tag = "documents", request_body = AddRequest, security(("key" = [])),
    responses(
        (status = 201, body = AddAnswer, description = "It was stored"),
        (status = 200, body = AddAnswer, description = "It is a duplicate and was not stored, or it was there already"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "A document with this id has another text"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn add(
    State(app): State<Arc<App>>,
    JsonObject(request): JsonObject<AddRequest>,
) -> Result<(StatusCode, Json<AddAnswer>), Problem> {
    let text = new_document(&app, request)?;
    add_text(&app, text).await
}

/// Add this document, without a comparison.
#[utoipa::path(
    put, path = "/v1/documents/{id}", tag = "documents", request_body = PutRequest, security(("key" = [])),
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 201, body = AddAnswer, description = "It was stored"),
        (status = 200, body = AddAnswer, description = "It was there already"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "A document with this id has another text"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn put(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonObject(request): JsonObject<PutRequest>,
) -> Result<(StatusCode, Json<AddAnswer>), Problem> {
    let text = new_text(&app, id, request, lookalike_seen::OnDuplicate::Ignore)?;
    add_text(&app, text).await
}

/// What to include in an answer.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Include {
    /// `text` for the text of the document, if the index stores texts.
    include: Option<Part>,
}

/// A part of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Part {
    /// The text.
    Text,
}

/// A document of the index.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DocumentAnswer {
    id: String,
    /// The second since 1970 at which it was added, if it is known.
    #[schema(value_type = Option<u64>)]
    added: Option<u32>,
    /// The second since 1970 from which on it is not found any more.
    #[schema(value_type = Option<u64>)]
    expires: Option<u32>,
    /// What is known about it.
    #[serde(flatten)]
    about: AboutAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// The document that has this id.
#[utoipa::path(
    get, path = "/v1/documents/{id}", tag = "documents", security(("key" = [])),
    params(("id" = String, Path, description = "Its id"), Include),
    responses(
        (status = 200, body = DocumentAnswer),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "No document has this id"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "It has expired"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn get(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(query): Query<Include>,
) -> Result<Json<DocumentAnswer>, Problem> {
    let with_text = query.include.is_some();
    let document = app.run_for(0, move |app| app.backend.document(DocumentName::Id(&id), with_text)).await?;
    let (StoredDocument { id, added, expires, about, .. }, text) = document;
    Ok(Json(DocumentAnswer { id, added, expires, about: about.into(), text }))
}
