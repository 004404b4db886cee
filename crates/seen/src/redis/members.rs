//! The members of a cluster in Redis, and the candidate that is nearest to a text.

use super::RedisSeen;
use crate::check::{DocumentMatch, has_expired};
use crate::error::SeenError;
use crate::sketched::SketchedText;
use crate::stored::StoredDocument;
use lookalike::Score;

/// Documents of a cluster that are read, at most.
const MOST_MEMBERS: u32 = 100_000;

/// Documents that are read together: a megabyte of texts.
const READ_AT_ONCE: usize = 256;

impl RedisSeen {
    /// The documents of the cluster of the document with this number that have not expired at second `now` since 1970, ascending, 100,000 at most.
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged, and [`SeenError::Unreachable`].
    pub async fn members(&self, number: u64, now: u32) -> Result<Vec<StoredDocument>, SeenError> {
        let (numbers, _) = self.index.cluster(number, MOST_MEMBERS).await?;
        let mut members = Vec::new();
        for numbers in numbers.chunks(READ_AT_ONCE) {
            let documents = self.index.documents(numbers).await?;
            let living = documents.into_iter().flatten();
            let living = living.filter(|document| !has_expired(document.expires(), now));
            members.extend(living.map(|document| StoredDocument::of_either(&document)));
        }
        Ok(members)
    }

    /// The score of the document with number `to` and each of `others`. A document that was removed meanwhile is similar to nothing.
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged, and [`SeenError::Unreachable`].
    pub async fn scores(&self, to: u64, others: &[u64]) -> Result<Vec<Score>, SeenError> {
        let mut scorer = self.checker.scorer(self.index.documents(&[to]).await?.pop().flatten().as_ref())?;
        let mut scores = Vec::new();
        for numbers in others.chunks(READ_AT_ONCE) {
            for document in self.index.documents(numbers).await? {
                scores.push(scorer.score(document.as_ref())?);
            }
        }
        Ok(scores)
    }

    /// The most similar of the documents whose sketches match that of `text`, even if its similarity does not reach the threshold: see
    /// [`Seen::nearest`](crate::Seen::nearest).
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged, and [`SeenError::Unreachable`].
    pub async fn nearest(
        &self,
        text: &SketchedText,
        except: Option<&str>,
        now: u32,
    ) -> Result<Option<DocumentMatch>, SeenError> {
        if text.content.is_empty() {
            return Ok(None);
        }
        let all = self.index.all_candidates(&text.keys, &text.signature, now).await?;
        self.checker.nearest(text, all.documents, except)
    }
}
