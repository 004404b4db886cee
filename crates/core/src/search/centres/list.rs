//! A list of centres, in the order in which they became one, that a document walks without a visit of each.
//!
//! As a [list of a family](crate::search::families), it is a tree with bounds. This one grows, and its order is kept.

use std::ops::{ControlFlow, Range};

/// How many differences a document and a centre must share, doubled. Each number is the sum of one for the document and
/// one for the centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distances {
    /// For the similarity.
    pub(super) similarity: f64,
    /// For the containment.
    pub(super) containment: f64,
    /// What comes to the similarity: the smaller number of the two.
    pub(super) surplus: f64,
}

/// The distances of a centre, rounded down, so that rounding leaves out no centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct CentreDistances {
    similarity: f32,
    containment: f32,
    surplus: f32,
}

/// A centre in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct CentreItem {
    /// The number of the centre.
    pub(super) centre: u32,
    /// The most differences that it can share with a document that finds it here first.
    pub(super) most: u32,
}

/// A document that walks lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk<'c> {
    /// All centres, by their numbers.
    pub(super) centres: &'c [CentreDistances],
    /// The distances of the document.
    pub(super) distances: Distances,
    /// The most differences that it can share with a centre that it finds here first.
    pub(super) most: u32,
    /// The first number of the centres that it looks for.
    pub(super) since: u32,
    /// The number behind the last one.
    pub(super) until: u32,
}

/// A list of centres.
#[derive(Debug, Default)]
pub(super) struct CentreList {
    items: Vec<CentreItem>,
    /// Levels of nodes, from the bottom up. A node covers [`FAN`] items or nodes. A short list has none.
    levels: Vec<Vec<CentreNode>>,
}

/// The centres with one difference. Most differences have one.
#[derive(Debug)]
pub(super) enum ListedCentres {
    One(CentreItem),
    Many(Box<CentreList>),
}

/// What the items below a node have at best.
#[derive(Clone, Copy, Debug)]
struct CentreNode {
    /// The least distances.
    nearest: CentreDistances,
    /// The greatest distances of a document that an item can be found by.
    similarity_reach: f32,
    containment_reach: f32,
}

const FAN: usize = 16;

/// A margin for rounding, twice that of [`bounds`](crate::search::families::bounds), as nodes are rounded too.
const SLACK: f64 = 2e-5;

impl From<Distances> for CentreDistances {
    fn from(Distances { similarity, containment, surplus }: Distances) -> Self {
        let down = |number: f64| (number as f32).next_down();
        CentreDistances {
            similarity: down(similarity),
            containment: down(containment),
            surplus: down(surplus),
        }
    }
}

impl CentreDistances {
    /// Whether the document may be taken by a centre with these distances, or with greater ones.
    fn suffices(self, walk: Walk<'_>, most: u32) -> bool {
        let shared = 2.0 * f64::from(most) + SLACK;
        let Distances { similarity, containment, surplus } = walk.distances;
        similarity + f64::from(self.similarity) + surplus.min(f64::from(self.surplus)) <= shared
            && containment + f64::from(self.containment) <= shared
    }
}

impl CentreItem {
    fn node(self, centres: &[CentreDistances]) -> CentreNode {
        let nearest = centres[self.centre as usize];
        let reach = |distance: f32| {
            let reach = 2.0 * f64::from(self.most) - f64::from(distance) + SLACK;
            (reach as f32).next_up()
        };
        CentreNode {
            nearest,
            similarity_reach: reach(nearest.similarity + nearest.surplus.min(0.0)),
            containment_reach: reach(nearest.containment),
        }
    }

    fn is_found(self, walk: Walk<'_>) -> bool {
        (walk.since..walk.until).contains(&self.centre)
            && walk.centres[self.centre as usize].suffices(walk, walk.most.min(self.most))
    }
}

impl ListedCentres {
    /// Adds a centre with a number above all others. `centres` has it.
    pub(super) fn push(&mut self, item: CentreItem, centres: &[CentreDistances]) {
        match self {
            ListedCentres::Many(list) => list.push(item, centres),
            &mut ListedCentres::One(first) => {
                let list = CentreList { items: vec![first, item], levels: Vec::new() };
                *self = ListedCentres::Many(Box::new(list));
            }
        }
    }

    /// Visits the centres that may take a document, in order, until `visit` breaks.
    pub(super) fn walk(
        &self,
        walk: Walk<'_>,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            ListedCentres::One(item) if item.is_found(walk) => visit(item.centre),
            ListedCentres::One(_) => ControlFlow::Continue(()),
            ListedCentres::Many(list) => list.walk(walk, visit),
        }
    }
}

impl CentreNode {
    fn add(&mut self, other: CentreNode) {
        let (nearest, more) = (&mut self.nearest, other.nearest);
        nearest.similarity = nearest.similarity.min(more.similarity);
        nearest.containment = nearest.containment.min(more.containment);
        nearest.surplus = nearest.surplus.min(more.surplus);
        self.similarity_reach = self.similarity_reach.max(other.similarity_reach);
        self.containment_reach = self.containment_reach.max(other.containment_reach);
    }

    fn may_be_found(self, walk: Walk<'_>) -> bool {
        walk.distances.similarity <= f64::from(self.similarity_reach)
            && walk.distances.containment <= f64::from(self.containment_reach)
            && self.nearest.suffices(walk, walk.most)
    }
}

impl CentreList {
    /// Adds a centre with a number above all others. `centres` has it.
    pub(super) fn push(&mut self, item: CentreItem, centres: &[CentreDistances]) {
        let mut place = self.items.len();
        self.items.push(item);
        for level in 0.. {
            place /= FAN;
            match self.levels.get_mut(level) {
                Some(nodes) if place < nodes.len() => nodes[place].add(item.node(centres)),
                Some(nodes) => nodes.push(item.node(centres)),
                // The nodes of a new level are made of all that is below its first one.
                None if place == 0 => return,
                None => {
                    let below = match level.checked_sub(1) {
                        None => self.items.iter().map(|item| item.node(centres)).collect(),
                        Some(level) => self.levels[level].clone(),
                    };
                    self.levels.push(below.chunks(FAN).map(over).collect());
                }
            }
        }
    }

    /// Visits the centres that may take a document, in order, until `visit` breaks.
    pub(super) fn walk(
        &self,
        walk: Walk<'_>,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let start = match walk.since {
            0 => 0,
            since => self.items.partition_point(|item| item.centre < since),
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
        walk: Walk<'_>,
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
        walk: Walk<'_>,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for item in &self.items[items] {
            if item.centre >= walk.until {
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
fn over(nodes: &[CentreNode]) -> CentreNode {
    let mut all = nodes[0];
    nodes[1..].iter().for_each(|&node| all.add(node));
    all
}
