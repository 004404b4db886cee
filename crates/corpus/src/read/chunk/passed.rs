//! A record that is too long to keep.

/// A record that was skipped because it was too long to keep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed {
    pub(in crate::read) length: u64,
    /// The number of its lines.
    pub(in crate::read) lines: u32,
}
