//! Clusters of pages that can stand for each other, each with a primary page.
//!
//! A cluster is a star: at least the threshold's share of each member is in the primary page, and the other way round.
//! There are no chains. Pages are taken in the order in which a site would keep them, so the best page of a cluster is
//! its centre.

use super::result::Audit;
use lookalike::Similarity;
use lookalike::cluster::Stars;
use lookalike::search::{Match, Score};
use std::cmp::{Ordering, Reverse};
use std::fmt;

/// A cluster: a primary page, and pages that repeat it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageCluster {
    /// The page to keep.
    pub primary: u32,
    /// Why this page is the primary page.
    pub reason: PrimaryReason,
    /// All pages, with the primary page, ascending.
    pub pages: Vec<u32>,
    /// The pages that repeat the primary page and that the site does not handle.
    pub to_fix: u32,
}

/// Why a page is the primary page of its cluster: the first of these that sets it apart from the next best page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PrimaryReason {
    /// Search engines may index it.
    Indexable,
    /// Other pages name it as canonical.
    CanonicalTarget,
    /// It names no other page as canonical.
    OwnCanonical,
    /// A sitemap lists it.
    InSitemap,
    /// It has more power.
    Power,
    /// Its URL is shorter.
    ShortUrl,
    /// Its URL comes first in the alphabet.
    FirstUrl,
}

impl PrimaryReason {
    /// The name in lists.
    pub fn name(self) -> &'static str {
        match self {
            PrimaryReason::CanonicalTarget => "canonical-target",
            PrimaryReason::OwnCanonical => "own-canonical",
            PrimaryReason::InSitemap => "in-sitemap",
            PrimaryReason::Indexable => "indexable",
            PrimaryReason::Power => "power",
            PrimaryReason::ShortUrl => "short-url",
            PrimaryReason::FirstUrl => "first-url",
        }
    }
}

/// The reason as a sentence.
impl fmt::Display for PrimaryReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PrimaryReason::Indexable => "Search engines may index it.",
            PrimaryReason::CanonicalTarget => "Other pages name it as canonical.",
            PrimaryReason::OwnCanonical => "It names no other page as canonical.",
            PrimaryReason::InSitemap => "A sitemap lists it.",
            PrimaryReason::Power => {
                "It has more power than the next best page, by the links that lead to it."
            }
            PrimaryReason::ShortUrl => "Its URL is shorter than that of the next best page.",
            PrimaryReason::FirstUrl => "Its URL comes before that of the next best page in the alphabet.",
        })
    }
}

/// What makes a page a better primary page, the most important first. Greater is better.
type PrimaryRank = (bool, bool, bool, bool, Power, Reverse<usize>, Reverse<u32>);

/// A power with an order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Power(f64);

impl Eq for Power {}

impl PartialOrd for Power {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Power {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

fn rank(audit: &Audit, number: u32) -> PrimaryRank {
    let page = &audit.pages[number as usize];
    (
        !page.noindex,
        audit.declarations.is_canonical_target(number),
        !audit.declarations.defers(number),
        page.in_sitemap,
        Power(page.power),
        Reverse(page.url.len()),
        Reverse(number),
    )
}

/// The first part in which the rank of the best page differs from that of the next.
fn reason(best: PrimaryRank, next: PrimaryRank) -> PrimaryReason {
    let differs = [
        (best.0 != next.0, PrimaryReason::Indexable),
        (best.1 != next.1, PrimaryReason::CanonicalTarget),
        (best.2 != next.2, PrimaryReason::OwnCanonical),
        (best.3 != next.3, PrimaryReason::InSitemap),
        (best.4 != next.4, PrimaryReason::Power),
        (best.5 != next.5, PrimaryReason::ShortUrl),
    ];
    differs.into_iter().find(|(differs, _)| *differs).map_or(PrimaryReason::FirstUrl, |(_, reason)| reason)
}

/// Fills the clusters of an audit, the largest first.
pub(super) fn clusters(audit: &mut Audit) {
    let best_page = |text: usize| {
        let pages = audit.texts[text].pages.iter().copied();
        pages.max_by_key(|&page| rank(audit, page)).expect("a text has a page")
    };
    let best: Vec<u32> = (0..audit.texts.len()).map(best_page).collect();
    let mut order: Vec<u32> = (0..audit.texts.len() as u32).collect();
    order.sort_by_key(|&text| Reverse(rank(audit, best[text as usize])));
    let pairs = mutual(audit);
    let stars = Stars::new(audit.texts.len(), &order, &pairs, |_, _| true);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); audit.texts.len()];
    for (text, &centre) in audit.texts.iter().zip(&stars.centres) {
        members[centre as usize].extend(&text.pages);
    }
    let mut clusters: Vec<PageCluster> = Vec::new();
    for (text, mut pages) in members.into_iter().enumerate().filter(|(_, pages)| pages.len() > 1) {
        let primary = best[text];
        // Pages that are mostly template, or of the same site, may be in no pair.
        pages.retain(|&page| page == primary || audit.pair(page, primary).is_some());
        if pages.len() < 2 {
            continue;
        }
        pages.sort_unstable();
        let others = || pages.iter().copied().filter(|&page| page != primary);
        let next = others().map(|page| rank(audit, page)).max().expect("there are two pages");
        let reason = reason(rank(audit, primary), next);
        let to_fix = others().filter(|&page| audit.handled(page, primary).is_none()).count() as u32;
        clusters.push(PageCluster { primary, reason, pages, to_fix });
    }
    clusters.sort_by_key(|cluster| (Reverse(cluster.pages.len()), cluster.primary));
    for (number, cluster) in (0..).zip(&clusters) {
        for &page in &cluster.pages {
            audit.pages[page as usize].cluster = Some(number);
        }
    }
    audit.clusters = clusters;
}

/// The pairs of texts that can stand for each other.
fn mutual(audit: &Audit) -> Vec<Match> {
    let mutual = audit.pairs.iter().filter_map(|pair| {
        let share =
            |matched: u32, text: u32| f64::from(matched) / f64::from(audit.texts[text as usize].words);
        let mutual = share(pair.matched[0], pair.a).min(share(pair.matched[1], pair.b));
        let score = Score::Similarity(Similarity::counted(mutual)?);
        (mutual >= audit.settings.threshold).then_some(Match { a: pair.a, b: pair.b, score })
    });
    mutual.collect()
}
