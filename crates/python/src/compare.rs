//! `compare`: two texts by every measure.

use crate::plan::CheckedPlan;
use crate::table::Table;
use crate::wait::Run;
use arrow_array::{ArrayRef, UInt64Array};
use lookalike_batch::{Compare, TwoTexts};
use lookalike_report::{ComparedTexts, NamedText};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Compares two texts.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    a: String,
    b: String,
    time_limit: f64,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Comparison> {
    let time_limit = Duration::try_from_secs_f64(time_limit).map_err(|_| {
        PyValueError::new_err(format!("time_limit is {time_limit}; it must be from 0 seconds"))
    })?;
    let text = |name: &str, text| NamedText { name: name.to_owned(), text };
    let mut job = plan.job(py)?;
    run.limit(&mut job);
    let pair = TwoTexts::Texts([text("a", a), text("b", b)]);
    let compare = Compare { job, pair, time_limit, output: None };
    let compared = run.wait(py, |monitor| compare.run(monitor)?.publish(monitor))?;
    Ok(Comparison { compared, plan: plan.plan(py)?.clone() })
}

/// Two texts compared.
#[pyclass(frozen, name = "ComparedTexts")]
pub(crate) struct Comparison {
    compared: ComparedTexts,
    plan: lookalike::Plan,
}

#[pymethods]
impl Comparison {
    /// All figures as JSON, as `lookalike compare --format json` prints them.
    fn json(&self) -> PyResult<String> {
        self.compared.to_json(&self.plan).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The page that `lookalike compare --format html` prints.
    fn html(&self) -> String {
        self.compared.page(&self.plan).to_html()
    }

    /// The passages that both texts have, by their characters.
    fn passages(&self) -> Table {
        let passages = &self.compared.passages.passages;
        let column = |value: fn(&lookalike::compare::Passage) -> usize| -> ArrayRef {
            Arc::new(passages.iter().map(|passage| Some(value(passage) as u64)).collect::<UInt64Array>())
        };
        Table::of_columns(vec![
            ("a_start", column(|passage| passage.left.chars.start)),
            ("a_end", column(|passage| passage.left.chars.end)),
            ("b_start", column(|passage| passage.right.chars.start)),
            ("b_end", column(|passage| passage.right.chars.end)),
            ("words", column(lookalike::compare::Passage::tokens)),
        ])
    }
}
