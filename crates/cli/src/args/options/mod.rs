//! Groups of options that several verbs share.

mod about;
mod audit;
mod frequent;
pub(super) mod input;
mod new_index;
pub(super) mod number;
mod page;
mod report_format;
mod run;
mod similarity;
mod space;
mod tokens;
mod within;

pub(crate) use about::AboutArgs;
pub(crate) use audit::AuditArgs;
pub(crate) use frequent::FrequentArgs;
pub(crate) use input::{FieldArgs, InputArgs};
pub(crate) use new_index::NewIndexArgs;
pub(crate) use page::PageArgs;
pub(crate) use report_format::ReportFormat;
pub(crate) use run::RunArgs;
#[cfg(feature = "audit")]
pub(in crate::args) use similarity::{FoldArg, stop_words};
pub(crate) use similarity::{SimilarityArgs, SizeArg, banding_from};
pub(crate) use space::SpaceArgs;
pub(crate) use tokens::TokenArgs;
pub(crate) use within::WithinArgs;
