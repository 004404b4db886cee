//! The actions of a bulk request, for a group of decided batches.

use super::document_id::{document_id, with_id};
use super::expiry::with_expiry;
use super::scripts::Scripts;
use crate::fields::MessageFormat;
use crate::settings::Duplicates;
use crate::sink::{DecidedBatch, DuplicateRecord, ItemPlace, document};
use crate::verdict::{MessageVerdict, Presence};
use serde_json::json;
use std::collections::{HashMap, HashSet};

/// How often the server tries an update again that met another one.
const UPDATE_RETRIES: u32 = 5;

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActionKind {
    Create,
    /// Creates a document in place of one that has expired.
    Replace,
    /// Creates a document that may be there, or fills in all but its duplicates.
    Merge,
    /// Records duplicates in the document that they are similar to.
    Record,
    /// Removes a duplicate from the document that it is recorded on.
    Forget,
    Delete,
}

/// An action, and what it is for.
#[derive(Debug)]
pub(super) struct Action {
    pub(super) kind: ActionKind,
    /// The index and the id of the document that it changes.
    pub(super) target: (String, String),
    /// Its lines in the request.
    pub(super) lines: Vec<u8>,
    /// The items that it is for.
    pub(super) places: Vec<ItemPlace>,
}

/// Where documents go, and in which form.
#[derive(Debug)]
pub(super) struct SearchDestination {
    pub(super) index: String,
    /// Whether the index is a data stream, where documents are created and never changed.
    pub(super) is_data_stream: bool,
    pub(super) duplicates: Duplicates,
    pub(super) format: MessageFormat,
}

/// The actions for a group of batches, in their order, or for some items of it. Duplicates of one document share one.
pub(super) fn actions(
    group: &[DecidedBatch],
    only: Option<&HashSet<ItemPlace>>,
    destination: &SearchDestination,
) -> Vec<Action> {
    let SearchDestination { index, is_data_stream, duplicates, format } = destination;
    let scripts = Scripts::new(match duplicates {
        Duplicates::Canonical(policy) => Some(*policy),
        Duplicates::Apart(_) | Duplicates::Drop => None,
    });
    let mut actions: Vec<Action> = Vec::new();
    // The place in `actions` of the record of a document, and its duplicates.
    let mut records: HashMap<&str, (usize, Vec<serde_json::Value>)> = HashMap::new();
    for (batch_number, DecidedBatch { batch, items }) in group.iter().enumerate() {
        for (number, item) in items.iter().enumerate() {
            let place = (batch_number, number);
            if only.is_some_and(|only| !only.contains(&place)) {
                continue;
            }
            let target = || (index.clone(), item.facts.id.clone());
            match (&item.verdict, duplicates) {
                (MessageVerdict::Unique, _) => {
                    let source = document(batch.message(number), &item.facts, *format);
                    let source = scripts.created(&with_id(source, &item.facts.id), &item.facts);
                    let expiring = with_expiry(&source, item.facts.expires);
                    let (kind, source) = match item.presence {
                        _ if *is_data_stream => (ActionKind::Create, expiring),
                        // It expires when the index says, which was said before.
                        Presence::Again => (ActionKind::Merge, scripts.merged(&source, &expiring)),
                        Presence::Shared => (ActionKind::Merge, scripts.merged(&expiring, &expiring)),
                        // An expired document of this id may not be deleted yet.
                        _ if item.facts.expires.is_some() => (ActionKind::Replace, expiring),
                        Presence::Absent | Presence::New(_) => (ActionKind::Create, expiring),
                    };
                    actions.push(Action::new(kind, target(), &source, place));
                }
                (MessageVerdict::Duplicate { of, score }, Duplicates::Canonical(_)) => {
                    let (at, recorded) = records.entry(of).or_insert_with(|| {
                        let target = (index.clone(), of.clone());
                        actions.push(Action::new(ActionKind::Record, target, b"", place));
                        (actions.len() - 1, Vec::new())
                    });
                    recorded.push(scripts.duplicate(&item.facts, *score));
                    let action = &mut actions[*at];
                    if action.places.last() != Some(&place) {
                        action.places.push(place);
                    }
                }
                (MessageVerdict::Duplicate { .. }, Duplicates::Apart(apart)) => {
                    let record = DuplicateRecord::of(item).map(|record| record.json()).unwrap_or_default();
                    let record = with_expiry(&record, item.facts.expires);
                    actions.push(Action::new(
                        ActionKind::Create,
                        (apart.clone(), item.facts.id.clone()),
                        &record,
                        place,
                    ));
                }
                (MessageVerdict::Removed { recorded_on }, _) => {
                    // What comes later is not recorded in what is gone.
                    finish(&mut actions, records.remove(&item.facts.id[..]), scripts, only.is_some());
                    if let Some(of) = recorded_on {
                        finish(&mut actions, records.remove(&of[..]), scripts, only.is_some());
                        let source = scripts.forget(&item.facts.id).to_string();
                        let target = (index.clone(), of.clone());
                        actions.push(Action::new(ActionKind::Forget, target, source.as_bytes(), place));
                    }
                    actions.push(Action::new(ActionKind::Delete, target(), b"", place));
                    if let Duplicates::Apart(apart) = duplicates {
                        actions.push(Action::new(
                            ActionKind::Delete,
                            (apart.clone(), item.facts.id.clone()),
                            b"",
                            place,
                        ));
                    }
                }
                (MessageVerdict::Duplicate { .. }, Duplicates::Drop)
                | (MessageVerdict::Dead { .. } | MessageVerdict::Expired, _) => {}
            }
        }
    }
    #[expect(clippy::iter_over_hash_type, reason = "each goes to its own place")]
    for (_, record) in records {
        finish(&mut actions, Some(record), scripts, only.is_some());
    }
    actions
}

/// Gives the action that records duplicates its lines. If it `creates`, the document need not be there.
fn finish(
    actions: &mut [Action],
    record: Option<(usize, Vec<serde_json::Value>)>,
    scripts: Scripts,
    creates: bool,
) {
    let Some((at, duplicates)) = record else { return };
    let lines = scripts.record(&duplicates, creates).to_string();
    actions[at].lines.extend_from_slice(lines.as_bytes());
    actions[at].lines.push(b'\n');
}

impl Action {
    fn new(kind: ActionKind, target: (String, String), source: &[u8], place: ItemPlace) -> Self {
        let (index, id) = (&target.0, document_id(&target.1));
        let head = match kind {
            ActionKind::Create => json!({ "create": { "_index": index, "_id": id } }),
            ActionKind::Replace => json!({ "index": { "_index": index, "_id": id } }),
            ActionKind::Record | ActionKind::Forget | ActionKind::Merge => {
                json!({ "update": { "_index": index, "_id": id, "retry_on_conflict": UPDATE_RETRIES } })
            }
            ActionKind::Delete => json!({ "delete": { "_index": index, "_id": id } }),
        };
        let mut lines = head.to_string().into_bytes();
        lines.push(b'\n');
        if matches!(kind, ActionKind::Create | ActionKind::Replace | ActionKind::Forget | ActionKind::Merge) {
            lines.extend_from_slice(source);
            lines.push(b'\n');
        }
        Action { kind, target, lines, places: vec![place] }
    }
}
