//! Has batches decided by an index that has no notes, since other processes decide in it at the same time: one in Redis.
//!
//! Nothing says how far a stream has come. A message may be decided again, perhaps by another process, until Kafka knows that it has arrived. It then
//! gets the same verdict, because all that was decided stands under the id of its document: a new document, or the mark of a duplicate. So a
//! mark is there before its duplicate is recorded anywhere, and is removed after the duplicate has gone from the destination.

use super::StreamShared;
use super::decide::OTHER_TEXT;
use crate::backoff::Backoff;
use crate::documents::DocumentIndex;
use crate::health::HealthPart;
use crate::marks::DuplicateMark;
use crate::metrics::MessageDecision;
use crate::verdict::{DecidedItem, MessageVerdict, PreparedItem, PreparedVerdict, Presence};
use futures_util::{StreamExt, stream};
use lookalike_seen::{Added, NewText, SeenError};
use std::collections::HashSet;

/// Texts that the index is asked about at the same time. More of them gain nothing: Redis answers one after the other.
const AT_ONCE: usize = 32;

/// Decides items. Those that are not decided yet have these texts.
///
/// # Errors
/// [`SeenError::Index`] if the index cannot be used. All other failures are waited for.
pub(super) async fn decide_texts(
    shared: &StreamShared,
    items: Vec<PreparedItem>,
    texts: Vec<NewText>,
) -> Result<Vec<DecidedItem>, SeenError> {
    // Of messages with one id the first one counts, so the others come behind it.
    let is_recorded = shared.marks().are_written;
    let mut ids = HashSet::new();
    let undecided = items.iter().enumerate().filter(|(_, item)| item.verdict.is_undecided());
    let pairs: Vec<(usize, NewText)> = undecided.map(|(number, _)| number).zip(texts).collect();
    let mut answers: Vec<Option<(MessageVerdict, Presence)>> = vec![None; items.len()];
    let (first, again): (Vec<_>, Vec<_>) =
        pairs.into_iter().partition(|(_, text)| ids.insert(text.id.clone()));
    for (texts, at_once) in [(first, AT_ONCE), (again, 1)] {
        let decided = stream::iter(texts).map(async |(number, text)| {
            let hash = items[number].facts.text_hash.clone().unwrap_or_default();
            let decided =
                wait_for(shared, async || decide(&shared.documents, &text, &hash, is_recorded).await).await;
            (number, decided)
        });
        let decided: Vec<_> = decided.buffer_unordered(at_once).collect().await;
        for (number, decided) in decided {
            let (verdict, decision) = decided?;
            let presence = match (&verdict, decision) {
                (MessageVerdict::Unique, Some(MessageDecision::Unchanged)) => Presence::Again,
                // Another process may have recorded duplicates of it already.
                (MessageVerdict::Unique, _) => Presence::Shared,
                _ => Presence::Absent,
            };
            answers[number] = Some((verdict, presence));
            decision.into_iter().for_each(|decision| shared.metrics.decided(decision));
        }
    }
    let decided = items.into_iter().zip(answers).map(|(PreparedItem { facts, verdict }, answer)| {
        let (verdict, presence) = match verdict {
            PreparedVerdict::Known(verdict) => (verdict, Presence::Absent),
            // Each text has an answer.
            PreparedVerdict::Text | PreparedVerdict::Removal { .. } => answer.ok_or(SeenError::Closed)?,
        };
        Ok(DecidedItem { facts, verdict, presence })
    });
    decided.collect()
}

