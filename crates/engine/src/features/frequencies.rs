//! The number of documents that have each feature: one scan of the inputs, before they are sketched.

use super::each_text::each_text;
use crate::error::Error;
use crate::progress::Monitor;
use crate::request::Request;
use crate::scan::ReadChunk;
use lookalike::DocumentFrequencies;
use lookalike_corpus::Inputs;
use std::sync::atomic::AtomicBool;

/// Features of fewer documents are left out of the table. Nearly all features are in one document only, and weights stay the same without
/// them.
pub const LEAST: u32 = 2;

/// Counts the documents of `inputs` by feature. Returns the lines of all chunks too. The table has all features: see
/// [`DocumentFrequencies::pruned`].
pub fn count(
    request: &Request,
    inputs: &Inputs,
    monitor: &Monitor,
) -> Result<(DocumentFrequencies, Vec<ReadChunk>), Error> {
    let empty = || DocumentFrequencies::new(request.plan.feature_id());
    let never = AtomicBool::new(false);
    let (chunks, tables) = each_text(request, inputs, &never, monitor, empty, |table, texts, text| {
        table.push(texts.distinct(text));
    })?;
    let mut all = empty();
    for table in tables {
        // All are of one plan, and none is pruned, so that they can be merged.
        all.merge(&table).map_err(|_| Error::OtherFeatures)?;
    }
    Ok((all, chunks))
}
