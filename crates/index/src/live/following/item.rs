//! What travels from an index to its copies.
//!
//! | bytes | contents |
//! |---|---|
//! | 1 | the kind of the item |
//! | 4 | the length of the body |
//! | 8 | the xxh3 of the body, seeded with the kind |
//! | any | the body |
//!
//! The body of a **plan** (1, or 5 if no texts are stored) is the version of the sketches, eight bytes, and the plan in JSON. With document frequencies (6, or 7
//! without texts) the length of the plan comes before it, eight bytes, and the [table](lookalike::DocumentFrequencies::to_bytes) behind it. The body of a **dictionary** (2) is its number, a byte, and the
//! dictionary. The body of **changes** (3) is the number of the first change and of the first document, eight bytes each, and their
//! [records](crate::log::record). The body of an **end** (4) is the number of changes that the index has, eight bytes. Numbers are little-endian.

use super::changes::Changes;
use crate::error::Error;
use crate::live::IndexReader;
use crate::new_index::NewIndex;
use lookalike::{DocumentFrequencies, SKETCH_VERSION};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Bytes of an item before its body.
const HEAD_BYTES: usize = 13;

/// Bytes of the body of an item, at most: the longest text of a batch, 240 MiB, if it cannot be compressed, and what is stored with it.
const MOST_BYTES: usize = 512 << 20;

/// What travels from an index to its copies.
#[derive(Clone, Debug, PartialEq)]
pub enum CopyItem {
    /// What the index was made with. It is the first item.
    Plan(Box<NewIndex>),
    /// A dictionary, before the first text that was compressed with it.
    Dictionary {
        /// Its number.
        number: u8,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// Changes.
    Changes(Changes),
    /// The index has so many changes, and all of them were sent.
    End(u64),
}

impl CopyItem {
    /// Appends the item to `out`.
    pub fn push(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + HEAD_BYTES, 0);
        let kind = match self {
            CopyItem::Plan(new) => {
                out.extend_from_slice(&SKETCH_VERSION.to_le_bytes());
                let plan = serde_json::to_vec(&new.plan).unwrap_or_default();
                if let Some(table) = &new.frequencies {
                    out.extend_from_slice(&(plan.len() as u64).to_le_bytes());
                    out.extend_from_slice(&plan);
                    out.extend_from_slice(&table.to_bytes());
                } else {
                    out.extend_from_slice(&plan);
                }
                match (new.frequencies.is_some(), new.stores_texts) {
                    (false, true) => 1,
                    (false, false) => 5,
                    (true, true) => 6,
                    (true, false) => 7,
                }
            }
            CopyItem::Dictionary { number, bytes } => {
                out.push(*number);
                out.extend_from_slice(bytes);
                2
            }
            CopyItem::Changes(changes) => {
                out.extend_from_slice(&changes.sequence().to_le_bytes());
                out.extend_from_slice(&changes.first_document().to_le_bytes());
                out.extend_from_slice(changes.records());
                3
            }
            CopyItem::End(sequence) => {
                out.extend_from_slice(&sequence.to_le_bytes());
                4
            }
        };
        let body = &out[start + HEAD_BYTES..];
        let (length, check) = (body.len() as u32, xxh3_64_with_seed(body, kind));
        out[start] = kind as u8;
        out[start + 1..start + 5].copy_from_slice(&length.to_le_bytes());
        out[start + 5..start + HEAD_BYTES].copy_from_slice(&check.to_le_bytes());
    }

