//! What threads do for batches at the same time: they parse messages, and prepare their texts.

use super::StreamShared;
use super::decide::OTHER_TEXT;
use crate::batch::{Message, MessageBatch};
use crate::documents::folder_number;
use crate::error::Error;
use crate::fields::{MessageDocument, Parser, removed_id};
use crate::marks::{DuplicateMark, text_hash};
use crate::metrics::MessageDecision;
use crate::time::Time;
use crate::verdict::{MessageFacts, MessageVerdict, PreparedItem, PreparedVerdict};
use lookalike_index::unix_seconds;
use lookalike_seen::{Canonical, NewText, OnDuplicate, PreparedTexts, Seen, SeenError, StoredDocument};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

/// The pause after which a busy index is asked again.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// Prepares batches.
#[derive(Debug)]
pub(super) struct Preparer {
    pub(super) shared: Arc<StreamShared>,
    pub(super) parser: Parser,
    pub(super) ttl: Option<Duration>,
    /// Tells the one who runs it about the first time that cannot be read.
    pub(super) unreadable_time: Once,
    pub(super) tell: fn(&str),
    /// By what the canonical document is chosen.
    pub(super) policy: Canonical,
    /// The data stream that documents go to, if they do. Nothing can be removed from it.
    pub(super) data_stream: Option<String>,
    /// Is held while a mark is removed.
    pub(super) forgetting: Mutex<()>,
}

/// A batch that is ready to be decided.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) batch: Arc<MessageBatch>,
    /// An item for each message. `work` has those that the index decides, in the same order.
    pub(super) items: Vec<PreparedItem>,
    pub(super) work: PreparedWork,
    /// The removals that the index had done before.
    pub(super) removals: u64,
}

#[derive(Debug)]
pub(super) enum PreparedWork {
    Add(Seen, PreparedTexts),
    Remove(Seen, Vec<String>),
    AddWithoutNote(Vec<NewText>),
    RemoveWithoutNote,
}

impl Preparer {
    pub(super) fn prepare(&self, batch: Arc<MessageBatch>) -> Result<Planned, Error> {
        let removals = *self.shared.removals.borrow();
        let mut items = Vec::with_capacity(batch.len());
        let (mut texts, mut removed) = (Vec::new(), Vec::new());
        let now = unix_seconds();
        for message in batch.messages() {
            let known = self.shared.progress().verdict(message.partition, message.offset).cloned();
            let (item, text) = self.read(message, known, now)?;
            if let PreparedVerdict::Removal { .. } = item.verdict {
                removed.push(item.facts.id.clone());
            }
            items.push(item);
            texts.extend(text);
        }
        // A batch has messages of one kind.
        let work = match (self.shared.documents.folder(), removed.is_empty()) {
            (Some(seen), true) => PreparedWork::Add(seen.clone(), seen.prepare(texts, now)?),
            (Some(seen), false) => PreparedWork::Remove(seen.clone(), removed),
            (None, true) => PreparedWork::AddWithoutNote(texts),
            (None, false) => PreparedWork::RemoveWithoutNote,
        };
        Ok(Planned { batch, items, work, removals })
    }

    /// Reads a message, whose verdict may be known from an earlier run. Returns its text too, if the index decides about it.
    fn read(
        &self,
        message: Message<'_>,
        known: Option<MessageVerdict>,
        now: u32,
    ) -> Result<(PreparedItem, Option<NewText>), Error> {
        let dead = |reason: &str| Ok((PreparedItem::dead(reason), None));
        if let Some(MessageVerdict::Dead { reason }) = known {
            return dead(&reason);
        }
        if let (None, Some(name)) = (message.value, &self.data_stream) {
            return dead(&format!(
                "it removes a document, which the data stream {name} does not allow; delete it there by a query"
            ));
        }
        if message.value.is_none() {
            let id = match removed_id(message) {
                Ok(id) => id,
                Err(reason) => return dead(&reason),
            };
            let recorded_on = match known {
                Some(MessageVerdict::Removed { recorded_on }) => recorded_on,
                _ => self.mark(&id)?.map(|(_, mark)| mark.duplicate_of),
            };
            let facts = MessageFacts { id, ..MessageFacts::default() };
            return Ok((PreparedItem { facts, verdict: PreparedVerdict::Removal { recorded_on } }, None));
        }
        let MessageDocument { id, text, about, time } = match self.parser.parse(message) {
            Ok(document) => document,
            Err(reason) => return dead(&reason),
        };
        let expires = self.expires(&id, time, now);
        let hash = text_hash(&text);
        let cost = Some(self.policy.cost(&about, text.chars().count() as u64));
        let facts = MessageFacts {
            id: id.clone(),
            url: about.url.clone(),
            cost: cost.filter(|cost| cost.is_finite()),
            text_hash: Some(hash.clone()),
            expires,
        };
        let mut known = known;
        if known.is_none() && expires.is_some_and(|expires| expires <= now) {
            self.shared.metrics.decided(MessageDecision::Expired);
            known = Some(MessageVerdict::Expired);
        }
        if known.is_none()
            && let Some((seen, mark)) = self.mark(&id)?
        {
            if mark.text != hash {
                return dead(OTHER_TEXT);
            }
            if folder_number(seen, &mark.duplicate_of)?.is_some() {
                self.shared.metrics.decided(MessageDecision::Unchanged);
                known = Some(mark.verdict());
            } else {
                self.forget_mark(seen, &id)?;
            }
        }
        Ok(match known {
            Some(verdict) => (PreparedItem { facts, verdict: PreparedVerdict::Known(verdict) }, None),
            None => {
                let text = NewText { id, text, about, expires, on_duplicate: OnDuplicate::Refuse };
                (PreparedItem { facts, verdict: PreparedVerdict::Text }, Some(text))
            }
        })
    }

    /// The second at which a document with this time expires, if documents do.
    fn expires(&self, id: &str, time: Option<Time>, now: u32) -> Option<u32> {
        let ttl = u32::try_from(self.ttl?.as_secs()).unwrap_or(u32::MAX);
        let from = match time {
            None => now,
            Some(Time::Second(second)) => second,
            Some(Time::Unreadable(value)) => {
                self.unreadable_time.call_once(|| {
                    (self.tell)(&format!(
                        "the time of {id} is {value}, which is no time of RFC 3339 and no number; such documents expire as if they were of now"
                    ));
                });
                now
            }
        };
        Some(from.saturating_add(ttl))
    }

    /// Removes the mark of a duplicate whose original is gone. Another batch may do so at the same time, and have the document decided anew.
    fn forget_mark(&self, seen: &Seen, id: &str) -> Result<(), Error> {
        let _alone = self.forgetting.lock().unwrap_or_else(PoisonError::into_inner);
        while self.mark(id)?.is_some() {
            match seen.remove(id).wait() {
                Ok(_) => break,
                Err(error @ (SeenError::Index { .. } | SeenError::Closed)) => return Err(error.into()),
                // Without room on the disk nothing is decided: the batch before this one tells it.
                Err(_) => std::thread::sleep(TRY_AGAIN_AFTER),
            }
        }
        Ok(())
    }

    /// The mark of a duplicate with this id, and the folder that has it. Marks in Redis are looked up with the decision.
    fn mark(&self, id: &str) -> Result<Option<(&Seen, DuplicateMark)>, Error> {
        let Some(seen) = self.shared.documents.folder() else { return Ok(None) };
        let snapshot = seen.snapshot();
        let found = snapshot.find(id).map_err(SeenError::from)?;
        Ok(found
            .and_then(|document| Some((seen, DuplicateMark::of_document(&StoredDocument::of(&document))?))))
    }
}
