//! All pairs of candidates of a `MinHashLSH` at once.

use super::lsh::LshTables;
use crate::table::Table;
use crate::wait::Run;
use arrow_array::{ArrayRef, Float64Array, UInt64Array};
use lookalike_batch::Error;
use lookalike_engine::progress::Unit;
use pyo3::prelude::*;
use std::sync::Arc;

/// The pairs that share a band: positions of insertion, and estimates. With a `threshold`, estimates reach it.
#[pyfunction]
pub(crate) fn lsh_pairs(
    py: Python<'_>,
    tables: &LshTables,
    threshold: Option<f64>,
    limit: usize,
    run: &Run,
) -> PyResult<Table> {
    let pairs = run.wait(py, |monitor| {
        let lsh = tables.lock_detached();
        if lsh.scheme().is_none() {
            return Ok(Vec::new());
        }
        let stage = monitor.stage("pairs", Unit::Documents, Some(lsh.bands() as u64));
        let found = |pairs: usize| {
            monitor.interrupt.check()?;
            if pairs > limit {
                return Err(Error::MorePairs { pairs: pairs as u64, limit: limit as u64 });
            }
            Ok(())
        };
        lsh.pairs(threshold, || stage.inc(1), found)
    })?;
    let a: UInt64Array = pairs.iter().map(|pair| pair.0).collect::<Vec<_>>().into();
    let b: UInt64Array = pairs.iter().map(|pair| pair.1).collect::<Vec<_>>().into();
    let estimates: Float64Array = pairs.iter().map(|pair| pair.2).collect::<Vec<_>>().into();
    let columns: [(&str, ArrayRef); 3] =
        [("a", Arc::new(a)), ("b", Arc::new(b)), ("estimate", Arc::new(estimates))];
    Ok(Table::of_columns(columns.into()))
}
