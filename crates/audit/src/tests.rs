//! Audits of made sites.

use super::*;
use lookalike::Sequential;

fn page(url: &str, blocks: &[(&str, Area)]) -> SitePage {
    let blocks = blocks.iter().map(|&(text, area)| SiteBlock {
        text: text.to_owned(),
        area,
        is_main: area == Area::Main,
    });
    SitePage { facts: PageFacts { url: url.into(), ..PageFacts::default() }, blocks: blocks.collect() }
}

/// Words that no other `seed` gives.
fn words(seed: &str, count: usize) -> String {
    (0..count).map(|word| format!("{seed}{word}")).collect::<Vec<_>>().join(" ")
}

fn run(pages: &[SitePage], settings: &AuditSettings) -> Audit {
    audit(pages, settings, &Sequential).unwrap()
}

#[test]
fn equal_pages_are_exact_and_the_rest_is_unique() {
    let text = words("a", 60);
    let pages = [
        page("h://s/2", &[(&text, Area::Body)]),
        page("h://s/1", &[(&text, Area::Body)]),
        page("h://s/3", &[(&words("b", 60), Area::Body)]),
    ];
    let audit = run(&pages, &AuditSettings::default());
    let pairs: Vec<PagePair> = audit.pairs().collect();
    assert_eq!(pairs.len(), 1);
    assert_eq!((pairs[0].a, pairs[0].b, pairs[0].class, pairs[0].score), (0, 1, PairClass::Exact, 1.0));
    assert_eq!(audit.words(), WordCounts { all: 180, duplicate: 120, common: 0 });
    assert_eq!(audit.clusters().len(), 1);
}

/// Thirty pages with different texts, each with the same twelve words below.
fn with_footer() -> Vec<SitePage> {
    let footer = words("footer", 12);
    let page_of = |number| {
        let text = words(&format!("p{number}x"), 80);
        page(&format!("h://s/{number:02}"), &[(&text, Area::Body), (&footer, Area::Body)])
    };
    (0..30).map(page_of).collect()
}

#[test]
fn a_block_of_many_different_pages_is_template() {
    let pages = with_footer();
    let audit = run(&pages, &AuditSettings::default());
    assert_eq!(audit.pages()[7].roles[..], [BlockRole::Scored, BlockRole::Template]);
    assert_eq!(audit.words(), WordCounts { all: 30 * 92, duplicate: 0, common: 30 * 12 });
    let [block] = audit.blocks() else { panic!("one block: {:?}", audit.blocks()) };
    assert_eq!((block.pages, block.clusters, block.decision), (30, 30, BlockDecision::Template));
    assert!(block.sample.starts_with("footer0 footer1"));
    assert_eq!(block.reason, "30 of 30 clusters of different pages under h://s/ have it, and 24 are enough.");

    let on = AuditSettings { blocks: [(block.id, true)].into(), ..AuditSettings::default() };
    let switched = run(&pages, &on);
    assert_eq!(switched.words(), WordCounts { all: 30 * 92, duplicate: 30 * 12, common: 0 });
    assert_eq!(switched.blocks()[0].reason, "Switched on in the settings.");
    let few = run(&pages[..19], &AuditSettings::default());
    assert_eq!(few.words().common, 0, "groups of fewer than twenty pages do not vote");
}

#[test]
fn a_cluster_of_duplicates_has_one_vote() {
    let (shared, own) = (words("shared", 100), |number: u32| words(&format!("own{number}x"), 10));
    let duplicate =
        |number| page(&format!("h://s/d{number:03}"), &[(&shared, Area::Body), (&own(number), Area::Body)]);
    let other =
        |number| page(&format!("h://s/o{number:02}"), &[(&words(&format!("o{number}x"), 90), Area::Body)]);
    let pages: Vec<SitePage> = (0..100).map(duplicate).chain((0..25).map(other)).collect();
    let found = run(&pages, &AuditSettings::default());
    assert_eq!(found.pairs().count(), 100 * 99 / 2);
    assert_eq!(found.clusters()[0].pages.len(), 100);
    assert_eq!(found.blocks()[0].reason, "Only 1 clusters of different pages have it.");

    let template = TemplateSettings { voters: Voters::Pages, ..TemplateSettings::default() };
    let by_page = run(&pages, &AuditSettings { template, ..AuditSettings::default() });
    assert_eq!(by_page.pairs().count(), 0, "votes of pages take the text of the duplicates away");
}

