//! The records of the log.
//!
//! | bytes | contents |
//! |---|---|
//! | 1 | the kind: see [`RecordKind`] |
//! | 1 to 10 | the length of the body, as a varint |
//! | 4 | the low half of the xxh3 of the body, seeded with the kind and the document's number |
//! | any | the body |
//!
//! A varint has seven bits in each byte, the lowest first, and the highest bit of all bytes but the last is set.
//!
//! The body of a **document** starts with a byte of flags, and has in this order:
//!
//! | flag | bytes | contents |
//! |---|---|---|
//! | 8 | 4 | the second since 1970 at which it was added |
//! | 2 | 4 | the second since 1970 at which it expires |
//! | 1 | 16 | its content hash, of which an index [without texts](crate::Tables::held_content) has four bytes. Without this flag it has no features |
//! | 1 | 1 to 10 | its number of shingles, as a varint |
//! | 1 | 4.5 for each band | its [packed](crate::keys::key::pack) band keys; nothing by SimHash |
//! | 1 | `num_perm` | the low byte of each value of its signature; by SimHash its fingerprint, 8 or 16 bytes, the lowest first |
//! | 64 | 8 | its priority, a float |
//! | 16 | 8 | the xxh3 of its normalised URL |
//! | | any | its id: the length as a varint, and the bytes |
//! | 4 | any | its metadata in JSON, likewise |
//! | 16 | any | its URL, likewise |
//! | 32 | any | its title, likewise |
//! | | the rest | its [compressed](super::texts::compress) text, or nothing in an index without texts |
//!
//! The body of a **removal** or a **purge** is the number of a document, eight bytes. The body of a **link** is the number of the first document of a
//! cluster, and of another member of it. The body of an **extension** is the number of a document, and the second at which it now expires,
//! four bytes; a document that expires later anyway still does. The body of a **payload** is what the program that commits gave to be found again.

use crate::encode::id_hash;
use crate::keys::key;
use crate::keys::tables::Tables;
use lookalike::sketch::ContentHash;
use lookalike_html::normalised_url;
use std::ops::Range;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordKind {
    /// A document is added. Its number is one more than that of the document before it.
    Document = 1,
    /// A document is removed.
    Removal = 2,
    /// Two documents are in one cluster.
    Link = 3,
    /// The payload of a commit.
    Payload = 4,
    /// A document expires later.
    Extension = 5,
    /// A document is removed, and its text is to be gone from the disk.
    Purge = 6,
}

/// Bytes of a record before its body, at most.
#[cfg(test)]
const HEAD_BYTES: usize = 15;

const HAS_FEATURES: u8 = 1;
const EXPIRES: u8 = 2;
const HAS_META: u8 = 4;
const HAS_TIME: u8 = 8;
const HAS_URL: u8 = 16;
const HAS_TITLE: u8 = 32;
const HAS_PRIORITY: u8 = 64;

/// A document to be added. Its sketch is made by the plan of the index.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewDocument<'a> {
    /// A band key for each band, or the key of each [part](crate::Tables::part_keys) of the fingerprint.
    pub keys: &'a [u64],
    /// The low byte of each value of the MinHash signature, or the fingerprint with its lowest byte first.
    pub signature: &'a [u8],
    /// The content hash.
    pub content: ContentHash,
    /// The id.
    pub id: &'a str,
    /// The text.
    pub text: &'a str,
    /// The second since 1970 at which it is added, if that is to be stored.
    pub time: Option<u32>,
    /// The second since 1970 from which on it is not found any more.
    pub expires: Option<u32>,
    /// Metadata in JSON.
    pub meta: Option<&'a str>,
    /// The URL.
    pub url: Option<NewUrl<'a>>,
    /// The title.
    pub title: Option<&'a str>,
    /// The priority as canonical document of a cluster. Higher is better.
    pub priority: Option<f64>,
}

/// The URL of a document.
#[derive(Clone, Copy, Debug)]
pub struct NewUrl<'a> {
    pub(crate) text: &'a str,
    pub(crate) hash: u64,
}

impl<'a> NewUrl<'a> {
    /// A document with this URL is found by any spelling of it.
    pub fn new(url: &'a str) -> Self {
        NewUrl { text: url, hash: url_hash(url) }
    }
}

