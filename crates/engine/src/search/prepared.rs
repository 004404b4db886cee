//! From sketched documents to candidates: the order of steps that every search takes.

use super::{
    Search, SearchCandidates, Sketched, before_features, by_features, candidates::mark_candidates,
    choice::Choice,
};
use crate::clock::Clock;
use crate::documents::kept::KeptChunks;
use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::features::{FeatureRoom, Features};
use crate::threads::Threads;
use std::sync::atomic::{AtomicBool, Ordering};

/// A search whose candidates are marked, before any features are loaded.
pub struct MarkedSearch<'a> {
    pub(super) sketched: Sketched<'a>,
    pub(super) choice: Choice,
    /// The candidates by sketches, and their documents. `None` if it searches by features.
    pub(super) candidates: Option<(SearchCandidates<'a>, Vec<AtomicBool>)>,
    /// Features that were kept from the first scan.
    pub(super) kept: KeptChunks,
}

/// A search whose features are loaded, in two parts: the candidates borrow the features.
pub struct LoadedSearch<'a> {
    /// The search.
    pub search: PreparedSearch<'a>,
    /// The features of the documents that may be compared.
    pub features: Features,
}

/// A search before features are compared.
pub struct PreparedSearch<'a> {
    sketched: Sketched<'a>,
    choice: Choice,
    /// `None` if it searches by features.
    candidates: Option<SearchCandidates<'a>>,
}

/// Candidates, and their features.
pub struct Candidates<'a> {
    /// The rounds of candidates.
    pub search: Search<'a>,
    /// The method of the search, and why it was chosen.
    pub choice: Choice,
    /// The features of all candidates.
    pub features: &'a Features,
}

impl<'a> MarkedSearch<'a> {
    /// Chooses the method, and marks the candidates. `kept` has the features that were kept from the first scan.
    ///
    /// # Errors
    /// [`Error::TooManyForMemory`], and errors of files in the folder of the run.
    pub fn new(sketched: Sketched<'a>, kept: KeptChunks, clock: &mut Clock) -> Result<Self, Error> {
        let Sketched { scanned, originals, work, .. } = sketched;
        let choice = Choice::new(scanned.request, scanned.documents);
        let candidates = before_features(sketched, &choice)?;
        let kept = sketched.held(kept)?;
        let mark = |candidates: SearchCandidates<'a>| {
            let marks = mark_candidates(&candidates, scanned.documents, originals, work, scanned.monitor)?;
            clock.lap("candidates");
            Ok::<_, Error>((candidates, marks))
        };
        let candidates = candidates.map(mark).transpose()?;
        Ok(MarkedSearch { sketched, choice, candidates, kept })
    }

    /// The search with all of its features. Those that were kept are not made again.
    ///
    /// # Errors
    /// [`Error::TooMuchToHold`], and errors of reading.
    pub fn load(self, clock: &mut Clock) -> Result<LoadedSearch<'a>, Error> {
        let MarkedSearch { sketched, choice, candidates, kept } = self;
        let Sketched { scanned, originals, weights, work } = sketched;
        let features = match &candidates {
            Some((_, marks)) => {
                sketched.load_wanted(kept, |document| marks[document as usize].load(Ordering::Relaxed))?
            }
            None => {
                let room = work.budget.exact(scanned.documents.footprint());
                Features::of_partners(scanned, kept, originals, weights, room)?
            }
        };
        clock.lap("features");
        let candidates = candidates.map(|(candidates, _)| candidates);
        Ok(LoadedSearch { search: PreparedSearch { sketched, choice, candidates }, features })
    }
}

impl Sketched<'_> {
    /// The features that the first scan has `kept`, as far as they have room beside the documents. The others are made again.
    fn held(self, kept: KeptChunks) -> Result<KeptChunks, Error> {
        let Sketched { scanned: Scanned { documents, .. }, work, .. } = self;
        match work.budget.check_held(documents.footprint(), kept.bytes() as u64) {
            Ok(()) => Ok(kept),
            Err(_) => {
                work.budget.check_held(documents.footprint(), 0)?;
                Ok(KeptChunks::none(documents.chunks.len()))
            }
        }
    }

    fn load_wanted(self, kept: KeptChunks, wanted: impl Fn(u32) -> bool + Sync) -> Result<Features, Error> {
        let Sketched { scanned, weights, work, .. } = self;
        // Distances and estimates are those of sketches, and an index without texts has nothing else.
        let wanted = |document| scanned.request.plan.verifies() && wanted(document);
        let room = FeatureRoom { work, bytes: work.budget.features(scanned.documents.footprint()) };
        Features::load(scanned, kept, wanted, weights, Some(room))
    }

    /// The features of the `wanted` documents, without a search. `kept` has those that were kept from the first scan.
    ///
    /// # Errors
    /// [`Error::TooManyForMemory`], and errors of reading.
    pub fn features(self, kept: KeptChunks, wanted: impl Fn(u32) -> bool + Sync) -> Result<Features, Error> {
        self.load_wanted(self.held(kept)?, wanted)
    }
}

impl PreparedSearch<'_> {
    /// The candidates. `features` are the ones of the same [`LoadedSearch`].
    ///
    /// # Errors
    /// [`Error::TooManyFeatures`], and errors of files in the folder of the run.
    pub fn candidates<'f>(self, features: &'f Features) -> Result<Candidates<'f>, Error>
    where
        Self: 'f,
    {
        let PreparedSearch { sketched, mut choice, candidates } = self;
        let candidates = match candidates {
            Some(candidates) => candidates,
            None => by_features(sketched, &mut choice, features.sets())?,
        };
        let set = |document: u32| features.of(document).features;
        let search = candidates.join_families(
            &sketched.scanned.request.plan,
            set,
            &Threads(&sketched.scanned.monitor.interrupt),
        )?;
        Ok(Candidates { search, choice, features })
    }
}
