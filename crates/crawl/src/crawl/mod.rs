//! Crawling a site over the network.

mod ask;
mod found;
mod frontier;
mod hosts;
mod observer;
mod run;
mod sitemaps;

pub(crate) use frontier::{Frontier, MOST_REDIRECTS, OnRefusal};
pub use observer::{CrawlCounts, CrawlMonitor, CrawlObserver};

use crate::error::Error;
use crate::fetch::Fetcher;
use crate::render::Renderer;
use crate::settings::CrawlSettings;
use crate::state::{self, CrawlState};
use run::CrawlRun;
use std::path::Path;
use tokio::runtime::Builder;

/// Crawls a site, and stores all that it learns in `folder`.
///
/// If the folder has a part of this crawl, it goes on from there, and fetches nothing again that is stored. Which pages are stored depends
/// on the site and the settings only. The call blocks, and has threads of its own, so it must not be made on a thread of an async runtime.
///
/// # Errors
/// [`Error::Interrupted`] if the monitor stops the crawl, and all others of [`Error`] that are about the address, the state folder and the
/// client. What servers do is never an error: it is stored with the visit.
pub fn crawl(settings: &CrawlSettings, folder: &Path, monitor: &CrawlMonitor) -> Result<CrawlCounts, Error> {
    let (typed, mut settings) = (&settings.start, settings.clone());
    settings.start = settings.source();
    if !matches!(settings.start.scheme(), "http" | "https") || !settings.start.has_host() {
        return Err(Error::NotASite { url: settings.start.into() });
    }
    let stored = settings.stored();
    let frontier = Frontier::of(stored.clone())?;
    let (state, contents) = CrawlState::open(folder, &stored)?;
    let fetcher = Fetcher::new(typed, settings.connections, settings.limits.clone());
    let fetcher = fetcher.map_err(|error| Error::Client(error.to_string()))?;
    let runtime = Builder::new_multi_thread().enable_all().build().map_err(Error::Threads)?;
    let result = runtime.block_on(async {
        let renderer = match settings.render {
            true => Some(renderer(&fetcher).await?),
            false => None,
        };
        let run = CrawlRun::new(&settings, state, frontier, fetcher, renderer, monitor);
        run.finish(contents).await
    });
    // A name that is being looked up would be waited for.
    runtime.shutdown_background();
    result
}

/// What renders pages.
async fn renderer(fetcher: &Fetcher) -> Result<Renderer, Error> {
    let renderer = Renderer::start(fetcher.typed().clone(), fetcher.limits().clone()).await;
    renderer.map_err(|error| Error::Client(error.to_string()))?.ok_or(Error::NoBrowser)
}

/// Removes an earlier crawl of this site from `folder`, so that [`crawl`] fetches all pages again.
///
/// # Errors
/// [`Error::OtherSetting`] if the folder has a crawl of another site, [`Error::Busy`] and [`Error::Store`].
pub fn forget_crawl(settings: &CrawlSettings, folder: &Path) -> Result<(), Error> {
    state::forget(folder, settings.source().as_str())
}
