//! The join of families, in blocks of work that threads can share.

use super::family::Family;
use super::grouped::Families;
use super::list::{DistancePosting, Walker};
use crate::compare::measure::{Set, Verifier};
use crate::plan::Measure;
use crate::search::executor::{Executor, Sequential, try_map};
use crate::search::lsh::{Tally, WantedPairs};
use crate::similarity::{Match, Score};
use std::ops::Range;

/// Every similar pair within families.
///
/// The blocks of a round are independent of each other. A caller may spread them over threads, with one [`Visited`]
/// each. Rounds must be processed in order. For links, each round must know the results of those before it.
#[derive(Debug, Default)]
pub struct FamilyJoin {
    families: Vec<Family>,
    /// Blocks of lists whose documents are first compared with leaders, each with its family.
    led: Vec<(u32, Range<usize>)>,
    /// Blocks of places whose documents walk to their candidates, each with its family.
    asks: Vec<(u32, Range<u32>)>,
}

/// A block of work: its round, and its number within the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkBlock {
    /// The round.
    pub round: usize,
    /// The number within the round.
    pub block: usize,
}

/// The measure and the threshold that similar pairs reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Required {
    pub(super) measure: Measure,
    pub(super) threshold: f64,
}

/// The buffers that a thread needs to process blocks: four bytes for each document of the largest family.
#[derive(Debug, Default)]
pub struct Visited {
    /// The last visitor of each place.
    stamps: Vec<u32>,
    stamp: u32,
}

/// Documents in a family from which all threads work on it together.
const TOGETHER: usize = 1 << 14;

/// Leaders: the documents of a list that others are compared with first, one for every [`LEAD`] postings. Lists with
/// more clusters are rare, and only slower.
const LEADERS: usize = 8;
const LEAD: usize = 16;

/// Documents compared with leaders before a list may be given up. It is given up if fewer than one in
/// [`SIMILAR_ONE_IN`] was similar to a leader.
const TRIED: usize = 256;
const SIMILAR_ONE_IN: usize = 16;

/// Postings in a block of lists with leaders, which takes a millisecond or more.
const LED_BLOCK: usize = 2048;

/// Rounds of lists with leaders. Documents that other lists have united are not compared again.
const LED_ROUNDS: usize = 16;

/// Places in a block, which takes a millisecond or more.
const BLOCK: u32 = 512;

/// Blocks processed between two updates of the clusters: few, so that few pairs within clusters are compared, and enough
/// for the threads of a large machine.
const ROUND: usize = 64;
/// The most rounds of such blocks. If there are more blocks, rounds become longer.
const ROUNDS: usize = 64;

