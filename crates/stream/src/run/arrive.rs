//! Writes decided batches to the destination, in their order.

use super::StreamShared;
use super::decide::{Decider, PendingBatch};
use super::without_notes;
use crate::backoff::Backoff;
use crate::dead_letters::{DeadLetter, DeadLetters};
use crate::error::Error;
use crate::health::HealthPart;
use crate::metrics::MessageDecision;
use crate::sink::{DecidedBatch, Rejected, Sink};
use crate::verdict::{DecidedItem, MessageVerdict};
use lookalike_index::unix_seconds;
use lookalike_seen::{Added, Answers, MOST_TOGETHER, NewText, Seen, SeenError};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;
use tokio::time::MissedTickBehavior;

/// Batches that are written together, at most.
const GROUP_BATCHES: usize = 8;

/// How often the index gets a note if there is nothing to decide.
const NOTE_EVERY: Duration = Duration::from_millis(200);

/// The pause after which a busy index is asked again.
const BUSY_PAUSE: Duration = Duration::from_millis(2);

/// Writes decided batches.
pub(super) struct Arrivals {
    pub(super) shared: Arc<StreamShared>,
    pub(super) decider: Decider,
    pub(super) sink: Sink,
    pub(super) dead_letters: DeadLetters,
}

impl Arrivals {
    /// Writes batches until there are no more.
    pub(super) async fn run(mut self, mut pending: UnboundedReceiver<PendingBatch>) -> Result<(), Error> {
        let mut notes = tokio::time::interval(NOTE_EVERY);
        notes.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let first = tokio::select! {
                first = pending.recv() => first,
                _ = notes.tick() => {
                    if self.shared.is_to_note() {
                        self.decider.note_arrivals().await;
                    }
                    continue;
                }
            };
            let Some(first) = first else { break };
            let mut group = vec![first];
            while group.len() < GROUP_BATCHES
                && let Ok(next) = pending.try_recv()
            {
                group.push(next);
            }
            let (decided, room) = self.decided(group, &mut pending).await?;
            self.write(&decided).await?;
            drop(room);
        }
        if self.shared.is_to_note() {
            self.decider.note_arrivals().await;
        }
        Ok(())
    }

    /// Waits for the decisions about a group. If the index could not write some of them, all that follow are decided again behind them.
    async fn decided(
        &self,
        mut group: Vec<PendingBatch>,
        pending: &mut UnboundedReceiver<PendingBatch>,
    ) -> Result<(Vec<DecidedBatch>, Vec<impl Sized + use<>>), Error> {
        let (mut decided, mut room, mut failed) = (Vec::new(), Vec::new(), None);
        let mut rest = Vec::new();
        for PendingBatch { batch, answer, room: own_room } in group.drain(..) {
            room.push(own_room);
            let answer = answer.await.unwrap_or(Err(SeenError::Closed));
            match (answer, &failed) {
                (Ok(items), None) => decided.push(DecidedBatch { batch, items }),
                (Err(error), None) => {
                    failed = Some(error);
                    rest.push(batch);
                }
                (answer, Some(_)) => {
                    self.take_back(answer);
                    rest.push(batch);
                }
            }
        }
        if let Some(error) = failed {
            // Nothing else is submitted meanwhile.
            let gate = Arc::clone(&self.decider.gate);
            let _gate = gate.write().await;
            while let Ok(PendingBatch { batch, answer, room: own_room }) = pending.try_recv() {
                self.take_back(answer.await.unwrap_or(Err(SeenError::Closed)));
                room.push(own_room);
                rest.push(batch);
            }
            // What was decided about those behind it counts no more.
            rest.iter().for_each(|batch| self.shared.progress().forget(batch));
            for batch in rest {
                decided.push(self.decider.decide_again(&batch, &error).await?);
            }
        }
        Ok((decided, room))
    }

    /// Takes back what was decided about a batch that is to be decided again.
    fn take_back(&self, answer: Result<Vec<DecidedItem>, SeenError>) {
        if let Ok(items) = answer {
            self.shared.marks().forget(&items);
        }
    }

    /// Writes a group. Returns when all of it has arrived.
    async fn write(&mut self, group: &[DecidedBatch]) -> Result<(), Error> {
        let start = Instant::now();
        let rejected = match self.shared.documents.folder() {
            Some(seen) => {
                let (rejected, marked) =
                    tokio::join!(self.sink.write(group), mark(&self.shared, seen, group));
                marked?;
                rejected
            }
            None => {
                let rejected = self.sink.write(group).await;
                let items = group.iter().flat_map(|decided| &decided.items);
                without_notes::remove_marks(&self.shared, items).await?;
                rejected
            }
        };
        self.forget_rejected(group, &rejected).await?;
        let rejected = self.write_early(group, rejected).await?;
        let dead = group.iter().flat_map(|DecidedBatch { batch, items }| {
            batch.messages().zip(items).filter_map(|(message, item)| match &item.verdict {
                MessageVerdict::Dead { reason } => Some(DeadLetter { message, reason }),
                _ => None,
            })
        });
        let mut letters: Vec<DeadLetter<'_>> = dead.collect();
        letters.extend(rejected.iter().map(|rejected| {
            let message = group[rejected.place.0].batch.message(rejected.place.1);
            DeadLetter { message, reason: &rejected.reason }
        }));
        if !letters.is_empty() {
            letters.iter().for_each(|_| self.shared.metrics.decided(MessageDecision::Dead));
            self.dead_letters.write(&letters).await;
        }
        let lengths = self.sink.lengths().into_iter().chain(self.dead_letters.length()).collect();
        // Together: the note of a decision must not know of one without the others.
        let mut progress = self.shared.progress();
        progress.set_file_lengths(lengths);
        for DecidedBatch { batch, items } in group {
            items.iter().filter_map(DecidedItem::number).for_each(|number| progress.arrive_document(number));
            progress.arrive(batch);
        }
        drop(progress);
        for DecidedBatch { batch, items } in group {
            self.shared.marks().arrive(items.iter());
            self.shared.metrics.arrived.inc_by(batch.len() as u64);
            self.shared.arrives();
        }
        if self.shared.documents.folder().is_none() {
            let arrived = self.shared.progress().offsets();
            self.shared.note(arrived);
        }
        self.shared.metrics.arrival.observe(start.elapsed().as_secs_f64());
        Ok(())
    }

    /// Records duplicates of documents that the index has and the destination does not have yet. Returns those that stay rejected.
    async fn write_early(
        &mut self,
        group: &[DecidedBatch],
        rejected: Vec<Rejected>,
    ) -> Result<Vec<Rejected>, Error> {
        let (mut early, mut rest) = (HashSet::new(), Vec::new());
        for rejected in rejected {
            match &rejected.missing {
                Some(of) if self.may_come(of).await? => _ = early.insert(rejected.place),
                _ => rest.push(rejected),
            }
        }
        if !early.is_empty() {
            rest.extend(self.sink.write_early(group, &early).await);
        }
        Ok(rest)
    }

    /// Whether the document with this id may still come to the destination. Of those that were added by other programs, or have arrived at another destination, none comes.
    async fn may_come(&self, id: &str) -> Result<bool, Error> {
        loop {
            match self.shared.documents.number(id).await {
                Err(SeenError::Unreachable { .. }) => tokio::time::sleep(NOTE_EVERY).await,
                number => {
                    // Another process may have it under way.
                    let is_shared = self.shared.documents.folder().is_none();
                    let may_come = |number| is_shared || self.shared.progress().may_be_under_way(number);
                    return Ok(number?.is_some_and(may_come));
                }
            }
        }
    }

    /// Removes the documents from the index that the destination does not take: a later one that is similar must not be called a duplicate of
    /// what nobody can find.
    async fn forget_rejected(&self, group: &[DecidedBatch], rejected: &[Rejected]) -> Result<(), Error> {
        for Rejected { place: (batch, number), .. } in rejected {
            let item = &group[*batch].items[*number];
            if item.verdict != MessageVerdict::Unique {
                continue;
            }
            while let Err(error) = self.shared.documents.remove(&item.facts.id).await {
                match error {
                    SeenError::Index { .. } | SeenError::Closed => return Err(error.into()),
                    _ => tokio::time::sleep(NOTE_EVERY).await,
                }
            }
        }
        Ok(())
    }
}

