//! Long work on the files of the index, while the service answers. There is one job at a time.

use crate::clock::now;
use crate::problem::Problem;
use axum::http::StatusCode;
use lookalike_index::{Error as IndexError, Progress};
use lookalike_seen::Seen;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use utoipa::ToSchema;

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Makes one run of all runs.
    Merge,
    /// Rewrites the files of the log that have few living documents.
    Pack,
    /// Checks every byte of the index.
    Verify,
    /// Makes a copy of the index.
    Backup,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// It is at work.
    Running,
    /// It has done its work.
    Done,
    /// It has failed.
    Failed,
}

/// A job, and how far it is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Job {
    kind: Kind,
    state: State,
    /// The second since 1970 at which it started.
    #[schema(value_type = u64)]
    started: u32,
    /// The second since 1970 at which it ended.
    #[schema(value_type = Option<u64>)]
    ended: Option<u32>,
    /// Why it has failed.
    error: Option<String>,
    /// The backup that it has made.
    backup: Option<Backup>,
}

/// A copy of the index.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Backup {
    /// Its folder.
    #[schema(value_type = String)]
    folder: PathBuf,
    /// The changes of the index that it has.
    sequence: u64,
    /// The documents that were ever added.
    documents: u64,
    /// Files that it shares with the index. They take no room of their own as long as the index has them too.
    linked: u64,
    /// Bytes of the files that were copied.
    copied: u64,
}

/// What a job is to do.
#[derive(Debug)]
pub(crate) enum JobTask {
    Merge,
    Pack,
    Verify,
    /// Makes a copy of the index in this folder.
    Backup(PathBuf),
}

impl JobTask {
    fn kind(&self) -> Kind {
        match self {
            JobTask::Merge => Kind::Merge,
            JobTask::Pack => Kind::Pack,
            JobTask::Verify => Kind::Verify,
            JobTask::Backup(_) => Kind::Backup,
        }
    }
}

/// All jobs since the start.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    /// The last job of each kind, the oldest first.
    last: Mutex<Vec<Job>>,
    /// The damage that the last verification found, if it found some.
    damage: Mutex<Option<String>>,
    is_stopping: AtomicBool,
}

/// Ends the work when the service stops.
impl Progress for Jobs {
    fn advance(&self, _done: u64) -> ControlFlow<()> {
        match self.is_stopping.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Jobs {
    /// The last job of each kind, the oldest first.
    pub(crate) fn last(&self) -> Vec<Job> {
        self.locked().clone()
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Job>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a job in the background.
    pub(crate) fn start(self: &Arc<Self>, seen: Seen, work: JobTask) -> Result<Job, Problem> {
        let kind = work.kind();
        let mut jobs = self.locked();
        if let Some(running) = jobs.iter().find(|job| job.state == State::Running) {
            let detail = format!("a job is at work since second {}; wait until it is done", running.started);
            return Err(Problem::new(StatusCode::CONFLICT, "running", detail));
        }
        let job = Job { kind, state: State::Running, started: now(), ended: None, error: None, backup: None };
        let all = Arc::clone(self);
        thread::Builder::new()
            .name("lookalike job".to_owned())
            .spawn(move || all.end(kind, work.run(&seen, &*all)))
            .map_err(|error| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "no_thread", error.to_string()))?;
        jobs.retain(|job| job.kind != kind);
        jobs.push(job.clone());
        Ok(job)
    }

    /// The damage that the last verification found, if it found some.
    pub(crate) fn damage(&self) -> Option<String> {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn end(&self, kind: Kind, done: Result<Option<Backup>, IndexError>) {
        if kind == Kind::Verify {
            let found = match &done {
                Ok(_) => Some(None),
                Err(error) if error.is_damage() => Some(Some(error.to_string())),
                // It says nothing of the index, so what is known stays.
                Err(_) => None,
            };
            if let Some(found) = found {
                *self.damage.lock().unwrap_or_else(PoisonError::into_inner) = found;
            }
        }
        if let Some(job) = self.locked().iter_mut().find(|job| job.kind == kind) {
            job.ended = Some(now());
            (job.state, job.error, job.backup) = match done {
                Ok(backup) => (State::Done, None, backup),
                Err(error) => (State::Failed, Some(error.to_string()), None),
            };
        }
    }

    /// Ends the job that is at work.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }
}

impl JobTask {
    fn run(self, seen: &Seen, progress: &dyn Progress) -> Result<Option<Backup>, IndexError> {
        let reader = seen.reader();
        match self {
            JobTask::Merge => reader.merge_all(now(), progress)?,
            JobTask::Pack => reader.pack(now(), progress)?,
            JobTask::Verify => _ = reader.verify(progress)?,
            JobTask::Backup(folder) => {
                let made = reader.backup(&folder)?;
                let (sequence, documents) = (made.sequence, made.documents);
                let (linked, copied) = (made.linked, made.copied);
                return Ok(Some(Backup { folder, sequence, documents, linked, copied }));
            }
        }
        Ok(None)
    }
}
