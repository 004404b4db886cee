//! What is known of a block by its text, its area and its kind.

use super::{
    super::super::{Area, Block, BlockKind},
    numbers::{flag, log, share},
};

/// A block is text if it has so many words, and less than a third of them in links.
const TEXT_WORDS: u32 = 10;

/// The words of a block that is text, or 0.
pub(super) fn text_words(block: &Block) -> u64 {
    let is_text = block.words >= TEXT_WORDS && u64::from(block.linked) * 3 < u64::from(block.words);
    if is_text { u64::from(block.words) } else { 0 }
}

pub(super) fn link_share(block: &Block) -> f32 {
    share(u64::from(block.linked), u64::from(block.words))
}

pub(super) fn of_text(text: &str, block: &Block) -> [f32; 11] {
    let mut capitals = 0;
    let (mut characters, mut ends, mut commas, mut digits, mut separators) = (0, 0, 0, 0, 0);
    for character in text.chars() {
        characters += 1;
        match character {
            '.' | '!' | '?' | '。' | '！' | '？' => ends += 1,
            ',' | ';' | '，' => commas += 1,
            '|' | '•' | '·' | '©' | '»' => separators += 1,
            digit if digit.is_ascii_digit() => digits += 1,
            capital if capital.is_uppercase() => capitals += 1,
            _ => {}
        }
    }
    let words = u64::from(block.words);
    let ends_sentence = text.ends_with(['.', '!', '?', ':', '。', '"', '”', ')']);
    let starts_upper = text.starts_with(char::is_uppercase);
    [
        log(words),
        link_share(block),
        share(characters, words).min(60.0),
        share(ends, words).min(3.0),
        share(commas, words).min(3.0),
        flag(ends_sentence),
        flag(starts_upper),
        share(digits, characters),
        (separators as f32).min(9.0),
        share(capitals, characters),
        flag(block.words >= 4 && block.linked * 10 >= block.words * 9),
    ]
}

pub(super) fn of_area(block: &Block) -> [f32; 11] {
    use BlockKind::*;
    let area = |area| flag(block.area == area);
    let kind = |is_kind| flag(is_kind);
    [
        area(Area::Main),
        area(Area::Navigation),
        area(Area::Header),
        area(Area::Footer),
        area(Area::Aside),
        area(Area::Form),
        kind(matches!(block.kind, Heading(_))),
        kind(block.kind == Paragraph),
        kind(block.kind == ListItem),
        kind(block.kind == Cell),
        kind(block.kind == Code),
    ]
}
