//! Connected components of edges.

use super::arrays::{failed, unequal, whole};
use crate::table::Table;
use crate::wait::Run;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_cast::cast;
use arrow_schema::DataType;
use lookalike::cluster::UnionFind;
use lookalike_batch::Error;
use lookalike_engine::progress::Interrupt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// Edges or ids between looks for Ctrl-C.
const AT_ONCE: usize = 1 << 16;

/// Ids of a sample, by which `AT_ONCE` ids are parted from the next ones.
const PARTS_OF_PIECE: usize = 64;

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
    run.wait(py, move |monitor| {
        let interrupt = &monitor.interrupt;
        Ok(if is_number {
            let [a, b] = [&a, &b].map(|ids| &ids.as_primitive::<Int64Type>().values()[..]);
            let (ids, clusters) = components(a, b, interrupt)?;
            let [ids, clusters] = [ids, clusters].map(arrow_array::Int64Array::from);
            Table::of_columns(vec![("id", Arc::new(ids)), ("cluster", Arc::new(clusters))])
        } else {
            let texts = |ids| AsArray::as_string::<i32>(ids).iter().flatten().collect();
            let [a, b]: [Vec<&str>; 2] = [texts(&a), texts(&b)];
            let (ids, clusters) = components(&a, &b, interrupt)?;
            let [ids, clusters] = [ids, clusters].map(arrow_array::StringArray::from);
            Table::of_columns(vec![("id", Arc::new(ids)), ("cluster", Arc::new(clusters))])
        })
    })
}

/// The ids in ascending order, and the least id of the component of each.
fn components<Id: Ord + Copy + std::hash::Hash>(
    a: &[Id],
    b: &[Id],
    interrupt: &Interrupt,
) -> Result<(Vec<Id>, Vec<Id>), Error> {
    let ids = distinct([a, b].concat(), interrupt)?;
    let mut places: HashMap<Id, u32> = HashMap::with_capacity(ids.len());
    let mut sets = UnionFind::new(ids.len());
    for (piece, first) in ids.chunks(AT_ONCE).zip((0..).step_by(AT_ONCE)) {
        interrupt.check()?;
        places.extend(piece.iter().copied().zip(first..));
    }
    for (a, b) in a.chunks(AT_ONCE).zip(b.chunks(AT_ONCE)) {
        interrupt.check()?;
        a.iter().zip(b).for_each(|(a, b)| sets.unite(places[a], places[b]));
    }
    let clusters = sets.roots().into_iter().map(|root| ids[root as usize]).collect();
    Ok((ids, clusters))
}

/// The different ids in ascending order. They are sorted in parts, one range of values after the other, so that Ctrl-C is seen.
fn distinct<Id: Ord + Copy>(ids: Vec<Id>, interrupt: &Interrupt) -> Result<Vec<Id>, Error> {
    let mut ends: Vec<Id> = ids.iter().copied().step_by(AT_ONCE / PARTS_OF_PIECE).collect();
    ends.sort_unstable();
    let ends: Vec<Id> = ends.into_iter().step_by(PARTS_OF_PIECE).collect();
    let mut parts: Vec<Vec<Id>> = vec![Vec::new(); ends.len() + 1];
    for piece in ids.chunks(AT_ONCE) {
        interrupt.check()?;
        piece.iter().for_each(|id| parts[ends.partition_point(|end| end <= id)].push(*id));
    }
    let mut sorted = Vec::with_capacity(ids.len());
    drop(ids);
    for mut part in parts {
        interrupt.check()?;
        part.sort_unstable();
        part.dedup();
        sorted.append(&mut part);
    }
    Ok(sorted)
}
