//! The page that shows an audit while it runs, and afterwards.

use super::against::Earlier;
use super::provisional::ProvisionalPairs;
use super::results_of;
use crate::args::Usage;
use anyhow::Context;
use lookalike_audit::{AuditSettings, audit};
use lookalike_crawl::serve::{Live, Server, StopWhen};
use lookalike_engine::progress::Monitor;
use lookalike_engine::threads::Threads;
use lookalike_report::audit::view::{AuditResults, CrawledSite};
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
    pub(super) fn start(
        address: SocketAddr,
        start: String,
        settings: AuditSettings,
        earlier: Option<&Earlier>,
        monitor: &Monitor,
    ) -> anyhow::Result<Self> {
        if !address.ip().is_loopback() {
            let problem = "other machines could read the results; give an address of this machine, such as 127.0.0.1:8000";
            return Err(Usage(format!("--serve {address}: {problem}")).into());
        }
        let interrupt = monitor.interrupt.clone();
        let provisional = Arc::new(ProvisionalPairs::new(&settings)?);
        let live = Live::new(start, settings, move |site, settings, is_old| {
            let threads = StopWhen { executor: Threads(&interrupt), is_stopped: is_old };
            audit(site, settings, &threads).map_err(|error| error.to_string())
        });
        if let Some(earlier) = earlier {
            live.compare_with(Arc::clone(&earlier.pages) as Arc<dyn CrawledSite>);
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let server = runtime.block_on(Server::bind(address, Arc::clone(&live)));
        let server = server.with_context(|| format!("--serve {address}"))?;
        let _ = writeln!(std::io::stderr(), "results on {} (Ctrl-C stops)", server.url());
        runtime.spawn(server.run(std::future::pending()));
        Ok(LivePage { live, provisional, _runtime: runtime })
    }

    /// Audits a crawl that has ended, and shows the results. Files get those by `settings`, whatever a reader has changed on the page.
    pub(super) fn results(
        &self,
        site: &Arc<dyn CrawledSite>,
        earlier: Option<&Earlier>,
        settings: &AuditSettings,
        monitor: &Monitor,
    ) -> anyhow::Result<Arc<AuditResults>> {
        let audited = self.live.audit(Arc::clone(site));
        monitor.interrupt.check()?;
        audited.map_err(anyhow::Error::msg)?;
        match self.live.results().filter(|results| results.audit().settings() == settings) {
            Some(results) => Ok(results),
            None => Ok(Arc::new(results_of(site, earlier, settings, monitor)?)),
        }
    }

    /// Waits for Ctrl-C.
    pub(super) fn wait(&self, monitor: &Monitor) {
        while !monitor.interrupt.is_set() {
            std::thread::sleep(LOOK_EVERY);
        }
    }
}
