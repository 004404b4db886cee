//! A document in Redis.

use super::error::RedisError;
use super::layout::{HEAD_BYTES, NO_URL, id_key, url_key};
use crate::keys::tables::Tables;
use crate::life::NEVER;
use crate::log::record::{DocumentParts, NewDocument, push_body};
use crate::log::texts::{self, Dictionary, NO_DICTIONARY};
use lookalike::sketch::ContentHash;
use std::ops::Range;
use std::sync::Arc;

/// A document of an index in Redis.
#[derive(Clone, Debug)]
pub struct RedisDocument {
    /// Its number in the index.
    pub number: u64,
    /// The second since 1970 at which it expires. That of its record is the one that it was added with.
    expires: u32,
    body: Vec<u8>,
    parts: DocumentParts,
    dictionaries: Vec<Arc<Dictionary>>,
}

/// A document to be added, as it is sent.
#[derive(Clone, Debug)]
pub struct RedisEncodedDocument(pub(crate) Vec<u8>);

impl RedisEncodedDocument {
    /// Encodes a document whose sketch is for these `tables`.
    pub(crate) fn new(document: &NewDocument<'_>, tables: &Tables, dictionary: Option<&Dictionary>) -> Self {
        let mut bytes = vec![0; HEAD_BYTES];
        push_body(document, tables, &mut bytes, |out| texts::compress(document.text, dictionary, out));
        let parts = DocumentParts::read(&bytes[HEAD_BYTES..], tables);
        let Some(parts) = parts else { unreachable!("what was written can be read") };
        let place = |at: usize| (HEAD_BYTES + at) as u32;
        let content = parts.content_range(tables);
        let features = if content.is_empty() { [0, 0] } else { [content.start, content.end].map(place) };
        let mut head = Vec::with_capacity(HEAD_BYTES);
        head.extend(document.expires.unwrap_or(NEVER).to_le_bytes());
        features.iter().for_each(|&at| head.extend((at as u16).to_le_bytes()));
        [parts.id.start, parts.id.end].iter().for_each(|&at| head.extend(place(at).to_le_bytes()));
        let url = document.url.map_or(NO_URL, |url| url_key(url.hash));
        [id_key(document.id), url].iter().for_each(|key| head.extend(&key.to_le_bytes()[..5]));
        bytes[..HEAD_BYTES].copy_from_slice(&head);
        RedisEncodedDocument(bytes)
    }
}

impl RedisDocument {
    /// Reads the document `number` from its bytes.
    pub(crate) fn read(number: u64, mut bytes: Vec<u8>, tables: &Tables) -> Result<Self, RedisError> {
        let damaged = || RedisError::damaged(format!("document {number} was not written by this plan"));
        if bytes.len() < HEAD_BYTES {
            return Err(damaged());
        }
        let expires = bytes.first_chunk().map_or(NEVER, |&first| u32::from_le_bytes(first));
        bytes.drain(..HEAD_BYTES);
        let parts = DocumentParts::read(&bytes, tables);
        let parts = parts.ok_or_else(damaged)?;
        Ok(RedisDocument { number, expires, parts, body: bytes, dictionaries: Vec::new() })
    }

    /// The dictionary that its text needs.
    pub(crate) fn dictionary(&self) -> Option<u8> {
        let number = self.part(self.parts.text.as_ref()?).first().copied();
        number.filter(|&number| number != NO_DICTIONARY)
    }

    /// Gives it the dictionaries of the index.
    pub(crate) fn set_dictionaries(&mut self, dictionaries: &[Arc<Dictionary>]) {
        self.dictionaries = dictionaries.to_vec();
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        &self.body[range.clone()]
    }

    /// Its id.
    pub fn id(&self) -> &str {
        // It was checked.
        std::str::from_utf8(self.part(&self.parts.id)).unwrap_or_default()
    }

    /// The second since 1970 at which it was added, if it is known.
    pub fn time(&self) -> Option<u32> {
        self.parts.time
    }

    /// The second since 1970 from which on it is not found any more.
    pub fn expires(&self) -> Option<u32> {
        Some(self.expires).filter(|&expires| expires != NEVER)
    }

    /// Its URL.
    pub fn url(&self) -> Option<&str> {
        self.text_of(self.parts.url.as_ref())
    }

    /// The hash of its normalised URL.
    pub(crate) fn url_hash(&self) -> Option<u64> {
        self.parts.url_hash
    }

    /// Its title.
    pub fn title(&self) -> Option<&str> {
        self.text_of(self.parts.title.as_ref())
    }

