//! The requests of the page, and their answers in JSON.

use super::events::events;
use super::files;
use super::guard::{Guard, guard};
use super::live::Live;
use axum::Json;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Query as Parameters, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use lookalike_report::audit::view::{self, AuditResults, ListQuery, SettingsView};
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::Arc;

/// Bytes of a request. Settings with thousands of blocks fit in.
const MOST_BYTES: usize = 1 << 20;

/// The most rows of an answer. More help no reader, and would take long.
const MOST_ROWS: usize = 500;

/// A sentence for people, with a status.
type Sentence = (StatusCode, String);

/// The pages that a request names.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct NamedPages {
    url: String,
    a: String,
    b: String,
}

/// JSON, or why there is none.
type JsonAnswer = Result<Vec<u8>, Sentence>;

/// All routes. Requests from elsewhere reach none of them.
pub(super) fn router(live: Arc<Live>, own: Arc<Guard>) -> Router {
    Router::new()
        .route("/api/events", get(events))
        .route("/api/overview", list(|results, _| json(&view::overview(results))))
        .route("/api/pages", list(|results, query| json(&view::pages(results, query))))
        .route("/api/clusters", list(|results, query| json(&view::clusters(results, query))))
        .route("/api/pairs", list(|results, query| json(&view::pairs(results, query))))
        .route("/api/blocks", list(|results, query| json(&view::blocks(results, query))))
        .route("/api/skipped", list(|results, query| json(&view::skipped(results, query))))
        .route("/api/links", list(|results, query| json(&view::links(results, query))))
        .route("/api/changes", list(|results, query| json(&view::changes(results, query))))
        .route("/api/page", one(|results, of, query| found(view::page(results, &of.url, query), NO_PAGE)))
        .route(
            "/api/cluster",
            one(|results, of, query| found(Ok(view::cluster(results, &of.url, query)), NO_CLUSTER)),
        )
        .route("/api/pair", one(|results, of, _| found(view::pair(results, &of.a, &of.b), NO_PAGE)))
        .route("/api/settings", get(shown_settings).post(change_settings))
        .fallback(file)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(own, guard))
        .with_state(live)
}

const NO_PAGE: &str = "The audit has no page with this URL.";
const NO_CLUSTER: &str = "No cluster has a page with this URL.";

/// A list, of which the query wants a part.
fn list(make: fn(&AuditResults, &ListQuery) -> JsonAnswer) -> MethodRouter<Arc<Live>> {
    get(move |State(live): State<Arc<Live>>, Parameters(mut query): Parameters<ListQuery>| {
        query.size = query.size.min(MOST_ROWS);
        answer(live, move |results| make(results, &query))
    })
}

/// A page, a cluster or a pair.
fn one(make: fn(&AuditResults, &NamedPages, &ListQuery) -> JsonAnswer) -> MethodRouter<Arc<Live>> {
    get(
        move |State(live): State<Arc<Live>>,
              Parameters(named): Parameters<NamedPages>,
              Parameters(mut query): Parameters<ListQuery>| {
            query.size = query.size.min(MOST_ROWS);
            answer(live, move |results| make(results, &named, &query))
        },
    )
}

/// Answers from the results, on a thread that may take its time.
async fn answer(
    live: Arc<Live>,
    make: impl FnOnce(&AuditResults) -> JsonAnswer + Send + 'static,
) -> Response {
    let Some(results) = live.results() else {
        // An error would be in the log of the browser, and this is none.
        return StatusCode::NO_CONTENT.into_response();
    };
    let made = tokio::task::spawn_blocking(move || make(&results)).await;
    match made.unwrap_or_else(|error| Err(internal(error))) {
        Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Err(problem) => problem.into_response(),
    }
}

fn internal(error: impl std::fmt::Display) -> Sentence {
    (StatusCode::INTERNAL_SERVER_ERROR, format!("That did not work: {error}."))
}

fn json(value: &impl Serialize) -> JsonAnswer {
    serde_json::to_vec(value).map_err(internal)
}

fn found(value: io::Result<Option<impl Serialize>>, otherwise: &str) -> JsonAnswer {
    let value = value.map_err(internal)?;
    json(&value.ok_or_else(|| (StatusCode::NOT_FOUND, otherwise.to_owned()))?)
}

/// The settings that the reader wants. The results may still be those of earlier ones.
async fn shown_settings(State(live): State<Arc<Live>>) -> Json<SettingsView> {
    Json(SettingsView::of(&live.settings()))
}

async fn change_settings(State(live): State<Arc<Live>>, Json(wanted): Json<SettingsView>) -> Response {
    match live.change_settings(&wanted) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

async fn file(uri: Uri) -> Response {
    let missing = || (StatusCode::NOT_FOUND, "There is no such page.").into_response();
    files::file(uri.path()).unwrap_or_else(missing)
}
