//! What is asked of servers: pages, robots.txt and sitemaps.

use super::found::origin;
use super::hosts::Trouble;
use crate::fetch::{FetchFailure, Fetcher, HttpAnswer, WantedAnswers};
use crate::render::Renderer;
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
pub(super) enum PageAnswer {
    /// A visit, and its entry for the journal.
    Visit(Box<VisitRead>, io::Result<Vec<u8>>),
    /// It has to be tried again.
    Again(Trouble),
    /// The server does not answer other requests either.
    Unwell(Unwell),
}

/// A server that is busy for longer than the crawl waits, or that cannot be reached: why the crawl ends before its time. Nothing is stored of such
/// an answer, so the next call asks again.
#[derive(Debug)]
pub(super) struct Unwell(pub(super) String);

/// Visits a URL. If the server is in trouble for this URL alone, the last try is a visit all the same. `home` is the page at which the site
/// starts.
///
/// A `renderer` shows pages that need scripts.
pub(super) async fn ask_page(
    fetcher: &Fetcher,
    renderer: Option<&Renderer>,
    number: u32,
    url: &Url,
    home: &Url,
    is_last: bool,
) -> PageAnswer {
    let answer = fetcher.get(url, WantedAnswers::Pages).await;
    if let Some(trouble) = trouble_of(&answer) {
        if !is_last && trouble.pause().is_none_or(|pause| pause <= fetcher.limits().longest_pause) {
            return PageAnswer::Again(trouble);
        }
        if let Err(unwell) = check_server(fetcher, url, home, &answer).await {
            return PageAnswer::Unwell(unwell);
        }
    }
    let is_long = matches!(&answer, Ok(HttpAnswer { body: Some(body), .. }) if body.len() > LONG_PAGE_BYTES);
    let read = move || visit_of(url, answer);
    let mut read = if is_long { block_in_place(read) } else { read() };
    if let Some(renderer) = renderer {
        renderer.show(url, &mut read).await;
    }
    let entry = move || {
        let entry = visit_entry(number, &read);
        PageAnswer::Visit(Box::new(read), entry)
    };
    if is_long { block_in_place(entry) } else { entry() }
}

/// Why another answer may follow soon.
fn trouble_of(answer: &Result<HttpAnswer, FetchFailure>) -> Option<Trouble> {
    match answer {
        Ok(answer) => answer.busy().map(Trouble::Busy),
        Err(FetchFailure::Unreachable { .. }) => Some(Trouble::Connection),
        Err(_) => None,
    }
}

/// Asks the server for another page, after a request that it is in trouble for. One page may fail for ever, and is then a broken one. A server
/// that answers nothing will answer later.
///
/// # Errors
/// The reason, if it does not answer that either.
async fn check_server(
    fetcher: &Fetcher,
    url: &Url,
    home: &Url,
    answer: &Result<HttpAnswer, FetchFailure>,
) -> Result<(), Unwell> {
    let (reason, other) = match answer {
        Ok(answer) => {
            let pause =
                answer.busy().flatten().map(|pause| format!(", and asks for {} seconds", pause.as_secs()));
            (
                format!("the server has the status {}{}", answer.status, pause.unwrap_or_default()),
                url.join("/").ok(),
            )
        }
        // Another host may be gone for ever, while the network is there.
        Err(failure) => (failure.to_string(), Some(home.clone())),
    };
    if let Some(other) = other.filter(|other| other != url) {
        match fetcher.get(&other, WantedAnswers::Start(0)).await {
            Ok(answer) if answer.busy().is_none() => return Ok(()),
            Err(FetchFailure::TooLong { .. } | FetchFailure::Undecodable { .. }) => return Ok(()),
            _ => {}
        }
    }
    Err(Unwell(format!("{url}: {reason}")))
}

/// Asks for the robots.txt of the host of `url`. `home` is a page that was answered before, if there is one.
///
/// # Errors
/// [`Unwell`] if that page is not answered any more.
pub(super) async fn ask_robots(
    fetcher: &Fetcher,
    url: &Url,
    home: Option<&Url>,
) -> Result<RobotsFile, Unwell> {
    let origin = origin(url);
    let answer = match url.join("/robots.txt") {
        Ok(robots) => follow(fetcher, robots, WantedAnswers::Start(ROBOTS_BYTES)).await,
        Err(error) => Err(FetchFailure::Unreachable { reason: error.to_string() }),
    };
    if let (Some(home), true) = (home, matches!(answer, Err(FetchFailure::Unreachable { .. }))) {
        check_server(fetcher, url, home, &answer).await?;
    }
    let answer = match answer {
        Ok(HttpAnswer { body: Some(body), .. }) => {
            RobotsAnswer::Text(String::from_utf8_lossy(&body).into_owned())
        }
        // More redirects than are followed count as none (RFC 9309, section 2.3.1.2), and so do all refusals.
        Ok(answer) if answer.status < 500 && answer.status != 429 => RobotsAnswer::Missing(answer.status),
        Ok(answer) => RobotsAnswer::Unreachable(format!("status {}", answer.status)),
        Err(failure) => RobotsAnswer::Unreachable(failure.to_string()),
    };
    Ok(RobotsFile { origin, answer })
}

/// Asks for a sitemap. `home` is the page at which the site starts.
///
/// # Errors
/// [`Unwell`] if that page is not answered any more either.
pub(super) async fn ask_sitemap(fetcher: &Fetcher, url: &Url, home: &Url) -> Result<Sitemap, Unwell> {
    let answer = follow(fetcher, url.clone(), WantedAnswers::Whole(SITEMAP_BYTES)).await;
    if trouble_of(&answer).is_some() {
        check_server(fetcher, url, home, &answer).await?;
    }
    let problem = match answer {
        Ok(HttpAnswer { body: Some(body), .. }) => return Ok(block_in_place(|| Sitemap::read(url, &body))),
        Ok(answer) => format!("status {}", answer.status),
        Err(failure) => failure.to_string(),
    };
    Ok(Sitemap { url: url.as_str().to_owned(), problem: Some(problem), ..Sitemap::default() })
}

/// The answer behind redirects, after some tries if the server fails.
async fn follow(fetcher: &Fetcher, mut url: Url, wanted: WantedAnswers) -> Result<HttpAnswer, FetchFailure> {
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
            Err(FetchFailure::Unreachable { .. }) => None,
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
