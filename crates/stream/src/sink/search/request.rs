//! Requests to the search engine, and their answers.

use super::SearchSink;
use crate::health::HealthPart;
use reqwest::header::RETRY_AFTER;
use reqwest::{RequestBuilder, StatusCode};
use std::time::Duration;

/// The longest pause that a server may ask for.
const MOST_PAUSE: Duration = Duration::from_secs(60);

/// The time after which a request that is not answered counts as a failure. It goes on.
const SLOW: Duration = Duration::from_secs(10);

/// The answer to a request.
pub(super) struct SearchAnswer {
    pub(super) status: StatusCode,
    /// The pause that the server asks for.
    pub(super) after: Option<Duration>,
    pub(super) text: String,
}

impl SearchSink {
    /// Sends a request, and waits for its answer.
    ///
    /// # Errors
    /// Why there is none, for a person.
    pub(super) async fn ask(&self, mut request: RequestBuilder) -> Result<SearchAnswer, String> {
        if let Some((user, password)) = &self.user {
            request = request.basic_auth(user, Some(password));
        }
        let reason = |error: reqwest::Error| with_causes(&error.without_url());
        let answer = self.watched(request.send()).await.map_err(reason)?;
        let status = answer.status();
        let after = answer.headers().get(RETRY_AFTER).and_then(|after| after.to_str().ok()?.parse().ok());
        let after = after.map(|after| Duration::from_secs(after).min(MOST_PAUSE));
        let text = self.watched(answer.text()).await.map_err(reason)?;
        Ok(SearchAnswer { status, after, text })
    }

    /// Waits for an answer, and says so if that takes long.
    async fn watched<T>(&self, answer: impl Future<Output = T>) -> T {
        let mut answer = std::pin::pin!(answer);
        if let Ok(answer) = tokio::time::timeout(SLOW, &mut answer).await {
            return answer;
        }
        self.health.failed(HealthPart::Sink, &format!("no answer for {} seconds", SLOW.as_secs()));
        answer.await
    }
}

impl SearchAnswer {
    /// The status, and the beginning of the answer.
    pub(super) fn reason(&self) -> String {
        let beginning = self.text.chars().take(300).collect::<String>().replace('\n', " ");
        format!("{}: {beginning}", self.status)
    }
}

/// An error with its causes, which say more.
pub(super) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut sentence = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        sentence.push_str(&format!(": {error}"));
        cause = error.source();
    }
    sentence
}
