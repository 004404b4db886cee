//! One family: its index, and what a document has to look at.

use super::bounds::{Bounds, suffices};
use super::differences::{Counted, Places};
use super::list::{Item, LONG, List, Walker};
use crate::plan::Measure;
use crate::search::exact::index::{Index, Posting};
use crate::search::executor::Executor;
use std::sync::OnceLock;

/// The documents of a family, and which of them share differences.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) places: Places,
    index: Index,
    /// How many places are so near the template that two of them are similar.
    near: u32,
    /// What a search for every pair knows, and what one for links does when the lists have been led.
    every: OnceLock<Known>,
    links: OnceLock<Known>,
}

/// The lists of a family, with the clusters that its documents were in when this was made.
#[derive(Debug)]
struct Known {
    near: List,
    /// The long lists of the index, by their first postings.
    long: Vec<(usize, List)>,
    /// The root of each posting's document; empty if nobody asks for clusters.
    roots: Vec<u32>,
}

impl Family {
    /// The family of `documents`, ascending.
    pub(super) fn new<'s>(
        documents: &[u32],
        set: impl Fn(u32) -> &'s [u64] + Sync,
        (measure, threshold): (Measure, f64),
        executor: &impl Executor,
    ) -> Self {
        let bounds = |smallest| Bounds::new(measure, threshold, smallest);
        let (counted, places) = Counted::new(documents, set, bounds, executor);
        let prefixes = counted.prefixes(&places, executor);
        drop(counted);
        let index = Index::new(&places, prefixes, executor);
        // Nobody behind these is similar to them for being near, unless it is as near as they are far.
        let near = places.distances.partition_point(|&distance| suffices(0, distance)) as u32;
        Family { places, index, near, every: OnceLock::new(), links: OnceLock::new() }
    }

    /// How many lists there are: the places that are near, and what the index notes.
    pub(super) fn lists(&self) -> usize {
        1 + self.index.lists.len()
    }

    /// How many postings a list has.
    pub(super) fn list_len(&self, list: usize) -> usize {
        list.checked_sub(1).map_or(self.near as usize, |list| self.index.lists[list].len())
    }

    /// The postings of a list, in the order of their places.
    pub(super) fn items(&self, list: usize) -> Vec<Item> {
        match list.checked_sub(1) {
            None => (0..self.near).map(|place| self.item(place, 0)).collect(),
            Some(list) => {
                let range = &self.index.lists[list];
                let postings = &self.index.postings[range.start as usize..range.end as usize];
                postings.iter().map(|posting| self.item(posting.place, posting.after + 1)).collect()
            }
        }
    }

    /// The document at `place`, of whose differences those of a list are `shared` or fewer.
    fn item(&self, place: u32, shared: u32) -> Item {
        let reach = 2.0 * f64::from(shared) - self.places.distances[place as usize] + SLACK;
        // Up, so that nothing is passed over for its rounding.
        Item { place, reach: (reach as f32).next_up() }
    }

    /// May two of one list be similar?
    pub(super) fn reach(&self, a: Item, b: Item) -> bool {
        let distance = |item: Item| self.places.distances[item.place as usize] as f32;
        distance(a).next_down() <= b.reach && distance(b).next_down() <= a.reach
    }

    fn known(&self, roots: Option<&[u32]>) -> &Known {
        let known = if roots.is_some() { &self.links } else { &self.every };
        known.get_or_init(|| {
            let documents = &self.places.documents;
            let root = |place: u32| roots.map_or(place, |roots| roots[documents[place as usize] as usize]);
            let list = |list| List::new(self.items(list), root);
            let long = (0..self.index.lists.len()).filter(|&list| self.index.lists[list].len() >= LONG);
            Known {
                near: list(0),
                long: long.map(|long| (self.index.lists[long].start as usize, list(1 + long))).collect(),
                roots: match roots {
                    None => Vec::new(),
                    Some(_) => self.index.postings.iter().map(|posting| root(posting.place)).collect(),
                },
            }
        })
    }

    /// Shows `walker`, the document at `place`, all before it that may be similar to it, some more than once.
    pub(super) fn walk(&self, place: u32, walker: &mut impl Walker) {
        let distance = self.places.distances[place as usize];
        let known = self.known(walker.roots());
        if self.near > 0 && suffices(0, distance + self.places.distances[0]) {
            known.near.walk(distance, place, walker);
        }
        let asker = self.index.asker_from(place);
        if asker == self.index.askers() || self.index.asker(asker).0 != place {
            return;
        }
        let mut wanted = Vec::with_capacity(LONG);
        for probe in self.index.asker(asker).1 {
            let postings = probe.postings();
            if postings.len() >= LONG {
                // Behind this feature the document has too few differences for partners that are farther away.
                let farthest = 2.0 * f64::from(probe.after + 1) - distance + SLACK;
                let until =
                    self.places.distances[..place as usize].partition_point(|&other| other <= farthest);
                let list = known.long.partition_point(|&(start, _)| start <= postings.start) - 1;
                known.long[list].1.walk(distance, until as u32, walker);
                continue;
            }
            wanted.clear();
            wanted.extend_from_slice(&self.index.postings[postings.clone()]);
            if let Some(roots) = walker.roots() {
                let own = roots[self.places.documents[place as usize] as usize];
                keep(&mut wanted, &known.roots[postings], |root| roots[root as usize] != own);
            }
            for posting in &wanted {
                let other = self.places.distances[posting.place as usize];
                if suffices(probe.after.min(posting.after) + 1, distance + other) {
                    walker.visit(posting.place);
                }
            }
        }
    }
}

/// Keeps the postings of whose roots `wanted` is true; without a branch, which nobody could foretell.
fn keep(postings: &mut Vec<Posting>, roots: &[u32], wanted: impl Fn(u32) -> bool) {
    let mut kept = 0;
    for (index, &root) in roots.iter().enumerate() {
        postings[kept] = postings[index];
        kept += usize::from(wanted(root));
    }
    postings.truncate(kept);
}

/// As much as [`suffices`] allows, and more.
const SLACK: f64 = 2e-5;
