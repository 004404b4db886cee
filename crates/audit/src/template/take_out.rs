//! Template blocks get their role, page by page.

use super::edges::{VotedBlock, between_edges};
use super::{GroupVotes, GroupsAround, Template};
use crate::read::SiteText;
use crate::{AuditSettings, BlockRole, TemplatePlace};

/// Gives template blocks their role, and returns the pages that would have too little left.
pub(crate) fn take_out(
    site: &SiteText,
    template: &Template,
    roles: &mut [Box<[BlockRole]>],
    settings: &AuditSettings,
) -> Vec<bool> {
    let mut around = GroupsAround::new(&template.groups);
    let pages = (0..).zip(roles);
    pages.map(|(page, roles)| take_out_of(site, page, around.of(page), roles, settings)).collect()
}

/// Gives the template blocks of a page their role, and returns whether too little is left.
fn take_out_of(
    site: &SiteText,
    page: u32,
    groups: &[&GroupVotes],
    roles: &mut [BlockRole],
    settings: &AuditSettings,
) -> bool {
    let rule = &settings.template;
    let blocks = site.page(page);
    let places: Vec<usize> = (0..blocks.len()).filter(|&place| roles[place] == BlockRole::Scored).collect();
    let voted: Vec<VotedBlock> = places
        .iter()
        .map(|&place| {
            let block = blocks[place].block;
            let is_on = settings.blocks.get(&site.id(block)) == Some(&true);
            let is_common = !is_on && groups.iter().any(|group| group.has(block));
            VotedBlock { words: site.words(block).len() as u32, is_common }
        })
        .collect();
    let content = match rule.within {
        TemplatePlace::Edges => between_edges(&voted),
        TemplatePlace::Anywhere => 0..0,
    };
    let (mut before, mut after) = (0, 0);
    for (number, (&place, block)) in places.iter().zip(&voted).enumerate() {
        before += block.words;
        if block.is_common && !content.contains(&number) {
            roles[place] = BlockRole::Template;
        } else {
            after += block.words;
        }
    }
    after < before && (after < rule.least_words || f64::from(after) < rule.least_kept * f64::from(before))
}
