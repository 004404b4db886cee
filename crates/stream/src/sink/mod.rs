//! Where decided documents go.

mod lines;
mod search;
mod topic;

pub(crate) use lines::LineWriter;
pub(crate) use topic::{TopicRecord, TopicWriter};

use crate::address::Destination;
use crate::batch::{Message, MessageBatch};
use crate::error::Error;
use crate::fields::MessageFormat;
use crate::health::Health;
use crate::progress::{FileLengths, StreamProgress};
use crate::settings::{Duplicates, StreamSettings};
use crate::verdict::{DecidedItem, MessageFacts, MessageVerdict};
use lines::LineSink;
use lookalike::Score;
use search::SearchSink;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;
use topic::TopicSink;

/// A batch whose verdicts are on the disk.
#[derive(Debug)]
pub(crate) struct DecidedBatch {
    pub(crate) batch: Arc<MessageBatch>,
    pub(crate) items: Vec<DecidedItem>,
}

/// The place of an item: the number of its batch in a group, and its number in the batch.
pub(crate) type ItemPlace = (usize, usize);

/// A document that the destination refuses for ever.
#[derive(Debug, PartialEq)]
pub(crate) struct Rejected {
    pub(crate) place: ItemPlace,
    /// The reason, for a person.
    pub(crate) reason: String,
    /// The original of a duplicate, if the destination does not have it.
    pub(crate) missing: Option<String>,
}

/// Where decided documents go.
pub(crate) enum Sink {
    Search(SearchSink),
    Topic(TopicSink),
    Lines(LineSink),
}

impl Sink {
    /// Opens the destination. `progress` is how far it was written before.
    pub(crate) fn open(
        settings: &StreamSettings,
        health: &Arc<Health>,
        progress: &StreamProgress,
    ) -> Result<Self, Error> {
        Ok(match &settings.to {
            Destination::Search(address) => {
                Sink::Search(SearchSink::new(address, settings, Arc::clone(health))?)
            }
            Destination::Kafka(address) => {
                Sink::Topic(TopicSink::new(address, settings, Arc::clone(health))?)
            }
            Destination::File(path) => Sink::Lines(LineSink::new(path, settings, health, progress)?),
        })
    }

    /// Looks where documents go, before the first is written. Returns the name of the data stream if it is one: nothing can be removed from it.
    ///
    /// # Errors
    /// [`Error::DataStream`] if documents would have to be changed there.
    pub(crate) async fn look(&mut self, settings: &StreamSettings) -> Result<Option<String>, Error> {
        match self {
            Sink::Search(sink) => sink.look(settings).await,
            Sink::Topic(_) | Sink::Lines(_) => Ok(None),
        }
    }

    /// The lengths of its files, with all that has arrived.
    pub(crate) fn lengths(&self) -> FileLengths {
        match self {
            Sink::Lines(sink) => sink.lengths(),
            Sink::Search(_) | Sink::Topic(_) => FileLengths::new(),
        }
    }

    /// What deletes expired documents, for ever. Topics and files keep them.
    pub(crate) fn expiry(&self) -> Option<impl Future<Output = ()> + Send + 'static> {
        match self {
            Sink::Search(sink) => Some(sink.expiry()),
            Sink::Topic(_) | Sink::Lines(_) => None,
        }
    }

    /// Writes a group of batches. Returns when all of it has arrived, or is refused for ever: whatever fails is tried again.
    pub(crate) async fn write(&mut self, group: &[DecidedBatch]) -> Vec<Rejected> {
        match self {
            Sink::Search(sink) => sink.write(group, None).await,
            Sink::Topic(sink) => sink.write(group).await,
            Sink::Lines(sink) => {
                sink.write(group).await;
                Vec::new()
            }
        }
    }

    /// Records duplicates on documents that are still to come: their messages come again, and in another order than the first time.
    pub(crate) async fn write_early(
        &mut self,
        group: &[DecidedBatch],
        early: &HashSet<ItemPlace>,
    ) -> Vec<Rejected> {
        match self {
            Sink::Search(sink) => sink.write(group, Some(early)).await,
            Sink::Topic(_) | Sink::Lines(_) => Vec::new(),
        }
    }
}

/// A duplicate in a place of its own.
#[derive(Debug, Serialize)]
struct DuplicateRecord<'i> {
    id: &'i str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'i str>,
    duplicate_of: &'i str,
    #[serde(flatten)]
    score: Score,
}

impl<'i> DuplicateRecord<'i> {
    /// The record of an item, if it is a duplicate.
    fn of(item: &'i DecidedItem) -> Option<Self> {
        match &item.verdict {
            MessageVerdict::Duplicate { of, score } => Some(DuplicateRecord {
                id: &item.facts.id,
                url: item.facts.url.as_deref(),
                duplicate_of: of,
                score: *score,
            }),
            _ => None,
        }
    }

    fn json(&self) -> Vec<u8> {
        // Texts and finite numbers can be written.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// The document of a message on one line, in JSON.
fn document<'m>(message: Message<'m>, facts: &MessageFacts, format: MessageFormat) -> Cow<'m, [u8]> {
    #[derive(Serialize)]
    struct PageDocument<'p> {
        id: &'p str,
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<&'p str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        text: &'p str,
    }
    let value = message.value.unwrap_or_default();
    match format {
        MessageFormat::Json if memchr::memchr2(b'\n', b'\r', value).is_none() => Cow::Borrowed(value),
        // Strings of JSON have no line ends, so these are between its parts.
        MessageFormat::Json => Cow::Owned(
            value.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).collect(),
        ),
        MessageFormat::Html | MessageFormat::Text => {
            let (mut text, mut title) = (String::new(), None);
            match format {
                MessageFormat::Html => {
                    lookalike_html::html_text(value, None, &mut text);
                    title = lookalike_html::html_title(value, None);
                }
                _ => text.push_str(&String::from_utf8_lossy(value)),
            }
            let page = PageDocument { id: &facts.id, url: facts.url.as_deref(), title, text: &text };
            Cow::Owned(serde_json::to_vec(&page).unwrap_or_default())
        }
    }
}

/// Whether duplicates have a place of their own, and its name.
fn own_place(duplicates: &Duplicates) -> Option<&str> {
    match duplicates {
        Duplicates::Apart(name) => Some(name),
        Duplicates::Canonical(_) | Duplicates::Drop => None,
    }
}
