//! Why a URL was not crawled.

use lookalike_report::audit::view::OTHER_SITE;
use serde::{Deserialize, Serialize};

/// The rule by which a URL was skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Refusal {
    #[error("another host")]
    OtherHost,
    #[error("outside of the folder of the start page")]
    OtherFolder,
    #[error("{scheme}: is not crawled")]
    Scheme { scheme: String },
    #[error("excluded by the pattern {pattern:?}")]
    Excluded { pattern: String },
    #[error("no pattern includes it")]
    NotIncluded,
    #[error("robots.txt, line {line}: {rule}")]
    Robots { line: u32, rule: String },
    #[error("robots.txt cannot be read ({reason}), so nothing of this host is allowed")]
    RobotsUnreachable { reason: String },
    #[error("the link or its page says nofollow")]
    NoFollow,
    #[error("deeper than {limit} links from the start page")]
    Depth { limit: u32 },
    #[error("more than {limit} redirects behind each other")]
    Redirects { limit: u32 },
    #[error("the URL has {bytes} bytes, more than {limit}")]
    LongUrl { bytes: u32, limit: u32 },
    #[error("the path repeats {segment:?} more than {limit} times")]
    RepeatedSegment { segment: String, limit: u32 },
    #[error("{path} has more than {limit} queries")]
    Queries { path: String, limit: u32 },
    #[error("more than {limit} URLs have the form {form}")]
    Numbers { form: String, limit: u32 },
    #[error("more than {limit} hosts of the domain")]
    Hosts { limit: u32 },
    #[error("{limit} URLs were found before, which is enough for the limit of pages")]
    Found { limit: u32 },
    #[error("more than {limit} pages")]
    Pages { limit: u32 },
    #[error("the crawl has ended before this page")]
    NotReached,
}

impl Refusal {
    /// The kind of the rule, for lists.
    pub fn name(&self) -> &'static str {
        match self {
            Refusal::OtherHost | Refusal::OtherFolder | Refusal::Scheme { .. } => OTHER_SITE,
            Refusal::Excluded { .. } | Refusal::NotIncluded => "pattern",
            Refusal::Robots { .. } | Refusal::RobotsUnreachable { .. } => "robots.txt",
            Refusal::NoFollow => "nofollow",
            Refusal::Depth { .. } => "depth",
            Refusal::Redirects { .. } => "redirects",
            Refusal::LongUrl { .. }
            | Refusal::RepeatedSegment { .. }
            | Refusal::Queries { .. }
            | Refusal::Numbers { .. }
            | Refusal::Hosts { .. } => "trap",
            Refusal::Pages { .. } | Refusal::Found { .. } => "pages",
            Refusal::NotReached => "not-reached",
        }
    }
}
