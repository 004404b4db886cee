//! What is written of a record.

use super::annotation::Annotation;
use crate::Place;

/// What is written of each record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The record as it is.
    Copy,
    /// The record and its [`Annotation`].
    Annotate {
        /// What the field of [`Annotation::score`] is called.
        score: &'static str,
    },
}

impl Mode {
    /// What the field of [`Annotation::score`] is called, if there is one.
    pub(crate) fn score(self) -> &'static str {
        match self {
            Mode::Copy => "",
            Mode::Annotate { score } => score,
        }
    }
}

/// The records of a chunk that are to be written, in order.
#[derive(Debug, Clone, Copy)]
pub enum KeptRows<'a> {
    /// For [`Mode::Copy`].
    Copied(&'a [Place]),
    /// For [`Mode::Annotate`].
    Annotated(&'a [(Place, Annotation<'a>)]),
}
