//! Figures about an index, for Prometheus. A feature.

use super::check::Checked;
use super::meter::Meter;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use std::time::Duration;

/// Figures about an index. All programs give them the same names.
#[derive(Clone, Debug)]
pub struct IndexMetrics {
    candidates: Histogram,
    bucket_documents: Histogram,
    compared: Counter,
    capped: Counter,
    sync: Histogram,
    changes: Histogram,
    documents: Gauge,
}

/// A histogram of times, from 50 µs to 6.5 s.
pub fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(50e-6, 2.0, 18))
}

/// A histogram of numbers, from 1 to 262,144.
fn counts() -> Histogram {
    Histogram::new(exponential_buckets(1.0, 4.0, 10))
}

impl IndexMetrics {
    /// Figures in `registry`, all of them zero.
    pub fn register(registry: &mut Registry) -> Self {
        let metrics = IndexMetrics {
            candidates: counts(),
            bucket_documents: counts(),
            compared: Counter::default(),
            capped: Counter::default(),
            sync: seconds(),
            changes: counts(),
            documents: Gauge::default(),
        };
        let help = "Documents whose sketches match that of a text";
        registry.register("candidates", help, metrics.candidates.clone());
        let help =
            "Documents in all buckets of a text, each counted once for each key by which its sketch matches";
        registry.register("bucket_documents", help, metrics.bucket_documents.clone());
        registry.register("compared", "Documents that were compared", metrics.compared.clone());
        let help = "Texts with more candidates than are compared";
        registry.register("capped", help, metrics.capped.clone());
        let help = "Time to write changes to the disk, with the wait until they are there";
        registry.register_with_unit("sync_duration", help, Unit::Seconds, metrics.sync.clone());
        let help = "Changes that went to the disk together";
        registry.register("sync_changes", help, metrics.changes.clone());
        let help = "Documents that were added to the index";
        registry.register("documents", help, metrics.documents.clone());
        metrics
    }

    /// Takes note of the number of documents that were added to the index.
    pub fn set_documents(&self, documents: u64) {
        self.documents.set(i64::try_from(documents).unwrap_or(i64::MAX));
    }
}

impl Meter for IndexMetrics {
    fn compared(&self, checked: &Checked) {
        self.candidates.observe(checked.candidates as f64);
        let buckets = checked.bucket_documents;
        buckets.iter().for_each(|&documents| self.bucket_documents.observe(documents as f64));
        self.compared.inc_by(checked.compared);
        self.capped.inc_by(u64::from(checked.is_capped));
    }

    fn synced(&self, changes: u64, time: Duration) {
        self.sync.observe(time.as_secs_f64());
        self.changes.observe(changes as f64);
    }
}
