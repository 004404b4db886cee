//! Messages on their way.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Messages of a batch, at most: as many as `seen` decides together.
const BATCH_MESSAGES: usize = lookalike_seen::MOST_TOGETHER;

/// Bytes of a batch from which on it is full.
const BATCH_BYTES: usize = 1 << 20;

/// A partition of a topic. A file is a topic with one partition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TopicPartition {
    pub(crate) topic: Arc<str>,
    pub(crate) number: i32,
}

/// A message of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'b> {
    pub(crate) partition: &'b TopicPartition,
    /// In a file it is the number of the line, from 0 on.
    pub(crate) offset: i64,
    pub(crate) key: Option<&'b [u8]>,
    /// Without a value it removes the document that has its key as the id.
    pub(crate) value: Option<&'b [u8]>,
}

/// Messages that are decided together: all of them have values, or none has. Their bytes are in one piece of memory.
#[derive(Debug, Default)]
pub(crate) struct MessageBatch {
    bytes: Vec<u8>,
    partitions: Vec<TopicPartition>,
    places: Vec<MessagePlace>,
    /// In a batch of a file, the [`LineHash`] of all lines up to the last message.
    pub(crate) lines: Option<LineHash>,
}

/// A hash of the first lines of a file, which tells whether the file is still the same as far as it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LineHash(u64);

impl LineHash {
    /// The hash with one more line. The end of the line does not count: the last line of a file may get it later.
    pub(crate) fn with(self, line: &[u8]) -> Self {
        LineHash(xxh3_64_with_seed(line.trim_ascii_end(), self.0))
    }
}

#[derive(Debug)]
struct MessagePlace {
    /// Its place in `partitions`.
    partition: usize,
    offset: i64,
    key: Option<Range<usize>>,
    value: Option<Range<usize>>,
}

impl MessageBatch {
    /// Whether a message with or without a value must go to the next batch.
    pub(crate) fn is_full_for(&self, has_value: bool) -> bool {
        let is_of_other_kind = self.places.last().is_some_and(|last| last.value.is_some() != has_value);
        is_of_other_kind || self.places.len() >= BATCH_MESSAGES || self.bytes.len() >= BATCH_BYTES
    }

    pub(crate) fn push(&mut self, message: Message<'_>) {
        let Message { partition, offset, key, value } = message;
        let known = self.partitions.iter().rposition(|known| known == partition);
        let partition = known.unwrap_or_else(|| {
            self.partitions.push(partition.clone());
            self.partitions.len() - 1
        });
        let [key, value] = [key, value].map(|bytes| bytes.map(|bytes| self.put(bytes)));
        self.places.push(MessagePlace { partition, offset, key, value });
    }

    fn put(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn message(&self, number: usize) -> Message<'_> {
        let MessagePlace { partition, offset, ref key, ref value } = self.places[number];
        let of = |range: &Option<Range<usize>>| range.clone().map(|range| &self.bytes[range]);
        Message { partition: &self.partitions[partition], offset, key: of(key), value: of(value) }
    }

    pub(crate) fn messages(&self) -> impl Iterator<Item = Message<'_>> {
        (0..self.len()).map(|number| self.message(number))
    }

    /// The last offset of each partition.
    pub(crate) fn ends(&self) -> Vec<(TopicPartition, i64)> {
        let end = |(number, partition): (usize, &TopicPartition)| {
            let last = self.places.iter().rfind(|place| place.partition == number)?;
            Some((partition.clone(), last.offset))
        };
        self.partitions.iter().enumerate().filter_map(end).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_gives_back_what_was_put_in_and_has_messages_of_one_kind() {
        let partition = |number| TopicPartition { topic: "t".into(), number };
        let (p0, p1) = (partition(0), partition(1));
        let message = |partition, offset, key, value| Message { partition, offset, key, value };
        let mut batch = MessageBatch::default();
        batch.push(message(&p0, 5, Some(&b"k"[..]), Some(&b"first"[..])));
        batch.push(message(&p1, 2, None, Some(&b""[..])));
        batch.push(message(&p0, 9, None, Some(&b"third"[..])));
        let first = batch.message(0);
        assert_eq!(
            (first.partition, first.offset, first.key, first.value),
            (&p0, 5, Some(&b"k"[..]), Some(&b"first"[..]))
        );
        let places: Vec<_> =
            batch.messages().map(|message| (message.partition.number, message.offset)).collect();
        assert_eq!(places, [(0, 5), (1, 2), (0, 9)]);
        let last = batch.message(2);
        assert_eq!((last.key, last.value), (None, Some(&b"third"[..])));
        assert_eq!(batch.ends(), [(p0, 9), (p1, 2)]);
        assert!(batch.is_full_for(false) && !batch.is_full_for(true));
    }
}