    fn read(kind: u8, body: &[u8]) -> Option<Self> {
        let number = |bytes: &[u8]| bytes.try_into().ok().map(u64::from_le_bytes);
        Some(match kind {
            1 | 5 | 6 | 7 => {
                let (sketches, rest) = body.split_first_chunk()?;
                if u64::from_le_bytes(*sketches) != SKETCH_VERSION {
                    return None;
                }
                let (plan, frequencies) = match kind {
                    1 | 5 => (rest, None),
                    _ => {
                        let (length, rest) = rest.split_at_checked(8)?;
                        let (plan, table) = rest.split_at_checked(usize::try_from(number(length)?).ok()?)?;
                        (plan, Some(Arc::new(DocumentFrequencies::from_bytes(table).ok()?)))
                    }
                };
                let plan = serde_json::from_slice(plan).ok()?;
                let new = NewIndex { plan, stores_texts: kind == 1 || kind == 6, frequencies };
                new.check().ok()?;
                CopyItem::Plan(Box::new(new))
            }
            2 => {
                let (&number, bytes) = body.split_first()?;
                CopyItem::Dictionary { number, bytes: bytes.to_vec() }
            }
            3 => {
                let (sequence, rest) = body.split_at_checked(8)?;
                let (first, records) = rest.split_at_checked(8)?;
                CopyItem::Changes(Changes::read(number(sequence)?, number(first)?, records.to_vec())?)
            }
            4 => CopyItem::End(number(body)?),
            _ => return None,
        })
    }
}

/// Reads items from bytes that come in pieces.
#[derive(Debug, Default)]
pub struct Items {
    bytes: Vec<u8>,
}

impl Items {
    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next item, if all of its bytes are there.
    ///
    /// # Errors
    /// [`Error::NotFollowed`] if the bytes are damaged, or a program wrote them that this one does not understand.
    pub fn next_item(&mut self) -> Result<Option<CopyItem>, Error> {
        let Some((head, rest)) = self.bytes.split_first_chunk::<HEAD_BYTES>() else { return Ok(None) };
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        if length > MOST_BYTES {
            return Err(Error::NotFollowed { reason: "an item is too long" });
        }
        let Some(body) = rest.get(..length) else { return Ok(None) };
        let check = xxh3_64_with_seed(body, head[0].into());
        if head[5..] != check.to_le_bytes() {
            return Err(Error::NotFollowed { reason: "an item is damaged" });
        }
        let item = CopyItem::read(head[0], body);
        let item = item.ok_or(Error::NotFollowed {
            reason: "it runs another version of lookalike, which sends what this one does not understand",
        })?;
        self.bytes.drain(..HEAD_BYTES + length);
        Ok(Some(item))
    }
}

impl IndexReader {
    /// The dictionaries from number `first` on.
    pub fn dictionaries_from(&self, first: u8) -> Vec<CopyItem> {
        let state = self.0.state();
        let wanted = state.dictionaries.iter().filter(|dictionary| dictionary.number >= first);
        let item = |number, bytes: &[u8]| CopyItem::Dictionary { number, bytes: bytes.to_vec() };
        wanted.map(|dictionary| item(dictionary.number, &dictionary.bytes)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::{Method, Options, Plan, Weighting};

    #[test]
    fn a_copy_learns_what_the_index_was_made_with() {
        let by = |weighting| {
            let method = Some(Method::SimHash);
            Options { method, weighting: Some(weighting), ..Options::default() }.plan().unwrap()
        };
        let weighed = by(Weighting::TfIdf);
        let mut table = DocumentFrequencies::new(weighed.feature_id());
        (0..3).for_each(|number| table.push(&[3, 5, 8 + number]));
        let frequencies = Some(Arc::new(table));
        let mut new = vec![NewIndex::from(&Plan::default())];
        for stores_texts in [true, false] {
            new.push(NewIndex { stores_texts, ..NewIndex::from(&by(Weighting::Tf)) });
            new.push(NewIndex { plan: weighed.clone(), stores_texts, frequencies: frequencies.clone() });
        }
        let (mut items, mut bytes) = (Items::default(), Vec::new());
        new.iter().for_each(|new| CopyItem::Plan(Box::new(new.clone())).push(&mut bytes));
        items.push(&bytes);
        for new in new {
            assert_eq!(items.next_item().unwrap(), Some(CopyItem::Plan(Box::new(new))));
        }
        let without_table = CopyItem::Plan(Box::new(NewIndex::from(&weighed)));
        bytes.clear();
        without_table.push(&mut bytes);
        items.push(&bytes);
        assert!(items.next_item().is_err());
    }
}
