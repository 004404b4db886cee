//! "Have I seen this text before?", asked of an index in Redis, by any number of processes at once.
//!
//! [`RedisSeen`] gives the same answers as [`Seen`](super::Seen) to the same questions. Of similar texts that are added at the same moment,
//! one is added and the others are duplicates of it, whichever process adds them.
//!
//! # How it works
//!
//! A text is sketched here. A function in Redis looks it up and returns the documents that it may be similar to. They are compared here, and
//! the function is called again with those that are not similar. It adds the text if no other document has come in between. A new text
//! takes one call, and two if it had to be compared.
//!
//! # What an answer rests on
//!
//! An answer is given when Redis has made the change. With `appendfsync always` the change is on the disk then. With `everysec` a crash of the
//! server loses a second of changes, and with them documents that others were called duplicates of.
//! [`RedisIndex::durability`] says which of them holds. If the connection is lost, a change may have been made without an answer. That
//! is an error, and to make the change again is safe: a document that was added is [`Added::Unchanged`] then.
//!
//! All keys of an index are on one node of a cluster. Decisions are made in one order within one index, and not across several.

mod copying;
mod members;
mod rounds;

pub use copying::{Copied, copy_from_redis, copy_to_redis};
pub use lookalike_index::redis::{
    RedisAddress, RedisCounts, RedisDocument, RedisDurability, RedisError, RedisIndex, Swept,
};

use super::changes::{Added, Decided, Linked, NewText, OnDuplicate, Touched};
use super::check::{Checked, DocumentMatch, TextChecker};
use super::error::SeenError;
use super::sketched::SketchedText;
use lookalike::Plan;
use lookalike_index::redis::{AddMode, AddStep, RedisCandidates, RedisEncodedDocument};
use lookalike_index::{NewDocument, NewIndex, unix_seconds};
use rounds::CandidateRounds;
use std::sync::Arc;
use std::time::Duration;

/// Documents that Redis removes at once: some ten milliseconds, in which it answers nobody else.
const SWEPT_AT_ONCE: u32 = 100;

/// The pause between two calls, so that others are answered.
const SHORT_PAUSE: Duration = Duration::from_millis(20);

/// The pause after all expired documents are removed. Documents are removed up to 1,024 seconds late in any case.
const LONG_PAUSE: Duration = Duration::from_secs(60);

/// An index in Redis that answers whether a text was seen before. A copy of it shares the connection.
#[derive(Clone, Debug)]
pub struct RedisSeen {
    index: RedisIndex,
    checker: Arc<TextChecker>,
}

impl RedisSeen {
    /// Connects to the index at `address`, and makes it if there is none. It must be like the `wanted` one. Without one, it is taken as it is, and
    /// a new index gets the default plan.
    ///
    /// # Errors
    /// [`RedisError`] if there is no connection, or if this program cannot use the index.
    pub async fn connect(address: &RedisAddress, wanted: Option<&NewIndex>) -> Result<Self, RedisError> {
        let index = RedisIndex::connect(address, wanted).await?;
        let checker = Arc::new(TextChecker::new(index.plan(), index.tables(), index.weights().clone()));
        Ok(RedisSeen { index, checker })
    }

    /// The plan by which texts are sketched and compared.
    pub fn plan(&self) -> &Plan {
        self.checker.plan()
    }

    /// The index, for figures, sweeping and clusters.
    pub fn index(&self) -> &RedisIndex {
        &self.index
    }

    /// Compares `text` with all documents that have not expired at second `now` since 1970. Finds those whose similarity reaches
    /// `threshold`; 0 stands for that of the plan: see [`Seen::check`](crate::Seen::check).
    ///
    /// # Errors
    /// [`SeenError::Index`] if Redis does not answer, or if the index is damaged.
    pub async fn check(&self, text: &str, threshold: f64, now: u32) -> Result<Checked, SeenError> {
        self.check_sketch(&self.sketch(text), threshold, now).await
    }

    /// The sketch of `text`.
    pub(crate) fn sketch(&self, text: &str) -> SketchedText {
        self.checker.sketch(text)
    }

    /// The sketch of a stored document.
    pub(crate) fn sketch_again(&self, stored: &RedisDocument) -> Result<SketchedText, SeenError> {
        self.checker.sketch_again(stored)
    }

    /// [`RedisSeen::check`] of a text that is sketched.
    pub(crate) async fn check_sketch(
        &self,
        sketch: &SketchedText,
        threshold: f64,
        now: u32,
    ) -> Result<Checked, SeenError> {
        if sketch.content.is_empty() {
            return Ok(Checked::default());
        }
        let plan = self.checker.plan_for(threshold);
        let mut rounds = CandidateRounds::new(sketch, plan, threshold);
        loop {
            let (keys, signature) = (&sketch.keys, &sketch.signature);
            let answer = self.index.candidates(&rounds.plan, keys, signature, &rounds.compared, now).await?;
            rounds.compare(&self.checker, &answer)?;
            if !answer.has_more {
                let RedisCandidates { candidates, compared, is_capped, .. } = answer;
                return Ok(Checked {
                    found: rounds.found,
                    candidates,
                    bucket_documents: None,
                    compared,
                    is_capped,
                });
            }
        }
    }

    /// Adds `text`, unless it is similar to a document that has not expired at second `now` since 1970.
    ///
    /// # Errors
    /// [`SeenError::NotWritten`] if Redis has refused it, and [`SeenError::Unreachable`] if it has not answered. It may have been added then, and
    /// to add it again is safe.
    pub async fn add(&self, text: NewText, now: u32) -> Result<Decided<Added>, SeenError> {
        let sketch = self.checker.sketch(&text.text);
        self.add_sketched(text, &sketch, now).await
    }

