//! The text that a request is about: its own, or that of a document.

use super::text::text_of;
use crate::app::{App, now};
use crate::problem::Problem;
use lookalike_engine::seen::SeenError;
use lookalike_index::live::{Document, Snapshot};
use serde::Deserialize;
use utoipa::ToSchema;

/// A text, or a document of the index. It has one of `text`, `html`, `id` and `url`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Selected {
    /// The text.
    pub(super) text: Option<String>,
    /// A page, of which the visible text is taken.
    pub(super) html: Option<String>,
    /// The id of a document of the index.
    pub(super) id: Option<String>,
    /// The URL of a document of the index, in any spelling.
    pub(super) url: Option<String>,
}

/// A text, and the document that it is of.
pub(super) struct SelectedText {
    pub(super) text: String,
    pub(super) id: Option<String>,
}

impl Selected {
    /// Reads the text.
    pub(super) fn text(self, app: &App) -> Result<SelectedText, Problem> {
        let snapshot = app.seen.snapshot();
        let document = match (self.id, self.url, self.text, self.html) {
            (Some(id), None, None, None) => document_with(&snapshot, &id)?,
            (None, Some(url), None, None) => document_of(app, &snapshot, &url)?,
            (None, None, text, html) => return Ok(SelectedText { text: text_of(text, html)?, id: None }),
            _ => return Err(Problem::invalid("give one of text, html, id and url")),
        };
        let text = document.text().map_err(SeenError::from)?;
        Ok(SelectedText { text, id: Some(document.id().to_owned()) })
    }
}

/// The document that has this id.
pub(super) fn document_with<'s>(snapshot: &'s Snapshot, id: &str) -> Result<Document<'s>, Problem> {
    let document = snapshot.find(id).map_err(SeenError::from)?;
    living(document.ok_or_else(|| Problem::no_document(id))?)
}

/// The document that has this URL.
fn document_of<'s>(app: &App, snapshot: &'s Snapshot, url: &str) -> Result<Document<'s>, Problem> {
    living(app.seen.find_url(snapshot, url)?.ok_or_else(|| Problem::no_url(url))?)
}

fn living(document: Document<'_>) -> Result<Document<'_>, Problem> {
    match document.expires().is_some_and(|expires| expires <= now()) {
        true => Err(Problem::expired()),
        false => Ok(document),
    }
}
