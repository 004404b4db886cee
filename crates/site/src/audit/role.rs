//! The role of each block of a page: whether it is compared, and if not, why.

use super::read::SiteText;
use super::{Area, AuditSettings, BlockId, Content};

/// The role of a block in an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockRole {
    /// It is compared.
    Scored,
    /// It is template: enough clusters of pages have it.
    Template,
    /// It is in an area of template: navigation, a header, a footer, an aside or a form.
    Area,
    /// It is outside of the main area of a page that is read by its main area.
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

/// The least share of a page's words in its main area. A smaller one is a box of the page and not its content.
const LEAST_MAIN: f64 = 0.3;

/// The roles of a page's blocks by their areas and the user's switches, before any votes.
pub(super) fn roles_by_area(site: &SiteText, page: u32, settings: &AuditSettings) -> Box<[BlockRole]> {
    let blocks = site.page(page).iter();
    let blocks = blocks.map(|block| (site.id(block.block), site.words(block.block).len(), block.area));
    area_roles(&blocks.collect::<Vec<_>>(), settings)
}

/// The roles of blocks, each given by its id, its words and its area.
pub(super) fn area_roles(blocks: &[(BlockId, usize, Area)], settings: &AuditSettings) -> Box<[BlockRole]> {
    let all: usize = blocks.iter().map(|(_, words, _)| words).sum();
    let main: usize =
        blocks.iter().filter(|(_, _, area)| *area == Area::Main).map(|(_, words, _)| words).sum();
    let by_main = settings.content == Content::Main && main > 0 && main as f64 >= LEAST_MAIN * all as f64;
    let role = |&(id, _, area): &(BlockId, usize, Area)| match settings.blocks.get(&id) {
        Some(true) => BlockRole::Scored,
        Some(false) => BlockRole::Off,
        None if settings.content == Content::All => BlockRole::Scored,
        None if by_main && area != Area::Main => BlockRole::OutsideMain,
        None if !area.is_content() => BlockRole::Area,
        None => BlockRole::Scored,
    };
    blocks.iter().map(role).collect()
}
