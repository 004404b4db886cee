//! `lookalike serve`

mod followed;

use crate::args::{self, ServeArgs, Usage};
use crate::exit::Exit;
use crate::messages;
use crate::note::note;
use crate::platform::{give_memory_back, raise_open_files};
use lookalike::Plan;
use lookalike_corpus::network::has_scheme;
use lookalike_engine::index::Index;
use lookalike_engine::{Error as EngineError, PlanSummary};
use lookalike_index::unix_seconds;
use lookalike_service::{
    ApiKeys, Canonical, DuplicateMode, KeyError, Primary, RedisAddress, RedisError, Service, ServiceSettings,
};
use std::fs;
use std::future::Future;
use std::io;
use std::path::Path;

pub(crate) fn run(mut arguments: ServeArgs) -> anyhow::Result<Exit> {
    give_memory_back();
    arguments.new.put_into(&mut arguments.similarity)?;
    if let Some(folder) = &arguments.backups {
        if has_scheme(folder) {
            let name = folder.display();
            return Err(Usage(format!("--backups {name}: backups are in a folder of this machine")).into());
        }
        if folder.is_file() {
            let name = folder.display();
            return Err(
                Usage(format!("--backups {name}: this is a file; name a folder for the backups")).into()
            );
        }
        fs::create_dir_all(folder)
            .map_err(|error| Usage(format!("--backups {}: {error}", folder.display())))?;
    }
    let settings = ServiceSettings {
        address: arguments.listen,
        keys: keys(&arguments)?,
        rate: arguments.rate,
        primary: followed::primary(&arguments)?,
        tell: note,
        mode: arguments.mode.map_or_else(DuplicateMode::default, DuplicateMode::from),
        canonical: arguments.canonical.map_or_else(Canonical::default, Canonical::from),
        ttl: arguments.ttl,
        backups: arguments.backups.clone(),
        ..ServiceSettings::default()
    };
    let most_connections = connections(settings.most_connections, raise_open_files());
    let settings = ServiceSettings { most_connections, ..settings };
    let primary = settings.primary.clone();
    let redis = redis_address(&arguments.index)?;
    if redis.is_some() && primary.is_some() {
        return Err(
            Usage("--follow: Redis makes copies itself; follow an index in a folder".to_owned()).into()
        );
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let (service, index, documents) = match redis {
            Some(redis) => {
                let wanted = super::redis::wanted(&redis, &mut arguments.similarity, arguments.new).await?;
                let service = Service::bind_redis(&redis, wanted.as_ref(), settings).await?;
                (service, redis.to_string(), None)
            }
            None => {
                let is_there = Index::is_whole_at(&arguments.index).map_err(EngineError::from)?;
                let index = open(&mut arguments, primary.as_ref(), is_there).await?;
                let settings = match &primary {
                    Some(primary) => {
                        let (mode, canonical) = followed::options(&arguments, primary, is_there).await?;
                        ServiceSettings { mode, canonical, ..settings }
                    }
                    None => settings,
                };
                let documents = index.alive(unix_seconds()).map_err(EngineError::from)?;
                let name = arguments.index.display().to_string();
                (Service::bind(index, settings).await?, name, Some(documents))
            }
        };
        let address = service.address()?;
        // Before anybody knows the address: who does may ask for a stop at once.
        let stopped = stopped()?;
        messages::serving(index, documents, primary, service.mode(), address);
        note_recall(service.plan());
        Ok::<_, anyhow::Error>(service.run(stopped).await?)
    })?;
    Ok(Exit::Done)
}

/// The keys of the file that has them.
fn keys(arguments: &ServeArgs) -> Result<ApiKeys, Usage> {
    let Some(path) = &arguments.keys else { return Ok(ApiKeys::default()) };
    let refuse = |problem: String| Usage(format!("--keys {}: {problem}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    let keys: ApiKeys = text.parse().map_err(|error: KeyError| refuse(error.to_string()))?;
    if keys.is_empty() { Err(refuse("it has no keys".to_owned())) } else { Ok(keys) }
}

/// The address of an index in Redis, or `None` for a folder.
pub(super) fn redis_address(index: &Path) -> anyhow::Result<Option<RedisAddress>> {
    // Another scheme would be a strange name for a folder.
    let is_address = |index: &&str| index.contains("://") || index.starts_with("redis:");
    let address = index.to_str().filter(is_address);
    Ok(address.map(str::parse).transpose().map_err(|error: RedisError| Usage(error.to_string()))?)
}

/// Open files that are not connections, at most: runs that are merged, files of the log, connections that are refused.
const OTHER_FILES: u64 = 512;

/// The connections that `open_files` allow, at most `wanted`.
fn connections(wanted: usize, open_files: Option<u64>) -> usize {
    let possible = open_files.map(|files| files.saturating_sub(OTHER_FILES).max(files / 2));
    possible
        .and_then(|possible| usize::try_from(possible).ok())
        .map_or(wanted, |possible| possible.min(wanted))
}

/// Opens the index, or makes it: with the plan of the primary, if there is one.
async fn open(arguments: &mut ServeArgs, primary: Option<&Primary>, is_there: bool) -> anyhow::Result<Index> {
    let index = match (is_there, primary) {
        (true, _) => Index::open_to_add(&arguments.index).map_err(EngineError::from)?,
        (false, Some(primary)) => {
            super::index::create("--index", &arguments.index, primary.made_with().await?)?
        }
        (false, None) => {
            let new = arguments.new.new_index(&mut arguments.similarity)?;
            super::index::create("--index", &arguments.index, new)?
        }
    };
    let name = arguments.index.display().to_string();
    args::check_beside(&arguments.similarity, arguments.new, &index.made_with(), &name)?;
    Ok(index)
}

/// The recall at the threshold under which it is noted at the start. An index with the options of a new one has 0.998.
const LOW_RECALL: f64 = 0.95;

/// Says of an index that finds few of the documents at its threshold how many these are.
fn note_recall(plan: &Plan) {
    let plan = PlanSummary::new(plan);
    let recall = plan.search.recall_at_threshold().zip(plan.threshold);
    if let Some((recall, threshold)) = recall.filter(|&(recall, _)| recall < LOW_RECALL) {
        let found = lookalike_report::percent(recall);
        note(&format!(
            "the index finds {found} of the documents at its threshold of {threshold}, and more of nearer ones"
        ));
    }
}

/// Is done when the process is asked to stop, from this call on.
#[cfg(unix)]
pub(super) fn stopped() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Is done when the process is asked to stop.
#[cfg(not(unix))]
pub(super) fn stopped() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async { drop(tokio::signal::ctrl_c().await) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_index_keep_their_share_of_open_files() {
        let most = |open_files| connections(16_384, open_files);
        assert_eq!(
            [most(None), most(Some(1 << 20)), most(Some(2048)), most(Some(256))],
            [16_384, 16_384, 1536, 128]
        );
    }
}
