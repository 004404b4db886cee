//! Figures about the service, for Prometheus.

use lookalike_engine::seen::{Added, Checked};
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use std::fmt;
use std::time::Duration;

/// What a request asked for, and how it was answered.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct RequestLabels {
    pub(crate) route: String,
    pub(crate) status: u16,
}

/// How a text was decided.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, EncodeLabelValue)]
pub(crate) enum Decision {
    New,
    Duplicate,
    Unchanged,
    Conflict,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct DecisionLabels {
    pub(crate) decision: Decision,
}

/// All metrics.
pub(crate) struct Metrics {
    registry: Registry,
    pub(crate) requests: Family<RequestLabels, Counter>,
    pub(crate) seconds: Histogram,
    pub(crate) decisions: Family<DecisionLabels, Counter>,
    candidates: Histogram,
    compared: Counter,
    capped: Counter,
    pub(crate) documents: Gauge,
    pub(crate) parts: Gauge,
    pub(crate) waiting: Gauge,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    pub(crate) fn new() -> Self {
        // From 50 µs to 6.5 s, and from 1 candidate to 1,024.
        let seconds = Histogram::new(exponential_buckets(50e-6, 2.0, 18));
        let candidates = Histogram::new(exponential_buckets(1.0, 2.0, 11));
        let mut metrics = Metrics {
            registry: Registry::with_prefix("lookalike"),
            requests: Family::default(),
            seconds,
            decisions: Family::default(),
            candidates,
            compared: Counter::default(),
            capped: Counter::default(),
            documents: Gauge::default(),
            parts: Gauge::default(),
            waiting: Gauge::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("requests", "Requests, by route and status", self.requests.clone());
        registry.register_with_unit(
            "request_duration",
            "Time to answer",
            Unit::Seconds,
            self.seconds.clone(),
        );
        registry.register("decisions", "Texts that were to be added, by the answer", self.decisions.clone());
        registry.register(
            "candidates",
            "Documents that share a band key with a checked text",
            self.candidates.clone(),
        );
        registry.register("compared", "Documents that were compared exactly", self.compared.clone());
        registry.register("capped", "Texts with more candidates than are compared", self.capped.clone());
        registry.register("documents", "Documents that were added to the index", self.documents.clone());
        registry.register(
            "index_parts",
            "Runs and memtables in which a key is looked up",
            self.parts.clone(),
        );
        registry.register("waiting_changes", "Changes that wait to be decided", self.waiting.clone());
    }

    pub(crate) fn checked(&self, checked: &Checked) {
        self.candidates.observe(checked.candidates as f64);
        self.compared.inc_by(checked.compared);
        self.capped.inc_by(u64::from(checked.is_capped));
    }

    /// Counts the answer to a document that was to be added.
    pub(crate) fn added(&self, added: &Added) {
        let decision = match added {
            Added::New { .. } => Decision::New,
            Added::Duplicate { .. } => Decision::Duplicate,
            Added::Unchanged { .. } => Decision::Unchanged,
            Added::OtherText { .. } => Decision::Conflict,
        };
        self.decisions.get_or_create(&DecisionLabels { decision }).inc();
    }

    pub(crate) fn answered(&self, route: &str, status: u16, time: Duration) {
        self.requests.get_or_create(&RequestLabels { route: route.to_owned(), status }).inc();
        self.seconds.observe(time.as_secs_f64());
    }

    /// All figures in the text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