#[test]
fn a_block_that_is_content_in_other_folders_is_not_template_in_one() {
    let notice = words("notice", 12);
    let page_of = |folder: &str, number: u32, with_notice: bool| {
        let text = words(&format!("{folder}{number}x"), 80);
        let blocks = [(&text[..], Area::Body), (&notice, Area::Body)];
        page(&format!("h://s/{folder}/{number:02}"), &blocks[..1 + usize::from(with_notice)])
    };
    let common = |elsewhere: u32| {
        let inside = (0..24).map(|number| page_of("in", number, true));
        let outside = (0..60).map(|number| page_of("out", number, number < elsewhere));
        run(&inside.chain(outside).collect::<Vec<_>>(), &AuditSettings::default()).words().common
    };
    assert_eq!(common(6), 24 * 12, "24 of 30 pages with the notice are in the folder that is full of it");
    assert_eq!(common(7), 0);
}

#[test]
fn a_page_of_little_but_template_is_in_no_pair_by_default() {
    let mut pages = with_footer();
    let footer = words("footer", 12);
    let long = words("long", 60);
    for page in &mut pages {
        page.blocks.push(SiteBlock { text: long.clone(), ..SiteBlock::default() });
    }
    for number in 0..2 {
        let url = format!("h://s/thin{number}");
        let own = words(&format!("thin{number}x"), 9);
        pages.push(page(&url, &[(&own, Area::Body), (&footer, Area::Body), (&long, Area::Body)]));
    }
    let audit = run(&pages, &AuditSettings::default());
    let thin = [audit.page_of("h://s/thin0").unwrap(), audit.page_of("h://s/thin1").unwrap()];
    assert!(audit.pages()[thin[0] as usize].is_mostly_common);
    assert_eq!(audit.pages()[thin[0] as usize].scored_words, 81);
    assert_eq!(audit.pairs().count(), 0);
    let verdict = audit.verdict(&pages[..], thin[0], thin[1]).unwrap();
    assert_eq!(verdict, PairVerdict::MostlyCommon { common: 72, words: 81 });
    let verdict = audit.verdict(&pages[..], 0, 1).unwrap();
    assert_eq!(verdict.to_string(), "Not reported: 0 % matched, below 60 %.");

    let all = run(&pages, &AuditSettings { template_pairs: true, ..AuditSettings::default() });
    assert_eq!(all.pairs().map(|pair| pair.class).collect::<Vec<_>>(), [PairClass::TemplateOnly]);
}

#[test]
fn what_two_pages_share_in_template_is_said() {
    let mut pages = with_footer();
    let footer = words("aside", 200);
    for page in &mut pages {
        page.blocks.push(SiteBlock { text: footer.clone(), ..SiteBlock::default() });
    }
    let audit = run(&pages, &AuditSettings::default());
    let verdict = audit.verdict(&pages[..], 3, 4).unwrap();
    assert_eq!(verdict.to_string(), "Not reported: all 212 words that they share are template.");
}

#[test]
fn each_class_is_told_from_the_others() {
    let base = words("a", 200);
    let list: Vec<&str> = base.split(' ').collect();
    let edited = |every: usize| {
        let words = list.iter().enumerate();
        let words = words
            .map(|(at, word)| if at % every == every - 1 { format!("e{at}") } else { (*word).to_owned() });
        words.collect::<Vec<_>>().join(" ")
    };
    let class = |other: &str| {
        let pages = [page("h://s/1", &[(&base, Area::Body)]), page("h://s/2", &[(other, Area::Body)])];
        run(&pages, &AuditSettings::default()).pairs().next().map(|pair| (pair.class, pair.band()))
    };
    let reversed: Vec<String> = list.chunks(10).rev().map(|chunk| chunk.join(" ")).collect();
    assert_eq!(class(&base), Some((PairClass::Exact, Band::NearIdentical)));
    assert_eq!(class(&edited(50)), Some((PairClass::Near, Band::NearIdentical)));
    assert_eq!(class(&edited(8)), Some((PairClass::Near, Band::High)));
    assert_eq!(
        class(&format!("{base} {}", words("more", 100))),
        Some((PairClass::Substantial, Band::NearIdentical))
    );
    assert_eq!(
        class(&format!("{base} {}", words("more", 400))),
        Some((PairClass::Contained, Band::NearIdentical))
    );
    assert_eq!(class(&reversed.join(" ")), Some((PairClass::Reordered, Band::NearIdentical)));
    let half = format!("{} {}", list[..130].join(" "), words("other", 110));
    assert_eq!(class(&half), Some((PairClass::Partial, Band::Substantial)));
    assert_eq!(class(&format!("{} {}", list[..100].join(" "), words("other", 100))), None);
    assert_eq!(class(&list[..49].join(" ")), None, "it is too short to judge");
}

