//! Who is told of decided changes: the metrics, those who follow events, and the thread that follows clusters.

use crate::canonical::{Change, ClusterChange};
use crate::events::{Event, Events};
use crate::metrics::Metrics;
use lookalike_engine::seen::{Added, Answers, Decided};
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// Reports answers. The engine calls it in the order of the log.
#[derive(Debug)]
pub(crate) struct Reports {
    metrics: Arc<Metrics>,
    events: Arc<Events>,
    /// Where changes of clusters are reported. Nobody follows those of other processes, and so none of an index in Redis or of a copy.
    clusters: Option<Sender<Change>>,
    /// Gives the second since 1970.
    clock: fn() -> u32,
}

impl Reports {
    pub(crate) fn new(
        metrics: Arc<Metrics>,
        events: Arc<Events>,
        clusters: Option<Sender<Change>>,
        clock: fn() -> u32,
    ) -> Self {
        Reports { metrics, events, clusters, clock }
    }

    /// Counts and reports the answers to documents with these ids, which were to be added.
    pub(crate) fn added(&self, ids: &[String], answers: &Answers<Added>) {
        for (id, decided) in ids.iter().zip(answers) {
            let Ok(Decided { answer, sequence }) = decided else { continue };
            self.metrics.added(answer);
            let (id, sequence) = (id.clone(), *sequence);
            match answer {
                Added::New { .. } => self.events.push(Event::Added { id, sequence }),
                Added::Duplicate { found, stored } => {
                    let (of, similarity) = (found.id.clone(), found.similarity.value());
                    let stored = stored.as_ref();
                    self.events.push(Event::Duplicate {
                        id,
                        of,
                        similarity,
                        stored: stored.is_some(),
                        sequence,
                    });
                    stored.into_iter().for_each(|linked| self.change(ClusterChange::Linked(linked.clone())));
                }
                Added::Unchanged { .. } | Added::OtherText { .. } => {}
            }
        }
    }

    /// Reports the answers to removals of documents with these ids.
    pub(crate) fn removed(&self, ids: &[String], answers: &Answers<Option<u64>>) {
        for (id, decided) in ids.iter().zip(answers) {
            if let Ok(Decided { answer: Some(number), sequence }) = decided {
                self.events.push(Event::Removed { id: id.clone(), sequence: *sequence });
                self.change(ClusterChange::Removed(*number));
            }
        }
    }

    fn change(&self, change: ClusterChange) {
        if let Some(clusters) = &self.clusters {
            // The thread lives as long as the service.
            let _ = clusters.send(Change { second: (self.clock)(), change });
        }
    }
}
