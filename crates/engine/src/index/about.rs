//! What a run stores of a document besides its text.

use crate::request::AboutFields;
use lookalike_corpus::{StoredValue, StoredValues};
use lookalike_html::normalised_url;
use lookalike_index::About;
use serde_json::value::RawValue;

/// The fields to read of each document, as [`about`] expects them.
pub(super) fn stored_fields(fields: &AboutFields) -> Vec<String> {
    let AboutFields { url, title, priority, meta } = fields.clone();
    vec![url, title, priority, meta]
}

/// What these values say. A value that does not fit counts as none: the document is stored all the same.
pub(super) fn about(values: &StoredValues) -> About {
    let text = |field| match values.get(field) {
        Some(StoredValue::Text(text)) => Some(text),
        _ => None,
    };
    let written =
        |field| values.get(field).map(|(StoredValue::Text(value) | StoredValue::Json(value))| value);
    let priority = written(2).and_then(|number| number.trim().parse().ok());
    let meta = values.get(3).and_then(|value| match value {
        StoredValue::Text(text) => serde_json::to_string(text).ok(),
        // Some numbers that are accepted in records are not JSON.
        StoredValue::Json(json) => {
            serde_json::from_str::<&RawValue>(json).ok().map(|json| json.get().to_owned())
        }
    });
    About {
        url: text(0).filter(|url| normalised_url(url).is_some()).map(str::to_owned),
        title: text(1).map(str::to_owned),
        priority: priority.filter(|priority: &f64| priority.is_finite()),
        meta,
    }
}
