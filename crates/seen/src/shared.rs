//! What all threads share.

use super::check::TextChecker;
use super::clusters::StoredClusters;
use super::meter::Meter;
use super::waiting::WaitingChanges;
use lookalike_index::DocumentEncoder;
use lookalike_index::live::IndexReader;
use std::sync::{Arc, Mutex};

/// What all threads share, besides the way to the sequencer.
#[derive(Debug)]
pub(super) struct SharedSeen {
    pub(super) reader: IndexReader,
    pub(super) checker: TextChecker,
    pub(super) encoder: DocumentEncoder,
    /// The clusters that are on the disk.
    pub(super) clusters: StoredClusters,
    pub(super) waiting: WaitingChanges,
    pub(super) meter: Arc<dyn Meter>,
    /// Why the last change could not be written, if it could not.
    pub(super) failure: Mutex<Option<String>>,
}
