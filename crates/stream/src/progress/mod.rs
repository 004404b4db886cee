//! How far a topic was read: what is decided, and what of it has arrived.
//!
//! It travels with the decisions, as the payload of the commit that has them (see [`Note`](lookalike_seen::Note)). After a kill, messages come again
//! from the first one that has not arrived. Those that were decided get the same verdict again: a document that is in the index is
//! recognised by its id, and the verdicts of all others are here until they have arrived.

mod stored;

use crate::batch::{LineHash, MessageBatch, TopicPartition};
use crate::verdict::MessageVerdict;
use std::collections::BTreeMap;
use std::ops::Range;

/// How far the partitions were read by this group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StreamProgress {
    partitions: BTreeMap<TopicPartition, PartitionProgress>,
    /// The lengths of files of the destination, with all that has arrived.
    files: FileLengths,
    /// The numbers of documents that this process has decided and that may not have arrived.
    under_way: Range<u64>,
    /// Those that earlier processes had under way when they ended. Their messages come again, but behind others that are new: each partition has its own pace.
    left: Vec<Range<u64>>,
    /// What other groups have left in the same index.
    others: stored::OtherGroups,
}

/// Processes whose documents are in `left`, at most. After so many starts all messages have come again.
const LEFT_BEHIND: usize = 64;

/// The lengths of files, by their absolute paths.
pub(crate) type FileLengths = BTreeMap<String, u64>;

/// The first offset of each partition that has not arrived.
pub(crate) type Offsets = BTreeMap<TopicPartition, i64>;

#[derive(Clone, Debug, Default, PartialEq)]
struct PartitionProgress {
    /// All messages before it have arrived.
    arrived: i64,
    /// In a file, the hash of these lines.
    lines: Option<LineHash>,
    /// The verdicts of messages that are decided and have not arrived, if the index does not have them itself.
    verdicts: BTreeMap<i64, MessageVerdict>,
}

impl StreamProgress {
    /// Takes note of the verdicts of a batch.
    pub(crate) fn decide<'v>(
        &mut self,
        batch: &MessageBatch,
        verdicts: impl Iterator<Item = &'v MessageVerdict>,
    ) {
        for (message, verdict) in batch.messages().zip(verdicts) {
            if !matches!(verdict, MessageVerdict::Unique | MessageVerdict::Removed { recorded_on: None }) {
                let progress = self.partitions.entry(message.partition.clone()).or_default();
                progress.verdicts.insert(message.offset, verdict.clone());
            }
        }
    }

    /// Forgets the verdicts of a batch: they could not be written.
    pub(crate) fn forget(&mut self, batch: &MessageBatch) {
        for message in batch.messages() {
            if let Some(progress) = self.partitions.get_mut(message.partition) {
                progress.verdicts.remove(&message.offset);
            }
        }
    }

    /// The length that a file had when the last batch had arrived, if it is known.
    pub(crate) fn file_length(&self, path: &str) -> Option<u64> {
        self.files.get(path).copied()
    }

    /// Takes note of the lengths of files, with all batches that have arrived.
    pub(crate) fn set_file_lengths(&mut self, lengths: FileLengths) {
        self.files.extend(lengths);
    }

    /// Whether a document with this number may be on its way to the destination.
    pub(crate) fn may_be_under_way(&self, number: u64) -> bool {
        self.under_way.contains(&number) || self.left.iter().any(|left| left.contains(&number))
    }

    /// Takes note that a document got this number.
    pub(crate) fn decide_document(&mut self, number: u64) {
        // Those between were added by other programs.
        if self.under_way.is_empty() {
            self.under_way.start = number;
        }
        self.under_way.end = number + 1;
    }

    /// Takes note that the new document with this number has arrived, and so have all before it.
    pub(crate) fn arrive_document(&mut self, number: u64) {
        self.under_way.start = self.under_way.start.max(number + 1);
    }

    /// Takes note that all of a batch has arrived. Batches arrive in their order.
    pub(crate) fn arrive(&mut self, batch: &MessageBatch) {
        for (partition, last) in batch.ends() {
            let progress = self.partitions.entry(partition).or_default();
            if last >= progress.arrived {
                (progress.arrived, progress.lines) = (last + 1, batch.lines);
            }
            progress.verdicts = progress.verdicts.split_off(&(last + 1));
        }
    }

    /// Begins a partition anew, because its topic is another one, or because nobody knows any more how far it was read.
    pub(crate) fn begin(&mut self, partition: &TopicPartition, offset: i64) {
        let anew = PartitionProgress { arrived: offset, ..PartitionProgress::default() };
        self.partitions.insert(partition.clone(), anew);
    }

    /// How many lines of a file have arrived, and their hash.
    pub(crate) fn arrived_lines(&self, partition: &TopicPartition) -> (i64, Option<LineHash>) {
        self.partitions.get(partition).map_or((0, None), |progress| (progress.arrived, progress.lines))
    }

    /// Whether a message has arrived.
    pub(crate) fn has_arrived(&self, partition: &TopicPartition, offset: i64) -> bool {
        self.partitions.get(partition).is_some_and(|progress| offset < progress.arrived)
    }

    /// The verdict of a message that is decided and has not arrived, if the index does not have it itself.
    pub(crate) fn verdict(&self, partition: &TopicPartition, offset: i64) -> Option<&MessageVerdict> {
        self.partitions.get(partition)?.verdicts.get(&offset)
    }

    /// The first offset of each partition that has not arrived.
    pub(crate) fn offsets(&self) -> Offsets {
        let offset = |(partition, progress): (&TopicPartition, &PartitionProgress)| {
            (partition.clone(), progress.arrived)
        };
        self.partitions.iter().map(offset).collect()
    }
}

#[cfg(test)]
mod tests;
