//! The thread that follows the changes of clusters.

use super::remembered::Remembered;
use super::{ClusterChange, LoggedChange, RankedDocument, best_of};
use crate::events::{Event, Events};
use lookalike_index::live::Snapshot;
use lookalike_index::{Clusters, Error as IndexError};
use lookalike_seen::{Canonical, Linked, Seen, SeenError, StoredDocument};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Clusters whose canonical documents are remembered: at least half as many, and the last ones that have changed. Those of others are found again
/// when these change, and their expiry is not reported.
///
/// It takes 12 MB and the ids: 80 MB if each of them has the 1,024 bytes that are possible.
const REMEMBERED_CLUSTERS: usize = 1 << 16;

/// The time after which canonical documents that have expired are looked for.
const LOOK_AFTER: Duration = Duration::from_secs(1);

/// Follows the changes of clusters. Returns where they are reported.
pub(crate) fn follow(
    seen: Seen,
    policy: Canonical,
    events: Arc<Events>,
    clock: fn() -> u32,
) -> Sender<LoggedChange> {
    let (sender, receiver) = channel();
    let follower = Follower::new(seen, policy, events, clock, REMEMBERED_CLUSTERS);
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
    /// The second since 1970 until which it has followed.
    now: u32,
    /// The clusters as far as their changes were followed.
    clusters: Clusters,
    remembered: Remembered,
    /// Members of clusters that were removed since the last compaction. The index may be further than that, and does not say what there was.
    removed: HashSet<u64>,
    /// The changes since the last compaction.
    changes: u64,
}

impl Follower {
    /// Remembers the canonical documents of so many clusters, at most.
    fn new(seen: Seen, policy: Canonical, events: Arc<Events>, clock: fn() -> u32, most: usize) -> Self {
        Follower {
            clusters: seen.clusters(),
            seen,
            policy,
            events,
            clock,
            now: clock(),
            remembered: Remembered::new(most),
            removed: HashSet::new(),
            changes: 0,
        }
    }

    fn run(mut self, changes: Receiver<LoggedChange>) {
        loop {
            match changes.recv_timeout(LOOK_AFTER) {
                Ok(LoggedChange { second, change }) => {
                    self.expire_until(second);
                    // It fails if a document of the cluster is unknown, or a file of the index is damaged. Requests that read this file say so.
                    let _ = match change {
                        ClusterChange::Linked(linked) => self.link(&linked),
                        ClusterChange::Removed(number) => self.remove(number),
                    };
                }
                Err(RecvTimeoutError::Timeout) => self.expire_until((self.clock)()),
                Err(RecvTimeoutError::Disconnected) => return,
            }
            // So far it has followed all that it has to tell of documents that expired an hour ago.
            if self.clusters.is_to_compact(self.changes) {
                self.changes = 0;
                let _ = self.compact();
            }
        }
    }

    /// Follows the expiry of documents until this second.
    fn expire_until(&mut self, second: u32) {
        self.now = self.now.max(second);
        while let Some(number) = self.remembered.next_expired(self.now) {
            let _ = self.expire(number);
        }
    }

    /// Makes the clusters compact. It leaves out documents that were removed or dropped.
    fn compact(&mut self) -> Result<(), SeenError> {
        let snapshot = self.seen.snapshot();
        let is_dead = |number| Ok(self.removed.contains(&number) || snapshot.is_dropped(number)?);
        let compacted = self.clusters.compaction().compact(is_dead)?;
        self.clusters.replace(compacted);
        self.removed.clear();
        self.remembered.change_roots(|number| self.clusters.root(number));
        Ok(())
    }

    /// Takes note of the canonical document of a cluster.
    fn remember(&mut self, canonical: RankedDocument) {
        self.remembered.insert(self.clusters.root(canonical.number()), canonical);
    }

