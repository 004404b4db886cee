//! The join of families: units of work, and what is found in them.

use super::family::Family;
use super::grouped::Families;
use super::list::{Item, Walker};
use crate::compare::measure::{Set, Verifier};
use crate::plan::Measure;
use crate::search::executor::{Executor, Sequential};
use crate::search::lsh::{Tally, Wanted};
use crate::similarity::{Match, Score};
use std::ops::Range;

/// Every similar pair within families.
///
/// Units of a round are independent of each other: the caller may spread them over threads, one [`Visited`] for each.
/// Rounds come in order; where links are asked for, each must know what those before have found.
#[derive(Debug, Default)]
pub struct FamilyJoin {
    families: Vec<Family>,
    /// Lists of a family that are led first.
    led: Vec<(u32, Range<usize>)>,
    /// Places of a family that ask.
    asks: Vec<(u32, Range<u32>)>,
}

/// What a thread needs to work on units: four bytes for each document of the largest family.
#[derive(Debug, Default)]
pub struct Visited {
    /// Who has visited a place last.
    stamps: Vec<u32>,
    stamp: u32,
}

/// Documents of a family from which on all threads work on it together.
const TOGETHER: usize = 1 << 14;

/// Documents that others of a list are compared with first: one for so many postings. Lists of more clusters are rare, and
/// only slower.
const LEADERS: usize = 8;
const LEAD: usize = 16;

/// Documents compared with leaders, after which a list is given up in which fewer than one of [`UNLIKE`] was similar to one.
const TRIED: usize = 256;
const UNLIKE: usize = 16;

/// Postings of a unit of lists that are led: a millisecond or more.
const LED_UNIT: usize = 2048;

/// Rounds of lists, so that documents are not compared that other lists have united.
const LED_ROUNDS: usize = 16;

/// Places of a unit: a millisecond or more.
const UNIT: u32 = 512;

/// Units that may be done between two looks at clusters, and rounds that there are in any case: few, so that little is
/// compared that is united already, and enough for the threads of a large machine.
const ROUND: usize = 64;
const ROUNDS: usize = 64;

