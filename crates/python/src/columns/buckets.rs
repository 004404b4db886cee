//! Candidates: which of them are compared, and the similar pairs among the documents of one bucket.

use super::arrays::{both, check_features, check_sizes, numbers_of_64};
use super::minhash;
use super::signatures::of_pairs;
use crate::column::Column;
use crate::error;
use crate::plan::CheckedPlan;
use crate::table::Table;
use crate::wait::Run;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array};
use lookalike::compare::{Set, Verifier};
use lookalike::search::{Families, FamilyJoin, PairCollector, Sequential, Tally, Visited, WorkBlock};
use lookalike::{Level, Match, Plan, Score};
use lookalike_batch::Error;
use lookalike_engine::progress::Monitor;
use pyo3::prelude::*;
use std::sync::Arc;

/// Whether two signatures agree in enough values to be compared, row for row.
#[pyfunction]
pub(crate) fn column_of_passes(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Column> {
    let (left, right) = both(left, right)?;
    plan.refuse_estimates(py, "columns.passes")?;
    let plan = minhash(py, plan, "buckets")?;
    check_sizes(&left, 4 * plan.num_perm())?;
    check_sizes(&right, 4 * plan.num_perm())?;
    let of_row = |row: usize| {
        let values = [&left, &right].map(|column| column.as_binary::<i64>().value(row));
        Some(agree(values, plan))
    };
    of_pairs::<_, BooleanArray>(py, run, [&left, &right], of_row)
}

/// The similar pairs among documents that share a band key, as rows of the columns. A null is similar to none.
#[pyfunction]
pub(crate) fn table_of_bucket_pairs(
    py: Python<'_>,
    features: &Bound<'_, PyAny>,
    signatures: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Table> {
    let (features, signatures) = both(features, signatures)?;
    plan.refuse_estimates(py, "columns.bucket_pairs")?;
    let plan = minhash(py, plan, "buckets")?;
    if plan.compares_weights() {
        return Err(error::plan(py, "weights", "pairs of a bucket are compared without weights"));
    }
    check_features(&features)?;
    check_sizes(&signatures, 4 * plan.num_perm())?;
    let mut found =
        run.wait(py, |monitor| BucketDocuments::new(&features, &signatures, plan).pairs(monitor))?;
    found.sort_unstable_by_key(|pair| (pair.a, pair.b));
    let rows = |row: fn(&Match) -> u32| -> ArrayRef {
        Arc::new(found.iter().map(|pair| i64::from(row(pair))).collect::<Int64Array>())
    };
    let similarities = found.iter().filter_map(|pair| match pair.score {
        Score::Similarity(similarity) => Some(similarity.value()),
        Score::Hamming(_) | Score::Estimate(_) => None,
    });
    Ok(Table::of_columns(vec![
        ("a", rows(|pair| pair.a)),
        ("b", rows(|pair| pair.b)),
        ("similarity", Arc::new(similarities.collect::<Float64Array>())),
    ]))
}

/// Whether the filter of `plan` passes two signatures. It compares eight bits of each value, as the search does.
fn agree([left, right]: [&[u8]; 2], plan: &Plan) -> bool {
    let values = left.chunks_exact(4).zip(right.chunks_exact(4));
    plan.signature_filter().passes(values.map(|(a, b)| u32::from(a[0] == b[0])).sum())
}

/// The documents of a bucket.
struct BucketDocuments<'a> {
    /// The features of each document. A document without signature has none.
    sets: Vec<Vec<u64>>,
    signatures: &'a ArrayRef,
    plan: &'a Plan,
}

impl<'a> BucketDocuments<'a> {
    fn new(features: &ArrayRef, signatures: &'a ArrayRef, plan: &'a Plan) -> Self {
        let set = |row: usize| match features.is_valid(row) && signatures.is_valid(row) {
            true => numbers_of_64(features.as_binary::<i64>().value(row)),
            false => Vec::new(),
        };
        BucketDocuments { sets: (0..features.len()).map(set).collect(), signatures, plan }
    }

    fn pairs(&self, monitor: &Monitor) -> Result<Vec<Match>, Error> {
        let documents: Vec<u32> =
            (0..self.sets.len() as u32).filter(|&row| !self.sets[row as usize].is_empty()).collect();
        let mut verifier = Verifier::new(Level::detect(), self.plan.measure(), self.plan.threshold());
        match Families::are_large(documents.len()) {
            true => self.of_family(&documents, &mut verifier, monitor),
            false => self.one_by_one(&documents, &mut verifier, monitor),
        }
    }

    fn set(&self, row: u32) -> Set<'_> {
        Set { features: &self.sets[row as usize], weights: &[] }
    }

    fn may_be_similar(&self, a: u32, b: u32) -> bool {
        let signatures = self.signatures.as_binary::<i64>();
        agree([a, b].map(|row| signatures.value(row as usize)), self.plan)
    }

    fn one_by_one(
        &self,
        documents: &[u32],
        verifier: &mut Verifier,
        monitor: &Monitor,
    ) -> Result<Vec<Match>, Error> {
        let mut found = Vec::new();
        for (index, &a) in documents.iter().enumerate() {
            monitor.interrupt.check()?;
            let mut held = verifier.hold(self.set(a));
            for &b in documents[index + 1..].iter().filter(|&&b| self.may_be_similar(a, b)) {
                let similarity = held.reaches(self.set(b));
                found.extend(similarity.map(|value| Match { a, b, score: Score::Similarity(value) }));
            }
        }
        Ok(found)
    }

    /// A large bucket is searched by the differences from its template, without comparing all pairs.
    fn of_family(
        &self,
        documents: &[u32],
        verifier: &mut Verifier,
        monitor: &Monitor,
    ) -> Result<Vec<Match>, Error> {
        let families = Families::of_buckets(self.sets.len(), std::iter::once(documents));
        let (measure, threshold) = (self.plan.measure(), self.plan.threshold());
        let features = |row: u32| &self.sets[row as usize][..];
        let Ok(join) = FamilyJoin::new(&families, features, measure, threshold, &Sequential);
        let mut found = Vec::new();
        let mut collector = PairCollector {
            set: |row| self.set(row),
            may_be_similar: |a, b| self.may_be_similar(a, b),
            verifier,
            visited: &mut Visited::default(),
            most: usize::MAX,
            found: &mut found,
            tally: Tally::default(),
        };
        for round in 0..join.rounds() {
            for block in 0..join.blocks(round) {
                monitor.interrupt.check()?;
                join.matches(WorkBlock { round, block }, &mut collector);
            }
        }
        Ok(found)
    }
}
