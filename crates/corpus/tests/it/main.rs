//! Files of every format, read and written: what they hold, damaged ones, and how long they take.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod archives;
#[cfg(feature = "parquet")]
mod arrow;
mod conformance;
mod corpus;
mod damaged;
mod html;
#[cfg(feature = "parquet")]
mod joined;
mod linear;
#[cfg(feature = "parquet")]
mod memory;
#[cfg(feature = "parquet")]
mod parquet_types;
mod reading;
mod tar;
mod tar_written;
mod writing;
mod zip;
