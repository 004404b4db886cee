//! What has happened lately, for those who follow it.

use crate::score::ScoreAnswer;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use utoipa::ToSchema;

/// Events that are kept: some ten megabytes.
const KEPT_EVENTS: usize = 1 << 16;

/// Something that happened.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Event {
    /// A new document was added.
    Added {
        /// Its id.
        id: String,
        /// The number of changes of the index before it.
        sequence: u64,
    },
    /// A document was similar to another.
    Duplicate {
        /// Its id.
        id: String,
        /// The id of the most similar document.
        of: String,
        /// How near the two are.
        #[serde(flatten)]
        score: ScoreAnswer,
        /// Whether it was stored.
        stored: bool,
        /// The number of changes of the index before the answer.
        sequence: u64,
    },
    /// A document was removed.
    Removed {
        /// Its id.
        id: String,
        /// The number of changes of the index before it.
        sequence: u64,
    },
    /// A cluster has another canonical document.
    Canonical {
        /// Its id.
        id: String,
        /// The id of the one before.
        previous: String,
    },
}

/// The latest events. Each has a number, and they are numbered from 0 on.
#[derive(Debug)]
pub(crate) struct Events {
    latest: Mutex<Latest>,
    /// The number that the next event gets.
    next: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Latest {
    /// The number of the first one.
    first: u64,
    events: VecDeque<Arc<Event>>,
}

impl Events {
    pub(crate) fn new() -> Self {
        Events { latest: Mutex::default(), next: watch::Sender::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, event: Event) {
        self.push_all([event]);
    }

    /// Pushes events that follow each other. Those who wait for events are woken once.
    pub(crate) fn push_all(&self, events: impl IntoIterator<Item = Event>) {
        let mut latest = self.lock();
        latest.events.extend(events.into_iter().map(Arc::new));
        let surplus = latest.events.len().saturating_sub(KEPT_EVENTS);
        latest.events.drain(..surplus);
        latest.first += surplus as u64;
        self.next.send_replace(latest.first + latest.events.len() as u64);
    }

    /// The number that the next event gets, whenever it changes.
    pub(crate) fn next(&self) -> watch::Receiver<u64> {
        self.next.subscribe()
    }

    /// The number of the first of the latest `count` events, or of the first one that is kept.
    pub(crate) fn latest(&self, count: u32) -> u64 {
        let latest = self.lock();
        latest.first + (latest.events.len() as u64).saturating_sub(u64::from(count))
    }

    /// The events from number `from` on, at most so many, or `None` if they are not kept any more. The number must not be larger than the next
    /// one.
    pub(crate) fn from(&self, from: u64, most: usize) -> Option<Vec<Arc<Event>>> {
        let latest = self.lock();
        let skipped = usize::try_from(from.checked_sub(latest.first)?).ok()?;
        if skipped > latest.events.len() {
            return None;
        }
        Some(latest.events.iter().skip(skipped).take(most).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_events_are_kept() {
        let events = Events::new();
        let ids = |from| {
            let id = |event: &Arc<Event>| match &**event {
                Event::Removed { id, .. } => id.clone(),
                other => panic!("{other:?}"),
            };
            events.from(from, 3).map(|events| events.iter().map(id).collect::<Vec<_>>())
        };
        let next = events.next();
        let event = |number| Event::Removed { id: format!("d{number}"), sequence: number };
        events.push(event(0));
        events.push_all((1..KEPT_EVENTS as u64 + 2).map(event));
        assert_eq!(*next.borrow(), KEPT_EVENTS as u64 + 2);
        assert_eq!(ids(1), None);
        assert_eq!([0, 3, u32::MAX].map(|count| events.latest(count)), [65_538, 65_535, 2]);
        assert_eq!(ids(2).unwrap(), ["d2", "d3", "d4"]);
        assert_eq!(ids(KEPT_EVENTS as u64 + 1).unwrap(), ["d65537"]);
        assert!(ids(KEPT_EVENTS as u64 + 2).unwrap().is_empty());
        assert_eq!(ids(KEPT_EVENTS as u64 + 3), None);
    }
}
