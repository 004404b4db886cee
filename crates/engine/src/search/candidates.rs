//! The candidates of a search: the documents that it compares with another one.

use super::SearchCandidates;
use crate::documents::Documents;
use crate::error::Error;
use crate::progress::Monitor;
use crate::work::Work;
use lookalike::search::WorkBlock;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Marks the documents that will be compared with another one.
pub(super) fn mark_candidates(
    candidates: &SearchCandidates<'_>,
    documents: &Documents,
    originals: &[u32],
    work: &Work,
    monitor: &Monitor,
) -> Result<Vec<AtomicBool>, Error> {
    let column = work.folder().map(|folder| folder.column::<u8>("involved", monitor)).transpose()?.flatten();
    if let Some(column) = column {
        return Ok(column.iter().map(|&mark| AtomicBool::new(mark != 0)).collect());
    }
    let marks: Vec<AtomicBool> = originals.iter().map(|_| AtomicBool::new(false)).collect();
    let mark = |document: u32| &marks[document as usize];
    let is_marked = |document| mark(document).load(Ordering::Relaxed);
    let mark_one = |document: u32| mark(document).store(true, Ordering::Relaxed);
    let rounds = if candidates.are_compared() { candidates.rounds() } else { 0 };
    for round in 0..rounds {
        let blocks = (0..candidates.blocks(round)).into_par_iter().with_min_len(candidates.stretch());
        blocks.try_for_each(|block| {
            monitor.interrupt.check()?;
            candidates.mark(WorkBlock { round, block }, is_marked, mark_one);
            Ok::<_, Error>(())
        })?;
    }
    // Documents of the index that a new document is a copy of are candidates too, and so is the first document of each candidate's
    // cluster. It is kept for the new documents of the cluster, which are then compared with it.
    let indexed = &documents.indexed;
    let of_copies = originals[indexed.first_of.len()..]
        .iter()
        .filter(|&&original| (original as usize) < indexed.first_of.len());
    of_copies.for_each(|&original| mark(original).store(true, Ordering::Relaxed));
    for (document, &first) in (0..).zip(&indexed.first_of) {
        if mark(document).load(Ordering::Relaxed) {
            mark(first).store(true, Ordering::Relaxed);
        }
    }
    if let Some(folder) = work.folder() {
        let marks: Vec<u8> = marks.iter().map(|mark| u8::from(mark.load(Ordering::Relaxed))).collect();
        folder.write_column("involved", &marks)?;
    }
    Ok(marks)
}
