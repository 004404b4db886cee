//! Queries of a layer, several at a time. Memory is prefetched well before it is needed.
//!
//! A query touches dozens of cache lines all over the index, and would spend its time waiting for one after the other.
//! Each step therefore prefetches the data of the next step for all queries of a batch: directory, buckets, codes.

use super::layer::{Layer, Lookup};
use crate::simd::hamming::Code;
use crate::simd::{Level, prefetch};

/// Queries processed together: about 16 × 50 lines, which the first-level cache holds.
pub(crate) const BATCH: usize = 16;

/// A result: the number of the query in the batch, the place of the code in the layer, and their distance.
pub(crate) type Near = (u32, u32, u32);

/// The buffers of a probe.
#[derive(Debug, Default)]
pub(crate) struct ProbeBuffers {
    /// The ranges of buckets that are not empty.
    ranges: Vec<(u32, u32)>,
    /// The end of the ranges of each query and table.
    range_ends: Vec<usize>,
    /// Places whose check bits are close enough.
    suspects: Vec<u32>,
    suspect_ends: Vec<usize>,
    near: Vec<(u32, u32)>,
    /// The results.
    pub(crate) found: Vec<Near>,
}

impl ProbeBuffers {
    /// Finds all codes of `layer` within `distance` of each query. `found` then holds each code once.
    pub(crate) fn run<C: Code>(&mut self, level: Level, layer: &Layer<C>, queries: &[C], distance: u32) {
        self.found.clear();
        let lookups = layer.lookups(distance);
        if lookups.is_empty() {
            return self.scan(level, layer.codes(), queries, distance);
        }
        self.prefetch_directory(layer, lookups, queries);
        self.look_up(layer, lookups, queries);
        self.compare(level, layer, lookups, queries, distance);
        self.verify(layer, lookups, queries, distance);
    }

    /// Compares all codes with each query.
    fn scan<C: Code>(&mut self, level: Level, codes: &[C], queries: &[C], distance: u32) {
        for (query, &code) in (0..).zip(queries) {
            self.near.clear();
            level.close_codes(codes, &[(0, codes.len() as u32)], code, distance, &mut self.near);
            self.found.extend(self.near.iter().map(|&(place, between)| (query, place, between)));
        }
    }

    /// Prefetches the directory.
    fn prefetch_directory<C: Code>(&self, layer: &Layer<C>, lookups: &[Lookup], queries: &[C]) {
        for &query in queries {
            for lookup in lookups {
                let table = &layer.tables()[lookup.table];
                let bucket = table.bucket(query);
                for flip in table.flips(lookup.tau) {
                    prefetch(table.starts(), (bucket ^ flip) as usize);
                }
            }
        }
    }

    /// Reads the directory and prefetches the contents of the buckets.
    fn look_up<C: Code>(&mut self, layer: &Layer<C>, lookups: &[Lookup], queries: &[C]) {
        self.ranges.clear();
        self.range_ends.clear();
        for &query in queries {
            for lookup in lookups {
                let table = &layer.tables()[lookup.table];
                let (starts, bucket) = (table.starts(), table.bucket(query));
                for flip in table.flips(lookup.tau) {
                    let bucket = (bucket ^ flip) as usize;
                    let (start, end) = (starts[bucket], starts[bucket + 1]);
                    if start < end {
                        self.ranges.push((start, end));
                        if lookup.table == 0 {
                            prefetch(layer.codes(), start as usize);
                            prefetch(layer.codes(), end as usize - 1);
                        } else {
                            prefetch(table.entries(), start as usize);
                            prefetch(table.entries(), end as usize - 1);
                        }
                    }
                }
                self.range_ends.push(self.ranges.len());
            }
        }
    }

    /// Compares the codes in the buckets of the first table. For the other tables it compares the check bits, and
    /// prefetches the codes that may be close.
    fn compare<C: Code>(
        &mut self,
        level: Level,
        layer: &Layer<C>,
        lookups: &[Lookup],
        queries: &[C],
        distance: u32,
    ) {
        self.suspects.clear();
        self.suspect_ends.clear();
        let mut start = 0;
        let mut ends = self.range_ends.iter();
        for (number, &query) in (0..).zip(queries) {
            for (lookup, &end) in lookups.iter().zip(&mut ends) {
                let ranges = &self.ranges[start..end];
                start = end;
                if lookup.table == 0 {
                    self.near.clear();
                    level.close_codes(layer.codes(), ranges, query, distance, &mut self.near);
                    self.found.extend(self.near.iter().map(|&(place, between)| (number, place, between)));
                } else {
                    let table = &layer.tables()[lookup.table];
                    let (check, place_bits) = (table.check(query), table.place_bits());
                    let before = self.suspects.len();
                    level.close_checks(
                        table.entries(),
                        ranges,
                        check,
                        place_bits,
                        distance,
                        &mut self.suspects,
                    );
                    self.suspects[before..].iter().for_each(|&place| prefetch(layer.codes(), place as usize));
                }
                self.suspect_ends.push(self.suspects.len());
            }
        }
    }

    /// Compares the codes whose check bits were close enough. Codes that an earlier table also leads to were found
    /// there.
    fn verify<C: Code>(&mut self, layer: &Layer<C>, lookups: &[Lookup], queries: &[C], distance: u32) {
        let mut start = 0;
        let mut ends = self.suspect_ends.iter();
        for (number, &query) in (0..).zip(queries) {
            for (index, &end) in (0..lookups.len()).zip(&mut ends) {
                for &place in &self.suspects[start..end] {
                    let differing = layer.codes()[place as usize] ^ query;
                    let between = differing.distance(C::default());
                    let earlier =
                        |lookup: &Lookup| layer.tables()[lookup.table].reaches(differing, lookup.tau);
                    if between <= distance && !lookups[..index].iter().any(earlier) {
                        self.found.push((number, place, between));
                    }
                }
                start = end;
            }
        }
    }
}
