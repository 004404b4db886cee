//! What an audit found, in figures.

use crate::audit::{Audit, BlockDecision, Class};
use crate::crawled::Crawled;
use crate::crawled_pages::CrawledPages;
use crate::error::Error;
use crate::visit::Outcome;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What an audit found. Percentages are shares of words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The start page, the folder or the archives.
    pub source: String,
    /// Whether all URLs were visited that the settings allow.
    pub complete: bool,
    /// Pages that were read.
    pub pages: u64,
    /// Their words.
    pub words: u64,
    /// The share of words that other pages have too, in passages of five words or more.
    pub duplicate_percent: f64,
    /// The share of words in templates: menus, footers and other blocks of many pages.
    pub common_percent: f64,
    /// The share of all other words.
    pub unique_percent: f64,
    /// Reported pairs.
    pub pairs: u64,
    /// Reported pairs by class.
    pub classes: BTreeMap<&'static str, u64>,
    /// Reported pairs by band.
    pub bands: BTreeMap<&'static str, u64>,
    /// Clusters of pages that can stand for each other.
    pub clusters: u64,
    /// Pages in clusters.
    pub clustered: u64,
    /// Pages that repeat the primary page of their cluster, and for which search engines are not told so.
    pub to_fix: u64,
    /// Pages that repeat the primary page of their cluster, and for which search engines are told so.
    pub handled: u64,
    /// Template blocks.
    pub template_blocks: u64,
    /// Pages with too few words to judge.
    pub too_short: u64,
    /// Pages that probably need scripts to show their text.
    pub needs_scripts: u64,
    /// URLs that a rule refused.
    pub skipped: u64,
    /// URLs with a redirect.
    pub redirects: u64,
    /// URLs that are broken, or did not answer, and that pages link to.
    pub broken: u64,
    /// URLs with other content than pages.
    pub files: u64,
}

impl Summary {
    /// The figures of an audit of these pages.
    ///
    /// # Errors
    /// [`Error::Store`] and [`Error::Entry`].
    pub fn of(audit: &Audit, pages: &CrawledPages) -> Result<Self, Error> {
        let crawled = pages.crawled();
        let words = audit.words();
        let (mut classes, mut bands, mut pairs) = (BTreeMap::new(), BTreeMap::new(), 0);
        for pair in audit.pairs() {
            pairs += 1;
            *classes.entry(pair.class.name()).or_default() += 1;
            *bands.entry(pair.band().name()).or_default() += 1;
        }
        let [redirects, broken, files] = outcomes(crawled)?;
        let mut skipped = 0;
        crawled.skipped(&mut |_| skipped += 1)?;
        let repeats: u64 = audit.clusters().iter().map(|cluster| cluster.pages.len() as u64 - 1).sum();
        let to_fix = audit.clusters().iter().map(|cluster| u64::from(cluster.to_fix)).sum();
        let count = |is: fn(&crate::audit::AuditedPage) -> bool| {
            audit.pages().iter().filter(|page| is(page)).count() as u64
        };
        Ok(Summary {
            source: crawled.source().to_owned(),
            complete: crawled.is_complete(),
            pages: audit.pages().len() as u64,
            words: words.all,
            duplicate_percent: 100.0 * words.duplicate_share(),
            common_percent: 100.0 * words.common_share(),
            unique_percent: 100.0 * words.unique_share(),
            pairs,
            classes,
            bands,
            clusters: audit.clusters().len() as u64,
            clustered: count(|page| page.cluster.is_some()),
            to_fix,
            handled: repeats - to_fix,
            template_blocks: audit
                .blocks()
                .iter()
                .filter(|block| block.decision != BlockDecision::Scored)
                .count() as u64,
            too_short: count(|page| page.is_short),
            needs_scripts: audit.pages().iter().filter(|page| pages.record(page.source).needs_scripts).count()
                as u64,
            skipped,
            redirects,
            broken,
            files,
        })
    }

    /// Reported pairs of a class.
    pub fn of_class(&self, class: Class) -> u64 {
        self.classes.get(class.name()).copied().unwrap_or_default()
    }
}

/// The numbers of redirects, of broken URLs that a page links to, and of other content.
fn outcomes(crawled: &Crawled) -> Result<[u64; 3], Error> {
    let [mut redirects, mut files] = [0, 0];
    let (mut broken, mut linked) = (BTreeSet::new(), BTreeSet::new());
    for &number in crawled.numbers() {
        let Some(visit) = crawled.visit(number)? else { continue };
        match visit.outcome {
            Outcome::Page => {}
            Outcome::Redirect { .. } => redirects += 1,
            Outcome::Resource => files += 1,
            Outcome::Broken | Outcome::Failed(_) => _ = broken.insert(number),
        }
        let links = visit.page.iter().flat_map(|page| &page.links);
        linked.extend(links.filter_map(|link| crawled.number_of(&link.url)));
    }
    Ok([redirects, broken.intersection(&linked).count() as u64, files])
}
