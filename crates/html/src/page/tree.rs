//! The elements around the blocks of a page, as far as they tell its main content.

use super::hints::{Hint, hints_in};

/// Blocks and their ancestors. The element 0 is the whole page, and parents come before their children.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tree {
    elements: Vec<Element>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) parent: u32,
    pub(super) depth: u32,
    /// The number of elements with each hint, from this one outwards.
    pub(super) hints: [u8; Hint::COUNT],
}

impl Tree {
    /// Adds an element with its tag, class and id. Returns its number.
    pub(super) fn push(&mut self, parent: u32, tag: &[u8], labels: [&[u8]; 2]) -> u32 {
        if self.elements.is_empty() {
            self.elements.push(Element::default());
        }
        let around = &self.elements[parent as usize];
        let mut element = Element { parent, depth: around.depth + 1, hints: around.hints };
        let mut own = [0; Hint::COUNT];
        if let Some(hint) = Hint::of_tag(tag) {
            own[hint as usize] = 1;
        }
        for label in labels {
            hints_in(label, |hint| own[hint as usize] = 1);
        }
        for (hints, own) in element.hints.iter_mut().zip(own) {
            *hints = hints.saturating_add(own);
        }
        self.elements.push(element);
        self.elements.len() as u32 - 1
    }

    /// The elements. There is at least the page.
    pub(super) fn elements(&self) -> &[Element] {
        const PAGE: &[Element] = &[Element { parent: 0, depth: 0, hints: [0; Hint::COUNT] }];
        if self.elements.is_empty() { PAGE } else { &self.elements }
    }

    /// Adds to each element what its descendants have.
    pub(super) fn sum_up(&self, sums: &mut [u64]) {
        for (number, element) in self.elements().iter().enumerate().skip(1).rev() {
            sums[element.parent as usize] += sums[number];
        }
    }

    /// The innermost element with at least this share, in percent, of what the page has.
    pub(super) fn container(&self, sums: &[u64], percent: u64) -> u32 {
        let least = sums[0] * percent;
        let mut found = 0;
        for (number, element) in (0..).zip(self.elements()).skip(1) {
            if element.parent == found && sums[number as usize] * 100 >= least {
                found = number;
            }
        }
        found
    }

    /// For each element: the innermost element that is around both it and `container`.
    pub(super) fn shared(&self, container: u32) -> Vec<u32> {
        let elements = self.elements();
        let mut is_around = vec![false; elements.len()];
        let mut at = container as usize;
        is_around[0] = true;
        while at > 0 {
            is_around[at] = true;
            at = elements[at].parent as usize;
        }
        let mut shared = vec![0; elements.len()];
        for (number, element) in elements.iter().enumerate().skip(1) {
            shared[number] = if is_around[number] { number as u32 } else { shared[element.parent as usize] };
        }
        shared
    }
}
