//! The loop of a crawl: requests are sent, answers are stored, and links are looked at in order.

mod end;
mod links;
mod requests;
mod sitemaps;
mod wait;

use super::ask::{PageAnswer, Unwell};
use super::frontier::{Frontier, NeedsRobots};
use super::hosts::Hosts;
use super::{CrawlCounts, CrawlMonitor};
use crate::error::Error;
use crate::fetch::Fetcher;
use crate::render::Renderer;
use crate::robots::RobotsFile;
use crate::settings::CrawlSettings;
use crate::state::{CrawlState, JournalContents, SitemapPlace, VisitPlace};
use crate::visit::Visit;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use url::Url;

/// The time between two checks whether the crawl was stopped.
const TICK: Duration = Duration::from_millis(100);

/// The note of a crawl whose time is over.
const LATE: &str = "the time for the crawl is over; the same command goes on";

/// A visit of this call whose links were not looked at.
#[derive(Debug)]
struct Answered {
    place: VisitPlace,
    is_page: bool,
    /// The visit, if it is short enough to be kept.
    visit: Option<Box<Visit>>,
}

/// What a task brings.
enum Done {
    Page(u32, PageAnswer),
    Robots(Url, Result<RobotsFile, Unwell>),
}

pub(super) struct CrawlRun<'a> {
    settings: &'a CrawlSettings,
    monitor: &'a CrawlMonitor,
    state: CrawlState,
    frontier: Frontier,
    fetcher: Fetcher,
    renderer: Option<Arc<Renderer>>,
    hosts: Hosts,
    tasks: JoinSet<Done>,
    /// The visits of earlier calls, by number.
    stored: HashMap<u32, VisitPlace>,
    /// The visits of this call, by number, from the first one whose links were not looked at.
    answered: HashMap<u32, Answered>,
    /// How often visits were tried while their server was in trouble.
    tries: HashMap<u32, u32>,
    /// The first visit that was not given to its host. All visits before it were.
    queued: u32,
    /// The visit whose links are looked at, while the rules of a host are missing.
    head: Option<Box<Visit>>,
    /// A URL of the host whose rules are missing, and whether they were asked for.
    needs_robots: Option<Url>,
    asks_robots: bool,
    /// Why the crawl ends before its end, as a note to the user.
    stop: Option<String>,
    visited: u32,
    requests: u32,
    started: Instant,
}

impl<'a> CrawlRun<'a> {
    pub(super) fn new(
        settings: &'a CrawlSettings,
        state: CrawlState,
        frontier: Frontier,
        fetcher: Fetcher,
        renderer: Option<Renderer>,
        monitor: &'a CrawlMonitor,
    ) -> Self {
        CrawlRun {
            settings,
            monitor,
            state,
            frontier,
            fetcher,
            renderer: renderer.map(Arc::new),
            hosts: Hosts::new(settings.connections, settings.delay),
            tasks: JoinSet::new(),
            stored: HashMap::new(),
            answered: HashMap::new(),
            tries: HashMap::new(),
            queued: 0,
            head: None,
            needs_robots: None,
            asks_robots: false,
            stop: None,
            visited: 0,
            requests: 0,
            started: Instant::now(),
        }
    }

    /// Crawls what is left, and returns the counts of the whole crawl.
    pub(super) async fn finish(mut self, contents: JournalContents) -> Result<CrawlCounts, Error> {
        let JournalContents { mut robots, mut sitemaps, visits, mut ended, .. } = contents;
        if visits.is_empty() {
            // The host may have been down when it was asked for its robots.txt.
            (robots, sitemaps, ended) = (Vec::new(), Vec::new(), false);
        }
        for file in robots {
            self.frontier.learn(&file);
        }
        (self.visited, self.stored) = (visits.len() as u32, visits);
        if ended {
            let note = "the folder has a whole crawl, and nothing is fetched again; for a new crawl, give --fresh or name another folder";
            self.monitor.note(note);
        } else if self.visited > 0 {
            self.monitor.note(&format!("going on with a crawl of {} URLs", self.visited));
        }
        let result = self.crawl_all(sitemaps).await;
        // What has been stored stays, however the crawl ends.
        self.state.sync()?;
        if result? && !ended {
            self.state.store_end()?;
        }
        self.note_end();
        Ok(self.counts())
    }

    /// Visits all pages. `false` if the crawl has to end before.
    async fn crawl_all(&mut self, sitemaps: Vec<(String, SitemapPlace)>) -> Result<bool, Error> {
        while let Err(NeedsRobots(url)) = self.frontier.begin(&mut |_, _, _| {}) {
            if !self.learn_robots(&url).await? {
                return Ok(false);
            }
        }
        if !self.follow_links().await? {
            return Ok(false);
        }
        if !self.settings.sitemaps {
            return Ok(true);
        }
        Ok(self.read_sitemaps(sitemaps).await? && self.follow_links().await?)
    }

    /// Visits all URLs that were found, and those that are found on the way. `false` if the crawl has to end before.
    async fn follow_links(&mut self) -> Result<bool, Error> {
        loop {
            self.monitor.interrupt.check().map_err(|_| Error::Interrupted)?;
            self.look_at_links()?;
            self.queue();
            if !self.is_late() && self.stop.is_none() {
                self.send();
            }
            if self.tasks.is_empty() {
                if self.stop.is_none() && self.is_late() && self.has_more() {
                    self.stop = Some(LATE.to_owned());
                }
                if self.stop.is_some() || !self.has_more() {
                    return Ok(self.stop.is_none());
                }
            }
            self.take_answers().await?;
        }
    }

    /// Whether there is anything left to ask for, or to look at.
    fn has_more(&self) -> bool {
        let next = self.frontier.committed();
        let is_next_known = self.frontier.has_open()
            && (self.stored.contains_key(&next) || self.answered.contains_key(&next));
        let is_waiting = !self.frontier.is_full() && self.hosts.next_time().is_some();
        self.needs_robots.is_some() || self.head.is_some() || is_next_known || is_waiting
    }

    /// Whether the time for the crawl is over.
    fn is_late(&self) -> bool {
        self.settings.max_time.is_some_and(|time| self.started.elapsed() >= time)
    }

    fn counts(&self) -> CrawlCounts {
        CrawlCounts {
            found: self.frontier.urls().len() as u32,
            visited: self.visited,
            pages: self.frontier.pages(),
            skipped: self.frontier.refusals() as u32,
            trapped: self.frontier.trapped().0,
            requests: self.requests,
        }
    }
}
