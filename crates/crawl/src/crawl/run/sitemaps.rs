//! Reading sitemaps.

use super::{CrawlRun, LATE};
use crate::crawl::found::host;
use crate::crawl::frontier::NeedsRobots;
use crate::crawl::sitemaps::SitemapQueue;
use crate::error::Error;
use crate::sitemap::Sitemap;
use crate::state::SitemapPlace;
use std::collections::HashMap;
use url::Url;

/// The most entries of all sitemaps together. A crawl has a hundred thousand pages unless the user asks for more.
const ENTRIES: usize = 5_000_000;

impl CrawlRun<'_> {
    /// Reads the sitemaps, and finds the pages that they list. Those that are stored are read from the journal. `false` if the crawl has to end before.
    pub(super) async fn read_sitemaps(&mut self, stored: Vec<(String, SitemapPlace)>) -> Result<bool, Error> {
        let home = self.frontier.home().clone();
        // The file names the sitemaps, also if its rules are not obeyed.
        if self.frontier.rules(&home).is_none() && !self.learn_robots(&home).await? {
            return Ok(false);
        }
        let named = self.frontier.rules(&home).map(|rules| rules.sitemaps().to_vec()).unwrap_or_default();
        let mut queue = SitemapQueue::new(&home, &named);
        let stored: HashMap<String, SitemapPlace> = stored.into_iter().collect();
        let mut entries = 0;
        while entries < ENTRIES
            && !self.frontier.has_enough()
            && let Some(url) = queue.next()
        {
            let sitemap = match stored.get(url.as_str()) {
                Some(place) => place.sitemap(self.state.journal())?,
                None => match self.ask_sitemap(&queue, &url, &home).await? {
                    Some(sitemap) => sitemap,
                    None => return Ok(false),
                },
            };
            queue.extend(&sitemap);
            entries += sitemap.pages.len() + sitemap.sitemaps.len();
            while let Err(NeedsRobots(url)) = self.frontier.list(&sitemap, &mut |_, _, _| {}) {
                if !self.learn_robots(&url).await? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Asks for a sitemap, and stores it. `None` if the crawl has to end before.
    async fn ask_sitemap(
        &mut self,
        queue: &SitemapQueue,
        url: &Url,
        home: &Url,
    ) -> Result<Option<Sitemap>, Error> {
        if self.is_late() {
            self.stop = Some(LATE.to_owned());
            return Ok(None);
        }
        self.wait_for_turn(url).await?;
        match self.unless_stopped(queue.ask(&self.fetcher, url, home)).await? {
            Ok(sitemap) => {
                self.hosts.answered(&host(url));
                self.state.store_sitemap(&sitemap)?;
                Ok(Some(sitemap))
            }
            Err(unwell) => {
                self.hosts.given_up(&host(url));
                self.stop_for(unwell);
                Ok(None)
            }
        }
    }
}
