//! Makes another index of the stored texts of an index: with another plan, or with frequencies that are counted anew.

use crate::clusters::CopiedLinks;
use crate::copy_writer::CopyWriter;
use crate::error::SeenError;
use crate::sketched::Sketchers;
use crate::stored::{IndexedDocument, living};
use lookalike::{DocumentFrequencies, Plan, Sketcher};
use lookalike_index::{Index, NewDocument};
use std::sync::Arc;

/// Sketches the stored text of all documents of `index` that have not expired at second `now` since 1970 again, and adds them to the `new` index, which
/// is empty. They keep their order, texts, times, expiry, metadata and clusters, and get new numbers, because removed documents are left
/// out. Returns how many these are.
///
/// # Errors
/// [`SeenError::Index`] if the index stores no texts or is damaged, or if the new one cannot be written.
pub fn resketch(index: &Index, new: Index, now: u32) -> Result<u64, SeenError> {
    let plan = Arc::new(new.plan().clone());
    let sketchers = Sketchers::new(plan, Arc::new(new.tables().clone()), new.weights().clone());
    let (snapshot, mut linked) = (index.snapshot(), index.linked()?);
    let (mut writer, mut links) = (CopyWriter::new(new)?, CopiedLinks::default());
    for document in living(&snapshot, now) {
        let document = document?;
        let text = document.text()?;
        let (sketch, about) = (sketchers.sketch(&text), document.about());
        let (time, expires) = (document.time(), document.expires());
        let new = NewDocument { time, expires, ..sketch.document(document.id(), &text, &about) };
        let number = writer.add(&new)?;
        if let Some(cluster) = linked.cluster(document.number) {
            links.add(cluster, number);
        }
    }
    writer.finish(&links.links)
}

/// Counts the documents of `index` by the features that `plan` makes of their stored texts, for weights by TF-IDF. Documents that have expired at
/// second `now` since 1970, or have no features, do not count.
///
/// # Errors
/// [`SeenError::Index`] if the index stores no texts, or is damaged.
pub fn count_frequencies(index: &Index, plan: &Plan, now: u32) -> Result<DocumentFrequencies, SeenError> {
    let (mut sketcher, mut table) = (Sketcher::new(plan), DocumentFrequencies::new(plan.feature_id()));
    for document in living(&index.snapshot(), now) {
        let mut features = sketcher.features(&document?.text()?).to_vec();
        features.sort_unstable();
        features.dedup();
        table.push(&features);
    }
    Ok(table)
}
