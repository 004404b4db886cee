//! The records of the log.
//!
//! | bytes | contents |
//! |---|---|
//! | 1 | the kind: see [`Kind`] |
//! | 1 to 10 | the length of the body, as a varint |
//! | 4 | the low half of the xxh3 of the body, seeded with the kind and the document's number |
//! | any | the body |
//!
//! A varint has seven bits in each byte, the lowest first, and the highest bit of all bytes but the last is set.
//!
//! The body of a **document** has, in this order: a byte of flags (1: it has features, 2: it expires, 4: it has metadata, 8: its time is
//! known); with flag 8 the second since 1970 at which it was added, four bytes; with flag 2 the second at which it expires, four bytes; with flag 1 the 16 bytes of its
//! content hash, its number of shingles as a varint, its [packed](crate::keys::key::pack) band keys, and the low byte of each value of its
//! signature; the length of its id as a varint, and its id; with flag 4 the length of its metadata as a varint, and its metadata, in JSON;
//! its [compressed](super::texts::compress) text.
//!
//! The body of a **removal** is the number of a document, eight bytes. The body of a **link** is the number of the first document of a
//! cluster, and of another member of it. The body of a **payload** is what the program that commits gave to be found again.

use crate::keys::key;
use lookalike::sketch::ContentHash;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A document is added. Its number is one more than that of the document before it.
    Document = 1,
    /// A document is removed.
    Removal = 2,
    /// Two documents are in one cluster.
    Link = 3,
    /// The payload of a commit.
    Payload = 4,
}

/// Bytes of a record before its body, at most.
const HEAD_BYTES: usize = 15;

const HAS_FEATURES: u8 = 1;
const EXPIRES: u8 = 2;
const HAS_META: u8 = 4;
const HAS_TIME: u8 = 8;

/// A document to be added. Its sketch is made by the plan of the index.
#[derive(Clone, Copy, Debug)]
pub struct NewDocument<'a> {
    /// A band key for each band.
    pub keys: &'a [u64],
    /// The low byte of each value of the signature.
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
}

/// A record, as it is in the log. Its body is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'b> {
    pub(crate) kind: Kind,
    pub(crate) body: &'b [u8],
    /// The bytes of all of it.
    pub(crate) length: usize,
}

impl Kind {
    fn of(byte: u8) -> Option<Self> {
        [Kind::Document, Kind::Removal, Kind::Link, Kind::Payload]
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

impl<'b> Record<'b> {
    /// The record that starts `bytes`, or `None` if there is no undamaged one. A document must have this `number`.
    pub(crate) fn read(bytes: &'b [u8], number: u64) -> Option<Self> {
        let kind = Kind::of(*bytes.first()?)?;
        let (_, at) = varint(bytes, 1)?;
        let length = length(bytes)?;
        let body = bytes.get(at + 4..length)?;
        let number = if kind == Kind::Document { number } else { 0 };
        let check = xxh3_64_with_seed(body, kind.seed(number)) as u32;
        (bytes[at..at + 4] == check.to_le_bytes()).then_some(Record { kind, body, length })
    }

    /// The numbers in the body of a removal or a link.
    pub(crate) fn numbers<const N: usize>(self) -> Option<[u64; N]> {
        let numbers = self.body.chunks_exact(8).map(|bytes| bytes.try_into().map_or(0, u64::from_le_bytes));
        let numbers: Vec<u64> = numbers.collect();
        (self.body.len() == 8 * N).then(|| numbers.try_into().ok()).flatten()
    }
}

/// Appends a record to `out`. `body` appends its body.
fn push(kind: Kind, number: u64, out: &mut Vec<u8>, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    // The length of the body is known when it is written, so it moves then.
    out.resize(start + HEAD_BYTES, 0);
    body(out);
    let body = start + HEAD_BYTES;
    let check = xxh3_64_with_seed(&out[body..], kind.seed(number)) as u32;
    let mut head = vec![kind as u8];
    push_varint((out.len() - body) as u64, &mut head);
    head.extend_from_slice(&check.to_le_bytes());
    out.splice(start..body, head);
}

/// Appends the record of the document with this `number`, whose text is already compressed: `text` appends it.
pub(crate) fn push_document(
    document: &NewDocument<'_>,
    number: u64,
    out: &mut Vec<u8>,
    text: impl FnOnce(&mut Vec<u8>),
) {
    push(Kind::Document, number, out, |out| push_body(document, out, text));
}

/// Appends the body of the record of a document, whose text is already compressed: `text` appends it.
pub(crate) fn push_body(document: &NewDocument<'_>, out: &mut Vec<u8>, text: impl FnOnce(&mut Vec<u8>)) {
    let has_features = !document.content.is_empty();
    let flag = |flag: u8, is_set: bool| if is_set { flag } else { 0 };
    out.push(
        flag(HAS_FEATURES, has_features)
            | flag(EXPIRES, document.expires.is_some())
            | flag(HAS_META, document.meta.is_some())
            | flag(HAS_TIME, document.time.is_some()),
    );
    for second in [document.time, document.expires].into_iter().flatten() {
        out.extend_from_slice(&second.to_le_bytes());
    }
    if has_features {
        let [first, second, shingles] = document.content.to_parts();
        out.extend_from_slice(&first.to_le_bytes());
        out.extend_from_slice(&second.to_le_bytes());
        push_varint(shingles, out);
        key::pack(document.keys, out);
        out.extend_from_slice(document.signature);
    }
    for text in [Some(document.id), document.meta].into_iter().flatten() {
        push_varint(text.len() as u64, out);
        out.extend_from_slice(text.as_bytes());
    }
    text(out);
}

/// Appends the record that removes the document with this number.
pub(crate) fn push_removal(number: u64, out: &mut Vec<u8>) {
    push(Kind::Removal, 0, out, |out| out.extend_from_slice(&number.to_le_bytes()));
}

/// Appends the record that links two documents.
pub(crate) fn push_link(link: [u64; 2], out: &mut Vec<u8>) {
    push(Kind::Link, 0, out, |out| {
        link.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()))
    });
}