    /// Its priority as canonical document of a cluster.
    pub fn priority(&self) -> Option<f64> {
        self.parts.priority
    }

    fn text_of(&self, range: Option<&Range<usize>>) -> Option<&str> {
        range.and_then(|range| std::str::from_utf8(self.part(range)).ok())
    }

    /// Its metadata in JSON.
    pub fn meta(&self) -> Option<&str> {
        self.text_of(self.parts.meta.as_ref())
    }

    /// Its content hash.
    pub fn content(&self) -> ContentHash {
        self.parts.content
    }

    /// The keys of its sketch, with the bits that an index with these `tables` holds at least, or zeros if it has no features.
    pub fn keys(&self, tables: &Tables) -> Vec<u64> {
        let mut keys = Vec::new();
        self.parts.push_keys(&self.body, tables, &mut keys);
        keys
    }

    /// Its [signature](NewDocument::signature), or nothing if it has no features.
    pub fn signature(&self) -> &[u8] {
        self.part(&self.parts.signature)
    }

    /// Its text.
    ///
    /// # Errors
    /// [`RedisError::NoTexts`], and [`RedisError::Damaged`] if it cannot be unpacked.
    pub fn text(&self) -> Result<String, RedisError> {
        let range = self.parts.text.as_ref().ok_or(RedisError::NoTexts)?;
        let text = texts::unpack(self.part(range), &self.dictionaries);
        text.ok_or_else(|| {
            RedisError::damaged(format!("the text of document {} cannot be unpacked", self.number))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::key;
    use crate::log::record::NewUrl;
    use lookalike::Plan;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_head_says_where_the_parts_are(
            shingles in 0..300_u64, id in ".{0,200}", text in ".{0,300}", time in prop::option::of(any::<u32>()),
            expires in prop::option::of(0..NEVER), meta in prop::option::of(".{0,20}"), seed in any::<u64>(),
        ) {
            let plan = Plan::default();
            let tables = Tables::in_redis(&plan, true);
            let keys: Vec<u64> = (0..plan.banding().bands as u64).map(|band| seed.rotate_left(band as u32)).collect();
            let signature = vec![seed as u8; plan.num_perm()];
            let content = if shingles == 0 { ContentHash::default() } else { ContentHash::of_parts([seed, !seed, shingles]) };
            let document = NewDocument {
                keys: &keys, signature: &signature, content, id: &id, text: &text, time, expires, meta: meta.as_deref(),
                url: meta.as_deref().map(|text| NewUrl { text, hash: seed }), ..NewDocument::default()
            };
            let RedisEncodedDocument(bytes) = RedisEncodedDocument::new(&document, &tables, None);
            let number = |at: usize, length: usize| bytes[at..at + length].iter().rev().fold(0, |sum: usize, &byte| sum << 8 | byte as usize);
            prop_assert_eq!(number(0, 4) as u32, expires.unwrap_or(u32::MAX));
            prop_assert_eq!(&bytes[number(8, 4)..number(12, 4)], id.as_bytes());
            prop_assert_eq!(number(16, 5) as u64, id_key(&id));
            prop_assert_eq!(number(21, 5) as u64, if meta.is_some() { url_key(seed) } else { NO_URL });
            let (start, end) = (number(4, 2), number(6, 2));
            prop_assert_eq!(start == 0 && end == 0, content.is_empty());
            if !content.is_empty() {
                let mut expected = [seed.to_le_bytes(), (!seed).to_le_bytes()].concat();
                expected.extend(if shingles < 128 { vec![shingles as u8] } else { vec![shingles as u8 | 128, (shingles >> 7) as u8] });
                prop_assert_eq!(&bytes[start..end], &expected[..]);
                let packed = key::packed_bytes(keys.len());
                let mut read = Vec::new();
                key::unpack(&bytes[end..end + packed], keys.len(), &mut read);
                prop_assert_eq!(read, keys.iter().copied().map(key::held).collect::<Vec<_>>());
                prop_assert_eq!(&bytes[end + packed..end + packed + plan.num_perm()], &signature[..]);
            }
            let read = RedisDocument::read(7, bytes, &tables).unwrap();
            prop_assert_eq!((read.id(), read.time(), read.expires(), read.meta()), (&id[..], time, expires, meta.as_deref()));
            prop_assert_eq!((read.text().unwrap(), read.content()), (text, content));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            if let Ok(document) = RedisDocument::read(0, bytes, &Tables::in_redis(&Plan::default(), true)) {
                let _ = (document.id().len(), document.text().is_ok(), document.dictionary());
            }
        }
    }
}
