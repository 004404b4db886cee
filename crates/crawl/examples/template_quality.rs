//! Measures how well template detection finds the pairs of pages with the same main content.
//!
//! Corpus: folders of HTML files, given as arguments. Each is a site. Truth: all pairs of pages whose `<main>` or
//! `<article>` elements have a Jaccard similarity of five-word shingles of 0.8 or more, computed exactly. A page without
//! such an element counts with all of its text outside of DocBook's `navheader` and `navfooter`, if it has these, and is
//! left out otherwise. So are pages with fewer than 50 words in the main element, which are too short to judge.
//!
//! Methods: the whole body; without template areas (tag strip); without blocks that four fifths of the *pages* of a folder
//! have; and without blocks that four fifths of its *clusters* have, anywhere or at the edges of a page. The last two are also
//! run as if all blocks had the same area. These methods do not see `<main>`. `audit` sees it, as an audit does by
//! default. There are no random numbers. `ONLY=tags` runs the methods with this in their names, and `SHOW=1` prints
//! some wrong and missed pairs.
//!
//! `cargo run --release -p lookalike-crawl --example template_quality -- FOLDER…`

mod common;

use common::{Threads, html_files, page};
use lookalike_audit::{
    Audit, AuditSettings, ScoreWeights, SitePage, TemplatePlace, TemplateSettings, Voters, audit,
};
use lookalike_html::{Area, Extract};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

/// The similarity from which a pair is true, or found.
const JACCARD: f64 = 0.8;

/// Pages with fewer main words are left out.
const LEAST_WORDS: u32 = 50;

type Pairs = BTreeSet<(u32, u32)>;

fn main() {
    println!("site\tpages\tmethod\ttrue\tfound\tprecision\trecall\tseconds");
    for folder in std::env::args().skip(1) {
        measure(Path::new(&folder));
    }
}

fn measure(folder: &Path) {
    let mut mains = Vec::new();
    let mut pages = Vec::new();
    for (url, path) in html_files(folder) {
        let html = std::fs::read(&path).expect("the file can be read");
        let Some(main) = main_of(&url, &html) else { continue };
        mains.push(main);
        pages.push(page(&url, &html));
    }
    // `<main>` is the truth, so all methods but the last must not see it.
    let hidden = with_areas(&pages, |area| if area == Area::Main { Area::Body } else { area });
    let untagged = with_areas(&pages, |_| Area::Body);
    let truth = run(&mains, &settings(Extract::All, TemplateSettings::default()));
    let long: Vec<bool> = truth.pages().iter().map(|page| page.scored_words >= LEAST_WORDS).collect();
    let expected = pairs(&truth, &long);
    let none = TemplateSettings { least_clusters: 0, ..TemplateSettings::default() };
    let by_page = TemplateSettings {
        voters: Voters::Pages,
        within: TemplatePlace::Anywhere,
        ..TemplateSettings::default()
    };
    let anywhere = TemplateSettings { within: TemplatePlace::Anywhere, ..TemplateSettings::default() };
    let default = TemplateSettings::default();
    let (blocks, all) = (Extract::Blocks, Extract::All);
    let only = std::env::var("ONLY").unwrap_or_default();
    for (method, pages, content, template) in [
        ("body", &hidden, all, none),
        ("tags", &hidden, blocks, none),
        ("page votes", &hidden, blocks, by_page),
        ("cluster votes anywhere", &hidden, blocks, anywhere),
        ("cluster votes", &hidden, blocks, default),
        ("page votes without tags", &untagged, blocks, by_page),
        ("cluster votes without tags", &untagged, blocks, default),
        ("audit", &pages, blocks, default),
    ] {
        if !method.contains(&only) {
            continue;
        }
        let start = Instant::now();
        let audit = run(pages, &settings(content, template));
        let seconds = start.elapsed().as_secs_f64();
        let found = pairs(&audit, &long);
        let both = found.intersection(&expected).count() as f64;
        println!(
            "{}\t{}\t{method}\t{}\t{}\t{:.4}\t{:.4}\t{seconds:.1}",
            folder.display(),
            pages.len(),
            expected.len(),
            found.len(),
            both / found.len() as f64,
            both / expected.len() as f64,
        );
        if std::env::var_os("SHOW").is_some() {
            show(&audit, &found, &expected);
        }
    }
}

/// The pages with the areas that `area` gives.
fn with_areas(pages: &[SitePage], area: impl Fn(Area) -> Area) -> Vec<SitePage> {
    let mut pages = pages.to_vec();
    pages.iter_mut().flat_map(|page| &mut page.blocks).for_each(|block| block.area = area(block.area));
    pages
}

/// Prints some of the wrong and the missed pairs.
fn show(audit: &Audit, found: &Pairs, expected: &Pairs) {
    let line = |kind: &str, &(a, b): &(u32, u32)| {
        let of = [a, b].map(|page| &audit.pages()[page as usize]);
        let jaccard = audit.pair(a, b).map(|pair| pair.jaccard);
        let words = of.map(|page| (page.scored_words, page.words.all, page.is_mostly_common));
        println!("{kind}\t{}\t{}\t{jaccard:?}\t{words:?}", of[0].url, of[1].url);
    };
    for (kind, pairs) in [("wrong", found.difference(expected)), ("missed", expected.difference(found))] {
        pairs.take(20).for_each(|pair| line(kind, pair));
    }
}

fn settings(content: Extract, template: TemplateSettings) -> AuditSettings {
    // The sequence ratio does not matter here, and takes most of the time.
    let weights = ScoreWeights { sequence: 0.0, ..ScoreWeights::default() };
    AuditSettings {
        content,
        template,
        least_words: 1,
        template_pairs: true,
        weights,
        ..AuditSettings::default()
    }
}

fn run(pages: &[SitePage], settings: &AuditSettings) -> Audit {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    audit(pages, settings, &Threads(threads)).expect("pages in memory can be read")
}

/// The similar pairs of pages that are long enough.
fn pairs(audit: &Audit, long: &[bool]) -> Pairs {
    let pairs = audit.pairs().filter(|pair| pair.jaccard >= JACCARD);
    pairs.map(|pair| (pair.a, pair.b)).filter(|&(a, b)| long[a as usize] && long[b as usize]).collect()
}

/// The page with its main content only.
fn main_of(url: &str, html: &[u8]) -> Option<SitePage> {
    let mut main = page(url, html);
    main.blocks.retain(|block| block.area == Area::Main);
    if !main.blocks.is_empty() {
        return Some(main);
    }
    let html = String::from_utf8_lossy(html);
    let (_, rest) = html.split_once("<div class=\"navheader\">")?;
    let (_, rest) = rest.split_once("<hr /></div>")?;
    let content = rest.split_once("<div class=\"navfooter\">").map_or(rest, |(content, _)| content);
    Some(page(url, content.as_bytes()))
}
