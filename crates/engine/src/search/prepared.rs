//! From sketched documents to candidates: the order of steps that every search takes.

use super::{Search, Sketched, before_features, by_features, candidates::mark_candidates, choice::Choice};
use crate::clock::Clock;
use crate::documents::kept::{FeatureStore, KeptFeatures};
use crate::error::Error;
use crate::features::{FeatureRoom, Features};
use crate::threads::Threads;

/// A search before features are compared, and the features of all documents that it may compare.
pub struct Prepared<'a> {
    sketched: Sketched<'a>,
    choice: Choice,
    /// `None` if it searches by features.
    search: Option<Search<'a>>,
    /// The features of the documents that may be compared.
    pub features: Features,
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
    pub fn new(
        sketched: Sketched<'a>,
        kept: (Vec<Option<KeptFeatures>>, Vec<FeatureStore>),
        clock: &mut Clock,
    ) -> Result<Self, Error> {
        let Sketched { scanned, originals, weights, work } = sketched;
        let choice = Choice::new(scanned.request, scanned.documents);
        let search = before_features(sketched, &choice)?;
        let (footprint, held) =
            (scanned.documents.footprint(), kept.1.iter().map(FeatureStore::bytes).sum::<usize>());
        work.budget.check_held(footprint, held as u64)?;
        let room = FeatureRoom { work, bytes: work.budget.features(footprint) };
        let features = match &search {
            Some(search) => {
                let marks = mark_candidates(search, scanned.documents, originals, work, scanned.monitor)?;
                clock.lap("candidates");
                Features::load(scanned, kept, &marks, weights, Some(room))?
            }
            None => Features::of_partners(scanned, kept, originals, weights, room)?,
        };
        clock.lap("features");
        Ok(Prepared { sketched, choice, search, features })
    }

    /// The candidates. May be called once.
    ///
    /// # Errors
    /// [`Error::TooManyFeatures`], and errors of files in the folder of the run.
    pub fn candidates(&mut self) -> Result<Candidates<'_>, Error> {
        let Prepared { sketched, choice, search, features } = self;
        let (mut choice, features) = (choice.clone(), &*features);
        let mut search = match search.take() {
            Some(search) => search,
            None => by_features(*sketched, &mut choice, features.sets())?,
        };
        let set = |document: u32| features.of(document).features;
        search.join_families(&sketched.scanned.request.plan, set, &Threads);
        Ok(Candidates { search, choice, features })
    }
}