/// Puts marks of the duplicates of a group on the disk.
async fn mark(shared: &StreamShared, seen: &Seen, group: &[DecidedBatch]) -> Result<(), Error> {
    let items: Vec<&DecidedItem> = group.iter().flat_map(|decided| &decided.items).collect();
    for items in items.chunks(MOST_TOGETHER) {
        let mut backoff = Backoff::default();
        loop {
            // Those that are removed meanwhile get none.
            let marks = shared.marks().documents(items.iter().copied());
            match try_to_mark(seen, marks).await? {
                None => break,
                Some(SeenError::Busy) => tokio::time::sleep(BUSY_PAUSE).await,
                Some(error) => {
                    shared.health.failed(HealthPart::Index, &error.to_string());
                    backoff.wait(None).await;
                }
            }
        }
        shared.health.works(HealthPart::Index);
    }
    Ok(())
}

/// Adds marks to the index. Returns why they cannot be added now.
async fn try_to_mark(seen: &Seen, marks: Vec<NewText>) -> Result<Option<SeenError>, Error> {
    if marks.is_empty() {
        return Ok(None);
    }
    let (sender, answers) = oneshot::channel();
    let then = move |answers: Answers<Added>| drop(sender.send(answers));
    let prepared = tokio::task::block_in_place(|| seen.prepare(marks, unix_seconds()))?;
    // Without room, `then` is dropped, and there is no answer.
    let _ = seen.submit(prepared, then);
    match answers.await.map_or(Some(SeenError::Busy), |answers| answers.into_iter().find_map(Result::err)) {
        Some(error @ (SeenError::Index { .. } | SeenError::Closed)) => Err(error.into()),
        other => Ok(other),
    }
}
