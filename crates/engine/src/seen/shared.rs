//! What all threads share.

use super::check::Checker;
use super::sketched::Sketchers;
use lookalike::Plan;
use lookalike_index::live::Reader;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

/// What all threads share, besides the way to the sequencer.
#[derive(Debug)]
pub(super) struct SharedSeen {
    pub(super) plan: Arc<Plan>,
    pub(super) reader: Reader,
    pub(super) sketchers: Sketchers,
    pub(super) checker: Checker,
    /// Changes that wait for the sequencer.
    pub(super) waiting: AtomicUsize,
    /// Why the last change could not be written, if it could not.
    pub(super) failure: Mutex<Option<String>>,
}
