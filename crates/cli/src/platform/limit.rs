//! A limit on the memory of this process.

/// A limit on the memory of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryLimit {
    /// Bytes that the process may still take.
    pub(crate) bytes: u64,
    /// Who sets the limit, such as `ulimit -v`.
    pub(crate) set_by: &'static str,
}
