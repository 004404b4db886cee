//! From sketched documents to candidates: the order of steps that every search takes.

use super::{
    Search, SearchCandidates, Sketched, before_features, by_features, candidates::mark_candidates,
    choice::Choice,
};
use crate::clock::Clock;
use crate::documents::kept::KeptChunks;
use crate::error::Error;
use crate::features::{FeatureRoom, Features};
use crate::threads::Threads;

/// A search whose features are loaded, in two parts: the candidates borrow the features.
pub struct Prepared<'a> {
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

impl<'a> Prepared<'a> {
    /// Chooses the method and loads the features. Features that were `kept` from the first scan are not made again.
    ///
    /// # Errors
    /// [`Error::TooManyForMemory`], [`Error::TooMuchToHold`], and errors of reading.
    pub fn new(sketched: Sketched<'a>, kept: KeptChunks, clock: &mut Clock) -> Result<Self, Error> {
        let Sketched { scanned, originals, weights, work } = sketched;
        let choice = Choice::new(scanned.request, scanned.documents);
        let candidates = before_features(sketched, &choice)?;
        let footprint = scanned.documents.footprint();
        work.budget.check_held(footprint, kept.bytes() as u64)?;
        let room = FeatureRoom { work, bytes: work.budget.features(footprint) };
        let features = match &candidates {
            Some(candidates) => {
                let marks = mark_candidates(candidates, scanned.documents, originals, work, scanned.monitor)?;
                clock.lap("candidates");
                Features::load(scanned, kept, &marks, weights, Some(room))?
            }
            None => Features::of_partners(scanned, kept, originals, weights, room)?,
        };
        clock.lap("features");
        Ok(Prepared { search: PreparedSearch { sketched, choice, candidates }, features })
    }
}

impl PreparedSearch<'_> {
    /// The candidates. `features` are the ones of the same [`Prepared`].
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
