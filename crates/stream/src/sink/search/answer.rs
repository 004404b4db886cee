//! The answer to a bulk request.

use super::actions::{Action, ActionKind};
use serde::Deserialize;
use std::collections::HashMap;

/// The form of the answer, as far as it is asked for: `filter_path=items.*._index,items.*.status,items.*.error`.
#[derive(Debug, Deserialize)]
pub(super) struct BulkAnswer {
    #[serde(default)]
    items: Vec<HashMap<String, ItemAnswer>>,
}

#[derive(Debug, Deserialize)]
struct ItemAnswer {
    #[serde(rename = "_index")]
    index: Option<String>,
    status: u16,
    error: Option<ItemError>,
}

#[derive(Debug, Deserialize)]
struct ItemError {
    #[serde(rename = "type")]
    kind: String,
    reason: Option<String>,
    caused_by: Option<Box<ItemError>>,
}

/// How an action ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ActionOutcome {
    /// It is done, now or before.
    Done,
    /// It is worth another try.
    Again(String),
    /// The document to be changed is not there.
    Missing,
    /// It will never be done.
    Never(String),
}

impl BulkAnswer {
    /// How each of `actions` ended, of which those on the `main` index need it, or `None` if this is no answer to them.
    pub(super) fn outcomes(&self, actions: &[&Action], main: &str) -> Option<Vec<ActionOutcome>> {
        let answers = self.items.iter().map(|item| item.values().next());
        let answers: Vec<&ItemAnswer> = answers.collect::<Option<_>>()?;
        (answers.len() == actions.len()).then(|| {
            answers.iter().zip(actions).map(|(answer, action)| answer.outcome(action, main)).collect()
        })
    }
}

/// Errors that somebody mends at the server, or by another name of the index.
const OF_THE_SERVER: [&str; 5] = [
    "cluster_block_exception",
    "index_not_found_exception",
    "index_closed_exception",
    "invalid_index_name_exception",
    "validation_exception",
];

/// How the reasons of further ones begin. Their type, `illegal_argument_exception`, is also that of errors in a document. Elasticsearch 7 to 9 and OpenSearch 2 and 3
/// have the same texts.
const REASONS_OF_THE_SERVER: [&str; 5] = [
    "no write index is defined for alias",
    "pipeline with id [",
    // By its settings, a server may run no scripts.
    "cannot execute [inline] scripts",
    "cannot execute scripts using [update] context",
    "script_lang not supported",
];

impl ItemAnswer {
    fn outcome(&self, action: &Action, main: &str) -> ActionOutcome {
        let is_error = |kind| self.error.as_ref().is_some_and(|error| error.kind == kind);
        let reason =
            || self.error.as_ref().map_or_else(|| format!("status {}", self.status), ItemError::sentence);
        match (self.status, action.kind) {
            (200..=299, _) => ActionOutcome::Done,
            // It was created before: ids are those of documents, and a message may come twice.
            (409, ActionKind::Create) => ActionOutcome::Done,
            // The document is not there, or the index of duplicates is not: it is made when the first one comes. The main one may come back, as when an
            // alias is set.
            (404, ActionKind::Delete | ActionKind::Forget)
                if action.target.0 != main || !is_error("index_not_found_exception") =>
            {
                ActionOutcome::Done
            }
            // A pipeline of the server has given the document another index.
            (400, _)
                if is_error("invalid_index_name_exception")
                    && self.index.as_ref().is_some_and(|index| *index != action.target.0) =>
            {
                ActionOutcome::Never(reason())
            }
            // It is no fault of the document: a full disk of the server, an index that is closed or not there yet, a key that has expired.
            _ if self.error.as_ref().is_some_and(ItemError::is_of_the_server) => {
                ActionOutcome::Again(reason())
            }
            (401 | 403, _) => ActionOutcome::Again(reason()),
            (404, ActionKind::Record) => ActionOutcome::Missing,
            (408 | 409 | 429 | 500..=599, _) => ActionOutcome::Again(reason()),
            _ => ActionOutcome::Never(reason()),
        }
    }
}

impl ItemError {
    fn is_of_the_server(&self) -> bool {
        let begins = |start: &&str| self.reason.as_ref().is_some_and(|reason| reason.starts_with(*start));
        OF_THE_SERVER.contains(&&self.kind[..])
            || REASONS_OF_THE_SERVER.iter().any(begins)
            || self.caused_by.as_ref().is_some_and(|cause| cause.is_of_the_server())
    }