#[test]
fn only_pages_of_different_sites_are_compared_across() {
    let text = words("a", 60);
    let mut pages: Vec<SitePage> =
        (0..4).map(|number| page(&format!("h://{}/{number}", number / 2), &[(&text, Area::Body)])).collect();
    pages[2].facts.site = 1;
    pages[3].facts.site = 1;
    pages.push(page("h://0/x", &[(&words("b", 60), Area::Body)]));
    pages.push(page("h://0/y", &[(&words("b", 60), Area::Body)]));
    let settings = AuditSettings { scope: PairScope::Across, ..AuditSettings::default() };
    let audit = run(&pages, &settings);
    let sites = |pair: &PagePair| [pair.a, pair.b].map(|page| audit.pages()[page as usize].site);
    assert_eq!(audit.pairs().count(), 4);
    assert!(audit.pairs().all(|pair| sites(&pair) == [0, 1]));
    assert_eq!(audit.words().duplicate, 240, "what two pages of one site share does not count");
    let same_site =
        audit.verdict(&pages[..], audit.page_of("h://0/x").unwrap(), audit.page_of("h://0/y").unwrap());
    assert_eq!(same_site.unwrap(), PairVerdict::SameSite);
}

#[test]
fn the_primary_page_has_a_reason() {
    let text = words("a", 60);
    let reason = |change: &dyn Fn(&mut [SitePage])| {
        let mut pages: Vec<SitePage> = ["h://s/aa", "h://s/bb", "h://s/cc"]
            .iter()
            .map(|url| page(url, &[(&text, Area::Body)]))
            .collect();
        change(&mut pages);
        let audit = run(&pages, &AuditSettings::default());
        let cluster = &audit.clusters()[0];
        (audit.pages()[cluster.primary as usize].url.clone(), cluster.reason, cluster.to_fix)
    };
    assert_eq!(reason(&|_| {}), ("h://s/aa".into(), PrimaryReason::FirstUrl, 2));
    assert_eq!(reason(&|pages| pages[2].facts.url = "h://s/c".into()).1, PrimaryReason::ShortUrl);
    let linked = reason(&|pages| {
        pages[0].facts.links = vec![1, 2];
        pages[1].facts.links = vec![2];
    });
    assert_eq!(linked, ("h://s/cc".into(), PrimaryReason::Power, 2));
    let noindex = reason(&|pages| {
        (pages[0].facts.noindex, pages[0].facts.in_sitemap) = (true, true);
        pages[1].facts.canonical = Some("h://s/aa".into());
    });
    assert_eq!(
        noindex,
        ("h://s/cc".into(), PrimaryReason::OwnCanonical, 1),
        "bb is not handled by a page that is not indexed"
    );
    let indexable = reason(&|pages| (pages[0].facts.noindex, pages[2].facts.noindex) = (true, true));
    assert_eq!(indexable, ("h://s/bb".into(), PrimaryReason::Indexable, 0));
    let listed = reason(&|pages| pages[1].facts.in_sitemap = true);
    assert_eq!(listed, ("h://s/bb".into(), PrimaryReason::InSitemap, 2));
    let canonical = reason(&|pages| {
        pages[0].facts.canonical = Some("h://s/cc".into());
        pages[1].facts.in_sitemap = true;
    });
    assert_eq!(canonical, ("h://s/cc".into(), PrimaryReason::CanonicalTarget, 1));
}

#[test]
fn provisional_pairs_are_retracted_with_a_reason() {
    let mut pages = with_footer();
    // Each page has 80 words of its own, so these are different pages although they share most of their words.
    let template = words("long", 300);
    for page in &mut pages {
        page.blocks.push(SiteBlock { text: template.clone(), ..SiteBlock::default() });
    }
    pages.push(page("h://s/copy", &[(&pages[0].blocks[0].text.clone(), Area::Body)]));
    pages.push(page("h://s/copy2", &[(&pages[0].blocks[0].text.clone(), Area::Body)]));
    let mut provisional = Provisional::new(&AuditSettings::default()).unwrap();
    let found: Vec<usize> = pages.iter().map(|page| provisional.add(page).len()).collect();
    assert!(found[0] == 0 && found[1] == 1 && found[29] > 0, "{found:?}");
    let exact = provisional.pairs().last().unwrap();
    assert_eq!((exact.first, exact.second, exact.is_exact), (30, 31, true));
    let audit = run(&pages, &AuditSettings::default());
    let (count, retractions) = provisional.retractions(&audit, &pages[..], usize::MAX).unwrap();
    assert_eq!(count, retractions.len() as u64);
    assert!(!retractions.is_empty());
    assert!(
        retractions.iter().all(|of| matches!(of.verdict, PairVerdict::TemplateOnly { .. })),
        "{retractions:?}"
    );
    assert!(retractions.iter().all(|of| !of.pair.is_exact));
}

