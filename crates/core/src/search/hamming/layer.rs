//! A layer of the index: codes added together, sorted and distinct, with their ids and the tables that find them.

use super::layout::HammingLayout;
use super::order::{Order, agreements};
use super::table::PartTable;
use crate::simd::hamming::Code;

#[derive(Clone, Debug)]
pub(crate) struct Layer<C> {
    layout: HammingLayout,
    /// The order in which bits are stored, if they are reordered.
    order: Option<Order<C>>,
    /// Distinct codes with their bits in that order, ascending.
    codes: Vec<C>,
    /// The id of each code. For a code with several ids, or with none left, it is its list's number in `lists`.
    ids: Vec<u32>,
    /// A bit for each code: set if it has a list.
    listed: Vec<u64>,
    /// The start of each list in `members`, and the number of ids that it has left.
    lists: Vec<(u32, u32)>,
    members: Vec<u32>,
    tables: Vec<PartTable>,
    /// For each distance, the tables to look into, each with its `tau`.
    lookups: Vec<Vec<Lookup>>,
    /// The number of entries now, and when the layer was built.
    live: usize,
    built: usize,
}

/// A look-up in one table, of all buckets within `tau` bits of the query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    pub(crate) table: usize,
    pub(crate) tau: u32,
}

impl<C: Code> Layer<C> {
    /// The layer of `entries` for queries up to `distance`. Without a `layout`, it chooses the best one.
    pub(crate) fn new(mut entries: Vec<(C, u32)>, distance: u32, layout: Option<HammingLayout>) -> Self {
        let agreements = agreements(entries.len(), |number| entries[number].0);
        let count = entries.len();
        let layout =
            layout.unwrap_or_else(|| HammingLayout::choose(C::BITS, distance, count, agreements.as_deref()));
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
            lookups: Vec::new(),
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
            layer.tables.push(PartTable::new(&layer.codes, above, part));
            above += part.bits;
        }
        layer.lookups = layer.plan(distance);
        layer
    }

    /// The look-ups for each distance up to the largest. Each step down in distance reduces `tau` by one in the table
    /// where this saves most.
    fn plan(&self, distance: u32) -> Vec<Vec<Lookup>> {
        let mut taus: Vec<Option<u32>> = self.layout.parts().iter().map(|part| Some(part.tau)).collect();
        let costs = |index: usize, tau: Option<u32>| {
            tau.map_or(0.0, |tau| self.tables[index].nanoseconds(index, tau))
        };
        let mut plans = Vec::new();
        for _ in 0..=distance {
            let lookups =
                taus.iter().enumerate().filter_map(|(table, tau)| tau.map(|tau| Lookup { table, tau }));
            plans.push(lookups.collect());
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

    /// Removes an entry, and returns `false` if there is none. An entry that was added twice takes two calls.
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

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.live
    }

    /// Whether more entries were removed than are left. The layer should then be rebuilt.
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

    pub(crate) fn layout(&self) -> &HammingLayout {
        &self.layout
    }

    /// The codes as they are stored, ascending.
    pub(crate) fn codes(&self) -> &[C] {
        &self.codes
    }

    pub(crate) fn tables(&self) -> &[PartTable] {
        &self.tables
    }

    /// The tables to look into for all codes within `distance`. Empty if all codes are to be compared.
    pub(crate) fn lookups(&self, distance: u32) -> &[Lookup] {
        &self.lookups[distance as usize]
    }

    /// The memory that the layer takes.
    pub(crate) fn bytes(&self) -> usize {
        let lookups: usize =
            self.lookups.iter().map(|lookups| lookups.capacity() * size_of::<Lookup>()).sum();
        self.codes.capacity() * size_of::<C>()
            + 4 * (self.ids.capacity() + self.members.capacity())
            + 8 * (self.listed.capacity() + self.lists.capacity())
            + self.tables.iter().map(PartTable::bytes).sum::<usize>()
            + self.order.as_ref().map_or(0, Order::bytes)
            + lookups
    }
}
