use super::{Cell, push_plain};
use crate::{
    Error, Quoting,
    write::{
        output::Output,
        publish::Complete,
        records::quote::{FieldForm, push_json},
    },
};

/// Rows are collected up to this size before they are written. A row has some tens of bytes.
const GATHERED_BYTES: usize = 64 * 1024;

/// The first characters of texts that spreadsheets take for formulas (OWASP, CSV Injection).
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The layout of rows in text.
#[derive(Debug)]
pub(super) enum RowLayout {
    /// The bytes before each value: the brace or comma, the key and the colon.
    Json(Vec<Vec<u8>>),
    Delimited {
        header: Vec<u8>,
        form: FieldForm,
    },
}

impl RowLayout {
    pub(super) fn json<'a>(names: impl Iterator<Item = &'a str>) -> RowLayout {
        RowLayout::Json(
            names
                .enumerate()
                .map(|(column, name)| {
                    let mut before = vec![if column == 0 { b'{' } else { b',' }];
                    push_json(&mut before, name);
                    before.push(b':');
                    before
                })
                .collect(),
        )
    }

    pub(super) fn delimited<'a>(names: impl Iterator<Item = &'a str>, delimiter: u8) -> RowLayout {
        let form = FieldForm { delimiter, quoting: Quoting::Doubled };
        let mut header = Vec::new();
        for (column, name) in names.enumerate() {
            if column > 0 {
                header.push(delimiter);
            }
            form.push(&mut header, name);
        }
        header.push(b'\n');
        RowLayout::Delimited { header, form }
    }
}

/// A table as JSONL, CSV or TSV.
#[derive(Debug)]
pub(super) struct TextTable {
    output: Output,
    layout: RowLayout,
    gathered: Vec<u8>,
    /// Whether a text that a spreadsheet would take for a formula gets an apostrophe before it, in CSV and TSV.
    is_guarded: bool,
}

impl TextTable {
    pub(super) fn new(mut output: Output, layout: RowLayout) -> Result<TextTable, Error> {
        if let RowLayout::Delimited { header, .. } = &layout {
            output.append(header)?;
        }
        Ok(TextTable { output, layout, gathered: Vec::with_capacity(GATHERED_BYTES * 2), is_guarded: false })
    }

    pub(super) fn guard_formulas(&mut self) {
        self.is_guarded = true;
    }

    pub(super) fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Error> {
        let out = &mut self.gathered;
        match &self.layout {
            RowLayout::Json(before) => {
                for (before, &cell) in before.iter().zip(cells) {
                    out.extend_from_slice(before);
                    match cell {
                        Cell::Text(text) => push_json(out, text),
                        Cell::Absent => out.extend_from_slice(b"null"),
                        Cell::Bytes(_) => {
                            out.push(b'"');
                            push_plain(out, cell);
                            out.push(b'"');
                        }
                        Cell::Numbers(numbers) => {
                            out.push(b'[');
                            push_numbers(out, numbers, b',');
                            out.push(b']');
                        }
                        _ => push_plain(out, cell),
                    }
                }
                out.extend_from_slice(b"}\n");
            }
            RowLayout::Delimited { form, .. } => {
                for (column, &cell) in cells.iter().enumerate() {
                    if column > 0 {
                        out.push(form.delimiter);
                    }
                    match cell {
                        Cell::Text(text) if self.is_guarded && text.starts_with(FORMULA_STARTS) => {
                            form.push(out, &format!("'{text}"));
                        }
                        Cell::Text(text) => form.push(out, text),
                        Cell::Numbers(numbers) => push_numbers(out, numbers, b' '),
                        _ => push_plain(out, cell),
                    }
                }
                out.push(b'\n');
            }
        }
        if out.len() >= GATHERED_BYTES {
            self.output.append(out)?;
            out.clear();
        }
        Ok(())
    }

    pub(super) fn complete(mut self) -> Result<Complete, Error> {
        self.output.append(&self.gathered)?;
        self.output.complete()
    }
}

fn push_numbers(out: &mut Vec<u8>, numbers: &[u32], between: u8) {
    for (index, &number) in numbers.iter().enumerate() {
        if index > 0 {
            out.push(between);
        }
        push_plain(out, Cell::Integer(u64::from(number)));
    }
}