/// Appends the payload of a commit.
pub(crate) fn push_payload(payload: &[u8], out: &mut Vec<u8>) {
    push(Kind::Payload, 0, out, |out| out.extend_from_slice(payload));
}

/// Where the parts of a document are in the body of its record.
#[derive(Clone, Debug)]
pub(crate) struct DocumentParts {
    pub(crate) time: Option<u32>,
    pub(crate) expires: Option<u32>,
    pub(crate) content: ContentHash,
    pub(crate) keys: Range<usize>,
    pub(crate) signature: Range<usize>,
    pub(crate) id: Range<usize>,
    pub(crate) meta: Option<Range<usize>>,
    pub(crate) text: Range<usize>,
}

impl DocumentParts {
    /// The parts of `body`, which has `bands` keys and `num_perm` bytes of signature. `None` if it does not.
    pub(crate) fn read(body: &[u8], bands: usize, num_perm: usize) -> Option<Self> {
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
            let (first, second) = (number(take(8)?), number(take(8)?));
            let start = take(0)?.start;
            let (shingles, end) = varint(body, start)?;
            take(end - start)?;
            content = ContentHash::of_parts([first, second, shingles]);
            (keys, signature) = (take(key::packed_bytes(bands))?, take(num_perm)?);
        }
        let mut text = || {
            let start = take(0)?.start;
            let (length, end) = varint(body, start)?;
            take(end - start)?;
            take(usize::try_from(length).ok()?)
        };
        let id = text()?;
        let meta = if flags & HAS_META != 0 { Some(text()?) } else { None };
        let text = take(0)?.start..body.len();
        [Some(&id), meta.as_ref()]
            .into_iter()
            .flatten()
            .try_for_each(|range| std::str::from_utf8(&body[range.clone()]).ok().map(drop))?;
        Some(DocumentParts { time, expires, content, keys, signature, id, meta, text })
    }

    /// Where the content hash is: before the keys.
    #[cfg(feature = "redis")]
    pub(crate) fn content_bytes(&self) -> Range<usize> {
        let mut shingles = Vec::new();
        push_varint(self.content.shingles(), &mut shingles);
        let bytes = if self.content.is_empty() { 0 } else { 16 + shingles.len() };
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
            time in prop::option::of(any::<u32>()), expires in prop::option::of(any::<u32>()), number in any::<u64>(), before in 0..5_usize,
        ) {
            let content = ContentHash::of_parts(content);
            let document = NewDocument {
                keys: &keys, signature: &signature, content, id: &id, text: &text, time, expires, meta: meta.as_deref(),
            };
            let mut bytes = vec![9; before];
            push_document(&document, number, &mut bytes, |out| out.extend_from_slice(text.as_bytes()));
            let bytes = &bytes[before..];
            prop_assert_eq!(length(&bytes[..bytes.len().min(HEAD_BYTES)]), Some(bytes.len()));
            let record = Record::read(bytes, number).unwrap();
            prop_assert_eq!((record.kind, record.length), (Kind::Document, bytes.len()));
            let parts = DocumentParts::read(record.body, BANDS, NUM_PERM).unwrap();
            prop_assert_eq!((parts.time, parts.expires), (time, expires));
            if !content.is_empty() {
                let mut read = Vec::new();
                key::unpack(&record.body[parts.keys], BANDS, &mut read);
                prop_assert_eq!(read, keys.iter().copied().map(held).collect::<Vec<_>>());
                prop_assert_eq!(&record.body[parts.signature], signature);
                prop_assert_eq!(parts.content, content);
            }
            prop_assert_eq!(&record.body[parts.id], id.as_bytes());
            prop_assert_eq!(parts.meta.map(|range| &record.body[range]), meta.as_deref().map(str::as_bytes));
            prop_assert_eq!(&record.body[parts.text], text.as_bytes());
            prop_assert!(Record::read(bytes, number ^ 1).is_none(), "it is of another document");
            for at in 0..bytes.len() {
                let mut damaged = bytes.to_vec();
                damaged[at] ^= 1 << (at % 8);
                // A longer varint of the same number is the one change that a reader of a record cannot see. The frame sees it.
                let read = Record::read(&damaged, number);
                prop_assert!(read.is_none_or(|read| read.body == record.body), "byte {}", at);
                prop_assert!(Record::read(&bytes[..at], number).is_none());
            }
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = (length(&bytes), Record::read(&bytes, 0), DocumentParts::read(&bytes, BANDS, NUM_PERM));
        }
    }

    #[test]
    fn removals_links_and_payloads_are_read_as_they_were_written() {
        let mut bytes = Vec::new();
        push_removal(1 << 40, &mut bytes);
        push_link([3, 1 << 33], &mut bytes);
        push_payload(b"offset 7", &mut bytes);
        let removal = Record::read(&bytes, 5).unwrap();
        assert_eq!((removal.kind, removal.numbers()), (Kind::Removal, Some([1 << 40])));
        let link = Record::read(&bytes[removal.length..], 5).unwrap();
        assert_eq!((link.kind, link.numbers()), (Kind::Link, Some([3, 1 << 33])));
        assert_eq!(link.numbers::<1>(), None);
        let payload = Record::read(&bytes[removal.length + link.length..], 5).unwrap();
        assert_eq!((payload.kind, payload.body), (Kind::Payload, &b"offset 7"[..]));
    }
}