    fn sentence(&self) -> String {
        let mut sentence = match &self.reason {
            Some(reason) => format!("{}: {reason}", self.kind),
            None => self.kind.clone(),
        };
        if let Some(cause) = &self.caused_by {
            sentence.push_str(&format!(" ({})", cause.sentence()));
        }
        sentence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How an action on an index ended. The main one is `pages`.
    fn outcome_in(index: &str, kind: ActionKind, item: &str) -> ActionOutcome {
        let answer: BulkAnswer =
            serde_json::from_str(&format!("{{\"items\": [{{\"op\": {item}}}]}}")).unwrap();
        let target = (index.to_owned(), "a".to_owned());
        let action = Action { kind, target, lines: Vec::new(), places: Vec::new() };
        answer.outcomes(&[&action], "pages").unwrap().remove(0)
    }

    fn outcome(kind: ActionKind, item: &str) -> ActionOutcome {
        outcome_in("pages", kind, item)
    }

    #[test]
    fn what_is_done_what_is_tried_again_and_what_never_works() {
        assert_eq!(outcome(ActionKind::Create, r#"{"status": 201}"#), ActionOutcome::Done);
        let exists = r#"{"status": 409, "error": {"type": "version_conflict_engine_exception"}}"#;
        assert_eq!(outcome(ActionKind::Create, exists), ActionOutcome::Done);
        assert!(matches!(outcome(ActionKind::Record, exists), ActionOutcome::Again(_)));
        assert_eq!(outcome(ActionKind::Delete, r#"{"status": 404}"#), ActionOutcome::Done);
        let missing = r#"{"status": 404, "error": {"type": "document_missing_exception", "reason": "[a]: document missing"}}"#;
        assert_eq!(outcome(ActionKind::Record, missing), ActionOutcome::Missing);
        let no_index = r#"{"status": 404, "error": {"type": "index_not_found_exception", "reason": "no such index [x]"}}"#;
        for kind in [ActionKind::Create, ActionKind::Record] {
            assert_eq!(
                outcome(kind, no_index),
                ActionOutcome::Again("index_not_found_exception: no such index [x]".into())
            );
        }
        let full = r#"{"status": 403, "error": {"type": "cluster_block_exception", "reason": "disk usage"}}"#;
        assert!(matches!(outcome(ActionKind::Create, full), ActionOutcome::Again(_)));
        for (status, kind) in [
            (403, "security_exception"),
            (400, "index_closed_exception"),
            (400, "invalid_index_name_exception"),
        ] {
            let item = format!("{{\"status\": {status}, \"error\": {{\"type\": \"{kind}\"}}}}");
            assert_eq!(outcome(ActionKind::Create, &item), ActionOutcome::Again(kind.into()));
        }
        for kind in [ActionKind::Delete, ActionKind::Forget] {
            assert_eq!(outcome_in("duplicates", kind, no_index), ActionOutcome::Done);
            assert!(matches!(outcome(kind, no_index), ActionOutcome::Again(_)), "an alias is being set");
        }
        let piped = r#"{"_index": "A b", "status": 400, "error": {"type": "invalid_index_name_exception"}}"#;
        assert!(matches!(outcome(ActionKind::Create, piped), ActionOutcome::Never(_)));
        for cause in [
            "no write index is defined for alias [x]. The write index may be",
            "pipeline with id [p] does not exist",
            "cannot execute [inline] scripts",
            "script_lang not supported [painless]",
        ] {
            let cause = format!("{{\"type\": \"illegal_argument_exception\", \"reason\": \"{cause}\"}}");
            let script = format!(
                "{{\"type\": \"illegal_argument_exception\", \"reason\": \"failed to execute script\", \"caused_by\": {cause}}}"
            );
            for error in [&cause, &script] {
                let item = format!("{{\"status\": 400, \"error\": {error}}}");
                assert!(matches!(outcome(ActionKind::Record, &item), ActionOutcome::Again(_)), "{error}");
            }
        }
        let fields = r#"{"status": 400, "error": {"type": "illegal_argument_exception", "reason": "Limit of total fields [5] has been exceeded"}}"#;
        assert!(matches!(outcome(ActionKind::Create, fields), ActionOutcome::Never(_)));
        let busy =
            r#"{"status": 429, "error": {"type": "es_rejected_execution_exception", "reason": "full"}}"#;
        assert!(matches!(outcome(ActionKind::Create, busy), ActionOutcome::Again(_)));
        let mapping = r#"{"status": 400, "error": {"type": "mapper_parsing_exception", "reason": "failed to parse field [n]", "caused_by": {"type": "number_format_exception", "reason": "x"}}}"#;
        let reason = "mapper_parsing_exception: failed to parse field [n] (number_format_exception: x)";
        assert_eq!(outcome(ActionKind::Create, mapping), ActionOutcome::Never(reason.into()));
    }
}
