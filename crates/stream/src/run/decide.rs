//! Has batches decided by the index, with a note of how far the stream has come.

use super::StreamShared;
use super::prepare::{Planned, PreparedWork, Preparer};
use super::without_notes;
use crate::backoff::Backoff;
use crate::batch::MessageBatch;
use crate::error::Error;
use crate::health::HealthPart;
use crate::metrics::MessageDecision;
use crate::progress::Offsets;
use crate::sink::DecidedBatch;
use crate::verdict::{DecidedItem, MessageVerdict, PreparedItem, PreparedVerdict, Presence};
use lookalike_seen::{Added, Answers, Decided, Note, SeenError};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, RwLock, Semaphore, oneshot};

/// Batches that are decided and have not arrived, at most.
const UNDER_WAY: u32 = 16;

/// The reason of a message whose id the index has with another text.
pub(super) const OTHER_TEXT: &str =
    "the index has a document with this id and another text; remove that first, by a message without a value";

/// The pause after which a busy index is asked again.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(1);

/// Has batches decided. A copy of it shares everything.
#[derive(Clone)]
pub(super) struct Decider {
    pub(super) shared: Arc<StreamShared>,
    preparer: Arc<Preparer>,
    room: Arc<Semaphore>,
    /// The batches of removals that were submitted.
    removals: Arc<AtomicU64>,
    /// Whether the next batch waits until all before it have arrived.
    must_wait: Arc<AtomicBool>,
    /// Is taken for writing while batches are decided again: meanwhile no other one is submitted.
    pub(super) gate: Arc<RwLock<()>>,
}

/// A batch that is being decided.
pub(super) struct PendingBatch {
    pub(super) batch: Arc<MessageBatch>,
    pub(super) answer: oneshot::Receiver<Result<Vec<DecidedItem>, SeenError>>,
    pub(super) room: Option<OwnedSemaphorePermit>,
}

/// What the note of a batch and the answer to it share.
#[derive(Default)]
struct NotedBatch {
    /// Whether the note was made. Without it, nothing of the batch was decided.
    is_noted: bool,
    items: Vec<DecidedItem>,
    decisions: Vec<MessageDecision>,
    offsets: Offsets,
    error: Option<SeenError>,
}

impl Decider {
    pub(super) fn new(shared: Arc<StreamShared>, preparer: Arc<Preparer>) -> Self {
        let room = Arc::new(Semaphore::new(UNDER_WAY as usize));
        Decider {
            shared,
            preparer,
            room,
            removals: Arc::default(),
            must_wait: Arc::default(),
            gate: Arc::default(),
        }
    }

    /// Submits a batch when there is room for it. Batches are decided in the order in which they are submitted.
    ///
    /// # Errors
    /// [`Error`] if the index cannot be read.
    pub(super) async fn submit(&self, planned: Planned) -> Result<PendingBatch, Error> {
        // Without notes, an index has the marks of removals until these have arrived.
        let removes_late = matches!(planned.work, PreparedWork::RemoveWithoutNote);
        if self.must_wait.swap(removes_late, Ordering::Relaxed) {
            drop(self.room.acquire_many(UNDER_WAY).await);
        }
        // The semaphore is never closed.
        let room = Arc::clone(&self.room).acquire_owned().await.ok();
        let _gate = self.gate.read().await;
        let planned = self.with_all_removals(planned).await?;
        Ok(PendingBatch { room, ..self.submit_now(planned).await })
    }

    /// Prepares a batch again if a batch before it removes documents: it may have been called a duplicate of one of these.
    async fn with_all_removals(&self, planned: Planned) -> Result<Planned, Error> {
        let submitted = self.removals.load(Ordering::Relaxed);
        if planned.removals >= submitted {
            return Ok(planned);
        }
        // The index answers as long as this process lives.
        let _ = self.shared.removals.subscribe().wait_for(|&done| done >= submitted).await;
        self.prepare(&planned.batch).await
    }

    async fn prepare(&self, batch: &Arc<MessageBatch>) -> Result<Planned, Error> {
        let (preparer, batch) = (Arc::clone(&self.preparer), Arc::clone(batch));
        let planned = tokio::task::spawn_blocking(move || preparer.prepare(batch)).await;
        planned.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
    }

