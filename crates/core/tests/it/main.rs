//! The library beside the reference, brute force, golden values and other libraries, and its examples as run.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod agreement;
mod codes;
mod corpus;
mod exact;
mod examples;
mod executor;
mod explained;
mod families;
mod feature_hashes;
mod fixed;
mod golden;
mod hamming_index;
mod hamming_join;
mod minhash_index;
mod oracle;
mod peers;
mod properties;
mod recall;
mod send_sync;
mod simhash;
mod stopped;
