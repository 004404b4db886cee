//! The third scan: kept documents are copied, or all documents annotated.

use crate::error::Error;
use lookalike_corpus::{Annotation, Chunk, Fields, KeptRows, KeptWriter, Place, Reader, Scratch};
use lookalike_engine::progress::{Monitor, Stage};
use lookalike_engine::scan::scan;
use lookalike_report::OutputContext;
use std::borrow::Cow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Writes the kept ones of `count` documents. Documents of `--against` are not among them.
pub(super) fn write_kept(
    kept: &KeptWriter<'_>,
    count: u64,
    annotate: bool,
    fields: &Fields,
    context: &OutputContext<'_>,
    monitor: &Monitor,
    bar: &Stage,
) -> Result<(), Error> {
    let documents = context.names.documents;
    let reader = Reader::new(context.names.inputs, fields, kept.scan());
    let (seen, broken) = (AtomicU64::new(0), OnceLock::new());
    let work = |scratch: &mut Scratch, chunk: Chunk<'_>| {
        let here = documents.chunk_index(chunk.id()).map_or(0..0, |index| documents.chunks[index].range());
        bar.inc(here.len() as u64);
        seen.fetch_add(here.len() as u64, Ordering::Relaxed);
        if let Some(problem) = chunk.broken() {
            broken.get_or_init(|| (chunk.id().file, problem.clone()));
        }
        let place = |document: u32| documents.places[document as usize];
        if annotate {
            let kept_ids: Vec<Option<Cow<'_, str>>> =
                here.clone().map(|document| context.kept_id(document)).collect();
            let rows: Vec<(Place, Annotation<'_>)> = here
                .zip(&kept_ids)
                .map(|(document, kept_id)| {
                    (place(document), context.annotation(document, kept_id.as_deref()))
                })
                .collect();
            kept.write(&chunk.load(scratch)?, KeptRows::Annotated(&rows))?;
        } else {
            let rows: Vec<Place> =
                here.filter(|&document| context.decisions.keeps(document)).map(place).collect();
            match rows.is_empty() && !chunk.holds_other_records() {
                true => kept.skip(&chunk)?,
                false => kept.write(&chunk.load(scratch)?, KeptRows::Copied(&rows))?,
            }
        }
        Ok(None::<()>)
    };
    scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), Scratch::default, work)?;
    // A column that only this scan reads may end before the texts, and none of the rows behind its end may be kept.
    if seen.into_inner() < count
        && let Some((file, problem)) = broken.into_inner()
    {
        let path = context.names.inputs.files()[file as usize].path.clone();
        return Err(lookalike_corpus::Error::BadText { path, problem }.into());
    }
    Ok(())
}
