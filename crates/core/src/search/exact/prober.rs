//! What a thread works in: overlaps of one set with those before it, counted side by side.

use super::bounds::Bounds;
use super::index::{Posting, Probe};
use crate::compare::measure::Verifier;
use crate::simd::Level;

/// What a thread needs to work on units of an [`ExactJoin`](crate::search::ExactJoin): eight bytes for each set.
pub struct Prober {
    pub(super) verifier: Verifier,
    states: Vec<State>,
    touched: Vec<u32>,
}

/// What is known of a pair.
#[derive(Clone, Copy, Default)]
struct State {
    /// Common features so far.
    common: u32,
    /// How many there must be; 0 before the first, [`HOPELESS`] if they cannot be reached.
    needed: u32,
}

/// More than two sets can have in common.
const HOPELESS: u32 = u32::MAX;

impl Prober {
    pub(super) fn new(bounds: Bounds, sets: usize) -> Self {
        Prober {
            verifier: Verifier::new(Level::detect(), bounds.measure, bounds.threshold),
            states: vec![State::default(); sets],
            touched: Vec::new(),
        }
    }

    /// Puts the places of sets that a set of `size` features may be similar to into `candidates`; `probes` are what it asks of
    /// `postings`.
    pub(super) fn candidates(
        &mut self,
        bounds: Bounds,
        sizes: &[u32],
        size: u32,
        probes: &[Probe],
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
                // All common features that come earlier were counted: they are in both prefixes too.
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
