//! From a source of texts to matches, clusters and decisions.
//!
//! The engine runs on all threads, within a memory budget, and goes on after a kill. It reads a corpus up to three times, and never holds
//! it:
//!
//! 1. to sketch every document (`documents::sketching`),
//! 2. for the features of the documents that share a band with another one ([`features`]),
//! 3. for the words that are lost with removed documents (`decisions::uncovered`).
//!
//! Between the scans memory holds about 330 bytes a document, and the features of the documents that are compared.
//!
//! Not for: commands, outputs and messages. Those are in `batch` and `cli`.
#![forbid(unsafe_code)]

pub mod clock;
pub mod clusters;
pub mod decisions;
pub mod documents;
mod error;
pub mod features;
pub mod index;
pub mod progress;
pub mod recall;
pub mod request;
pub mod scan;
pub mod search;
pub mod spans;
pub mod threads;
pub mod work;

pub use error::{Error, ErrorKind};
pub use request::plan_summary::{PlanSummary, SearchSummary};
