//! Where the documents are: in a folder, or in Redis. Both give the same answers to the same questions.
//!
//! Reading waits for Redis on the thread that asks, so requests that read run on threads that may wait: see [`Backend::waits`]. Changes are
//! asynchronous in both.

use crate::clock::now;
use crate::problem::Problem;
use axum::http::StatusCode;
use lookalike::{Plan, Similarity};
use lookalike_seen::redis::{RedisError, RedisSeen};
use lookalike_seen::{Checked, DocumentMatch, IndexedDocument, Seen, SeenError, StoredDocument};
use tokio::runtime::Handle;

/// Where the documents are.
#[derive(Clone, Debug)]
pub(crate) enum Backend {
    Folder(Seen),
    Redis(RedisSeen, Handle),
}

/// By what a document is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DocumentName<'n> {
    Id(&'n str),
    /// A URL, in any spelling.
    Url(&'n str),
}

/// Figures of an index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    /// The documents that were ever added.
    pub(crate) documents: u64,
    pub(crate) sequence: u64,
    pub(crate) runs: usize,
    pub(crate) memtables: usize,
    /// How often runs were merged since the service started.
    pub(crate) merges: u64,
    /// The changes that wait to be decided.
    pub(crate) waiting: usize,
}

impl Backend {
    /// Whether reading waits for another process.
    pub(crate) fn waits(&self) -> bool {
        matches!(self, Backend::Redis(..))
    }

    /// The index in a folder, for work on its files.
    pub(crate) fn folder(&self) -> Result<&Seen, Problem> {
        match self {
            Backend::Folder(seen) => Ok(seen),
            Backend::Redis(..) => {
                let detail =
                    "the index is in Redis, which has no files of this service; use the tools of Redis";
                Err(Problem::new(StatusCode::CONFLICT, "redis", detail))
            }
        }
    }

    /// The plan by which texts are sketched and compared.
    pub(crate) fn plan(&self) -> &Plan {
        match self {
            Backend::Folder(seen) => seen.plan(),
            Backend::Redis(redis, _) => redis.plan(),
        }
    }

    /// The documents that a text is similar to: see [`Seen::check`].
    pub(crate) fn check(&self, text: &str, threshold: f64) -> Result<Checked, SeenError> {
        match self {
            Backend::Folder(seen) => seen.check(text, threshold, now()),
            Backend::Redis(redis, runtime) => runtime.block_on(redis.check(text, threshold, now())),
        }
    }

    /// The candidate that is nearest to a text: see [`Seen::nearest`].
    pub(crate) fn nearest(
        &self,
        text: &str,
        except: Option<&str>,
    ) -> Result<Option<DocumentMatch>, SeenError> {
        match self {
            Backend::Folder(seen) => seen.nearest(text, except, now()),
            Backend::Redis(redis, runtime) => runtime.block_on(redis.nearest(text, except, now())),
        }
    }

    /// The document that has this name, and its text if that is asked for.
    pub(crate) fn document(
        &self,
        name: DocumentName<'_>,
        with_text: bool,
    ) -> Result<(StoredDocument, Option<String>), Problem> {
        let found = match self {
            Backend::Folder(seen) => {
                let snapshot = seen.snapshot();
                let document = match name {
                    DocumentName::Id(id) => snapshot.find(id).map_err(SeenError::from)?,
                    DocumentName::Url(url) => snapshot.find_url(url).map_err(SeenError::from)?,
                };
                document.map(|document| stored(&document, with_text)).transpose()?
            }
            Backend::Redis(redis, runtime) => {
                let document = match name {
                    DocumentName::Id(id) => runtime.block_on(redis.find(id))?,
                    DocumentName::Url(url) => runtime.block_on(redis.find_url(url))?,
                };
                document.map(|document| stored(&document, with_text)).transpose()?
            }
        };
        let found = found.ok_or_else(|| match name {
            DocumentName::Id(id) => Problem::no_document(id),
            DocumentName::Url(url) => Problem::no_url(url),
        })?;
        match found.0.expires.is_some_and(|expires| expires <= now()) {
            true => Err(Problem::expired()),
            false => Ok(found),
        }
    }

