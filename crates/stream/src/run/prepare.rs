//! What threads do for batches at the same time: they parse messages, and prepare their texts.

use super::Shared;
use crate::batch::{Batch, Message};
use crate::error::Error;
use crate::fields::{Document, Parser, removed_id};
use crate::verdict::{Item, Verdict};
use lookalike_engine::seen::{NewText, OnDuplicate, Prepared};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Prepares batches.
#[derive(Debug)]
pub(super) struct Preparer {
    pub(super) shared: Arc<Shared>,
    pub(super) parser: Parser,
    pub(super) ttl: Option<Duration>,
}

/// A batch that is ready to be decided.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) batch: Arc<Batch>,
    /// An item for each message. The verdicts of those in `undecided` do not count yet.
    pub(super) items: Vec<Item>,
    /// The numbers of the items that the index decides, in the order of `work`.
    pub(super) undecided: Vec<usize>,
    pub(super) work: Work,
}

#[derive(Debug)]
pub(super) enum Work {
    Add(Prepared),
    Remove(Vec<String>),
}

impl Preparer {
    pub(super) fn prepare(&self, batch: Arc<Batch>) -> Result<Planned, Error> {
        let (mut items, mut undecided) = (Vec::with_capacity(batch.len()), Vec::with_capacity(batch.len()));
        let (mut texts, mut removed) = (Vec::new(), Vec::new());
        let expires =
            self.ttl.map(|ttl| now().saturating_add(u32::try_from(ttl.as_secs()).unwrap_or(u32::MAX)));
        for (number, message) in batch.messages().enumerate() {
            let known = self.shared.progress().verdict(message.partition, message.offset).cloned();
            let (id, url, verdict) = match self.read(message, known) {
                Read::Known(item) => {
                    items.push(item);
                    continue;
                }
                Read::Document(Document { id, text, about }) => {
                    let (item_id, url) = (id.clone(), about.url.clone());
                    texts.push(NewText { id, text, about, expires, on_duplicate: OnDuplicate::Refuse });
                    (item_id, url, Verdict::Unique)
                }
                Read::Removal(id) => {
                    removed.push(id.clone());
                    (id, None, Verdict::Removed)
                }
            };
            undecided.push(number);
            items.push(Item { id, url, verdict });
        }
        // A batch has messages of one kind.
        let work = match removed.is_empty() {
            true => Work::Add(self.shared.seen.prepare(texts, now())?),
            false => Work::Remove(removed),
        };
        Ok(Planned { batch, items, undecided, work })
    }

    fn read(&self, message: Message<'_>, known: Option<Verdict>) -> Read {
        if let Some(verdict @ Verdict::Dead { .. }) = known {
            return Read::Known(Item { id: String::new(), url: None, verdict });
        }
        let read = match message.value {
            Some(_) => self.parser.parse(message).map(|document| match known {
                Some(verdict) => Read::Known(Item { id: document.id, url: document.about.url, verdict }),
                None => Read::Document(document),
            }),
            None => removed_id(message).map(Read::Removal),
        };
        read.unwrap_or_else(|reason| {
            Read::Known(Item { id: String::new(), url: None, verdict: Verdict::Dead { reason } })
        })
    }
}

/// What a message is.
enum Read {
    /// Its verdict is known.
    Known(Item),
    Document(Document),
    Removal(String),
}

/// The second since 1970.
fn now() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs()).unwrap_or(u32::MAX)
}
