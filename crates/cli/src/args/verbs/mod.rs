//! The arguments of each verb.

#[cfg(feature = "audit")]
pub(super) mod audit;
pub(super) mod compare;
pub(super) mod dedup;
pub(super) mod eval;
pub(super) mod frequencies;
pub(super) mod index;
#[cfg(not(all(feature = "audit", feature = "stream")))]
mod left_out;
pub(super) mod pairs;
pub(super) mod serve;
pub(super) mod similar;
pub(super) mod sketch;
pub(super) mod spans;
#[cfg(feature = "stream")]
pub(super) mod stream;
pub(super) mod tune;

#[cfg(feature = "audit")]
pub(crate) use audit::SiteAuditArgs;
pub(crate) use compare::{CompareArgs, ComparisonFormat};
pub(crate) use dedup::{ClusterArg, DedupArgs};
pub(crate) use eval::EvalArgs;
pub(crate) use frequencies::FrequenciesArgs;
pub(crate) use index::{AddArgs, AddedArgs, CopyArgs, IndexCommand, InfoArgs, ResketchArgs};
#[cfg(not(feature = "audit"))]
pub(crate) use left_out::AUDIT_REMEDY;
#[cfg(not(all(feature = "audit", feature = "stream")))]
pub(crate) use left_out::LeftOutArgs;
#[cfg(not(feature = "stream"))]
pub(crate) use left_out::STREAM_REMEDY;
pub(crate) use pairs::PairsArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use similar::SimilarArgs;
pub(crate) use sketch::SketchArgs;
pub(crate) use spans::{BoundaryArg, KeptOccurrenceArg, SpansArgs};
#[cfg(feature = "stream")]
pub(crate) use stream::StreamArgs;
pub(crate) use tune::TuneArgs;
