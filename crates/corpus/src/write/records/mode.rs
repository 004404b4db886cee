//! Copying records, or annotating them.

use super::annotation::Annotation;
use crate::Place;

/// The form in which each record is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordMode {
    /// The record unchanged.
    Copy,
    /// The record and its [`Annotation`].
    Annotate {
        /// The name of the field for [`Annotation::score`].
        score: &'static str,
    },
}

impl RecordMode {
    /// The name of the field for [`Annotation::score`], or an empty name in [`RecordMode::Copy`].
    pub(crate) fn score(self) -> &'static str {
        match self {
            RecordMode::Copy => "",
            RecordMode::Annotate { score } => score,
        }
    }
}

/// The records of a chunk that are written, in order.
#[derive(Debug, Clone, Copy)]
pub enum KeptRows<'a> {
    /// For [`RecordMode::Copy`].
    Copied(&'a [Place]),
    /// For [`RecordMode::Annotate`].
    Annotated(&'a [(Place, Annotation<'a>)]),
}
