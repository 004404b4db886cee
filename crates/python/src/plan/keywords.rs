//! The options of a plan, as keywords of Python.

use lookalike::text::Fold;
use lookalike::{Plan, Verification, Weighting};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The options without those that are `None`. What can be read only once becomes a tuple.
pub(super) fn repeatable<'py>(
    py: Python<'py>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let copy = PyDict::new(py);
    for (name, value) in options.into_iter().flatten().filter(|(_, value)| !value.is_none()) {
        let is_words =
            (name.eq("stop_words")? || name.eq("fold")?) && !value.is_instance_of::<pyo3::types::PyString>();
        // Their order counts.
        let is_lines = name.eq("jieba_dict")? && !value.is_instance_of::<pyo3::types::PyString>();
        match value.try_iter() {
            Ok(lines) if is_lines => {
                copy.set_item(name, PyTuple::new(py, lines.collect::<PyResult<Vec<_>>>()?)?)?;
            }
            Ok(words) if is_words => {
                let mut words = words.collect::<PyResult<Vec<_>>>()?;
                // A set has no order of its own.
                if words.iter().all(|word| word.is_instance_of::<pyo3::types::PyString>()) {
                    words.sort_by_key(ToString::to_string);
                }
                copy.set_item(name, PyTuple::new(py, words)?)?;
            }
            _ => copy.set_item(name, value)?,
        }
    }
    Ok(copy)
}

/// The options that make a plan. Its stop words are known by their hashes only, so they are not among them.
pub(super) fn options_of<'py>(py: Python<'py>, plan: &Plan) -> PyResult<Bound<'py, PyDict>> {
    let options = PyDict::new(py);
    if !plan.decides_by_distance() {
        options.set_item("threshold", plan.threshold())?;
        options.set_item("measure", plan.measure().name())?;
    }
    options.set_item("tokens", plan.tokens().name())?;
    if !plan.folds().is_empty() {
        options.set_item("fold", plan.folds().iter().map(Fold::name).collect::<Vec<_>>().join(","))?;
    }
    if let Some(words) = plan.jieba_words() {
        options.set_item("jieba_dict", PyTuple::new(py, words.lines())?)?;
    }
    options.set_item("shingle", plan.shingle())?;
    options.set_item("seed", plan.seed())?;
    if plan.weighting() != Weighting::Set {
        options.set_item("weights", plan.weighting().name())?;
    }
    options.set_item("method", plan.method().name())?;
    if let Some(simhash) = plan.simhash() {
        options.set_item("verify", simhash.verified)?;
        options.set_item("hamming", simhash.hamming)?;
        options.set_item("bits", simhash.bits.count())?;
        options.set_item("tie", simhash.tie.name())?;
        options.set_item("feature_hash", plan.feature_hash().name())?;
    } else {
        if plan.estimates() {
            options.set_item("verify", Verification::Estimate.name())?;
        }
        options.set_item("num_perm", plan.num_perm())?;
        options.set_item("bands", plan.banding().bands)?;
        options.set_item("rows", plan.banding().rows)?;
        options.set_item("recall", plan.recall())?;
        options.set_item("scheme", plan.scheme().name())?;
    }
    Ok(options)
}
