//! The `_id` of a document in the search engine.

use super::scripts::with_field;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt::Write;

/// The most bytes of an `_id`: what Elasticsearch and OpenSearch take.
const MOST_BYTES: usize = 512;

/// The field that has the id of a document whose `_id` is a hash.
const FIELD: &str = "lookalike_id";

/// The `_id` of a document: its id, or the SHA-256 of an id that is too long. Ids come from strangers, and nobody can make two that have one SHA-256.
pub(super) fn document_id(id: &str) -> Cow<'_, str> {
    if id.len() <= MOST_BYTES {
        return Cow::Borrowed(id);
    }
    let digits = Sha256::digest(id.as_bytes()).iter().fold(String::new(), |mut digits, byte| {
        // Writing into a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    });
    Cow::Owned(digits)
}

/// The same document, an object in JSON, with its id if its `_id` is a hash.
pub(super) fn with_id<'d>(document: Cow<'d, [u8]>, id: &str) -> Cow<'d, [u8]> {
    match document_id(id) {
        Cow::Borrowed(_) => document,
        Cow::Owned(_) => Cow::Owned(with_field(&document, FIELD, json!(id))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_more_than_512_bytes_is_hashed_and_kept_in_a_field() {
        let [short, long] = [512, 513].map(|bytes| "x".repeat(bytes));
        assert_eq!(document_id(&short), short);
        // What sha256sum says of it.
        let hash = "35ade0090e64e74d6ad04204009c23a4e34b82bdf0f4f317fbcc5f26f9b10241";
        assert_eq!(document_id(&long), hash);
        let with_id = |id: &str| with_id(Cow::Borrowed(b"{\"n\": 1.50}"), id).into_owned();
        assert_eq!(with_id(&short), b"{\"n\": 1.50}");
        assert_eq!(with_id(&long), format!("{{\"lookalike_id\":\"{long}\",\"n\": 1.50}}").as_bytes());
    }
}
