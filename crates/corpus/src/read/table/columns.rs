//! The columns of a table that hold the wanted fields.

use std::ops::Range;

use super::{Dialect, dialect::split_line_end, row::Row};
use crate::{Fields, Problem, formats::without_marks};

/// The wanted columns of a table, and its header as it is written.
#[derive(Debug)]
pub(crate) struct WantedColumns {
    pub(crate) dialect: Dialect,
    /// The bytes before the first record. They are the header record with its line end, behind a byte order mark if the file
    /// has one. For a table without a header, they are only that mark.
    pub(crate) header: Vec<u8>,
    pub(crate) names: Vec<String>,
    /// The columns of the text, in the order of their names. `None` stands for one that is not in the table.
    pub(super) texts: Vec<Option<usize>>,
    pub(super) id: Option<usize>,
    pub(super) number: Option<usize>,
    pub(super) within: Vec<Option<usize>>,
    pub(super) stored: Vec<Option<usize>>,
}

impl WantedColumns {
    /// # Errors
    /// [`Problem::MissingColumn`] if no column has the name of the text field, [`Problem::RepeatedColumn`] if several have the name of a
    /// wanted field.
    pub(crate) fn new(header: Vec<u8>, dialect: Dialect, fields: &Fields) -> Result<WantedColumns, Problem> {
        let names = names_in(&header, dialect);
        WantedColumns::named(names, header, dialect, fields)
    }

    /// Finds the wanted columns among columns with known names.
    ///
    /// # Errors
    /// [`Problem::MissingColumn`], [`Problem::RepeatedColumn`].
    pub(super) fn named(
        names: Vec<String>,
        header: Vec<u8>,
        dialect: Dialect,
        fields: &Fields,
    ) -> Result<WantedColumns, Problem> {
        let find = |field: &String| names.iter().position(|name| name == field);
        // A column of several that a table lacks adds nothing.
        let texts: Vec<_> = fields.text.names().iter().map(find).collect();
        if texts.iter().all(Option::is_none) {
            return Err(Problem::MissingColumn { field: fields.text.to_string(), seen: names.clone() });
        }
        let wanted = fields.text.names().iter().chain(&fields.id).chain(&fields.number).chain(&fields.within);
        for field in wanted {
            let count = names.iter().filter(|name| *name == field).count();
            if count > 1 {
                return Err(Problem::RepeatedColumn { field: field.clone(), count });
            }
        }
        let (id, number) = (fields.id.as_ref().and_then(find), fields.number.as_ref().and_then(find));
        let within = fields.within.iter().map(find).collect();
        let stored = fields.stored.iter().map(find).collect();
        Ok(WantedColumns { dialect, header, names, texts, id, number, within, stored })
    }

    /// The place of the text in a record, with its quotes.
    pub(crate) fn place_of_text(&self, record: &[u8]) -> Option<Range<usize>> {
        let wanted = self.texts.first().copied().flatten()?;
        let (content, _) = split_line_end(record);
        let unmarked = without_marks(content);
        let (mut start, mut column) = (content.len() - unmarked.len(), 0);
        loop {
            let end = self.dialect.field_end(content, start);
            if column == wanted {
                return Some(start..end);
            }
            (start, column) = ((end < content.len()).then_some(end + 1)?, column + 1);
        }
    }

    /// Whether the table itself has a header with the names of its columns.
    pub(super) fn header_has_names(&self) -> bool {
        !without_marks(&self.header).is_empty()
    }
}

/// The fields of a header record.
pub(super) fn names_in(header: &[u8], dialect: Dialect) -> Vec<String> {
    let mut row = Row::new(dialect);
    row.parse(without_marks(header));
    (0..row.len())
        .map(|column| String::from_utf8_lossy(row.field(column).unwrap_or_default()).into())
        .collect()
}