/// The hash by which documents with this URL are found, in any spelling: see [`normalised_url`].
pub(crate) fn url_hash(url: &str) -> u64 {
    normalised_url(url).map_or_else(|| xxh3_64(url.as_bytes()), |normalised| xxh3_64(normalised.as_bytes()))
}

/// A record, as it is in the log. Its body is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogRecord<'b> {
    pub(crate) kind: RecordKind,
    pub(crate) body: &'b [u8],
    /// The bytes of all of it.
    pub(crate) length: usize,
}

impl RecordKind {
    fn of(byte: u8) -> Option<Self> {
        [
            RecordKind::Document,
            RecordKind::Removal,
            RecordKind::Link,
            RecordKind::Payload,
            RecordKind::Extension,
            RecordKind::Purge,
        ]
        .into_iter()
        .find(|&kind| kind as u8 == byte)
    }

    fn seed(self, number: u64) -> u64 {
        number << 8 | self as u64
    }
}

/// The length of the record that starts `bytes`, or `None` if they do not start a record. `bytes` has 15 bytes or more, or ends with
/// the record.
pub(crate) fn length(bytes: &[u8]) -> Option<usize> {
    let (body, at) = varint(bytes, 1)?;
    usize::try_from(body).ok()?.checked_add(at + 4)
}

impl<'b> LogRecord<'b> {
    /// The record that starts `bytes`, or `None` if there is no undamaged one. A document must have this `number`.
    pub(crate) fn read(bytes: &'b [u8], number: u64) -> Option<Self> {
        let kind = RecordKind::of(*bytes.first()?)?;
        let (_, at) = varint(bytes, 1)?;
        let length = length(bytes)?;
        let body = bytes.get(at + 4..length)?;
        let number = if kind == RecordKind::Document { number } else { 0 };
        let check = xxh3_64_with_seed(body, kind.seed(number)) as u32;
        (bytes[at..at + 4] == check.to_le_bytes()).then_some(LogRecord { kind, body, length })
    }

    /// The numbers in the body of a removal, a purge or a link.
    pub(crate) fn numbers<const N: usize>(self) -> Option<[u64; N]> {
        let numbers = self.body.chunks_exact(8).map(|bytes| bytes.try_into().map_or(0, u64::from_le_bytes));
        let numbers: Vec<u64> = numbers.collect();
        (self.body.len() == 8 * N).then(|| numbers.try_into().ok()).flatten()
    }
}

impl LogRecord<'_> {
    /// The document of an extension, and the second at which it expires.
    pub(crate) fn extension(self) -> Option<(u64, u32)> {
        let (number, second) = self.body.split_at_checked(8)?;
        Some((u64::from_le_bytes(number.try_into().ok()?), u32::from_le_bytes(second.try_into().ok()?)))
    }
}

/// Appends a record to `out`. `number` is that of the document, or 0.
fn push(kind: RecordKind, number: u64, body: &[u8], out: &mut Vec<u8>) {
    out.push(kind as u8);
    push_varint(body.len() as u64, out);
    let check = xxh3_64_with_seed(body, kind.seed(number)) as u32;
    out.extend_from_slice(&check.to_le_bytes());
    out.extend_from_slice(body);
}

/// Appends the record of the document with this `number`, whose [body](push_body) is made already.
pub(crate) fn push_document(body: &[u8], number: u64, out: &mut Vec<u8>) {
    push(RecordKind::Document, number, body, out);
}

