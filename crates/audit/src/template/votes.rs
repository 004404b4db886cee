//! The votes of clusters on the blocks of their pages, group by group.

use super::groups::FolderPages;
use super::{GroupsAround, scored_blocks};
use crate::read::SiteText;
use crate::{BlockRole, TemplateSettings};
use lookalike::Executor;
use std::ops::Range;

/// A group of pages, and the blocks that are template in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GroupVotes {
    /// The start of all URLs of the group.
    pub(crate) folder: String,
    /// The pages of the group.
    pub(crate) pages: Range<u32>,
    /// The clusters with a page in the group.
    pub(crate) clusters: u32,
    /// The votes that a template block needs.
    pub(crate) needed: u32,
    /// The template blocks, ascending.
    pub(crate) common: Vec<CommonBlock>,
    /// Blocks with enough votes that are content elsewhere, and so no template, ascending.
    pub(crate) elsewhere: Vec<CommonBlock>,
}

impl GroupVotes {
    /// Whether this block is template here.
    pub(crate) fn has(&self, block: u32) -> bool {
        self.common.binary_search_by_key(&block, |common| common.block).is_ok()
    }
}

/// A template block of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommonBlock {
    pub(crate) block: u32,
    /// The clusters of the group that have it.
    pub(crate) votes: u32,
}

/// The votes in each group. `clusters` is the cluster of each page.
pub(super) fn votes<E: Executor>(
    site: &SiteText,
    roles: &[Box<[BlockRole]>],
    groups: Vec<FolderPages>,
    clusters: &[Option<u32>],
    rule: &TemplateSettings,
    executor: &E,
) -> Result<Vec<GroupVotes>, E::Stopped> {
    executor.check()?;
    let with = pages_with(site, |page, place| roles[page as usize][place] == BlockRole::Scored);
    let count = |number: usize| {
        let FolderPages { folder, pages } = &groups[number];
        let clusters = &clusters[pages.start as usize..pages.end as usize];
        let blocks = |page: u32| {
            let blocks = scored_blocks(site, page, &roles[page as usize]);
            // Most blocks are on one page, and need not be counted.
            blocks.into_iter().filter(|&block| with[block as usize] >= rule.least_clusters)
        };
        let mut all: Vec<u32> = clusters.iter().copied().flatten().collect();
        all.sort_unstable();
        all.dedup();
        let needed = rule.least_clusters.max((rule.least_share * all.len() as f64 - 1e-9).ceil() as u32);
        let mut ballots: Vec<(u32, u32)> = pages
            .clone()
            .zip(clusters)
            .filter_map(|(page, cluster)| cluster.map(|cluster| (page, cluster)))
            .flat_map(|(page, cluster)| blocks(page).map(move |block| (block, cluster)))
            .collect();
        ballots.sort_unstable();
        ballots.dedup();
        let counted = ballots.chunk_by(|a, b| a.0 == b.0);
        let counted = counted.map(|same| CommonBlock { block: same[0].0, votes: same.len() as u32 });
        let common = counted.filter(|block| block.votes >= needed).collect();
        let (folder, pages) = (folder.clone(), pages.clone());
        GroupVotes { folder, pages, clusters: all.len() as u32, needed, common, elsewhere: Vec::new() }
    };
    let mut groups = executor.map(groups.len(), count);
    let content = content_elsewhere(site, roles, &groups, clusters, rule.least_share);
    for group in &mut groups {
        let voted = std::mem::take(&mut group.common).into_iter();
        (group.elsewhere, group.common) =
            voted.partition(|block| content.binary_search(&block.block).is_ok());
    }
    Ok(groups)
}

/// The template blocks of groups, ascending, that are template for less than the share `least` of all clusters that have
/// them. If these were template in the groups alone, two equal pages in two folders would differ.
fn content_elsewhere(
    site: &SiteText,
    roles: &[Box<[BlockRole]>],
    groups: &[GroupVotes],
    clusters: &[Option<u32>],
    least: f64,
) -> Vec<u32> {
    let mut common: Vec<u32> =
        groups.iter().flat_map(|group| &group.common).map(|block| block.block).collect();
    common.sort_unstable();
    common.dedup();
    // A block, a cluster that has it, and whether it is content on all pages of the cluster.
    let mut ballots: Vec<(u32, u32, bool)> = Vec::new();
    let mut groups = GroupsAround::new(groups);
    for (page, cluster) in (0..).zip(clusters) {
        let Some(cluster) = *cluster else { continue };
        let around = groups.of(page);
        let blocks = scored_blocks(site, page, &roles[page as usize]).into_iter();
        let blocks = blocks.filter(|block| common.binary_search(block).is_ok());
        ballots.extend(blocks.map(|block| (block, cluster, !around.iter().any(|group| group.has(block)))));
    }
    ballots.sort_unstable();
    ballots.dedup_by_key(|(block, cluster, _)| (*block, *cluster));
    let is_content = |same: &&[(u32, u32, bool)]| {
        let template = same.iter().filter(|(_, _, is_content)| !is_content).count();
        (template as f64) < least * same.len() as f64 - 1e-9
    };
    ballots.chunk_by(|a, b| a.0 == b.0).filter(is_content).map(|same| same[0].0).collect()
}

/// The number of pages that have each block in a place that `counts`, given the page and the place.
pub(super) fn pages_with(site: &SiteText, counts: impl Fn(u32, usize) -> bool) -> Vec<u32> {
    let mut pages: Vec<(u32, u32)> = vec![(0, u32::MAX); site.blocks()];
    for page in 0..site.pages() as u32 {
        let places = site.page(page).iter().enumerate();
        // Block 0 has no words.
        for (_, block) in places.filter(|(place, block)| block.block != 0 && counts(page, *place)) {
            let (count, last) = &mut pages[block.block as usize];
            *count += u32::from(std::mem::replace(last, page) != page);
        }
    }
    pages.into_iter().map(|(count, _)| count).collect()
}
