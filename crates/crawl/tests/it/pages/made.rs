//! A site of made pages: clusters of copies, near-duplicates and parts, template blocks, and hostile texts.

use lookalike::Sequential;
use lookalike_audit::{Area, Audit, AuditSettings, PageFacts, PageSource, SiteBlock, audit};
use lookalike_crawl::serve::{Live, StopWhen};
use lookalike_report::audit::view::{CheckedLink, CrawledSite, LinkKind, PageVisit, SkippedUrls};
use std::borrow::Cow;
use std::io;
use std::sync::Arc;

/// A text that would run a script or reorder the page if it were taken for markup.
pub(crate) const HOSTILE: &str =
    "</script><img src=x onerror=attacked=1><script>attacked=1</script>\u{202e}reversed";

/// A URL that must be no link.
pub(crate) const SCRIPT_URL: &str = "javascript:attacked=1";

/// Pages of one cluster, at the start of the site.
const COPIES: usize = 40;

pub(crate) struct MadeSite {
    facts: Vec<PageFacts>,
}

/// A number that looks random.
fn mixed(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn word(seed: u64) -> String {
    const SYLLABLES: [&str; 16] = [
        "ka", "lo", "mi", "ren", "tas", "u", "vel", "do", "sen", "pri", "ma", "gor", "el", "ti", "bar", "nu",
    ];
    let number = mixed(seed) % 4096;
    (0..3).map(|place| SYLLABLES[(number >> (4 * place)) as usize % 16]).collect()
}

/// `count` words that belong to `seed`.
pub(crate) fn words(seed: u64, count: usize) -> String {
    (0..count as u64).map(|place| word(seed * 1009 + place)).collect::<Vec<_>>().join(" ")
}

/// The text that a page begins with: pages of a family share it.
fn family(page: usize) -> (u64, usize) {
    if page < COPIES { (1, 0) } else { (2 + page as u64 / 10, page % 10) }
}

fn url(page: usize) -> String {
    match page {
        41 => format!("https://made.example/\"><script>attacked=1</script>{page}"),
        page => format!("https://made.example/{}/{:05}.html", ["shop", "help", "news"][page % 3], page),
    }
}

impl MadeSite {
    pub(crate) fn new(pages: usize) -> Arc<Self> {
        let facts = |page: usize| PageFacts {
            url: url(page),
            canonical: (page % 20 == 1).then(|| url(if page < COPIES { 0 } else { page - 1 })),
            noindex: page % 50 == 2,
            in_sitemap: page % 3 != 1,
            depth: Some((page as f64 + 1.0).log10() as u32),
            links: (1..6).map(|step| ((page + step * step) % pages) as u32).chain([0]).collect(),
            ..PageFacts::default()
        };
        Arc::new(MadeSite { facts: (0..pages).map(facts).collect() })
    }

    pub(crate) fn audit(&self, settings: &AuditSettings) -> Audit {
        audit(self, settings, &Sequential).unwrap()
    }
}

impl PageSource for MadeSite {
    fn pages(&self) -> usize {
        self.facts.len()
    }

    fn facts(&self, page: usize) -> Cow<'_, PageFacts> {
        Cow::Borrowed(&self.facts[page])
    }

    fn blocks(&self, page: usize) -> io::Result<Cow<'_, [SiteBlock]>> {
        let (seed, version) = family(page);
        let block = |text: String, area| SiteBlock { text, area, is_main: false };
        let main = |text: String| SiteBlock { is_main: true, ..block(text, Area::Body) };
        let mut blocks = vec![
            block("Home Shop Help News About us Contact".into(), Area::Navigation),
            block(words(900, 24), Area::Body),
        ];
        // Versions 0 and 1 are equal, 2 to 4 share less and less, and the others are on their own.
        let shared = [90, 90, 80, 70, 50, 0, 0, 0, 0, 0][version];
        blocks.push(main(words(seed, shared)));
        blocks.push(main(words(1_000_000 + page as u64 * u64::from(shared < 90), 90 - shared)));
        if page % 97 == 40 {
            blocks.push(main(HOSTILE.into()));
        }
        if page == 77 {
            // Too short to judge.
            blocks.truncate(2);
            blocks.push(main(words(77, 12)));
        }
        blocks.push(block(format!("© made example, all rights reserved {}", HOSTILE), Area::Footer));
        Ok(Cow::Owned(blocks))
    }
}

impl CrawledSite for MadeSite {
    fn start(&self) -> &str {
        "https://made.example/"
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn files(&self) -> u64 {
        12
    }

    fn visit(&self, page: usize) -> PageVisit {
        let random = mixed(page as u64);
        let title = match page {
            41 => HOSTILE.to_owned(),
            43 => String::new(),
            44 => "long".repeat(2_000),
            page => format!("{} {page}", words(family(page).0, 3)),
        };
        PageVisit {
            status: if page % 500 == 3 { 203 } else { 200 },
            title,
            language: (!page.is_multiple_of(7)).then(|| "en".to_owned()),
            milliseconds: 20 + (random % 400) as u32,
            first_byte_milliseconds: 10 + (random % 400 / 3) as u32,
            bytes: 2_000 + random % 90_000,
            needs_scripts: page == 77,
            has_more_links: page == 78,
        }
    }

    fn skipped(&self) -> io::Result<SkippedUrls> {
        let rules = [
            ("robots.txt", "Disallow: /private/, line 3 of robots.txt"),
            ("type", "image/png is no HTML"),
            ("depth", "deeper than 20 links"),
        ];
        let mut skipped = SkippedUrls::default();
        for number in 0..self.facts.len().min(200) {
            let (rule, detail) = rules[number % 3];
            let url = format!("https://made.example/private/{number}");
            skipped.add(&url, rule, || detail.into(), Some(&self.facts[number].url));
        }
        skipped.add(SCRIPT_URL, "scheme", || HOSTILE.into(), None);
        Ok(skipped)
    }

    fn links(&self) -> io::Result<Vec<CheckedLink>> {
        let link = |number: usize| CheckedLink {
            url: format!("https://made.example/gone/{number}"),
            kind: if number.is_multiple_of(3) { LinkKind::Broken } else { LinkKind::Redirect },
            status: Some(if number.is_multiple_of(3) { 404 } else { 301 }),
            target: (!number.is_multiple_of(3)).then(|| self.facts[number].url.clone()),
            problem: None,
            from: (0..number % 4 + 1).map(|page| self.facts[page].url.clone()).collect(),
            pages: (number % 4) as u32 + 1,
        };
        let hostile = CheckedLink {
            url: SCRIPT_URL.into(),
            kind: LinkKind::Broken,
            status: None,
            target: Some(HOSTILE.into()),
            problem: Some(HOSTILE.into()),
            from: vec![SCRIPT_URL.into()],
            pages: 1,
        };
        Ok((0..self.facts.len().min(60)).map(link).chain([hostile]).collect())
    }
}

/// A text as a value in an address.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A live page whose auditor runs on one thread.
pub(crate) fn live() -> Arc<Live> {
    Live::new("https://made.example/", AuditSettings::default(), |site, settings, is_stopped| {
        audit(site, settings, &StopWhen { executor: Sequential, is_stopped })
            .map_err(|error| error.to_string())
    })
}
