//! The result of an audit.

use super::clusters::PageCluster;
use super::handled::Declarations;
use super::pairs::{PairCounts, TextPair};
use super::{AuditSettings, BlockReport, BlockRole, Handled, PagePair, PairClass, PairScope, WordCounts};

/// The result of an audit. Pages are named by their numbers here, in the order of their URLs.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    pub(super) settings: AuditSettings,
    pub(super) pages: Vec<AuditedPage>,
    pub(super) declarations: Declarations,
    pub(super) texts: Vec<ScoredText>,
    /// The pairs of texts, sorted, and the texts that each text is in a pair with.
    pub(super) pairs: Vec<TextPair>,
    pub(super) partners: Vec<Vec<u32>>,
    pub(super) clusters: Vec<PageCluster>,
    pub(super) blocks: Vec<BlockReport>,
}

/// A page of an audit.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditedPage {
    /// The URL.
    pub url: String,
    /// Its number in the source.
    pub source: u32,
    /// Its site, as the source names it.
    pub site: u32,
    /// Whether it asks search engines to leave it out.
    pub noindex: bool,
    /// Whether a sitemap lists it.
    pub in_sitemap: bool,
    /// The least number of links from the start to it, if links lead to it.
    pub depth: Option<u32>,
    /// All its words: duplicate, common and unique ones.
    pub words: WordCounts,
    /// The words that are compared.
    pub scored_words: u32,
    /// Whether it has too few scored words to judge. It is then in a pair only if the words of both pages are equal.
    pub is_short: bool,
    /// Whether nearly all of its words are template. They are then compared, and its pairs are template only.
    pub is_mostly_common: bool,
    /// The role of each of its blocks.
    pub roles: Box<[BlockRole]>,
    /// A hash of the words that are compared before templates are found, in order. It is the same as long as the page is. 0 if it has none.
    pub content: u64,
    /// Its cluster, by the place in [`Audit::clusters`].
    pub cluster: Option<u32>,
    /// Power by the links between pages, from 0 to 100.
    pub power: f64,
    /// The pages that link to it.
    pub links_in: u32,
    /// The pages that it links to.
    pub links_out: u32,
    pub(super) text: Option<u32>,
}

impl AuditedPage {
    /// Whether a block with this role is in the scored text of this page.
    pub fn scores(&self, role: BlockRole) -> bool {
        role == BlockRole::Scored || (self.is_mostly_common && role == BlockRole::Template)
    }
}

/// A text, and the pages that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScoredText {
    pub(super) pages: Vec<u32>,
    pub(super) words: u32,
    pub(super) distinct: u32,
}

impl Audit {
    /// The settings that it was made with.
    pub fn settings(&self) -> &AuditSettings {
        &self.settings
    }

    /// The pages, in the order of their URLs.
    pub fn pages(&self) -> &[AuditedPage] {
        &self.pages
    }

    /// The page with this URL.
    pub fn page_of(&self, url: &str) -> Option<u32> {
        let page = self.pages.binary_search_by(|page| page.url.as_str().cmp(url)).ok()?;
        Some(page as u32)
    }

    /// The words of all pages.
    pub fn words(&self) -> WordCounts {
        self.pages.iter().map(|page| page.words).sum()
    }

    /// The clusters, the largest first.
    pub fn clusters(&self) -> &[PageCluster] {
        &self.clusters
    }

    /// The template blocks, and other blocks of many pages. The most frequent ones come first.
    pub fn blocks(&self) -> &[BlockReport] {
        &self.blocks
    }

    /// All pairs, sorted by `a` and `b`.
    ///
    /// They are made while they are read. A hundred equal pages are 4,950 pairs, and take no memory.
    pub fn pairs(&self) -> impl Iterator<Item = PagePair> + '_ {
        (0..self.pages.len() as u32).flat_map(move |page| {
            let others = self.others(page).into_iter().filter(move |&other| other > page);
            others.filter_map(move |other| self.pair(page, other))
        })
    }

    /// The pairs of a page, by the number of the other. The page is `a` or `b`.
    pub fn pairs_of(&self, page: u32) -> impl Iterator<Item = PagePair> + '_ {
        self.others(page).into_iter().filter_map(move |other| self.pair(page.min(other), page.max(other)))
    }

    /// The pages that may be in a pair with `page`, ascending.
    fn others(&self, page: u32) -> Vec<u32> {
        let Some(text) = self.pages[page as usize].text else { return Vec::new() };
        let texts = self.partners[text as usize].iter().copied().chain([text]);
        let mut others: Vec<u32> =
            texts.flat_map(|text| self.texts[text as usize].pages.iter().copied()).collect();
        others.retain(|&other| other != page);
        others.sort_unstable();
        others
    }

    /// The reported pair of two pages, in any order. `None` if they are no pair.
    pub fn pair(&self, one: u32, other: u32) -> Option<PagePair> {
        let (a, b) = (one.min(other), one.max(other));
        let pages = [&self.pages[a as usize], &self.pages[b as usize]];
        let is_across = pages[0].site != pages[1].site;
        if a == b || (self.settings.scope == PairScope::Across && !is_across) {
            return None;
        }
        let texts = [pages[0].text?, pages[1].text?];
        let counts = if texts[0] == texts[1] { self.copies(texts[0]) } else { self.counts(texts)? };
        let is_template = pages.iter().any(|page| page.is_mostly_common);
        let pair = PairCounts { is_template, ..counts }.pair(a, b, &self.settings.weights);
        let is_hidden = pair.class == PairClass::TemplateOnly && !self.settings.template_pairs;
        (!is_hidden).then_some(pair)
    }

    /// The counts of two pages with the same text.
    fn copies(&self, text: u32) -> PairCounts {
        let ScoredText { words, distinct, .. } = self.texts[text as usize];
        PairCounts {
            words: [words; 2],
            matched: [words; 2],
            distinct: [distinct; 2],
            shingles: distinct,
            common_words: words,
            sequence: [words; 2],
            is_exact: true,
            is_template: false,
        }
    }

    /// The counts of two different texts.
    fn counts(&self, texts: [u32; 2]) -> Option<PairCounts> {
        let key = (texts[0].min(texts[1]), texts[0].max(texts[1]));
        let place = self.pairs.binary_search_by_key(&key, |pair| (pair.a, pair.b)).ok()?;
        let pair = &self.pairs[place];
        let mut matched = pair.matched;
        if texts[0] > texts[1] {
            matched.reverse();
        }
        let of = |text: u32| &self.texts[text as usize];
        Some(PairCounts {
            words: texts.map(|text| of(text).words),
            matched,
            distinct: texts.map(|text| of(text).distinct),
            shingles: pair.shingles,
            common_words: pair.words,
            sequence: pair.sequence,
            is_exact: false,
            is_template: false,
        })
    }

    /// How the site handles two pages with the same content, `first` before `second`. `None` if they are to fix.
    pub fn handled(&self, first: u32, second: u32) -> Option<Handled> {
        self.declarations.handled(first, second)
    }

    /// How the site handles that a page repeats the primary page of its cluster, the primary page being the second.
    /// `None` for primary pages, for pages without a cluster, and for pages to fix.
    pub fn handled_page(&self, page: u32) -> Option<Handled> {
        let cluster = &self.clusters[self.pages[page as usize].cluster? as usize];
        (cluster.primary != page).then(|| self.handled(page, cluster.primary)).flatten()
    }
}