/// Appends the body of the record of a document of an index with these `tables`. `text` appends its compressed text, if texts are stored.
pub(crate) fn push_body(
    document: &NewDocument<'_>,
    tables: &Tables,
    out: &mut Vec<u8>,
    text: impl FnOnce(&mut Vec<u8>),
) {
    let has_features = !document.content.is_empty();
    let flag = |flag: u8, is_set: bool| if is_set { flag } else { 0 };
    out.push(
        flag(HAS_FEATURES, has_features)
            | flag(EXPIRES, document.expires.is_some())
            | flag(HAS_META, document.meta.is_some())
            | flag(HAS_TIME, document.time.is_some())
            | flag(HAS_URL, document.url.is_some())
            | flag(HAS_TITLE, document.title.is_some())
            | flag(HAS_PRIORITY, document.priority.is_some()),
    );
    for second in [document.time, document.expires].into_iter().flatten() {
        out.extend_from_slice(&second.to_le_bytes());
    }
    if has_features {
        let [first, second, shingles] = document.content.to_parts();
        let content = [first, second].map(u64::to_le_bytes);
        out.extend_from_slice(&content.as_flattened()[..content_bytes(tables)]);
        push_varint(shingles, out);
        key::pack(&document.keys[..tables.logged_keys()], out);
        out.extend_from_slice(document.signature);
    }
    document.priority.iter().for_each(|priority| out.extend_from_slice(&priority.to_le_bytes()));
    document.url.iter().for_each(|url| out.extend_from_slice(&url.hash.to_le_bytes()));
    let url = document.url.map(|url| url.text);
    for text in [Some(document.id), document.meta, url, document.title].into_iter().flatten() {
        push_varint(text.len() as u64, out);
        out.extend_from_slice(text.as_bytes());
    }
    if tables.stores_texts() {
        text(out);
    }
}

/// The bytes of a content hash, without its number of shingles.
fn content_bytes(tables: &Tables) -> usize {
    if tables.stores_texts() { 16 } else { 4 }
}

/// Appends the record that removes the document with this number.
pub(crate) fn push_removal(number: u64, out: &mut Vec<u8>) {
    push(RecordKind::Removal, 0, &number.to_le_bytes(), out);
}

/// Appends the record that removes the document with this number, and asks for its text to be gone from the disk.
pub(crate) fn push_purge(number: u64, out: &mut Vec<u8>) {
    push(RecordKind::Purge, 0, &number.to_le_bytes(), out);
}

/// Appends the record that links two documents.
pub(crate) fn push_link(link: [u64; 2], out: &mut Vec<u8>) {
    push(RecordKind::Link, 0, link.map(u64::to_le_bytes).as_flattened(), out);
}

/// Appends the record that lets the document with this number expire at this second.
pub(crate) fn push_extension(number: u64, second: u32, out: &mut Vec<u8>) {
    let mut body = number.to_le_bytes().to_vec();
    body.extend_from_slice(&second.to_le_bytes());
    push(RecordKind::Extension, 0, &body, out);
}

/// Appends the payload of a commit.
pub(crate) fn push_payload(payload: &[u8], out: &mut Vec<u8>) {
    push(RecordKind::Payload, 0, payload, out);
}

/// Where the parts of a document are in the body of its record.
#[derive(Clone, Debug)]
pub(crate) struct DocumentParts {
    pub(crate) time: Option<u32>,
    pub(crate) expires: Option<u32>,
    pub(crate) content: ContentHash,
    pub(crate) keys: Range<usize>,
    pub(crate) signature: Range<usize>,
    pub(crate) priority: Option<f64>,
    pub(crate) url_hash: Option<u64>,
    pub(crate) id: Range<usize>,
    pub(crate) meta: Option<Range<usize>>,
    pub(crate) url: Option<Range<usize>>,
    pub(crate) title: Option<Range<usize>>,
    /// `None` if texts are not stored.
    pub(crate) text: Option<Range<usize>>,
}

