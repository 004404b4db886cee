//! A list of centres, in the order in which they became one, that a document walks without a visit of each.

use std::ops::{ControlFlow, Range};

/// The least numbers of shared differences, doubled, that the two conditions require. Each is the sum of a number for
/// the document and one for the centre. See [`bounds`](crate::search::families::bounds).
pub(super) type Distances = [f64; 2];

/// A centre in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The number of the centre.
    centre: u32,
    /// The most differences that it can share with a document that finds it here first.
    most: u32,
    /// Rounded down, so that rounding leaves out no centre.
    distances: [f32; 2],
}

/// A document that walks lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    /// Its own distances.
    pub(super) distances: Distances,
    /// The most differences that it can share with a centre that it finds here first.
    pub(super) most: u32,
    /// The numbers of the centres that it looks for.
    pub(super) centres: (u32, u32),
}

/// A list of centres.
#[derive(Debug, Default)]
pub(super) struct List {
    items: Vec<Item>,
    /// Levels of nodes, from the bottom up. A node covers [`FAN`] items or nodes. A short list has none.
    levels: Vec<Vec<Node>>,
}

/// The centres with one difference. Most differences have one.
#[derive(Debug)]
pub(super) enum Listed {
    One(Item),
    Many(Box<List>),
}

/// What the items below a node have at best.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The least distances.
    nearest: [f32; 2],
    /// The greatest distances of a document that an item can be found by.
    reach: [f32; 2],
}

const FAN: usize = 16;

/// A margin for rounding. Distances are sums and products of a few numbers below 2³², and rounding changes them by
/// less.
const SLACK: f64 = 2e-5;

impl Item {
    /// The centre with a number and distances.
    pub(super) fn new(centre: u32, most: u32, distances: Distances) -> Self {
        Item { centre, most, distances: distances.map(|distance| (distance as f32).next_down()) }
    }

    fn node(self) -> Node {
        let reach = |distance: f32| (2.0 * f64::from(self.most) - f64::from(distance) + SLACK) as f32;
        Node { nearest: self.distances, reach: self.distances.map(|distance| reach(distance).next_up()) }
    }

    fn is_found(self, walk: Walk) -> bool {
        if !(walk.centres.0..walk.centres.1).contains(&self.centre) {
            return false;
        }
        let shared = 2.0 * f64::from(walk.most.min(self.most)) + SLACK;
        let both = walk.distances.iter().zip(self.distances);
        both.into_iter().all(|(document, centre)| document + f64::from(centre) <= shared)
    }
}

impl Listed {
    /// Adds a centre with a number above all others.
    pub(super) fn push(&mut self, item: Item) {
        match self {
            Listed::Many(list) => list.push(item),
            &mut Listed::One(first) => {
                let mut list = Box::<List>::default();
                list.push(first);
                list.push(item);
                *self = Listed::Many(list);
            }
        }
    }

    /// Visits the centres that may take a document, in order, until `visit` breaks.
    pub(super) fn walk(&self, walk: Walk, visit: &mut impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        match self {
            Listed::One(item) if item.is_found(walk) => visit(item.centre),
            Listed::One(_) => ControlFlow::Continue(()),
            Listed::Many(list) => list.walk(walk, visit),
        }
    }
}

impl Node {
    fn add(&mut self, other: Node) {
        for condition in 0..2 {
            self.nearest[condition] = self.nearest[condition].min(other.nearest[condition]);
            self.reach[condition] = self.reach[condition].max(other.reach[condition]);
        }
    }

    fn may_be_found(self, walk: Walk) -> bool {
        let shared = 2.0 * f64::from(walk.most) + SLACK;
        (0..2).all(|condition| {
            let document = walk.distances[condition];
            document + f64::from(self.nearest[condition]) <= shared
                && document <= f64::from(self.reach[condition])
        })
    }
}

impl List {
    /// Adds a centre with a number above all others.
    pub(super) fn push(&mut self, item: Item) {
        let mut place = self.items.len();
        self.items.push(item);
        for level in 0.. {
            place /= FAN;
            match self.levels.get_mut(level) {
                Some(nodes) if place < nodes.len() => nodes[place].add(item.node()),
                Some(nodes) => nodes.push(item.node()),
                // The nodes of a new level are made of all that is below its first one.
                None if place == 0 => return,
                None => {
                    let below = match level.checked_sub(1) {
                        None => self.items.iter().map(|item| item.node()).collect(),
                        Some(level) => self.levels[level].clone(),
                    };
                    self.levels.push(below.chunks(FAN).map(over).collect());
                }
            }
        }
    }

    /// Visits the centres that may take a document, in order, until `visit` breaks.
    pub(super) fn walk(&self, walk: Walk, visit: &mut impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let start = match walk.centres.0 {
            0 => 0,
            first => self.items.partition_point(|item| item.centre < first),
        };
        match self.levels.last() {
            None => self.visit(start..self.items.len(), walk, visit),
            Some(top) => self.descend(self.levels.len() - 1, 0..top.len(), start, walk, visit),
        }
    }

    fn descend(
        &self,
        level: usize,
        nodes: Range<usize>,
        start: usize,
        walk: Walk,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let covered = FAN.pow(level as u32 + 1);
        for node in nodes.start.max(start / covered)..nodes.end {
            if !self.levels[level][node].may_be_found(walk) {
                continue;
            }
            let below = node * FAN..(node + 1) * FAN;
            match level.checked_sub(1) {
                Some(level) => {
                    let end = below.end.min(self.levels[level].len());
                    self.descend(level, below.start..end, start, walk, visit)?;
                }
                None => self.visit(below.start.max(start)..below.end.min(self.items.len()), walk, visit)?,
            }
        }
        ControlFlow::Continue(())
    }

    fn visit(
        &self,
        items: Range<usize>,
        walk: Walk,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for item in &self.items[items] {
            if item.centre >= walk.centres.1 {
                return ControlFlow::Break(());
            }
            if item.is_found(walk) {
                visit(item.centre)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The summary of `nodes`, which are not empty.
fn over(nodes: &[Node]) -> Node {
    let mut all = nodes[0];
    nodes[1..].iter().for_each(|&node| all.add(node));
    all
}