impl FamilyJoin {
    /// The join of `families` at a similarity of `threshold`, whose documents have the features that `set` gives, all
    /// different; made on the threads of `executor`.
    pub fn new<'s>(
        families: &Families,
        set: impl Fn(u32) -> &'s [u64] + Sync,
        measure: Measure,
        threshold: f64,
        executor: &impl Executor,
    ) -> Self {
        let (large, small): (Vec<_>, Vec<_>) =
            families.members().partition(|members| members.len() >= TOGETHER);
        let plan = (measure, threshold);
        let mut families: Vec<Family> =
            large.into_iter().map(|members| Family::new(members, &set, plan, executor)).collect();
        families
            .extend(executor.map(small.len(), |index| Family::new(small[index], &set, plan, &Sequential)));
        let (mut led, mut asks) = (Vec::new(), Vec::new());
        for (number, family) in (0..).zip(&families) {
            led.extend(led_units(family).map(|lists| (number, lists)));
            let places = family.places.documents.len() as u32;
            let units = (0..places).step_by(UNIT as usize).map(|start| start..places.min(start + UNIT));
            asks.extend(units.map(|places| (number, places)));
        }
        FamilyJoin { families, led, asks }
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> usize {
        self.led_rounds() + self.asks.len().div_ceil(self.round())
    }

    /// How many units a round has.
    pub fn units(&self, round: usize) -> usize {
        match round.checked_sub(self.led_rounds()) {
            None => self.led(round).len(),
            Some(round) => self.asked(round).len(),
        }
    }

    /// Appends every similar pair of a unit to what `collector` has found, until that is as much as it wants.
    pub fn matches<'f>(
        &self,
        (round, unit): (usize, usize),
        collector: &mut PairCollector<'_, impl Fn(u32) -> Set<'f>, impl Fn(u32, u32) -> bool>,
    ) {
        let Some(round) = round.checked_sub(self.led_rounds()) else { return };
        self.ask(&self.asked(round)[unit], &mut Wanted::Every, collector);
    }

    /// Appends similar pairs of a unit, enough to connect whatever its pairs connect: pairs whose documents are in one
    /// cluster already, by `roots` or by the links of this unit, are passed over.
    pub fn links<'f>(
        &self,
        (round, unit): (usize, usize),
        roots: &[u32],
        collector: &mut PairCollector<'_, impl Fn(u32) -> Set<'f>, impl Fn(u32, u32) -> bool>,
    ) {
        let mut wanted = Wanted::links(roots);
        match round.checked_sub(self.led_rounds()) {
            None => {
                let (family, lists) = &self.led(round)[unit];
                let family = &self.families[*family as usize];
                lists.clone().for_each(|list| lead(family, list, &mut wanted, collector));
            }
            Some(round) => self.ask(&self.asked(round)[unit], &mut wanted, collector),
        }
    }

    fn ask<'f>(
        &self,
        (family, places): &(u32, Range<u32>),
        wanted: &mut Wanted<'_>,
        collector: &mut PairCollector<'_, impl Fn(u32) -> Set<'f>, impl Fn(u32, u32) -> bool>,
    ) {
        let family = &self.families[*family as usize];
        let documents = &family.places.documents;
        for place in places.clone() {
            collector.visited.start(documents.len());
            let document = documents[place as usize];
            family.walk(place, &mut Asker { documents, document, held: false, wanted, collector });
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

/// How pairs are compared, and where they go.
pub struct PairCollector<'a, S, M> {
    /// What is compared of a document.
    pub set: S,
    /// Which pairs, the earlier document first, may be similar at all; the others are not compared.
    pub may_be_similar: M,
    /// Compares them.
    pub verifier: &'a mut Verifier,
    /// The thread's.
    pub visited: &'a mut Visited,
    /// How many pairs are wanted.
    pub most: usize,
    /// The pairs.
    pub found: &'a mut Vec<Match>,
    /// What was done.
    pub tally: Tally,
}

impl<'f, S: Fn(u32) -> Set<'f>, M: Fn(u32, u32) -> bool> PairCollector<'_, S, M> {
    /// Compares `other` with `document`, which is held from the first comparison on, and takes the pair if it is similar.
    fn compare(&mut self, document: u32, other: u32, held: &mut bool, wanted: &mut Wanted<'_>) -> bool {
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

/// A document that walks to those before it.
struct Asker<'w, 'r, 'a, S, M> {
    /// Those of its family, by place.
    documents: &'w [u32],
    document: u32,
    held: bool,
    wanted: &'w mut Wanted<'r>,
    collector: &'w mut PairCollector<'a, S, M>,
}

impl<'f, S: Fn(u32) -> Set<'f>, M: Fn(u32, u32) -> bool> Walker for Asker<'_, '_, '_, S, M> {
    fn roots(&self) -> Option<&[u32]> {
        match &self.wanted {
            Wanted::Every => None,
            Wanted::Links { roots, .. } => Some(roots),
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
    /// Starts with another document of a family of so many.
    fn start(&mut self, documents: usize) {
        if self.stamps.len() < documents || self.stamp == u32::MAX {
            self.stamps.clear();
            self.stamps.resize(documents, 0);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// Is `place` visited for the first time?
    fn is_first(&mut self, place: u32) -> bool {
        std::mem::replace(&mut self.stamps[place as usize], self.stamp) != self.stamp
    }
}

/// Lists of a family, all that have leaders, in units.
fn led_units(family: &Family) -> impl Iterator<Item = Range<usize>> {
    let (mut start, mut postings) = (0, 0);
    (1..=family.lists()).filter_map(move |end| {
        postings += family.list_len(end - 1);
        let full = postings >= LED_UNIT || end == family.lists() && postings >= LEAD;
        full.then(|| {
            postings = 0;
            std::mem::replace(&mut start, end)..end
        })
    })
}

/// Compares the documents of a list with a few of it that reach farthest: those that are nearest to the template, which
/// most that are similar to any are similar to.
fn lead<'f>(
    family: &Family,
    list: usize,
    wanted: &mut Wanted<'_>,
    collector: &mut PairCollector<'_, impl Fn(u32) -> Set<'f>, impl Fn(u32, u32) -> bool>,
) {
    let most = (family.list_len(list) / LEAD).min(LEADERS);
    if most == 0 {
        return;
    }
    let mut items = family.items(list);
    items.sort_by(|a, b| b.reach.total_cmp(&a.reach).then(a.place.cmp(&b.place)));
    let mut leaders: Vec<(u32, Item)> = Vec::new();
    let (mut tried, mut similar) = (0, 0);
    for item in items {
        let document = family.places.documents[item.place as usize];
        if leaders.iter().any(|&(leader, _)| !wanted.wants(document, leader)) {
            continue;
        }
        if tried >= TRIED && similar * UNLIKE < tried {
            return;
        }
        let mut held = false;
        tried += 1;
        let mut compare = |&(leader, of): &(u32, Item)| {
            family.reach(item, of) && collector.compare(document, leader, &mut held, wanted)
        };
        if leaders.iter().any(&mut compare) {
            similar += 1;
        } else if leaders.len() < most {
            leaders.push((document, item));
        }
    }
}
