//! The keys of an index in Redis, and their bytes.
//!
//! NAME is the name of the index. Numbers are little-endian, except in names of keys, where they are decimal.
//!
//! | key | type | contents |
//! |---|---|---|
//! | `{NAME}:plan` | hash | `layout` (a version of this table: 1 by MinHash, 2 by SimHash), `sketches` (the version of sketches), `plan` (in JSON), `lookalike` (the program that made it), `index` (random, so that no other index has it), `texts` (`false` if none are stored), and `frequencies` (the id of the document frequencies, if there are some) |
//! | `{NAME}:n` | hash | `documents` (the number that the next one gets), `removed`, `links`, `sequence` (the number of changes), `splits` |
//! | `{NAME}:k:TABLE:BUCKET` | hash | four bytes of a key → the documents that have it, ascending, an entry each |
//! | `{NAME}:d:CHUNK` | hash | the lowest byte of a document's number → the document. The other bytes are CHUNK |
//! | `{NAME}:x` | sorted set | the slots of 1,024 seconds in which documents expire, by their number |
//! | `{NAME}:x:SLOT` | list | the documents that expire in it, four bytes each |
//! | `{NAME}:p:CHUNK` | hash | the lowest byte of a document's number → an older document of its cluster, four bytes. The first of a cluster has no entry |
//! | `{NAME}:m:NUMBER` | string | the documents whose entry this document is, four bytes each |
//! | `{NAME}:z:1` | string | the dictionary of zstd, when there is one |
//! | `{NAME}:w:ID` | string | the [document frequencies](lookalike::DocumentFrequencies::to_bytes) with this id |
//!
//! **Tables.** There is a table for each band or part, one for ids, and one for URLs. A key is the first 36 bits of a band key, or of the hash of an id or a
//! URL, and an entry is the number of a document, four bytes. By SimHash a key is the first 16 bits of a fingerprint that is rotated so that the part comes
//! first. Its entries have the next 48 bits too, the highest first: 6 bytes. So far documents are left out without a look at them. The
//! lowest bits of a key choose the bucket. A table starts with 16 buckets and gets one more whenever there are more than 64 documents a bucket
//! (linear hashing). With `b` buckets and `p` the largest power of two that is not above `b`, the bucket is the key modulo `2p`, or modulo `p` if
//! the first does not exist. The four lowest bits are the same for a whole bucket, so the field has the others. `splits` counts the buckets
//! that were added, to the tables in turns. A bucket therefore stays short enough for the compact encoding of Redis at every size of the index. A table
//! of a part has 65,536 keys at most, so the value of each key grows with the index: by an entry for every 65,536 documents.
//!
//! **Documents.** A document has a head for the functions, which know nothing else of it, and the body of its [record](crate::log::record):
//!
//! | bytes | contents |
//! |---|---|
//! | 4 | the second since 1970 at which it expires, or 2³² - 1 |
//! | 2 | where its content hash starts, counted from the first byte of the head, or 0 if it has no features |
//! | 2 | where its packed keys start, at which the content hash ends, or 0. By SimHash there are none. Its signature follows the keys |
//! | 4, 4 | where its id starts, and where it ends |
//! | 5 | the key of its id |
//! | 5 | the key of its URL, or 2⁴⁰ - 1 |
//! | any | the body |
//!
//! A removed document is in no table and no chunk. Its links stay, and connect other documents.

use crate::encode::id_hash;
use crate::keys::key::KEY_BITS;
use crate::keys::tables::Tables;
use lookalike::Plan;
use std::ops::RangeInclusive;

/// The versions of this layout that are known, the newest last.
pub(crate) const LAYOUTS: RangeInclusive<u32> = 1..=2;

/// The version of the layout of an index with this plan. Programs that know version 1 alone have no tables of fingerprints.
pub(crate) fn layout_of(plan: &Plan) -> u32 {
    if plan.simhash().is_some() { 2 } else { 1 }
}

/// The first bytes of a document.
pub(crate) const HEAD_BYTES: usize = 26;

/// The key of the URL of a document that has none.
pub(crate) const NO_URL: u64 = (1 << 40) - 1;

/// Documents of a chunk.
pub const CHUNK_DOCUMENTS: u64 = 256;

/// The names of the keys of one index.
#[derive(Clone, Debug)]
pub(crate) struct KeyNames {
    name: String,
}

impl KeyNames {
    pub(crate) fn new(name: &str) -> Self {
        KeyNames { name: name.to_owned() }
    }

    /// The key of the header, which all functions get.
    pub(crate) fn plan(&self) -> String {
        format!("{{{}}}:plan", self.name)
    }

    pub(crate) fn counters(&self) -> String {
        format!("{{{}}}:n", self.name)
    }

    pub(crate) fn documents(&self, chunk: u64) -> String {
        format!("{{{}}}:d:{chunk}", self.name)
    }

    pub(crate) fn parents(&self, chunk: u64) -> String {
        format!("{{{}}}:p:{chunk}", self.name)
    }

    pub(crate) fn frequencies(&self, id: &str) -> String {
        format!("{{{}}}:w:{id}", self.name)
    }

    pub(crate) fn dictionary(&self, number: u8) -> String {
        format!("{{{}}}:z:{number}", self.name)
    }
}

/// The key by which the document that has this id is found.
pub(crate) fn id_key(id: &str) -> u64 {
    id_hash(id) >> (64 - KEY_BITS)
}

/// The key by which a document is found whose URL has this [hash](crate::log::record::url_hash).
pub(crate) fn url_key(hash: u64) -> u64 {
    hash >> (64 - KEY_BITS)
}

/// The tables of an index, as functions take them: the number of bands, or how fingerprints are cut into parts.
pub(crate) fn describe(tables: &Tables) -> Vec<u8> {
    let Some(parts) = tables.parts() else { return tables.keys().to_string().into_bytes() };
    let distance = parts.first().map_or(0, |part| part.distance);
    let numbers = parts.iter().flat_map(|part| [part.above, part.bits, part.tau]);
    let numbers = [tables.signature_bytes() as u32, distance].into_iter().chain(numbers);
    // No number is above 128.
    std::iter::once(b's').chain(numbers.map(|number| number as u8)).collect()
}

/// Numbers of documents, as functions take and give them.
pub(crate) fn pack_numbers(numbers: &[u64]) -> Vec<u8> {
    // The functions give no document a number of more than four bytes.
    numbers.iter().flat_map(|&number| (number as u32).to_le_bytes()).collect()
}

/// The numbers of [`pack_numbers`].
pub(crate) fn unpack_numbers(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks().0.iter().map(|&number| u64::from(u32::from_le_bytes(number)))
}
