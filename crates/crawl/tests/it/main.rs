//! Whole sites: crawls on loopback, and the pages of an audit.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod crawl;
mod pages;
