//! All pairs of candidates of a `MinHashLSH` at once.

use super::bands::BandTables;
use super::lsh::LshTables;
use crate::table::Table;
use crate::wait::Run;
use arrow_array::{ArrayRef, Float64Array, UInt64Array};
use lookalike_batch::Error;
use lookalike_engine::progress::{Monitor, Unit};
use pyo3::prelude::*;
use std::sync::Arc;

/// A pair: two positions of insertion, and the share of equal values.
type CandidatePair = (u64, u64, f64);

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
        let state = tables.lock_detached();
        state.tables.as_ref().map_or(Ok(Vec::new()), |tables| pairs(tables, threshold, limit, monitor))
    })?;
    let a: UInt64Array = pairs.iter().map(|pair| pair.0).collect::<Vec<_>>().into();
    let b: UInt64Array = pairs.iter().map(|pair| pair.1).collect::<Vec<_>>().into();
    let estimates: Float64Array = pairs.iter().map(|pair| pair.2).collect::<Vec<_>>().into();
    let columns: [(&str, ArrayRef); 3] =
        [("a", Arc::new(a)), ("b", Arc::new(b)), ("estimate", Arc::new(estimates))];
    Ok(Table::of_columns(columns.into()))
}

fn pairs(
    tables: &BandTables,
    threshold: Option<f64>,
    limit: usize,
    monitor: &Monitor,
) -> Result<Vec<CandidatePair>, Error> {
    let slots = tables.in_order();
    let mut positions = vec![0_u64; slots.iter().max().map_or(0, |&slot| slot as usize + 1)];
    slots.iter().enumerate().for_each(|(position, &slot)| positions[slot as usize] = position as u64);
    let stage = monitor.stage("pairs", Unit::Documents, Some(tables.shape.bands as u64));
    let mut found: Vec<CandidatePair> = Vec::new();
    for band in 0..tables.shape.bands {
        stage.inc(1);
        for head in tables.heads(band) {
            let words = tables.band(tables.of_entry(head), band);
            let bucket: Vec<u32> = tables.bucket(band, words).collect();
            for (place, &a) in bucket.iter().enumerate() {
                monitor.interrupt.check()?;
                for &b in &bucket[..place] {
                    if tables.slot(a) == tables.slot(b) || shares_earlier_band(tables, a, b, band) {
                        continue;
                    }
                    let estimate = tables.estimate(tables.of_entry(a), b);
                    if threshold.is_none_or(|threshold| estimate >= threshold) {
                        let [a, b] = [a, b].map(|entry| positions[tables.slot(entry) as usize]);
                        found.push((a.min(b), a.max(b), estimate));
                    }
                }
                if found.len() > limit {
                    return Err(Error::MorePairs { pairs: found.len() as u64, limit: limit as u64 });
                }
            }
        }
    }
    found.sort_unstable_by_key(|&(a, b, _)| (a, b));
    // A key may have several signatures.
    found.dedup_by_key(|(a, b, _)| (*a, *b));
    Ok(found)
}

/// Whether a pair was found in an earlier band.
fn shares_earlier_band(tables: &BandTables, a: u32, b: u32, band: usize) -> bool {
    let [a, b] = [tables.of_entry(a), tables.of_entry(b)];
    (0..band).any(|earlier| tables.band(a, earlier) == tables.band(b, earlier))
}
