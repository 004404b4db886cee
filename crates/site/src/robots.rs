//! The rules of robots.txt (RFC 9309).

use crate::refusal::Refusal;
use robotxt::Robots;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use url::{Position, Url};

/// The name by which robots.txt may address the crawler.
pub const AGENT: &str = "lookalike";

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

/// The rules of an origin.
#[derive(Debug)]
pub(crate) struct Rules {
    robots: Robots,
    file: RobotsFile,
}

impl Rules {
    pub(crate) fn of(file: RobotsFile) -> Self {
        let robots = match &file.answer {
            RobotsAnswer::Text(text) => Robots::parse(text.as_bytes(), AGENT),
            RobotsAnswer::Missing(_) => Robots::allow_all(),
            RobotsAnswer::Unreachable(_) => Robots::disallow_all(),
        };
        Rules { robots, file }
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
        match &self.file.answer {
            RobotsAnswer::Unreachable(reason) => Err(Refusal::RobotsUnreachable { reason: reason.clone() }),
            RobotsAnswer::Text(text) => {
                let pattern = self.robots.matching_rule(path).map_or("/", |rule| rule.pattern());
                let (line, rule) = self.line_of(text, pattern);
                Err(Refusal::Robots { line, rule })
            }
            RobotsAnswer::Missing(_) => Ok(()),
        }
    }

    /// The time between two requests that the file asks for.
    pub(crate) fn delay(&self) -> Option<Duration> {
        self.robots.crawl_delay().map(|delay| delay.min(LONGEST_DELAY))
    }

    /// The sitemaps that the file names.
    pub(crate) fn sitemaps(&self) -> &[Url] {
        self.robots.sitemaps()
    }

    /// The number and text of the line with a rule that forbids `pattern`.
    fn line_of(&self, text: &str, pattern: &str) -> (u32, String) {
        let (mut applies, mut in_agents) = (false, false);
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim().trim_start_matches('\u{feff}');
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            if key == "user-agent" {
                let name = value.split(['/', ' ']).next().unwrap_or_default();
                applies = (in_agents && applies) || name.eq_ignore_ascii_case(self.robots.user_agent());
                in_agents = true;
                continue;
            }
            in_agents = false;
            if applies && key == "disallow" && normalised(value).as_deref() == Some(pattern) {
                return (number, line.to_owned());
            }
        }
        (0, format!("Disallow: {pattern}"))
    }
}

/// A pattern in the form in which the parser keeps it.
fn normalised(pattern: &str) -> Option<String> {
    let robots = Robots::parse(format!("User-agent: *\nDisallow: {pattern}").as_bytes(), AGENT);
    Some(robots.rules().first()?.pattern().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(answer: RobotsAnswer) -> Rules {
        Rules::of(RobotsFile { origin: "http://example.org".to_owned(), answer })
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
