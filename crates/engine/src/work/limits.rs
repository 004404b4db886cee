//! The memory that this process may take: the machine's, or less if a container or the shell sets a limit.

use crate::work::least_memory;
use crate::work::platform::{limits, machine_memory};

/// A limit on the memory of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    /// Bytes that the process may still take.
    pub bytes: u64,
    /// Who sets the limit, such as `ulimit -v`.
    pub set_by: &'static str,
}

/// The lowest limit on this process, which will have `threads` threads. `None` if there is none, or if the system does
/// not say.
pub fn memory_limit(threads: usize) -> Option<MemoryLimit> {
    limits(threads).min_by_key(|limit| limit.bytes)
}

/// The memory that a run with so many threads takes by default: three quarters of what the machine has, or of what a
/// container or `ulimit` allows. `None` if the system does not say.
pub fn default_memory(threads: usize) -> Option<u64> {
    let limit = memory_limit(threads).map(|limit| limit.bytes);
    let allowed = limit.into_iter().chain(machine_memory()).min();
    // At least what the threads need to begin. A run over few documents takes less.
    allowed.map(|allowed| (allowed / 4 * 3).max(least_memory(threads)))
}
