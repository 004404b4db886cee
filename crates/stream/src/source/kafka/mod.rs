//! Messages of topics of Kafka.

mod compression;
mod context;

use super::BatchSender;
use crate::address::KafkaAddress;
use crate::batch::{Message as BatchMessage, MessageBatch, TopicPartition};
use crate::error::Error;
use crate::health::HealthPart;
use crate::kafka::{ReportingContext, client_config};
use crate::run::StreamShared;
use crate::settings::StreamSettings;
use context::KafkaContext;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer};
use rdkafka::error::KafkaError;
use rdkafka::message::{BorrowedMessage, Message};
use rdkafka::metadata::MetadataTopic;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TrySendError;

/// How long a batch waits for more messages.
const LINGER: Duration = Duration::from_millis(5);

/// How long the broker is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often offsets are committed.
const COMMIT_EVERY: Duration = Duration::from_secs(1);

/// How long a batch waits for the stages behind before messages are no longer asked for. Kafka takes a consumer that does not ask for five
/// minutes for dead.
const BLOCKED_FOR: Duration = Duration::from_secs(10);

/// How long messages on their way may take when their partitions go to another consumer.
const LAST_ARRIVALS: Duration = Duration::from_secs(20);

/// Reads topics as a member of a consumer group.
pub(super) struct KafkaSource {
    consumer: BaseConsumer<KafkaContext>,
    /// The topic, if there is only one.
    only_topic: Option<String>,
    ends: bool,
}

impl KafkaSource {
    pub(super) fn new(
        address: &KafkaAddress,
        settings: &StreamSettings,
        shared: Arc<StreamShared>,
    ) -> Result<Self, Error> {
        let error =
            |error: KafkaError| Error::Kafka { brokers: address.brokers.clone(), reason: error.to_string() };
        let mut config = client_config(&address.brokers, settings);
        config
            .set("group.id", &settings.group)
            .set("enable.auto.commit", "false")
            .set("auto.offset.reset", "earliest")
            .set("enable.partition.eof", "true");
        let context = KafkaContext {
            brokers: address.brokers.clone(),
            reporting: ReportingContext::new(HealthPart::Source, Arc::clone(&shared.health)),
            shared,
            ended: Mutex::default(),
            given: Mutex::default(),
            has_warned: Once::new(),
        };
        let consumer: BaseConsumer<KafkaContext> = config.create_with_context(context).map_err(error)?;
        let topics: Vec<&str> = address.topics.iter().map(String::as_str).collect();
        consumer.subscribe(&topics).map_err(error)?;
        if settings.ends {
            require_topics(&consumer, address)?;
        }
        let only_topic = (topics.len() == 1).then(|| topics[0].to_owned());
        Ok(KafkaSource { consumer, only_topic, ends: settings.ends })
    }

    /// Reads until the stream is stopped, or until the end of all partitions if the stream ends there.
    pub(super) fn read(self, batches: &BatchSender) {
        let shared = Arc::clone(&self.consumer.context().shared);
        let (mut batch, mut since, mut commit_at) =
            (MessageBatch::default(), Instant::now(), Instant::now() + COMMIT_EVERY);
        while !shared.is_stopping() {
            let wait = if batch.is_empty() { Duration::from_millis(100) } else { Duration::from_millis(1) };
            let message = self.consumer.poll(wait);
            match message {
                None => {}
                Some(Ok(message)) => {
                    while batch.is_full_for(message.payload().is_some()) {
                        batch = self.send(batch, batches);
                    }
                    if batch.is_empty() {
                        since = Instant::now();
                    }
                    self.push(&message, &mut batch);
                }
                Some(Err(KafkaError::PartitionEOF(number))) => self.note_end(number),
                // The context has reported it.
                Some(Err(_)) => {}
            }
            if !batch.is_empty() && since.elapsed() >= LINGER {
                batch = self.send(batch, batches);
            }
            if Instant::now() >= commit_at {
                self.consumer.context().commit(&self.consumer, CommitMode::Async);
                commit_at = Instant::now() + COMMIT_EVERY;
            }
            if self.ends && self.has_ended() {
                break;
            }
        }
        while !batch.is_empty() && !shared.is_aborting() {
            batch = self.send(batch, batches);
        }
        // The last offsets are known when all has arrived.
        shared.wait_for_arrivals(None);
        shared.wait_for_note();
        self.consumer.context().commit(&self.consumer, CommitMode::Sync);
    }

