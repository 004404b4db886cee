//! Which document of each cluster is canonical, in few lines.

use super::{Canonical, Told};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub(super) struct ModelDocument {
    pub(super) number: u64,
    pub(super) id: String,
    pub(super) priority: i32,
    pub(super) expires: Option<u32>,
    /// The number of the document that its cluster was last connected by.
    pub(super) cluster: u64,
}

pub(super) struct Model {
    policy: Canonical,
    /// The second since 1970.
    pub(super) now: u32,
    /// All that were not removed, by number.
    pub(super) documents: BTreeMap<u64, ModelDocument>,
}

impl Model {
    pub(super) fn new(policy: Canonical, now: u32) -> Self {
        Model { policy, now, documents: BTreeMap::new() }
    }

    /// Changes it. Returns which canonical documents are others then, and which were there before.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Self)) -> Vec<Told> {
        let before = self.canonicals();
        change(self);
        let after = self.canonicals();
        let mut told = Vec::new();
        for (cluster, previous) in before {
            // Its cluster may be a part of another one now.
            let cluster = self.documents.get(&previous.number).map_or(cluster, |document| document.cluster);
            let canonical = after.get(&cluster).filter(|canonical| canonical.number != previous.number);
            told.extend(canonical.map(|canonical| (canonical.id.clone(), previous.id)));
        }
        told
    }

    /// Adds a document that is similar to documents of these clusters.
    pub(super) fn add(&mut self, document: ModelDocument, to: &[u64]) {
        let (number, clusters) = (document.number, to.iter().map(|to| self.documents[to].cluster));
        let clusters: Vec<u64> = clusters.collect();
        self.documents.insert(number, document);
        for document in self.documents.values_mut().filter(|document| clusters.contains(&document.cluster)) {
            document.cluster = number;
        }
    }

    pub(super) fn touch(&mut self, number: u64, expires: Option<u32>) {
        self.documents.get_mut(&number).unwrap().expires = expires;
    }

    /// The canonical document of each cluster.
    fn canonicals(&self) -> BTreeMap<u64, ModelDocument> {
        let mut canonicals = BTreeMap::<u64, ModelDocument>::new();
        let is_there = |document: &&ModelDocument| document.expires.is_none_or(|expires| expires > self.now);
        for document in self.documents.values().filter(is_there) {
            let best = canonicals.entry(document.cluster).or_insert_with(|| document.clone());
            // Of equal ones the first stays.
            if self.policy == Canonical::Priority && document.priority > best.priority {
                *best = document.clone();
            }
        }
        canonicals
    }
}
