//! The nearest safe thing on systems that are not Unix.

use std::io::Write;

/// Changes nothing: no signal ends a process whose files grow too long.
pub(crate) fn prepare() {}

/// Changes nothing: when freed memory goes back to the system is unknown.
pub(crate) fn give_memory_back() {}

/// The limit on open files: none is known.
pub(crate) fn raise_open_files() -> Option<u64> {
    None
}

/// Writes `message` to standard error and ends the process.
pub(crate) fn end_process(code: i32, message: &[u8]) -> ! {
    let _ = std::io::stderr().write_all(message);
    std::process::exit(code)
}
