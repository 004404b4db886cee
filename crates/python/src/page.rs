//! The report page of a run that was not made here.

use crate::plan::CheckedPlan;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The page of what Spark has found by a plan. `found` is JSON, and the page is HTML.
#[pyfunction]
pub(crate) fn found_page(py: Python<'_>, found: &str, plan: &CheckedPlan) -> PyResult<String> {
    let plan = plan.plan(py)?;
    py.detach(|| lookalike_report::found_page(found, plan))
        .map_err(|error| PyValueError::new_err(format!("no page can be made of this: {error}")))
}
