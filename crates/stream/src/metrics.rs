//! Figures about the stream, for Prometheus.

use crate::batch::Partition;
use crate::progress::Offsets;
use lookalike_engine::seen::{Checked, Meter};
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How a message was decided.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, EncodeLabelValue)]
pub(crate) enum Decision {
    New,
    Duplicate,
    Unchanged,
    Removed,
    Dead,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct DecisionLabels {
    pub(crate) decision: Decision,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct PartitionLabels {
    topic: String,
    partition: i32,
}

/// All metrics. Those of the index have the names that the service gives them.
pub(crate) struct Metrics {
    registry: Registry,
    pub(crate) decisions: Family<DecisionLabels, Counter>,
    pub(crate) bytes: Counter,
    pub(crate) arrived: Counter,
    pub(crate) arrival: Histogram,
    lag: Family<PartitionLabels, Gauge>,
    candidates: Histogram,
    compared: Counter,
    capped: Counter,
    sync: Histogram,
    changes: Histogram,
    documents: Gauge,
    /// The ends of partitions, as Kafka has told them last.
    ends: Mutex<BTreeMap<Partition, i64>>,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    pub(crate) fn new() -> Self {
        // From 50 µs to 6.5 s, and from 1 to 262,144.
        let seconds = || Histogram::new(exponential_buckets(50e-6, 2.0, 18));
        let counts = || Histogram::new(exponential_buckets(1.0, 4.0, 10));
        let mut metrics = Metrics {
            registry: Registry::with_prefix("lookalike"),
            decisions: Family::default(),
            bytes: Counter::default(),
            arrived: Counter::default(),
            arrival: seconds(),
            lag: Family::default(),
            candidates: counts(),
            compared: Counter::default(),
            capped: Counter::default(),
            sync: seconds(),
            changes: counts(),
            documents: Gauge::default(),
            ends: Mutex::default(),
        };
        metrics.register();
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
        registry.register(
            "candidates",
            "Documents whose sketches match that of a text",
            self.candidates.clone(),
        );
        registry.register("compared", "Documents that were compared exactly", self.compared.clone());
        registry.register("capped", "Texts with more candidates than are compared", self.capped.clone());
        let help = "Time to write changes to the disk, with the wait until they are there";
        registry.register_with_unit("sync_duration", help, Unit::Seconds, self.sync.clone());
        registry.register("sync_changes", "Changes that went to the disk together", self.changes.clone());
        registry.register("documents", "Documents that were added to the index", self.documents.clone());
    }

    pub(crate) fn decided(&self, decision: Decision) {
        self.decisions.get_or_create(&DecisionLabels { decision }).inc();
    }

    /// Takes note of the end of a partition.
    pub(crate) fn set_end(&self, partition: &Partition, end: i64) {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).insert(partition.clone(), end);
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
        self.documents.set(i64::try_from(documents).unwrap_or(i64::MAX));
        let mut text = String::new();
        // Writing into a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl Meter for Metrics {
    fn compared(&self, checked: &Checked) {
        self.candidates.observe(checked.candidates as f64);
        self.compared.inc_by(checked.compared);
        self.capped.inc_by(u64::from(checked.is_capped));
    }

    fn synced(&self, changes: u64, time: Duration) {
        self.sync.observe(time.as_secs_f64());
        self.changes.observe(changes as f64);
    }
}
