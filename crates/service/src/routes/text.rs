//! The text of a request, and the match in an answer.

use crate::app::App;
use crate::problem::Problem;
use crate::score::ScoreAnswer;
use lookalike_html::html_text;
use lookalike_index::About;
use lookalike_seen::DocumentMatch;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// Takes the text of a request from one of its two fields.
pub(super) fn text_of(text: Option<String>, html: Option<String>) -> Result<String, Problem> {
    match (text, html) {
        (Some(text), None) => Ok(text),
        (None, Some(html)) => {
            let mut text = String::new();
            // JSON is in UTF-8, whatever the page says of itself.
            html_text(html.as_bytes(), Some("text/html; charset=utf-8"), &mut text);
            Ok(text)
        }
        _ => Err(Problem::invalid("give one of text and html")),
    }
}

/// The threshold in the `field` of a request, or 0 without one. It is not below the threshold of the index.
pub(super) fn threshold_of(app: &App, field: &str, given: Option<f64>) -> Result<f64, Problem> {
    let plan = app.backend.plan();
    let least = plan.threshold();
    match given {
        Some(_) if plan.decides_by_distance() => {
            let detail = format!(
                "{field} is a similarity, and the index compares fingerprints alone; leave it out, or make the index with --verify"
            );
            Err(Problem::invalid(detail))
        }
        Some(given) if !(least..=1.0).contains(&given) => {
            let detail = format!("{field} must be from {least}, the threshold of the index, to 1");
            Err(Problem::invalid(detail))
        }
        given => Ok(given.unwrap_or_default()),
    }
}

/// JSON without white space between its parts: an answer of a stream is one line.
pub(super) fn on_one_line(json: &str) -> String {
    let (mut in_string, mut is_escaped) = (false, false);
    let keep = |character: &char| {
        let is_kept = in_string || !matches!(character, ' ' | '\n' | '\r' | '\t');
        if *character == '"' && !is_escaped {
            in_string = !in_string;
        }
        is_escaped = *character == '\\' && !is_escaped;
        is_kept
    };
    json.chars().filter(keep).collect()
}

/// A document that is similar.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Match {
    /// Its id.
    pub(super) id: String,
    /// How near it is.
    #[serde(flatten)]
    pub(super) score: ScoreAnswer,
    /// Whether the two have the same shingles equally often.
    pub(super) copy: bool,
    /// What is known about it.
    #[serde(flatten)]
    pub(super) about: AboutAnswer,
}

/// What is known about a document.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AboutAnswer {
    /// Its URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// Its priority as canonical document of a cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<f64>,
    /// Its metadata.
    #[schema(value_type = Option<serde_json::Value>)]
    meta: Option<Box<RawValue>>,
}

impl From<About> for AboutAnswer {
    fn from(about: About) -> Self {
        let About { meta, url, title, priority } = about;
        AboutAnswer { url, title, priority, meta: meta.and_then(|meta| RawValue::from_string(meta).ok()) }
    }
}

impl From<DocumentMatch> for Match {
    fn from(found: DocumentMatch) -> Self {
        let (score, copy) = (found.score.into(), found.is_copy);
        Match { id: found.id, score, copy, about: found.about.into() }
    }
}

/// What happens to a text that is similar to a document.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum OnDuplicate {
    /// It is not stored.
    Refuse,
    /// It is stored, and linked to the documents that it is similar to.
    Store,
    /// It is not stored, and the document that it is most similar to expires no sooner than it would.
    Touch,
}

impl From<OnDuplicate> for lookalike_seen::OnDuplicate {
    fn from(on_duplicate: OnDuplicate) -> Self {
        match on_duplicate {
            OnDuplicate::Refuse => Self::Refuse,
            OnDuplicate::Store => Self::Store,
            OnDuplicate::Touch => Self::Touch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_kept_in_strings_only() {
        let json = "{ \"a b\" :\n [1, \"c \\\" d\\\\\" , \" e\"] }";
        assert_eq!(on_one_line(json), "{\"a b\":[1,\"c \\\" d\\\\\",\" e\"]}");
    }
}
