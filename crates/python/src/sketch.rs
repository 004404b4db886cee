//! `sketch`: the signature or the fingerprint of every document.

use crate::input::Source;
use crate::plan::CheckedPlan;
use crate::table::Table;
use crate::wait::Run;
use arrow_array::{ArrayRef, FixedSizeBinaryArray, StringArray, UInt64Array};
use arrow_buffer::{Buffer, NullBuffer};
use lookalike::{Bits, Plan};
use lookalike_batch::{ListOutput, WriteSketches};
use lookalike_report::ReturnedSketches;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// Sketches every document. Returns the table and the summary as JSON.
#[pyfunction]
pub(crate) fn sketch(
    py: Python<'_>,
    source: &Source,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<(Table, String)> {
    let mut job = plan.job(py)?;
    source.read_by(&mut job);
    run.limit(&mut job);
    let sketches =
        WriteSketches { job, output: ListOutput::Returned { ids: source.is_files() }, hashes: None };
    let (summary, sketched) = run.wait(py, |monitor| {
        let mut summary = sketches.run(monitor)?.publish(monitor)?;
        let sketched = summary.returned.take().unwrap_or_default();
        Ok((serde_json::to_string(&summary).unwrap_or_default(), sketched))
    })?;
    let sketched = Arc::try_unwrap(sketched).unwrap_or_default();
    let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
    columns.extend(source.ids()?.map(|ids| ("id", ids)));
    if source.is_files() {
        let ids = sketched.ids.iter().map(Some);
        columns.push(("id", Arc::new(ids.collect::<StringArray>())));
    }
    columns.push(column(plan.plan(py)?, sketched)?);
    let metadata = HashMap::from([("lookalike.plan".to_owned(), plan.plan(py)?.id().to_string())]);
    Ok((Table::described(columns, metadata), summary))
}

/// The column of sketches. Documents without features have none.
fn column(plan: &Plan, sketched: ReturnedSketches) -> PyResult<(&'static str, ArrayRef)> {
    let valid = Some(NullBuffer::from(sketched.has_features));
    let binary = |size: usize, bytes: Vec<u8>| {
        let array = FixedSizeBinaryArray::try_new(size as i32, Buffer::from(bytes), valid.clone());
        array
            .map(|array| Arc::new(array) as ArrayRef)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    };
    match plan.simhash() {
        None => {
            let bytes = sketched.signatures.iter().flat_map(|value| value.to_le_bytes()).collect();
            Ok(("signature", binary(4 * plan.num_perm(), bytes)?))
        }
        Some(simhash) if simhash.bits == Bits::B64 => {
            let values: Vec<u64> = sketched.fingerprints.iter().map(|&value| value as u64).collect();
            Ok(("fingerprint", Arc::new(UInt64Array::new(values.into(), valid))))
        }
        Some(_) => {
            let bytes = sketched.fingerprints.iter().flat_map(|value| value.to_be_bytes()).collect();
            Ok(("fingerprint", binary(16, bytes)?))
        }
    }
}
