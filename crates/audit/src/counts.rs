//! The words of a page: duplicate, common and unique.

use super::BlockRole;
use super::read::SiteText;
use std::iter::Sum;
use std::ops::{Add, Range};

/// The words of a page or a site. Each is duplicate, common or unique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordCounts {
    /// All words.
    pub all: u64,
    /// Words in scored text, in a passage of five words or more that the scored text of another page has too.
    pub duplicate: u64,
    /// Words in template blocks.
    pub common: u64,
}

impl WordCounts {
    /// The words that are neither duplicate nor common.
    pub fn unique(&self) -> u64 {
        self.all - self.duplicate - self.common
    }

    /// The share of duplicate words, from 0 to 1.
    pub fn duplicate_share(&self) -> f64 {
        self.share(self.duplicate)
    }

    /// The share of common words, from 0 to 1.
    pub fn common_share(&self) -> f64 {
        self.share(self.common)
    }

    /// The share of unique words, from 0 to 1.
    pub fn unique_share(&self) -> f64 {
        self.share(self.unique())
    }

    fn share(&self, words: u64) -> f64 {
        if self.all == 0 { 0.0 } else { words as f64 / self.all as f64 }
    }
}

impl Add for WordCounts {
    type Output = WordCounts;

    fn add(self, other: WordCounts) -> WordCounts {
        WordCounts {
            all: self.all + other.all,
            duplicate: self.duplicate + other.duplicate,
            common: self.common + other.common,
        }
    }
}

impl Sum for WordCounts {
    fn sum<I: Iterator<Item = WordCounts>>(counts: I) -> WordCounts {
        counts.fold(WordCounts::default(), Add::add)
    }
}

/// Counts the words of a page. `is_compared` says which roles are in its scored text, whose words in `duplicate` are on
/// other pages too.
pub(super) fn count(
    site: &SiteText,
    page: u32,
    roles: &[BlockRole],
    is_compared: impl Fn(BlockRole) -> bool,
    duplicate: &[Range<u32>],
) -> WordCounts {
    let mut counts = WordCounts::default();
    let (mut place, mut ranges) = (0, duplicate.iter().peekable());
    for (block, &role) in site.page(page).iter().zip(roles) {
        let words = site.words(block.block).len() as u32;
        counts.all += u64::from(words);
        if role != BlockRole::Scored {
            counts.common += u64::from(words);
        }
        if !is_compared(role) {
            continue;
        }
        let block = place..place + words;
        place = block.end;
        while let Some(range) = ranges.peek() {
            if role == BlockRole::Scored {
                let words = range.end.min(block.end).saturating_sub(range.start.max(block.start));
                counts.duplicate += u64::from(words);
            }
            if range.end > block.end {
                break;
            }
            ranges.next();
        }
    }
    counts
}
