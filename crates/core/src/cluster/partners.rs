//! The partners of each document.

/// The partners of each document, with a value for each pair. A pair takes eight bytes, and two of its values.
pub(crate) struct PartnerLists<T> {
    ends: Vec<usize>,
    partners: Vec<(u32, T)>,
}

impl<T: Copy + Default> PartnerLists<T> {
    /// The partners of so many documents. `pairs` gives both documents of each pair, and its value. It is called twice.
    pub(crate) fn new<I: Iterator<Item = (u32, u32, T)>>(documents: usize, pairs: impl Fn() -> I) -> Self {
        let sides = || pairs().flat_map(|(a, b, value)| [(a, (b, value)), (b, (a, value))]);
        let mut ends = vec![0_usize; documents + 1];
        sides().for_each(|(document, _)| ends[document as usize + 1] += 1);
        for document in 0..documents {
            ends[document + 1] += ends[document];
        }
        // Each start moves as its places are filled, and ends up as the end.
        let all = ends.pop().unwrap_or_default();
        let mut partners = vec![Default::default(); all];
        for (document, partner) in sides() {
            let end = &mut ends[document as usize];
            partners[*end] = partner;
            *end += 1;
        }
        PartnerLists { ends, partners }
    }

    pub(crate) fn of(&self, document: u32) -> &[(u32, T)] {
        let start = (document as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.partners[start..self.ends[document as usize]]
    }
}
