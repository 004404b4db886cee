//! Queries against a layer, several at a time: memory is asked for well before it is needed.
//!
//! A query touches dozens of lines all over the index, and waiting for them one by one would be all that it does. So
//! each step asks for what the next one reads, for all queries of a batch: directory, buckets, codes.

use super::layer::{Layer, Look};
use crate::simd::hamming::Code;
use crate::simd::{Level, prefetch};

/// Queries under way at once: some 16 × 50 lines, which the first-level cache holds.
pub(crate) const BATCH: usize = 16;

/// A match: which query of the batch, the place of the code in the layer, and in how many bits they differ.
pub(crate) type Near = (u32, u32, u32);

/// What a probe works in.
#[derive(Debug, Default)]
pub(crate) struct Probe {
    /// Buckets that are not empty, from where to where.
    ranges: Vec<(u32, u32)>,
    /// Where the ranges of each query and table end.
    range_ends: Vec<usize>,
    /// Places whose checks are near enough.
    suspects: Vec<u32>,
    suspect_ends: Vec<usize>,
    near: Vec<(u32, u32)>,
    /// What was found.
    pub(crate) found: Vec<Near>,
}

impl Probe {
    /// Looks for all codes of `layer` within `distance` of each query; `found` then holds each once.
    pub(crate) fn run<C: Code>(&mut self, level: Level, layer: &Layer<C>, queries: &[C], distance: u32) {
        self.found.clear();
        let looks = layer.looks(distance);
        if looks.is_empty() {
            return self.scan(level, layer.codes(), queries, distance);
        }
        self.ask(layer, looks, queries);
        self.look_up(layer, looks, queries);
        self.compare(level, layer, looks, queries, distance);
        self.verify(layer, looks, queries, distance);
    }

    /// Looks at all codes.
    fn scan<C: Code>(&mut self, level: Level, codes: &[C], queries: &[C], distance: u32) {
        for (query, &code) in (0..).zip(queries) {
            self.near.clear();
            level.close_codes(codes, &[(0, codes.len() as u32)], code, distance, &mut self.near);
            self.found.extend(self.near.iter().map(|&(place, between)| (query, place, between)));
        }
    }

    /// Asks for the directory.
    fn ask<C: Code>(&self, layer: &Layer<C>, looks: &[Look], queries: &[C]) {
        for &query in queries {
            for look in looks {
                let table = &layer.tables()[look.table];
                let bucket = table.bucket(query);
                for flip in table.flips(look.tau) {
                    prefetch(table.starts(), (bucket ^ flip) as usize);
                }
            }
        }
    }

    /// Reads the directory and asks for what lies in the buckets.
    fn look_up<C: Code>(&mut self, layer: &Layer<C>, looks: &[Look], queries: &[C]) {
        self.ranges.clear();
        self.range_ends.clear();
        for &query in queries {
            for look in looks {
                let table = &layer.tables()[look.table];
                let (starts, bucket) = (table.starts(), table.bucket(query));
                for flip in table.flips(look.tau) {
                    let bucket = (bucket ^ flip) as usize;
                    let (start, end) = (starts[bucket], starts[bucket + 1]);
                    if start < end {
                        self.ranges.push((start, end));
                        if look.table == 0 {
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

    /// Compares the codes of the first table, and the checks of the others, and asks for the codes of these.
    fn compare<C: Code>(
        &mut self,
        level: Level,
        layer: &Layer<C>,
        looks: &[Look],
        queries: &[C],
        distance: u32,
    ) {
        self.suspects.clear();
        self.suspect_ends.clear();
        let mut start = 0;
        let mut ends = self.range_ends.iter();
        for (number, &query) in (0..).zip(queries) {
            for (look, &end) in looks.iter().zip(&mut ends) {
                let ranges = &self.ranges[start..end];
                start = end;
                if look.table == 0 {
                    self.near.clear();
                    level.close_codes(layer.codes(), ranges, query, distance, &mut self.near);
                    self.found.extend(self.near.iter().map(|&(place, between)| (number, place, between)));
                } else {
                    let table = &layer.tables()[look.table];
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

    /// Compares the codes whose checks were near enough. What an earlier table leads to has been found there.
    fn verify<C: Code>(&mut self, layer: &Layer<C>, looks: &[Look], queries: &[C], distance: u32) {
        let mut start = 0;
        let mut ends = self.suspect_ends.iter();
        for (number, &query) in (0..).zip(queries) {
            for (index, &end) in (0..looks.len()).zip(&mut ends) {
                for &place in &self.suspects[start..end] {
                    let differing = layer.codes()[place as usize] ^ query;
                    let between = differing.distance(C::default());
                    let earlier = |look: &Look| layer.tables()[look.table].reaches(differing, look.tau);
                    if between <= distance && !looks[..index].iter().any(earlier) {
                        self.found.push((number, place, between));
                    }
                }
                start = end;
            }
        }
    }
}
