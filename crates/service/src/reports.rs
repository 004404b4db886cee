//! Who is told of decided changes: the metrics, those who follow events, and the thread that follows clusters.

use crate::canonical::{ClusterChange, LoggedChange};
use crate::events::{Event, Events};
use crate::metrics::ServiceMetrics;
use lookalike_seen::{Added, Decided, SeenError};
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// Reports answers. The sequencer gives it changes in the order of the log. A duplicate that is not stored is no change: it may be reported by the thread
/// of its request, also before its original is. Answers from Redis are in no order.
#[derive(Debug)]
pub(crate) struct Reports {
    metrics: Arc<ServiceMetrics>,
    events: Arc<Events>,
    /// Where changes of clusters are reported. Nobody follows those of other processes, and so none of an index in Redis or of a copy.
    clusters: Option<Sender<LoggedChange>>,
    /// Gives the second since 1970.
    clock: fn() -> u32,
}

impl Reports {
    pub(crate) fn new(
        metrics: Arc<ServiceMetrics>,
        events: Arc<Events>,
        clusters: Option<Sender<LoggedChange>>,
        clock: fn() -> u32,
    ) -> Self {
        Reports { metrics, events, clusters, clock }
    }

    /// Counts and reports the answers to documents with these ids, which were to be added.
    pub(crate) fn added(&self, ids: &[String], answers: &[Result<Decided<Added>, SeenError>]) {
        let (mut events, mut changes) = (Vec::new(), Vec::new());
        for (id, decided) in ids.iter().zip(answers) {
            let Ok(Decided { answer, sequence }) = decided else { continue };
            self.metrics.added(answer);
            let (id, sequence) = (id.clone(), *sequence);
            match answer {
                Added::New { .. } => events.push(Event::Added { id, sequence }),
                Added::Duplicate { found, stored } => {
                    let (of, score) = (found.id.clone(), found.score.into());
                    changes.extend(stored.clone().map(ClusterChange::Linked));
                    let stored = stored.is_some();
                    events.push(Event::Duplicate { id, of, score, stored, sequence });
                }
                Added::Unchanged { .. } | Added::OtherText { .. } => {}
            }
        }
        self.report(events, changes);
    }

    /// Reports the answers to removals of documents with these ids.
    pub(crate) fn removed(&self, ids: &[String], answers: &[Result<Decided<Option<u64>>, SeenError>]) {
        let (mut events, mut changes) = (Vec::new(), Vec::new());
        for (id, decided) in ids.iter().zip(answers) {
            if let Ok(Decided { answer: Some(number), sequence }) = decided {
                events.push(Event::Removed { id: id.clone(), sequence: *sequence });
                changes.push(ClusterChange::Removed(*number));
            }
        }
        self.report(events, changes);
    }

    fn report(&self, events: Vec<Event>, changes: Vec<ClusterChange>) {
        if !events.is_empty() {
            self.events.push_all(events);
        }
        if let Some(clusters) = &self.clusters {
            let second = (self.clock)();
            // The thread lives as long as the service.
            changes.into_iter().for_each(|change| drop(clusters.send(LoggedChange { second, change })));
        }
    }
}
