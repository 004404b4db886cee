//! The different texts of pages. Pages with the same words share a text.

use super::SiteText;
use crate::BlockId;
use lookalike::hash::HashedMap;
use std::ops::Range;

/// The different texts of pages, in the order of their first pages. A page without words has no text.
#[derive(Debug)]
pub(crate) struct DistinctTexts {
    /// The text of each page.
    of_page: Vec<Option<u32>>,
    /// The pages of all texts, one text after the other, and where they end.
    pages: Vec<u32>,
    ends: Vec<u32>,
    /// The blocks of each text.
    blocks: Vec<Box<[u32]>>,
    words: Vec<u32>,
}

impl DistinctTexts {
    /// The texts of pages that have the blocks `of_page(page)`.
    pub(crate) fn new(site: &SiteText, of_page: impl Fn(u32) -> Vec<u32>) -> Self {
        let mut numbers: HashedMap<u32> = HashedMap::default();
        let mut texts = DistinctTexts {
            of_page: Vec::with_capacity(site.pages()),
            pages: Vec::new(),
            ends: Vec::new(),
            blocks: Vec::new(),
            words: Vec::new(),
        };
        for page in 0..site.pages() as u32 {
            let mut blocks = of_page(page);
            blocks.retain(|&block| block != 0);
            let words = blocks.iter().map(|&block| site.words(block).len() as u32).sum();
            if words == 0 {
                texts.of_page.push(None);
                continue;
            }
            let hash = content_hash(site, &blocks);
            let next = texts.blocks.len() as u32;
            let text = *numbers.entry(hash).or_insert(next);
            if text == next {
                texts.blocks.push(blocks.into());
                texts.words.push(words);
            }
            texts.of_page.push(Some(text));
        }
        texts.sort_pages();
        texts
    }

    fn sort_pages(&mut self) {
        let mut pages: Vec<(u32, u32)> =
            (0..).zip(&self.of_page).filter_map(|(page, text)| text.map(|text| (text, page))).collect();
        pages.sort_unstable();
        self.ends = pages
            .chunk_by(|a, b| a.0 == b.0)
            .scan(0, |end, same| {
                *end += same.len() as u32;
                Some(*end)
            })
            .collect();
        self.pages = pages.into_iter().map(|(_, page)| page).collect();
    }

    /// The number of texts.
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The text of a page.
    pub(crate) fn of_page(&self, page: u32) -> Option<u32> {
        self.of_page[page as usize]
    }

    /// The pages with a text, ascending.
    pub(crate) fn pages(&self, text: u32) -> &[u32] {
        let range = range(&self.ends, text);
        &self.pages[range.start as usize..range.end as usize]
    }

    /// The number of words of a text.
    pub(crate) fn words(&self, text: u32) -> u32 {
        self.words[text as usize]
    }

    /// The words of a text.
    pub(crate) fn words_of<'s>(&'s self, site: &'s SiteText, text: u32) -> impl Iterator<Item = u32> + 's {
        words_of(site, &self.blocks[text as usize])
    }
}

/// A hash of the words of these blocks, in order. 0 if they have none.
pub(crate) fn content_hash(site: &SiteText, blocks: &[u32]) -> u64 {
    let mut words = words_of(site, blocks).map(|word| site.hash(word)).peekable();
    if words.peek().is_some() { BlockId::of_hashes(words).0 } else { 0 }
}

fn words_of<'s>(site: &'s SiteText, blocks: &'s [u32]) -> impl Iterator<Item = u32> + 's {
    blocks.iter().flat_map(|&block| site.words(block).iter().copied())
}

/// The places of the list `number`, if lists end at `ends`.
pub(crate) fn range(ends: &[u32], number: u32) -> Range<u32> {
    let number = number as usize;
    number.checked_sub(1).map_or(0, |before| ends[before])..ends[number]
}
