//! Writes documents to a topic of Kafka.

use super::{DecidedBatch, DuplicateRecord, ItemPlace, Rejected, document, own_place};
use crate::address::KafkaAddress;
use crate::backoff::Backoff;
use crate::error::Error;
use crate::fields::MessageFormat;
use crate::health::{Health, HealthPart};
use crate::kafka::{ReportingContext, client_config};
use crate::settings::{Duplicates, StreamSettings};
use crate::verdict::MessageVerdict;
use futures_util::future::join_all;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::OwnedHeaders;
use rdkafka::producer::{FutureProducer, FutureRecord};
use std::sync::Arc;
use std::time::Duration;

/// Writes records to topics, and waits until they have arrived.
pub(crate) struct TopicWriter {
    producer: FutureProducer<ReportingContext>,
    part: HealthPart,
    health: Arc<Health>,
}

/// A record to be written. Without a value it removes the document that its key names.
#[derive(Debug, Default)]
pub(crate) struct TopicRecord<'r> {
    pub(crate) topic: &'r str,
    pub(crate) key: Option<&'r [u8]>,
    pub(crate) value: Option<std::borrow::Cow<'r, [u8]>>,
    pub(crate) headers: Option<OwnedHeaders>,
}

impl TopicWriter {
    pub(crate) fn new(
        address: &KafkaAddress,
        settings: &StreamSettings,
        part: HealthPart,
        health: Arc<Health>,
    ) -> Result<Self, Error> {
        let mut config = client_config(&address.brokers, settings);
        // A record is there once, also if the connection was lost before its answer.
        config.set("enable.idempotence", "true").set("linger.ms", "5").set("compression.type", "lz4");
        let context = ReportingContext::new(part, Arc::clone(&health));
        let producer = config.create_with_context(context);
        let producer = producer.map_err(|error: KafkaError| Error::Kafka {
            brokers: address.brokers.clone(),
            reason: error.to_string(),
        })?;
        Ok(TopicWriter { producer, part, health })
    }

    /// Writes records in their order. Returns those that the broker refuses for ever, and why: whatever fails is tried again.
    pub(crate) async fn write(&self, records: Vec<TopicRecord<'_>>) -> Vec<(usize, String)> {
        let (mut refused, mut backoff) = (Vec::new(), Backoff::default());
        let mut waiting: Vec<usize> = (0..records.len()).collect();
        while !waiting.is_empty() {
            let sent = waiting.iter().map(|&number| self.send(&records[number]));
            let sent = join_all(sent).await;
            let mut again = Vec::new();
            for (&number, sent) in waiting.iter().zip(sent) {
                match sent {
                    Ok(()) => {}
                    Err(error) if is_refused(&error) => refused.push((number, error.to_string())),
                    Err(error) => again.push((number, error)),
                }
            }
            match again.first() {
                None => self.health.works(self.part),
                Some((_, error)) => {
                    self.health.failed(self.part, &error.to_string());
                    backoff.wait(None).await;
                }
            }
            waiting = again.into_iter().map(|(number, _)| number).collect();
        }
        refused
    }

    async fn send(&self, record: &TopicRecord<'_>) -> Result<(), KafkaError> {
        let TopicRecord { topic, key, value, headers } = record;
        let record = FutureRecord::<[u8], [u8]> {
            topic,
            partition: None,
            payload: value.as_deref(),
            key: *key,
            timestamp: None,
            headers: headers.clone(),
        };
        // It waits for room in the queue.
        self.producer.send(record, Duration::from_secs(60)).await.map(drop).map_err(|(error, _)| error)
    }
}

/// Whether a record is refused for ever.
fn is_refused(error: &KafkaError) -> bool {
    matches!(
        error.rdkafka_error_code(),
        Some(
            RDKafkaErrorCode::MessageSizeTooLarge
                | RDKafkaErrorCode::InvalidMessageSize
                | RDKafkaErrorCode::InvalidRecord
        )
    )
}

/// Documents go to a topic, with their ids as keys. A removal is a record without a value.
pub(crate) struct TopicSink {
    writer: TopicWriter,
    topic: String,
    duplicates: Duplicates,
    format: MessageFormat,
}

impl TopicSink {
    pub(crate) fn new(
        address: &KafkaAddress,
        settings: &StreamSettings,
        health: Arc<Health>,
    ) -> Result<Self, Error> {
        Ok(TopicSink {
            writer: TopicWriter::new(address, settings, HealthPart::Sink, health)?,
            topic: address.topics[0].clone(),
            duplicates: settings.duplicates.clone(),
            format: settings.format,
        })
    }

    pub(crate) async fn write(&mut self, group: &[DecidedBatch]) -> Vec<Rejected> {
        let (mut records, mut places): (Vec<TopicRecord<'_>>, Vec<ItemPlace>) = Default::default();
        for (batch_number, DecidedBatch { batch, items }) in group.iter().enumerate() {
            for (number, item) in items.iter().enumerate() {
                let key = Some(item.facts.id.as_bytes());
                let value = match &item.verdict {
                    MessageVerdict::Unique => Some(document(batch.message(number), &item.facts, self.format)),
                    MessageVerdict::Removed { .. } => None,
                    MessageVerdict::Duplicate { .. } => {
                        if let (Some(topic), Some(record)) =
                            (own_place(&self.duplicates), DuplicateRecord::of(item))
                        {
                            records.push(TopicRecord {
                                topic,
                                key,
                                value: Some(record.json().into()),
                                headers: None,
                            });
                            places.push((batch_number, number));
                        }
                        continue;
                    }
                    MessageVerdict::Dead { .. } | MessageVerdict::Expired => continue,
                };
                records.push(TopicRecord { topic: &self.topic, key, value, headers: None });
                places.push((batch_number, number));
            }
        }
        let refused = self.writer.write(records).await;
        refused
            .into_iter()
            .map(|(number, reason)| Rejected { place: places[number], reason, missing: None })
            .collect()
    }
}
