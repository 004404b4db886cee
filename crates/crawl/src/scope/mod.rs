//! Which URLs belong to the site that is audited.

mod filter;
mod form;
mod traps;

pub use filter::{BadPattern, Patterns};
pub(crate) use traps::TrapCounters;
pub use traps::TrapLimits;

use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};
use url::Url;

/// How much of a host's neighbourhood is audited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// The host of the start page, on its port.
    #[default]
    Host,
    /// All hosts of the registrable domain: of `docs.example.co.uk`, those under `example.co.uk`.
    Domain,
    /// The pages of the host below the folder of the start page.
    Folder,
}

/// The site: where it starts, and what belongs to it.
#[derive(Clone, Debug)]
pub(crate) struct SiteScope {
    extent: Extent,
    /// The page that the user named.
    start: Url,
    /// This page, and the pages that it redirects to. Folders have their slash.
    starts: Vec<Url>,
    include: Patterns,
    exclude: Patterns,
}

impl SiteScope {
    pub(crate) fn new(start: Url, extent: Extent, include: Patterns, exclude: Patterns) -> Self {
        SiteScope { extent, starts: vec![start.clone()], start, include, exclude }
    }

    /// The URL at which the user starts.
    pub(crate) fn start(&self) -> &Url {
        &self.start
    }

    /// The page at which the site starts: the last one that the start page redirects to.
    pub(crate) fn home(&self) -> &Url {
        self.starts.last().unwrap_or(&self.start)
    }

    /// Takes in the page that the start page redirects to, if it is of the same domain: the audit of `example.org` is then one of
    /// `www.example.org`. If the target is the path of the start with a slash, the user has named a folder without its slash.
    pub(crate) fn follow_start(&mut self, target: &Url) {
        for start in &mut self.starts {
            if target.path().strip_suffix('/') == Some(start.path()) {
                start.set_path(target.path());
            }
        }
        let same = domain(self.start()).is_some_and(|start| Some(start) == domain(target));
        if same && self.check_extent(target).is_err() {
            self.starts.push(target.clone());
        }
    }

    /// Checks that a URL belongs to the site.
    ///
    /// # Errors
    /// The rule that excludes it.
    pub(crate) fn check(&self, url: &Url) -> Result<(), Refusal> {
        self.check_extent(url)?;
        let shown = url.as_str();
        if let Some(pattern) = self.exclude.matching(url) {
            return Err(Refusal::Excluded { pattern: pattern.to_owned() });
        }
        let is_start = self.starts.iter().chain([&self.start]).any(|start| start.as_str() == shown);
        if !is_start && !self.include.is_empty() && self.include.matching(url).is_none() {
            return Err(Refusal::NotIncluded);
        }
        Ok(())
    }

    fn check_extent(&self, url: &Url) -> Result<(), Refusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal::Scheme { scheme: url.scheme().to_owned() });
        }
        let belongs = |start: &Url| match self.extent {
            Extent::Host => same_host(start, url),
            Extent::Domain => match (domain(start), domain(url)) {
                (Some(one), Some(other)) => one == other && same_port(start, url),
                _ => same_host(start, url),
            },
            Extent::Folder => same_host(start, url) && url.path().starts_with(folder(start)),
        };
        if self.starts.iter().any(belongs) {
            return Ok(());
        }
        match self.extent {
            Extent::Folder if self.starts.iter().any(|start| same_host(start, url)) => {
                Err(Refusal::OtherFolder)
            }
            _ => Err(Refusal::OtherHost),
        }
    }
}

/// The path of the folder that a page is in, with a slash at its end.
fn folder(url: &Url) -> &str {
    let path = url.path();
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

fn same_host(one: &Url, other: &Url) -> bool {
    one.host_str() == other.host_str() && same_port(one, other)
}

/// HTTP and HTTPS on their own ports are one site. Another port is another server, which speaks one of them.
fn same_port(one: &Url, other: &Url) -> bool {
    one.port() == other.port() && (one.port().is_none() || one.scheme() == other.scheme())
}

/// The part of a host that its owner has registered; the host itself if it is an address or has no dot.
fn domain(url: &Url) -> Option<&str> {
    let host = url.domain()?;
    Some(psl::domain_str(host).unwrap_or(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn scope(start: &str, extent: Extent) -> SiteScope {
        SiteScope::new(url(start), extent, Patterns::default(), Patterns::default())
    }

    fn belongs(scope: &SiteScope, text: &str) -> bool {
        scope.check(&url(text)).is_ok()
    }

    #[test]
    fn a_host_is_one_site_over_http_and_https_and_on_no_other_port() {
        let scope = scope("http://example.org/a", Extent::Host);
        for inside in ["http://example.org/", "https://example.org/x?y", "HTTP://EXAMPLE.ORG:80/z"] {
            assert!(belongs(&scope, inside), "{inside}");
        }
        for outside in ["http://www.example.org/", "http://example.org:8080/", "ftp://example.org/"] {
            assert!(!belongs(&scope, outside), "{outside}");
        }
    }

    #[test]
    fn a_domain_has_the_hosts_that_its_owner_registered() {
        let scope = scope("http://docs.example.co.uk/", Extent::Domain);
        assert!(belongs(&scope, "http://www.example.co.uk/"));
        assert!(!belongs(&scope, "http://other.co.uk/"));
        assert!(!belongs(&scope, "http://127.0.0.1/"));
    }

    #[test]
    fn a_folder_has_the_pages_below_it() {
        let scope = scope("http://example.org/docs/index.html", Extent::Folder);
        assert!(belongs(&scope, "http://example.org/docs/a/b"));
        assert_eq!(scope.check(&url("http://example.org/blog/")), Err(Refusal::OtherFolder));
        assert_eq!(scope.check(&url("http://example.net/docs/")), Err(Refusal::OtherHost));
    }

    #[test]
    fn the_start_page_may_redirect_within_its_domain_and_not_out_of_it() {
        let mut scope = scope("http://example.org/", Extent::Host);
        scope.follow_start(&url("https://www.example.org/home"));
        scope.follow_start(&url("https://elsewhere.org/"));
        assert!(belongs(&scope, "https://www.example.org/x") && belongs(&scope, "http://example.org/x"));
        assert!(!belongs(&scope, "https://elsewhere.org/"));
    }

    #[test]
    fn a_folder_may_be_named_without_its_slash() {
        let mut scope = scope("http://example.org/docs", Extent::Folder);
        scope.follow_start(&url("https://example.org/docs"));
        assert!(belongs(&scope, "http://example.org/blog"), "not known yet");
        scope.follow_start(&url("https://example.org/docs/"));
        assert!(belongs(&scope, "https://example.org/docs/a"));
        assert_eq!(scope.check(&url("http://example.org/blog")), Err(Refusal::OtherFolder));
        assert_eq!(scope.start().path(), "/docs");
    }

    #[test]
    fn patterns_include_and_exclude_and_the_start_page_is_always_in() {
        let patterns = |list: &[&str]| Patterns::new(list.iter().map(|&one| one.to_owned())).unwrap();
        let scope = SiteScope::new(
            url("http://example.org/"),
            Extent::Host,
            patterns(&["/docs/*"]),
            patterns(&["*.pdf", "*print=*"]),
        );
        assert!(belongs(&scope, "http://example.org/") && belongs(&scope, "http://example.org/docs/a/b"));
        assert_eq!(scope.check(&url("http://example.org/blog")), Err(Refusal::NotIncluded));
        let pattern = "*print=*".to_owned();
        assert_eq!(scope.check(&url("http://example.org/docs/?print=1")), Err(Refusal::Excluded { pattern }));
    }
}