impl FamilyJoin {
    /// The join of `families` at a similarity of `threshold`, made on the threads of `executor`. `set` gives the
    /// distinct features of a document.
    ///
    /// # Errors
    /// [`Executor::Stopped`] if the executor stops it.
    pub fn new<'s, E: Executor>(
        families: &Families,
        set: impl Fn(u32) -> &'s [u64] + Sync,
        measure: Measure,
        threshold: f64,
        executor: &E,
    ) -> Result<Self, E::Stopped> {
        let (large, small): (Vec<_>, Vec<_>) =
            families.members().partition(|members| members.len() >= TOGETHER);
        let required = Required { measure, threshold };
        let large = large.into_iter().map(|members| Family::new(members, &set, required, executor));
        let mut families = large.collect::<Result<Vec<Family>, E::Stopped>>()?;
        families.extend(try_map(executor, small.len(), |index| {
            let Ok(family) = Family::new(small[index], &set, required, &Sequential);
            Ok(family)
        })?);
        let (mut led, mut asks) = (Vec::new(), Vec::new());
        for (number, family) in (0..).zip(&families) {
            led.extend(led_blocks(family).map(|lists| (number, lists)));
            let places = family.places.documents.len() as u32;
            let blocks = (0..places).step_by(BLOCK as usize).map(|start| start..places.min(start + BLOCK));
            asks.extend(blocks.map(|places| (number, places)));
        }
        Ok(FamilyJoin { families, led, asks })
    }

    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        self.led_rounds() + self.asks.len().div_ceil(self.round())
    }

    /// The number of blocks in a round.
    pub fn blocks(&self, round: usize) -> usize {
        match round.checked_sub(self.led_rounds()) {
            None => self.led(round).len(),
            Some(round) => self.asked(round).len(),
        }
    }

    /// Appends every similar pair of a block to the pairs of `collector`, until it has as many as it wants.
    pub fn matches<'f>(
        &self,
        WorkBlock { round, block }: WorkBlock,
        collector: &mut PairCollector<'_, impl Fn(u32) -> Set<'f>, impl Fn(u32, u32) -> bool>,
    ) {
        let Some(round) = round.checked_sub(self.led_rounds()) else { return };
        self.ask(&self.asked(round)[block], &mut WantedPairs::Every, collector);
    }

    /// Appends similar pairs of a block, enough to connect all documents that its pairs connect. Pairs that are in one
    /// cluster already, by `roots` or by the links of this block, are skipped.
    pub fn links<'f>(
        &self,
        WorkBlock { round, block }: WorkBlock,
        roots: &[u32],
        collector: &mut PairCollector<'_, impl Fn(u32) -> Set<'f>, impl Fn(u32, u32) -> bool>,
    ) {
        let mut wanted = WantedPairs::links(roots);
        match round.checked_sub(self.led_rounds()) {
            None => {
                let (family, lists) = &self.led(round)[block];
                let family = &self.families[*family as usize];
                lists.clone().for_each(|list| lead(family, list, &mut wanted, collector));
            }
            Some(round) => self.ask(&self.asked(round)[block], &mut wanted, collector),
        }
    }

    fn ask<'f>(
        &self,
        (family, places): &(u32, Range<u32>),
        wanted: &mut WantedPairs<'_>,
        collector: &mut PairCollector<'_, impl Fn(u32) -> Set<'f>, impl Fn(u32, u32) -> bool>,
    ) {
        let family = &self.families[*family as usize];
        let documents = &family.places.documents;
        for place in places.clone() {
            collector.visited.start(documents.len());
            let document = documents[place as usize];
            family.walk(place, &mut DocumentWalker { documents, document, held: false, wanted, collector });
        }
    }

    fn led_rounds(&self) -> usize {
        self.led.len().min(LED_ROUNDS)
    }

    fn led(&self, round: usize) -> &[(u32, Range<usize>)] {
        let bound = |round: usize| round * self.led.len() / self.led_rounds();
        &self.led[bound(round)..bound(round + 1)]
    }

    fn round(&self) -> usize {
        ROUND.max(self.asks.len().div_ceil(ROUNDS))
    }

    fn asked(&self, round: usize) -> &[(u32, Range<u32>)] {
        let start = round * self.round();
        &self.asks[start..self.asks.len().min(start + self.round())]
    }
}

/// Compares pairs, and collects the similar ones.
pub struct PairCollector<'a, S, M> {
    /// Returns the features and weights of a document.
    pub set: S,
    /// Whether a pair, the earlier document first, may be similar at all. The other pairs are not compared.
    pub may_be_similar: M,
    /// Compares the pairs.
    pub verifier: &'a mut Verifier,
    /// The buffers of the thread.
    pub visited: &'a mut Visited,
    /// The number of pairs after which the search stops.
    pub most: usize,
    /// The similar pairs.
    pub found: &'a mut Vec<Match>,
    /// The counts of candidates and comparisons.
    pub tally: Tally,
}

