//! One family: its index, and the walk of a document to its candidates.

use super::bounds::{FamilyBounds, suffices};
use super::differences::{Counted, DistanceOrder};
use super::join::Required;
use super::list::{DistancePosting, LONG, PostingTree, Walker};
use crate::search::exact::index::{InvertedIndex, Posting};
use crate::search::executor::Executor;
use std::sync::OnceLock;

/// The documents of a family, and the index of their differences.
#[derive(Debug)]
pub(super) struct Family {
    pub(super) places: DistanceOrder,
    index: InvertedIndex,
    /// The number of places so close to the template that any two of them may be similar.
    near: u32,
    /// The lists for a search of every pair, and those for a search of links, made once the leaders' rounds are over.
    every: OnceLock<FamilyLists>,
    links: OnceLock<FamilyLists>,
}

/// The lists of a family, with the clusters of its documents at the time when they were made.
#[derive(Debug)]
struct FamilyLists {
    near: PostingTree,
    /// The long lists of the index, each with the position of its first posting.
    long: Vec<(usize, PostingTree)>,
    /// The root of each posting's document. Empty if the search is not for clusters.
    roots: Vec<u32>,
}

impl Family {
    /// The family of `documents`, which ascend.
    pub(super) fn new<'s, E: Executor>(
        documents: &[u32],
        set: impl Fn(u32) -> &'s [u64] + Sync,
        Required { measure, threshold }: Required,
        executor: &E,
    ) -> Result<Self, E::Stopped> {
        let bounds = |smallest| FamilyBounds::new(measure, threshold, smallest);
        let (counted, places) = Counted::new(documents, set, bounds, executor)?;
        let prefixes = counted.prefixes(&places, executor)?;
        drop(counted);
        let index = InvertedIndex::new(&places, prefixes, executor)?;
        // Later places are farther from the template. They may be similar to one of these without a shared difference
        // only if that one is close enough to make up for it.
        let near = places.distances.partition_point(|&distance| suffices(0, distance)) as u32;
        Ok(Family { places, index, near, every: OnceLock::new(), links: OnceLock::new() })
    }

    /// The number of lists: one of the near places, and the lists that the index notes.
    pub(super) fn lists(&self) -> usize {
        1 + self.index.lists.len()
    }

    /// The number of postings in a list.
    pub(super) fn list_len(&self, list: usize) -> usize {
        list.checked_sub(1).map_or(self.near as usize, |list| self.index.lists[list].len())
    }

    /// The postings of a list, in the order of their places.
    pub(super) fn items(&self, list: usize) -> Vec<DistancePosting> {
        match list.checked_sub(1) {
            None => (0..self.near).map(|place| self.item(place, 0)).collect(),
            Some(list) => {
                let range = &self.index.lists[list];
                let postings = &self.index.postings[range.start as usize..range.end as usize];
                postings.iter().map(|posting| self.item(posting.place, posting.after + 1)).collect()
            }
        }
    }

    /// The document at `place` as an item of a list. It shares at most `shared` differences by this list.
    fn item(&self, place: u32, shared: u32) -> DistancePosting {
        let reach = 2.0 * f64::from(shared) - self.places.distances[place as usize] + SLACK;
        // Rounded up, so that rounding leaves nothing out.
        DistancePosting { place, reach: (reach as f32).next_up() }
    }

    /// Whether two items of one list may be similar.
    pub(super) fn reach(&self, a: DistancePosting, b: DistancePosting) -> bool {
        let distance = |item: DistancePosting| self.places.distances[item.place as usize] as f32;
        distance(a).next_down() <= b.reach && distance(b).next_down() <= a.reach
    }

    fn lists_for(&self, roots: Option<&[u32]>) -> &FamilyLists {
        let lists = if roots.is_some() { &self.links } else { &self.every };
        lists.get_or_init(|| {
            let documents = &self.places.documents;
            let root = |place: u32| roots.map_or(place, |roots| roots[documents[place as usize] as usize]);
            let list = |list| PostingTree::new(self.items(list), root);
            let long = (0..self.index.lists.len()).filter(|&list| self.index.lists[list].len() >= LONG);
            FamilyLists {
                near: list(0),
                long: long.map(|long| (self.index.lists[long].start as usize, list(1 + long))).collect(),
                roots: match roots {
                    None => Vec::new(),
                    Some(_) => self.index.postings.iter().map(|posting| root(posting.place)).collect(),
                },
            }
        })
    }

    /// Shows to `walker`, the document at `place`, all earlier documents that may be similar to it. Some are shown more
    /// than once.
    pub(super) fn walk(&self, place: u32, walker: &mut impl Walker) {
        let distance = self.places.distances[place as usize];
        let lists = self.lists_for(walker.roots());
        if self.near > 0 && suffices(0, distance + self.places.distances[0]) {
            lists.near.walk(distance, place, walker);
        }
        let asker = self.index.asker_from(place);
        if asker == self.index.askers() || self.index.asker(asker).0 != place {
            return;
        }
        let mut wanted = Vec::with_capacity(LONG);
        for probe in self.index.asker(asker).1 {
            let postings = probe.postings();
            if postings.len() >= LONG {
                // After this feature, the document has too few differences left for partners that are farther away.
                let farthest = 2.0 * f64::from(probe.after + 1) - distance + SLACK;
                let until =
                    self.places.distances[..place as usize].partition_point(|&other| other <= farthest);
                let list = lists.long.partition_point(|&(start, _)| start <= postings.start) - 1;
                lists.long[list].1.walk(distance, until as u32, walker);
                continue;
            }
            wanted.clear();
            wanted.extend_from_slice(&self.index.postings[postings.clone()]);
            if let Some(roots) = walker.roots() {
                let own = roots[self.places.documents[place as usize] as usize];
                keep(&mut wanted, &lists.roots[postings], |root| roots[root as usize] != own);
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

/// Keeps the postings whose roots are `wanted`. It has no branch, as no predictor could guess the outcome.
fn keep(postings: &mut Vec<Posting>, roots: &[u32], wanted: impl Fn(u32) -> bool) {
    let mut kept = 0;
    for (index, &root) in roots.iter().enumerate() {
        postings[kept] = postings[index];
        kept += usize::from(wanted(root));
    }
    postings.truncate(kept);
}

/// At least the margin of [`suffices`].
const SLACK: f64 = 2e-5;
