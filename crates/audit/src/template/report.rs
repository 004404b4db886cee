//! The report on template blocks, for people who may overrule it.

use super::votes::{CommonBlock, pages_with};
use super::{GroupVotes, Template};
use crate::read::SiteText;
use crate::{Area, AuditError, AuditSettings, BlockId, BlockRole, PageSource};
use lookalike_html::Extract;
use std::collections::{HashMap, HashSet};

/// A block that is on several pages, and what the audit does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockReport {
    /// Its id, by which settings switch it on or off.
    pub id: BlockId,
    /// The start of its text on the first page that has it.
    pub sample: String,
    /// Its words.
    pub words: u32,
    /// Its area on the first page that has it.
    pub area: Area,
    /// The pages that have it.
    pub pages: u32,
    /// The clusters of near-duplicate pages that have it, each with one vote.
    pub clusters: u32,
    /// The decision on it.
    pub decision: BlockDecision,
    /// The reason, as a sentence.
    pub reason: String,
}

/// The decision on a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockDecision {
    /// It is compared on all pages that have it.
    Scored,
    /// It is template on all pages that have it.
    Template,
    /// It is template on some pages and compared on others.
    Partly,
}

impl BlockDecision {
    /// The name in lists.
    pub fn name(self) -> &'static str {
        match self {
            BlockDecision::Scored => "scored",
            BlockDecision::Template => "template",
            BlockDecision::Partly => "partly",
        }
    }
}

/// The least number of pages with a block that is reported although no vote or user removed it.
const MANY: u32 = 20;

/// Characters of a sample: two lines of a table.
const SAMPLE: usize = 160;

/// The pages that have a block.
#[derive(Clone, Debug)]
struct BlockUse {
    block: u32,
    /// The first page, and the place of the block in it.
    first: (u32, usize),
    area: Area,
    pages: u32,
    /// The last page.
    last: u32,
    clusters: Vec<u32>,
    /// The pages on which it has each role: scored, template, area, outside of the main content, off.
    roles: [u32; 5],
}

/// The blocks that votes or the user removed, and those of very many pages, the most frequent ones first.
pub(crate) fn report<S: PageSource + ?Sized, Stopped>(
    source: &S,
    order: &[u32],
    site: &SiteText,
    template: &Template,
    roles: &[Box<[BlockRole]>],
    settings: &AuditSettings,
) -> Result<Vec<BlockReport>, AuditError<Stopped>> {
    let with = pages_with(site, |_, _| true);
    let voted: HashSet<u32> = template
        .groups
        .iter()
        .flat_map(|group| group.common.iter().chain(&group.elsewhere))
        .map(|common| common.block)
        .collect();
    let is_reported = |block: u32| {
        block != 0
            && (with[block as usize] >= MANY
                || voted.contains(&block)
                || settings.blocks.contains_key(&site.id(block)))
    };
    let mut uses = uses(site, template, roles, is_reported);
    uses.sort_by_key(|of| of.first);
    let mut reports = Vec::with_capacity(uses.len());
    for same in uses.chunk_by(|a, b| a.first.0 == b.first.0) {
        let page = order[same[0].first.0 as usize] as usize;
        let unread = |error| AuditError::Unread { url: source.facts(page).url.clone(), error };
        let blocks = source.blocks(page).map_err(unread)?;
        for of in same {
            let text = blocks.get(of.first.1).map_or("", |block| block.text.as_str());
            reports.push(block_report(site, template, settings, of, text));
        }
    }
    reports.sort_by(|a, b| (b.pages, a.id).cmp(&(a.pages, b.id)));
    Ok(reports)
}

fn uses(
    site: &SiteText,
    template: &Template,
    roles: &[Box<[BlockRole]>],
    is_reported: impl Fn(u32) -> bool,
) -> Vec<BlockUse> {
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    let mut uses: Vec<BlockUse> = Vec::new();
    for page in 0..site.pages() as u32 {
        for (place, (block, role)) in site.page(page).iter().zip(&roles[page as usize]).enumerate() {
            if !is_reported(block.block) {
                continue;
            }
            let number = *numbers.entry(block.block).or_insert(uses.len());
            if number == uses.len() {
                let (block, area, clusters) = (block.block, block.area, Vec::new());
                let (first, last) = ((page, place), u32::MAX);
                uses.push(BlockUse { block, first, area, pages: 0, last, clusters, roles: [0; 5] });
            }
            let of = &mut uses[number];
            if std::mem::replace(&mut of.last, page) == page {
                continue;
            }
            of.pages += 1;
            of.clusters.extend(template.clusters[page as usize]);
            of.roles[match role {
                BlockRole::Scored => 0,
                BlockRole::Template => 1,
                BlockRole::Area => 2,
                BlockRole::OutsideMain => 3,
                BlockRole::Off => 4,
            }] += 1;
        }
    }
    uses
}

fn block_report(
    site: &SiteText,
    template: &Template,
    settings: &AuditSettings,
    of: &BlockUse,
    text: &str,
) -> BlockReport {
    let id = site.id(of.block);
    let mut clusters = of.clusters.clone();
    clusters.sort_unstable();
    clusters.dedup();
    let scored = of.roles[0];
    let decision = match (scored, of.pages) {
        (0, _) => BlockDecision::Template,
        (scored, pages) if scored == pages => BlockDecision::Scored,
        _ => BlockDecision::Partly,
    };
    let reason = reason(template, settings, id, of, clusters.len());
    let sample: String = text.chars().take(SAMPLE).collect();
    let words = site.words(of.block).len() as u32;
    let clusters = clusters.len() as u32;
    BlockReport { id, sample, words, area: of.area, pages: of.pages, clusters, decision, reason }
}

/// The reason for the decision on a block, as a sentence.
fn reason(
    template: &Template,
    settings: &AuditSettings,
    id: BlockId,
    of: &BlockUse,
    clusters: usize,
) -> String {
    let [_, by_vote, by_area, outside_main, _] = of.roles;
    let voted = |common: fn(&GroupVotes) -> &[CommonBlock]| {
        template.groups.iter().find_map(|group| {
            let place = common(group).binary_search_by_key(&of.block, |common| common.block).ok()?;
            let (votes, all) = (common(group)[place].votes, group.clusters);
            let votes =
                format!("{votes} of {all} clusters of different pages under {} have it", group.folder);
            Some((votes, group.needed))
        })
    };
    let (in_group, elsewhere) = (voted(|group| &group.common), voted(|group| &group.elsewhere));
    match settings.blocks.get(&id) {
        Some(true) => return "Switched on in the settings.".to_owned(),
        Some(false) => return "Switched off in the settings.".to_owned(),
        None if settings.content == Extract::All => return "All text is compared.".to_owned(),
        None => {}
    }
    match (in_group, elsewhere) {
        (Some((votes, needed)), _) if by_vote > 0 => format!("{votes}, and {needed} are enough."),
        (Some(_), _) => "Enough clusters have it, but it stands in the content of its pages.".to_owned(),
        _ if by_area > 0 => "It stands in an area of template.".to_owned(),
        _ if outside_main > 0 => "It stands outside of the main content.".to_owned(),
        (None, Some((votes, _))) => format!("{votes}, but it is content in other folders."),
        _ if template.groups.is_empty() => "No folder has enough pages to find templates by.".to_owned(),
        _ => format!("Only {clusters} clusters of different pages have it."),
    }
}
