//! Kept records that are bytes: lines of JSON, elements of JSON arrays, and records of CSV and TSV.

use memchr::memmem;

use super::{
    annotation::{Annotation, names},
    edited,
    mode::{KeptRows, RecordMode},
    quote::FieldForm,
};
use crate::{
    Error, Fields, InputFile, Loaded, Place,
    formats::without_marks,
    read::{
        json,
        table::{WantedColumns, split_line_end},
    },
};

/// The records of a chunk of lines that are written.
pub(crate) fn lines_of(
    loaded: &Loaded<'_>,
    rows: KeptRows<'_>,
    file: &InputFile,
    fields: &Fields,
    mode: RecordMode,
) -> Result<Vec<u8>, Error> {
    let mut out = Vec::with_capacity(usize::try_from(loaded.stored_bytes()).unwrap_or_default());
    let score = mode.score();
    match rows {
        KeptRows::Copied(places) => copy_lines(loaded, places, file, &mut out)?,
        KeptRows::Edited(rows) => {
            for run in rows.chunk_by(|before, next| before.1.is_none() && next.1.is_none()) {
                if let [(place, Some(text))] = run {
                    edited::push_json(raw(loaded, *place, file)?, fields, text, file, &mut out)?;
                    continue;
                }
                let places: Vec<Place> = run.iter().map(|(place, _)| *place).collect();
                copy_lines(loaded, &places, file, &mut out)?;
            }
        }
        KeptRows::Annotated(rows) => {
            for (place, annotation) in rows {
                let record = raw(loaded, *place, file)?;
                refuse_taken_names(record, file, score)?;
                let (record, end) = split_line_end(record);
                push_annotated(record, annotation, score, &mut out);
                out.extend_from_slice(end);
            }
        }
    }
    Ok(out)
}

/// Appends lines as they are, those that follow one another together.
fn copy_lines(
    loaded: &Loaded<'_>,
    places: &[Place],
    file: &InputFile,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    for run in places.chunk_by(|before, next| next.line.checked_sub(before.line) == Some(1)) {
        let lines = loaded.raw_lines(run[0], run[run.len() - 1]);
        out.extend_from_slice(lines.ok_or_else(|| changed(file))?);
    }
    Ok(())
}

/// The elements of a chunk that are written, with commas between them.
pub(crate) fn elements_of(
    loaded: &Loaded<'_>,
    rows: KeptRows<'_>,
    file: &InputFile,
    fields: &Fields,
    mode: RecordMode,
) -> Result<Vec<u8>, Error> {
    let (mut out, score) = (Vec::new(), mode.score());
    let separate = |out: &mut Vec<u8>| out.extend_from_slice(if out.is_empty() { b"" } else { b",\n" });
    match rows {
        KeptRows::Copied(places) => {
            for &place in places {
                separate(&mut out);
                out.extend_from_slice(raw(loaded, place, file)?);
            }
        }
        KeptRows::Annotated(rows) => {
            for (place, annotation) in rows {
                let record = raw(loaded, *place, file)?;
                refuse_taken_names(record, file, score)?;
                separate(&mut out);
                push_annotated(record, annotation, score, &mut out);
            }
        }
        KeptRows::Edited(rows) => {
            for (place, text) in rows {
                let record = raw(loaded, *place, file)?;
                separate(&mut out);
                match text {
                    Some(text) => edited::push_json(record, fields, text, file, &mut out)?,
                    None => out.extend_from_slice(record),
                }
            }
        }
    }
    Ok(out)
}

/// Appends a JSON object with its annotation.
fn push_annotated(record: &[u8], annotation: &Annotation<'_>, score: &str, out: &mut Vec<u8>) {
    let record = record.trim_ascii_end();
    // A record is always an object, so it ends with a brace.
    let fields = record.strip_suffix(b"}").unwrap_or(record).trim_ascii_end();
    out.extend_from_slice(fields);
    if !fields.ends_with(b"{") {
        out.push(b',');
    }
    annotation.push_json(score, out);
    out.push(b'}');
}

/// The records of a chunk of a table that are written.
pub(crate) fn records_of(
    loaded: &Loaded<'_>,
    rows: KeptRows<'_>,
    file: &InputFile,
    columns: &WantedColumns,
) -> Result<Vec<u8>, Error> {
    let (mut out, form) = (Vec::new(), FieldForm::of(columns.dialect));
    match rows {
        KeptRows::Copied(places) => {
            for &place in places {
                out.extend_from_slice(raw(loaded, place, file)?);
            }
        }
        KeptRows::Annotated(rows) => {
            for (place, annotation) in rows {
                let (record, end) = split_line_end(raw(loaded, *place, file)?);
                out.extend_from_slice(record);
                annotation.push_fields(&mut out, form);
                out.extend_from_slice(end);
            }
        }
        KeptRows::Edited(rows) => {
            for (place, text) in rows {
                let record = raw(loaded, *place, file)?;
                match text {
                    Some(text) => edited::push_fields(record, columns, text, file, &mut out)?,
                    None => out.extend_from_slice(record),
                }
            }
        }
    }
    Ok(out)
}

/// The header of a table with the added names.
///
/// # Errors
/// [`Error::FieldExists`] if the table already has one of them. [`Error::AnnotatedDelimiter`] if fields are never quoted, and the delimiter
/// may be in an added name or value.
pub(crate) fn annotated_header(
    columns: &WantedColumns,
    file: &InputFile,
    score: &'static str,
) -> Result<Vec<u8>, Error> {
    let names = names(score);
    let taken = names.into_iter().find(|name| columns.names.iter().any(|column| column == name));
    if let Some(field) = taken {
        return Err(Error::FieldExists { path: file.path.clone(), field });
    }
    let form = FieldForm::of(columns.dialect);
    if !form.quoting.has_quotes() && is_in_values(form.delimiter) {
        return Err(Error::AnnotatedDelimiter { path: file.path.clone(), delimiter: form.delimiter.into() });
    }
    let (header, end) = split_line_end(&columns.header);
    let mut out = header.to_owned();
    for name in names {
        out.push(form.delimiter);
        form.push(&mut out, name);
    }
    out.extend_from_slice(end);
    Ok(out)
}

/// Whether a byte may be in an added name, number or boolean.
fn is_in_values(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)
}

fn raw<'s>(loaded: &'s Loaded<'_>, place: Place, file: &InputFile) -> Result<&'s [u8], Error> {
    loaded.raw(place).ok_or_else(|| changed(file))
}

pub(super) fn changed(file: &InputFile) -> Error {
    Error::Changed { path: file.path.clone() }
}

fn refuse_taken_names(record: &[u8], file: &InputFile, score: &'static str) -> Result<(), Error> {
    let names = names(score);
    // Only records that contain a name anywhere, possibly within the text, are parsed.
    let may_have = |name: &str| memmem::find(record, name.as_bytes()).is_some();
    if !names.into_iter().any(may_have) && !may_escape_a_name(record) {
        return Ok(());
    }
    let keys = str::from_utf8(without_marks(record)).map(json::keys).unwrap_or_default();
    match names.into_iter().find(|&name| keys.iter().any(|key| key == name)) {
        Some(field) => Err(Error::FieldExists { path: file.path.clone(), field }),
        None => Ok(()),
    }
}

/// Whether the record has an escape of a character that occurs in the names: small letters and `_`.
fn may_escape_a_name(record: &[u8]) -> bool {
    let escapes = memmem::find_iter(record, b"\\u00");
    escapes.map(|at| record.get(at + 4)).any(|digit| matches!(digit, Some(b'5'..=b'7')))
}
