//! All pages as lists of blocks, and all blocks as lists of words.

use crate::{Area, AuditError, BlockId, PageSource, SiteBlock};
use lookalike::hash::HashedMap;
use lookalike::{Executor, Plan, Sketcher};
use std::io;

/// The words of all pages.
#[derive(Debug, Default)]
pub(crate) struct SiteText {
    /// The hash of each word.
    vocabulary: Vec<u64>,
    /// The id of each block, and the end of its words. Block 0 has no words.
    blocks: Vec<(BlockId, usize)>,
    words: Vec<u32>,
    /// The blocks of each page, in the order of the audit.
    pages: Vec<Box<[PageBlock]>>,
}

/// A block of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageBlock {
    /// The number of its text.
    pub(crate) block: u32,
    /// The area of the page that it stands in.
    pub(crate) area: Area,
    /// Whether it is part of the main content.
    pub(crate) is_main: bool,
}

/// The token hashes of a page, block after block, each with its area and whether it is main content.
type PageTokens = Vec<(Area, bool, Vec<u64>)>;

/// Pages of a part of a wave. A wave has four parts for each thread, and is in memory as a whole.
const PART: usize = 16;

impl SiteText {
    /// Reads the pages of `source` in the order of `order`, which lists their numbers.
    pub(crate) fn read<E: Executor, S: PageSource + ?Sized>(
        source: &S,
        order: &[u32],
        plan: &Plan,
        executor: &E,
    ) -> Result<Self, AuditError<E::Stopped>> {
        let mut text = SiteText { blocks: vec![(BlockId::of(&[]), 0)], ..SiteText::default() };
        let mut interner = Interner::default();
        for wave in order.chunks(PART * 4 * executor.width().max(1)) {
            executor.check().map_err(AuditError::Stopped)?;
            let parts = executor.map(wave.len().div_ceil(PART), |part| {
                let mut sketcher = Sketcher::new(plan);
                let pages = wave.chunks(PART).nth(part).unwrap_or_default().iter();
                pages.map(|&page| (page, page_tokens(source, page, &mut sketcher))).collect::<Vec<_>>()
            });
            for (page, tokens) in parts.into_iter().flatten() {
                let tokens = tokens.map_err(|error| AuditError::Unread {
                    url: source.facts(page as usize).url.clone(),
                    error,
                })?;
                text.push(&tokens, &mut interner);
            }
        }
        Ok(text)
    }

    fn push(&mut self, page: &PageTokens, interner: &mut Interner) {
        let blocks = page.iter().map(|(area, is_main, tokens)| PageBlock {
            block: self.block(tokens, interner),
            area: *area,
            is_main: *is_main,
        });
        let blocks = blocks.collect();
        self.pages.push(blocks);
    }

    /// The number of the block with these tokens.
    fn block(&mut self, tokens: &[u64], interner: &mut Interner) -> u32 {
        if tokens.is_empty() {
            return 0;
        }
        let id = BlockId::of(tokens);
        if let Some(&block) = interner.blocks.get(&id.0) {
            return block;
        }
        for &token in tokens {
            let next = self.vocabulary.len() as u32;
            let word = *interner.words.entry(token).or_insert(next);
            if word == next {
                self.vocabulary.push(token);
            }
            self.words.push(word);
        }
        let block = self.blocks.len() as u32;
        self.blocks.push((id, self.words.len()));
        interner.blocks.insert(id.0, block);
        block
    }

    /// The number of pages.
    pub(crate) fn pages(&self) -> usize {
        self.pages.len()
    }

    /// The blocks of a page.
    pub(crate) fn page(&self, page: u32) -> &[PageBlock] {
        &self.pages[page as usize]
    }

    /// The number of different words.
    pub(crate) fn vocabulary(&self) -> usize {
        self.vocabulary.len()
    }

    /// The number of different blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The id of a block.
    pub(crate) fn id(&self, block: u32) -> BlockId {
        self.blocks[block as usize].0
    }

    /// The words of a block.
    pub(crate) fn words(&self, block: u32) -> &[u32] {
        let block = block as usize;
        let start = block.checked_sub(1).map_or(0, |before| self.blocks[before].1);
        &self.words[start..self.blocks[block].1]
    }

    /// The hash of a word.
    pub(crate) fn hash(&self, word: u32) -> u64 {
        self.vocabulary[word as usize]
    }
}

/// The numbers of words and blocks by their hashes.
#[derive(Debug, Default)]
struct Interner {
    words: HashedMap<u32>,
    blocks: HashedMap<u32>,
}

fn page_tokens<S: PageSource + ?Sized>(
    source: &S,
    page: u32,
    sketcher: &mut Sketcher,
) -> io::Result<PageTokens> {
    let blocks = source.blocks(page as usize)?;
    let tokens =
        |block: &SiteBlock| (block.area, block.is_main, block_tokens(&block.text, sketcher).to_vec());
    Ok(blocks.iter().map(tokens).collect())
}

/// The token hashes of a block. A block without letters and digits has none: an arrow or a bullet is no content.
pub(crate) fn block_tokens<'s>(text: &str, sketcher: &'s mut Sketcher) -> &'s [u64] {
    if text.chars().any(char::is_alphanumeric) { sketcher.token_hashes(text) } else { &[] }
}
