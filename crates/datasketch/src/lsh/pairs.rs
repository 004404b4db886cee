//! All pairs of slots that share a band, at once.

use super::Lsh;
use crate::bands::BandTables;

/// Two positions in the order of insertion, the lower one first, and the share of equal values.
pub type CandidatePair = (u64, u64, f64);

impl Lsh {
    /// The pairs of slots that share a band, ascending. `least`: estimates reach it.
    ///
    /// The search calls `begins` at every band, and `found` after every signature of a bucket, with the number of pairs
    /// so far. A pair of slots with several signatures may count more than once there.
    ///
    /// # Errors
    /// That of `found`, which ends the search.
    pub fn pairs<E>(
        &self,
        least: Option<f64>,
        begins: impl Fn(),
        found: impl Fn(usize) -> Result<(), E>,
    ) -> Result<Vec<CandidatePair>, E> {
        let mut error = None;
        let mut goes_on = |pairs: usize| match found(pairs) {
            Ok(()) => true,
            Err(stopped) => {
                error = Some(stopped);
                false
            }
        };
        let pairs = self.searched(least, &begins, &mut goes_on);
        error.map_or(Ok(pairs), Err)
    }

    // Not generic, so that it is built here, together with what it calls.
    fn searched(
        &self,
        least: Option<f64>,
        begins: &dyn Fn(),
        goes_on: &mut dyn FnMut(usize) -> bool,
    ) -> Vec<CandidatePair> {
        let Some(tables) = &self.tables else { return Vec::new() };
        let positions = positions(tables);
        let mut pairs: Vec<CandidatePair> = Vec::new();
        for band in 0..tables.shape.bands {
            begins();
            for head in tables.heads(band) {
                let words = tables.band(tables.of_entry(head), band);
                let bucket: Vec<u32> = tables.bucket(band, words).collect();
                for (place, &a) in bucket.iter().enumerate() {
                    for &b in &bucket[..place] {
                        if tables.slot(a) == tables.slot(b) || shares_earlier_band(tables, a, b, band) {
                            continue;
                        }
                        let estimate = tables.estimate(tables.of_entry(a), b);
                        if least.is_none_or(|least| estimate >= least) {
                            let [a, b] = [a, b].map(|entry| positions[tables.slot(entry) as usize]);
                            pairs.push((a.min(b), a.max(b), estimate));
                        }
                    }
                    if !goes_on(pairs.len()) {
                        return Vec::new();
                    }
                }
            }
        }
        pairs.sort_unstable_by_key(|&(a, b, _)| (a, b));
        // A slot may have several signatures.
        pairs.dedup_by_key(|(a, b, _)| (*a, *b));
        pairs
    }
}

/// The position of each slot in the order of insertion.
fn positions(tables: &BandTables) -> Vec<u64> {
    let slots = tables.in_order();
    let mut positions = vec![0; slots.iter().max().map_or(0, |&slot| slot as usize + 1)];
    slots.iter().zip(0..).for_each(|(&slot, position)| positions[slot as usize] = position);
    positions
}

/// Whether a pair was found in an earlier band.
fn shares_earlier_band(tables: &BandTables, a: u32, b: u32, band: usize) -> bool {
    let [a, b] = [tables.of_entry(a), tables.of_entry(b)];
    (0..band).any(|earlier| tables.band(a, earlier) == tables.band(b, earlier))
}
