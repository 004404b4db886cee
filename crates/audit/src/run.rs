//! The steps of an audit.

use super::clusters::clusters;
use super::fill::{fill_links, fill_words, pages, sites};
use super::handled::Declarations;
use super::pairs::{ComparedPages, TextPair, search};
use super::read::{DistinctTexts, SiteText, content_hash};
use super::result::ScoredText;
use super::role::roles_by_place;
use super::shingles::SharedShingles;
use super::template::{report, scored_blocks, take_out, template};
use super::{Audit, AuditError, AuditSettings, AuditedPage, BlockRole, PageFacts, PageSource};
use lookalike::Executor;
use std::borrow::Cow;

/// Audits the pages of `source`.
///
/// # Errors
/// [`AuditError`] if a page cannot be read, a setting is out of range, or the executor stops the audit.
///
/// # Panics
/// If there are 2³² pages or more.
pub fn audit<E: Executor, S: PageSource + ?Sized>(
    source: &S,
    settings: &AuditSettings,
    executor: &E,
) -> Result<Audit, AuditError<E::Stopped>> {
    let plan = settings.plan()?;
    let order = order(source);
    let facts: Vec<Cow<'_, PageFacts>> = order.iter().map(|&page| source.facts(page as usize)).collect();
    let site = SiteText::read(source, &order, &plan, executor)?;
    let mut roles: Vec<Box<[BlockRole]>> =
        (0..order.len() as u32).map(|page| roles_by_place(&site, page, settings)).collect();
    let of_page = |page: u32| content_hash(&site, &scored_blocks(&site, page, &roles[page as usize]));
    let contents: Vec<u64> = (0..order.len() as u32).map(of_page).collect();
    let urls: Vec<&str> = facts.iter().map(|facts| facts.url.as_str()).collect();
    let template = template(&site, &urls, &roles, &plan, settings, executor).map_err(AuditError::Stopped)?;
    let mostly_common = take_out(&site, &template, &mut roles, settings);
    let blocks = report(source, &order, &site, &template, &roles, settings)?;
    drop(template);
    let mut pages = pages(&order, &facts, &roles, &mostly_common, &contents);
    let texts = DistinctTexts::new(&site, |page| {
        let blocks = site.page(page).iter().zip(&roles[page as usize]);
        let of = &pages[page as usize];
        blocks.filter(|(_, role)| of.scores(**role)).map(|(block, _)| block.block).collect()
    });
    let shared = SharedShingles::new(&site, &texts, &plan, executor).map_err(AuditError::Stopped)?;
    let sites = sites(&texts, &pages);
    fill_words(&site, &texts, &shared, &sites, settings, &mut pages);
    let is_compared = is_compared(&texts, &pages, settings);
    let compared = ComparedPages { is_compared: &is_compared, sites: &sites };
    let pairs = search(&site, &texts, &shared, &compared, settings, executor).map_err(AuditError::Stopped)?;
    let partners = partners(&pairs, texts.len());
    let of_text = |text: u32| {
        let (pages, words) = (texts.pages(text).to_vec(), texts.words(text));
        ScoredText { pages, words, distinct: shared.distinct(text) }
    };
    let texts = (0..texts.len() as u32).map(of_text).collect();
    let declarations = Declarations::new(facts.iter().map(|facts| &**facts));
    let mut audit = Audit {
        settings: settings.clone(),
        pages,
        declarations,
        texts,
        pairs,
        partners,
        clusters: Vec::new(),
        blocks,
    };
    fill_links(&mut audit.pages, &order, &facts);
    clusters(&mut audit);
    Ok(audit)
}

/// The numbers of all pages in the order of their URLs.
fn order<S: PageSource + ?Sized>(source: &S) -> Vec<u32> {
    let mut order: Vec<u32> =
        (0..u32::try_from(source.pages()).expect("pages have numbers of 32 bits")).collect();
    order.sort_by(|&a, &b| source.facts(a as usize).url.cmp(&source.facts(b as usize).url));
    order
}

/// Whether each text is compared with others: it is long enough, and a page has it that is not mostly common.
fn is_compared(texts: &DistinctTexts, pages: &[AuditedPage], settings: &AuditSettings) -> Vec<bool> {
    let is_judged = |&page: &u32| settings.template_pairs || !pages[page as usize].is_mostly_common;
    let is_compared =
        |text| texts.words(text) >= settings.least_words && texts.pages(text).iter().any(is_judged);
    (0..texts.len() as u32).map(is_compared).collect()
}

/// The texts that each text is in a pair with.
fn partners(pairs: &[TextPair], texts: usize) -> Vec<Vec<u32>> {
    let mut partners: Vec<Vec<u32>> = vec![Vec::new(); texts];
    for pair in pairs {
        partners[pair.a as usize].push(pair.b);
        partners[pair.b as usize].push(pair.a);
    }
    partners
}
