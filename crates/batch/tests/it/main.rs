//! Jobs over files and over memory, beside what they mean by definition.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod against;
mod auto;
mod memory;
mod model;
mod only_against;
mod spans;
