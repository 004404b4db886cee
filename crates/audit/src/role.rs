//! The role of each block of a page: whether it is compared, and if not, why.

use super::read::SiteText;
use super::{Area, AuditSettings, BlockId};
use lookalike_html::Extract;

/// The role of a block in an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockRole {
    /// It is compared.
    Scored,
    /// It is template: enough clusters of pages have it.
    Template,
    /// It is in an area of template: navigation, a header, a footer, an aside or a form.
    Area,
    /// It is outside of the main area or the main content of a page that is read by it.
    OutsideMain,
    /// The user switched it off.
    Off,
}

impl BlockRole {
    /// The name in lists.
    pub fn name(self) -> &'static str {
        match self {
            BlockRole::Scored => "scored",
            BlockRole::Template => "template",
            BlockRole::Area => "area",
            BlockRole::OutsideMain => "outside-main",
            BlockRole::Off => "off",
        }
    }
}

/// What the role of a block depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockFacts {
    pub(super) id: BlockId,
    pub(super) words: usize,
    pub(super) area: Area,
    /// Whether it is part of the main content.
    pub(super) is_main: bool,
}

/// The roles of a page's blocks by their places and the user's switches, before any votes.
pub(super) fn roles_by_place(site: &SiteText, page: u32, settings: &AuditSettings) -> Box<[BlockRole]> {
    let placed = site.page(page).iter().map(|block| BlockFacts {
        id: site.id(block.block),
        words: site.words(block.block).len(),
        area: block.area,
        is_main: block.is_main,
    });
    place_roles(&placed.collect::<Vec<_>>(), settings)
}

/// The roles of blocks by their places.
pub(super) fn place_roles(blocks: &[BlockFacts], settings: &AuditSettings) -> Box<[BlockRole]> {
    let words = |is_counted: fn(&BlockFacts) -> bool| -> u64 {
        blocks.iter().filter(|block| is_counted(block)).map(|block| block.words as u64).sum()
    };
    let (main, content) = (words(|block| block.area == Area::Main), words(|block| block.area.is_content()));
    let areas = Extract::areas(main, content);
    let by_place = |block: &BlockFacts| match block.area {
        area if areas.take(area) => BlockRole::Scored,
        area if area.is_content() => BlockRole::OutsideMain,
        _ => BlockRole::Area,
    };
    let by_content = settings.content == Extract::Main && words(|block| block.is_main) > 0;
    let role = |block: &BlockFacts| match (settings.blocks.get(&block.id), settings.content) {
        (Some(true), _) => BlockRole::Scored,
        (Some(false), _) => BlockRole::Off,
        (None, Extract::All) => BlockRole::Scored,
        (None, Extract::Main) if by_content && block.is_main => BlockRole::Scored,
        (None, Extract::Main) if by_content => BlockRole::OutsideMain,
        (None, Extract::Main | Extract::Blocks) => by_place(block),
    };
    blocks.iter().map(role).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(content: Extract, blocks: &[(usize, Area, bool)]) -> Vec<&'static str> {
        let placed = (0..).zip(blocks).map(|(id, &(words, area, is_main))| BlockFacts {
            id: BlockId(id),
            words,
            area,
            is_main,
        });
        let settings = AuditSettings { content, ..AuditSettings::default() };
        place_roles(&placed.collect::<Vec<_>>(), &settings).iter().map(|role| role.name()).collect()
    }

    #[test]
    fn the_main_area_is_all_of_the_content_if_it_is_large_enough() {
        let page = |main| [(9, Area::Navigation, false), (7, Area::Body, true), (main, Area::Main, true)];
        assert_eq!(roles(Extract::Blocks, &page(3)), ["area", "outside-main", "scored"]);
        assert_eq!(roles(Extract::Blocks, &page(2)), ["area", "scored", "scored"]);
        assert_eq!(roles(Extract::All, &page(3)), ["scored"; 3]);
        let aside = [(9, Area::Navigation, false), (30, Area::Aside, false), (0, Area::Body, false)];
        assert_eq!(roles(Extract::Blocks, &aside), ["scored"; 3], "there is nothing else");
    }

    #[test]
    fn main_content_is_compared_wherever_it_stands() {
        let page = [(9, Area::Form, true), (7, Area::Body, false), (30, Area::Main, false)];
        assert_eq!(roles(Extract::Main, &page), ["scored", "outside-main", "outside-main"]);
        let without = [(9, Area::Form, false), (7, Area::Body, false), (0, Area::Body, true)];
        assert_eq!(roles(Extract::Main, &without), ["area", "scored", "scored"]);
    }
}
