//! The loop of a crawl: what may be asked is asked, what was answered is stored, and links are looked at in order.

mod links;
mod requests;

use super::ask::{Asked, ask_robots};
use super::frontier::{Frontier, NeedsRobots};
use super::hosts::Hosts;
use super::sitemaps::SitemapQueue;
use super::{CrawlCounts, CrawlMonitor};
use crate::error::Error;
use crate::fetch::Fetcher;
use crate::robots::RobotsFile;
use crate::settings::CrawlSettings;
use crate::sitemap::Sitemap;
use crate::state::{Contents, State, VisitPlace};
use crate::visit::Visit;
use std::collections::HashMap;
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::timeout;
use url::Url;

/// How long a crawl goes on after it was stopped, at most.
const TICK: Duration = Duration::from_millis(100);

/// What is known of a visit whose links were not looked at.
#[derive(Debug)]
struct Answered {
    place: VisitPlace,
    is_page: bool,
    /// What was learned, if it is short enough to be kept.
    visit: Option<Box<Visit>>,
}

/// What a task brings.
enum Done {
    Page(u32, Asked),
    Robots(RobotsFile),
}

pub(super) struct Run<'a> {
    settings: &'a CrawlSettings,
    monitor: &'a CrawlMonitor,
    state: State,
    frontier: Frontier,
    fetcher: Fetcher,
    hosts: Hosts,
    tasks: JoinSet<Done>,
    /// Visits by number, from the first one whose links were not looked at.
    answered: HashMap<u32, Answered>,
    /// How often visits were tried that the server was too busy for.
    tries: HashMap<u32, u32>,
    /// The visits that wait for their host: all before this number do, or did.
    queued: u32,
    /// The visit whose links are looked at, while the rules of a host are missing.
    head: Option<Box<Visit>>,
    /// Whether the robots.txt of a host is being asked for.
    asks_robots: bool,
    visited: u32,
    requests: u32,
    started: Instant,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        settings: &'a CrawlSettings,
        state: State,
        frontier: Frontier,
        fetcher: Fetcher,
        monitor: &'a CrawlMonitor,
    ) -> Self {
        Run {
            settings,
            monitor,
            state,
            frontier,
            fetcher,
            hosts: Hosts::new(settings.connections, settings.delay),
            tasks: JoinSet::new(),
            answered: HashMap::new(),
            tries: HashMap::new(),
            queued: 0,
            head: None,
            asks_robots: false,
            visited: 0,
            requests: 0,
            started: Instant::now(),
        }
    }

    /// Crawls what is left, and returns the counts of the whole crawl.
    pub(super) async fn finish(mut self, contents: Contents) -> Result<CrawlCounts, Error> {
        let Contents { robots, sitemaps, visits, ended, .. } = contents;
        for file in robots {
            self.frontier.learn(file);
        }
        self.visited = visits.len() as u32;
        if self.visited > 0 && !ended {
            self.monitor.note(&format!("going on with a crawl of {} URLs", self.visited));
        }
        if ended {
            let note = "the folder has a whole crawl, and nothing is fetched again; for a new crawl, name another folder";
            self.monitor.note(note);
        }
        while let Err(NeedsRobots(url)) = self.frontier.begin(&mut |_, _, _| {}) {
            self.learn_robots(&url).await?;
        }
        let result = self.crawl_all(&visits, sitemaps, ended).await;
        // What has been stored stays, however the crawl ends.
        self.state.sync()?;
        result?;
        Ok(self.counts())
    }

    async fn crawl_all(
        &mut self,
        visits: &HashMap<u32, VisitPlace>,
        stored: Vec<Sitemap>,
        ended: bool,
    ) -> Result<(), Error> {
        if !self.follow_links(visits).await? {
            return Ok(());
        }
        if self.settings.sitemaps {
            let sitemaps = self.read_sitemaps(stored).await?;
            let pages = || sitemaps.iter().flat_map(|sitemap| &sitemap.pages).map(String::as_str);
            while let Err(NeedsRobots(url)) = self.frontier.list(pages(), &mut |_, _, _| {}) {
                self.learn_robots(&url).await?;
            }
            if !self.follow_links(visits).await? {
                return Ok(());
            }
        }
        if ended { Ok(()) } else { self.state.store_end() }
    }

    /// Visits all URLs that were found, and those that are found on the way. `false` if the time is over before.
    async fn follow_links(&mut self, visits: &HashMap<u32, VisitPlace>) -> Result<bool, Error> {
        loop {
            self.monitor.interrupt.check().map_err(|_| Error::Interrupted)?;
            self.look_at_links(visits)?;
            self.queue(visits);
            let late = self.settings.max_time.is_some_and(|time| self.started.elapsed() >= time);
            if !late {
                self.send(visits);
            }
            if self.tasks.is_empty() {
                if late && self.hosts.next_time().is_some() {
                    self.monitor.note("the time for the crawl is over; the same command goes on");
                    return Ok(false);
                }
                if self.frontier.is_full() || self.hosts.next_time().is_none() {
                    return Ok(true);
                }
            }
            self.take_answers().await?;
        }
    }

    /// Asks for the robots.txt of a host, and waits for it.
    async fn learn_robots(&mut self, url: &Url) -> Result<(), Error> {
        self.requests += 1;
        let file = self.unless_stopped(ask_robots(&self.fetcher, url)).await?;
        self.state.store_robots(&file)?;
        self.frontier.learn(file);
        Ok(())
    }

    /// Reads all sitemaps, those that are stored from the journal.
    async fn read_sitemaps(&mut self, stored: Vec<Sitemap>) -> Result<Vec<Sitemap>, Error> {
        let mut stored: HashMap<String, Sitemap> =
            stored.into_iter().map(|sitemap| (sitemap.url.clone(), sitemap)).collect();
        let home = self.frontier.home().clone();
        let named = self.frontier.rules(&home).map(|rules| rules.sitemaps().to_vec()).unwrap_or_default();
        let (mut queue, mut read) = (SitemapQueue::new(&home, &named), Vec::new());
        while let Some(url) = queue.next() {
            let sitemap = match stored.remove(url.as_str()) {
                Some(sitemap) => sitemap,
                None => {
                    self.requests += 1;
                    let sitemap = self.unless_stopped(queue.ask(&self.fetcher, &url)).await?;
                    self.state.store_sitemap(&sitemap)?;
                    sitemap
                }
            };
            queue.extend(&sitemap);
            read.push(sitemap);
        }
        Ok(read)
    }

    /// Waits for something, unless the crawl is stopped.
    async fn unless_stopped<T>(&self, future: impl Future<Output = T>) -> Result<T, Error> {
        let mut future = pin!(future);
        loop {
            self.monitor.interrupt.check().map_err(|_| Error::Interrupted)?;
            if let Ok(done) = timeout(TICK, future.as_mut()).await {
                return Ok(done);
            }
        }
    }

    fn counts(&self) -> CrawlCounts {
        CrawlCounts {
            found: self.frontier.urls().len() as u32,
            visited: self.visited,
            pages: self.frontier.pages(),
            skipped: self.frontier.refusals() as u32,
            requests: self.requests,
        }
    }
}
