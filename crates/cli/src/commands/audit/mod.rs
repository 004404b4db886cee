//! `lookalike audit`

mod against;
mod empty;
mod live;
mod outputs;
mod progress;
mod provisional;
mod source;
mod words;

use crate::args::{SiteAuditArgs, Usage, fixed_tokens};
use crate::exit::Exit;
use crate::messages;
use against::{ChangeCounts, Earlier};
use live::LivePage;
use lookalike_audit::{Audit, AuditSettings, PageSource, PairScope, ProvisionalBands, audit};
use lookalike_corpus::network::has_scheme;
use lookalike_crawl::{Crawled, CrawledPages, TwoSites};
use lookalike_engine::progress::Monitor;
use lookalike_engine::threads::StagedThreads;
use lookalike_report::audit::Summary;
use lookalike_report::audit::view::{AuditResults, CrawledSite};
use outputs::Outputs;
use source::AuditSource;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn run(arguments: SiteAuditArgs) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let source = AuditSource::of(&arguments)?;
    let state = arguments.state.clone().unwrap_or_else(|| source.default_state());
    if has_scheme(&state) {
        return Err(
            Usage(format!("--state {}: a crawl is in a folder of this machine", state.display())).into()
        );
    }
    let settings = audit_settings(&arguments)?;
    let monitor = messages::monitor(arguments.quiet);
    // What cannot be read or written is told before anything is fetched.
    let earlier =
        arguments.against.as_deref().map(|before| Earlier::open(before, &state, &source)).transpose()?;
    let other = arguments.across.as_deref().map(|other| other_site(other, &state, &source)).transpose()?;
    let outputs = Outputs::check(&arguments, &monitor)?;
    let page = arguments
        .serve
        .map(|address| LivePage::start(address, source.shown(), settings.clone(), earlier.as_ref(), &monitor))
        .transpose()?;
    let live = page.as_ref().map(|page| (Arc::clone(&page.live), Arc::clone(&page.provisional)));
    let is_new = !state.exists();
    if arguments.fresh {
        source.forget(&state)?;
    }
    source.read(&state, &outputs.files(), &progress::of_crawl(&monitor, arguments.quiet, live))?;
    let crawled_in = start.elapsed();
    let pages = Arc::new(empty::refuse(CrawledPages::new(Crawled::open(&state)?, 0)?, &state, is_new)?);
    let site: Arc<dyn CrawledSite> = match other {
        Some(other) => Arc::new(TwoSites::new(Arc::clone(&pages), other)),
        None => Arc::clone(&pages) as Arc<dyn CrawledSite>,
    };
    let results = match &page {
        Some(page) => page.results(&site, earlier.as_ref(), &settings, &monitor)?,
        None => Arc::new(results_of(&site, earlier.as_ref(), &settings, &monitor)?),
    };
    let summary = Summary::of(&results);
    let changes = earlier.and_then(|earlier| ChangeCounts::of(&earlier, &results));
    let seconds = AuditSeconds { crawl: crawled_in, total: start.elapsed() };
    outputs.write(&results, &pages, &summary, changes.as_ref(), seconds)?;
    if !arguments.quiet {
        words::sitemaps(pages.crawled())?;
        words::print(&summary, results.audit(), changes.as_ref(), &state, seconds);
        if let Some(page) = &page {
            let (count, first) = page.provisional.retracted(results.audit(), &*site, words::SHOWN)?;
            words::retracted(count, &first);
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
    Ok(match (failing.is_empty(), summary.complete) {
        (false, _) => Exit::Condition,
        (true, false) => Exit::Skipped,
        (true, true) => Exit::Done,
    })
}

/// The time of an audit.
#[derive(Clone, Copy, Debug)]
struct AuditSeconds {
    crawl: Duration,
    total: Duration,
}

fn audit_of<S: PageSource + ?Sized>(
    pages: &S,
    settings: &AuditSettings,
    monitor: &Monitor,
) -> anyhow::Result<Audit> {
    Ok(audit(pages, settings, &StagedThreads { name: "comparing", monitor })?)
}

/// The results of a site, compared with an earlier crawl by the same settings.
fn results_of(
    site: &Arc<dyn CrawledSite>,
    earlier: Option<&Earlier>,
    settings: &AuditSettings,
    monitor: &Monitor,
) -> anyhow::Result<AuditResults> {
    let results = AuditResults::new(Arc::clone(site), audit_of(&**site, settings, monitor)?)?;
    Ok(match earlier {
        Some(earlier) => {
            let before = audit_of(&*earlier.pages, settings, monitor)?;
            results.compared_with(before, &StagedThreads { name: "changes", monitor })?
        }
        None => results,
    })
}

fn audit_settings(arguments: &SiteAuditArgs) -> anyhow::Result<AuditSettings> {
    let settings = AuditSettings {
        threshold: arguments.threshold,
        background: arguments.background,
        least_words: arguments.least_words,
        content: arguments.extract.extract(),
        folds: arguments.folds(),
        stop_words: arguments.stop_words()?,
        weights: arguments.weights,
        scope: if arguments.across.is_some() { PairScope::Across } else { PairScope::All },
        template_pairs: arguments.template_pairs,
        shingle: arguments.shingle,
        provisional: ProvisionalBands {
            num_perm: arguments.num_perm,
            bands: arguments.bands,
            rows: arguments.rows,
        },
        ..AuditSettings::default()
    };
    settings.plan().map_err(fixed_tokens)?;
    settings.provisional_plan().map_err(fixed_tokens)?;
    Ok(settings)
}

/// The pages of the site that this one is compared with.
fn other_site(folder: &Path, state: &Path, source: &AuditSource) -> anyhow::Result<CrawledPages> {
    let refuse = |problem: &str| Usage(format!("--across {}: {problem}", folder.display()));
    if same_folder(folder, state) {
        return Err(refuse("this is the folder of this audit; give that of another site").into());
    }
    let crawled = Crawled::open(folder)?;
    if source.is(&crawled) && matches!(source, AuditSource::Site(_)) {
        let problem = "it has a crawl of the same site; --against says what has changed since then";
        return Err(refuse(problem).into());
    }
    Ok(CrawledPages::new(crawled, 1)?)
}

/// Whether two paths lead to one folder.
fn same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
