//! The page that shows an audit while it runs, and afterwards.

use super::provisional::ProvisionalPairs;
use anyhow::Context;
use lookalike_engine::progress::{Interrupt, Monitor};
use lookalike_engine::threads::Threads;
use lookalike_site::CrawledPages;
use lookalike_site::audit::{AuditSettings, audit};
use lookalike_site::serve::{Live, Server, StopWhen};
use lookalike_site::view::AuditResults;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// How often a wait looks for Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The page of an audit, with the server that shows it.
pub(super) struct LivePage {
    pub(super) live: Arc<Live>,
    pub(super) provisional: Arc<ProvisionalPairs>,
    /// The server runs as long as this is here.
    _runtime: Runtime,
}

impl LivePage {
    /// Starts the server, and says where it is.
    pub(super) fn start(address: SocketAddr, start: &str, settings: AuditSettings) -> anyhow::Result<Self> {
        let provisional = Arc::new(ProvisionalPairs::new(&settings)?);
        let live = Live::new(start, settings, |site, settings, is_old| {
            let interrupt = Interrupt::default();
            let threads = StopWhen { executor: Threads(&interrupt), is_stopped: is_old };
            audit(site, settings, &threads).map_err(|error| error.to_string())
        });
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let server = runtime.block_on(Server::bind(address, Arc::clone(&live)))?;
        let _ = writeln!(std::io::stderr(), "results on {}; Ctrl-C stops", server.url());
        runtime.spawn(server.run(std::future::pending()));
        Ok(LivePage { live, provisional, _runtime: runtime })
    }

    /// Audits a crawl that has ended, and shows the results.
    pub(super) fn results(&self, pages: &Arc<CrawledPages>) -> anyhow::Result<Arc<AuditResults>> {
        self.live.audit(pages.clone()).map_err(anyhow::Error::msg)?;
        self.live.results().context("the settings were changed while the pages were compared")
    }

    /// Waits for Ctrl-C.
    pub(super) fn wait(&self, monitor: &Monitor) {
        while !monitor.interrupt.is_set() {
            std::thread::sleep(LOOK_EVERY);
        }
    }
}
