//! The thread that follows the changes of clusters.

use super::Canonical;
use crate::events::{Event, Events};
use lookalike_engine::seen::{Linked, Member, Seen, SeenError};
use lookalike_index::Clusters;
use lookalike_index::live::Snapshot;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Clusters whose canonical documents are remembered: 20 MB. Those of others are found again when these change, and their expiry is not reported.
const REMEMBERED_CLUSTERS: usize = 1 << 16;

/// The time after which canonical documents that have expired are looked for.
const LOOK_AFTER: Duration = Duration::from_secs(1);

/// A change of clusters.
#[derive(Debug)]
pub(crate) enum Change {
    Linked(Linked),
    Removed(u64),
}

/// Follows the changes of clusters. Returns where they are reported.
pub(crate) fn follow(
    seen: Seen,
    policy: Canonical,
    events: Arc<Events>,
    clock: fn() -> u32,
) -> Sender<Change> {
    let (sender, receiver) = channel();
    let follower = Follower {
        clusters: seen.clusters(),
        seen,
        policy,
        events,
        clock,
        best: HashMap::new(),
        expiring: BinaryHeap::new(),
        removed: Vec::new(),
        removed_before: 0,
        changes: 0,
    };
    // Without the thread there are no events about canonical documents, and all else works.
    let _ =
        thread::Builder::new().name("lookalike canonicals".to_owned()).spawn(move || follower.run(receiver));
    sender
}

struct Follower {
    seen: Seen,
    policy: Canonical,
    events: Arc<Events>,
    /// Gives the second since 1970.
    clock: fn() -> u32,
    /// The clusters as far as their changes were followed.
    clusters: Clusters,
    /// The canonical documents of clusters that have changed, by the roots of these.
    best: HashMap<u64, Member>,
    /// The second at which canonical documents expire, and a document of each cluster.
    expiring: BinaryHeap<Reverse<(u32, u64)>>,
    /// Members of clusters that were removed, in the order of the reports.
    removed: Vec<u64>,
    /// The number of those that were reported before the last compaction.
    removed_before: usize,
    /// The changes since the last compaction.
    changes: u64,
}

impl Follower {
    fn run(mut self, changes: Receiver<Change>) {
        loop {
            // It fails if a file of the index is damaged. Requests that read this file say so.
            let _ = match changes.recv_timeout(LOOK_AFTER) {
                Ok(Change::Linked(linked)) => self.link(&linked),
                Ok(Change::Removed(number)) => self.remove(number),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            while let Some(&Reverse((second, number))) = self.expiring.peek()
                && second <= (self.clock)()
            {
                self.expiring.pop();
                let _ = self.expire(number);
            }
            // So far it has followed all that it has to tell of documents that expired an hour ago.
            if self.clusters.is_to_compact(self.changes) {
                self.changes = 0;
                let _ = self.compact();
            }
        }
    }

    /// Makes the clusters compact. It leaves out documents that were dropped, and those whose removal was reported before the last compaction:
    /// reports of other threads that come late may still name newer ones.
    fn compact(&mut self) -> Result<(), SeenError> {
        let mut removed = self.removed[..self.removed_before].to_vec();
        removed.sort_unstable();
        let snapshot = self.seen.snapshot();
        let is_dead = |number| Ok(removed.binary_search(&number).is_ok() || snapshot.is_dropped(number)?);
        let compacted = self.clusters.compaction().compact(is_dead)?;
        self.clusters.replace(compacted);
        self.removed.drain(..self.removed_before);
        self.removed_before = self.removed.len();
        let best = std::mem::take(&mut self.best).into_values();
        self.best = best.map(|best| (self.clusters.root(best.number), best)).collect();
        Ok(())
    }

    /// Takes note of the canonical document of a cluster.
    fn remember(&mut self, canonical: Member) {
        if self.best.len() >= REMEMBERED_CLUSTERS || self.expiring.len() >= REMEMBERED_CLUSTERS {
            self.best.clear();
            self.expiring.clear();
        }
        self.expiring.extend(canonical.expires.map(|second| Reverse((second, canonical.number))));
        self.best.insert(self.clusters.root(canonical.number), canonical);
    }

    /// Reports the canonical document that follows one that has expired, if there is one.
    fn expire(&mut self, number: u64) -> Result<(), SeenError> {
        let root = self.clusters.root(number);
        // Another one may have taken its place.
        let Some(expired) = self.best.get(&root).filter(|best| best.number == number).cloned() else {
            return Ok(());
        };
        let snapshot = self.seen.snapshot();
        match self.best(&snapshot, number)? {
            // It was touched, and expires later.
            Some(canonical) if canonical.number == number => self.remember(canonical),
            Some(canonical) => {
                self.report(&canonical, expired.id);
                self.remember(canonical);
            }
            None => _ = self.best.remove(&root),
        }
        Ok(())
    }

    /// The canonical document of the cluster of `number`, without those that are gone.
    fn best(&self, snapshot: &Snapshot, number: u64) -> Result<Option<Member>, SeenError> {
        let known = self.best.get(&self.clusters.root(number));
        if let Some(known) = known
            && let Some(member) = self.seen.member(snapshot, known.number, (self.clock)())?
        {
            return Ok(Some(member));
        }
        let mut best: Option<Member> = None;
        for number in self.clusters.members(number) {
            if let Some(member) = self.seen.member(snapshot, number, (self.clock)())?
                && best.as_ref().is_none_or(|best| self.policy.compare(&member, best).is_lt())
            {
                best = Some(member);
            }
        }
        Ok(best)
    }

    fn link(&mut self, Linked { number, to }: &Linked) -> Result<(), SeenError> {
        self.changes += to.len() as u64;
        let snapshot = self.seen.snapshot();
        for &other in to {
            let both = [self.best(&snapshot, other)?, self.best(&snapshot, *number)?];
            // So that no cluster has two.
            for number in [other, *number] {
                self.best.remove(&self.clusters.root(number));
            }
            self.clusters.unite(other, *number);
            let mut both: Vec<Member> = both.into_iter().flatten().collect();
            both.sort_by(|a, b| self.policy.compare(a, b));
            both.dedup_by_key(|member| member.number);
            let mut both = both.into_iter();
            let Some(canonical) = both.next() else { continue };
            // The new document was not canonical before.
            if let Some(previous) = both.next().filter(|previous| previous.number != *number) {
                self.report(&canonical, previous.id);
            }
            self.remember(canonical);
        }
        Ok(())
    }

    fn remove(&mut self, number: u64) -> Result<(), SeenError> {
        let root = self.clusters.root(number);
        let members = self.clusters.members(number);
        if members.len() < 2 {
            return Ok(());
        }
        self.removed.push(number);
        self.changes += 1;
        if self.best.get(&root).is_some_and(|best| best.number != number) {
            return Ok(());
        }
        let snapshot = self.seen.snapshot();
        let removed = match self.best.remove(&root) {
            Some(best) => best,
            None => Member::of(&snapshot.document(number)?),
        };
        if let Some(canonical) = self.best(&snapshot, number)? {
            if self.policy.compare(&removed, &canonical).is_lt() {
                self.report(&canonical, removed.id);
            }
            self.remember(canonical);
        }
        Ok(())
    }

    fn report(&self, canonical: &Member, previous: String) {
        self.events.push(Event::Canonical { id: canonical.id.clone(), previous });
    }
}
