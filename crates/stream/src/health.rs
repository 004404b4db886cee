//! What fails now, for those who ask, and a sentence for the one who runs it when that changes.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What may fail while the stream goes on as soon as it works again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum HealthPart {
    Source,
    Index,
    Sink,
    DeadLetters,
}

impl HealthPart {
    fn name(self) -> &'static str {
        match self {
            HealthPart::Source => "the source",
            HealthPart::Index => "the index",
            HealthPart::Sink => "the destination",
            HealthPart::DeadLetters => "the place of dead letters",
        }
    }
}

/// What fails now.
#[derive(Debug)]
pub(crate) struct Health {
    failures: Mutex<BTreeMap<HealthPart, String>>,
    tell: fn(&str),
}

impl Health {
    pub(crate) fn new(tell: fn(&str)) -> Self {
        Health { failures: Mutex::default(), tell }
    }

    /// Takes note that a part does not work. It is tried again.
    pub(crate) fn failed(&self, part: HealthPart, reason: &str) {
        let before = self.failures().insert(part, reason.to_owned());
        if before.as_deref() != Some(reason) {
            (self.tell)(&format!("{} does not work, and is tried again: {reason}", part.name()));
        }
    }

    /// Takes note that a part works.
    pub(crate) fn works(&self, part: HealthPart) {
        if self.failures().remove(&part).is_some() {
            (self.tell)(&format!("{} works again", part.name()));
        }
    }

    /// Why nothing goes on, if nothing does.
    pub(crate) fn failure(&self) -> Option<String> {
        self.failures().iter().next().map(|(part, reason)| format!("{}: {reason}", part.name()))
    }

    /// Tells the one who runs it something.
    pub(crate) fn tell(&self, sentence: &str) {
        (self.tell)(sentence);
    }

    fn failures(&self) -> MutexGuard<'_, BTreeMap<HealthPart, String>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