    /// Sketches texts for [`RedisSeen::add_sketched`].
    pub(crate) fn sketch_all(&self, texts: Vec<NewText>) -> Vec<(NewText, SketchedText)> {
        let sketch = |text: NewText| {
            let sketch = self.checker.sketch(&text.text);
            (text, sketch)
        };
        texts.into_iter().map(sketch).collect()
    }

    /// The work of [`RedisSeen::add`] in Redis.
    pub(crate) async fn add_sketched(
        &self,
        text: NewText,
        sketch: &SketchedText,
        now: u32,
    ) -> Result<Decided<Added>, SeenError> {
        let document = self.encode(&text, sketch, now).await.map_err(not_written)?;
        let mode = match text.on_duplicate {
            OnDuplicate::Refuse | OnDuplicate::Touch => AddMode::Refuse,
            OnDuplicate::Ignore => AddMode::Ignore,
            OnDuplicate::Store => AddMode::Store,
        };
        let mut rounds = CandidateRounds::new(sketch, self.checker.plan_for(0.0), 0.0);
        loop {
            let answer = self.index.try_add(&document, mode, &rounds.compared, now).await;
            let answer = answer.map_err(not_written)?;
            rounds.compare(&self.checker, &answer)?;
            let best = || rounds.found.first().cloned();
            let added = match answer.step {
                AddStep::Added(number) => best().map_or(
                    Added::New { number, is_capped: answer.is_capped },
                    |found: DocumentMatch| {
                        let to = rounds.found.iter().map(|found| found.number).collect();
                        Added::Duplicate { found, stored: Some(Linked { number, to }) }
                    },
                ),
                AddStep::Unchanged(number) => Added::Unchanged { number },
                AddStep::OtherText(number) => Added::OtherText { number },
                AddStep::Compare | AddStep::Duplicate => match best() {
                    // It was there when the function looked, and so it is an answer.
                    Some(found) if mode == AddMode::Refuse && !answer.has_more => {
                        Added::Duplicate { found, stored: None }
                    }
                    _ => continue,
                },
            };
            if let (OnDuplicate::Touch, Some(expires)) = (text.on_duplicate, text.expires) {
                match &added {
                    Added::Duplicate { found, .. } => _ = self.touch(&found.id, expires, now).await?,
                    Added::Unchanged { .. } => _ = self.touch(&text.id, expires, now).await?,
                    Added::New { .. } | Added::OtherText { .. } => {}
                }
            }
            return Ok(Decided { answer: added, sequence: answer.sequence });
        }
    }

    async fn encode(
        &self,
        text: &NewText,
        sketch: &SketchedText,
        now: u32,
    ) -> Result<RedisEncodedDocument, RedisError> {
        let document = NewDocument {
            time: Some(now),
            expires: text.expires,
            ..sketch.document(&text.id, &text.text, &text.about)
        };
        self.index.encode(&document).await
    }

    /// Removes the document that has this id, and its text. Returns its number, if there was one.
    ///
    /// # Errors
    /// [`SeenError::NotWritten`] if Redis has refused it, and [`SeenError::Unreachable`] if it has not answered. To remove it again is safe.
    pub async fn remove(&self, id: &str) -> Result<Decided<Option<u64>>, SeenError> {
        let removal = self.index.remove(id).await.map_err(not_written)?;
        Ok(Decided { answer: removal.number, sequence: removal.sequence })
    }

    /// Lets the document that has this id expire at second `expires` since 1970, unless it expires later anyway, or never. Answers `None` if
    /// there is none that has not expired at second `now`.
    ///
    /// # Errors
    /// [`SeenError::NotWritten`] if Redis has refused it, and [`SeenError::Unreachable`] if it has not answered. To touch it again is safe.
    pub async fn touch(
        &self,
        id: &str,
        expires: u32,
        now: u32,
    ) -> Result<Decided<Option<Touched>>, SeenError> {
        let extension = self.index.extend_expiry(id, expires, now).await.map_err(not_written)?;
        let answer = extension.document.map(|(number, expires)| Touched { number, expires });
        Ok(Decided { answer, sequence: extension.sequence })
    }

    /// Removes expired documents again and again, a few at a time. In a folder, merging and packing do this. Several processes may do so at the same time.
    pub(crate) async fn sweep_for_ever(self) {
        loop {
            // A server that does not answer now is asked again later.
            let swept = self.index.sweep(unix_seconds(), SWEPT_AT_ONCE).await;
            let pause = if swept.is_ok_and(|swept| swept.has_more) { SHORT_PAUSE } else { LONG_PAUSE };
            tokio::time::sleep(pause).await;
        }
    }
}

/// The error of a change.
fn not_written(error: RedisError) -> SeenError {
    match &error {
        RedisError::NotAnswered { .. } => {
            let reason = format!("{error}; it may have been made, and to make it again is safe");
            SeenError::Unreachable { reason }
        }
        RedisError::Loading => error.into(),
        RedisError::Full { .. } => SeenError::NotWritten { reason: error.to_string(), is_full: true },
        _ => SeenError::NotWritten { reason: error.to_string(), is_full: false },
    }
}

impl From<RedisError> for SeenError {
    fn from(error: RedisError) -> Self {
        let reason = error.to_string();
        match error {
            RedisError::NotAnswered { .. } | RedisError::Loading => SeenError::Unreachable { reason },
            _ => SeenError::Index { reason },
        }
    }
}

#[cfg(test)]
mod tests;