fn changes_between(before: &Audit, now: &Audit) -> AuditChanges {
    let Ok(changes) = AuditChanges::between(before, now, &Sequential);
    changes
}

#[test]
fn changes_are_new_fixed_and_changed_pairs() {
    let (a, b, c) = (words("a", 60), words("b", 60), words("c", 60));
    let site = |texts: [&str; 6]| -> Vec<SitePage> {
        (0..)
            .zip(texts)
            .map(|(number, text)| page(&format!("h://s/{number}"), &[(text, Area::Body)]))
            .collect()
    };
    let before = run(&site([&a, &a, &b, &words("x", 60), &c, &c]), &AuditSettings::default());
    let mut pages = site([&a, &words("y", 60), &b, &b, &c, &c]);
    pages[5].facts.canonical = Some("h://s/4".into());
    pages.push(page("h://s/7", &[(&words("z", 60), Area::Body)]));
    let now = run(&pages, &AuditSettings::default());
    let changes = changes_between(&before, &now);
    assert_eq!((changes.added, changes.removed), (vec![6], vec![]));
    assert_eq!(changes.changed, [(1, 1), (3, 3)]);
    let kinds: Vec<ChangeKind> = changes.pairs.iter().map(ChangedPair::kind).collect();
    assert_eq!(kinds, [ChangeKind::Fixed, ChangeKind::Fixed, ChangeKind::New]);
    assert!(changes.pairs[1].now.is_some(), "a pair that is handled now is still a pair");
    let none = changes_between(&now, &now);
    assert_eq!(none, AuditChanges::default());
}

#[test]
fn a_footer_that_becomes_template_changes_no_page() {
    let site = |pages: usize| -> Vec<SitePage> {
        let page_of = |number: usize| {
            let own = words(&format!("own{number}x"), 60);
            page(
                &format!("h://s/{number:02}"),
                &[(&own, Area::Body), ("the same words below each page", Area::Body)],
            )
        };
        (0..pages).map(page_of).collect()
    };
    let (before, now) =
        (run(&site(19), &AuditSettings::default()), run(&site(20), &AuditSettings::default()));
    let templates = |audit: &Audit| audit.pages().iter().filter(|page| page.words.common > 0).count();
    assert_eq!((templates(&before), templates(&now)), (0, 20));
    let changes = changes_between(&before, &now);
    assert_eq!((changes.added.len(), changes.changed), (1, vec![]));
}

#[test]
fn of_very_many_changed_pairs_all_are_counted_and_the_first_are_kept() {
    let copies: Vec<SitePage> = (0..500)
        .map(|number| page(&format!("h://s/{number:03}"), &[(&words("a", 60), Area::Body)]))
        .collect();
    let (none, all) = (run(&[], &AuditSettings::default()), run(&copies, &AuditSettings::default()));
    let changes = changes_between(&none, &all);
    assert_eq!((changes.count(ChangeKind::New), changes.pairs.len()), (500 * 499 / 2, 100_000));
    let mut visited = 0;
    let Ok(()) = AuditChanges::each_pair(&none, &all, &Sequential, &mut |_| visited += 1);
    assert_eq!(visited, 500 * 499 / 2);
}

#[test]
fn a_page_of_template_alone_joins_no_other_pages_wherever_its_url_sorts() {
    let (top, bottom) = (words("top", 90), words("bottom", 40));
    for thin in ["h://s/000", "h://s/999"] {
        let mut site: Vec<SitePage> = (1..60)
            .map(|number| {
                let own = words(&format!("own{number}x"), 60);
                let blocks = [top.as_str(), own.as_str(), bottom.as_str()].map(|text| (text, Area::Body));
                page(&format!("h://s/{number:03}"), &blocks)
            })
            .collect();
        site.push(page(thin, &[(&top, Area::Body), ("a heading", Area::Body), (&bottom, Area::Body)]));
        let audit = run(&site, &AuditSettings::default());
        assert_eq!(audit.pairs().count(), 0, "{thin}");
        assert_eq!(audit.words().common, 60 * 130, "{thin}");
    }
}
