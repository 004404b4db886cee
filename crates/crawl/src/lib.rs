//! A website, crawled for an audit.
//!
//! [`crawl()`] visits the pages of a site over the network, and [`Crawled`] reads what it has stored. [`lookalike_audit`]
//! finds the pages that have the same content, and which of them to keep. [`lookalike_report::audit`] makes screens, lists
//! and a file of its result. [`serve`] shows the screens while a crawl runs.
//!
//! # How a site is audited
//!
//! ```text
//! site, folder, WARC ──→ visits ──→ state folder ──→ audit ──→ lists, summary, report
//!                                        │             ↑
//!                                        └──→ page ──→ settings
//! ```
//!
//! **Visits have numbers** as if one URL were fetched at a time. Answers come in any order, and links are looked at in
//! the order of the numbers (`frontier`). So the pages of a crawl, also of one with a limit, depend on the site and the
//! settings only. The journal has visits; what was found and skipped is found again from them.
//!
//! **Crawled text is hostile.** It reaches a page as the text of an element, and never as markup. The server of the
//! page needs a token, and a host that is this machine (`guard`). A crawl connects to private addresses only if the
//! user has named that host, and checks the address that it connects to (`resolver`).
#![forbid(unsafe_code)]

mod crawl;
mod crawled;
mod crawled_pages;
mod error;
mod fetch;
mod given;
mod link_ends;
mod lists;
mod platform;
mod refusal;
mod render;
mod robots;
mod scope;
pub mod serve;
mod settings;
mod sitemap;
mod state;
mod two_sites;
mod visit;

pub use crawl::{CrawlCounts, CrawlMonitor, CrawlObserver, crawl, forget_crawl};
pub use crawled::{Crawled, UnvisitedUrl};
pub use crawled_pages::CrawledPages;
pub use error::Error;
pub use fetch::{FetchFailure, FetchLimits};
pub use given::{read_archives, read_folder};
pub use lists::{write_links, write_skipped};
pub use lookalike_corpus::Interrupt;
pub use refusal::Refusal;
pub use robots::{RobotsAnswer, RobotsFile};
pub use scope::{BadPattern, Extent, Patterns, TrapLimits};
pub use settings::CrawlSettings;
pub use sitemap::Sitemap;
pub use two_sites::TwoSites;
pub use visit::{PageDeclarations, PageLink, StoredPage, Visit, VisitOutcome};