/// Decides removals, and removes documents, so that no other process calls a text a duplicate of one. A mark stays until [`remove_marks`]: it knows what its duplicate
/// is recorded on.
///
/// # Errors
/// [`SeenError::Index`] if the index cannot be used. All other failures are waited for.
pub(super) async fn decide_removals(
    shared: &StreamShared,
    items: Vec<PreparedItem>,
) -> Result<Vec<DecidedItem>, SeenError> {
    let mut decided = Vec::with_capacity(items.len());
    for PreparedItem { facts, verdict } in items {
        let verdict = match verdict {
            PreparedVerdict::Known(verdict) => verdict,
            // A batch has messages of one kind.
            PreparedVerdict::Text => return Err(SeenError::Closed),
            PreparedVerdict::Removal { .. } => {
                let mark = wait_for(shared, async || shared.documents.mark(&facts.id).await).await?;
                if mark.is_none() {
                    wait_for(shared, async || shared.documents.remove(&facts.id).await).await?;
                }
                shared.metrics.decided(MessageDecision::Removed);
                MessageVerdict::Removed { recorded_on: mark.map(|mark| mark.duplicate_of) }
            }
        };
        decided.push(DecidedItem { facts, verdict, presence: Presence::Absent });
    }
    Ok(decided)
}

/// Removes the marks of removals that have arrived.
///
/// # Errors
/// [`SeenError::Index`] if the index cannot be used. All other failures are waited for.
pub(super) async fn remove_marks<'i>(
    shared: &StreamShared,
    items: impl Iterator<Item = &'i DecidedItem>,
) -> Result<(), SeenError> {
    for item in items.filter(|item| matches!(item.verdict, MessageVerdict::Removed { recorded_on: Some(_) }))
    {
        wait_for(shared, async || shared.documents.remove(&item.facts.id).await).await?;
    }
    Ok(())
}

/// Decides about one text. `hash` is that of its text. A duplicate gets a mark if duplicates are recorded.
async fn decide(
    index: &DocumentIndex,
    text: &NewText,
    hash: &str,
    is_recorded: bool,
) -> Result<(MessageVerdict, Option<MessageDecision>), SeenError> {
    loop {
        let is_other_text = match index.add(text.clone()).await? {
            Added::New { .. } => return Ok((MessageVerdict::Unique, Some(MessageDecision::New))),
            Added::Unchanged { .. } => return Ok((MessageVerdict::Unique, Some(MessageDecision::Unchanged))),
            Added::OtherText { .. } => true,
            Added::Duplicate { found, .. } => {
                let (of, score) = (found.id, found.score);
                if !is_recorded {
                    return Ok((MessageVerdict::Duplicate { of, score }, Some(MessageDecision::Duplicate)));
                }
                let mark = DuplicateMark { duplicate_of: of, score, text: hash.to_owned() };
                let document = mark.document(&text.id, text.about.url.clone(), text.expires);
                if let Added::New { .. } = index.add(document).await? {
                    return Ok((mark.verdict(), Some(MessageDecision::Duplicate)));
                }
                false
            }
        };
        // What stands under this id was decided before, or by another process meanwhile.
        match index.mark(&text.id).await? {
            Some(mark) if mark.text == hash => {
                if index.number(&mark.duplicate_of).await?.is_some() {
                    return Ok((mark.verdict(), Some(MessageDecision::Unchanged)));
                }
                // What it was recorded on is gone, and its mark with it.
                index.remove(&text.id).await?;
            }
            None if !is_other_text || index.number(&text.id).await?.is_none() => {}
            Some(_) | None => return Ok((MessageVerdict::Dead { reason: OTHER_TEXT.to_owned() }, None)),
        }
    }
}

/// Asks until the index answers.
async fn wait_for<T>(
    shared: &StreamShared,
    ask: impl AsyncFn() -> Result<T, SeenError>,
) -> Result<T, SeenError> {
    let mut backoff = Backoff::default();
    loop {
        match ask().await {
            Err(error @ (SeenError::Index { .. } | SeenError::Closed)) => return Err(error),
            Err(error) => {
                shared.health.failed(HealthPart::Index, &error.to_string());
                backoff.wait(None).await;
            }
            Ok(answer) => {
                shared.health.works(HealthPart::Index);
                return Ok(answer);
            }
        }
    }
}