    async fn submit_now(&self, planned: Planned) -> PendingBatch {
        let Planned { batch, items, work, .. } = planned;
        let (sender, answer) = oneshot::channel();
        let noted = Arc::default();
        match work {
            PreparedWork::Add(seen, mut prepared) => {
                let mut note: Note<Added> = self.note(&batch, &noted, items, added);
                let mut then = self.then(&batch, &noted, sender);
                while let Err(back) = seen.submit_noted(prepared, note, then) {
                    (prepared, note, then) = back;
                    tokio::time::sleep(TRY_AGAIN_AFTER).await;
                }
            }
            PreparedWork::Remove(seen, mut ids) => {
                // What it was recorded on is known from its mark, or comes from the marks below.
                let removed = |_: &Option<u64>| (None, Some(MessageDecision::Removed), Presence::Absent);
                let mut note: Note<Option<u64>> = self.note(&batch, &noted, items, removed);
                let (then, shared) = (self.then(&batch, &noted, sender), Arc::clone(&self.shared));
                let mut then = move |answers| {
                    then(answers);
                    shared.removals.send_modify(|done| *done += 1);
                };
                self.removals.fetch_add(1, Ordering::Relaxed);
                while let Err(back) = seen.remove_noted(ids, note, then) {
                    (ids, note, then) = back;
                    tokio::time::sleep(TRY_AGAIN_AFTER).await;
                }
            }
            PreparedWork::AddWithoutNote(texts) => {
                let decided = without_notes::decide_texts(&self.shared, items, texts).await;
                self.shared.metrics.bytes.inc_by(batch.bytes() as u64);
                let _ = sender.send(decided);
            }
            PreparedWork::RemoveWithoutNote => {
                let _ = sender.send(without_notes::decide_removals(&self.shared, items).await);
            }
        }
        PendingBatch { batch, answer, room: None }
    }

