//! Figures about the service, for Prometheus.

use lookalike_seen::IndexFigures;
use lookalike_seen::metrics::{IndexMetrics, seconds};
use lookalike_seen::{Added, Checked, Meter};
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What a request asked for, and how it was answered.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct RequestLabels {
    pub(crate) route: String,
    pub(crate) status: u16,
}

/// What a request asked for.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct RouteLabels {
    pub(crate) route: String,
}

/// How a text was decided.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, EncodeLabelValue)]
pub(crate) enum TextDecision {
    New,
    Duplicate,
    Unchanged,
    Conflict,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct TextDecisionLabels {
    pub(crate) decision: TextDecision,
}

/// All metrics.
pub(crate) struct ServiceMetrics {
    registry: Registry,
    pub(crate) requests: Family<RequestLabels, Counter>,
    seconds: Family<RouteLabels, Histogram, fn() -> Histogram>,
    pub(crate) decisions: Family<TextDecisionLabels, Counter>,
    index: IndexMetrics,
    runs: Gauge,
    memtables: Gauge,
    merges: Counter,
    waiting: Gauge,
    /// Stays 0 in a service that follows no other.
    pub(crate) lag: Gauge<f64, AtomicU64>,
}

impl fmt::Debug for ServiceMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceMetrics").finish_non_exhaustive()
    }
}

impl ServiceMetrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("lookalike");
        let mut metrics = ServiceMetrics {
            index: IndexMetrics::register(&mut registry),
            registry,
            requests: Family::default(),
            seconds: Family::new_with_constructor(seconds as fn() -> Histogram),
            decisions: Family::default(),
            runs: Gauge::default(),
            memtables: Gauge::default(),
            merges: Counter::default(),
            waiting: Gauge::default(),
            lag: Gauge::default(),
        };
        metrics.register_requests();
        metrics.register_index();
        metrics
    }

    fn register_requests(&mut self) {
        let registry = &mut self.registry;
        registry.register("requests", "Requests, by route and status", self.requests.clone());
        let seconds = self.seconds.clone();
        registry.register_with_unit("request_duration", "Time to answer", Unit::Seconds, seconds);
        registry.register("decisions", "Texts that were to be added, by the answer", self.decisions.clone());
    }

    fn register_index(&mut self) {
        let registry = &mut self.registry;
        registry.register("runs", "Files in which a key is looked up", self.runs.clone());
        registry.register(
            "memtables",
            "Tables in memory in which a key is looked up",
            self.memtables.clone(),
        );
        registry.register("merges", "Merges of runs", self.merges.clone());
        registry.register("waiting_changes", "Changes that wait to be decided", self.waiting.clone());
        let help = "Time since a read-only copy last had all changes, or since its service started";
        registry.register_with_unit("lag", help, Unit::Seconds, self.lag.clone());
    }

    /// Takes note of the figures of the index.
    pub(crate) fn set_figures(&self, figures: &IndexFigures) {
        let gauge = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        self.index.set_documents(figures.documents);
        self.runs.set(gauge(figures.runs as u64));
        self.memtables.set(gauge(figures.memtables as u64));
        self.merges.inner().store(figures.merges, Ordering::Relaxed);
        self.waiting.set(gauge(figures.waiting as u64));
    }

    pub(crate) fn checked(&self, checked: &Checked) {
        self.index.compared(checked);
    }

    /// Counts the answer to a document that was to be added.
    pub(crate) fn added(&self, added: &Added) {
        let decision = match added {
            Added::New { .. } => TextDecision::New,
            Added::Duplicate { .. } => TextDecision::Duplicate,
            Added::Unchanged { .. } => TextDecision::Unchanged,
            Added::OtherText { .. } => TextDecision::Conflict,
        };
        self.decisions.get_or_create(&TextDecisionLabels { decision }).inc();
    }

    pub(crate) fn answered(&self, route: &str, status: u16, time: Duration) {
        self.requests.get_or_create(&RequestLabels { route: route.to_owned(), status }).inc();
        let route = RouteLabels { route: route.to_owned() };
        self.seconds.get_or_create(&route).observe(time.as_secs_f64());
    }

    /// All figures in the text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl Meter for ServiceMetrics {
    fn compared(&self, checked: &Checked) {
        self.index.compared(checked);
    }

    fn synced(&self, changes: u64, time: Duration) {
        self.index.synced(changes, time);
    }
}
