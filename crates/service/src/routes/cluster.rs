//! `GET /v1/documents/{id}/cluster`

use super::text::AboutAnswer;
use crate::app::App;
use crate::canonical;
use crate::problem::Problem;
use crate::score::ScoreAnswer;
use crate::settings::DuplicateMode;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use lookalike::Score;
use lookalike_seen::DocumentName;
use lookalike_seen::StoredDocument;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Members in an answer, at most.
const MOST_MEMBERS: usize = 1000;

/// Documents that are similar to each other, some of them only by a chain of others.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ClusterAnswer {
    /// The id of the document that stands for the cluster.
    canonical: String,
    /// How it was chosen: first, shortest-url, longest-text or priority.
    policy: &'static str,
    /// The least similarity of a member to the canonical document, if the index verifies.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_similarity: Option<f64>,
    /// The most bits in which the fingerprint of a member differs from that of the canonical document, if these decide alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    most_hamming: Option<u32>,
    /// The least similarity of a member to the canonical document that signatures estimate, if these decide alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_estimate: Option<f64>,
    /// The number of members.
    count: usize,
    /// The members in the order in which they were added, the first 1,000 of them.
    members: Vec<MemberAnswer>,
}

/// A document of a cluster.
#[derive(Debug, Serialize, ToSchema)]
struct MemberAnswer {
    id: String,
    /// How near it is to the canonical document.
    #[serde(flatten)]
    score: ScoreAnswer,
    /// The second since 1970 at which it was added, if it is known.
    #[schema(value_type = Option<u64>)]
    added: Option<u32>,
    /// What is known about it.
    #[serde(flatten)]
    about: AboutAnswer,
}

/// The documents that are in one cluster with this one, and the one that stands for them.
#[utoipa::path(
    get, path = "/v1/documents/{id}/cluster", tag = "documents", security(("key" = [])),
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 200, body = ClusterAnswer),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "No document has this id"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "The service has --mode unique, so it tells no clusters"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "It has expired"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn cluster(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<ClusterAnswer>, Problem> {
    // The service that a copy follows may store them.
    if app.settings.mode == DuplicateMode::Unique && app.replica.is_none() {
        let detail = "a service with --mode unique tells no clusters, also of what on_duplicate stored; start it with --mode all";
        return Err(Problem::new(StatusCode::CONFLICT, "no_clusters", detail));
    }
    // The texts of all members are read.
    app.run_blocking(move |app| answer(app, &id)).await.map(Json)
}

fn answer(app: &App, id: &str) -> Result<ClusterAnswer, Problem> {
    let number = app.backend.document(DocumentName::Id(id), false)?.0.number;
    let mut members = app.backend.members(number)?;
    let policy = app.settings.canonical;
    let canonical = canonical::best(policy, &members).ok_or_else(|| Problem::no_document(id))?;
    let (canonical, best) = (canonical.id.clone(), canonical.number);
    let count = members.len();
    members.truncate(MOST_MEMBERS);
    let numbers: Vec<u64> = members.iter().map(|member| member.number).collect();
    let scores = app.backend.scores(best, &numbers)?;
    let farthest = scores.iter().max_by(|a, b| a.by_nearness(b)).map(|&score| ScoreAnswer::from(score));
    let ScoreAnswer { similarity: least_similarity, hamming: most_hamming, estimate: least_estimate, .. } =
        farthest.unwrap_or_default();
    let member = |(StoredDocument { id, added, about, .. }, score): (StoredDocument, Score)| MemberAnswer {
        id,
        score: score.into(),
        added,
        about: about.into(),
    };
    let members = members.into_iter().zip(scores).map(member).collect();
    let policy = policy.name();
    Ok(ClusterAnswer { canonical, policy, least_similarity, most_hamming, least_estimate, count, members })
}