    /// Why no living document has this id.
    pub(crate) fn absence(&self, id: &str) -> Problem {
        // One that was added this moment was not there before.
        self.document(DocumentName::Id(id), false).err().unwrap_or_else(|| Problem::no_document(id))
    }

    /// The living members of the cluster of the document with this number, ascending.
    pub(crate) fn members(&self, number: u64) -> Result<Vec<StoredDocument>, SeenError> {
        match self {
            Backend::Folder(seen) => {
                let snapshot = seen.snapshot();
                let members = seen.cluster(number).into_iter();
                members.filter_map(|number| seen.member(&snapshot, number, now()).transpose()).collect()
            }
            Backend::Redis(redis, runtime) => runtime.block_on(redis.members(number, now())),
        }
    }

    /// The similarity of the document with number `to` to each of `others`.
    pub(crate) fn similarities(&self, to: u64, others: &[u64]) -> Result<Vec<Similarity>, SeenError> {
        match self {
            Backend::Folder(seen) => seen.similarities(&seen.snapshot(), to, others),
            Backend::Redis(redis, runtime) => runtime.block_on(redis.similarities(to, others)),
        }
    }

    /// Its figures now.
    pub(crate) fn figures(&self) -> Result<Figures, SeenError> {
        match self {
            Backend::Folder(seen) => {
                let snapshot = seen.snapshot();
                let memtables = snapshot.memtables();
                let runs = snapshot.parts().saturating_sub(memtables);
                let (documents, sequence) = (snapshot.documents(), snapshot.sequence());
                let (merges, waiting) = (seen.reader().merges(), seen.waiting());
                Ok(Figures { documents, sequence, runs, memtables, merges, waiting })
            }
            Backend::Redis(redis, runtime) => {
                let counts = runtime.block_on(redis.index().counts())?;
                let (documents, sequence) = (counts.documents, counts.sequence);
                Ok(Figures { documents, sequence, runs: 0, memtables: 0, merges: 0, waiting: 0 })
            }
        }
    }

    /// What answers rest on, in a few words: `folder`, or the setting of Redis.
    ///
    /// # Errors
    /// A [`Problem`] if the index cannot be changed safely now.
    pub(crate) fn durability(&self) -> Result<String, Problem> {
        let unready = |code, detail: String| Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, detail);
        match self {
            Backend::Folder(seen) => match seen.failure() {
                Some(failure) => Err(unready("not_writing", failure)),
                None => Ok("fdatasync".to_owned()),
            },
            Backend::Redis(redis, runtime) => {
                runtime.block_on(redis.index().check()).map_err(|error| match error {
                    RedisError::Gone => unready("gone", error.to_string()),
                    RedisError::Full { .. } | RedisError::Refused { .. } => {
                        unready("not_writing", error.to_string())
                    }
                    error => SeenError::from(error).into(),
                })?;
                let durability = runtime.block_on(redis.index().durability()).map_err(SeenError::from)?;
                if durability.may_evict() {
                    let policy = durability.maxmemory_policy.unwrap_or_default();
                    let detail = format!(
                        "Redis removes parts of the index when its memory is full; set maxmemory-policy noeviction in place of {policy}"
                    );
                    return Err(unready("evicts", detail));
                }
                Ok(match (durability.appendonly, durability.appendfsync) {
                    (Some(false), _) => "appendonly no".to_owned(),
                    (_, Some(appendfsync)) => format!("appendfsync {appendfsync}"),
                    (_, None) => "appendfsync unknown".to_owned(),
                })
            }
        }
    }
}

/// What is known of a document, and its text if that was asked for.
fn stored(
    document: &impl IndexedDocument,
    with_text: bool,
) -> Result<(StoredDocument, Option<String>), SeenError> {
    let text = if with_text { Some(document.text()?) } else { None };
    Ok((StoredDocument::of(document), text))
}
