//! From sketched documents to candidates: the one order in which a search is made.

use super::{Search, Sketched, before_features, by_features, choice::Choice, involved::involved};
use crate::clock::Clock;
use crate::documents::kept::{Kept, Store};
use crate::error::Error;
use crate::features::{Features, Room};
use crate::threads::Threads;

/// A search as far as it can be made without features, and the features of all that it may compare.
pub struct Prepared<'a> {
    sketched: Sketched<'a>,
    choice: Choice,
    /// `None` if it goes by features.
    search: Option<Search<'a>>,
    /// The features.
    pub features: Features,
}

/// What is compared, by which features.
pub struct Candidates<'a> {
    /// The rounds of candidates.
    pub search: Search<'a>,
    /// How they are searched, and why so.
    pub choice: Choice,
    /// The features of all that is compared.
    pub features: &'a Features,
}

impl<'a> Prepared<'a> {
    /// Chooses the method and gathers the features; those that were `kept` from the first scan are not made again.
    ///
    /// # Errors
    /// Those of reading; [`Error::TooManyForMemory`], [`Error::TooMuchToHold`].
    pub fn new(
        sketched: Sketched<'a>,
        kept: (Vec<Option<Kept>>, Vec<Store>),
        clock: &mut Clock,
    ) -> Result<Self, Error> {
        let Sketched { scanned, originals, weights, work } = sketched;
        let choice = Choice::new(scanned.request, scanned.documents);
        let search = before_features(sketched, &choice)?;
        let (footprint, held) =
            (scanned.documents.footprint(), kept.1.iter().map(Store::bytes).sum::<usize>());
        work.budget.check_held(footprint, held as u64)?;
        let room = Room { work, bytes: work.budget.features(footprint) };
        let features = match &search {
            Some(search) => {
                let involved = involved(search, scanned.documents, originals, work, scanned.monitor)?;
                clock.lap("candidates");
                Features::load(scanned, kept, &involved, weights, Some(room))?
            }
            None => Features::of_partners(scanned, kept, originals, weights, room)?,
        };
        clock.lap("features");
        Ok(Prepared { sketched, choice, search, features })
    }

    /// The candidates; once.
    ///
    /// # Errors
    /// [`Error::TooManyFeatures`]; those of what is put on disk.
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
