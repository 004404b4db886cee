//! The rules of robots.txt (RFC 9309).

mod lines;

use crate::refusal::Refusal;
use robotxt::Robots;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::time::Duration;
use url::{Position, Url};

/// The name by which robots.txt may address the crawler.
pub(crate) const AGENT: &str = "lookalike";

/// The longest text that is read: RFC 9309 asks for 500 KiB at least.
pub(crate) const ROBOTS_BYTES: usize = 512 << 10;

/// The redirects that are followed to a robots.txt: RFC 9309 asks for five.
pub(crate) const ROBOTS_REDIRECTS: usize = 5;

/// A longer crawl delay is a mistake, or means "do not crawl", which robots.txt says in another way.
const LONGEST_DELAY: Duration = Duration::from_secs(60);

/// The robots.txt of an origin, as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsFile {
    /// Scheme, host and port, as in `https://example.org`.
    pub origin: String,
    /// What the server answered.
    pub answer: RobotsAnswer,
}

/// The answer of a server that was asked for robots.txt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RobotsAnswer {
    /// The text. Bytes that are not UTF-8 are replaced.
    Text(String),
    /// There is none, so all pages are allowed. The status, such as 404.
    Missing(u16),
    /// It cannot be read, so no page is allowed. The reason.
    Unreachable(String),
}

/// The rules of an origin. The text of the file is not kept.
#[derive(Debug)]
pub(crate) struct Rules {
    robots: Robots,
    /// The number and text of the line of each pattern that forbids pages.
    lines: HashMap<String, (u32, String)>,
    /// Why the file cannot be read.
    unreachable: Option<String>,
}

impl Rules {
    pub(crate) fn of(file: &RobotsFile) -> Self {
        let (mut lines, mut unreachable) = (HashMap::new(), None);
        let robots = match &file.answer {
            RobotsAnswer::Text(text) => {
                let robots = Robots::parse(lines::without_versions(text).as_bytes(), AGENT);
                lines = lines::lines_of_patterns(text, robots.user_agent());
                robots
            }
            RobotsAnswer::Missing(_) => Robots::allow_all(),
            RobotsAnswer::Unreachable(reason) => {
                unreachable = Some(reason.clone());
                Robots::disallow_all()
            }
        };
        Rules { robots, lines, unreachable }
    }

