//! Clusters that do not change, in little memory.

use crate::bulk::linked::LinkedDocuments;
use lookalike::cluster::Buckets;

/// Stands for the cluster of a document that is linked to itself.
const ALONE: u32 = u32::MAX;

/// The clusters at a moment, in 16 bytes a document. Documents that are alone take none.
#[derive(Debug)]
pub(super) struct Beginning {
    /// The documents in clusters, ascending.
    documents: Vec<u64>,
    /// The cluster of each of them, or [`ALONE`].
    cluster_of: Vec<u32>,
    /// The members of each cluster, as places in `documents`.
    clusters: Buckets,
}

impl Beginning {
    pub(super) fn new(linked: LinkedDocuments) -> Self {
        let (documents, clusters) = linked.into_buckets();
        let mut cluster_of = vec![ALONE; documents.len()];
        for (cluster, members) in (0..).zip(clusters.iter()) {
            members.iter().for_each(|&place| cluster_of[place as usize] = cluster);
        }
        Beginning { documents, cluster_of, clusters }
    }

    /// The documents that it takes memory for, ascending.
    pub(super) fn documents(&self) -> &[u64] {
        &self.documents
    }

    /// The members of the cluster of `number`, ascending, or `None` if it was alone.
    pub(super) fn members(&self, number: u64) -> Option<impl Iterator<Item = u64>> {
        let place = self.documents.binary_search(&number).ok()?;
        let cluster = Some(self.cluster_of[place]).filter(|&cluster| cluster != ALONE)?;
        let members = self.clusters.bucket(cluster as usize);
        Some(members.iter().map(|&place| self.documents[place as usize]))
    }

    /// Links that make the same clusters.
    pub(super) fn links(&self) -> impl Iterator<Item = [u64; 2]> {
        let document = |&place: &u32| self.documents[place as usize];
        self.clusters.iter().flat_map(move |members| {
            members[1..].iter().map(move |member| [document(&members[0]), document(member)])
        })
    }
}
