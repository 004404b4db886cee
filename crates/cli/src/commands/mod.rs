//! The commands, one module each.

#[cfg(feature = "audit")]
pub(crate) mod audit;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod dedup;
pub(crate) mod eval;
pub(crate) mod frequencies;
pub(crate) mod index;
pub(crate) mod pairs;
mod redis;
pub(crate) mod serve;
pub(crate) mod similar;
pub(crate) mod sketch;
pub(crate) mod spans;
#[cfg(feature = "stream")]
pub(crate) mod stream;
pub(crate) mod tune;
