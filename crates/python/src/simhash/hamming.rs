//! Codes of 64 or 128 bits, and what is within a distance of a code.

use crate::error;
use crate::table::Table;
use crate::wait::Run;
use arrow_array::{ArrayRef, Int64Array, UInt32Array};
use lookalike::search::{Code, HammingJoin, HammingJoinError, HammingPair, Workspace};
use lookalike::{HammingIndex, TooFar};
use lookalike_batch::Error;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::threads::{Threads, in_pool};
use lookalike_engine::work::{MOST_PAIRS, too_many_pairs};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Codes, each with a place. Threads may share it.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct HammingCodes(Mutex<CodesOfWidth>);

enum CodesOfWidth {
    Narrow(HammingIndex<u64>),
    Wide(HammingIndex<u128>),
}

#[pymethods]
impl HammingCodes {
    #[new]
    fn new(py: Python<'_>, distance: u32, bits: u32) -> PyResult<Self> {
        let codes = match bits {
            64 => HammingIndex::new(distance).map(CodesOfWidth::Narrow),
            128 => HammingIndex::new(distance).map(CodesOfWidth::Wide),
            _ => return Err(error::plan(py, "bits", format!("bits must be 64 or 128, and is {bits}"))),
        };
        Ok(HammingCodes(Mutex::new(codes.map_err(|error| too_far(py, &error))?)))
    }

    /// Adds codes. The first one gets the place `first`, the next one the place after it.
    fn extend(&self, py: Python<'_>, codes: Vec<u128>, first: u32) -> PyResult<()> {
        let count = u32::try_from(codes.len()).ok().filter(|&count| first.checked_add(count).is_some());
        let count = count.ok_or_else(|| PyValueError::new_err("an index holds at most 2**32 codes"))?;
        let places: Vec<u32> = (first..first + count).collect();
        let narrow = codes.iter().map(|&code| u64::try_from(code).ok()).collect::<Option<Vec<u64>>>();
        match &mut *self.lock(py) {
            CodesOfWidth::Narrow(index) => {
                let wide = || PyValueError::new_err("a code must be from 0 to 2**64 - 1");
                index.extend(&narrow.ok_or_else(wide)?, &places);
            }
            CodesOfWidth::Wide(index) => index.extend(&codes, &places),
        }
        Ok(())
    }

    /// Removes the code at a place.
    fn remove(&self, py: Python<'_>, code: u128, place: u32) -> bool {
        match &mut *self.lock(py) {
            CodesOfWidth::Narrow(index) => index.remove(code as u64, place),
            CodesOfWidth::Wide(index) => index.remove(code, place),
        }
    }

    /// The places and distances of codes within `distance` of `code`, by distance, then place.
    fn find(&self, py: Python<'_>, code: u128, distance: u32) -> PyResult<Vec<(u32, u32)>> {
        let near = match &*self.lock(py) {
            CodesOfWidth::Narrow(index) => index.query(code as u64, distance),
            CodesOfWidth::Wide(index) => index.query(code, distance),
        };
        let near = near.map_err(|error| too_far(py, &error))?;
        Ok(near.into_iter().map(|near| (near.id, near.distance)).collect())
    }
}

impl HammingCodes {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, CodesOfWidth> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

/// All pairs of codes within a distance: the columns a, b and hamming. `ids` are the ids of the codes.
#[pyfunction]
pub(crate) fn hamming_pairs(
    py: Python<'_>,
    codes: Vec<u128>,
    ids: Vec<i64>,
    distance: u32,
    bits: u32,
    run: &Run,
) -> PyResult<Table> {
    let found = run.wait(py, |monitor| {
        in_pool(run.threads(), || {
            let found = match bits {
                128 => all_pairs(&codes, distance, monitor)?,
                _ => {
                    let codes: Vec<u64> = codes.iter().map(|&code| code as u64).collect();
                    all_pairs(&codes, distance, monitor)?
                }
            };
            Ok(match found {
                Ok(found) => Ok(columns(&found, &ids, monitor)?),
                Err(error) => Err(error),
            })
        })
    })?;
    let columns = found.map_err(|error| too_far(py, &error))?;
    Ok(Table::of_columns(["a", "b", "hamming"].into_iter().zip(columns).collect()))
}

/// The ids and the distances of pairs, as columns.
fn columns(found: &[HammingPair], ids: &[i64], monitor: &Monitor) -> Result<[ArrayRef; 3], Error> {
    let (mut a, mut b, mut distances) = (Vec::new(), Vec::new(), Vec::new());
    for pairs in found.chunks(1 << 16) {
        monitor.interrupt.check()?;
        a.extend(pairs.iter().map(|pair| ids[pair.a as usize]));
        b.extend(pairs.iter().map(|pair| ids[pair.b as usize]));
        distances.extend(pairs.iter().map(|pair| pair.distance));
    }
    Ok([Arc::new(Int64Array::from(a)), Arc::new(Int64Array::from(b)), Arc::new(UInt32Array::from(distances))])
}

/// All pairs within a distance, ascending.
fn all_pairs<C: Code>(
    codes: &[C],
    distance: u32,
    monitor: &Monitor,
) -> Result<Result<Vec<HammingPair>, TooFar>, Error> {
    let join = match HammingJoin::with_executor(codes, distance, &Threads(&monitor.interrupt)) {
        Ok(join) => join,
        Err(HammingJoinError::TooFar(error)) => return Ok(Err(error)),
        Err(HammingJoinError::Stopped(stopped)) => return Err(stopped.into()),
    };
    let tasks = join.tasks();
    let stage = monitor.stage("pairs", Unit::Parts, Some(tasks.len() as u64));
    let run = |workspace: &mut Workspace<C>, task| {
        monitor.interrupt.check()?;
        let mut found = Vec::new();
        join.run_while(task, workspace, &mut found, || !monitor.interrupt.is_set());
        monitor.interrupt.check()?;
        stage.inc(1);
        Ok(found)
    };
    let parts = tasks.into_par_iter().map_init(|| join.workspace(), run);
    let found = parts.collect::<Result<Vec<_>, Error>>()?.concat();
    let count = join.count_all_pairs(&found);
    if count >= MOST_PAIRS {
        return Err(too_many_pairs(count).into());
    }
    let all = join.all_pairs_while(&found, || !monitor.interrupt.is_set());
    monitor.interrupt.check()?;
    Ok(Ok(all))
}

fn too_far(py: Python<'_>, error: &TooFar) -> PyErr {
    error::plan(py, "distance", error.to_string())
}
