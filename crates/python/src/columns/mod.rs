//! `lookalike.columns`: functions over Arrow columns, row for row, on one thread.

mod arrays;
mod buckets;
mod clusters;
mod documents;
mod features;
mod partners;
mod signatures;
mod texts;
mod uncovered;

pub(crate) use buckets::{column_of_passes, table_of_bucket_pairs};
pub(crate) use clusters::table_of_clusters;
pub(crate) use documents::table_of_documents;
pub(crate) use features::{column_of_shingles, column_of_signatures};
pub(crate) use partners::{recall_of_sample, table_of_partners};
pub(crate) use signatures::{column_of_band_keys, column_of_estimates, column_of_similarities};
pub(crate) use texts::{column_of_list, column_of_texts};
pub(crate) use uncovered::table_of_uncovered;

use crate::error;
use crate::plan::CheckedPlan;
use lookalike::{Method, Plan};
use pyo3::prelude::*;

/// Rows between looks for Ctrl-C.
const BLOCK: usize = 256;

/// A plan with signatures, which `what` needs.
fn minhash<'p>(py: Python<'_>, plan: &'p CheckedPlan, what: &str) -> PyResult<&'p Plan> {
    let plan = plan.plan(py)?;
    match plan.method() {
        Method::MinHash => Ok(plan),
        _ => Err(error::plan(py, "method", format!("{what} need a plan of method \"minhash\""))),
    }
}
