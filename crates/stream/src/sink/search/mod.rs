//! Writes documents to Elasticsearch or OpenSearch, by their `_bulk` interface.
//!
//! A new document is created and never replaced, so that a message may come twice. What the server refuses for now is sent again, item by item; what it refuses
//! for ever is returned. Both servers have had this interface in all versions that are in use.

mod actions;
mod answer;
mod data_stream;
mod document_id;
mod expiry;
mod request;
mod scripts;

use crate::address::SearchAddress;
use crate::backoff::Backoff;
use crate::error::Error;
use crate::health::{Health, HealthPart};
use crate::settings::StreamSettings;
use crate::sink::{DecidedBatch, ItemPlace, Rejected, own_place};
use actions::{Action, SearchDestination, actions};
use answer::{ActionOutcome, BulkAnswer};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, StatusCode};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// Bytes of a request from which on it is full: the least that Elasticsearch advises to begin with.
const REQUEST_BYTES: usize = 5 << 20;

/// The time in which a request must be answered. A server under load may take long.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct SearchSink {
    client: Client,
    server: String,
    user: Option<(String, String)>,
    destination: SearchDestination,
    health: Arc<Health>,
}

/// How a bulk request ended.
enum Sent {
    /// Each action has its outcome.
    Answered(Vec<ActionOutcome>),
    /// The whole request is worth another try, after a while.
    Again { reason: String, after: Option<Duration> },
    /// The request is too long, or something in it makes the server refuse all of it.
    Refused(String),
}

impl SearchSink {
    pub(crate) fn new(
        address: &SearchAddress,
        settings: &StreamSettings,
        health: Arc<Health>,
    ) -> Result<Self, Error> {
        // Another part of the program may have chosen a provider already, and that one works too.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
        if let Some(key) = &settings.authorization {
            let mut key = HeaderValue::from_str(key).map_err(|_| Error::Key)?;
            key.set_sensitive(true);
            headers.insert(AUTHORIZATION, key);
        }
        let client = Client::builder().default_headers(headers).timeout(PATIENCE).build();
        Ok(SearchSink {
            client: client.map_err(|error| Error::Client(error.to_string()))?,
            server: address.server.clone(),
            user: address.user.clone(),
            destination: SearchDestination {
                index: address.index.clone(),
                is_data_stream: false,
                duplicates: settings.duplicates.clone(),
                format: settings.format,
            },
            health,
        })
    }

    /// The address of the index, and of that of duplicates if they have one.
    fn indexes_url(&self) -> String {
        let apart = own_place(&self.destination.duplicates).map(|apart| format!(",{apart}"));
        format!("{}/{}{}", self.server, self.destination.index, apart.unwrap_or_default())
    }

    /// Writes a group, or some duplicates of it to documents that are still to come.
    pub(crate) async fn write(
        &mut self,
        group: &[DecidedBatch],
        early: Option<&HashSet<ItemPlace>>,
    ) -> Vec<Rejected> {
        let actions = actions(group, early, &self.destination);
        let mut rejected = Vec::new();
        let mut rest = &actions[..];
        while !rest.is_empty() {
            let bytes = rest.iter().scan(0, |bytes, action| {
                *bytes += action.lines.len();
                Some(*bytes)
            });
            let count = bytes.take_while(|&bytes| bytes <= REQUEST_BYTES).count().max(1);
            self.write_actions(rest[..count].iter().collect(), &mut rejected).await;
            rest = &rest[count..];
        }
        rejected
    }

    /// Writes actions of one request, until all are done or refused for ever.
    async fn write_actions(&self, actions: Vec<&Action>, rejected: &mut Vec<Rejected>) {
        let (mut backoff, mut waiting) = (Backoff::default(), vec![actions]);
        while let Some(mut actions) = waiting.pop() {
            match self.send(&actions).await {
                Sent::Answered(outcomes) => {
                    let again = take(&actions, &outcomes, rejected);
                    match again {
                        None => self.health.works(HealthPart::Sink),
                        Some((again, reason)) => {
                            self.health.failed(HealthPart::Sink, &reason);
                            waiting.push(again);
                            backoff.wait(None).await;
                        }
                    }
                }
                Sent::Again { reason, after } => {
                    self.health.failed(HealthPart::Sink, &reason);
                    waiting.push(actions);
                    backoff.wait(after).await;
                }
                // Half of it may be short enough, and the other half may be what the server understands. The first half comes first.
                Sent::Refused(_) if actions.len() > 1 => {
                    let second = actions.split_off(actions.len() / 2);
                    waiting.extend([second, actions]);
                }
                Sent::Refused(reason) => {
                    rejected.extend(actions.iter().flat_map(|action| reject(action, &reason)))
                }
            }
        }
    }

    async fn send(&self, actions: &[&Action]) -> Sent {
        let mut body = Vec::with_capacity(actions.iter().map(|action| action.lines.len()).sum());
        actions.iter().for_each(|action| body.extend_from_slice(&action.lines));
        let url = format!("{}/_bulk?filter_path=items.*._index,items.*.status,items.*.error", self.server);
        let answer = match self.ask(self.client.post(url).body(body)).await {
            Ok(answer) => answer,
            Err(reason) => return Sent::Again { reason, after: None },
        };
        if answer.status.is_success() {
            let outcomes = serde_json::from_str::<BulkAnswer>(&answer.text)
                .ok()
                .and_then(|answer| answer.outcomes(actions, &self.destination.index));
            return match outcomes {
                Some(outcomes) => Sent::Answered(outcomes),
                None => Sent::Again {
                    reason: "the answer is not one to a bulk request".to_owned(),
                    after: answer.after,
                },
            };
        }
        match answer.status {
            StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE => Sent::Refused(answer.reason()),
            _ => Sent::Again { reason: answer.reason(), after: answer.after },
        }
    }
}

/// Takes note of outcomes. Returns the actions that are to be sent again, and why.
fn take<'a>(
    actions: &[&'a Action],
    outcomes: &[ActionOutcome],
    rejected: &mut Vec<Rejected>,
) -> Option<(Vec<&'a Action>, String)> {
    let (mut again, mut first_reason) = (Vec::new(), None);
    // What follows an action on the same document must also follow it when it is sent again.
    let mut waiting: HashSet<&(String, String)> = HashSet::new();
    for (&action, outcome) in actions.iter().zip(outcomes) {
        let reason = match outcome {
            ActionOutcome::Again(reason) => Some(&reason[..]),
            _ if waiting.contains(&action.target) => Some(""),
            _ => None,
        };
        if let Some(reason) = reason {
            first_reason.get_or_insert_with(|| reason.to_owned());
            waiting.insert(&action.target);
            again.push(action);
            continue;
        }
        match outcome {
            ActionOutcome::Done | ActionOutcome::Again(_) => {}
            ActionOutcome::Never(reason) => rejected.extend(reject(action, reason)),
            ActionOutcome::Missing => rejected.extend(missing(action)),
        }
    }
    first_reason.map(|reason| (again, reason))
}

/// The items of an action, which is refused for ever.
fn reject(action: &Action, reason: &str) -> Vec<Rejected> {
    let of = |&place: &ItemPlace| Rejected { place, reason: reason.to_owned(), missing: None };
    action.places.iter().map(of).collect()
}

/// Duplicates whose original, which the action changes, is not in the search engine.
fn missing(action: &Action) -> impl Iterator<Item = Rejected> + '_ {
    let (_, of) = &action.target;
    let reason = format!("it is similar to {of}, which the search index does not have");
    let rejected = move |&place| Rejected { place, reason: reason.clone(), missing: Some(of.clone()) };
    action.places.iter().map(rejected)
}
