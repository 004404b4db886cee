//! Pages in a real browser. Without Chromium, each test prints a line and passes.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

#[cfg(unix)]
mod chromium;
mod installed;
mod reports;
#[cfg(unix)]
mod service;
