//! Texts in memory, as records.

use std::{ops::Range, sync::Arc};

use crate::{BadRecord, Fields, Place, Problem, Record, Texts, problem::MAX_TEXT_BYTES};

/// Rows of texts in memory.
pub(crate) struct TextRows<'s> {
    texts: Arc<dyn Texts>,
    rows: Range<usize>,
    fields: &'s Fields,
    /// Rows with longer texts are bad.
    max_record: u64,
}

impl<'s> TextRows<'s> {
    pub(in crate::read) fn new(
        texts: Arc<dyn Texts>,
        rows: Range<usize>,
        fields: &'s Fields,
        max_record: u64,
    ) -> TextRows<'s> {
        TextRows { texts, rows, fields, max_record }
    }

    pub(in crate::read) fn count(&self) -> u32 {
        self.rows.len() as u32
    }

    pub(in crate::read) fn for_each(&self, visit: &mut dyn FnMut(Result<Record<'_>, BadRecord>)) -> u32 {
        for row in 0..self.count() {
            visit(self.record(Place { offset: row, line: row }));
        }
        self.count()
    }

    pub(in crate::read) fn record(&self, place: Place) -> Result<Record<'_>, BadRecord> {
        let bad = |problem| BadRecord { line: place.line, problem };
        if place.offset >= self.count() {
            return Err(bad(Problem::Gone));
        }
        let row = self.rows.start + place.offset as usize;
        let text = readable(self.texts.text(row), self.fields, self.max_record).map_err(bad)?;
        let id = self.fields.id.as_ref().and_then(|_| self.texts.id(row));
        let number = self.fields.number.as_ref().and_then(|_| self.texts.number(row));
        Ok(Record { text, id, number, within: None, stored: None, place })
    }
}

impl std::fmt::Debug for TextRows<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TextRows").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// The text of a row, if there is one, and not too long a one.
pub(in crate::read) fn readable<'t>(
    text: Option<&'t str>,
    fields: &Fields,
    max_record: u64,
) -> Result<&'t str, Problem> {
    let text = text.ok_or_else(|| Problem::NotText { field: fields.text.clone(), found: "null" })?;
    let length = text.len() as u64;
    if length > max_record {
        return Err(Problem::RecordTooLong { length, limit: max_record });
    }
    if text.len() > MAX_TEXT_BYTES { Err(Problem::TooLong) } else { Ok(text) }
}
