//! The fingerprints of a corpus, as needed by the search for pairs.

use super::Fingerprint;
use crate::plan::Bits;
use crate::sketch::{ContentHash, Contents, DocumentGroups, Group};

/// The fingerprint and the content hash of every document, in 32 or 40 bytes.
#[derive(Clone, Debug)]
pub struct FingerprintTable {
    codes: Codes,
    contents: Contents,
    /// Documents whose features had no vote, ascending.
    silent: Vec<u32>,
}

/// Fingerprints as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Codes {
    /// Codes of 64 bits.
    B64(Vec<u64>),
    /// Codes of 128 bits.
    B128(Vec<u128>),
}

impl FingerprintTable {
    /// An empty table for fingerprints of this many bits.
    pub fn new(bits: Bits) -> Self {
        let codes = match bits {
            Bits::B64 => Codes::B64(Vec::new()),
            Bits::B128 => Codes::B128(Vec::new()),
        };
        FingerprintTable { codes, contents: Contents::default(), silent: Vec::new() }
    }

    /// Appends a document.
    pub fn push(&mut self, fingerprint: Fingerprint, content: ContentHash) {
        if fingerprint.is_empty() {
            self.silent.push(self.contents.0.len() as u32);
        }
        match &mut self.codes {
            Codes::B64(codes) => codes.push(fingerprint.value() as u64),
            Codes::B128(codes) => codes.push(fingerprint.value()),
        }
        self.contents.0.push(content);
    }

    /// Appends a document whose fingerprint was stored as [`FingerprintTable::bytes_of`] gives it. Without features it had no vote.
    ///
    /// # Panics
    /// If it has another number of bits.
    pub fn push_bytes(&mut self, bytes: &[u8], content: ContentHash) {
        if content.is_empty() {
            self.silent.push(self.contents.0.len() as u32);
        }
        let fits = "fingerprints of one table have the same number of bits";
        match &mut self.codes {
            Codes::B64(codes) => codes.push(u64::from_le_bytes(bytes.try_into().expect(fits))),
            Codes::B128(codes) => codes.push(u128::from_le_bytes(bytes.try_into().expect(fits))),
        }
        self.contents.0.push(content);
    }

    /// Appends a document whose features had no vote.
    pub fn push_silent(&mut self, content: ContentHash) {
        self.silent.push(self.contents.0.len() as u32);
        match &mut self.codes {
            Codes::B64(codes) => codes.push(0),
            Codes::B128(codes) => codes.push(0),
        }
        self.contents.0.push(content);
    }

    /// The bytes of the fingerprint of `document`, the lowest first.
    pub fn bytes_of(&self, document: u32) -> Vec<u8> {
        match &self.codes {
            Codes::B64(codes) => codes[document as usize].to_le_bytes().to_vec(),
            Codes::B128(codes) => codes[document as usize].to_le_bytes().to_vec(),
        }
    }

    /// Whether the features of `document` had no vote: it is near no other document, and may have copies.
    pub fn is_silent(&self, document: u32) -> bool {
        self.silent.binary_search(&document).is_ok()
    }

    /// Puts the last document into `group`. It is then a copy of no document in another group.
    pub fn put_last_into(&mut self, group: Group) {
        self.contents.put_last_into(group);
    }

    /// Appends all documents of `other`, which was made for the same plan.
    pub fn append(&mut self, other: &FingerprintTable) {
        let before = self.contents.0.len() as u32;
        match (&mut self.codes, &other.codes) {
            (Codes::B64(codes), Codes::B64(more)) => codes.extend_from_slice(more),
            (Codes::B128(codes), Codes::B128(more)) => codes.extend_from_slice(more),
            _ => panic!("fingerprints of one plan have the same number of bits"),
        }
        self.contents.0.extend_from_slice(&other.contents.0);
        self.silent.extend(other.silent.iter().map(|document| before + document));
    }

    /// Reserves room for `documents` more.
    pub fn reserve(&mut self, documents: usize) {
        match &mut self.codes {
            Codes::B64(codes) => codes.reserve_exact(documents),
            Codes::B128(codes) => codes.reserve_exact(documents),
        }
        self.contents.0.reserve_exact(documents);
    }

    /// The size of the table in bytes.
    pub fn bytes(&self) -> usize {
        let codes = match &self.codes {
            Codes::B64(codes) => size_of_val(&codes[..]),
            Codes::B128(codes) => size_of_val(&codes[..]),
        };
        codes + size_of_val(self.contents.as_slice())
    }

    /// The content hashes of all documents.
    pub fn contents(&self) -> &[ContentHash] {
        self.contents.as_slice()
    }

    /// The content hash of `document`.
    pub fn content(&self, document: u32) -> ContentHash {
        self.contents.0[document as usize]
    }

    pub(crate) fn contents_mut(&mut self) -> &mut [ContentHash] {
        &mut self.contents.0
    }

    /// The number of bits in which the fingerprints of the two differ.
    pub fn distance(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (a as usize, b as usize);
        match &self.codes {
            Codes::B64(codes) => (codes[a] ^ codes[b]).count_ones(),
            Codes::B128(codes) => (codes[a] ^ codes[b]).count_ones(),
        }
    }

    /// The original of every document, which is the first document with the same content. A document without features
    /// is its own original.
    pub fn originals(&self) -> Vec<u32> {
        self.contents.originals()
    }

    /// The documents to search, ascending, and their fingerprints.
    ///
    /// They are the first documents of each content, without those that had no vote. Some bits of a fingerprint are
    /// flipped, the same ones for all documents of a group. Distances within a group stay the same. Documents of
    /// different groups are as far apart as unrelated ones.
    pub fn searched(&self, originals: &[u32], groups: DocumentGroups<'_>) -> (Vec<u32>, Codes) {
        let mut silent = self.silent.iter().peekable();
        let searched = |document: &u32| {
            let is_silent = silent.next_if_eq(&document).is_some();
            originals[*document as usize] == *document && !is_silent
        };
        let documents: Vec<u32> = (0..originals.len() as u32).filter(searched).collect();
        let places = documents.iter().map(|&document| (document as usize, groups.mask(document)));
        let codes = match &self.codes {
            Codes::B64(codes) => Codes::B64(places.map(|(place, mask)| codes[place] ^ mask as u64).collect()),
            Codes::B128(codes) => Codes::B128(places.map(|(place, mask)| codes[place] ^ mask).collect()),
        };
        (documents, codes)
    }
}
