//! The number of documents that have each feature: one scan of the inputs, before they are sketched.

use crate::error::Error;
use crate::progress::{Monitor, Unit};
use crate::request::Request;
use crate::scan::{ReadChunk, scan};
use lookalike::compare::Comparer;
use lookalike::{DocumentFrequencies, Sketcher};
use lookalike_corpus::{Inputs, Reader, Scan, Scratch};
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
    let fields = request.text_fields();
    let bar = monitor.stage("frequencies", Unit::Bytes, None);
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let state = || {
        let sketcher = Sketcher::with_level(&request.plan, request.level);
        let table = DocumentFrequencies::new(request.plan.feature_id());
        (sketcher, Comparer::with_level(request.level), table, Scratch::default())
    };
    let work =
        |(sketcher, comparer, table, scratch): &mut (Sketcher, Comparer, DocumentFrequencies, Scratch),
         chunk: lookalike_corpus::Chunk<'_>| {
            let (mut bytes, mut bad) = (0, Vec::new());
            let mut features = Vec::new();
            let mut loaded = chunk.load(scratch)?;
            loaded.for_each(|record| {
                let record = match record {
                    Ok(record) => record,
                    Err(record) => return bad.push(record),
                };
                features.clear();
                features.extend_from_slice(sketcher.features(record.text));
                let distinct = comparer.distinct(&mut features);
                table.push(&features[..distinct]);
                bytes += record.text.len() as u64;
            });
            bar.inc(bytes);
            Ok(Some(ReadChunk {
                id: loaded.id(),
                lines: loaded.lines(),
                bad,
                suspect: loaded.suspect_quotes(),
            }))
        };
    let counted = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    drop(bar);
    let mut all = DocumentFrequencies::new(request.plan.feature_id());
    let (chunks, states) = counted?;
    for (_, _, table, _) in states {
        // All are of one plan, and none is pruned, so that they can be merged.
        all.merge(&table).map_err(|_| Error::OtherFeatures)?;
    }
    Ok((all, chunks))
}
