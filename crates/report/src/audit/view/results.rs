//! An audit, and what the crawl knows of its pages.

use super::changes::Since;
use super::site::{CheckedLink, CrawledSite, PageVisit, SkippedUrls};
use super::tally::PairTally;
use lookalike::Executor;
use lookalike_audit::{Audit, AuditedPage};
use std::fmt;
use std::io;
use std::sync::Arc;

/// An audit, and what the crawl knows of its pages. All screens are made of it.
pub struct AuditResults {
    pub(super) site: Arc<dyn CrawledSite>,
    pub(super) audit: Arc<Audit>,
    /// By the numbers of the audit.
    pub(super) visits: Arc<[PageVisit]>,
    pub(super) tally: PairTally,
    pub(super) skipped: Arc<SkippedUrls>,
    pub(super) links: Arc<[CheckedLink]>,
    since: Option<Since>,
}

impl fmt::Debug for AuditResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuditResults").field("start", &self.site.start()).finish_non_exhaustive()
    }
}

impl AuditResults {
    /// The results of `audit`, which was made of `site`. All pairs are counted, so call it in the background.
    ///
    /// # Errors
    /// If the crawl cannot be read.
    pub fn new(site: Arc<dyn CrawledSite>, audit: impl Into<Arc<Audit>>) -> io::Result<Self> {
        let audit = audit.into();
        let visits = audit.pages().iter().map(|page| site.visit(page.source as usize)).collect();
        let tally = PairTally::of(&audit);
        let (skipped, links) = (site.skipped()?.into(), site.links()?.into());
        Ok(AuditResults { site, audit, visits, tally, skipped, links, since: None })
    }

    /// The same crawl with another audit of it, and without an earlier one.
    pub fn with_audit(&self, audit: Audit) -> Self {
        AuditResults {
            site: Arc::clone(&self.site),
            tally: PairTally::of(&audit),
            audit: Arc::new(audit),
            visits: Arc::clone(&self.visits),
            skipped: Arc::clone(&self.skipped),
            links: Arc::clone(&self.links),
            since: None,
        }
    }

    /// The same results, with what has changed since the audit `before` of an earlier crawl.
    ///
    /// # Errors
    /// If the executor stops the comparison.
    pub fn compared_with<E: Executor>(self, before: Audit, executor: &E) -> Result<Self, E::Stopped> {
        let since = Some(Since::of(before, &self.audit, executor)?);
        Ok(AuditResults { since, ..self })
    }

    /// What has changed since the earlier audit, if there is one.
    pub fn since(&self) -> Option<&Since> {
        self.since.as_ref()
    }

    /// The crawl.
    pub fn site(&self) -> &Arc<dyn CrawledSite> {
        &self.site
    }

    /// The audit.
    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// What the crawl knows of a page, by the number of the audit.
    pub fn visit(&self, page: u32) -> &PageVisit {
        &self.visits[page as usize]
    }

    pub(super) fn of(&self, page: u32) -> &AuditedPage {
        &self.audit.pages()[page as usize]
    }

    pub(super) fn url(&self, page: u32) -> &str {
        &self.of(page).url
    }

    pub(super) fn title(&self, page: u32) -> &str {
        &self.visits[page as usize].title
    }
}