    fn push(&self, message: &BorrowedMessage<'_>, batch: &mut MessageBatch) {
        let shared = &self.consumer.context().shared;
        let topic = shared.topic(message.topic());
        let partition = &TopicPartition { topic, number: message.partition() };
        let mut given = self.consumer.context().given.lock().unwrap_or_else(PoisonError::into_inner);
        given.insert(partition.clone(), message.offset() + 1);
        drop(given);
        if shared.progress().has_arrived(partition, message.offset()) {
            return;
        }
        let (offset, key, value) = (message.offset(), message.key(), message.payload());
        batch.push(BatchMessage { partition, offset, key, value });
    }

    /// Hands a batch over. While the stages behind are busy for long, Kafka is still asked, so that it does not take this consumer for dead. Returns the messages
    /// that came meanwhile: those of partitions that were assigned after the others were paused.
    fn send(&self, mut batch: MessageBatch, batches: &BatchSender) -> MessageBatch {
        let (since, shared) = (Instant::now(), &self.consumer.context().shared);
        shared.departs();
        shared.health.works(HealthPart::Source);
        let (mut next, mut must_pause, mut is_paused) = (MessageBatch::default(), true, false);
        loop {
            batch = match batches.try_send(batch) {
                Ok(()) => break,
                Err(TrySendError::Closed(_)) => {
                    shared.arrives();
                    break;
                }
                Err(TrySendError::Full(batch)) => batch,
            };
            if shared.is_aborting() {
                shared.arrives();
                break;
            }
            if since.elapsed() < BLOCKED_FOR {
                std::thread::sleep(Duration::from_micros(500));
                continue;
            }
            if must_pause {
                must_pause = self.consumer.assignment().and_then(|all| self.consumer.pause(&all)).is_err();
                is_paused = true;
            }
            if let Some(Ok(message)) = self.consumer.poll(Duration::from_millis(100)) {
                self.push(&message, &mut next);
                must_pause = true;
            }
        }
        if is_paused {
            let _ = self.consumer.assignment().and_then(|all| self.consumer.resume(&all));
        }
        next
    }

    /// Takes note of the end of a partition with this number. librdkafka does not say of which topic it is: if there are several, the ends come with
    /// the statistics.
    fn note_end(&self, number: i32) {
        if let Some(topic) = &self.only_topic {
            let context = self.consumer.context();
            context.ended.lock().unwrap_or_else(PoisonError::into_inner).insert((topic.clone(), number));
        }
    }

    /// Whether the end of all partitions of this consumer was reached.
    fn has_ended(&self) -> bool {
        let ended = self.consumer.context().ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.is_empty() {
            return false;
        }
        let is_ended = |element: &rdkafka::topic_partition_list::TopicPartitionListElem<'_>| {
            ended.contains(&(element.topic().to_owned(), element.partition()))
        };
        self.consumer.assignment().is_ok_and(|all| all.count() > 0 && all.elements().iter().all(is_ended))
    }
}

/// A topic that is not there has no end, and would be waited for. If no broker answers, that is told later.
fn require_topics(consumer: &BaseConsumer<KafkaContext>, address: &KafkaAddress) -> Result<(), Error> {
    for topic in &address.topics {
        let Ok(metadata) = consumer.fetch_metadata(Some(topic), PATIENCE) else { continue };
        let is_there = |known: &MetadataTopic| known.name() == topic && !known.partitions().is_empty();
        if !metadata.topics().iter().any(is_there) {
            let reason = format!("there is no topic {topic}; without --stop-at-end the stream waits for it");
            return Err(Error::Kafka { brokers: address.brokers.clone(), reason });
        }
    }
    Ok(())
}
