//! Parsing a JSON object, usually a line, into its wanted fields.
//!
//! The form of every value is checked, including values of unwanted fields. A line that another reader would refuse is
//! therefore a bad record. If a key comes twice, its last value counts.

mod buffer;
mod careful;
mod direct;
mod found;
mod joined;
mod record;
mod stored;
mod unescape;

use self::{
    buffer::Buffer,
    found::{FieldNames, FieldValue, FieldValues},
    joined::read_joined,
};
pub(crate) use self::{
    careful::{keys, place_of},
    record::RecordParser,
};
use super::scan::Scan;
use crate::{Fields, GroupValues, Problem, Rank};

/// The values of the wanted fields of a line.
#[derive(Debug, PartialEq)]
struct WantedValues<'a> {
    text: &'a str,
    is_null: bool,
    id: Option<&'a str>,
    number: Option<Rank>,
}

/// Buffers for values that do not stand in the line unescaped. They are reused for each line.
#[derive(Debug, Default)]
pub(crate) struct ValueBuffers {
    text: Buffer,
    id: Buffer,
    number: Buffer,
    /// For the texts of unwanted fields.
    other: Buffer,
    /// A text of several values.
    joined: String,
}

#[cfg(test)]
impl ValueBuffers {
    fn without_vectors() -> Self {
        let mut buffers = ValueBuffers::default();
        for buffer in [&mut buffers.text, &mut buffers.id, &mut buffers.number, &mut buffers.other] {
            buffer.forgo_vectors();
        }
        buffers
    }
}

/// Parses one line.
///
/// # Errors
/// The problem of the line.
fn parse<'a>(
    line: &'a str,
    names: FieldNames<'_>,
    scan: Scan,
    buffers: &'a mut ValueBuffers,
) -> Result<WantedValues<'a>, Problem> {
    match direct::parse(line, names, buffers) {
        Some(found) => wanted(line, names, scan, found, buffers),
        None => parse_carefully(line, names, scan, buffers),
    }
}

/// Parses one line whose text has several values.
///
/// # Errors
/// The problem of the line.
fn parse_joined<'a>(
    line: &'a str,
    fields: &Fields,
    names: FieldNames<'_>,
    buffers: &'a mut ValueBuffers,
) -> Result<WantedValues<'a>, Problem> {
    let mut text = std::mem::take(&mut buffers.joined);
    let read = read_joined(line, &fields.text, fields.null_texts, buffers, &mut text);
    buffers.joined = text;
    let is_null = read?;
    let found = match direct::parse(line, names, buffers) {
        Some(found) => found,
        None => careful::parse(line, names, buffers)?,
    };
    let (id, number) = id_and_number(names, found.id.value, found.number.value, None, buffers);
    Ok(WantedValues { text: &buffers.joined, is_null, id, number })
}

/// Reads the values that documents are grouped by: texts without their escapes, numbers and booleans as they are written. Each
/// field is found in the same way as the text field.
///
/// # Errors
/// The problem of the line, or [`Problem::NotText`] for lists and objects.
fn read_groups(
    line: &str,
    within: &[String],
    buffers: &mut ValueBuffers,
    values: &mut GroupValues,
) -> Result<(), Problem> {
    values.clear();
    for field in within {
        let only = FieldNames::of_text(field);
        let found = match direct::parse(line, only, buffers) {
            Some(found) => found,
            None => careful::parse(line, only, buffers)?,
        };
        values.push(match found.text.value {
            None | Some(FieldValue::Null) => None,
            Some(FieldValue::Borrowed(value) | FieldValue::Number(value) | FieldValue::Boolean(value)) => {
                Some(value.as_bytes())
            }
            Some(FieldValue::Copied) => Some(buffers.text.text().as_bytes()),
            Some(other) => return Err(Problem::NotText { field: field.clone(), found: other.kind() }),
        });
    }
    Ok(())
}

fn parse_carefully<'a>(
    line: &'a str,
    names: FieldNames<'_>,
    scan: Scan,
    buffers: &'a mut ValueBuffers,
) -> Result<WantedValues<'a>, Problem> {
    let found = careful::parse(line, names, buffers)?;
    wanted(line, names, scan, found, buffers)
}

fn wanted<'a>(
    line: &'a str,
    names: FieldNames<'_>,
    scan: Scan,
    found: FieldValues<'a>,
    buffers: &'a ValueBuffers,
) -> Result<WantedValues<'a>, Problem> {
    let field = names.text.unwrap_or_default();
    let (text, is_null) = match found.text.value {
        Some(FieldValue::Borrowed(text)) => (text, false),
        Some(FieldValue::Copied) => (buffers.text.text(), false),
        Some(FieldValue::Number(written)) if scan == Scan::Lists => (written, false),
        Some(FieldValue::Null) if names.null_texts => ("", true),
        Some(other) => return Err(careful::no_text(line, field, other.kind())),
        None => match careful::missing(line, field) {
            // A text in an object that is null is null.
            Problem::NoObjectOnPath { found: "null", .. } if names.null_texts => ("", true),
            problem => return Err(problem),
        },
    };
    let (id, number) = id_and_number(names, found.id.value, found.number.value, Some(text), buffers);
    Ok(WantedValues { text, is_null, id, number })
}

/// The id and the number of an object by the values that it has there. `text` is its text, which may be either.
fn id_and_number<'a>(
    names: FieldNames<'_>,
    id: Option<FieldValue<'a>>,
    number: Option<FieldValue<'a>>,
    text: Option<&'a str>,
    buffers: &'a ValueBuffers,
) -> (Option<&'a str>, Option<Rank>) {
    let is_text = |name: Option<&str>| name == names.text;
    let id = match id {
        _ if is_text(names.id) => text,
        Some(FieldValue::Borrowed(id) | FieldValue::Number(id)) => Some(id),
        Some(FieldValue::Copied) => Some(buffers.id.text()),
        _ => None,
    };
    // The number may stand in a text, as in a table, where all fields are texts.
    let number = match number {
        _ if is_text(names.number) => text,
        Some(FieldValue::Borrowed(number) | FieldValue::Number(number)) => Some(number),
        Some(FieldValue::Copied) if names.number == names.id => Some(buffers.id.text()),
        Some(FieldValue::Copied) => Some(buffers.number.text()),
        _ => None,
    };
    (id, number.and_then(Rank::of_text))
}

#[cfg(test)]
mod tests;
