//! An index of signatures for insertions, removals, and queries by shared bands.
//!
//! Not for: exact similarity. Candidates have an estimate. A [`Verifier`](crate::compare::Verifier) compares their
//! features.

use crate::error::Incompatible;
use crate::hash::HashedMap;
use crate::plan::{Banding, Plan, PlanId};
use crate::similarity::Similarity;
use crate::sketch::{Signature, band_keys};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

/// A signature that shares a band with a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandCandidate {
    /// The id with which it was inserted.
    pub id: u32,
    /// The estimated Jaccard similarity of the two signatures.
    pub estimate: Similarity,
}

/// An in-memory index of MinHash signatures, which finds the signatures that share a band with a query
/// (locality-sensitive hashing).
///
/// It finds a document of similarity `s` with probability `1 - (1 - s^rows)^bands`, for the bands and rows of its plan.
/// A document takes 30 to 60 bytes per band and 4 bytes per value.
///
/// ```
/// use lookalike::{MinHashIndex, Plan, Sketcher};
///
/// let plan = Plan::default();
/// let (mut sketcher, mut index) = (Sketcher::new(&plan), MinHashIndex::new(&plan));
/// index.insert(7, sketcher.minhash("It was the best of times, it was the worst of times"))?;
/// index.insert(8, sketcher.minhash("Call me Ishmael. Some years ago, never mind how long precisely"))?;
/// let query = sketcher.minhash("It was the BEST of times: it was the worst of times!");
/// assert_eq!(index.query(&query)?[0].id, 7);
/// index.remove(7);
/// assert!(index.query(&query)?.is_empty());
/// # Ok::<(), lookalike::Incompatible>(())
/// ```
///
/// Source: Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", section 3.4.
#[derive(Clone, Debug)]
pub struct MinHashIndex {
    plan: PlanId,
    num_perm: usize,
    banding: Banding,
    /// The ids of the signatures with a given band key.
    ids: HashedMap<BandIds>,
    signatures: HashMap<u32, Signature>,
}

impl MinHashIndex {
    /// An empty index for signatures of `plan`.
    pub fn new(plan: &Plan) -> Self {
        let (ids, signatures) = (HashedMap::default(), HashMap::new());
        let (num_perm, banding) = (plan.num_perm(), plan.banding());
        MinHashIndex { plan: plan.signature_id(), num_perm, banding, ids, signatures }
    }

    /// The number of signatures.
    pub fn len(&self) -> usize {
        self.signatures.len()
    }

    /// Whether there are no signatures.
    pub fn is_empty(&self) -> bool {
        self.signatures.is_empty()
    }

    /// The signature that was inserted with `id`.
    pub fn get(&self, id: u32) -> Option<&Signature> {
        self.signatures.get(&id)
    }

    /// Inserts a signature, and returns the one that it replaces, which had the same `id`.
    ///
    /// The signature of an empty feature set can be inserted, and is a candidate of no query.
    ///
    /// # Errors
    /// [`Incompatible`] if another plan made the signature, or if it does not have `num_perm` values. The index is then
    /// unchanged.
    pub fn insert(&mut self, id: u32, signature: Signature) -> Result<Option<Signature>, Incompatible> {
        self.check_compatible(&signature)?;
        let before = self.remove(id);
        for key in keys(self.banding, &signature) {
            match self.ids.entry(key) {
                Entry::Vacant(entry) => drop(entry.insert(BandIds::One(id))),
                Entry::Occupied(mut entry) => entry.get_mut().push(id),
            }
        }
        self.signatures.insert(id, signature);
        Ok(before)
    }

    /// Removes the signature with this `id`. `None` if there is none.
    pub fn remove(&mut self, id: u32) -> Option<Signature> {
        let signature = self.signatures.remove(&id)?;
        for key in keys(self.banding, &signature) {
            if let Entry::Occupied(mut entry) = self.ids.entry(key)
                && entry.get_mut().remove(id)
            {
                entry.remove();
            }
        }
        Some(signature)
    }

    /// All signatures that share a band with `query`, by descending estimate, and then by id.
    ///
    /// # Errors
    /// [`Incompatible`] if another plan made the query, or if it does not have `num_perm` values.
    pub fn query(&self, query: &Signature) -> Result<Vec<BandCandidate>, Incompatible> {
        self.check_compatible(query)?;
        let mut ids: Vec<u32> = Vec::new();
        for key in keys(self.banding, query) {
            if let Some(of_key) = self.ids.get(&key) {
                of_key.append_to(&mut ids);
            }
        }
        ids.sort_unstable();
        ids.dedup();
        let mut candidates: Vec<BandCandidate> = Vec::with_capacity(ids.len());
        for id in ids {
            candidates.push(BandCandidate { id, estimate: query.jaccard(&self.signatures[&id])? });
        }
        candidates.sort_by(|a, b| b.estimate.value().total_cmp(&a.estimate.value()));
        Ok(candidates)
    }

    fn check_compatible(&self, signature: &Signature) -> Result<(), Incompatible> {
        Incompatible::unless_equal("plan", self.plan, signature.plan())?;
        // Stored signatures may be wrong.
        Incompatible::unless_equal("length", self.num_perm, signature.values().len())
    }
}

/// The band keys of a signature. The signature of an empty feature set has none, as all such signatures would share all
/// bands.
fn keys(banding: Banding, signature: &Signature) -> impl Iterator<Item = u64> {
    let bands = if signature.is_empty() { 0 } else { banding.bands };
    band_keys(banding.rows, signature.values()).take(bands)
}

/// Ids with the same band key. Most keys belong to one signature, so several ids are kept elsewhere: an entry takes 24 bytes instead of 40.
#[derive(Clone, Debug)]
enum BandIds {
    One(u32),
    Several(Box<Several>),
}

/// Several ids with the same band key.
#[derive(Clone, Debug)]
enum Several {
    /// At most [`FEW`], in no order.
    Few(Vec<u32>),
    Many(BTreeSet<u32>),
}

/// Ids in a list. A longer list would take longer to search than a tree, which takes up to ten bytes an id.
const FEW: usize = 32;

impl BandIds {
    fn append_to(&self, ids: &mut Vec<u32>) {
        match self {
            BandIds::One(id) => ids.push(*id),
            BandIds::Several(several) => several.append_to(ids),
        }
    }

    fn push(&mut self, id: u32) {
        match self {
            BandIds::One(first) => *self = BandIds::Several(Box::new(Several::Few(vec![*first, id]))),
            BandIds::Several(several) => several.push(id),
        }
    }

    /// Removes `id`, and returns whether no id is left.
    fn remove(&mut self, id: u32) -> bool {
        match self {
            BandIds::One(only) => *only == id,
            BandIds::Several(several) => several.remove(id),
        }
    }
}

impl Several {
    fn append_to(&self, ids: &mut Vec<u32>) {
        match self {
            Several::Few(few) => ids.extend_from_slice(few),
            Several::Many(many) => ids.extend(many),
        }
    }

    fn push(&mut self, id: u32) {
        match self {
            Several::Few(few) if few.len() < FEW => few.push(id),
            Several::Few(few) => *self = Several::Many(few.iter().copied().chain([id]).collect()),
            Several::Many(many) => drop(many.insert(id)),
        }
    }

    /// Removes `id`, and returns whether no id is left.
    fn remove(&mut self, id: u32) -> bool {
        match self {
            Several::Few(few) => {
                if let Some(place) = few.iter().position(|&other| other == id) {
                    few.swap_remove(place);
                }
                few.is_empty()
            }
            Several::Many(many) => {
                many.remove(&id);
                many.is_empty()
            }
        }
    }
}
