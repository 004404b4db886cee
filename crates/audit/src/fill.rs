//! The pages of an audit, with their words and links.

use super::counts::count;
use super::power::powers;
use super::read::{DistinctTexts, SiteText};
use super::shingles::SharedShingles;
use super::{AuditSettings, AuditedPage, BlockRole, PageFacts, PairScope, WordCounts};
use std::borrow::Cow;

/// The pages of an audit, without their words and links.
pub(super) fn pages(
    order: &[u32],
    facts: &[Cow<'_, PageFacts>],
    roles: &[Box<[BlockRole]>],
    mostly_common: &[bool],
    contents: &[u64],
) -> Vec<AuditedPage> {
    let page = |number: usize| AuditedPage {
        url: facts[number].url.clone(),
        source: order[number],
        site: facts[number].site,
        noindex: facts[number].noindex,
        in_sitemap: facts[number].in_sitemap,
        depth: facts[number].depth,
        words: WordCounts::default(),
        scored_words: 0,
        is_short: false,
        is_mostly_common: mostly_common[number],
        roles: roles[number].clone(),
        content: contents[number],
        cluster: None,
        power: 0.0,
        links_in: 0,
        links_out: 0,
        text: None,
    };
    (0..order.len()).map(page).collect()
}

/// The lowest and the highest site of each text's pages.
pub(super) fn sites(texts: &DistinctTexts, pages: &[AuditedPage]) -> Vec<(u32, u32)> {
    let of = |text| texts.pages(text).iter().map(|&page| pages[page as usize].site);
    let all = 0..texts.len() as u32;
    all.map(|text| (of(text).min().unwrap_or_default(), of(text).max().unwrap_or_default())).collect()
}

/// Fills the words of pages.
pub(super) fn fill_words(
    site: &SiteText,
    texts: &DistinctTexts,
    shared: &SharedShingles,
    sites: &[(u32, u32)],
    settings: &AuditSettings,
    pages: &mut [AuditedPage],
) {
    let across = settings.scope == PairScope::Across;
    let is_elsewhere = |text: u32, page: &AuditedPage| sites[text as usize] != (page.site, page.site);
    for number in 0..pages.len() as u32 {
        let page = &pages[number as usize];
        let text = texts.of_page(number);
        let duplicate = text.map_or(Vec::new(), |text| {
            let has_copy = if across { is_elsewhere(text, page) } else { texts.pages(text).len() > 1 };
            if has_copy {
                return std::iter::once(0..texts.words(text)).collect();
            }
            shared.covered_ranges(text, |list| {
                !across || shared.list(list).iter().any(|&text| is_elsewhere(text, page))
            })
        });
        let words = count(site, number, &page.roles, |role| page.scores(role), &duplicate);
        let page = &mut pages[number as usize];
        page.words = words;
        page.text = text;
        page.scored_words = text.map_or(0, |text| texts.words(text));
        page.is_short = page.scored_words < settings.least_words;
    }
}

/// Fills the links of pages, and their power.
pub(super) fn fill_links(pages: &mut [AuditedPage], order: &[u32], facts: &[Cow<'_, PageFacts>]) {
    let mut numbers = vec![0; order.len()];
    for (number, &source) in (0..).zip(order) {
        numbers[source as usize] = number;
    }
    let links: Vec<Vec<u32>> = (0..)
        .zip(facts)
        .map(|(page, facts)| {
            let links = facts.links.iter().filter_map(|&link| numbers.get(link as usize).copied());
            let mut links: Vec<u32> = links.filter(|&link| link != page).collect();
            links.sort_unstable();
            links.dedup();
            links
        })
        .collect();
    for &link in links.iter().flatten() {
        pages[link as usize].links_in += 1;
    }
    for ((page, links), power) in pages.iter_mut().zip(&links).zip(powers(&links)) {
        page.links_out = links.len() as u32;
        page.power = power;
    }
}
