//! Texts that get numbers as ids.

use lookalike_corpus::{Rank, Texts, UnreadableText};
use std::sync::Arc;

/// Texts without ids, which get numbers as ids.
pub(crate) struct NumberedTexts {
    texts: Arc<dyn Texts>,
    ids: Vec<String>,
}

impl NumberedTexts {
    /// The first one gets the number `first`.
    pub(crate) fn new(texts: Arc<dyn Texts>, first: u64) -> Self {
        let ids = (first..).take(texts.rows()).map(|number| number.to_string()).collect();
        NumberedTexts { texts, ids }
    }
}

impl Texts for NumberedTexts {
    fn rows(&self) -> usize {
        self.texts.rows()
    }

    fn length(&self, row: usize) -> u64 {
        self.texts.length(row)
    }

    fn texts<'t>(
        &'t self,
        rows: &[usize],
        buffer: &'t mut Vec<u8>,
    ) -> Result<Vec<Option<&'t str>>, UnreadableText> {
        self.texts.texts(rows, buffer)
    }

    fn has_sections(&self) -> bool {
        self.texts.has_sections()
    }

    fn bytes(&self) -> u64 {
        self.texts.bytes()
    }

    fn id(&self, row: usize) -> Option<&str> {
        Some(&self.ids[row])
    }

    fn number(&self, row: usize) -> Option<Rank> {
        self.texts.number(row)
    }

    fn within(&self, row: usize, field: usize) -> Option<&str> {
        self.texts.within(row, field)
    }
}