impl DocumentParts {
    /// The parts of `body`, whose keys are those of `tables`. `None` if they are not.
    pub(crate) fn read(body: &[u8], tables: &Tables) -> Option<Self> {
        let mut at = 1_usize;
        let mut take = |bytes: usize| {
            let range = at..at.checked_add(bytes)?;
            at = range.end;
            (at <= body.len()).then_some(range)
        };
        let number = |range: Range<usize>| {
            let mut bytes = [0; 8];
            bytes[..range.len()].copy_from_slice(&body[range]);
            u64::from_le_bytes(bytes)
        };
        let flags = *body.first()?;
        let time = if flags & HAS_TIME != 0 { Some(number(take(4)?) as u32) } else { None };
        let expires = if flags & EXPIRES != 0 { Some(number(take(4)?) as u32) } else { None };
        let (mut content, mut keys, mut signature) = (ContentHash::default(), 0..0, 0..0);
        if flags & HAS_FEATURES != 0 {
            let stored = take(content_bytes(tables))?;
            let (shingles, end) = varint(body, stored.end)?;
            take(end - stored.end)?;
            keys = take(key::packed_bytes(tables.logged_keys()))?;
            signature = take(tables.signature_bytes())?;
            let first = number(stored.start..stored.end.min(stored.start + 8));
            let second = number(stored.end.min(stored.start + 8)..stored.end);
            let stored = ContentHash::of_parts([first, second, shingles]);
            content = tables.held_content(stored, &body[signature.clone()]);
        }
        let priority = if flags & HAS_PRIORITY != 0 { Some(f64::from_bits(number(take(8)?))) } else { None };
        let url_hash = if flags & HAS_URL != 0 { Some(number(take(8)?)) } else { None };
        let mut text = || {
            let start = take(0)?.start;
            let (length, end) = varint(body, start)?;
            take(end - start)?;
            take(usize::try_from(length).ok()?)
        };
        let id = text()?;
        let meta = if flags & HAS_META != 0 { Some(text()?) } else { None };
        let url = if flags & HAS_URL != 0 { Some(text()?) } else { None };
        let title = if flags & HAS_TITLE != 0 { Some(text()?) } else { None };
        let rest = take(0)?.start..body.len();
        let text = tables.stores_texts().then_some(rest);
        [Some(&id), meta.as_ref(), url.as_ref(), title.as_ref()]
            .into_iter()
            .flatten()
            .try_for_each(|range| std::str::from_utf8(&body[range.clone()]).ok().map(drop))?;
        Some(DocumentParts {
            time,
            expires,
            content,
            keys,
            signature,
            priority,
            url_hash,
            id,
            meta,
            url,
            title,
            text,
        })
    }

    /// Appends the keys of the sketch of the document with this `body`, with the bits that an index holds at least. Without features, it appends
    /// zeros.
    pub(crate) fn push_keys(&self, body: &[u8], tables: &Tables, keys: &mut Vec<u64>) {
        match self.content.is_empty() {
            true => keys.resize(keys.len() + tables.keys(), 0),
            false => tables.push_keys(&body[self.keys.clone()], &body[self.signature.clone()], keys),
        }
    }

    /// The keys of the sketch of the document with this `body`, or none if it has no features, and the hash of its id.
    pub(crate) fn keys_and_id(&self, body: &[u8], tables: &Tables) -> Option<(Vec<u64>, u64)> {
        let mut keys = Vec::new();
        if !self.content.is_empty() {
            self.push_keys(body, tables, &mut keys);
        }
        Some((keys, id_hash(std::str::from_utf8(&body[self.id.clone()]).ok()?)))
    }

    /// Where the content hash is: before the keys.
    #[cfg(feature = "redis")]
    pub(crate) fn content_range(&self, tables: &Tables) -> Range<usize> {
        let mut shingles = Vec::new();
        push_varint(self.content.shingles(), &mut shingles);
        let bytes = if self.content.is_empty() { 0 } else { content_bytes(tables) + shingles.len() };
        self.keys.start - bytes..self.keys.start
    }
}

