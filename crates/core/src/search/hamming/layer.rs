//! Codes that came in together: sorted, each code once, with its ids and the tables to find it by.

use super::layout::Layout;
use super::order::{Order, agreements};
use super::table::Table;
use crate::simd::hamming::Code;

#[derive(Clone, Debug)]
pub(crate) struct Layer<C> {
    layout: Layout,
    /// In which order bits are stored, if not in theirs.
    order: Option<Order<C>>,
    /// Different codes, bits in order, ascending.
    codes: Vec<C>,
    /// The id of each code; for a code of several ids or, by now, none, its list in `lists`.
    ids: Vec<u32>,
    /// A bit for each code: set if it has a list.
    listed: Vec<u64>,
    /// Where each list starts in `members` and how many ids it has left.
    lists: Vec<(u32, u32)>,
    members: Vec<u32>,
    tables: Vec<Table>,
    /// For each distance the tables to look into, and how far.
    looks: Vec<Vec<Look>>,
    /// How many entries there are, and how many there were.
    live: usize,
    built: usize,
}

/// A table to look into, and how many bits around the query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) table: usize,
    pub(crate) tau: u32,
}

impl<C: Code> Layer<C> {
    /// The layer of `entries`, for queries up to `distance`; by `layout`, or by that which suits the entries.
    pub(crate) fn new(mut entries: Vec<(C, u32)>, distance: u32, layout: Option<Layout>) -> Self {
        let agreements = agreements(entries.len(), |number| entries[number].0);
        let count = entries.len();
        let layout =
            layout.unwrap_or_else(|| Layout::choose(C::BITS, distance, count, agreements.as_deref()));
        let order = agreements.map(|agreements| Order::new(&layout, &agreements, count));
        if let Some(order) = &order {
            entries.iter_mut().for_each(|(code, _)| *code = order.apply(*code));
        }
        entries.sort_unstable();
        let different = entries.chunk_by(|left, right| left.0 == right.0).count();
        let mut layer = Layer {
            layout,
            order,
            codes: Vec::with_capacity(different),
            ids: Vec::with_capacity(different),
            listed: vec![0; different.div_ceil(64)],
            lists: Vec::new(),
            members: Vec::new(),
            tables: Vec::new(),
            looks: Vec::new(),
            live: entries.len(),
            built: entries.len(),
        };
        for same in entries.chunk_by(|left, right| left.0 == right.0) {
            let place = layer.codes.len();
            layer.codes.push(same[0].0);
            layer.ids.push(same[0].1);
            if same.len() > 1 {
                let start = layer.members.len() as u32;
                layer.members.extend(same.iter().map(|&(_, id)| id));
                layer.list(place, start, same.len() as u32);
            }
        }
        drop(entries);
        let mut above = 0;
        for &part in layer.layout.parts() {
            layer.tables.push(Table::new(&layer.codes, above, part));
            above += part.bits;
        }
        layer.looks = layer.plan(distance);
        layer
    }

    /// For each distance up to the largest, which tables to look into. One bit less to find is one bit less to look
    /// around in the table where that saves most.
    fn plan(&self, distance: u32) -> Vec<Vec<Look>> {
        let mut taus: Vec<Option<u32>> = self.layout.parts().iter().map(|part| Some(part.tau)).collect();
        let costs = |index: usize, tau: Option<u32>| {
            tau.map_or(0.0, |tau| self.tables[index].nanoseconds(index, tau))
        };
        let mut plans = Vec::new();
        for _ in 0..=distance {
            let looks = taus.iter().enumerate().filter_map(|(table, tau)| tau.map(|tau| Look { table, tau }));
            plans.push(looks.collect());
            let saved = |&index: &usize| {
                costs(index, taus[index]) - costs(index, taus[index].and_then(|tau| tau.checked_sub(1)))
            };
            let most = (0..taus.len()).max_by(|a, b| saved(a).total_cmp(&saved(b)));
            if let Some(index) = most {
                taus[index] = taus[index].and_then(|tau| tau.checked_sub(1));
            }
        }
        plans.reverse();
        plans
    }

    fn list(&mut self, place: usize, start: u32, count: u32) {
        self.ids[place] = self.lists.len() as u32;
        self.listed[place / 64] |= 1 << (place % 64);
        self.lists.push((start, count));
    }

    fn is_listed(&self, place: usize) -> bool {
        self.listed[place / 64] >> (place % 64) & 1 == 1
    }

    /// The ids of the code at `place`.
    pub(crate) fn ids(&self, place: u32) -> &[u32] {
        let place = place as usize;
        if !self.is_listed(place) {
            return &self.ids[place..=place];
        }
        let (start, count) = self.lists[self.ids[place] as usize];
        &self.members[start as usize..][..count as usize]
    }

    /// Takes the entry out; `false` if there is none. An entry that came in twice goes in two steps.
    pub(crate) fn remove(&mut self, code: C, id: u32) -> bool {
        let Ok(place) = self.codes.binary_search(&self.stored(code)) else { return false };
        let Ok(index) = self.ids(place as u32).binary_search(&id) else { return false };
        if self.is_listed(place) {
            let (start, count) = &mut self.lists[self.ids[place] as usize];
            let list = &mut self.members[*start as usize..][..*count as usize];
            list.copy_within(index + 1.., index);
            *count -= 1;
        } else {
            self.list(place, 0, 0);
        }
        self.live -= 1;
        true
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.live
    }

    /// Are more entries gone than left? Then the layer should be made anew.
    pub(crate) fn is_sparse(&self) -> bool {
        self.live < self.built / 2
    }

    /// Appends all entries.
    pub(crate) fn entries(&self, to: &mut Vec<(C, u32)>) {
        for (place, &code) in (0_u32..).zip(&self.codes) {
            let code = self.order.as_ref().map_or(code, |order| order.undo(code));
            to.extend(self.ids(place).iter().map(|&id| (code, id)));
        }
    }

    /// The code as the layer stores it.
    #[inline(always)]
    pub(crate) fn stored(&self, code: C) -> C {
        self.order.as_ref().map_or(code, |order| order.apply(code))
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The codes as they are stored, ascending.
    pub(crate) fn codes(&self) -> &[C] {
        &self.codes
    }

    pub(crate) fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The tables to look into for all codes within `distance`; none if all codes are to be looked at.
    pub(crate) fn looks(&self, distance: u32) -> &[Look] {
        &self.looks[distance as usize]
    }

    /// The memory that the layer takes.
    pub(crate) fn bytes(&self) -> usize {
        let looks: usize = self.looks.iter().map(|looks| looks.capacity() * size_of::<Look>()).sum();
        self.codes.capacity() * size_of::<C>()
            + 4 * (self.ids.capacity() + self.members.capacity())
            + 8 * (self.listed.capacity() + self.lists.capacity())
            + self.tables.iter().map(Table::bytes).sum::<usize>()
            + self.order.as_ref().map_or(0, Order::bytes)
            + looks
    }
}
