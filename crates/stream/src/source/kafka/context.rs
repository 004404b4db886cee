//! What librdkafka calls while the source asks for messages: partitions come and go, and Kafka tells its state.

use super::{LAST_ARRIVALS, PATIENCE};
use crate::batch::Partition;
use crate::kafka::ReportingContext;
use crate::progress::Offsets;
use crate::run::Shared;
use rdkafka::client::ClientContext;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer, ConsumerContext, Rebalance};
use rdkafka::error::KafkaError;
use rdkafka::statistics::Statistics;
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, Once, PoisonError};

/// What librdkafka calls while the source asks for messages.
pub(super) struct Context {
    pub(super) reporting: ReportingContext,
    pub(super) shared: Arc<Shared>,
    /// The partitions whose end was reached.
    pub(super) ended: Mutex<BTreeSet<(String, i32)>>,
    pub(super) has_warned: Once,
}

impl Context {
    /// Commits the offsets of all messages that have arrived.
    pub(super) fn commit(&self, consumer: &BaseConsumer<Self>, mode: CommitMode) {
        let Some(offsets) = self.shared.take_offsets_to_commit() else { return };
        let Ok(assigned) = consumer.assignment() else { return };
        let mut list = TopicPartitionList::new();
        for element in assigned.elements() {
            let partition = Partition { topic: element.topic().into(), number: element.partition() };
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
                Partition { topic: self.shared.topic(element.topic()), number: element.partition() };
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

impl ClientContext for Context {
    fn error(&self, error: KafkaError, reason: &str) {
        self.reporting.error(error, reason);
    }

    fn stats(&self, statistics: Statistics) {
        #[expect(clippy::iter_over_hash_type, reason = "each sets a figure of its own")]
        for (name, topic) in &statistics.topics {
            for (&number, partition) in topic.partitions.iter().filter(|&(&number, _)| number >= 0) {
                let partition_name = Partition { topic: self.shared.topic(name), number };
                self.shared.metrics.set_end(&partition_name, partition.hi_offset);
            }
        }
        self.reporting.stats(statistics);
    }
}

impl ConsumerContext for Context {
    fn pre_rebalance(&self, consumer: &BaseConsumer<Self>, rebalance: &Rebalance<'_>) {
        if let Rebalance::Revoke(revoked) = rebalance {
            self.ended.lock().unwrap_or_else(PoisonError::into_inner).clear();
            self.shared.wait_for_arrivals(Some(LAST_ARRIVALS));
            self.commit(consumer, CommitMode::Sync);
            for element in revoked.elements() {
                let partition =
                    Partition { topic: self.shared.topic(element.topic()), number: element.partition() };
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
