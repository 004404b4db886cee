//! Which documents were recorded as duplicates, and on which document, so that each is recorded once however often it comes.
//!
//! A duplicate is not in the index. Its *mark* is: a document with its id, and without a text, so that nothing is similar to it. A mark is on the disk before its
//! message has arrived. Until then the progress has the verdict, and [`Marks`] has it for messages that come at the same time.

use crate::verdict::{DecidedItem, MessageFacts, MessageVerdict};
use lookalike::Score;
use lookalike_index::About;
use lookalike_seen::{NewText, OnDuplicate, StoredDocument};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use xxhash_rust::xxh3::xxh3_128;

/// Batches for which a recorded duplicate is remembered after its mark is on the disk: more than are prepared before they are decided.
const REMEMBERED_BATCHES: usize = 64;

/// What the mark of a duplicate says, in its metadata.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DuplicateMark {
    /// The document that it is recorded on.
    pub(crate) duplicate_of: String,
    /// The similarity of the two, or what their sketches say in its place.
    #[serde(flatten)]
    pub(crate) score: Score,
    /// A hash of its text.
    pub(crate) text: String,
}

/// The metadata of a mark. No document of a stream has metadata.
#[derive(Debug, Serialize, Deserialize)]
struct Meta {
    lookalike_stream: DuplicateMark,
}

impl DuplicateMark {
    /// The mark of a message with this verdict, if it is a duplicate.
    fn of_message(facts: &MessageFacts, verdict: &MessageVerdict) -> Option<Self> {
        match (verdict, &facts.text_hash) {
            (MessageVerdict::Duplicate { of, score }, Some(text)) => {
                Some(DuplicateMark { duplicate_of: of.clone(), score: *score, text: text.clone() })
            }
            _ => None,
        }
    }

    /// The mark that a stored document is, if it is one.
    pub(crate) fn of_document(document: &StoredDocument) -> Option<Self> {
        // Other documents have metadata too.
        let meta = document.about.meta.as_ref().filter(|_| document.shingles == 0)?;
        serde_json::from_str::<Meta>(meta).ok().map(|meta| meta.lookalike_stream)
    }

    /// The document that this mark is.
    pub(crate) fn document(&self, id: &str, url: Option<String>, expires: Option<u32>) -> NewText {
        // Texts and finite numbers can be written.
        let meta = serde_json::to_string(&Meta { lookalike_stream: self.clone() }).ok();
        let about = About { meta, url, ..About::default() };
        NewText { on_duplicate: OnDuplicate::Ignore, about, expires, ..NewText::new(id, "") }
    }

    pub(crate) fn verdict(&self) -> MessageVerdict {
        MessageVerdict::Duplicate { of: self.duplicate_of.clone(), score: self.score }
    }
}

/// The hash of a text in marks.
pub(crate) fn text_hash(text: &str) -> String {
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

/// The marks of duplicates that came lately.
#[derive(Debug)]
pub(crate) struct Marks {
    /// Whether duplicates are recorded, and so get marks in the index.
    pub(crate) are_written: bool,
    latest: HashMap<String, DuplicateMark>,
    /// The ids of batches that have arrived.
    arrived: VecDeque<Vec<String>>,
}

impl Marks {
    pub(crate) fn new(are_written: bool) -> Self {
        Marks { are_written, latest: HashMap::new(), arrived: VecDeque::new() }
    }

    /// The verdict that counts. A duplicate has the one that the same id got before, and is remembered. A removal gets the
    /// document that it was recorded on.
    pub(crate) fn settle(&mut self, facts: &MessageFacts, verdict: MessageVerdict) -> MessageVerdict {
        let known = self.latest.get(&facts.id);
        match (verdict, known) {
            (MessageVerdict::Duplicate { .. }, Some(known)) => known.verdict(),
            (verdict @ MessageVerdict::Duplicate { .. }, None) => {
                if let Some(mark) = DuplicateMark::of_message(facts, &verdict) {
                    self.latest.insert(facts.id.clone(), mark);
                }
                verdict
            }
            (MessageVerdict::Removed { recorded_on }, _) => {
                let known = self.latest.remove(&facts.id).map(|known| known.duplicate_of);
                MessageVerdict::Removed { recorded_on: known.or(recorded_on) }
            }
            // Its mark was not there yet when it was prepared, and is now.
            (MessageVerdict::Dead { .. }, Some(known)) if facts.text_hash.as_ref() == Some(&known.text) => {
                known.verdict()
            }
            (verdict, _) => verdict,
        }
    }

    /// Takes back the removals of items that could not be decided. They are decided again before anything else is.
    pub(crate) fn forget(&mut self, items: &[DecidedItem]) {
        for item in items {
            if let MessageVerdict::Removed { recorded_on: Some(of) } = &item.verdict {
                let mark =
                    DuplicateMark { duplicate_of: of.clone(), score: Score::Hamming(0), text: String::new() };
                self.latest.entry(item.facts.id.clone()).or_insert(mark);
            }
        }
    }

    /// The documents that are the marks of a batch. Duplicates that were removed meanwhile get none.
    pub(crate) fn documents<'i>(&self, items: impl Iterator<Item = &'i DecidedItem>) -> Vec<NewText> {
        let document = |item: &DecidedItem| {
            let facts = &item.facts;
            let mark = DuplicateMark::of_message(facts, &item.verdict)?;
            (self.are_written && self.latest.get(&facts.id) == Some(&mark))
                .then(|| mark.document(&facts.id, facts.url.clone(), facts.expires))
        };
        items.filter_map(document).collect()
    }

    /// Takes note that a batch has arrived, and so its marks are on the disk.
    pub(crate) fn arrive<'i>(&mut self, items: impl Iterator<Item = &'i DecidedItem>) {
        let is_duplicate = |item: &&DecidedItem| matches!(item.verdict, MessageVerdict::Duplicate { .. });
        self.arrived.push_back(items.filter(is_duplicate).map(|item| item.facts.id.clone()).collect());
        if self.arrived.len() > REMEMBERED_BATCHES {
            for id in self.arrived.pop_front().unwrap_or_default() {
                self.latest.remove(&id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::{Estimate, Similarity};

    /// The metadata of an earlier program, which knew similarities alone.
    #[test]
    fn marks_have_similarities_distances_or_estimates() {
        let score = Score::Similarity(Similarity::counted(0.9).unwrap());
        let estimate = Score::Estimate(Estimate { equal: 110, values: 128 });
        for (field, score) in [
            ("\"similarity\":0.9", score),
            ("\"hamming\":2", Score::Hamming(2)),
            ("\"estimate\":0.86,\"equal_values\":110,\"num_perm\":128", estimate),
        ] {
            let meta =
                format!("{{\"lookalike_stream\":{{\"duplicate_of\":\"a\",{field},\"text\":\"00ff\"}}}}");
            let about = About { meta: Some(meta), ..About::default() };
            let (number, id, added, expires, shingles) = (3, "b".to_owned(), None, None, 0);
            let stored = StoredDocument { number, id, added, expires, shingles, about };
            let mark = DuplicateMark { duplicate_of: "a".to_owned(), score, text: "00ff".to_owned() };
            assert_eq!(DuplicateMark::of_document(&stored), Some(mark));
        }
    }
}
