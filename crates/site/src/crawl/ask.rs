//! What is asked of servers: pages, robots.txt and sitemaps.

use super::found::origin;
use super::hosts::Trouble;
use crate::fetch::{Answer, Failure, Fetcher, Wanted};
use crate::robots::{ROBOTS_BYTES, ROBOTS_REDIRECTS, RobotsAnswer, RobotsFile};
use crate::sitemap::{SITEMAP_BYTES, Sitemap};
use crate::state::visit_entry;
use crate::visit::{VisitRead, visit_of};
use std::io;
use std::time::Duration;
use tokio::task::block_in_place;
use url::Url;

/// Pages with more bytes are read on a thread of their own, so that other requests go on.
const LONG_PAGE_BYTES: usize = 256 << 10;

/// The pause before robots.txt or a sitemap is asked for again.
const PAUSE: Duration = Duration::from_millis(500);

/// How often robots.txt and sitemaps are asked for if the server fails.
const TRIES: u32 = 3;

/// What came of a request for a page.
#[derive(Debug)]
pub(super) enum Asked {
    /// A visit, and its entry for the journal.
    Visit(Box<VisitRead>, io::Result<Vec<u8>>),
    /// It has to be tried again.
    Again(Trouble),
}

/// Visits a URL. On the last try there is a visit in any case.
pub(super) async fn ask_page(fetcher: &Fetcher, number: u32, url: &Url, is_last: bool) -> Asked {
    let answer = fetcher.get(url, Wanted::Pages).await;
    if !is_last {
        match &answer {
            Ok(answer) => {
                if let Some(pause) = answer.busy()
                    && pause.is_none_or(|pause| pause <= fetcher.limits().longest_pause)
                {
                    return Asked::Again(Trouble::Busy(pause));
                }
            }
            Err(Failure::Unreachable { .. }) => return Asked::Again(Trouble::Connection),
            Err(_) => {}
        }
    }
    let is_long = matches!(&answer, Ok(Answer { body: Some(body), .. }) if body.len() > LONG_PAGE_BYTES);
    let read = move || {
        let read = visit_of(url, answer);
        let entry = visit_entry(number, &read);
        Asked::Visit(Box::new(read), entry)
    };
    if is_long { block_in_place(read) } else { read() }
}

/// Asks for the robots.txt of the host of `url`.
pub(super) async fn ask_robots(fetcher: &Fetcher, url: &Url) -> RobotsFile {
    let origin = origin(url);
    let answer = match url.join("/robots.txt") {
        Ok(robots) => follow(fetcher, robots, Wanted::Start(ROBOTS_BYTES)).await,
        Err(error) => Err(Failure::Unreachable { reason: error.to_string() }),
    };
    let answer = match answer {
        Ok(Answer { body: Some(body), .. }) => {
            RobotsAnswer::Text(String::from_utf8_lossy(&body).into_owned())
        }
        // More redirects than are followed count as none (RFC 9309, section 2.3.1.2), and so do all refusals.
        Ok(answer) if answer.status < 500 && answer.status != 429 => RobotsAnswer::Missing(answer.status),
        Ok(answer) => RobotsAnswer::Unreachable(format!("status {}", answer.status)),
        Err(failure) => RobotsAnswer::Unreachable(failure.to_string()),
    };
    RobotsFile { origin, answer }
}

/// Asks for a sitemap.
pub(super) async fn ask_sitemap(fetcher: &Fetcher, url: &Url) -> Sitemap {
    let problem = match follow(fetcher, url.clone(), Wanted::Whole(SITEMAP_BYTES)).await {
        Ok(Answer { body: Some(body), .. }) => return block_in_place(|| Sitemap::read(url, &body)),
        Ok(answer) => format!("status {}", answer.status),
        Err(failure) => failure.to_string(),
    };
    Sitemap { url: url.as_str().to_owned(), problem: Some(problem), ..Sitemap::default() }
}

/// The answer behind redirects, after some tries if the server fails.
async fn follow(fetcher: &Fetcher, mut url: Url, wanted: Wanted) -> Result<Answer, Failure> {
    let (mut redirects, mut tries) = (0, 1);
    loop {
        let answer = fetcher.get(&url, wanted).await;
        if let Ok(answer) = &answer
            && let Some(target) = answer.redirect(&url)
            && redirects < ROBOTS_REDIRECTS
        {
            (url, redirects) = (target, redirects + 1);
            continue;
        }
        let pause = match &answer {
            Ok(answer) if answer.status >= 500 || answer.status == 429 => answer.busy().flatten(),
            Err(Failure::Unreachable { .. }) => None,
            _ => return answer,
        };
        let pause = pause.unwrap_or(PAUSE);
        if tries == TRIES || pause > fetcher.limits().longest_pause {
            return answer;
        }
        tries += 1;
        tokio::time::sleep(pause).await;
    }
}
