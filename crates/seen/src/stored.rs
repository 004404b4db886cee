//! A document of an index, wherever the index is: as it is read, and as answers give it.

use super::check::has_expired;
use super::error::SeenError;
use lookalike::sketch::ContentHash;
use lookalike_index::About;
use lookalike_index::Error as IndexError;
#[cfg(feature = "redis")]
use lookalike_index::Tables;
use lookalike_index::live::{Document, Snapshot};

/// A document that was read from an index, in a folder or in Redis.
pub(crate) trait IndexedDocument {
    /// Its number in the index.
    fn number(&self) -> u64;

    /// Its id.
    fn id(&self) -> &str;

    /// The second since 1970 at which it was added, if it is known.
    fn added(&self) -> Option<u32>;

    /// The second since 1970 from which on it is not found any more, if there is one.
    fn expires(&self) -> Option<u32>;

    /// Its content hash.
    fn content(&self) -> ContentHash;

    /// The low byte of each value of its signature, or nothing if it has no features.
    fn signature(&self) -> &[u8];

    /// The keys of its sketch, with the bits that an index holds at least, or zeros if it has no features.
    #[cfg(feature = "redis")]
    fn keys(&self, tables: &Tables) -> Vec<u64>;

    /// What is known about it.
    fn about(&self) -> About;

    /// Its text.
    ///
    /// # Errors
    /// [`SeenError::Index`] if it is damaged.
    fn text(&self) -> Result<String, SeenError>;
}

/// A document that is stored, without its text.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredDocument {
    /// Its number in the index.
    pub number: u64,
    /// Its id.
    pub id: String,
    /// The second since 1970 at which it was added, if it is known.
    pub added: Option<u32>,
    /// The second since 1970 from which on it is not found any more.
    pub expires: Option<u32>,
    /// Its number of shingles.
    pub shingles: u64,
    /// What is known about it.
    pub about: About,
}

impl StoredDocument {
    /// What is known of `document`, also if it was removed.
    pub fn of(document: &Document<'_>) -> Self {
        Self::of_either(document)
    }

    /// The same, of a document in a folder or in Redis.
    pub(crate) fn of_either(document: &impl IndexedDocument) -> Self {
        StoredDocument {
            number: document.number(),
            id: document.id().to_owned(),
            added: document.added(),
            expires: document.expires(),
            shingles: document.content().shingles(),
            about: document.about(),
        }
    }
}

impl StoredDocument {
    /// The same, with its text if that is asked for.
    #[cfg(feature = "redis")]
    pub(crate) fn read(
        document: &impl IndexedDocument,
        with_text: bool,
    ) -> Result<(Self, Option<String>), SeenError> {
        let text = if with_text { Some(document.text()?) } else { None };
        Ok((StoredDocument::of_either(document), text))
    }
}

/// The methods of both kinds of documents have the same names.
macro_rules! stored {
    ($document:ty) => {
        impl IndexedDocument for $document {
            fn number(&self) -> u64 {
                self.number
            }

            fn id(&self) -> &str {
                self.id()
            }

            fn added(&self) -> Option<u32> {
                self.time()
            }

            fn expires(&self) -> Option<u32> {
                self.expires()
            }

            fn content(&self) -> ContentHash {
                self.content()
            }

            fn signature(&self) -> &[u8] {
                self.signature()
            }

            #[cfg(feature = "redis")]
            fn keys(&self, tables: &Tables) -> Vec<u64> {
                self.keys(tables)
            }

            fn about(&self) -> About {
                About {
                    meta: self.meta().map(str::to_owned),
                    url: self.url().map(str::to_owned),
                    title: self.title().map(str::to_owned),
                    priority: self.priority(),
                }
            }

            fn text(&self) -> Result<String, SeenError> {
                Ok(self.text()?)
            }
        }
    };
}

stored!(Document<'_>);

#[cfg(feature = "redis")]
stored!(lookalike_index::redis::RedisDocument);

/// The documents that were not removed and have not expired at second `now` since 1970, in their order.
pub(crate) fn living(
    snapshot: &Snapshot,
    now: u32,
) -> impl Iterator<Item = Result<Document<'_>, IndexError>> {
    let numbers = (0..snapshot.documents()).filter(|&number| !snapshot.is_removed(number));
    numbers.filter_map(move |number| match snapshot.document(number) {
        Err(IndexError::Gone { .. }) => None,
        Ok(document) if has_expired(document.expires(), now) => None,
        document => Some(document),
    })
}
