//! Pairs that are shown while the crawl runs.

use lookalike_audit::{Audit, AuditSettings, PageFacts, Provisional, Retraction, SiteBlock, SitePage};
use lookalike_crawl::Visit;
use lookalike_crawl::serve::SeenPair;
use lookalike_report::audit::view::CrawledSite;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pairs of the pages that came so far.
pub(super) struct ProvisionalPairs(Mutex<ProvisionalPages>);

struct ProvisionalPages {
    provisional: Provisional,
    urls: Vec<String>,
}

impl fmt::Debug for ProvisionalPairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProvisionalPairs").finish_non_exhaustive()
    }
}

impl ProvisionalPairs {
    pub(super) fn new(settings: &AuditSettings) -> anyhow::Result<Self> {
        let provisional = Provisional::new(settings)?;
        Ok(ProvisionalPairs(Mutex::new(ProvisionalPages { provisional, urls: Vec::new() })))
    }

    fn pages(&self) -> MutexGuard<'_, ProvisionalPages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a page. Returns its pairs, and the number of all pairs.
    pub(super) fn add(&self, visit: &Visit, blocks: &[SiteBlock]) -> (Vec<SeenPair>, u64) {
        let facts = PageFacts { url: visit.url.clone(), ..PageFacts::default() };
        let page = SitePage { facts, blocks: blocks.to_vec() };
        let mut pages = self.pages();
        let ProvisionalPages { provisional, urls } = &mut *pages;
        urls.push(page.facts.url.clone());
        let pairs = provisional.add(&page);
        let shown = pairs.iter().map(|pair| SeenPair {
            a: urls[pair.first as usize].clone(),
            b: urls[pair.second as usize].clone(),
            similarity: pair.percent[0].max(pair.percent[1]),
        });
        (shown.collect(), provisional.pairs().len() as u64)
    }

    /// The number of pairs that the audit does not have, and the first `most` of them with the reason.
    pub(super) fn retracted(
        &self,
        audit: &Audit,
        site: &dyn CrawledSite,
        most: usize,
    ) -> std::io::Result<(u64, Vec<String>)> {
        let (count, retracted) = self.pages().provisional.retractions(audit, site, most)?;
        let sentence = |pair: Retraction| format!("{} and {}: {}", pair.urls[0], pair.urls[1], pair.verdict);
        Ok((count, retracted.into_iter().map(sentence).collect()))
    }
}
