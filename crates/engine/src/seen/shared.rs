//! What all threads share.

use super::check::Checker;
use lookalike_index::live::Reader;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

/// What all threads share, besides the way to the sequencer.
#[derive(Debug)]
pub(super) struct SharedSeen {
    pub(super) reader: Reader,
    pub(super) checker: Checker,
    /// Changes that wait for the sequencer.
    pub(super) waiting: AtomicUsize,
    /// Why the last change could not be written, if it could not.
    pub(super) failure: Mutex<Option<String>>,
}
