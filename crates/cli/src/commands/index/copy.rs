//! `lookalike index copy`

use super::whole::WholeIndex;
use crate::args::{CopyArgs, Usage};
use crate::commands::serve::redis_address;
use crate::exit::Exit;
use crate::note::note;
use lookalike_engine::Error as EngineError;
use lookalike_engine::index::Index;
use lookalike_index::unix_seconds;
use lookalike_report::several;
use lookalike_seen::redis::{Copied, RedisAddress, RedisIndex, copy_from_redis, copy_to_redis};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(arguments: &CopyArgs) -> anyhow::Result<Exit> {
    let CopyArgs { from, to } = arguments;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let copied = match (redis_address(from)?, redis_address(to)?) {
        (None, Some(redis)) => runtime.block_on(copy_into(from, &redis))?,
        (Some(redis), None) => runtime.block_on(copy_out(&redis, to))?,
        (None, None) => {
            let problem = "one of FROM and TO must be an address in Redis, such as redis://localhost:6379; a folder is copied with cp -r";
            return Err(Usage(problem.to_owned()).into());
        }
        (Some(_), Some(_)) => {
            let problem =
                "one of FROM and TO must be a folder; copy from one Redis to another by way of a folder";
            return Err(Usage(problem.to_owned()).into());
        }
    };
    let Copied { documents, unchanged, conflicts } = copied;
    let copied = match unchanged {
        0 => several(documents, "document"),
        _ => format!("{}; {} there already", several(documents, "document"), several(unchanged, "document")),
    };
    let _ = writeln!(std::io::stderr(), "copied {copied}");
    if conflicts == 0 {
        return Ok(Exit::Done);
    }
    note(&format!(
        "left out {}, whose id the other index has with another text",
        several(conflicts, "document")
    ));
    Ok(Exit::Skipped)
}

async fn copy_into(folder: &Path, redis: &RedisAddress) -> anyhow::Result<Copied> {
    let index = Index::open(folder).map_err(EngineError::from)?;
    let redis = RedisIndex::connect(redis, Some(&index.made_with())).await?;
    Ok(copy_to_redis(&index, &redis, unix_seconds()).await?)
}

async fn copy_out(redis: &RedisAddress, folder: &Path) -> anyhow::Result<Copied> {
    let redis = RedisIndex::open(redis).await?;
    let whole = WholeIndex::check("TO", folder, redis.made_with())?;
    let index = whole.start(redis.made_with())?;
    let copied = copy_from_redis(&redis, index, unix_seconds()).await;
    whole.finish(copied.map_err(anyhow::Error::from))
}
