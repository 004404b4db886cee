//! What an index must have.

use super::*;
use crate::keys::key::held;
use crate::life::dropped_at;
use std::collections::BTreeMap;

/// A document that was added.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelDocument {
    pub(super) seed: u64,
    pub(super) time: u32,
    pub(super) expires: Option<u32>,
    pub(super) is_removed: bool,
}

/// What an index must have.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Model {
    pub(super) documents: Vec<ModelDocument>,
    pub(super) links: Vec<[u64; 2]>,
    pub(super) payload: Option<Vec<u8>>,
    /// The second since 1970.
    pub(super) now: u32,
}

impl Model {
    /// Whether the document has expired so long ago that nobody needs to find it.
    fn is_dropped(&self, document: &ModelDocument) -> bool {
        document.expires.is_some_and(|expires| expires <= dropped_at(self.now))
    }

    fn candidates(&self, keys: &[u64]) -> BTreeMap<u64, u32> {
        let mut found = BTreeMap::new();
        for (number, document) in (0..).zip(&self.documents) {
            let own = self::keys(document.seed);
            let shared = own.iter().zip(keys).filter(|(a, b)| held(**a) == held(**b)).count() as u32;
            if shared > 0 && !document.is_removed && !content(document.seed).is_empty() {
                found.insert(number, shared);
            }
        }
        found
    }

    /// Checks that `snapshot` has the same documents, and finds the same by the keys and the id of some.
    pub(super) fn check(&self, snapshot: &Snapshot) {
        assert_eq!(snapshot.documents(), self.documents.len() as u64);
        for number in 0..self.documents.len() {
            self.check_document(snapshot, number);
        }
        for seed in 0..20 {
            let found = snapshot.candidates(&keys(seed), 0).unwrap();
            let mut found: BTreeMap<u64, u32> = found.into_iter().map(|c| (c.number, c.bands)).collect();
            let mut expected = self.candidates(&keys(seed));
            let is_needed = |number: &u64| !self.is_dropped(&self.documents[*number as usize]);
            assert!(found.iter().all(|(number, bands)| expected.get(number) == Some(bands)));
            found.retain(|number, _| is_needed(number));
            expected.retain(|number, _| is_needed(number));
            assert_eq!(found, expected);
        }
    }

    fn check_document(&self, snapshot: &Snapshot, number: usize) {
        let model = &self.documents[number];
        assert_eq!(snapshot.is_removed(number as u64), model.is_removed);
        let document = match snapshot.document(number as u64) {
            Err(Error::Gone { .. }) => {
                assert!(model.is_removed || self.is_dropped(model));
                return;
            }
            document => document.unwrap(),
        };
        assert_eq!((document.id(), document.time()), (&format!("id{}", model.seed)[..], Some(model.time)));
        assert_eq!(document.text().unwrap(), text(model.seed));
        assert_eq!((document.content(), document.expires()), (content(model.seed), model.expires));
        assert_eq!(document.url(), url(model.seed).as_deref());
        let has_id = |document: &ModelDocument| document.seed == model.seed && !document.is_removed;
        let newest =
            self.documents.iter().rposition(|document| has_id(document) && !self.is_dropped(document));
        let by_url = document.url().map(|url| snapshot.find_url(url).unwrap());
        for found in [Some(snapshot.find(document.id()).unwrap()), by_url].into_iter().flatten() {
            let found = found.map(|document| document.number as usize);
            assert!(found >= newest && found.is_none_or(|found| has_id(&self.documents[found])));
        }
    }
}
