//! The buffers of a thread, which counts the overlaps of one set with all earlier sets side by side.

use super::bounds::SizeBounds;
use super::index::{FeatureProbe, Posting};
use crate::compare::measure::Verifier;
use crate::simd::Level;

/// The buffers that a thread needs to process blocks of an [`ExactJoin`](crate::search::ExactJoin): eight bytes for
/// each set.
pub struct Prober {
    pub(super) verifier: Verifier,
    states: Vec<PairState>,
    touched: Vec<u32>,
}

/// The state of a pair.
#[derive(Clone, Copy, Default)]
struct PairState {
    /// Common features so far.
    common: u32,
    /// The number that is needed. 0 before the first common feature, [`HOPELESS`] if it cannot be reached.
    needed: u32,
}

/// A number that no two sets can have in common.
const HOPELESS: u32 = u32::MAX;

impl Prober {
    pub(super) fn new(bounds: SizeBounds, sets: usize) -> Self {
        Prober {
            verifier: Verifier::new(Level::detect(), bounds.measure, bounds.threshold),
            states: vec![PairState::default(); sets],
            touched: Vec::new(),
        }
    }

    /// Fills `candidates` with the places of sets that may be similar to a set of `size` features. `probes` are the
    /// probes of that set, and refer to `postings`.
    pub(super) fn candidates(
        &mut self,
        bounds: SizeBounds,
        sizes: &[u32],
        size: u32,
        probes: &[FeatureProbe],
        postings: &[Posting],
        candidates: &mut Vec<u32>,
    ) {
        for probe in probes {
            for posting in &postings[probe.postings()] {
                let state = &mut self.states[posting.place as usize];
                if state.needed == 0 {
                    state.needed = bounds.common(sizes[posting.place as usize], size);
                    self.touched.push(posting.place);
                }
                // All earlier common features were counted, as they are in both prefixes.
                state.common += 1;
                if state.common + posting.after.min(probe.after) < state.needed {
                    state.needed = HOPELESS;
                }
            }
        }
        candidates.clear();
        for &place in &self.touched {
            if std::mem::take(&mut self.states[place as usize]).needed != HOPELESS {
                candidates.push(place);
            }
        }
        self.touched.clear();
    }
}
