//! Figures about the stream, for Prometheus.

use crate::batch::TopicPartition;
use crate::progress::Offsets;
use lookalike_seen::metrics::{IndexMetrics, seconds};
use lookalike_seen::{Checked, Meter};
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How a message was decided.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, EncodeLabelValue)]
pub(crate) enum MessageDecision {
    New,
    Duplicate,
    Unchanged,
    Removed,
    Dead,
    Expired,
}

impl MessageDecision {
    const ALL: [MessageDecision; 6] = [
        MessageDecision::New,
        MessageDecision::Duplicate,
        MessageDecision::Unchanged,
        MessageDecision::Removed,
        MessageDecision::Dead,
        MessageDecision::Expired,
    ];
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct MessageDecisionLabels {
    pub(crate) decision: MessageDecision,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct PartitionLabels {
    topic: String,
    partition: i32,
}

/// All metrics. Those of the index have the names that the service gives them.
pub(crate) struct StreamMetrics {
    registry: Registry,
    pub(crate) decisions: Family<MessageDecisionLabels, Counter>,
    pub(crate) bytes: Counter,
    pub(crate) arrived: Counter,
    pub(crate) arrival: Histogram,
    lag: Family<PartitionLabels, Gauge>,
    index: IndexMetrics,
    /// The ends of partitions, as Kafka has told them last.
    ends: Mutex<BTreeMap<TopicPartition, i64>>,
}

impl fmt::Debug for StreamMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamMetrics").finish_non_exhaustive()
    }
}

impl StreamMetrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("lookalike");
        let mut metrics = StreamMetrics {
            index: IndexMetrics::register(&mut registry),
            registry,
            decisions: Family::default(),
            bytes: Counter::default(),
            arrived: Counter::default(),
            arrival: seconds(),
            lag: Family::default(),
            ends: Mutex::default(),
        };
        metrics.register();
        // Every decision has a figure from the start: one that comes later would begin with a jump.
        for decision in MessageDecision::ALL {
            drop(metrics.decisions.get_or_create(&MessageDecisionLabels { decision }));
        }
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("decisions", "Messages, by what was decided", self.decisions.clone());
        registry.register_with_unit("message", "Bytes of decided messages", Unit::Bytes, self.bytes.clone());
        registry.register(
            "arrived_messages",
            "Messages whose verdict has arrived at the destination",
            self.arrived.clone(),
        );
        registry.register_with_unit(
            "arrival_duration",
            "Time to write a group of messages to the destination",
            Unit::Seconds,
            self.arrival.clone(),
        );
        registry.register(
            "lag_messages",
            "Messages of a partition that have not arrived at the destination",
            self.lag.clone(),
        );
    }

    pub(crate) fn decided(&self, decision: MessageDecision) {
        self.decisions.get_or_create(&MessageDecisionLabels { decision }).inc();
    }

    /// Takes note of the end of a partition.
    pub(crate) fn set_end(&self, partition: &TopicPartition, end: i64) {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).insert(partition.clone(), end);
    }

    /// Takes note that a partition went to another member of the group.
    pub(crate) fn forget_end(&self, partition: &TopicPartition) {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).remove(partition);
        let labels = PartitionLabels { topic: partition.topic.to_string(), partition: partition.number };
        self.lag.remove(&labels);
    }

    /// All figures in the text format of Prometheus.
    pub(crate) fn text(&self, arrived: &Offsets, documents: u64) -> String {
        for (partition, end) in &*self.ends.lock().unwrap_or_else(PoisonError::into_inner) {
            if let Some(arrived) = arrived.get(partition) {
                let labels =
                    PartitionLabels { topic: partition.topic.to_string(), partition: partition.number };
                self.lag.get_or_create(&labels).set((end - arrived).max(0));
            }
        }
        self.index.set_documents(documents);
        let mut text = String::new();
        // Writing into a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl Meter for StreamMetrics {
    fn compared(&self, checked: &Checked) {
        self.index.compared(checked);
    }

    fn synced(&self, changes: u64, time: Duration) {
        self.index.synced(changes, time);
    }
}
