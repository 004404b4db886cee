//! Errors, as the exceptions of the package. Their classes are in `python/lookalike/_errors.py`.

use lookalike::PlanError;
use lookalike_batch::Error;
use lookalike_corpus::Error as CorpusError;
use lookalike_engine::index::Error as IndexError;
use lookalike_engine::{Error as EngineError, ErrorKind};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;

/// An exception of the package, by the name of its class.
fn raised(py: Python<'_>, class: &str, arguments: impl for<'py> pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py.import("lookalike._errors").and_then(|module| module.getattr(class)?.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The exception of a job that failed.
pub(crate) fn of_job(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Plan(error) => of_plan(py, error),
        Error::Engine(error) => of_engine(py, error),
        Error::MorePairs { .. } => too_many_pairs(py, error.to_string()),
        _ => of_kind(py, error.kind(), error.to_string(), None),
    }
}

/// The exception of options that give no plan.
pub(crate) fn of_plan(py: Python<'_>, error: &PlanError) -> PyErr {
    let option = match error {
        PlanError::OutOfRange { option, .. } => option,
        PlanError::Banding { .. } => "bands",
        PlanError::FeatureHash => "feature_hash",
        PlanError::FoldedWhitespace => "fold",
        PlanError::StopWords { .. } | PlanError::StopCharacters => "stop_words",
        PlanError::JiebaWords | PlanError::JiebaLine { .. } => "jieba_dict",
        PlanError::ExactWeights => "method",
        PlanError::EstimatedMethod | PlanError::EstimatedMeasure { .. } => "verify",
        PlanError::FrequentWords => "drop_frequent",
        PlanError::PrunedFrequencies { .. } => "frequencies",
        _ => "",
    };
    plan(py, option, error.to_string())
}

/// A `PlanError` with a message about an option.
pub(crate) fn plan(py: Python<'_>, option: &str, message: impl Into<String>) -> PyErr {
    raised(py, "PlanError", (message.into(), option))
}

/// The exception of the engine.
pub(crate) fn of_engine(py: Python<'_>, error: &EngineError) -> PyErr {
    let message = error.to_string();
    match error {
        EngineError::Plan(error) => of_plan(py, error),
        EngineError::TooManyPairs { .. } => too_many_pairs(py, message),
        EngineError::Strict { place, .. } | EngineError::NoDocument { place, .. } => {
            input(py, message, Some(place))
        }
        EngineError::Unusable { file, .. } => input(py, message, Some(file)),
        EngineError::Index(IndexError::Busy { .. }) => raised(py, "IndexLocked", (message,)),
        EngineError::Corpus(CorpusError::Read { path, .. }) => {
            input(py, message, Some(&path.to_string_lossy()))
        }
        EngineError::Corpus(CorpusError::UnreadableText { source, .. }) => {
            let raised = source.downcast_ref::<PyErr>().map(|error| error.clone_ref(py));
            raised.unwrap_or_else(|| input(py, message, None))
        }
        EngineError::Corpus(CorpusError::Missing { name }) => input(py, message, Some(name)),
        _ => of_kind(py, error.kind(), message, None),
    }
}

fn of_kind(py: Python<'_>, kind: ErrorKind, message: String, place: Option<&str>) -> PyErr {
    match kind {
        ErrorKind::Usage => plan(py, "", message),
        ErrorKind::Input => input(py, message, place),
        ErrorKind::Output => output(py, message),
        ErrorKind::Damaged => raised(py, "IndexDamaged", (message,)),
        _ => raised(py, "LookalikeError", (message,)),
    }
}

/// An `InputError`. `place` is a file, or a file and a line behind a colon.
pub(crate) fn input(py: Python<'_>, message: String, place: Option<&str>) -> PyErr {
    let (file, line) = match place.and_then(|place| place.rsplit_once(':')) {
        Some((file, line)) if line.parse::<u64>().is_ok() => (Some(file), line.parse().ok()),
        _ => (place, None::<u64>),
    };
    raised(py, "InputError", (message, file, line))
}

/// An `OutputError`.
pub(crate) fn output(py: Python<'_>, message: String) -> PyErr {
    raised(py, "OutputError", (message,))
}

/// An exception for more pairs than a list should have.
fn too_many_pairs(py: Python<'_>, message: String) -> PyErr {
    raised(py, "TooManyPairs", (message,))
}

/// An exception for sketches or tables that were made in different ways.
pub(crate) fn incompatible(py: Python<'_>, message: String) -> PyErr {
    raised(py, "Incompatible", (message,))
}

/// An exception for a value of the wrong type.
pub(crate) fn wrong_type(message: impl Into<String>) -> PyErr {
    PyTypeError::new_err(message.into())
}

/// An exception for a column that a table does not have.
pub(crate) fn no_column(name: &str, columns: &[String]) -> PyErr {
    PyKeyError::new_err(format!("no column {name:?}; the columns are {}", columns.join(", ")))
}
