//! Groups of options that several verbs share.

mod about;
mod audit;
pub(super) mod input;
pub(super) mod number;
mod page;
mod report_format;
mod run;
mod similarity;
mod size;
mod space;
mod within;

pub(crate) use about::AboutArgs;
pub(crate) use audit::AuditArgs;
pub(crate) use input::{FieldArgs, InputArgs};
pub(crate) use page::PageArgs;
pub(crate) use report_format::ReportFormat;
pub(crate) use run::RunArgs;
pub use run::default_threads;
#[cfg(feature = "audit")]
pub(in crate::args) use similarity::{FoldArg, stop_words};
pub(crate) use similarity::{SimilarityArgs, SizeArg};
pub use size::memory_size;
pub(crate) use space::SpaceArgs;
pub use space::default_memory;
pub(crate) use within::WithinArgs;
