//! The number of documents that have each feature: one scan of the inputs, before they are sketched.

use super::each_text::{TextReader, each_text};
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

/// Counts the documents of `inputs` by feature. Returns the number of all documents and the lines of all chunks too. The table has all features:
/// see [`DocumentFrequencies::pruned`].
pub fn count(
    request: &Request,
    inputs: &Inputs,
    monitor: &Monitor,
) -> Result<(DocumentFrequencies, u64, Vec<ReadChunk>), Error> {
    let empty = || (DocumentFrequencies::new(request.plan.feature_id()), 0);
    let never = AtomicBool::new(false);
    let look = |(table, documents): &mut (DocumentFrequencies, u64), texts: &mut TextReader, text: &str| {
        table.push(texts.distinct(text));
        *documents += 1;
    };
    let (chunks, states) = each_text(request, inputs, &never, monitor, empty, look)?;
    let (mut all, mut documents) = empty();
    for (table, more) in states {
        documents += more;
        // All are of one plan, and none is pruned, so that they can be merged.
        all.merge(&table).map_err(|_| Error::OtherFeatures)?;
    }
    Ok((all, documents, chunks))
}
