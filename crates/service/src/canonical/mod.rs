//! Which document of a cluster stands for it.
//!
//! The canonical document of a cluster is the best of its members by a policy. A thread follows the changes of clusters, and reports each
//! that gets another canonical document, also because the one before has expired.

mod follower;

pub(crate) use follower::follow;

use lookalike_engine::seen::{Linked, Member};
use std::cmp::Ordering;

/// A change of clusters. They come in the order of the log.
#[derive(Debug)]
pub(crate) struct Change {
    /// The second since 1970 at which it was reported.
    pub(crate) second: u32,
    pub(crate) change: ClusterChange,
}

#[derive(Debug)]
pub(crate) enum ClusterChange {
    Linked(Linked),
    Removed(u64),
}

/// Which document of a cluster stands for it. Of equal ones it is the one that was added first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Canonical {
    /// The one that was added first.
    #[default]
    First,
    /// The one with the shortest URL.
    ShortestUrl,
    /// The one with the longest text.
    LongestText,
    /// The one with the highest priority.
    Priority,
}

impl Canonical {
    /// The name of the policy.
    pub fn name(self) -> &'static str {
        match self {
            Canonical::First => "first",
            Canonical::ShortestUrl => "shortest-url",
            Canonical::LongestText => "longest-text",
            Canonical::Priority => "priority",
        }
    }

    /// Compares two documents: the better one is less.
    fn compare(self, a: &Member, b: &Member) -> Ordering {
        let url = |member: &Member| member.about.url.as_ref().map_or(usize::MAX, String::len);
        let priority = |member: &Member| member.about.priority.unwrap_or(f64::NEG_INFINITY);
        let by_policy = match self {
            Canonical::First => Ordering::Equal,
            Canonical::ShortestUrl => url(a).cmp(&url(b)),
            Canonical::LongestText => b.shingles.cmp(&a.shingles),
            Canonical::Priority => priority(b).total_cmp(&priority(a)),
        };
        by_policy.then(a.number.cmp(&b.number))
    }

    /// The best of `members`.
    pub(crate) fn best(self, members: &[Member]) -> Option<&Member> {
        members.iter().min_by(|a, b| self.compare(a, b))
    }
}
