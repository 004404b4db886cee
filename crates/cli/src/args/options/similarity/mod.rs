//! Which documents are similar: the options that make a plan, and the tables that it needs.

mod arguments;
mod effect;
mod plan;
mod tables;
mod values;

pub(crate) use arguments::SimilarityArgs;
pub(crate) use plan::banding_from;
#[cfg(feature = "audit")]
pub(in crate::args) use tables::stop_words;
pub(crate) use values::SizeArg;
pub(in crate::args) use values::{FoldArg, TokensArg};
