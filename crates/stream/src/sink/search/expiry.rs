//! Expired documents leave the search engine.
//!
//! A document that expires has the second of it in a field. A query deletes those whose second has come. It needs to know nothing else, so it does the same
//! after a restart, and in several instances at once.

use super::SearchSink;
use super::request::with_causes;
use super::scripts::with_field;
use lookalike_index::unix_seconds;
use reqwest::StatusCode;
use serde_json::json;
use std::time::Duration;

/// The field with the second since 1970 from which on a document has expired.
pub(super) const FIELD: &str = "lookalike_expires";

/// The pause between two queries.
const PAUSE: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 60 });

/// The same document, an object in JSON, with the second at which it expires.
pub(super) fn with_expiry(document: &[u8], expires: Option<u32>) -> Vec<u8> {
    expires.map_or_else(|| document.to_owned(), |expires| with_field(document, FIELD, json!(expires)))
}

impl SearchSink {
    /// What deletes expired documents, for ever.
    pub(crate) fn expiry(&self) -> impl Future<Output = ()> + Send + 'static {
        let Self { client, user, .. } = self;
        let url =
            format!("{}/_delete_by_query?conflicts=proceed&ignore_unavailable=true", self.indexes_url());
        let (client, user, health) = (client.clone(), user.clone(), self.health.clone());
        async move {
            let mut told = String::new();
            loop {
                tokio::time::sleep(PAUSE).await;
                let query = json!({ "query": { "range": { FIELD: { "lte": unix_seconds() } } } });
                let mut request = client.post(&url).body(query.to_string());
                request = request.header(reqwest::header::CONTENT_TYPE, "application/json");
                if let Some((user, password)) = &user {
                    request = request.basic_auth(user, Some(password));
                }
                let failure = match request.send().await {
                    Ok(answer) if answer.status().is_success() => continue,
                    // There is no index yet.
                    Ok(answer) if answer.status() == StatusCode::NOT_FOUND => continue,
                    Ok(answer) => answer.status().to_string(),
                    Err(error) => with_causes(&error.without_url()),
                };
                if told != failure {
                    health.tell(&format!(
                        "expired documents are not deleted from the search engine: {failure}"
                    ));
                    told = failure;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_gets_the_second_at_which_it_expires_and_nothing_else_changes() {
        assert_eq!(with_expiry(b" {\"a\": 1.50}", Some(7)), b" {\"lookalike_expires\":7,\"a\": 1.50}");
        assert_eq!(with_expiry(b"{\"a\": {}}", None), b"{\"a\": {}}");
    }
}
