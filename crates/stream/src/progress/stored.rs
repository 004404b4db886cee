//! The form of progress as the payload of a commit: JSON.
//!
//! ```json
//! {"lookalike_stream": 1, "files": {"/data/unique.jsonl": 81420}, "under_way": {"start": 770, "end": 782}, "left": [], "groups": {"GROUP": [
//!     {"topic": "pages", "partition": 0, "arrived": 1024, "verdicts": {"1030": {"Duplicate": {"of": "page-7", "similarity": 0.93}}}}]}}
//! ```

use super::{FileLengths, LEFT_BEHIND, PartitionProgress, StreamProgress};
use crate::batch::{LineHash, TopicPartition};
use crate::verdict::MessageVerdict;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The version of the form.
const VERSION: u32 = 1;

/// The progress of other groups, by their names.
pub(super) type OtherGroups = BTreeMap<String, Vec<StoredPartition<'static>>>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredPartition<'p> {
    topic: Cow<'p, str>,
    partition: i32,
    arrived: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<LineHash>,
    verdicts: Cow<'p, BTreeMap<i64, MessageVerdict>>,
}

impl<'p> StoredPartition<'p> {
    fn of((partition, progress): (&'p TopicPartition, &'p PartitionProgress)) -> Self {
        StoredPartition {
            topic: Cow::Borrowed(&partition.topic),
            partition: partition.number,
            arrived: progress.arrived,
            lines: progress.lines,
            verdicts: Cow::Borrowed(&progress.verdicts),
        }
    }
}

#[derive(Debug, Serialize)]
struct WrittenProgress<'p> {
    lookalike_stream: u32,
    files: &'p FileLengths,
    under_way: Range<u64>,
    left: &'p [Range<u64>],
    groups: BTreeMap<&'p str, Cow<'p, [StoredPartition<'p>]>>,
}

#[derive(Debug, Deserialize)]
struct ReadProgress {
    lookalike_stream: u32,
    #[serde(default)]
    files: FileLengths,
    #[serde(default)]
    under_way: Range<u64>,
    #[serde(default)]
    left: Vec<Range<u64>>,
    groups: BTreeMap<String, Vec<StoredPartition<'static>>>,
}

/// The payload of an index is not progress of this version.
#[derive(Debug, thiserror::Error)]
#[error("the index has progress of another version of this program, or of another program: {0}")]
pub(crate) struct OtherProgress(String);

impl StreamProgress {
    /// Reads the progress of `group` from the payload of an index, if it has one.
    pub(crate) fn read(payload: Option<&[u8]>, group: &str) -> Result<Self, OtherProgress> {
        let Some(payload) = payload else { return Ok(StreamProgress::default()) };
        let read: ReadProgress =
            serde_json::from_slice(payload).map_err(|error| OtherProgress(error.to_string()))?;
        if read.lookalike_stream != VERSION {
            return Err(OtherProgress(format!("version {}", read.lookalike_stream)));
        }
        let ReadProgress { groups: mut others, files, under_way, mut left, .. } = read;
        if !under_way.is_empty() {
            left.push(under_way);
            left.drain(..left.len().saturating_sub(LEFT_BEHIND));
        }
        let partitions = others.remove(group).unwrap_or_default().into_iter().map(|stored| {
            let partition = TopicPartition { topic: stored.topic.as_ref().into(), number: stored.partition };
            let StoredPartition { arrived, lines, verdicts, .. } = stored;
            (partition, PartitionProgress { arrived, lines, verdicts: verdicts.into_owned() })
        });
        Ok(StreamProgress { partitions: partitions.collect(), files, under_way: 0..0, left, others })
    }

    /// The payload that has it as the progress of `group`.
    pub(crate) fn payload(&self, group: &str) -> Vec<u8> {
        let own: Vec<StoredPartition<'_>> = self.partitions.iter().map(StoredPartition::of).collect();
        let others =
            self.others.iter().map(|(group, partitions)| (&group[..], Cow::Borrowed(&partitions[..])));
        let groups = others.chain([(group, Cow::Owned(own))]).collect();
        // Numbers, texts and finite similarities can be written.
        serde_json::to_vec(&WrittenProgress {
            lookalike_stream: VERSION,
            files: &self.files,
            under_way: self.under_way.clone(),
            left: &self.left,
            groups,
        })
        .unwrap_or_default()
    }
}