    /// Puts the decided items of a batch in `noted` when the index has decided them, and makes the note that goes to the disk with
    /// them. `verdict` is what an answer of the index says. If it says no verdict, the prepared one counts.
    fn note<T: 'static>(
        &self,
        batch: &Arc<MessageBatch>,
        noted: &Arc<Mutex<NotedBatch>>,
        items: Vec<PreparedItem>,
        verdict: impl Fn(&T) -> (Option<MessageVerdict>, Option<MessageDecision>, Presence) + Send + 'static,
    ) -> Note<T> {
        let (shared, batch, noted) = (Arc::clone(&self.shared), Arc::clone(batch), Arc::clone(noted));
        Box::new(move |answers: &Answers<T>| {
            let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
            noted.is_noted = true;
            let (mut answers, mut marks) = (answers.iter(), shared.marks());
            for PreparedItem { facts, verdict: prepared } in items {
                let (mut decided, mut presence) = (None, Presence::Absent);
                if prepared.is_undecided() {
                    match answers.next() {
                        Some(Ok(Decided { answer, .. })) => {
                            let decision;
                            (decided, decision, presence) = verdict(answer);
                            noted.decisions.extend(decision);
                        }
                        // All items are decided again then.
                        Some(Err(error)) => noted.error = Some(error.clone()),
                        None => noted.error = Some(SeenError::Closed),
                    }
                }
                let verdict = decided.unwrap_or(match prepared {
                    PreparedVerdict::Known(verdict) => verdict,
                    PreparedVerdict::Text => MessageVerdict::Unique,
                    PreparedVerdict::Removal { recorded_on } => MessageVerdict::Removed { recorded_on },
                });
                let verdict = marks.settle(&facts, verdict);
                noted.items.push(DecidedItem { facts, verdict, presence });
            }
            drop(marks);
            let mut progress = shared.progress();
            noted
                .items
                .iter()
                .filter_map(DecidedItem::number)
                .for_each(|number| progress.decide_document(number));
            progress.decide(&batch, noted.items.iter().map(|item| &item.verdict));
            noted.offsets = progress.offsets();
            progress.payload(&shared.group)
        })
    }

    /// Answers when a batch is on the disk, or cannot be.
    fn then<T: 'static>(
        &self,
        batch: &Arc<MessageBatch>,
        noted: &Arc<Mutex<NotedBatch>>,
        sender: oneshot::Sender<Result<Vec<DecidedItem>, SeenError>>,
    ) -> impl FnOnce(Answers<T>) + Send + 'static {
        let (shared, batch, noted) = (Arc::clone(&self.shared), Arc::clone(batch), Arc::clone(noted));
        move |answers: Answers<T>| {
            let mut noted = std::mem::take(&mut *noted.lock().unwrap_or_else(PoisonError::into_inner));
            let refused = answers.into_iter().find_map(Result::err).or(noted.error.take());
            let _ = sender.send(match refused {
                // Before anything else is decided: the next note must not have these verdicts.
                Some(error) => {
                    // An earlier verdict stays, if there is one.
                    if noted.is_noted {
                        shared.progress().forget(&batch);
                        shared.marks().forget(&noted.items);
                    }
                    Err(error)
                }
                None => {
                    shared.note(noted.offsets);
                    noted.decisions.into_iter().for_each(|decision| shared.metrics.decided(decision));
                    shared.metrics.bytes.inc_by(batch.bytes() as u64);
                    Ok(noted.items)
                }
            });
        }
    }

    /// Decides a batch again until the index can write it.
    ///
    /// # Errors
    /// [`Error`] if the index failed for good.
    pub(super) async fn decide_again(
        &self,
        batch: &Arc<MessageBatch>,
        first: &SeenError,
    ) -> Result<DecidedBatch, Error> {
        let (mut backoff, mut error) = (Backoff::default(), first.clone());
        loop {
            if matches!(error, SeenError::Index { .. } | SeenError::Closed) {
                return Err(error.into());
            }
            self.shared.health.failed(HealthPart::Index, &error.to_string());
            backoff.wait(None).await;
            let planned = self.prepare(batch).await?;
            match self.submit_now(planned).await.answer.await.unwrap_or(Err(SeenError::Closed)) {
                Ok(items) => {
                    self.shared.health.works(HealthPart::Index);
                    return Ok(DecidedBatch { batch: Arc::clone(batch), items });
                }
                Err(again) => error = again,
            }
        }
    }

    /// Notes in the index how far all has arrived, if it does not know it.
    pub(super) async fn note_arrivals(&self) {
        let _gate = self.gate.read().await;
        let Some(seen) = self.shared.documents.folder() else { return };
        let Ok(prepared) = seen.prepare(Vec::new(), 0) else { return };
        let (sender, answer) = oneshot::channel();
        let noted = Arc::default();
        let nothing = Arc::new(MessageBatch::default());
        let note: Note<Added> = self.note(&nothing, &noted, Vec::new(), added);
        let then = self.then(&nothing, &noted, sender);
        // If the index is busy, the next batch has a note too.
        if seen.submit_noted(prepared, note, then).is_ok() {
            let _ = answer.await;
        }
    }
}

/// The verdict about a document, how it counts, and whether the destination may have it. Dead letters count when they are written.
fn added(added: &Added) -> (Option<MessageVerdict>, Option<MessageDecision>, Presence) {
    let (verdict, decision, presence) = match added {
        Added::New { number, .. } => {
            (MessageVerdict::Unique, Some(MessageDecision::New), Presence::New(*number))
        }
        // It may have been on its way to the destination when the process was killed.
        Added::Unchanged { .. } => {
            (MessageVerdict::Unique, Some(MessageDecision::Unchanged), Presence::Again)
        }
        Added::Duplicate { found, .. } => {
            let (of, score) = (found.id.clone(), found.score);
            (MessageVerdict::Duplicate { of, score }, Some(MessageDecision::Duplicate), Presence::Absent)
        }
        Added::OtherText { .. } => {
            (MessageVerdict::Dead { reason: OTHER_TEXT.to_owned() }, None, Presence::Absent)
        }
    };
    (Some(verdict), decision, presence)
}
