//! Template blocks: texts that pages with different content have in common.
//!
//! A block that many pages have is template, or the text of many duplicates. Counting pages cannot tell the two apart,
//! and drops the text of large clusters of duplicates. So each cluster of near-duplicate pages has one vote here.
//!
//! Groups of pages are the folders of their URLs, at every depth. A block is template on the pages of a group if most
//! clusters of that group have it, and it is content almost nowhere else. The clusters are stars (see [`leaders`]), made
//! over the words outside of template areas.

mod edges;
mod groups;
mod leaders;
mod report;
mod take_out;
mod votes;

pub(super) use report::report;
pub use report::{BlockDecision, BlockReport};
pub(super) use take_out::take_out;
pub(super) use votes::GroupVotes;
use votes::votes;

use super::read::{DistinctTexts, SiteText};
use super::shingles::SharedShingles;
use super::{AuditSettings, BlockRole, Voters};
use lookalike::{Executor, Plan};
use lookalike_html::Extract;

/// The result of the votes.
#[derive(Debug, Default)]
pub(super) struct Template {
    /// The groups with their votes, larger groups before the groups within them.
    pub(super) groups: Vec<GroupVotes>,
    /// The cluster of each page in the vote. Pages without words are in none.
    pub(super) clusters: Vec<Option<u32>>,
}

/// The groups of page after page. There may be as many groups as pages, so all of them are not looked at for each page.
#[derive(Debug)]
struct GroupsAround<'t> {
    /// Those whose pages are still to come. Larger groups come before the groups within them.
    left: &'t [GroupVotes],
    around: Vec<&'t GroupVotes>,
}

impl<'t> GroupsAround<'t> {
    fn new(groups: &'t [GroupVotes]) -> Self {
        GroupsAround { left: groups, around: Vec::new() }
    }

    /// The groups of a page. Pages must ascend from call to call.
    fn of(&mut self, page: u32) -> &[&'t GroupVotes] {
        while let Some((next, left)) = self.left.split_first().filter(|(next, _)| next.pages.start <= page) {
            self.around.push(next);
            self.left = left;
        }
        self.around.retain(|group| group.pages.end > page);
        &self.around
    }
}

/// Finds the template blocks of pages whose blocks have these roles by area.
pub(super) fn template<E: Executor>(
    site: &SiteText,
    urls: &[&str],
    roles: &[Box<[BlockRole]>],
    plan: &Plan,
    settings: &AuditSettings,
    executor: &E,
) -> Result<Template, E::Stopped> {
    let rule = &settings.template;
    let groups = groups::groups(urls, rule.least_pages);
    if settings.content == Extract::All || rule.least_clusters == 0 || groups.is_empty() {
        return Ok(Template { groups: Vec::new(), clusters: vec![None; urls.len()] });
    }
    let texts = DistinctTexts::new(site, |page| scored_blocks(site, page, &roles[page as usize]));
    let clusters = match rule.voters {
        Voters::Pages => (0..urls.len() as u32).map(|page| texts.of_page(page).map(|_| page)).collect(),
        Voters::Clusters => {
            let shared = SharedShingles::new(site, &texts, plan, executor)?;
            let leaders = leaders::leaders(&shared, rule.similarity, rule.own_words, executor)?;
            (0..urls.len() as u32)
                .map(|page| texts.of_page(page).map(|text| leaders[text as usize]))
                .collect::<Vec<_>>()
        }
    };
    let groups = votes(site, roles, groups, &clusters, rule, executor)?;
    Ok(Template { groups, clusters })
}

/// The blocks of a page that are compared.
pub(crate) fn scored_blocks(site: &SiteText, page: u32, roles: &[BlockRole]) -> Vec<u32> {
    let blocks = site.page(page).iter().zip(roles);
    blocks.filter(|(_, role)| **role == BlockRole::Scored).map(|(block, _)| block.block).collect()
}