    /// Checks that a URL of this origin is allowed.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(crate) fn check(&self, url: &Url) -> Result<(), Refusal> {
        let path = &url[Position::BeforePath..Position::AfterQuery];
        if self.robots.is_allowed(path) {
            return Ok(());
        }
        if let Some(reason) = &self.unreachable {
            return Err(Refusal::RobotsUnreachable { reason: reason.clone() });
        }
        let pattern = self.robots.matching_rule(path).map_or("/", |rule| rule.pattern());
        let (line, rule) = match self.lines.get(pattern) {
            Some((line, rule)) => (*line, rule.clone()),
            None => (0, format!("Disallow: {pattern}")),
        };
        Err(Refusal::Robots { line, rule })
    }

    /// The time between two requests that the file asks for.
    pub(crate) fn delay(&self) -> Option<Duration> {
        self.robots.crawl_delay().map(|delay| delay.min(LONGEST_DELAY))
    }

    /// The sitemaps that the file names.
    pub(crate) fn sitemaps(&self) -> &[Url] {
        self.robots.sitemaps()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(answer: RobotsAnswer) -> Rules {
        Rules::of(&RobotsFile { origin: "http://example.org".to_owned(), answer })
    }

    fn check(rules: &Rules, path: &str) -> Result<(), String> {
        let url = Url::parse(&format!("http://example.org{path}")).unwrap();
        rules.check(&url).map_err(|refusal| refusal.to_string())
    }

    const TEXT: &str = "\u{feff}User-agent: other\nDisallow: /\n\nuser-agent: *\nDisallow: /a # private\nAllow: /a/b\n\
        Disallow: /*.pdf$\nCrawl-delay: 0.5\nSitemap: http://example.org/map.xml\n";

    #[test]
    fn a_page_that_is_not_allowed_names_the_line() {
        let rules = rules(RobotsAnswer::Text(TEXT.to_owned()));
        assert_eq!(check(&rules, "/a/c"), Err("robots.txt, line 5: Disallow: /a".to_owned()));
        assert_eq!(check(&rules, "/x.pdf"), Err("robots.txt, line 7: Disallow: /*.pdf$".to_owned()));
        assert_eq!((check(&rules, "/a/b/c"), check(&rules, "/")), (Ok(()), Ok(())));
        assert_eq!(rules.delay(), Some(Duration::from_millis(500)));
        assert_eq!(rules.sitemaps()[0].path(), "/map.xml");
    }

    #[test]
    fn a_group_for_the_crawler_has_precedence() {
        let text = "User-agent: *\nDisallow: /\n\nUser-agent: x\nUser-agent: Lookalike\nDisallow: /%7Eme\n";
        let rules = rules(RobotsAnswer::Text(text.to_owned()));
        assert_eq!(check(&rules, "/"), Ok(()));
        assert_eq!(check(&rules, "/~me"), Err("robots.txt, line 6: Disallow: /%7Eme".to_owned()));
    }

    #[test]
    fn a_version_behind_the_name_of_the_crawler_does_not_matter() {
        let text = "User-agent: *\nDisallow:\n\nUser-agent: Lookalike/1.0 (audits)\nDisallow: /a\n";
        let rules = rules(RobotsAnswer::Text(text.to_owned()));
        assert_eq!(check(&rules, "/a"), Err("robots.txt, line 5: Disallow: /a".to_owned()));
        let other = "User-agent: lookalike2\nUser-agent: lookalike-images/1\nDisallow: /\n";
        assert_eq!(check(&self::rules(RobotsAnswer::Text(other.to_owned())), "/a"), Ok(()));
    }

    #[test]
    fn a_rule_is_found_in_its_line_however_it_is_spelled() {
        let text = "useragent: x\rSitemap: http://example.org/map.xml\rUser agent : lookalike # me\rDissallow:/a\r\n\r\n\
            \tDISALLOW /b c # why\nAllow: /b/d\nuser-agent: y\ndisallow: /e\n";
        let rules = rules(RobotsAnswer::Text(text.to_owned()));
        let rule = |line: u32, rule: &str| Err(format!("robots.txt, line {line}: {rule}"));
        assert_eq!(check(&rules, "/a"), rule(4, "Dissallow:/a"));
        assert_eq!(check(&rules, "/b%20c"), rule(6, "DISALLOW /b c"));
        assert_eq!((check(&rules, "/b/d"), check(&rules, "/e")), (Ok(()), Ok(())));
    }

    #[test]
    fn a_refused_url_does_not_search_the_file() {
        // The longest rule is compared first, and is the last one of the file.
        let text: String = (10_000..30_000).map(|rule| format!("Disallow: /{rule}\n")).collect();
        let text = format!("User-agent: *\n{text}Disallow: /private\n");
        let rules = rules(RobotsAnswer::Text(text));
        let started = std::time::Instant::now();
        for page in 0..20_000 {
            let message = check(&rules, &format!("/private{page}")).unwrap_err();
            assert_eq!(message, "robots.txt, line 20002: Disallow: /private");
        }
        // A search takes minutes.
        assert!(started.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn without_the_file_all_is_allowed_and_nothing_if_the_server_fails() {
        assert_eq!(check(&rules(RobotsAnswer::Missing(404)), "/a"), Ok(()));
        let rules = rules(RobotsAnswer::Unreachable("status 503".to_owned()));
        let message = "robots.txt cannot be read (status 503), so nothing of this host is allowed";
        assert_eq!(check(&rules, "/a"), Err(message.to_owned()));
    }

    #[test]
    fn a_crawl_delay_of_an_hour_is_taken_as_a_minute() {
        let rules = rules(RobotsAnswer::Text("User-agent: *\nCrawl-delay: 3600".to_owned()));
        assert_eq!(rules.delay(), Some(Duration::from_secs(60)));
    }
}
