//! Connected components of edges.

use super::arrays::{failed, unequal, whole};
use crate::table::Table;
use crate::wait::Run;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::DataType;
use lookalike::cluster::UnionFind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

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
