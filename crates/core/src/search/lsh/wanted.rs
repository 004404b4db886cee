//! Which pairs a search compares: all, or only enough to connect what is similar.

use std::collections::HashMap;

/// Which pairs are asked for.
pub(crate) enum Wanted<'r> {
    Every,
    /// Those that connect what is not connected: by `roots`, which `united` leads to other ones.
    Links {
        roots: &'r [u32],
        united: HashMap<u32, u32>,
    },
}

impl<'r> Wanted<'r> {
    /// Links of documents whose clusters have these roots so far.
    pub(crate) fn links(roots: &'r [u32]) -> Self {
        Wanted::Links { roots, united: HashMap::new() }
    }

    /// Is the pair asked for?
    #[inline]
    pub(crate) fn wants(&mut self, a: u32, b: u32) -> bool {
        match self {
            Wanted::Every => true,
            Wanted::Links { roots, united } => {
                let apart = roots[a as usize] != roots[b as usize];
                apart && (united.is_empty() || root(roots, united, a) != root(roots, united, b))
            }
        }
    }

    /// Takes note of a pair that is similar.
    pub(crate) fn found(&mut self, a: u32, b: u32) {
        if let Wanted::Links { roots, united } = self {
            let (a, b) = (root(roots, united, a), root(roots, united, b));
            united.insert(a.max(b), a.min(b));
        }
    }
}

/// The root of a document's set, after what was united; the way to it becomes shorter.
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
