//! Removes documents, and lets others expire later.

use super::documents::{NO_TTL, expires};
use crate::app::App;
use crate::object::JsonObject;
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use lookalike_seen::Decided;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// How a document is removed.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct RemovalQuery {
    /// Whether its text is to be gone from the disk soon, and not when its file of the log is rewritten anyway.
    #[serde(default)]
    purge: bool,
}

/// Remove the document that has this id. It is gone when this is answered, also if it was gone before.
#[utoipa::path(
    delete, path = "/v1/documents/{id}", tag = "documents", security(("key" = [])),
    params(("id" = String, Path, description = "Its id"), RemovalQuery),
    responses((status = 204), (status = "default", body = Problem, content_type = "application/problem+json"))
)]
pub(super) async fn remove(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(query): Query<RemovalQuery>,
) -> Result<StatusCode, Problem> {
    app.remove(id, query.purge).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How long a document is to live.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TouchRequest {
    /// The seconds from now on after which it is not found any more, unless it expires later anyway. Without them, or with
    /// null, the default of the service holds.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295_i64)]
    ttl: Option<u32>,
}

/// When a document expires.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TouchAnswer {
    /// The second since 1970 from which on it is not found any more, if there is one.
    #[schema(value_type = Option<u64>)]
    expires: Option<u32>,
    /// The number of changes of the index when this was decided. A change that it made itself has this number, counted from 0.
    sequence: u64,
}

/// Let the document that has this id expire later.
#[utoipa::path(
    post, path = "/v1/documents/{id}/touch", tag = "documents", request_body = TouchRequest, security(("key" = [])),
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 200, body = TouchAnswer),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "No document has this id"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "It has expired"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn touch(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonObject(request): JsonObject<TouchRequest>,
) -> Result<Json<TouchAnswer>, Problem> {
    let expires = expires(&app, request.ttl)?.ok_or_else(|| Problem::invalid(NO_TTL))?;
    let Decided { answer, sequence } = app.touch(&id, expires).await?;
    match answer {
        Some(touched) => Ok(Json(TouchAnswer { expires: touched.expires, sequence })),
        // It has expired, or there is none.
        None => app.run_for(0, move |app| Err(app.backend.absence(&id))).await,
    }
}
