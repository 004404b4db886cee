//! `lookalike.columns`: functions over Arrow columns, row for row, on one thread.

use crate::arrow::Arrays;
use crate::error;
use crate::input::ColumnTexts;
use crate::plan::CheckedPlan;
use crate::table::{Column, Table};
use crate::wait::Run;
use arrow_array::builder::{BinaryBuilder, FixedSizeBinaryBuilder, Int64Builder, ListBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Float64Array};
use arrow_cast::cast;
use arrow_schema::DataType;
use arrow_select::concat::concat;
use lookalike::cluster::UnionFind;
use lookalike::compare::{Set, Verifier};
use lookalike::simhash::FingerprintParts;
use lookalike::sketch::band_keys;
use lookalike::{Bits, Fingerprinter, Method, Plan, Sketcher, Weighting, Weights};
use lookalike_batch::Error;
use lookalike_corpus::Texts;
use lookalike_engine::progress::Monitor;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// Rows between looks for Ctrl-C.
const BLOCK: usize = 256;

/// One value for each text: `what` is sketch, fingerprint, features or content.
#[pyfunction]
pub(crate) fn column_of_texts(
    py: Python<'_>,
    what: &str,
    column: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Column> {
    let texts = ColumnTexts::new(vec![Arrays::of(column)?], "text", None, None)?;
    let needed = if what == "fingerprint" { Method::SimHash } else { Method::MinHash };
    if matches!(what, "sketch" | "fingerprint") && plan.plan.method() != needed {
        let message = format!("{what} needs a plan of method {:?}", needed.name());
        return Err(error::plan(py, "method", message));
    }
    let weights = weights(plan);
    let plan = &plan.plan;
    run.wait(py, |monitor| match what {
        "sketch" => signatures(&texts, plan, monitor),
        "fingerprint" => fingerprints(&texts, plan, &weights, monitor),
        "features" => features(&texts, plan, monitor),
        _ => contents(&texts, plan, monitor),
    })
    .map(Column)
}

/// A column of texts. `None` is a null.
#[pyfunction]
pub(crate) fn column_of_list(texts: Vec<Option<String>>) -> Column {
    Column(Arc::new(texts.into_iter().collect::<arrow_array::LargeStringArray>()))
}

/// The weights of a plan, with the tables that it has.
fn weights(plan: &CheckedPlan) -> Weights {
    let request = plan.job().request;
    match (plan.plan.weighting(), request.frequencies, request.levels) {
        (Weighting::TfIdf, Some(frequencies), _) => Weights::TfIdf(frequencies),
        (Weighting::Levels, _, Some(levels)) => Weights::Levels(levels),
        (weighting, ..) => Weights::without_table(weighting).unwrap_or(Weights::Set),
    }
}

fn rows<'t>(texts: &'t ColumnTexts, monitor: &Monitor, mut each: impl FnMut(&'t str)) -> Result<(), Error> {
    for row in 0..texts.rows() {
        if row % BLOCK == 0 {
            monitor.interrupt.check()?;
        }
        each(texts.text(row).unwrap_or_default());
    }
    Ok(())
}

fn signatures(texts: &ColumnTexts, plan: &Plan, monitor: &Monitor) -> Result<ArrayRef, Error> {
    let mut sketcher = Sketcher::new(plan);
    let mut column = FixedSizeBinaryBuilder::with_capacity(texts.rows(), 4 * plan.num_perm() as i32);
    rows(texts, monitor, |text| {
        let sketch = sketcher.sketch(text);
        if sketch.features.is_empty() {
            return column.append_null();
        }
        let bytes: Vec<u8> = sketch.signature.iter().flat_map(|value| value.to_le_bytes()).collect();
        column.append_value(bytes).unwrap_or_else(|_| column.append_null());
    })?;
    Ok(Arc::new(column.finish()))
}

fn fingerprints(
    texts: &ColumnTexts,
    plan: &Plan,
    weights: &Weights,
    monitor: &Monitor,
) -> Result<ArrayRef, Error> {
    let (mut sketcher, mut fingerprinter) = (Sketcher::new(plan), Fingerprinter::new(plan, weights));
    let (mut narrow, mut wide) = (UInt64Builder::new(), FixedSizeBinaryBuilder::new(16));
    let is_narrow = plan.simhash().is_none_or(|simhash| simhash.bits == Bits::B64);
    rows(texts, monitor, |text| {
        let features = sketcher.features(text);
        let parts: FingerprintParts = fingerprinter.fingerprint(features).into();
        let value = Some(parts.value).filter(|_| !features.is_empty());
        if is_narrow {
            narrow.append_option(value.map(|value| value as u64));
            return;
        }
        match value {
            Some(value) => wide.append_value(value.to_be_bytes()).unwrap_or_else(|_| wide.append_null()),
            None => wide.append_null(),
        }
    })?;
    if is_narrow { Ok(Arc::new(narrow.finish())) } else { Ok(Arc::new(wide.finish())) }
}

fn features(texts: &ColumnTexts, plan: &Plan, monitor: &Monitor) -> Result<ArrayRef, Error> {
    let (mut sketcher, mut column) = (Sketcher::new(plan), BinaryBuilder::new());
    rows(texts, monitor, |text| {
        let mut features = sketcher.compared(text).to_vec();
        if features.is_empty() {
            return column.append_null();
        }
        features.sort_unstable();
        features.dedup();
        column.append_value(features.iter().flat_map(|feature| feature.to_le_bytes()).collect::<Vec<u8>>());
    })?;
    Ok(Arc::new(column.finish()))
}

fn contents(texts: &ColumnTexts, plan: &Plan, monitor: &Monitor) -> Result<ArrayRef, Error> {
    let (mut sketcher, mut column) = (Sketcher::new(plan), FixedSizeBinaryBuilder::new(16));
    rows(texts, monitor, |text| {
        let (features, content) = sketcher.features_and_content(text);
        if features.is_empty() {
            return column.append_null();
        }
        let [first, second, _] = content.to_parts();
        let bytes = [first.to_be_bytes(), second.to_be_bytes()].concat();
        column.append_value(bytes).unwrap_or_else(|_| column.append_null());
    })?;
    Ok(Arc::new(column.finish()))
}

/// The keys of the bands of signatures.
#[pyfunction]
pub(crate) fn column_of_band_keys(
    py: Python<'_>,
    signatures: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Column> {
    let signatures = binary(signatures)?;
    let plan = &plan.plan;
    if plan.method() != Method::MinHash {
        return Err(error::plan(py, "method", "band keys need a plan of method \"minhash\""));
    }
    check_sizes(&signatures, 4 * plan.num_perm())?;
    let banding = plan.banding();
    let keys = run.wait(py, |monitor| {
        let mut column = ListBuilder::new(Int64Builder::new());
        for row in 0..signatures.len() {
            if row % BLOCK == 0 {
                monitor.interrupt.check()?;
            }
            let values: Vec<u32> = numbers(signatures.as_binary::<i64>().value(row));
            if signatures.is_valid(row) {
                let keys = band_keys(banding.rows, &values).take(banding.bands);
                keys.for_each(|key| column.values().append_value(key as i64));
            }
            column.append(signatures.is_valid(row));
        }
        Ok(Arc::new(column.finish()) as ArrayRef)
    })?;
    Ok(Column(keys))
}

/// The exact similarity of two columns of features, or null below the threshold.
#[pyfunction]
pub(crate) fn column_of_similarities(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Column> {
    let (left, right) = both(left, right)?;
    let plan = &plan.plan;
    let mut verifier = Verifier::new(lookalike::Level::detect(), plan.measure(), plan.threshold());
    let of_row = |row: usize| {
        let [left, right] = [&left, &right].map(|column| numbers_of_64(column.as_binary::<i64>().value(row)));
        let set = |features| Set { features, weights: &[] };
        verifier.hold(set(&left)).reaches(set(&right)).map(|similarity| similarity.value())
    };
    of_pairs(py, run, [&left, &right], of_row)
}

/// The share of equal values of two columns of signatures.
#[pyfunction]
pub(crate) fn column_of_estimates(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    run: &Run,
) -> PyResult<Column> {
    let (left, right) = both(left, right)?;
    let of_row = |row: usize| {
        let [left, right] = [&left, &right].map(|column| numbers(column.as_binary::<i64>().value(row)));
        let equal = left.iter().zip(&right).filter(|(a, b)| a == b).count();
        (left.len() == right.len() && !left.is_empty()).then(|| equal as f64 / left.len() as f64)
    };
    of_pairs(py, run, [&left, &right], of_row)
}

/// A number for each row in which both columns have a value.
fn of_pairs(
    py: Python<'_>,
    run: &Run,
    columns: [&ArrayRef; 2],
    mut of_row: impl FnMut(usize) -> Option<f64> + Send,
) -> PyResult<Column> {
    let values = run.wait(py, |monitor| {
        let value = |row| {
            if row % BLOCK == 0 {
                monitor.interrupt.check()?;
            }
            Ok(if columns.iter().all(|column| column.is_valid(row)) { of_row(row) } else { None })
        };
        (0..columns[0].len()).map(value).collect::<Result<Float64Array, Error>>()
    })?;
    Ok(Column(Arc::new(values)))
}

/// The connected components of edges: every id, and the least id of its component.
#[pyfunction]
pub(crate) fn table_of_clusters(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    run: &Run,
) -> PyResult<Table> {
    let (a, b) = (whole(a)?, whole(b)?);
    if a.len() != b.len() {
        return Err(unequal(a.len(), b.len()));
    }
    let is_number = a.data_type().is_integer() && b.data_type().is_integer();
    let kind = if is_number { DataType::Int64 } else { DataType::Utf8 };
    let (a, b) = (cast(&a, &kind).map_err(failed)?, cast(&b, &kind).map_err(failed)?);
    if a.null_count() + b.null_count() > 0 {
        return Err(PyValueError::new_err("ids must not be null"));
    }
    run.wait(py, move |_| {
        Ok(if is_number {
            let [a, b] = [&a, &b].map(|ids| ids.as_primitive::<Int64Type>().values().to_vec());
            let (ids, clusters) = components(&a, &b);
            let [ids, clusters] = [ids, clusters].map(arrow_array::Int64Array::from);
            Table::of_columns(vec![("id", Arc::new(ids)), ("cluster", Arc::new(clusters))])
        } else {
            let texts = |ids: &ArrayRef| ids.as_string::<i32>().iter().flatten().map(str::to_owned).collect();
            let [a, b]: [Vec<String>; 2] = [texts(&a), texts(&b)];
            let (ids, clusters) = components(&a, &b);
            let [ids, clusters] = [ids, clusters].map(arrow_array::StringArray::from);
            Table::of_columns(vec![("id", Arc::new(ids)), ("cluster", Arc::new(clusters))])
        })
    })
}

/// The ids in ascending order, and the least id of the component of each.
fn components<Id: Ord + Clone + std::hash::Hash>(a: &[Id], b: &[Id]) -> (Vec<Id>, Vec<Id>) {
    let mut ids: Vec<Id> = a.iter().chain(b).cloned().collect();
    ids.sort_unstable();
    ids.dedup();
    let places: HashMap<&Id, u32> = ids.iter().zip(0..).collect();
    let mut sets = UnionFind::new(ids.len());
    for (a, b) in a.iter().zip(b) {
        sets.unite(places[a], places[b]);
    }
    let roots = sets.roots();
    let clusters = roots.into_iter().map(|root| ids[root as usize].clone()).collect();
    (ids, clusters)
}

/// A column in one piece.
fn whole(column: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let Arrays { kind, pieces } = Arrays::of(column)?;
    let pieces: Vec<&dyn Array> = pieces.iter().map(AsRef::as_ref).collect();
    if pieces.is_empty() {
        return Ok(arrow_array::new_empty_array(&kind));
    }
    concat(&pieces).map_err(failed)
}

/// A column of bytes.
fn binary(column: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let column = whole(column)?;
    let kind = column.data_type();
    if !matches!(
        kind,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_)
    ) {
        return Err(error::wrong_type(format!("the column has type {kind}, and bytes are needed")));
    }
    cast(&column, &DataType::LargeBinary).map_err(failed)
}

/// Two columns of bytes of equal length.
fn both(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) -> PyResult<(ArrayRef, ArrayRef)> {
    let (left, right) = (binary(left)?, binary(right)?);
    if left.len() != right.len() {
        return Err(unequal(left.len(), right.len()));
    }
    Ok((left, right))
}

/// Refuses signatures of another size than the plan's.
fn check_sizes(signatures: &ArrayRef, size: usize) -> PyResult<()> {
    let signatures = signatures.as_binary::<i64>();
    let other =
        (0..signatures.len()).find(|&row| signatures.is_valid(row) && signatures.value(row).len() != size);
    other.map_or(Ok(()), |row| {
        let length = signatures.value(row).len();
        let message = format!("row {row} has {length} bytes, and a signature of the plan has {size}");
        Err(PyValueError::new_err(message))
    })
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

fn numbers_of_64(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect()
}

fn unequal(left: usize, right: usize) -> PyErr {
    PyValueError::new_err(format!("the columns have {left} and {right} rows"))
}

fn failed(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
