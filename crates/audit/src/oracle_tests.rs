//! Audits beside a comparison of all pairs, one by one.

use super::why::compare;
use super::*;
use lookalike::{Executor, Sequential, Sketcher};
use lookalike_html::Extract;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::convert::Infallible;

/// Sites of a few sentences, so that pages share much, in blocks of all areas.
fn sites() -> impl Strategy<Value = Vec<SitePage>> {
    let sentence = prop::sample::select(vec![
        "one two three four five six seven",
        "the quick brown fox jumps over the lazy dog again",
        "a a a a a a a a",
        "home about contact",
        "red green blue red green blue red green blue",
        "x",
        "…",
        "copyright all rights reserved by the company of this site",
    ]);
    let free = "[a-d]( [a-d]){0,9}";
    let text = prop_oneof![3 => sentence.prop_map(str::to_owned), 1 => free.prop_map(|text| text)];
    let area = prop::sample::select(vec![Area::Body, Area::Body, Area::Body, Area::Main, Area::Navigation]);
    let block = (text, area, any::<bool>());
    let block = block.prop_map(|(text, area, is_main)| SiteBlock { text, area, is_main });
    let page = (prop::collection::vec(block, 0..6), 0_u32..2, prop::collection::vec(0_u32..12, 0..4));
    prop::collection::vec(page, 0..12).prop_map(|pages| {
        let page = |(number, (blocks, site, links))| SitePage {
            facts: PageFacts {
                url: format!("h://s/{}/{number}", number % 2),
                links,
                site,
                ..PageFacts::default()
            },
            blocks,
        };
        (0..).zip(pages).map(page).collect()
    })
}

fn settings() -> impl Strategy<Value = AuditSettings> {
    let content = prop::sample::select(vec![Extract::All, Extract::Blocks, Extract::Main]);
    let scope = prop::sample::select(vec![PairScope::All, PairScope::All, PairScope::Across]);
    let background = prop::option::of(1_u32..20);
    let (threshold, shingle) = (prop::sample::select(vec![0.2, 0.6, 0.9, 1.0]), 1_usize..9);
    (content, scope, background, 1_u32..20, threshold, any::<bool>(), shingle).prop_map(
        |(content, scope, background, least_words, threshold, template_pairs, shingle)| AuditSettings {
            shingle,
            content,
            scope,
            background,
            least_words,
            threshold,
            template_pairs,
            template: TemplateSettings { least_pages: 4, least_words: 3, ..TemplateSettings::default() },
            ..AuditSettings::default()
        },
    )
}

/// Runs parts on two threads, the last one first.
struct TwoThreads;

impl Executor for TwoThreads {
    type Stopped = Infallible;

    fn width(&self) -> usize {
        2
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let run = |range: std::ops::Range<usize>| range.rev().map(&work).collect::<Vec<T>>();
        let (first, second) = std::thread::scope(|scope| {
            let second = scope.spawn(|| run(parts / 2..parts));
            (run(0..parts / 2), second.join().unwrap())
        });
        first.into_iter().rev().chain(second.into_iter().rev()).collect()
    }

