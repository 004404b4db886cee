//! Which document of a cluster stands for it.
//!
//! The canonical document of a cluster is the best of its members by a policy. A thread follows the changes of clusters, and reports each
//! that gets another canonical document, also because the one before has expired.

mod follower;
mod remembered;

pub(crate) use follower::follow;

use lookalike_seen::{Canonical, Linked, StoredDocument};
use std::cmp::Ordering;

/// A change of clusters. They come in the order of the log.
#[derive(Debug)]
pub(crate) struct LoggedChange {
    /// The second since 1970 at which it was reported.
    pub(crate) second: u32,
    pub(crate) change: ClusterChange,
}

#[derive(Debug)]
pub(crate) enum ClusterChange {
    Linked(Linked),
    Removed(u64),
}

/// The best of `members` by a policy.
pub(crate) fn best(policy: Canonical, members: &[StoredDocument]) -> Option<&StoredDocument> {
    members.iter().min_by(|a, b| CanonicalRank::new(policy, a).compare(CanonicalRank::new(policy, b)))
}

/// The best of the documents with these numbers, which ascend. `read` gives each that is there.
fn best_of<E>(
    policy: Canonical,
    numbers: &[u64],
    read: impl Fn(u64) -> Result<Option<RankedDocument>, E>,
) -> Result<Option<RankedDocument>, E> {
    let mut best: Option<RankedDocument> = None;
    for &number in numbers {
        let Some(document) = read(number)? else { continue };
        if best.as_ref().is_none_or(|best| document.is_better_than(best)) {
            best = Some(document);
        }
        // No other is better. A large cluster has many, and each is read from the disk.
        if policy == Canonical::First {
            break;
        }
    }
    Ok(best)
}

/// How good a document is as the canonical one of its cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CanonicalRank {
    /// What the policy compares. Less is better.
    cost: f64,
    /// The number of the document. Of equal ones the first is better.
    number: u64,
}

impl CanonicalRank {
    fn new(policy: Canonical, StoredDocument { number, shingles, about, .. }: &StoredDocument) -> Self {
        CanonicalRank { cost: policy.cost(about, *shingles), number: *number }
    }

    /// Compares two documents: the better one is less.
    fn compare(self, other: Self) -> Ordering {
        self.cost.total_cmp(&other.cost).then(self.number.cmp(&other.number))
    }
}

/// What is kept of a document, which may have much metadata: what its rank is, and what an event says.
#[derive(Clone, Debug, PartialEq)]
struct RankedDocument {
    id: String,
    /// The second since 1970 from which on it is not found any more.
    expires: Option<u32>,
    rank: CanonicalRank,
}

impl RankedDocument {
    fn new(policy: Canonical, member: StoredDocument) -> Self {
        RankedDocument { rank: CanonicalRank::new(policy, &member), id: member.id, expires: member.expires }
    }

    fn number(&self) -> u64 {
        self.rank.number
    }

    fn is_better_than(&self, other: &Self) -> bool {
        self.rank.compare(other.rank).is_lt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::convert::Infallible;

    #[test]
    fn the_first_document_is_found_without_reading_those_behind_it() {
        let reads = Cell::new(0);
        let read = |number| {
            reads.set(reads.get() + 1);
            let rank = CanonicalRank { cost: -(number as f64), number };
            Ok::<_, Infallible>((number >= 3).then(|| RankedDocument {
                id: number.to_string(),
                expires: None,
                rank,
            }))
        };
        let numbers: Vec<u64> = (0..1000).collect();
        let Ok(first) = best_of(Canonical::First, &numbers, read);
        assert_eq!((first.unwrap().number(), reads.take()), (3, 4));
        let Ok(longest) = best_of(Canonical::LongestText, &numbers, read);
        assert_eq!((longest.unwrap().number(), reads.take()), (999, 1000));
    }
}
