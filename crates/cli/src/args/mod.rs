//! The command line, as it is typed. Its doc comments are the help.
//!
//! [`verbs`] has the arguments of each verb, and [`options`] the groups that they share. [`job`] makes the job of a run from them.

mod command;
mod index_plan;
mod job;
mod options;
mod usage;
mod verbs;

pub(crate) use command::{Arguments, Command};
pub(crate) use index_plan::check_beside;
#[cfg(feature = "audit")]
pub(crate) use index_plan::fixed_tokens;
pub(crate) use job::{job, job_beside};
pub(crate) use options::{NewIndexArgs, ReportFormat, RunArgs, SimilarityArgs};
pub(crate) use usage::Usage;
#[cfg(not(feature = "audit"))]
pub(crate) use verbs::AUDIT_REMEDY;
#[cfg(not(feature = "stream"))]
pub(crate) use verbs::STREAM_REMEDY;
#[cfg(feature = "audit")]
pub(crate) use verbs::SiteAuditArgs;
#[cfg(feature = "stream")]
pub(crate) use verbs::StreamArgs;
pub(crate) use verbs::{
    AddArgs, AddedArgs, BoundaryArg, ClusterArg, CompareArgs, ComparisonFormat, CopyArgs, DedupArgs,
    EvalArgs, FrequenciesArgs, IndexCommand, InfoArgs, KeptOccurrenceArg, PairsArgs, ResketchArgs, ServeArgs,
    SimilarArgs, SketchArgs, SpansArgs, TuneArgs,
};
