//! The pairs that a search wants: all of them, or only enough to connect similar documents.

use std::collections::HashMap;

/// The pairs that a search wants.
pub(crate) enum WantedPairs<'r> {
    Every,
    /// Pairs of documents that are not connected yet. `roots` are the roots at the start, and `united` leads from these
    /// to new roots.
    Links {
        roots: &'r [u32],
        united: HashMap<u32, u32>,
    },
}

impl<'r> WantedPairs<'r> {
    /// Wants the links between documents whose clusters have these roots so far.
    pub(crate) fn links(roots: &'r [u32]) -> Self {
        WantedPairs::Links { roots, united: HashMap::new() }
    }

    /// Whether the search wants this pair.
    #[inline]
    pub(crate) fn wants(&mut self, a: u32, b: u32) -> bool {
        match self {
            WantedPairs::Every => true,
            WantedPairs::Links { roots, united } => {
                let apart = roots[a as usize] != roots[b as usize];
                apart && (united.is_empty() || root(roots, united, a) != root(roots, united, b))
            }
        }
    }

    /// Records a similar pair.
    pub(crate) fn found(&mut self, a: u32, b: u32) {
        if let WantedPairs::Links { roots, united } = self {
            let (a, b) = (root(roots, united, a), root(roots, united, b));
            united.insert(a.max(b), a.min(b));
        }
    }
}

/// The current root of a document's cluster. Shortens the path to it.
fn root(roots: &[u32], united: &mut HashMap<u32, u32>, document: u32) -> u32 {
    let first = roots[document as usize];
    let mut root = first;
    while let Some(&parent) = united.get(&root) {
        root = parent;
    }
    let mut step = first;
    while step != root {
        step = united.insert(step, root).unwrap_or(root);
    }
    root
}
