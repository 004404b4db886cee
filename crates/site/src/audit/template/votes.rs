//! The votes of clusters on the blocks of their pages, group by group.

use super::groups::Group;
use super::scored_blocks;
use crate::audit::read::SiteText;
use crate::audit::{BlockRole, TemplateSettings};
use lookalike::Executor;
use std::ops::Range;

/// A group of pages, and the blocks that are template in it.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::audit) struct GroupVotes {
    /// The start of all URLs of the group.
    pub(in crate::audit) folder: String,
    /// The pages of the group.
    pub(in crate::audit) pages: Range<u32>,
    /// The clusters with a page in the group.
    pub(in crate::audit) clusters: u32,
    /// The votes that a template block needs.
    pub(in crate::audit) needed: u32,
    /// The template blocks, ascending.
    pub(in crate::audit) common: Vec<CommonBlock>,
}

impl GroupVotes {
    /// Whether at least the share `least` of the clusters have this block, which is then template here.
    pub(in crate::audit) fn has(&self, block: u32, least: f64) -> bool {
        let place = self.common.binary_search_by_key(&block, |common| common.block);
        let reaches = |votes: u32| f64::from(votes) >= least * f64::from(self.clusters) - 1e-9;
        place.is_ok_and(|place| reaches(self.common[place].votes))
    }
}

/// A template block of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::audit) struct CommonBlock {
    pub(in crate::audit) block: u32,
    /// The clusters of the group that have it.
    pub(in crate::audit) votes: u32,
}

/// The votes in each group. `clusters` is the cluster of each page.
pub(super) fn votes<E: Executor>(
    site: &SiteText,
    roles: &[Box<[BlockRole]>],
    groups: Vec<Group>,
    clusters: &[Option<u32>],
    rule: &TemplateSettings,
    executor: &E,
) -> Result<Vec<GroupVotes>, E::Stopped> {
    executor.check()?;
    let with = pages_with(site, |page, place| roles[page as usize][place] == BlockRole::Scored);
    let count = |number: usize| {
        let Group { folder, pages } = &groups[number];
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
        GroupVotes { folder, pages, clusters: all.len() as u32, needed, common }
    };
    Ok(executor.map(groups.len(), count))
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
