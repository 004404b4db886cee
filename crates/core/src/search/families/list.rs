//! A long list of postings, as a tree that is walked in part.

use std::collections::HashMap;
use std::ops::Range;

/// A posting: the place of a document, and the greatest distance from the template at which another document may be
/// similar to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct DistancePosting {
    pub(super) place: u32,
    pub(super) reach: f32,
}

/// Postings from which a list is walked as a tree, which then costs less than one visit of each.
pub(super) const LONG: usize = 64;

/// A tree over postings. Each node summarises the postings below it.
#[derive(Debug)]
pub(super) struct PostingTree {
    items: Vec<DistancePosting>,
    /// Levels of nodes, from the bottom up. A node covers [`FAN`] items or nodes, and the top level has a single node.
    levels: Vec<Vec<PostingNode>>,
}

#[derive(Clone, Copy, Debug)]
struct PostingNode {
    /// The greatest reach below.
    reach: f32,
    /// The first place below.
    first: u32,
    /// The common root of all documents below, or [`MIXED`].
    root: u32,
}

/// The root of a node whose documents are in several clusters.
const MIXED: u32 = u32::MAX;

/// Items or nodes below a node: one cache line of items, or two of nodes.
const FAN: usize = 16;

/// Items of one cluster from which they are stored together, so that documents of the cluster can skip all of them at
/// once.
const CROWD: usize = 64;

/// A document that walks lists.
pub(super) trait Walker {
    /// The roots of the clusters of all documents, if the walk is only for pairs in different clusters.
    fn roots(&self) -> Option<&[u32]>;

    /// Whether the walker is in the cluster that had this root when the list was made.
    fn is_of(&mut self, root: u32) -> bool;

    /// Visits the document at `place`.
    fn visit(&mut self, place: u32);
}

impl PostingTree {
    /// The tree over `items`. `root` gives the root of the cluster of a document.
    pub(super) fn new(mut items: Vec<DistancePosting>, root: impl Fn(u32) -> u32) -> Self {
        let mut sizes: HashMap<u32, usize> = HashMap::new();
        items.iter().for_each(|item| *sizes.entry(root(item.place)).or_default() += 1);
        let crowd = |item: &DistancePosting| {
            let root = root(item.place);
            if sizes[&root] < CROWD { MIXED } else { root }
        };
        items.sort_by_cached_key(|item| (crowd(item), item.place));
        let leaf = |item: &DistancePosting| PostingNode {
            reach: item.reach,
            first: item.place,
            root: root(item.place),
        };
        let mut levels =
            vec![items.chunks(FAN).map(|items| over(items.iter().map(leaf))).collect::<Vec<_>>()];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            levels.push(below.chunks(FAN).map(|nodes| over(nodes.iter().copied())).collect());
        }
        PostingTree { items, levels }
    }

    /// Lets `walker`, a document at `distance`, visit the items before `place` that reach it.
    pub(super) fn walk(&self, distance: f64, place: u32, walker: &mut impl Walker) {
        // Rounded down, so that rounding leaves out no item that reaches the distance.
        let distance = (distance as f32).next_down();
        self.walk_level(self.levels.len() - 1, 0..1, (distance, place), walker);
    }

    fn walk_level(&self, level: usize, nodes: Range<usize>, asked: (f32, u32), walker: &mut impl Walker) {
        let (distance, place) = asked;
        for index in nodes {
            let node = self.levels[level][index];
            if node.reach < distance || node.first >= place || node.root != MIXED && walker.is_of(node.root) {
                continue;
            }
            let below = index * FAN..(index + 1) * FAN;
            match level.checked_sub(1) {
                Some(level) => {
                    self.walk_level(
                        level,
                        below.start..below.end.min(self.levels[level].len()),
                        asked,
                        walker,
                    );
                }
                None => {
                    let items = &self.items[below.start..below.end.min(self.items.len())];
                    for item in items.iter().filter(|item| item.reach >= distance && item.place < place) {
                        walker.visit(item.place);
                    }
                }
            }
        }
    }
}

/// The summary of `nodes`, which are not empty.
fn over(nodes: impl Iterator<Item = PostingNode>) -> PostingNode {
    let together = |all: PostingNode, node: PostingNode| PostingNode {
        reach: all.reach.max(node.reach),
        first: all.first.min(node.first),
        root: if all.root == node.root { node.root } else { MIXED },
    };
    nodes.reduce(together).unwrap_or(PostingNode { reach: f32::NEG_INFINITY, first: u32::MAX, root: MIXED })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;

    struct VisitedRoot {
        root: u32,
        visited: Vec<u32>,
    }

    impl Walker for VisitedRoot {
        fn roots(&self) -> Option<&[u32]> {
            None
        }

        fn is_of(&mut self, root: u32) -> bool {
            root == self.root
        }

        fn visit(&mut self, place: u32) {
            self.visited.push(place);
        }
    }

    #[test]
    fn a_walk_visits_all_items_that_reach_it_outside_its_cluster() {
        let mut generator = SplitMix64(2);
        for size in [1, 15, 16, 17, 255, 257, 5000] {
            // Two large clusters, some small ones, and single documents.
            let roots: Vec<u32> =
                (0..size).map(|place| (generator.next() % 4 * 3).min(u64::from(place)) as u32).collect();
            let reaches: Vec<f32> = (0..size).map(|_| (generator.next() % 100) as f32).collect();
            let items =
                (0..size).map(|place| DistancePosting { place, reach: reaches[place as usize] }).collect();
            let list = PostingTree::new(items, |place| roots[place as usize]);
            for (distance, place, root) in
                [(0.0, size, MIXED), (50.0, size / 2, 0), (99.0, size, 3), (100.0, size, 0)]
            {
                let mut seen = VisitedRoot { root, visited: Vec::new() };
                list.walk(distance, place, &mut seen);
                seen.visited.sort_unstable();
                let reached = |&other: &u32| other < place && f64::from(reaches[other as usize]) >= distance;
                let all: Vec<u32> = (0..size).filter(reached).collect();
                let apart: Vec<u32> =
                    all.iter().copied().filter(|&other| roots[other as usize] != root).collect();
                assert!(seen.visited.iter().all(|other| all.contains(other)));
                assert!(apart.iter().all(|other| seen.visited.contains(other)));
                // Items of its own cluster are visited only if they share a node with others.
                assert!(seen.visited.len() <= apart.len() + 2 * FAN * list.levels.len());
            }
        }
    }
}
