//! The text that a request is about: its own, or that of a document.

use super::text::text_of;
use crate::app::App;
use crate::problem::Problem;
use lookalike_seen::DocumentName;
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
        let (document, text) = match (self.id, self.url, self.text, self.html) {
            (Some(id), None, None, None) => app.backend.document(DocumentName::Id(&id), true)?,
            (None, Some(url), None, None) => app.backend.document(DocumentName::Url(&url), true)?,
            (None, None, None, None) => return Err(Problem::invalid("give one of text, html, id and url")),
            (None, None, text, html) => return Ok(SelectedText { text: text_of(text, html)?, id: None }),
            _ => return Err(Problem::invalid("give one of text, html, id and url")),
        };
        Ok(SelectedText { text: text.unwrap_or_default(), id: Some(document.id) })
    }
}
