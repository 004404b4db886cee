//! Texts in memory, as records.

use super::wanted::WantedRows;
use crate::{
    BadRecord, Fields, GroupValues, Place, Problem, Record, Texts, UnreadableText, memory::fetch_ahead,
    problem::MAX_TEXT_BYTES,
};

/// The bytes of the next text that are fetched: a core waits for about as many at once.
const FETCHED: usize = 1 << 10;

/// Rows of texts in memory.
pub(crate) struct TextRows<'s> {
    source: &'s dyn Texts,
    rows: WantedRows,
    /// The texts of the wanted rows.
    texts: Vec<Option<&'s str>>,
    fields: &'s Fields,
    /// Rows with longer texts are bad.
    max_record: u64,
    /// The groups of the row that was read last.
    values: GroupValues,
}

impl<'s> TextRows<'s> {
    /// Reads the texts of the wanted rows. `buffer` is for those that have to be converted.
    pub(in crate::read) fn load(
        source: &'s dyn Texts,
        rows: WantedRows,
        fields: &'s Fields,
        max_record: u64,
        buffer: &'s mut Vec<u8>,
    ) -> Result<TextRows<'s>, UnreadableText> {
        let texts = source.texts(&rows.numbers(), buffer)?;
        Ok(TextRows { source, rows, texts, fields, max_record, values: GroupValues::default() })
    }

    pub(in crate::read) fn count(&self) -> u32 {
        self.rows.all.len() as u32
    }

    pub(in crate::read) fn for_each(&mut self, visit: &mut dyn FnMut(Result<Record<'_>, BadRecord>)) -> u32 {
        for row in 0..self.count() {
            visit(self.record(Place { offset: row, line: row }));
        }
        self.count()
    }

    pub(in crate::read) fn record(&mut self, place: Place) -> Result<Record<'_>, BadRecord> {
        let bad = |problem| BadRecord { line: place.line, problem };
        let index = self.rows.index(place.offset as usize);
        let text = index.and_then(|index| self.texts.get(index)).ok_or_else(|| bad(Problem::Gone))?;
        if let Some(Some(next)) = index.and_then(|index| self.texts.get(index + 1)) {
            fetch_ahead(next.as_ptr(), next.len().min(FETCHED));
        }
        let is_null = text.is_none();
        let text = readable(*text, self.fields, self.max_record).map_err(bad)?;
        let row = self.rows.all.start + place.offset as usize;
        let id = self.fields.id.as_ref().and_then(|_| self.source.id(row));
        let number = self.fields.number.as_ref().and_then(|_| self.source.number(row));
        self.values.clear();
        for field in 0..self.fields.within.len() {
            self.values.push(self.source.within(row, field).map(str::as_bytes));
        }
        let within = (!self.fields.within.is_empty()).then_some(&self.values);
        Ok(Record { text, is_null, id, number, within, stored: None, place })
    }
}

impl std::fmt::Debug for TextRows<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TextRows").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// The text of a row, if there is one, and not too long a one. A null is an empty text, if that is wanted.
pub(in crate::read) fn readable<'t>(
    text: Option<&'t str>,
    fields: &Fields,
    max_record: u64,
) -> Result<&'t str, Problem> {
    let text = text
        .or(fields.null_texts.then_some(""))
        .ok_or_else(|| Problem::NotText { field: fields.text.to_string(), found: "null" })?;
    let length = text.len() as u64;
    if length > max_record {
        return Err(Problem::RecordTooLong { length, limit: max_record });
    }
    if text.len() > MAX_TEXT_BYTES { Err(Problem::TooLong) } else { Ok(text) }
}
