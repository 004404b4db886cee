//! Crawls of sites on loopback.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod hostile;
mod kills;
mod order;
mod polite;
mod rendered;
mod resume;
mod server;
mod shown;
mod small;
mod unwell;
