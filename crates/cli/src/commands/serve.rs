//! `lookalike serve`

use crate::args::{self, ServeArgs, Usage};
use crate::exit::Exit;
use crate::report;
use lookalike_engine::Error as EngineError;
use lookalike_engine::index::Index;
use lookalike_service::{Keys, Service, Settings};
use std::fs;

pub(crate) fn run(arguments: &ServeArgs) -> anyhow::Result<Exit> {
    let keys = match &arguments.keys {
        None => Keys::default(),
        Some(path) => {
            let text = fs::read_to_string(path)
                .map_err(|error| Usage(format!("--keys {}: {error}", path.display())))?;
            let keys: Keys =
                text.parse().map_err(|error| Usage(format!("--keys {}: {error}", path.display())))?;
            if keys.is_empty() {
                return Err(Usage(format!("--keys {}: it has no keys", path.display())).into());
            }
            keys
        }
    };
    let settings = Settings {
        address: arguments.listen,
        keys,
        mode: arguments.mode.into(),
        canonical: arguments.canonical.into(),
        ttl: arguments.ttl,
        ..Settings::default()
    };
    let index = open(arguments)?;
    let documents = index.documents();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let service = Service::bind(index, settings).await?;
        let address = service.address()?;
        report::serving(&arguments.index, documents, address);
        service.run(stopped()).await
    })?;
    Ok(Exit::Done)
}

/// Opens the index, or makes it.
fn open(arguments: &ServeArgs) -> anyhow::Result<Index> {
    if Index::is_at(&arguments.index) {
        let index = Index::open_to_add(&arguments.index).map_err(EngineError::from)?;
        args::check_options(&arguments.similarity.options()?, &index)?;
        return Ok(index);
    }
    super::index::create("--index", &arguments.index, &arguments.similarity.plan()?)
}

/// Waits until the process is asked to stop.
async fn stopped() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        let terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
        if let Ok(mut terminate) = terminate {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}
