//! One family: its index, and what a document has to look at.

use super::bounds::{Bounds, suffices};
use super::differences::{Counted, Places};
use super::list::{Item, List, Walker};
use crate::exact::index::{Index, LONG, Posting};
use crate::measure::Measure;
use crate::spread::Spread;
use std::sync::OnceLock;

/// The documents of a family, and which of them share differences.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) places: Places,
    index: Index,
    /// How many places are so near the template that two of them are similar.
    near: u32,
    /// The places that are near, then the long lists of the index; made when clusters are known as far as lists tell.
    lists: OnceLock<Vec<List>>,
}

impl Family {
    /// The family of `documents`, ascending.
    pub(super) fn new<'s>(
        documents: &[u32],
        set: impl Fn(u32) -> &'s [u64] + Sync,
        (measure, threshold): (Measure, f64),
        spread: &impl Spread,
    ) -> Self {
        let bounds = |smallest| Bounds::new(measure, threshold, smallest);
        let (counted, places) = Counted::new(documents, set, bounds, spread);
        let prefixes = counted.prefixes(&places, spread);
        drop(counted);
        let index = Index::new(&places, prefixes, spread);
        // Nobody behind these is similar to them for being near, unless it is as near as they are far.
        let near = places.distances.partition_point(|&distance| suffices(0, distance)) as u32;
        Family { places, index, near, lists: OnceLock::new() }
    }

    /// How many lists there are.
    pub(super) fn lists(&self) -> usize {
        1 + self.index.long.len()
    }

    /// How many postings a list has.
    pub(super) fn list_len(&self, list: usize) -> usize {
        list.checked_sub(1).map_or(self.near as usize, |list| self.index.long[list].len())
    }

    /// The postings of a list, in the order of their places.
    pub(super) fn items(&self, list: usize) -> Vec<Item> {
        let distance = |place: u32| self.places.distances[place as usize];
        // Up, so that nothing is passed over for its rounding.
        let item = |place: u32, shared: u32| Item {
            place,
            reach: (2.0 * f64::from(shared) - distance(place) + SLACK) as f32,
        };
        let up = |item: Item| Item { reach: item.reach.next_up(), ..item };
        match list.checked_sub(1) {
            None => (0..self.near).map(|place| up(item(place, 0))).collect(),
            Some(list) => {
                let postings = self.index.long[list].start as usize..self.index.long[list].end as usize;
                let of = |posting: &Posting| up(item(posting.place, posting.after + 1));
                self.index.postings[postings].iter().map(of).collect()
            }
        }
    }

    /// Shows `walker`, the document at `place`, all before it that may be similar to it, some more than once.
    /// `root` tells the cluster of a place.
    pub(super) fn walk(&self, place: u32, root: impl Fn(u32) -> u32, walker: &mut impl Walker) {
        let distance = self.places.distances[place as usize];
        let lists = || {
            self.lists
                .get_or_init(|| (0..self.lists()).map(|list| List::new(self.items(list), &root)).collect())
        };
        if self.near > 0 && suffices(0, distance + self.places.distances[0]) {
            lists()[0].walk(distance, place, walker);
        }
        let asker = self.index.asker_from(place);
        if asker == self.index.askers() || self.index.asker(asker).0 != place {
            return;
        }
        let mut wanted = Vec::with_capacity(LONG);
        for probe in self.index.asker(asker).1 {
            // Behind this feature the document has too few differences for partners that are farther away.
            let farthest = 2.0 * f64::from(probe.after + 1) - distance + SLACK;
            let postings = probe.postings();
            if postings.len() >= LONG {
                let list = self.index.long.partition_point(|list| list.end as usize <= postings.start);
                let until =
                    self.places.distances[..place as usize].partition_point(|&other| other <= farthest);
                lists()[list + 1].walk(distance, until as u32, walker);
                continue;
            }
            wanted.clear();
            wanted.extend_from_slice(&self.index.postings[postings]);
            walker.keep_wanted(&mut wanted);
            for posting in &wanted {
                let other = self.places.distances[posting.place as usize];
                if suffices(probe.after.min(posting.after) + 1, distance + other) {
                    walker.visit(posting.place);
                }
            }
        }
    }
}

/// As much as [`suffices`] allows, and more.
const SLACK: f64 = 2e-5;
