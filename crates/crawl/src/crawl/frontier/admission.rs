//! Which of the URLs that links lead to are visited.

use super::{Frontier, NeedsRobots, OnRefusal};
use crate::crawl::found::{FoundUrl, host};
use crate::refusal::Refusal;
use crate::visit::Via;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// The redirects in a row that are followed, by the crawl and by the audit. Browsers follow twenty, search engines ten, and an audit is about what
/// search engines find.
pub(crate) const MOST_REDIRECTS: usize = 10;

/// The most URLs that are found: so many for each page of the limit, and so many more. URLs that are not pages are among them, and on real sites
/// they are fewer than twice the pages.
const FOUND_PER_PAGE: u32 = 3;
const FOUND: u32 = 10_000;

/// The most hosts of a domain. Each has a robots.txt, for which the crawl waits; and with a wildcard in the DNS, all names are hosts.
const HOSTS: u32 = 1000;

/// Refused URLs that are remembered, with 16 bytes each. Further ones are refused each time a link leads to them.
const REMEMBERED: usize = 4 << 20;

impl Frontier {
    pub(super) fn offer(
        &mut self,
        found: FoundUrl,
        via: Via,
        from: Option<u32>,
        refused: OnRefusal<'_>,
    ) -> Result<(), NeedsRobots> {
        let hash = xxh3_64(found.url.as_bytes());
        if self.numbers.contains_key(&hash) || self.refused.contains(&hash) {
            return Ok(());
        }
        let Ok(url) = Url::parse(&found.url) else { return Ok(()) };
        match self.check(&url, &found, via)? {
            Ok(()) => {
                self.numbers.insert(hash, self.urls.len() as u32);
                self.urls.push(found);
            }
            Err(refusal) => {
                refused(&found.url, &refusal, from);
                if matches!(refusal, Refusal::Queries { .. } | Refusal::Numbers { .. }) {
                    self.trapped.0 += 1;
                    self.trapped.1.get_or_insert_with(|| refusal.clone());
                }
                // Another link may lead to it after all.
                if self.refused.len() < REMEMBERED
                    && !matches!(
                        refusal,
                        Refusal::NoFollow | Refusal::Depth { .. } | Refusal::Redirects { .. }
                    )
                {
                    self.refused.insert(hash);
                }
            }
        }
        Ok(())
    }

    fn check(&mut self, url: &Url, found: &FoundUrl, via: Via) -> Result<Result<(), Refusal>, NeedsRobots> {
        if let Err(refusal) = self.scope.check(url) {
            return Ok(Err(refusal));
        }
        let limit = self.settings.max_depth;
        if via == Via::NoFollow && !self.settings.follow_nofollow {
            return Ok(Err(Refusal::NoFollow));
        }
        if found.steps > limit {
            return Ok(Err(Refusal::Depth { limit }));
        }
        let limit = MOST_REDIRECTS as u32;
        if found.redirects > limit {
            return Ok(Err(Refusal::Redirects { limit }));
        }
        let host = host(url);
        if !self.hosts.contains(&host) {
            if self.hosts.len() >= HOSTS as usize {
                return Ok(Err(Refusal::Hosts { limit: HOSTS }));
            }
            self.hosts.insert(host);
        }
        if self.settings.robots {
            let rules = self.rules(url).ok_or_else(|| NeedsRobots(url.clone()))?;
            if let Err(refusal) = rules.check(url) {
                return Ok(Err(refusal));
            }
        }
        if self.has_enough() {
            return Ok(Err(Refusal::Found { limit: self.most_found() }));
        }
        Ok(self.traps.admit(url, &self.settings.traps))
    }

    /// Whether no further URL is taken. A hostile site would fill the memory with URLs that are never visited.
    pub(crate) fn has_enough(&self) -> bool {
        self.urls.len() >= self.most_found() as usize
    }

    fn most_found(&self) -> u32 {
        self.settings.max_pages.saturating_mul(FOUND_PER_PAGE).saturating_add(FOUND)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::Extent;
    use crate::settings::CrawlSettings;

    #[test]
    fn a_domain_has_so_many_hosts() {
        let mut settings = CrawlSettings::new(Url::parse("http://example.org/").unwrap());
        (settings.extent, settings.robots) = (Extent::Domain, false);
        let mut frontier = Frontier::of(settings.stored()).unwrap();
        let mut refusals = Vec::new();
        let mut offer = |url: String| {
            let found = FoundUrl { url: url.into(), steps: 1, linked: true, listed: false, redirects: 0 };
            frontier.offer(found, Via::Link, None, &mut |url, refusal, _| {
                refusals.push((url.to_owned(), refusal.to_string()));
            })
        };
        for host in 0..1001 {
            offer(format!("http://w{host}.example.org/")).unwrap();
        }
        offer("http://w0.example.org/other".to_owned()).unwrap();
        let rule = "more than 1000 hosts of the domain".to_owned();
        assert_eq!(refusals, [("http://w1000.example.org/".to_owned(), rule)]);
        assert_eq!(frontier.urls().len(), 1001);
    }
}
