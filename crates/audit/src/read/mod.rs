//! The words of all pages, as numbers. Blocks that many pages have are stored once.
//!
//! A word takes four bytes, and a block of a page eight. Texts are read in waves, so only those of one wave are in
//! memory.

mod site_text;
mod texts;

pub(super) use site_text::{SiteText, block_tokens};
pub(super) use texts::{DistinctTexts, content_hash, range};
