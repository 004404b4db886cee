//! What librdkafka calls while the source asks for messages: partitions come and go, and Kafka tells its state.

use super::compression::unreadable;
use super::{LAST_ARRIVALS, PATIENCE};
use crate::batch::TopicPartition;
use crate::error::Error;
use crate::kafka::ReportingContext;
use crate::progress::Offsets;
use crate::run::StreamShared;
use rdkafka::client::ClientContext;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer, ConsumerContext, Rebalance};
use rdkafka::error::KafkaError;
use rdkafka::statistics::{self, Statistics};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, Once, PoisonError};

/// What librdkafka calls while the source asks for messages.
pub(super) struct KafkaContext {
    pub(super) brokers: String,
    pub(super) reporting: ReportingContext,
    pub(super) shared: Arc<StreamShared>,
    /// The partitions whose end was reached.
    pub(super) ended: Mutex<BTreeSet<(String, i32)>>,
    /// The offset behind the last message of each partition that the source has got.
    pub(super) given: Mutex<Offsets>,
    pub(super) has_warned: Once,
}

impl KafkaContext {
    /// Commits the offsets of all messages that have arrived.
    pub(super) fn commit(&self, consumer: &BaseConsumer<Self>, mode: CommitMode) {
        let Some(offsets) = self.shared.take_offsets_to_commit() else { return };
        let Ok(assigned) = consumer.assignment() else { return };
        let mut list = TopicPartitionList::new();
        for element in assigned.elements() {
            let partition = TopicPartition { topic: element.topic().into(), number: element.partition() };
            if let Some(&offset) = offsets.get(&partition) {
                let _ =
                    list.add_partition_offset(element.topic(), element.partition(), Offset::Offset(offset));
            }
        }
        // One that fails is made up for by the next one, and by the progress in the index.
        if list.count() > 0 && consumer.commit(&list, mode).is_err() {
            self.shared.commit_again();
        }
    }

    /// Begins with partitions where they were left.
    fn begin(&self, consumer: &BaseConsumer<Self>, assigned: &TopicPartitionList) {
        let Ok(committed) = consumer.committed_offsets(assigned.clone(), PATIENCE) else { return };
        let mut first_offsets = Offsets::new();
        for element in committed.elements() {
            let partition =
                TopicPartition { topic: self.shared.topic(element.topic()), number: element.partition() };
            match element.offset() {
                Offset::Offset(offset) => {
                    let mut progress = self.shared.progress();
                    let arrived = progress.offsets().get(&partition).copied();
                    if arrived.is_none_or(|arrived| arrived < offset) {
                        progress.begin(&partition, offset);
                    }
                    drop(progress);
                    if arrived.is_none() && offset > 0 {
                        self.warn_of_unknown(element.topic());
                    }
                }
                // The group has never read it, or the topic was made anew: what is known of it is of another one. From now on the group has an offset.
                _ => {
                    let watermarks =
                        consumer.fetch_watermarks(element.topic(), element.partition(), PATIENCE);
                    if let Ok((first, _)) = watermarks {
                        self.shared.progress().begin(&partition, first);
                        first_offsets.insert(partition, first);
                    }
                }
            }
        }
        let mut list = TopicPartitionList::new();
        for (partition, offset) in &first_offsets {
            let _ = list.add_partition_offset(&partition.topic, partition.number, Offset::Offset(*offset));
        }
        if list.count() > 0 {
            let _ = consumer.commit(&list, CommitMode::Sync);
        }
    }

    /// Says that this group has read a topic with another index. In Redis no index knows what was read.
    fn warn_of_unknown(&self, topic: &str) {
        if self.shared.documents.folder().is_none() {
            return;
        }
        let group = &self.shared.group;
        self.has_warned.call_once(|| {
            self.shared.health.tell(&format!(
                "the group {group} has read the first messages of {topic} with another index; they are not read again (another --group reads all)"
            ));
        });
    }
}

impl ClientContext for KafkaContext {
    fn error(&self, error: KafkaError, reason: &str) {
        match unreadable(&error, reason) {
            Some(reason) => {
                self.shared.fail(Error::Kafka { brokers: self.brokers.clone(), reason });
                self.shared.stop();
            }
            None => self.reporting.error(error, reason),
        }
    }

    fn stats(&self, statistics: Statistics) {
        let arrived = self.shared.progress().offsets();
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner).clone();
        #[expect(clippy::iter_over_hash_type, reason = "each sets a figure of its own")]
        for (name, topic) in &statistics.topics {
            // Before Kafka has told the end of a partition, its lag is not known.
            let is_known = |&(&number, partition): &(&i32, &statistics::Partition)| {
                number >= 0 && partition.hi_offset >= 0
            };
            for (&number, partition) in topic.partitions.iter().filter(is_known) {
                let partition_name = TopicPartition { topic: self.shared.topic(name), number };
                // Kafka's own end is behind the marker of the last transaction, which is no message. A partition without a new message begins at its end.
                let last = given.get(&partition_name).or_else(|| arrived.get(&partition_name));
                let end = last.copied().filter(|_| is_read(partition)).unwrap_or(partition.hi_offset);
                self.shared.metrics.set_end(&partition_name, end);
                if is_read(partition) {
                    let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
                    ended.insert((name.clone(), number));
                }
            }
        }
        self.reporting.stats(statistics);
    }
}

/// Whether all messages of a partition were given to the source.
fn is_read(partition: &statistics::Partition) -> bool {
    let end = partition.hi_offset;
    partition.eof_offset >= end && partition.next_offset >= end && partition.fetchq_cnt == 0
}

impl ConsumerContext for KafkaContext {
    fn pre_rebalance(&self, consumer: &BaseConsumer<Self>, rebalance: &Rebalance<'_>) {
        if let Rebalance::Revoke(revoked) = rebalance {
            self.ended.lock().unwrap_or_else(PoisonError::into_inner).clear();
            self.shared.wait_for_arrivals(Some(LAST_ARRIVALS));
            self.commit(consumer, CommitMode::Sync);
            for element in revoked.elements() {
                let partition =
                    TopicPartition { topic: self.shared.topic(element.topic()), number: element.partition() };
                self.given.lock().unwrap_or_else(PoisonError::into_inner).remove(&partition);
                self.shared.metrics.forget_end(&partition);
            }
        }
    }

    fn post_rebalance(&self, consumer: &BaseConsumer<Self>, rebalance: &Rebalance<'_>) {
        if let Rebalance::Assign(assigned) = rebalance {
            self.begin(consumer, assigned);
            // One that was paused when it went away is still paused. If the stages behind are busy, all are paused again with the next message.
            let _ = consumer.resume(assigned);
        }
    }
}
