//! Removes documents, and links them.

use super::error::RedisError;
use super::functions::Repeat;
use super::index::RedisIndex;
use super::layout::{id_key, pack_numbers};
use crate::life::NEVER;

/// The work of a call of [`RedisIndex::sweep`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swept {
    /// The number of documents that it removed.
    pub removed: u64,
    /// Whether there may be more to remove.
    pub has_more: bool,
}

/// A removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedisRemoval {
    /// The number of changes of the index before it.
    pub sequence: u64,
    /// The number of the document, if there was one.
    pub number: Option<u64>,
}

/// A document that was made to expire later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The number of changes of the index before it.
    pub sequence: u64,
    /// The number of the document, and the second since 1970 at which it expires, if it does. `None` if there is no living document.
    pub document: Option<(u64, Option<u32>)>,
}

impl RedisIndex {
    /// Removes the document that has this id, if there is one.
    ///
    /// # Errors
    /// [`RedisError`]. After [`RedisError::NotAnswered`] it may have been removed. To remove it again is safe.
    pub async fn remove(&self, id: &str) -> Result<RedisRemoval, RedisError> {
        let mut call = self.function("remove");
        call.arg(id).arg(id_key(id));
        let (sequence, number): (u64, i64) = self.connection.call(&call, Repeat::Unsafe).await?;
        Ok(RedisRemoval { sequence, number: u64::try_from(number).ok() })
    }

    /// Lets the document that has this id expire at second `expires` since 1970, unless it expires later anyway, or has expired at second `now`.
    ///
    /// # Errors
    /// [`RedisError`]. To do it again is safe.
    pub async fn extend_expiry(&self, id: &str, expires: u32, now: u32) -> Result<Extension, RedisError> {
        let mut call = self.function("touch");
        call.arg(id).arg(id_key(id)).arg(expires).arg(now);
        let (sequence, number, expires): (u64, i64, u32) = self.connection.call(&call, Repeat::Safe).await?;
        let number = u64::try_from(number).ok();
        let document = number.map(|number| (number, Some(expires).filter(|&expires| expires != NEVER)));
        Ok(Extension { sequence, document })
    }

    /// Puts the two documents of each link into one cluster. Returns the number of links of the index.
    ///
    /// # Errors
    /// [`RedisError`], also if a document is not there. To link the same documents again changes nothing.
    pub async fn link(&self, links: &[[u64; 2]]) -> Result<u64, RedisError> {
        let mut call = self.function("link");
        call.arg(pack_numbers(links.as_flattened()));
        self.connection.call(&call, Repeat::Safe).await
    }

    /// Removes documents that have expired at second `now` since 1970, and looks at `most` of them. Documents are removed in lists of 1,024
    /// seconds, and so up to that much later. Until then they take memory, and are not found.
    ///
    /// # Errors
    /// [`RedisError`]. Sweeping again is safe.
    pub async fn sweep(&self, now: u32, most: u32) -> Result<Swept, RedisError> {
        let mut call = self.function("sweep");
        call.arg(now).arg(most);
        let (removed, more): (u64, u64) = self.connection.call(&call, Repeat::Safe).await?;
        Ok(Swept { removed, has_more: more == 1 })
    }
}
