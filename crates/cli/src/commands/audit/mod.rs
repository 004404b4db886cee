//! `lookalike audit`

mod against;
mod empty;
mod live;
mod outputs;
mod progress;
mod provisional;
mod source;
mod words;

use crate::args::SiteAuditArgs;
use crate::exit::Exit;
use crate::report;
use against::Since;
use live::LivePage;
use lookalike_engine::progress::Monitor;
use lookalike_engine::threads::StagedThreads;
use lookalike_site::audit::{Audit, AuditSettings, audit};
use lookalike_site::view::AuditResults;
use lookalike_site::{Crawled, CrawledPages, Summary};
use outputs::Outputs;
use source::Source;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn run(arguments: SiteAuditArgs) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let source = Source::of(&arguments)?;
    let state = arguments.state.clone().unwrap_or_else(|| source.default_state());
    let settings = audit_settings(&arguments);
    let monitor = report::monitor(arguments.quiet);
    // A place that cannot be written is told before anything is fetched.
    let outputs = Outputs::check(&arguments, &monitor)?;
    let page = arguments
        .serve
        .map(|address| LivePage::start(address, &arguments.source, settings.clone()))
        .transpose()?;
    let live = page.as_ref().map(|page| (Arc::clone(&page.live), Arc::clone(&page.provisional)));
    let is_new = !state.exists();
    source.read(&state, &progress::of_crawl(&monitor, live))?;
    let crawled_in = start.elapsed();
    let pages = Arc::new(empty::refuse(CrawledPages::new(Crawled::open(&state)?, 0)?, &state, is_new)?);
    let results = match &page {
        Some(page) => page.results(&pages)?,
        None => Arc::new(AuditResults::new(pages.clone(), audit_of(&pages, &settings, &monitor)?)?),
    };
    let summary = Summary::of(results.audit(), &pages)?;
    let since =
        arguments.against.as_deref().map(|before| Since::of(before, results.audit(), &pages, &monitor));
    let since = since.transpose()?;
    let seconds = Seconds { crawl: crawled_in, total: start.elapsed() };
    outputs.write(&results, &pages, &summary, since.as_ref(), seconds)?;
    if !arguments.quiet {
        words::print(&summary, results.audit(), since.as_ref(), &state, seconds);
        if let Some(page) = &page {
            words::retracted(&page.provisional.retracted(results.audit(), &pages)?);
        }
    }
    let failing: Vec<_> = arguments
        .fail_on
        .iter()
        .filter_map(|condition| Some((condition, condition.failing(&summary)?)))
        .collect();
    for (condition, value) in &failing {
        words::failing(condition, *value);
    }
    if let Some(page) = page {
        page.wait(&monitor);
    }
    Ok(if failing.is_empty() { Exit::Done } else { Exit::Condition })
}

/// The time of an audit.
#[derive(Clone, Copy, Debug)]
struct Seconds {
    crawl: Duration,
    total: Duration,
}

fn audit_of(pages: &CrawledPages, settings: &AuditSettings, monitor: &Monitor) -> anyhow::Result<Audit> {
    Ok(audit(pages, settings, &StagedThreads { name: "comparing", monitor })?)
}

fn audit_settings(arguments: &SiteAuditArgs) -> AuditSettings {
    AuditSettings {
        threshold: arguments.threshold,
        background: arguments.background,
        least_words: arguments.least_words,
        content: arguments.extract.into(),
        weights: arguments.weights,
        ..AuditSettings::default()
    }
}
