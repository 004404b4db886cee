//! Makes clusters small again: those of living documents only, in their compact form.
//!
//! It takes a second or more for millions of documents, and other threads read the clusters meanwhile, and unite some. A [`Compaction`] is
//! therefore a copy of what there is at one moment. The links since then are made again in the [`Compacted`] clusters when these
//! take the place of the others.

use super::Clusters;
use super::beginning::Beginning;
use crate::bulk::linked::LinkedDocuments;
use crate::error::Error;
use std::collections::HashMap;
use std::sync::Arc;

/// The clusters of one moment, to be compacted.
#[derive(Debug)]
pub struct Compaction {
    beginning: Arc<Beginning>,
    links: Vec<[u64; 2]>,
    compactions: u64,
}

/// The clusters of one moment, without dead documents.
#[derive(Debug)]
pub struct Compacted {
    beginning: Beginning,
    /// The number of links until that moment.
    links: usize,
    /// How often the clusters had been compacted before.
    compactions: u64,
    /// Each document that was left out, with the one of its cluster that stands for it in links. They ascend.
    heirs: Vec<[u64; 2]>,
}

impl Compacted {
    /// The document that stands for `number` in links since that moment. All of a cluster have the same one, also if the whole cluster was left
    /// out: two documents may have been linked to two members of it before these died.
    fn heir(&self, number: u64) -> u64 {
        let at = self.heirs.binary_search_by_key(&number, |&[dead, _]| dead);
        at.map_or(number, |at| self.heirs[at][1])
    }
}

impl Compaction {
    /// Compacts them. Documents that `is_dead` are left out, and those that they connected stay together.
    ///
    /// # Errors
    /// Those of `is_dead`, and [`Error::TooManyLinked`] if 2³² documents or more are in clusters.
    pub fn compact(self, is_dead: impl FnMut(u64) -> Result<bool, Error>) -> Result<Compacted, Error> {
        let Compaction { beginning, links, compactions } = self;
        let documents = [beginning.documents(), links.as_flattened()].concat();
        let linked = LinkedDocuments::of(documents, beginning.links().chain(links.iter().copied()))?;
        let (living, heirs) = linked.living(is_dead)?;
        Ok(Compacted { beginning: Beginning::new(living), links: links.len(), compactions, heirs })
    }
}

impl Clusters {
    /// Whether so much is in the index since they were made or replaced that they are to be compacted: `changes` are half as many as the
    /// documents that were in clusters then, and 65,536 at least.
    pub fn is_to_compact(&self, changes: u64) -> bool {
        let documents = self.beginning.documents().len();
        let is_empty = documents == 0 && self.links.is_empty();
        !is_empty && changes >= self.least_changes.max(documents as u64 / 2)
    }

    /// What they are now, to be compacted. It takes 16 bytes for each link since they were made or replaced.
    pub fn compaction(&self) -> Compaction {
        let (beginning, links) = (Arc::clone(&self.beginning), self.links.clone());
        Compaction { beginning, links, compactions: self.compactions }
    }

    /// Replaces them by `compacted`, and makes the links since that began. Returns those that were replaced, which take time to be dropped.
    ///
    /// A document that was left out is alone from now on, unless it connects documents that were linked to its cluster since. The roots of other clusters may have changed.
    ///
    /// # Panics
    /// If they were replaced since that began.
    pub fn replace(&mut self, compacted: Compacted) -> Clusters {
        assert_eq!(self.compactions, compacted.compactions, "one compaction at a time");
        let links = self.links.split_off(compacted.links);
        let heirs = links.into_iter().map(|link| link.map(|number| compacted.heir(number)));
        let heirs: Vec<[u64; 2]> = heirs.collect();
        let mut clusters = Clusters {
            beginning: Arc::new(compacted.beginning),
            links: Vec::new(),
            next: HashMap::new(),
            united: HashMap::new(),
            least_changes: self.least_changes,
            compactions: self.compactions + 1,
        };
        heirs.into_iter().for_each(|[a, b]| clusters.unite(a, b));
        std::mem::replace(self, clusters)
    }
}
