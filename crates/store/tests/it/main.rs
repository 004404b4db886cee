//! Files on disk: damage, kills and power cuts.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod damage;
mod journal;
