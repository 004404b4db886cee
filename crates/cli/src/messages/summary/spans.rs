//! The summary of `spans`, in words.

use super::parts::{memory, read, unread, within};
use lookalike_report::{CutSummary, SpansSummary, count, percent, several, size};
use std::fmt::{Result, Write as _};

/// `spans`
pub(crate) fn spans(text: &mut String, summary: &SpansSummary) -> Result {
    let CutSummary { words, passages, cut_documents, removed_words, removed_bytes, kept, removed } =
        summary.cut;
    read(text, &summary.read, "", &summary.effort)?;
    unread(text, &summary.read, 0)?;
    within(text, &summary.within)?;
    writeln!(
        text,
        "repeated   {} of {} tokens or more, in {}",
        several(passages, "passage"),
        count(summary.length),
        several(cut_documents, "document")
    )?;
    writeln!(
        text,
        "removed    {} of {} ({}), {}{}",
        several(removed_words, "token"),
        count(words),
        percent(removed_words as f64 / words.max(1) as f64),
        size(removed_bytes),
        if removed > 0 {
            format!(", and {} with too little left", several(removed, "document"))
        } else {
            String::new()
        }
    )?;
    writeln!(text, "kept       {}", several(kept, "document"))?;
    writeln!(text, "exact      each passage was compared with its source, token by token")?;
    memory(text, &summary.effort, false)
}
