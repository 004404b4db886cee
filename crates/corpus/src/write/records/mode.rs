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
    /// The record with another text, if it gets one.
    Edit,
}

impl RecordMode {
    /// The name of the field for [`Annotation::score`], or an empty name in another mode.
    pub(crate) fn score(self) -> &'static str {
        match self {
            RecordMode::Copy | RecordMode::Edit => "",
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
    /// For [`RecordMode::Edit`]: each with its new text, or `None` if its text stays.
    Edited(&'a [(Place, Option<String>)]),
}

impl KeptRows<'_> {
    /// Whether no record is written.
    pub(crate) fn is_empty(self) -> bool {
        match self {
            KeptRows::Copied(rows) => rows.is_empty(),
            KeptRows::Annotated(rows) => rows.is_empty(),
            KeptRows::Edited(rows) => rows.is_empty(),
        }
    }

    /// The places of the records.
    pub(crate) fn places(self) -> Vec<Place> {
        match self {
            KeptRows::Copied(rows) => rows.to_vec(),
            KeptRows::Annotated(rows) => rows.iter().map(|(place, _)| *place).collect(),
            KeptRows::Edited(rows) => rows.iter().map(|(place, _)| *place).collect(),
        }
    }
}