impl<'f, S: Fn(u32) -> Set<'f>, M: Fn(u32, u32) -> bool> PairCollector<'_, S, M> {
    /// Compares `other` with `document`, which is held from the first comparison on. Collects the pair if it is
    /// similar.
    fn compare(&mut self, document: u32, other: u32, held: &mut bool, wanted: &mut WantedPairs<'_>) -> bool {
        if self.found.len() >= self.most {
            return false;
        }
        self.tally.candidates += 1;
        let (a, b) = (document.min(other), document.max(other));
        if !(self.may_be_similar)(a, b) {
            return false;
        }
        self.tally.compared += 1;
        let similarity = self.verifier.reaches((self.set)(document), (self.set)(other), held);
        if let Some(similarity) = similarity {
            self.found.push(Match { a, b, score: Score::Similarity(similarity) });
            wanted.found(a, b);
        }
        similarity.is_some()
    }
}

/// A document that walks to earlier documents of its family.
struct DocumentWalker<'w, 'r, 'a, S, M> {
    /// The documents of the family, by place.
    documents: &'w [u32],
    document: u32,
    held: bool,
    wanted: &'w mut WantedPairs<'r>,
    collector: &'w mut PairCollector<'a, S, M>,
}

impl<'f, S: Fn(u32) -> Set<'f>, M: Fn(u32, u32) -> bool> Walker for DocumentWalker<'_, '_, '_, S, M> {
    fn roots(&self) -> Option<&[u32]> {
        match &self.wanted {
            WantedPairs::Every => None,
            WantedPairs::Links { roots, .. } => Some(roots),
        }
    }

    fn is_of(&mut self, root: u32) -> bool {
        !self.wanted.wants(self.document, root)
    }

    fn visit(&mut self, place: u32) {
        let other = self.documents[place as usize];
        if self.wanted.wants(self.document, other) && self.collector.visited.is_first(place) {
            self.collector.compare(self.document, other, &mut self.held, self.wanted);
        }
    }
}

impl Visited {
    /// Starts the walk of another document, in a family of `documents` documents.
    fn start(&mut self, documents: usize) {
        if self.stamps.len() < documents || self.stamp == u32::MAX {
            self.stamps.clear();
            self.stamps.resize(documents, 0);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// Whether `place` is visited for the first time in this walk.
    fn is_first(&mut self, place: u32) -> bool {
        std::mem::replace(&mut self.stamps[place as usize], self.stamp) != self.stamp
    }
}

/// The lists of a family that have leaders, in blocks.
fn led_blocks(family: &Family) -> impl Iterator<Item = Range<usize>> {
    let (mut start, mut postings) = (0, 0);
    (1..=family.lists()).filter_map(move |end| {
        postings += family.list_len(end - 1);
        let full = postings >= LED_BLOCK || end == family.lists() && postings >= LEAD;
        full.then(|| {
            postings = 0;
            std::mem::replace(&mut start, end)..end
        })
    })
}

/// Compares the documents of a list with its leaders, the few documents with the farthest reach. They are closest to
/// the template, and most documents with a similar one are similar to a leader.
fn lead<'f>(
    family: &Family,
    list: usize,
    wanted: &mut WantedPairs<'_>,
    collector: &mut PairCollector<'_, impl Fn(u32) -> Set<'f>, impl Fn(u32, u32) -> bool>,
) {
    let most = (family.list_len(list) / LEAD).min(LEADERS);
    if most == 0 {
        return;
    }
    let mut items = family.items(list);
    items.sort_by(|a, b| b.reach.total_cmp(&a.reach).then(a.place.cmp(&b.place)));
    let mut leaders: Vec<(u32, DistancePosting)> = Vec::new();
    let (mut tried, mut similar) = (0, 0);
    for item in items {
        let document = family.places.documents[item.place as usize];
        if leaders.iter().any(|&(leader, _)| !wanted.wants(document, leader)) {
            continue;
        }
        if tried >= TRIED && similar * SIMILAR_ONE_IN < tried {
            return;
        }
        let mut held = false;
        tried += 1;
        let mut compare = |&(leader, of): &(u32, DistancePosting)| {
            family.reach(item, of) && collector.compare(document, leader, &mut held, wanted)
        };
        if leaders.iter().any(&mut compare) {
            similar += 1;
        } else if leaders.len() < most {
            leaders.push((document, item));
        }
    }
}
