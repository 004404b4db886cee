//! The blocks that are compared.

use super::{Area, Block, HtmlPage};
use crate::Extract;

impl HtmlPage {
    /// Whether each block is part of the text that `extract` names.
    pub fn selected(&self, extract: Extract) -> Vec<bool> {
        match extract {
            Extract::All => vec![true; self.blocks.len()],
            Extract::Blocks => self.content_blocks(),
            Extract::Main => self.main_content(),
        }
    }

    /// The blocks of the text that `extract` names.
    pub(crate) fn extracted(&self, extract: Extract) -> impl Iterator<Item = &Block> {
        self.blocks
            .iter()
            .zip(self.selected(extract))
            .filter_map(|(block, is_selected)| is_selected.then_some(block))
    }

    /// The blocks outside navigation, header, footer, asides and forms. All blocks, if there are none.
    fn content_blocks(&self) -> Vec<bool> {
        let words = |is_wanted: fn(Area) -> bool| -> u64 {
            self.blocks.iter().filter(|block| is_wanted(block.area)).map(|block| u64::from(block.words)).sum()
        };
        let (main, content) = (words(|area| area == Area::Main), words(Area::is_content));
        let areas = Extract::areas(main, content);
        self.blocks.iter().map(|block| areas.take(block.area)).collect()
    }
}
