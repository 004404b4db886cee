//! The text of a page, as a crawl stores it and an audit compares it.

use lookalike_html::{Area, Extract, HtmlPage};
use serde::{Deserialize, Serialize};

/// A block of text: a paragraph, a heading, a list item or a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteBlock {
    /// The text.
    pub text: String,
    /// The area of the page that it stands in.
    pub area: Area,
    /// Whether it is part of the main content, as [`Extract::Main`] finds it.
    pub is_main: bool,
}

impl SiteBlock {
    /// The blocks of a page, in its order.
    pub fn of(page: HtmlPage) -> Vec<SiteBlock> {
        let main = page.selected(Extract::Main);
        let blocks = page.blocks.into_iter().zip(main);
        blocks.map(|(block, is_main)| SiteBlock { text: block.text, area: block.area, is_main }).collect()
    }
}
