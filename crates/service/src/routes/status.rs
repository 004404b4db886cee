//! The state of the service.

use crate::app::{App, Readiness};
use crate::problem::Problem;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use std::sync::Arc;

/// The service is there.
#[utoipa::path(get, path = "/health", tag = "service", responses((status = 200, body = String)))]
pub(super) async fn health() -> &'static str {
    "ok\n"
}

/// The index is in memory, and checks are fast.
#[utoipa::path(
    get, path = "/ready", tag = "service",
    responses((status = 200, body = String), (status = 503, body = Problem, content_type = "application/problem+json"))
)]
pub(super) async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    if let Some(failure) = app.seen.failure() {
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "not_writing", failure));
    }
    let (code, detail) = match app.readiness() {
        Readiness::Ready => return Ok("ready\n"),
        Readiness::Reading => {
            ("reading", "the index is being read into memory; requests are answered, but slowly")
        }
        Readiness::Damaged => {
            ("damaged", "a file of the index is damaged; lookalike index info --verify names it")
        }
    };
    Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, detail))
}

/// Figures in the text format of Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "service", security(("key" = [])),
    responses(
        (status = 200, body = String, content_type = "application/openmetrics-text"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let snapshot = app.seen.snapshot();
    let gauge = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    app.metrics.documents.set(gauge(snapshot.documents()));
    app.metrics.parts.set(gauge(snapshot.parts() as u64));
    app.metrics.waiting.set(gauge(app.seen.waiting() as u64));
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, content_type)], app.metrics.text())
}

/// This description.
#[utoipa::path(get, path = "/openapi.json", tag = "service", responses((status = 200, body = Object)))]
pub(super) async fn description() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], super::openapi())
}
