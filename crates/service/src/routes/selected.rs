//! The text that a request is about: its own, or that of a document.

use super::text::text_of;
use crate::app::App;
use crate::problem::Problem;
use axum::http::StatusCode;
use lookalike_seen::{DocumentName, SketchedText};
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

/// What a request has selected.
enum Selection<'s> {
    Text(String),
    Document(DocumentName<'s>),
}

impl Selected {
    fn selection(&self) -> Result<Selection<'_>, Problem> {
        Ok(match (&self.id, &self.url, &self.text, &self.html) {
            (Some(id), None, None, None) => Selection::Document(DocumentName::Id(id)),
            (None, Some(url), None, None) => Selection::Document(DocumentName::Url(url)),
            (None, None, None, None) => return Err(Problem::invalid("give one of text, html, id and url")),
            (None, None, text, html) => Selection::Text(text_of(text.clone(), html.clone())?),
            _ => return Err(Problem::invalid("give one of text, html, id and url")),
        })
    }

    /// Reads the text.
    pub(super) fn text(self, app: &App) -> Result<SelectedText, Problem> {
        match self.selection()? {
            Selection::Text(text) => Ok(SelectedText { text, id: None }),
            Selection::Document(name) => {
                let (document, text) = app.backend.document(name, true)?;
                let text = text.ok_or_else(|| {
                    let detail = "the index stores no texts: give the text itself";
                    Problem::new(StatusCode::CONFLICT, "no_texts", detail)
                })?;
                Ok(SelectedText { text, id: Some(document.id) })
            }
        }
    }

    /// The sketch of the text, and the id of the document that it is of.
    pub(super) fn sketch(self, app: &App) -> Result<(SketchedText, Option<String>), Problem> {
        Ok(match self.selection()? {
            Selection::Text(text) => (app.backend.sketch(&text), None),
            Selection::Document(name) => {
                let (document, sketch) = app.backend.sketch_of(name)?;
                (sketch, Some(document.id))
            }
        })
    }
}
