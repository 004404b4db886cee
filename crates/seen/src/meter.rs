//! What can be measured while an index answers.

use super::check::Checked;
use std::fmt;
use std::time::Duration;

/// Is told what happens in an index, on the threads that do it. It must not take long.
pub trait Meter: fmt::Debug + Send + Sync {
    /// A text that is to be added was compared with the documents that are on the disk.
    fn compared(&self, checked: &Checked);

    /// So many changes were written to the disk together. That took this `time`, with the wait until they were there.
    fn synced(&self, changes: u64, time: Duration);
}

/// Measures nothing.
impl Meter for () {
    fn compared(&self, _: &Checked) {}

    fn synced(&self, _: u64, _: Duration) {}
}
