//! Following a crawl, and stopping it.

use crate::visit::Visit;
use lookalike_audit::SiteBlock;
use lookalike_corpus::Interrupt;
use std::fmt::Debug;
use std::sync::Arc;

/// How far a crawl is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrawlCounts {
    /// URLs that are visited, or will be.
    pub found: u32,
    /// URLs that were visited, in this call or before.
    pub visited: u32,
    /// Pages among them.
    pub pages: u32,
    /// URLs that a rule refused.
    pub skipped: u32,
    /// Those among them that differ from too many others only in queries, dates or numbers.
    pub trapped: u32,
    /// Requests of this call, also those for robots.txt and sitemaps.
    pub requests: u32,
}

/// Follows a crawl. Its methods are called on one thread, one after the other, and the crawl waits for them.
pub trait CrawlObserver: Debug + Send + Sync {
    /// Called when a visit was stored. `blocks` is the text of the page. `number` tells it from others, in this call and later ones.
    fn visited(&self, number: u32, visit: &Visit, blocks: &[SiteBlock], counts: CrawlCounts);

    /// Called with a note for the user, such as that a crawl goes on from where an earlier one stopped.
    fn note(&self, text: &str);
}

/// The observer of a crawl, and the switch that stops it. By default nobody observes it, and nothing stops it.
#[derive(Clone, Debug, Default)]
pub struct CrawlMonitor {
    /// Follows the crawl.
    pub observer: Option<Arc<dyn CrawlObserver>>,
    /// The switch that stops the crawl.
    pub interrupt: Interrupt,
}

impl CrawlMonitor {
    pub(crate) fn note(&self, text: &str) {
        if let Some(observer) = &self.observer {
            observer.note(text);
        }
    }
}