    /// Reports the canonical document that follows one that has expired, if there is one.
    fn expire(&mut self, number: u64) -> Result<(), SeenError> {
        let root = self.clusters.root(number);
        // Another one may have taken its place.
        if self.remembered.get(root).is_none_or(|best| best.number() != number) {
            return Ok(());
        }
        let Some(expired) = self.remembered.remove(root) else { return Ok(()) };
        let snapshot = self.seen.snapshot();
        // It was touched, and expires later.
        if let Some(touched) = self.read(&snapshot, number)? {
            self.remember(touched);
        } else if let Some(canonical) = self.best(&snapshot, number)? {
            self.report(&canonical, expired.id);
            self.remember(canonical);
        }
        Ok(())
    }

    /// The document with this number, if it is there after the changes so far.
    ///
    /// It fails if a later change has removed it, and its file of the log was rewritten. Whether it was there is unknown then, so that nothing
    /// is reported of its cluster, and nothing is remembered.
    fn read(&self, snapshot: &Snapshot, number: u64) -> Result<Option<RankedDocument>, SeenError> {
        if self.removed.contains(&number) {
            return Ok(None);
        }
        let document = match snapshot.document(number) {
            // It has expired, and its file of the log was rewritten.
            Err(IndexError::Gone { .. }) if snapshot.is_dropped(number)? => return Ok(None),
            document => document?,
        };
        let has_expired = document.expires().is_some_and(|second| second <= self.now);
        Ok((!has_expired).then(|| RankedDocument::new(self.policy, StoredDocument::of(&document))))
    }

    /// The canonical document of the cluster of `number`, without those that are gone.
    fn best(&self, snapshot: &Snapshot, number: u64) -> Result<Option<RankedDocument>, SeenError> {
        if let Some(known) = self.remembered.get(self.clusters.root(number)) {
            return Ok(Some(known.clone()));
        }
        let members = self.clusters.members(number);
        best_of(self.policy, &members, |number| self.read(snapshot, number))
    }

    fn link(&mut self, Linked { number, to }: &Linked) -> Result<(), SeenError> {
        self.changes += to.len() as u64;
        let snapshot = self.seen.snapshot();
        let before = to.iter().map(|&other| self.best(&snapshot, other)).collect::<Result<Vec<_>, _>>();
        for &other in to {
            // So that no cluster has two.
            self.remembered.remove(self.clusters.root(other));
            self.remembered.remove(self.clusters.root(*number));
            self.clusters.unite(other, *number);
        }
        let mut documents: Vec<RankedDocument> = before?.into_iter().flatten().collect();
        documents.extend(self.read(&snapshot, *number)?);
        documents.sort_by(|a, b| a.rank.compare(b.rank));
        documents.dedup_by_key(|document| document.number());
        let mut documents = documents.into_iter();
        let Some(canonical) = documents.next() else { return Ok(()) };
        // The new document was not canonical before.
        for previous in documents.filter(|previous| previous.number() != *number) {
            self.report(&canonical, previous.id);
        }
        self.remember(canonical);
        Ok(())
    }

    fn remove(&mut self, number: u64) -> Result<(), SeenError> {
        let removed = match self.remembered.remove(self.clusters.root(number)) {
            // Another one is canonical, and stays it.
            Some(canonical) if canonical.number() != number => {
                self.note_removed(number);
                self.remember(canonical);
                return Ok(());
            }
            removed => removed,
        };
        if self.clusters.members(number).len() < 2 {
            return Ok(());
        }
        let snapshot = self.seen.snapshot();
        let removed = removed.map_or_else(|| self.read(&snapshot, number), |removed| Ok(Some(removed)));
        self.note_removed(number);
        let Some(canonical) = self.best(&snapshot, number)? else { return Ok(()) };
        // One that had expired before was not canonical, and neither was a worse one.
        if let Ok(Some(removed)) = removed
            && removed.is_better_than(&canonical)
        {
            self.report(&canonical, removed.id);
        }
        self.remember(canonical);
        Ok(())
    }

    fn note_removed(&mut self, number: u64) {
        self.removed.insert(number);
        self.changes += 1;
    }

    fn report(&self, canonical: &RankedDocument, previous: String) {
        self.events.push(Event::Canonical { id: canonical.id.clone(), previous });
    }
}

#[cfg(test)]
mod tests;
