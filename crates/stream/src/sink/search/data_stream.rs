//! Whether documents go to a data stream. It takes new documents, and neither updates nor removals by an id.

use super::SearchSink;
use super::request::SearchAnswer;
use crate::backoff::Backoff;
use crate::error::Error;
use crate::health::HealthPart;
use crate::settings::{Duplicates, StreamSettings};
use crate::sink::own_place;
use reqwest::StatusCode;
use serde::Deserialize;
use serde::de::IgnoredAny;

#[derive(Debug, Deserialize)]
struct DataStreamsAnswer {
    #[serde(default)]
    data_streams: Vec<IgnoredAny>,
}

impl SearchSink {
    /// Looks where documents go, and returns the name of the data stream if it is one.
    ///
    /// # Errors
    /// [`Error::DataStream`] if the stream would have to change documents there.
    pub(crate) async fn look(&mut self, settings: &StreamSettings) -> Result<Option<String>, Error> {
        if let Some(apart) = own_place(&settings.duplicates)
            && self.is_data_stream(apart).await
        {
            let remedy = "name an index in --duplicates, or drop duplicates";
            return Err(Error::DataStream { name: apart.to_owned(), remedy });
        }
        let name = self.destination.index.clone();
        self.destination.is_data_stream = self.is_data_stream(&name).await;
        if !self.destination.is_data_stream {
            return Ok(None);
        }
        if settings.duplicates != Duplicates::Drop || settings.ttl.is_some() {
            let remedy = "give --duplicates drop and no --ttl, or write to an index";
            return Err(Error::DataStream { name, remedy });
        }
        Ok(Some(name))
    }

    /// Asks until the server answers. One that knows no data streams has none. A user who may not ask writes as to an index.
    async fn is_data_stream(&self, name: &str) -> bool {
        let url = format!("{}/_data_stream/{name}?filter_path=data_streams.name", self.server);
        let mut backoff = Backoff::default();
        loop {
            let (reason, after) = match self.ask(self.client.get(&url)).await {
                Err(reason) => (reason, None),
                Ok(answer) if may_answer_later(answer.status) => (answer.reason(), answer.after),
                Ok(SearchAnswer { status, text, .. }) => {
                    self.health.works(HealthPart::Sink);
                    let found = serde_json::from_str::<DataStreamsAnswer>(&text);
                    return status.is_success() && found.is_ok_and(|found| !found.data_streams.is_empty());
                }
            };
            self.health.failed(HealthPart::Sink, &reason);
            backoff.wait(after).await;
        }
    }
}

/// Whether a server that is away or busy answers with this status.
fn may_answer_later(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT)
}
