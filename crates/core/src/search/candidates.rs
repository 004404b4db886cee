//! From sketches to candidates: the one place that decides how each kind of sketch is searched.
//!
//! Not for: rare features. They need the features of all documents, which the [`ExactJoin`](super::ExactJoin) takes.

use crate::cluster::Buckets;
use crate::plan::Plan;
use crate::search::executor::{Executor, try_map};
use crate::search::fingerprints::HammingCandidates;
use crate::search::hamming::{Code, HammingJoin, HammingJoinError, HammingPair};
use crate::search::lsh::{Join, SketchView};
use crate::search::pair_search::PairCandidates;
use crate::search::sketches::Sketches;
use crate::simhash::Codes;
use crate::sketch::DocumentGroups;
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// The sketches by which pairs are searched.
#[derive(Clone, Debug)]
pub enum SearchedSketches<'a> {
    /// Band keys and signatures.
    Bands(SketchView<'a>),
    /// Fingerprints.
    Fingerprints {
        /// The documents that are searched, ascending.
        documents: Vec<u32>,
        /// Their fingerprints. Some bits are flipped, the same ones within a group.
        codes: Codes,
    },
    /// There are no sketches. Features are searched.
    Features,
}

/// Sketched documents, and which pairs of them are searched.
#[derive(Clone, Debug)]
pub struct SketchedDocuments<'a> {
    /// The plan of the search.
    pub plan: &'a Plan,
    /// The sketches.
    pub sketches: SearchedSketches<'a>,
    /// For every document the first one with the same content.
    pub originals: &'a [u32],
    /// The groups within which documents are compared.
    pub groups: DocumentGroups<'a>,
    /// The number of first documents whose pairs with each other are known. They are searched only for pairs with later
    /// documents.
    pub known: u32,
}

impl Sketches {
    /// The sketches of the documents that are no copies of earlier ones.
    pub fn searched<'a>(&'a self, originals: &[u32], groups: DocumentGroups<'a>) -> SearchedSketches<'a> {
        match self {
            Sketches::MinHash(table) => SearchedSketches::Bands(SketchView { groups, ..table.view() }),
            Sketches::SimHash(table) => {
                let (documents, codes) = table.searched(originals, groups);
                SearchedSketches::Fingerprints { documents, codes }
            }
            Sketches::Exact(_) => SearchedSketches::Features,
        }
    }
}

impl<'a> SketchedDocuments<'a> {
    /// The documents that share a band key, or whose fingerprints are near. `None` if there are no sketches.
    ///
    /// `buckets` makes the buckets of every band of a join, in memory or elsewhere.
    ///
    /// # Errors
    /// Those of `buckets`, and [`Executor::Stopped`] if the executor stops the search.
    pub fn candidates<Numbers: Deref<Target = [u32]>, E: Executor, Failure: From<E::Stopped>>(
        self,
        buckets: impl FnOnce(&Join<'a>) -> Result<Vec<Buckets<Numbers>>, Failure>,
        executor: &E,
    ) -> Result<Option<PairCandidates<'a, Numbers>>, Failure> {
        let SketchedDocuments { plan, sketches, originals, groups, known } = self;
        let hamming = plan.simhash().unwrap_or_default().hamming;
        let near = match sketches {
            SearchedSketches::Features => return Ok(None),
            SearchedSketches::Bands(table) => {
                let join = Join::new(table, plan.signature_filter(), originals).knowing(known);
                let buckets = buckets(&join)?;
                return Ok(Some(PairCandidates::of_bands(join, buckets, plan)));
            }
            SearchedSketches::Fingerprints { documents, codes: Codes::B64(codes) } => {
                near(&documents, groups, &codes, hamming, executor)?
            }
            SearchedSketches::Fingerprints { documents, codes: Codes::B128(codes) } => {
                near(&documents, groups, &codes, hamming, executor)?
            }
        };
        Ok(Some(PairCandidates::of_fingerprints(near.knowing(known), originals.len(), plan)))
    }
}

/// The pairs of near fingerprints among `documents`, within each group.
fn near<C: Code, E: Executor>(
    documents: &[u32],
    groups: DocumentGroups<'_>,
    codes: &[C],
    hamming: u32,
    executor: &E,
) -> Result<HammingCandidates, E::Stopped> {
    // Fingerprints of different groups may be near by chance.
    let are_together =
        |pair: &HammingPair| groups.are_together(documents[pair.a as usize], documents[pair.b as usize]);
    let join = match HammingJoin::with_executor(codes, hamming, executor) {
        Ok(join) => join,
        Err(HammingJoinError::Stopped(stopped)) => return Err(stopped),
        Err(HammingJoinError::TooFar(error)) => unreachable!("a plan allows no such distance: {error}"),
    };
    let tasks = join.tasks();
    // A workspace has large buffers, so the next task takes the one of a finished task.
    let workspaces = Mutex::new(Vec::new());
    let lock = || workspaces.lock().unwrap_or_else(PoisonError::into_inner);
    let parts = try_map(executor, tasks.len(), |task| {
        let unused = lock().pop();
        let mut workspace = unused.unwrap_or_else(|| join.workspace());
        let mut found = Vec::new();
        join.run_while(tasks[task], &mut workspace, &mut found, || executor.check().is_ok());
        executor.check()?;
        found.retain(are_together);
        lock().push(workspace);
        Ok(found)
    })?;
    let copies: Cow<'_, [HammingPair]> = match join.copies().iter().all(are_together) {
        true => Cow::Borrowed(join.copies()),
        false => Cow::Owned(join.copies().iter().copied().filter(are_together).collect()),
    };
    Ok(HammingCandidates::new(documents, &copies, &parts.concat()))
}
