//! The audit of a site: which pages have the same content, what of it is template, and which page to keep.
//!
//! [`audit`] is a pure function of pages and settings. Its result does not depend on the order of the pages, on threads
//! or on earlier runs. All figures are counted, and no pair is missed. It fetches nothing and shows nothing: that is for
//! `crawl`.
//!
//! 1. Pages are sorted by URL, and their blocks become words (`read`).
//! 2. Near-duplicate pages form clusters, whose votes find template blocks (`template`).
//! 3. The other blocks of a page are its *scored text*. Shingles that scored texts share are found (`shingles`).
//! 4. All pairs of texts that share enough are found and scored (`pairs`).
//! 5. Pages that can stand for each other form clusters with a primary page (`clusters`).
//!
//! Blocks at the edges of pages are templates if most clusters of near-duplicate pages in a folder have them, and they
//! are content almost nowhere else. The shingles of all other blocks that pages share are found in one index, and all
//! pairs that share enough are counted from it, so that none is missed. Clusters are stars around the page that a site
//! would keep.
//!
//! ```
//! use lookalike::Sequential;
//! use lookalike_audit::{AuditSettings, PairClass, PageFacts, SiteBlock, SitePage, audit};
//!
//! let text = (0..60).map(|word| format!("word{word} ")).collect::<String>();
//! let page = |url: &str, text: &str| SitePage {
//!     facts: PageFacts { url: url.into(), ..PageFacts::default() },
//!     blocks: vec![SiteBlock { text: text.into(), ..SiteBlock::default() }],
//! };
//! let pages = [page("https://a.b/2", &text), page("https://a.b/1", &text), page("https://a.b/3", "else")];
//! let audit = audit(&pages[..], &AuditSettings::default(), &Sequential)?;
//! let pair = audit.pairs().next().unwrap();
//! assert_eq!((pair.a, pair.b, pair.class), (0, 1, PairClass::Exact));
//! assert_eq!(audit.pages()[0].url, "https://a.b/1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod block_id;
mod changes;
mod clusters;
mod counts;
mod error;
mod fill;
mod handled;
mod page;
mod pair_groups;
mod pairs;
mod power;
mod provisional;
mod read;
mod result;
mod role;
mod run;
mod settings;
mod shingles;
mod site_block;
mod template;
mod why;

pub use block_id::BlockId;
pub use changes::{AuditChanges, ChangeKind, ChangedPair};
pub use clusters::{PageCluster, PrimaryReason};
pub use counts::WordCounts;
pub use error::AuditError;
pub use handled::Handled;
pub use lookalike_html::Area;
pub use page::{PageFacts, PageSource, SitePage};
pub use pair_groups::{PageGroups, PairGroup};
pub use pairs::{Band, PagePair, PairClass, SequenceRatio};
pub use provisional::{Provisional, ProvisionalPair, Retraction};
pub use result::{Audit, AuditedPage};
pub use role::BlockRole;
pub use run::audit;
pub use settings::{
    AuditSettings, PairScope, ProvisionalBands, ScoreWeights, TemplatePlace, TemplateSettings, Voters,
};
pub use site_block::SiteBlock;
pub use template::{BlockDecision, BlockReport};
pub use why::{PageComparison, PairVerdict, ScoredPageText};

#[cfg(test)]
mod oracle_tests;
#[cfg(test)]
mod tests;