fn push_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The varint at byte `at` of `bytes`, and the byte behind it.
fn varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut value = 0;
    for (index, &byte) in bytes.get(at..)?.iter().take(10).enumerate() {
        value |= u64::from(byte & 127).checked_shl(7 * index as u32)?;
        if byte < 128 {
            return Some((value, at + index + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::key::held;
    use proptest::prelude::*;

    const BANDS: usize = 5;
    const NUM_PERM: usize = 20;

    proptest! {
        #[test]
        fn a_document_is_read_as_it_was_written(
            keys in prop::collection::vec(any::<u64>(), BANDS), signature in prop::collection::vec(any::<u8>(), NUM_PERM), content in any::<[u64; 3]>(),
            id in ".{0,200}", meta in prop::option::of(".{0,20}"), text in ".{0,300}",
            url in prop::option::of(".{0,30}"), title in prop::option::of(".{0,30}"), priority in prop::option::of(-9.5..9.5_f64),
            time in prop::option::of(any::<u32>()), expires in prop::option::of(any::<u32>()), number in any::<u64>(), before in 0..5_usize,
            stores_texts: bool,
        ) {
            let tables = Tables::of_bands(BANDS, NUM_PERM).storing(stores_texts);
            let content = tables.held_content(ContentHash::of_parts(content), &signature);
            let document = NewDocument {
                keys: &keys, signature: &signature, content, id: &id, text: &text, time, expires, meta: meta.as_deref(),
                url: url.as_deref().map(NewUrl::new), title: title.as_deref(), priority,
            };
            let (mut body, mut bytes) = (Vec::new(), vec![9; before]);
            push_body(&document, &tables, &mut body, |out| out.extend_from_slice(text.as_bytes()));
            push_document(&body, number, &mut bytes);
            let bytes = &bytes[before..];
            prop_assert_eq!(length(&bytes[..bytes.len().min(HEAD_BYTES)]), Some(bytes.len()));
            let record = LogRecord::read(bytes, number).unwrap();
            prop_assert_eq!((record.kind, record.length), (RecordKind::Document, bytes.len()));
            let parts = DocumentParts::read(record.body, &tables).unwrap();
            prop_assert_eq!((parts.time, parts.expires), (time, expires));
            if !content.is_empty() {
                let mut read = Vec::new();
                key::unpack(&record.body[parts.keys], BANDS, &mut read);
                prop_assert_eq!(read, keys.iter().copied().map(held).collect::<Vec<_>>());
                prop_assert_eq!(&record.body[parts.signature], signature);
                prop_assert_eq!(parts.content, content);
            }
            prop_assert_eq!(&record.body[parts.id], id.as_bytes());
            for (range, text) in [(parts.meta, &meta), (parts.url, &url), (parts.title, &title)] {
                prop_assert_eq!(range.map(|range| &record.body[range]), text.as_deref().map(str::as_bytes));
            }
            prop_assert_eq!((parts.priority, parts.url_hash), (priority, url.as_deref().map(url_hash)));
            prop_assert_eq!(parts.text.map(|range| &record.body[range]), stores_texts.then_some(text.as_bytes()));
            prop_assert!(LogRecord::read(bytes, number ^ 1).is_none(), "it is of another document");
            for at in 0..bytes.len() {
                let mut damaged = bytes.to_vec();
                damaged[at] ^= 1 << (at % 8);
                // A longer varint of the same number is the one change that a reader of a record cannot see. The frame sees it.
                let read = LogRecord::read(&damaged, number);
                prop_assert!(read.is_none_or(|read| read.body == record.body), "byte {}", at);
                prop_assert!(LogRecord::read(&bytes[..at], number).is_none());
            }
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = (length(&bytes), LogRecord::read(&bytes, 0), DocumentParts::read(&bytes, &Tables::of_bands(BANDS, NUM_PERM)));
        }
    }

    #[test]
    fn other_records_are_read_as_they_were_written() {
        let mut bytes = Vec::new();
        push_removal(1 << 40, &mut bytes);
        push_link([3, 1 << 33], &mut bytes);
        push_extension(1 << 41, u32::MAX - 1, &mut bytes);
        push_payload(b"offset 7", &mut bytes);
        let removal = LogRecord::read(&bytes, 5).unwrap();
        assert_eq!((removal.kind, removal.numbers()), (RecordKind::Removal, Some([1 << 40])));
        let link = LogRecord::read(&bytes[removal.length..], 5).unwrap();
        assert_eq!((link.kind, link.numbers()), (RecordKind::Link, Some([3, 1 << 33])));
        assert_eq!(link.numbers::<1>(), None);
        let extension = LogRecord::read(&bytes[removal.length + link.length..], 5).unwrap();
        assert_eq!(extension.extension(), Some((1 << 41, u32::MAX - 1)));
        assert_eq!((extension.kind, link.extension()), (RecordKind::Extension, None));
        let payload = LogRecord::read(&bytes[removal.length + link.length + extension.length..], 5).unwrap();
        assert_eq!((payload.kind, payload.body), (RecordKind::Payload, &b"offset 7"[..]));
    }
}
