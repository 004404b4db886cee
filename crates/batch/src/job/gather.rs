//! The features that a search needs.

use crate::clock::Clock;
use crate::compare;
use crate::error::Error;
use crate::features::{Features, Reading, Room};
use crate::kept::{Kept, Store};
use crate::search::Search;
use crate::work::Work;
use lookalike::Weights;

/// The features of what the search will compare; without one yet, of what may be alike to anything.
pub(super) fn gather(
    reading: Reading<'_>,
    kept: (Vec<Option<Kept>>, Vec<Store>),
    (search, originals): (Option<&Search<'_>>, &[u32]),
    weights: Weights<'_>,
    work: &Work,
    clock: &mut Clock,
) -> Result<Features, Error> {
    let features: usize = kept.1.iter().map(Store::bytes).sum();
    work.budget.check_held(reading.documents.footprint(), features as u64)?;
    let room = Room { work, bytes: work.budget.features(reading.documents.footprint()) };
    let features = match search {
        Some(search) => {
            let involved = compare::involved(search, reading.documents, originals, work, reading.monitor)?;
            clock.lap("candidates");
            Features::load(reading, kept, &involved, weights, Some(room))?
        }
        None => Features::of_partners(reading, kept, originals, weights, room)?,
    };
    clock.lap("features");
    Ok(features)
}
