//! `/v1/admin`: work on the files of the index while the service answers.

use crate::app::App;
use crate::jobs::{Job, JobTask};
use crate::object::JsonObject;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The answer to a job that was started.
type StartedJob = Result<(StatusCode, Json<Job>), Problem>;

fn start(app: &App, work: JobTask) -> StartedJob {
    Ok((StatusCode::ACCEPTED, Json(app.jobs.start(app.backend.folder()?.clone(), work)?)))
}

/// Make one run of all runs. Look-ups are then fastest, and nothing is left of the keys of removed documents.
#[utoipa::path(
    post, path = "/v1/admin/merge", tag = "admin", security(("key" = [])),
    responses(
        (status = 202, body = Job),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "Another job is at work"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn merge(State(app): State<Arc<App>>) -> StartedJob {
    start(&app, JobTask::Merge)
}

/// Rewrite the files of the log of which fewer than half of the documents are alive.
#[utoipa::path(
    post, path = "/v1/admin/pack", tag = "admin", security(("key" = [])),
    responses(
        (status = 202, body = Job),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "Another job is at work"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn pack(State(app): State<Arc<App>>) -> StartedJob {
    start(&app, JobTask::Pack)
}

/// Check every byte of the index.
#[utoipa::path(
    post, path = "/v1/admin/verify", tag = "admin", security(("key" = [])),
    responses(
        (status = 202, body = Job),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "Another job is at work"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn verify(State(app): State<Arc<App>>) -> StartedJob {
    start(&app, JobTask::Verify)
}

/// A backup to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BackupRequest {
    /// The name of its folder, which must not exist: letters, digits, `.`, `-` and `_`.
    #[schema(pattern = "^[A-Za-z0-9_-][A-Za-z0-9._-]*$", max_length = 200, example = "2026-11-25")]
    name: String,
}

/// The most bytes of the name of a folder.
const MOST_NAME_BYTES: usize = 200;

/// Whether it names a folder in any other, and nothing else.
fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !name.is_empty() && name.len() <= MOST_NAME_BYTES && !name.starts_with('.') && name.bytes().all(is_plain)
}

/// Make a copy of the index, as it is now, in the folder for backups. The copy is an index too.
#[utoipa::path(
    post, path = "/v1/admin/backup", tag = "admin", request_body = BackupRequest, security(("key" = [])),
    responses(
        (status = 202, body = Job),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "Another job is at work, there is such a folder, or there is no folder for backups"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn backup(
    State(app): State<Arc<App>>,
    JsonObject(request): JsonObject<BackupRequest>,
) -> StartedJob {
    let BackupRequest { name } = request;
    let Some(folder) = &app.settings.backups else {
        let detail = "there is no folder for backups; start the service with --backups FOLDER";
        return Err(Problem::new(StatusCode::CONFLICT, "no_backups", detail));
    };
    if !is_name(&name) {
        let detail = format!(
            "name is {name:?}; it may have {MOST_NAME_BYTES} letters, digits, dots, - and _, and starts with no dot"
        );
        return Err(Problem::invalid(detail));
    }
    let folder = folder.join(name);
    if folder.exists() {
        let detail = format!("{} exists; give another name", folder.display());
        return Err(Problem::new(StatusCode::CONFLICT, "exists", detail));
    }
    start(&app, JobTask::Backup(folder))
}

/// The last job of each kind.
#[utoipa::path(
    get, path = "/v1/admin/jobs", tag = "admin", security(("key" = [])),
    responses((status = 200, body = Vec<Job>), (status = "default", body = Problem, content_type = "application/problem+json"))
)]
pub(super) async fn jobs(State(app): State<Arc<App>>) -> Json<Vec<Job>> {
    Json(app.jobs.last())
}
