//! What consumers and producers of Kafka have in common.

use crate::health::{Health, Part};
use crate::settings::Settings;
use rdkafka::client::ClientContext;
use rdkafka::config::{ClientConfig, RDKafkaLogLevel};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use std::sync::Arc;

/// The settings of librdkafka for these brokers, with those of the user.
pub(crate) fn client_config(brokers: &str, settings: &Settings) -> ClientConfig {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", brokers).set("client.id", "lookalike");
    // Errors come through the context.
    config.set_log_level(RDKafkaLogLevel::Emerg);
    for (name, value) in &settings.kafka {
        config.set(name, value);
    }
    config
}

/// Tells what librdkafka says of its connections.
#[derive(Clone, Debug)]
pub(crate) struct ReportingContext {
    part: Part,
    health: Arc<Health>,
}

impl ReportingContext {
    pub(crate) fn new(part: Part, health: Arc<Health>) -> Self {
        ReportingContext { part, health }
    }

    /// Takes note of an error. One broker of several may be gone, and a partition has an end: these are no failures.
    fn report(&self, error: &KafkaError, reason: &str) {
        match error.rdkafka_error_code() {
            Some(
                RDKafkaErrorCode::BrokerTransportFailure
                | RDKafkaErrorCode::Resolve
                | RDKafkaErrorCode::PartitionEOF,
            ) => {}
            _ => self.health.failed(self.part, reason),
        }
    }
}

impl ClientContext for ReportingContext {
    fn error(&self, error: KafkaError, reason: &str) {
        self.report(&error, reason);
    }
}
