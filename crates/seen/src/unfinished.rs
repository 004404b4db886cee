//! What is decided and not on the disk yet.

use lookalike::sketch::ContentHash;
use lookalike_index::About;
use std::collections::BTreeMap;

/// A document that is not on the disk yet.
#[derive(Clone, Debug)]
pub(super) struct NewestDocument {
    pub(super) id: String,
    pub(super) content: ContentHash,
    pub(super) signature: Vec<u8>,
    /// The distinct features.
    pub(super) features: Vec<u64>,
    pub(super) about: About,
    pub(super) expires: Option<u32>,
}

/// Documents and removals that are decided and not on the disk yet. There are a few thousand at most.
#[derive(Debug, Default)]
pub(super) struct Unfinished {
    added: BTreeMap<u64, NewestDocument>,
    by_id: BTreeMap<String, u64>,
    /// Removed documents, and the sequence number of each removal.
    removing: BTreeMap<u64, u64>,
    /// Documents that expire later, the new second of each, and the sequence number of the last change to it.
    extending: BTreeMap<u64, (u32, u64)>,
}

impl Unfinished {
    pub(super) fn add(&mut self, number: u64, document: NewestDocument) {
        self.by_id.insert(document.id.clone(), number);
        self.added.insert(number, document);
    }

    pub(super) fn remove(&mut self, number: u64, sequence: u64) {
        self.removing.insert(number, sequence);
    }

    /// Lets a document expire at second `expires`, unless it expires later anyway.
    pub(super) fn extend(&mut self, number: u64, expires: u32, sequence: u64) {
        let before = self.extending.get(&number).map_or(0, |&(before, _)| before);
        self.extending.insert(number, (expires.max(before), sequence));
    }

    /// The second at which a document expires that would expire at second `own`.
    pub(super) fn expires(&self, number: u64, own: Option<u32>) -> Option<u32> {
        let extended = self.extending.get(&number).map_or(0, |&(expires, _)| expires);
        own.map(|own| own.max(extended))
    }

    pub(super) fn is_removing(&self, number: u64) -> bool {
        self.removing.contains_key(&number)
    }

    pub(super) fn document(&self, number: u64) -> Option<&NewestDocument> {
        self.added.get(&number)
    }

    /// The document that has this id, also if it has expired.
    pub(super) fn find(&self, id: &str) -> Option<SameId> {
        let number = *self.by_id.get(id)?;
        let NewestDocument { content, expires, .. } = self.added.get(&number)?;
        let expires = self.expires(number, *expires);
        (!self.is_removing(number)).then_some(SameId { number, content: *content, expires })
    }

    /// Forgets the documents before number `documents`, and the removals before `sequence`: they are on the disk.
    pub(super) fn finish(&mut self, documents: u64, sequence: u64) {
        self.added = self.added.split_off(&documents);
        self.by_id.retain(|_, number| *number >= documents);
        self.removing.retain(|_, removal| *removal >= sequence);
        self.extending.retain(|_, (_, change)| *change >= sequence);
    }
}

/// A document that has a given id.
pub(super) struct SameId {
    pub(super) number: u64,
    pub(super) content: ContentHash,
    pub(super) expires: Option<u32>,
}
