//! What consumers and producers of Kafka have in common.

use crate::health::{Health, HealthPart};
use crate::settings::StreamSettings;
use rdkafka::client::ClientContext;
use rdkafka::config::{ClientConfig, RDKafkaLogLevel};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::statistics::Statistics;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The settings of librdkafka for these brokers, with those of the user.
pub(crate) fn client_config(brokers: &str, settings: &StreamSettings) -> ClientConfig {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", brokers).set("client.id", "lookalike");
    // These say when a broker is back.
    config.set("statistics.interval.ms", "5000");
    // Errors come through the context.
    config.set_log_level(RDKafkaLogLevel::Emerg);
    for (name, value) in &settings.kafka {
        config.set(name, value);
    }
    config
}

/// Tells what librdkafka says of its connections.
#[derive(Debug)]
pub(crate) struct ReportingContext {
    part: HealthPart,
    health: Arc<Health>,
    /// Why the last connection failed, since a broker answered.
    reason: Mutex<Option<String>>,
    /// Whether no broker answered the last time.
    is_unreachable: AtomicBool,
}

impl ReportingContext {
    pub(crate) fn new(part: HealthPart, health: Arc<Health>) -> Self {
        ReportingContext { part, health, reason: Mutex::default(), is_unreachable: AtomicBool::new(false) }
    }
}

impl ClientContext for ReportingContext {
    /// Takes note of an error. One broker of several may be gone, and a partition has an end: these are no failures.
    fn error(&self, error: KafkaError, reason: &str) {
        let mut last = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
        match error.rdkafka_error_code() {
            Some(RDKafkaErrorCode::PartitionEOF) => {}
            // Its numbers differ each time, so the first one stays.
            Some(RDKafkaErrorCode::AllBrokersDown) => {
                self.is_unreachable.store(true, Ordering::Relaxed);
                // The source and the destination say it. Dead letters say it when there is one.
                if self.part != HealthPart::DeadLetters {
                    let reason = last.as_deref().unwrap_or("no broker answers");
                    self.health.failed(self.part, reason);
                }
            }
            Some(
                RDKafkaErrorCode::BrokerTransportFailure
                | RDKafkaErrorCode::Resolve
                | RDKafkaErrorCode::SSL
                | RDKafkaErrorCode::Authentication,
            ) => _ = last.get_or_insert_with(|| reason.to_owned()),
            _ => self.health.failed(self.part, reason),
        }
    }

    /// Takes note of a broker that is back. Other failures are over when a message comes or goes.
    fn stats(&self, statistics: Statistics) {
        let is_up = statistics.brokers.values().any(|broker| broker.state == "UP");
        if is_up && self.is_unreachable.swap(false, Ordering::Relaxed) {
            *self.reason.lock().unwrap_or_else(PoisonError::into_inner) = None;
            self.health.works(self.part);
        }
    }
}
