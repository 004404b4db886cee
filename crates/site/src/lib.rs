//! A website, crawled and audited for duplicate content.
//!
//! [`crawl()`] visits the pages of a site over the network, and [`Crawled`] reads what it has stored. [`audit`](audit::audit) finds the pages that have
//! the same content, and which of them to keep. It is a pure function of pages and settings. [`view`] makes screens of its result, [`serve`] shows them
//! while a crawl runs, [`report`] writes them to one file, and [`lists`] writes them as tables.
#![forbid(unsafe_code)]

pub mod audit;
mod condition;
mod crawl;
mod crawled;
mod crawled_pages;
mod error;
mod fetch;
mod given;
mod link_ends;
pub mod lists;
mod platform;
mod refusal;
mod render;
pub mod report;
mod robots;
mod scope;
pub mod serve;
mod settings;
mod site_block;
mod sitemap;
mod state;
mod summary;
mod two_sites;
pub mod view;
mod visit;

pub use condition::{BadCondition, Condition};
pub use crawl::{CrawlCounts, CrawlMonitor, CrawlObserver, crawl, forget_crawl};
pub use crawled::{Crawled, UnvisitedUrl};
pub use crawled_pages::CrawledPages;
pub use error::Error;
pub use fetch::{FetchFailure, FetchLimits, USER_AGENT};
pub use given::{read_archives, read_folder};
pub use lookalike_corpus::Interrupt;
pub use refusal::Refusal;
pub use robots::{AGENT, RobotsAnswer, RobotsFile};
pub use scope::{BadPattern, Extent, Patterns, TrapLimits};
pub use settings::CrawlSettings;
pub use site_block::SiteBlock;
pub use sitemap::Sitemap;
pub use summary::Summary;
pub use two_sites::TwoSites;
pub use visit::{PageDeclarations, PageLink, StoredPage, Visit, VisitOutcome};
