//! Searches from a source to clusters: sources in memory and in files, interrupts, and inputs that change.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod changed;
mod interrupted;
mod memory;