    fn check(&self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The tokens of a page's scored text.
fn tokens(audit: &Audit, pages: &[SitePage], page: u32, sketcher: &mut Sketcher) -> Vec<u64> {
    let of = &audit.pages()[page as usize];
    let blocks = pages[of.source as usize].blocks.iter().zip(&of.roles);
    let scored = blocks.filter(|(_, role)| of.scores(**role));
    scored.flat_map(|(block, _)| read::block_tokens(&block.text, sketcher).to_vec()).collect()
}

/// Every pair of an audit, found by comparing each page with each other.
fn all_pairs(audit: &Audit, pages: &[SitePage]) -> Vec<PagePair> {
    let settings = audit.settings();
    let mut sketcher = Sketcher::new(&settings.plan().unwrap());
    let mut pairs = Vec::new();
    for b in 0..audit.pages().len() as u32 {
        for a in 0..b {
            let [left, right] = [a, b].map(|page| &audit.pages()[page as usize]);
            let is_template = left.is_mostly_common || right.is_mostly_common;
            let of = [a, b].map(|page| tokens(audit, pages, page, &mut sketcher));
            let mut counts = compare(&mut sketcher, &of[0], &of[1]);
            counts.is_template = is_template;
            let pair = counts.pair(a, b, &settings.weights);
            let background = settings.background.unwrap_or(u32::MAX);
            let suffices = pair.headline() >= settings.threshold
                || pair.matched_words.iter().any(|&words| words >= background);
            let judged =
                !left.is_short && !right.is_short && suffices && (!is_template || settings.template_pairs);
            let in_scope = settings.scope == PairScope::All || left.site != right.site;
            if in_scope && (pair.class == PairClass::Exact || judged) {
                pairs.push(pair);
            }
        }
    }
    pairs.sort_by_key(|pair| (pair.a, pair.b));
    pairs
}

/// The duplicate words of a page, found by comparing it with each other.
fn duplicate_words(audit: &Audit, pages: &[SitePage], page: u32) -> u64 {
    let mut sketcher = Sketcher::new(&audit.settings().plan().unwrap());
    let of = &audit.pages()[page as usize];
    let own = tokens(audit, pages, page, &mut sketcher);
    let features = sketcher.features_of_tokens(&own).to_vec();
    let shingle = own.len().min(sketcher.plan().shingle());
    let mut covered = vec![false; own.len()];
    for other in (0..audit.pages().len() as u32).filter(|&other| other != page) {
        if audit.settings().scope == PairScope::Across && audit.pages()[other as usize].site == of.site {
            continue;
        }
        let other = tokens(audit, pages, other, &mut sketcher);
        let theirs = sketcher.features_of_tokens(&other);
        for (place, _) in features.iter().enumerate().filter(|(_, feature)| theirs.contains(feature)) {
            covered[place..place + shingle].fill(true);
        }
    }
    let mut places = covered.into_iter();
    let mut duplicate = 0;
    for (block, &role) in pages[of.source as usize].blocks.iter().zip(&of.roles) {
        if of.scores(role) {
            let words = read::block_tokens(&block.text, &mut sketcher).len();
            let covered = places.by_ref().take(words).filter(|covered| *covered).count();
            duplicate += if role == BlockRole::Scored { covered as u64 } else { 0 };
        }
    }
    duplicate
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_pair_is_missed_and_all_scores_are_exact(pages in sites(), settings in settings()) {
        let audit = audit(&pages[..], &settings, &Sequential).unwrap();
        prop_assert_eq!(audit.pairs().collect::<Vec<_>>(), all_pairs(&audit, &pages));
        for page in 0..audit.pages().len() as u32 {
            let words = audit.pages()[page as usize].words;
            prop_assert_eq!(words.duplicate, duplicate_words(&audit, &pages, page));
            prop_assert!(words.duplicate + words.common <= words.all);
            let of_page: Vec<PagePair> = audit.pairs_of(page).collect();
            let expected: Vec<PagePair> = audit.pairs().filter(|pair| pair.a == page || pair.b == page).collect();
            prop_assert_eq!(of_page.len(), expected.len());
            prop_assert!(expected.iter().all(|pair| of_page.contains(pair)));
        }
    }

    #[test]
    fn neither_the_order_of_pages_nor_threads_matter(
        (pages, shuffled) in sites().prop_flat_map(|pages| {
            let order: Vec<usize> = (0..pages.len()).collect();
            (Just(pages), Just(order).prop_shuffle())
        }),
        settings in settings(),
    ) {
        let mut numbers = vec![0; pages.len()];
        for (number, &page) in (0_u32..).zip(&shuffled) {
            numbers[page] = number;
        }
        let moved: Vec<SitePage> = shuffled.iter().map(|&page| {
            let mut page = pages[page].clone();
            let links = page.facts.links.iter().filter_map(|&link| numbers.get(link as usize).copied());
            page.facts.links = links.collect();
            page
        }).collect();
        let expected = audit(&pages[..], &settings, &Sequential).unwrap();
        let mut found = audit(&moved[..], &settings, &TwoThreads).unwrap();
        for page in &mut found.pages {
            page.source = shuffled[page.source as usize] as u32;
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_comparison_of_two_pages_agrees_with_the_audit(pages in sites(), settings in settings()) {
        let audit = audit(&pages[..], &settings, &Sequential).unwrap();
        for a in 0..audit.pages().len() as u32 {
            for b in a + 1..audit.pages().len() as u32 {
                let compared = audit.compare(&pages[..], b, a).unwrap();
                prop_assert_eq!(compared.verdict.is_reported(), audit.pair(a, b).is_some());
                if let Some(pair) = audit.pair(a, b) {
                    prop_assert_eq!(compared.pair, pair);
                }
                prop_assert!(!compared.verdict.to_string().is_empty());
            }
        }
    }

    #[test]
    fn members_can_stand_for_the_primary_page(pages in sites(), settings in settings()) {
        let audit = audit(&pages[..], &settings, &Sequential).unwrap();
        for (number, cluster) in (0..).zip(audit.clusters()) {
            prop_assert!(cluster.pages.len() > 1 && cluster.pages.contains(&cluster.primary));
            for &page in &cluster.pages {
                prop_assert_eq!(audit.pages()[page as usize].cluster, Some(number));
                if page != cluster.primary {
                    let pair = audit.pair(page, cluster.primary).unwrap();
                    prop_assert!(pair.mutual() >= settings.threshold);
                }
            }
        }
    }
}
