//! The texts of Arrow columns, which are not copied.

use super::id_column::IdColumn;
use super::longest::{is_too_long, refuse_long_text};
use super::text_column::{TextPieces, decoded};
use crate::arrow::Arrays;
use crate::error;
use crate::table::Table;
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use arrow_select::concat::concat_batches;
use lookalike_corpus::{Problem, Rank, TextFields, Texts, UnreadableText};
use lookalike_corpus::{as_texts, is_uuid, joined_texts, ranks_of, texts_of_uuids};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The texts of a column, or of a column of a table. A null is an empty document.
#[derive(Debug)]
pub(crate) struct ColumnTexts {
    texts: TextPieces,
    ids: Option<IdColumn>,
    numbers: Option<Vec<Option<Rank>>>,
    /// The columns of [`ColumnNames::within`].
    within: Vec<TextPieces>,
    /// The record batches, if the data is a table.
    batches: Vec<RecordBatch>,
    /// Whether a text may have several values.
    has_sections: bool,
}

/// The names of columns of a table.
pub(crate) struct ColumnNames<'n> {
    pub(crate) text: TextFields,
    pub(crate) id: Option<&'n str>,
    pub(crate) number: Option<&'n str>,
    /// Only documents with equal values in these are compared.
    pub(crate) within: &'n [String],
}

impl ColumnNames<'_> {
    pub(crate) fn of_text(text: &str) -> Self {
        ColumnNames { text: text.into(), id: None, number: None, within: &[] }
    }
}

impl ColumnTexts {
    /// # Errors
    /// `KeyError` for a column that is not there, `TypeError` for one of the wrong type, `ValueError` for a text that is too long.
    pub(crate) fn new(data: Vec<Arrays>, names: &ColumnNames<'_>) -> PyResult<Self> {
        let &ColumnNames { ref text, id, number, within } = names;
        let is_table = data.first().is_some_and(|arrays| matches!(arrays.kind, DataType::Struct(_)));
        if !is_table && !within.is_empty() {
            return Err(error::wrong_type(
                "within names columns of a table, or fields of Files, and the data has no columns",
            ));
        }
        let mut all = ColumnTexts {
            texts: TextPieces::default(),
            ids: None,
            numbers: None,
            within: within.iter().map(|_| TextPieces::default()).collect(),
            batches: Vec::new(),
            has_sections: is_table && text.are_several(),
        };
        let (mut ids, mut numbers) = (IdColumn::default(), Vec::new());
        for Arrays { kind, pieces } in data {
            if !is_table {
                pieces.iter().try_for_each(|piece| all.texts.push("", piece))?;
                continue;
            }
            // A table without rows has columns too.
            let pieces = if pieces.is_empty() { vec![arrow_array::new_empty_array(&kind)] } else { pieces };
            for piece in pieces {
                let batch = RecordBatch::from(piece.as_struct());
                match text.are_several() {
                    true => all.texts.push("", &joined_texts(&batch, text).map_err(unusable)?)?,
                    false => {
                        let name = text.to_string();
                        all.texts.push(&name, &column(&batch, &name)?.1)?;
                    }
                }
                if let Some(id) = id {
                    let (field, values) = column(&batch, id)?;
                    ids.push(id, &field, &values)?;
                }
                if let Some(number) = number {
                    numbers.extend(as_ranks(number, &column(&batch, number)?.1)?);
                }
                for (name, values) in within.iter().zip(&mut all.within) {
                    let (field, column) = column(&batch, name)?;
                    values.push(name, &as_group(&field, column)?)?;
                }
                all.batches.push(batch);
            }
        }
        all.ids = id.filter(|_| is_table).map(|_| ids);
        if is_table && number.is_some() {
            all.numbers = Some(numbers);
        }
        let rows = 0..all.rows();
        refuse_long_text(rows.map(|row| (row, all.text(row).len())).find(is_too_long))?;
        Ok(all)
    }

    /// The text of a row.
    pub(crate) fn text(&self, row: usize) -> &str {
        self.texts.at(row).unwrap_or_default()
    }

    /// These rows of the table, if it is one.
    pub(super) fn taken(&self, rows: Vec<u64>) -> PyResult<Option<Table>> {
        let Some(first) = self.batches.first() else { return Ok(None) };
        let schema = first.schema();
        let whole = concat_batches(&schema, &self.batches).map_err(failed)?;
        let rows = arrow_array::UInt64Array::from(rows);
        let taken = arrow_select::take::take_record_batch(&whole, &rows).map_err(failed)?;
        Ok(Some(Table::new(taken)))
    }

    /// The ids, as they were given.
    pub(super) fn ids(&self) -> PyResult<Option<ArrayRef>> {
        self.ids.as_ref().map(IdColumn::given).transpose()
    }
}

impl Texts for ColumnTexts {
    fn rows(&self) -> usize {
        self.texts.rows()
    }

    fn length(&self, row: usize) -> u64 {
        self.text(row).len() as u64
    }

    fn has_sections(&self) -> bool {
        self.has_sections
    }

    fn texts<'t>(
        &'t self,
        rows: &[usize],
        _: &'t mut Vec<u8>,
    ) -> Result<Vec<Option<&'t str>>, UnreadableText> {
        Ok(rows.iter().map(|&row| self.texts.at(row)).collect())
    }

    fn id(&self, row: usize) -> Option<&str> {
        self.ids.as_ref().and_then(|ids| ids.at(row))
    }

    fn number(&self, row: usize) -> Option<Rank> {
        self.numbers.as_ref()?[row]
    }

    fn within(&self, row: usize, field: usize) -> Option<&str> {
        self.within[field].at(row)
    }
}

/// The column of this name. `meta.text` is the column `text` of the struct `meta`, unless a column is called so itself.
fn column(batch: &RecordBatch, name: &str) -> PyResult<(FieldRef, ArrayRef)> {
    let of = |fields: &Fields, columns: &[ArrayRef], name: &str| {
        let (index, field) = fields.find(name)?;
        Some((Arc::clone(field), columns[index].clone()))
    };
    let schema = batch.schema();
    let nested = || {
        let (first, rest) = name.split_once('.')?;
        let nested = batch.column_by_name(first)?.as_struct_opt()?;
        of(nested.fields(), nested.columns(), rest)
    };
    let found = of(schema.fields(), batch.columns(), name).or_else(nested);
    let names = || schema.fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
    let (field, values) = found.ok_or_else(|| error::no_column(name, &names()))?;
    Ok((field, decoded(&values).map_err(failed)?))
}

/// Values to compare within, as texts.
fn as_group(field: &Field, values: ArrayRef) -> PyResult<ArrayRef> {
    match values.data_type() {
        _ if is_uuid(field) => Ok(texts_of_uuids(&values)),
        DataType::Dictionary(_, _) | DataType::Null => Ok(values),
        _ => as_texts(&values).map_err(failed),
    }
}

fn as_ranks(name: &str, numbers: &ArrayRef) -> PyResult<Vec<Option<Rank>>> {
    let kind = numbers.data_type();
    let ranks = if kind.is_nested() { None } else { ranks_of(numbers) };
    ranks.ok_or_else(|| {
        error::wrong_type(format!(
            "column {name:?} has type {kind}; name a column of numbers, dates or texts of them"
        ))
    })
}

/// The error for columns that a text cannot be read from.
fn unusable(problem: Problem) -> PyErr {
    match problem {
        Problem::MissingColumn { field, seen } => error::no_column(&field, &seen),
        Problem::InvalidUtf8 { .. } => PyValueError::new_err(problem.to_string()),
        _ => error::wrong_type(problem.to_string()),
    }
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
