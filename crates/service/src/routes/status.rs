//! The state of the service.

use crate::app::{App, Readiness};
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use lookalike::{Plan, Verification, Weights};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

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
pub(super) async fn ready(State(app): State<Arc<App>>) -> Result<String, Problem> {
    let durability = app.run_for(0, readiness).await?;
    Ok(format!("ready\n{durability}\n"))
}

/// What answers rest on, or why the service is not ready.
fn readiness(app: &App) -> Result<String, Problem> {
    let durability = app.backend.durability()?;
    app.replica.as_ref().map_or(Ok(()), |replica| replica.check())?;
    if let Some(damage) = app.jobs.damage() {
        let detail = format!("a verification found damage: {damage}");
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "damaged", detail));
    }
    let (code, detail) = match app.readiness() {
        Readiness::Ready => return Ok(durability),
        Readiness::Reading => {
            ("reading", "the index is being read into memory; requests are answered, but slowly")
        }
        Readiness::Damaged => {
            ("damaged", "a file of the index is damaged; lookalike index info --verify names it")
        }
    };
    Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, detail))
}

/// The index, and how it is searched.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct IndexAnswer {
    plan: PlanAnswer,
    /// Whether the texts of documents are stored.
    stores_texts: bool,
    /// Where the documents are: `folder` or `redis`.
    store: &'static str,
    /// The documents that were ever added.
    documents: u64,
    /// The runs, which are files.
    runs: u64,
    /// The memtables, which have the newest documents.
    memtables: u64,
    /// The number of changes until now.
    sequence: u64,
    /// The changes that wait to be decided.
    waiting: u64,
    /// Whether duplicates are stored: `unique` or `all`.
    mode: &'static str,
    /// How the canonical document of a cluster is chosen: first, shortest-url, longest-text or priority.
    canonical: &'static str,
    /// The seconds after which a document expires, if its request does not say it.
    ttl: Option<u64>,
    /// What makes changes last: `fdatasync`, or the setting of Redis, such as `appendfsync always`. Unknown if the service is not ready.
    durability: Option<String>,
    /// The service that is followed, if this is one of a read-only copy.
    follows: Option<String>,
    /// The seconds since the copy last had all changes.
    lag: Option<f64>,
    /// Why nothing comes from the followed service, if nothing does.
    not_following: Option<String>,
    /// Why the service is not ready.
    not_ready: Option<String>,
}

/// How documents are sketched and compared.
#[derive(Debug, Serialize, ToSchema)]
struct PlanAnswer {
    /// What decides about candidates: exact, estimate (the similarity that signatures estimate), or distance (of fingerprints).
    verify: &'static str,
    /// The least similarity of similar documents, unless distances decide alone.
    #[schema(minimum = 0, maximum = 1)]
    threshold: Option<f64>,
    /// jaccard, word-jaccard, cosine or containment, unless distances decide alone.
    measure: Option<&'static str>,
    /// The words or other tokens of a shingle.
    shingle: usize,
    /// How documents are found: minhash or simhash.
    method: &'static str,
    /// The values of a signature, by MinHash.
    num_perm: Option<usize>,
    /// The bands of a signature, by MinHash.
    bands: Option<usize>,
    /// The values of a band, by MinHash.
    rows: Option<usize>,
    /// The weights of features: set, tf, log-tf or tf-idf.
    weights: &'static str,
    /// The documents that the frequencies of weights by TF-IDF were counted in.
    counted_documents: Option<u64>,
    /// The bits of a fingerprint, by SimHash.
    bits: Option<u32>,
    /// Documents are compared if so many bits of their fingerprints differ, or fewer, by SimHash. They are similar then if they are not verified.
    hamming: Option<u32>,
    /// The chance to find a document at the threshold. It is unknown for some measures.
    recall: Option<f64>,
}

impl PlanAnswer {
    fn new(plan: &Plan, weights: &Weights) -> Self {
        let (simhash, threshold) = (plan.simhash(), (!plan.decides_by_distance()).then(|| plan.threshold()));
        let banding = simhash.is_none().then(|| plan.banding());
        PlanAnswer {
            threshold,
            verify: plan.verification().map_or("distance", Verification::name),
            measure: threshold.map(|_| plan.measure().name()),
            shingle: plan.shingle(),
            method: plan.method().name(),
            num_perm: simhash.is_none().then(|| plan.num_perm()),
            bands: banding.map(|banding| banding.bands),
            rows: banding.map(|banding| banding.rows),
            weights: weights.weighting().name(),
            counted_documents: weights.frequencies().map(|table| table.documents()),
            bits: simhash.map(|simhash| simhash.bits.count()),
            hamming: simhash.map(|simhash| simhash.hamming),
            recall: threshold.filter(|_| plan.recall_is_known()).map(|threshold| plan.chance_at(threshold)),
        }
    }
}

/// The index, and how it is searched.
#[utoipa::path(
    get, path = "/v1/index", tag = "service", security(("key" = [])),
    responses((status = 200, body = IndexAnswer), (status = "default", body = Problem, content_type = "application/problem+json"))
)]
pub(super) async fn index(State(app): State<Arc<App>>) -> Result<Json<IndexAnswer>, Problem> {
    app.run_for(0, index_answer).await.map(Json)
}

fn index_answer(app: &App) -> Result<IndexAnswer, Problem> {
    let (plan, figures, settings) = (app.backend.plan(), app.backend.figures()?, &app.settings);
    let ready = readiness(app);
    Ok(IndexAnswer {
        plan: PlanAnswer::new(plan, app.backend.index.weights()),
        store: if app.backend.waits() { "redis" } else { "folder" },
        documents: figures.documents,
        runs: figures.runs as u64,
        memtables: figures.memtables as u64,
        sequence: figures.sequence,
        waiting: figures.waiting as u64,
        mode: settings.mode.name(),
        stores_texts: app.backend.index.stores_texts(),
        canonical: settings.canonical.name(),
        ttl: settings.ttl.map(|ttl| ttl.as_secs()),
        durability: ready.as_ref().ok().cloned(),
        follows: app.replica.as_ref().map(|replica| replica.primary.to_string()),
        lag: app.replica.as_ref().and_then(|replica| replica.lag()).map(|lag| lag.as_secs_f64()),
        not_following: app.replica.as_ref().and_then(|replica| replica.failure()),
        not_ready: ready.err().map(|problem| problem.detail),
    })
}

/// Figures in the text format of Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "service", security(("key" = [])),
    responses(
        (status = 200, body = String, content_type = "application/openmetrics-text"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Result<impl IntoResponse, Problem> {
    let figures = app.run_for(0, |app| Ok(app.backend.figures()?)).await?;
    app.metrics.set_figures(&figures);
    app.replica.iter().for_each(|replica| _ = app.metrics.lag.set(replica.least_lag().as_secs_f64()));
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, content_type)], app.metrics.text()))
}

/// This description.
#[utoipa::path(get, path = "/openapi.json", tag = "service", responses((status = 200, body = Object)))]
pub(super) async fn description() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], super::openapi())
}
