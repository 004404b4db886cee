//! Waiting for what the crawl cannot go on without.

use super::{CrawlRun, Done, TICK};
use crate::crawl::ask::ask_robots;
use crate::crawl::found::host;
use crate::error::Error;
use std::pin::pin;
use std::time::Instant;
use tokio::time::timeout;
use url::Url;

impl CrawlRun<'_> {
    /// Asks for the robots.txt of a host, and waits for it. `false` if the crawl has to end before.
    pub(super) async fn learn_robots(&mut self, url: &Url) -> Result<bool, Error> {
        let home = (self.visited > 0).then(|| self.frontier.home().clone());
        self.wait_for_turn(url).await?;
        let answer = self.unless_stopped(ask_robots(&self.fetcher, url, home.as_ref())).await?;
        self.take(Done::Robots(url.clone(), answer))?;
        Ok(self.stop.is_none())
    }

    /// Waits until a host may be asked for something that is no page. The request counts as in flight.
    pub(super) async fn wait_for_turn(&mut self, url: &Url) -> Result<(), Error> {
        while !self.hosts.take(&host(url), Instant::now()) {
            self.unless_stopped(tokio::time::sleep(TICK)).await?;
        }
        self.requests += 1;
        Ok(())
    }

    /// Waits for something, unless the crawl is stopped.
    pub(super) async fn unless_stopped<T>(&self, future: impl Future<Output = T>) -> Result<T, Error> {
        let mut future = pin!(future);
        loop {
            self.monitor.interrupt.check().map_err(|_| Error::Interrupted)?;
            if let Ok(done) = timeout(TICK, future.as_mut()).await {
                return Ok(done);
            }
        }
    }
}
