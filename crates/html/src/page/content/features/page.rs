//! What is known of a whole page.

use super::{
    super::super::{Area, HtmlPage, hints::Hint},
    numbers::{log, share},
    text::text_words,
};

pub(super) fn of_page(page: &HtmlPage, words: u64, linked: u64, text: u64) -> [f32; 11] {
    let elements = page.tree.elements();
    let hinted = |hint: Hint| {
        let blocks = page.blocks.iter().zip(&page.elements);
        let hinted = blocks.filter(|(_, element)| elements[**element as usize].hints[hint as usize] > 0);
        hinted.map(|(block, _)| text_words(block)).sum()
    };
    let area = |area| {
        page.blocks.iter().filter(|block| block.area == area).map(|block| u64::from(block.words)).sum::<u64>()
    };
    let (main, texts) = (area(Area::Main), page.blocks.iter().filter(|block| text_words(block) > 0).count());
    let links = page.blocks.iter().filter(|block| block.linked * 2 > block.words).count();
    [
        share(hinted(Hint::Comments), text),
        share(hinted(Hint::Forum), text),
        log(words),
        log(text),
        share(text, words),
        texts.min(200) as f32,
        share(main, main + area(Area::Body)),
        share(linked, words),
        share(links as u64, page.blocks.len() as u64),
        share(area(Area::Navigation), words),
        share(area(Area::Footer), words),
    ]
}
