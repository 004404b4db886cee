//! Sending requests, and storing what is answered.

use super::{Answered, CrawlRun, Done, TICK};
use crate::crawl::ask::{PageAnswer, ask_page, ask_robots};
use crate::crawl::found::host;
use crate::error::Error;
use crate::robots::Rules;
use crate::state::VisitPlace;
use crate::visit::VisitRead;
use std::time::Instant;
use tokio::time::timeout;
use url::Url;

/// Visits that may be ahead of the first one that is not answered yet.
const WINDOW: u32 = 1024;

/// Visits with more links are read again when it is their turn.
const KEPT_LINKS: usize = 500;

impl CrawlRun<'_> {
    /// Lets visits wait for their hosts.
    pub(super) fn queue(&mut self) {
        let end = (self.frontier.urls().len() as u32).min(self.frontier.committed().saturating_add(WINDOW));
        for number in self.queued..end {
            if self.stored.contains_key(&number) {
                continue;
            }
            if let Some(url) = self.url(number) {
                let delay = self.frontier.rules(&url).and_then(Rules::delay);
                self.hosts.wait(&host(&url), number, delay.filter(|_| self.settings.robots));
            }
        }
        self.queued = self.queued.max(end);
    }

    /// Sends all requests that may be sent now.
    pub(super) fn send(&mut self) {
        let now = Instant::now();
        self.send_for_robots(now);
        while let Some(number) = {
            let (frontier, answered, stored) = (&self.frontier, &self.answered, &self.stored);
            let journal = self.state.journal();
            let is_page = |number: u32| match answered.get(&number) {
                Some(answered) => Some(answered.is_page),
                None => Some(stored.get(&number)?.visit(journal).ok()?.is_page()),
            };
            self.hosts.next(now, |number| frontier.is_due(number, is_page))
        } {
            let Some(url) = self.url(number) else { continue };
            let is_last =
                self.tries.get(&number).copied().unwrap_or_default() >= self.settings.limits.retries;
            let (fetcher, renderer) = (self.fetcher.clone(), self.renderer.clone());
            let home = self.frontier.home().clone();
            self.requests += 1;
            self.tasks.spawn(async move {
                let answer = ask_page(&fetcher, renderer.as_deref(), number, &url, &home, is_last);
                Done::Page(number, answer.await)
            });
        }
    }

    /// Asks for the robots.txt that the next link needs. It goes before the pages of its host, as no link behind it is looked at.
    fn send_for_robots(&mut self, now: Instant) {
        let Some(url) = self.needs_robots.clone().filter(|_| !self.asks_robots) else { return };
        if self.hosts.take(&host(&url), now) {
            self.asks_robots = true;
            self.requests += 1;
            let (fetcher, home) = (self.fetcher.clone(), self.frontier.home().clone());
            self.tasks.spawn(async move {
                let answer = ask_robots(&fetcher, &url, Some(&home)).await;
                Done::Robots(url, answer)
            });
        }
    }

    /// Waits for an answer, or for a host that may be asked again, and stores all answers that are there.
    pub(super) async fn take_answers(&mut self) -> Result<(), Error> {
        let pause = self.hosts.next_time().map(|time| time.saturating_duration_since(Instant::now()));
        // A host may be free now whose next visit is not due yet: only an answer changes that.
        let pause = pause.filter(|pause| !pause.is_zero()).unwrap_or(TICK).min(TICK);
        let mut done = if self.tasks.is_empty() {
            tokio::time::sleep(pause).await;
            None
        } else {
            timeout(pause, self.tasks.join_next()).await.ok().flatten()
        };
        while let Some(result) = done {
            match result {
                Ok(done) => self.take(done)?,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(_) => return Err(Error::Interrupted),
                },
            }
            done = self.tasks.try_join_next();
        }
        Ok(())
    }

    pub(super) fn take(&mut self, done: Done) -> Result<(), Error> {
        match done {
            Done::Robots(url, answer) => {
                (self.needs_robots, self.asks_robots) = (None, false);
                match answer {
                    Ok(file) => {
                        self.hosts.answered(&host(&url));
                        self.state.store_robots(&file)?;
                        self.frontier.learn(&file);
                    }
                    Err(unwell) => {
                        self.hosts.given_up(&host(&url));
                        self.stop_for(unwell);
                    }
                }
                Ok(())
            }
            Done::Page(number, answer) => match self.url(number) {
                Some(url) => self.take_page(number, &host(&url), answer),
                None => Ok(()),
            },
        }
    }

    fn take_page(&mut self, number: u32, host: &str, answer: PageAnswer) -> Result<(), Error> {
        match answer {
            PageAnswer::Again(trouble) => {
                *self.tries.entry(number).or_default() += 1;
                self.hosts.failed(host, number, trouble);
            }
            PageAnswer::Unwell(unwell) => {
                self.hosts.given_up(host);
                self.stop_for(unwell);
            }
            PageAnswer::Visit(read, entry) => {
                match read.visit.status {
                    Some(_) => self.hosts.answered(host),
                    None => self.hosts.given_up(host),
                }
                self.tries.remove(&number);
                let place = self.state.store_visit(entry)?;
                self.store(number, *read, place);
            }
        }
        Ok(())
    }

    fn store(&mut self, number: u32, VisitRead { visit, blocks }: VisitRead, place: VisitPlace) {
        self.visited += 1;
        if let Some(observer) = &self.monitor.observer {
            observer.visited(number, &visit, &blocks, self.counts());
        }
        let is_page = visit.is_page();
        let is_short = visit.page.as_ref().is_none_or(|page| page.links.len() <= KEPT_LINKS);
        let visit = is_short.then(|| Box::new(visit));
        self.answered.insert(number, Answered { place, is_page, visit });
    }

    fn url(&self, number: u32) -> Option<Url> {
        Url::parse(&self.frontier.urls().get(number as usize)?.url).ok()
    }
}
