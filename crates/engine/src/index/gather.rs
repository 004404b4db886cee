//! Takes the documents out of an index that new documents may be similar to.

use super::progress::StageAdvance;
use super::stored::StoredColumns;
use crate::documents::SketchColumns;
use crate::error::Error;
use crate::progress::{Monitor, Unit};
use lookalike::search::Sketches;
use lookalike::sketch::ContentHash;
use lookalike_index::{Gathered, Index, Tables};
use std::collections::HashMap;
use std::sync::Arc;

/// The documents of `index` that are alive at second `now` since 1970 and may be similar to one of `sketches`, and the first living
/// document of each of their clusters. `sketches` must be made by the plan of the index.
///
/// # Errors
/// [`Error`] if the index is damaged or the run is stopped.
pub fn gather(
    index: &Arc<Index>,
    sketches: &SketchColumns,
    now: u32,
    monitor: &Monitor,
) -> Result<Gathered, Error> {
    let interrupt = &monitor.interrupt;
    let tables = index.tables();
    let stage = monitor.stage("index", Unit::Parts, Some(tables.keys() as u64));
    let progress = StageAdvance { stage: Some(&stage), interrupt };
    let new = StoredColumns::new(sketches, tables);
    let candidates = index.candidates(new.keys_from(0), new.contents, now, &progress)?;
    // The bar ends, and the columns take no memory while documents are read.
    drop((stage, new));
    let mut gathered = index.gather(candidates, now, &StageAdvance { stage: None, interrupt })?;
    if !tables.stores_texts() {
        complete_contents(&mut gathered.sketches, &StoredColumns::new(sketches, tables), tables);
    }
    Ok(gathered)
}

/// Gives the `known` documents of an index without texts, which holds a part of each content hash, all of the hash of the `new` document that they are
/// copies of.
fn complete_contents(known: &mut Sketches, new: &StoredColumns<'_>, tables: &Tables) {
    let mut whole: HashMap<ContentHash, ContentHash> =
        known.contents().iter().map(|&held| (held, held)).collect();
    for (document, &content) in new.contents.iter().enumerate() {
        if let Some(whole) = whole.get_mut(&tables.held_content(content, new.signature(document))) {
            *whole = content;
        }
    }
    known.replace_contents(|held| whole[&held]);
}
