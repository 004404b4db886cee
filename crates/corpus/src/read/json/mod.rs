//! Parsing a JSON object, usually a line, into its wanted fields.
//!
//! The form of every value is checked, including values of unwanted fields. A line that another reader would refuse is
//! therefore a bad record. If a key comes twice, its last value counts.

mod buffer;
mod careful;
mod direct;
mod found;
mod record;
mod stored;
mod unescape;

use self::{
    buffer::Buffer,
    found::{Found, Names, Value},
};
pub(crate) use self::{careful::keys, record::RecordParser};
use super::scan::Scan;
use crate::{GroupValues, Problem, Rank};

/// The values of the wanted fields of a line.
#[derive(Debug, PartialEq)]
struct Wanted<'a> {
    text: &'a str,
    is_null: bool,
    id: Option<&'a str>,
    number: Option<Rank>,
}

/// Buffers for values that do not stand in the line unescaped. They are reused for each line.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    text: Buffer,
    id: Buffer,
    number: Buffer,
    /// For the texts of unwanted fields.
    other: Buffer,
}

#[cfg(test)]
impl Buffers {
    fn without_vectors() -> Self {
        let mut buffers = Buffers::default();
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
    names: Names<'_>,
    scan: Scan,
    buffers: &'a mut Buffers,
) -> Result<Wanted<'a>, Problem> {
    match direct::parse(line, names, buffers) {
        Some(found) => wanted(line, names, scan, found, buffers),
        None => parse_carefully(line, names, scan, buffers),
    }
}

/// Reads the values that documents are grouped by: texts without their escapes, numbers and booleans as they are written. Each
/// field is found in the same way as the text field.
///
/// # Errors
/// The problem of the line, or [`Problem::NotText`] for lists and objects.
fn read_groups(
    line: &str,
    within: &[String],
    buffers: &mut Buffers,
    values: &mut GroupValues,
) -> Result<(), Problem> {
    values.clear();
    for field in within {
        let only = Names::of_text(field);
        let found = match direct::parse(line, only, buffers) {
            Some(found) => found,
            None => careful::parse(line, only, buffers)?,
        };
        values.push(match found.text.value {
            None | Some(Value::Null) => None,
            Some(Value::Borrowed(value) | Value::Number(value) | Value::Boolean(value)) => {
                Some(value.as_bytes())
            }
            Some(Value::Copied) => Some(buffers.text.text().as_bytes()),
            Some(other) => return Err(Problem::NotText { field: field.clone(), found: other.kind() }),
        });
    }
    Ok(())
}

fn parse_carefully<'a>(
    line: &'a str,
    names: Names<'_>,
    scan: Scan,
    buffers: &'a mut Buffers,
) -> Result<Wanted<'a>, Problem> {
    let found = careful::parse(line, names, buffers)?;
    wanted(line, names, scan, found, buffers)
}

fn wanted<'a>(
    line: &'a str,
    names: Names<'_>,
    scan: Scan,
    found: Found<'a>,
    buffers: &'a Buffers,
) -> Result<Wanted<'a>, Problem> {
    let field = names.text.unwrap_or_default();
    let (text, is_null) = match found.text.value {
        Some(Value::Borrowed(text)) => (text, false),
        Some(Value::Copied) => (buffers.text.text(), false),
        Some(Value::Number(written)) if scan == Scan::Lists => (written, false),
        Some(Value::Null) if names.null_texts => ("", true),
        Some(other) => return Err(careful::no_text(line, field, other.kind())),
        None => match careful::missing(line, field) {
            // A text in an object that is null is null.
            Problem::NoObjectOnPath { found: "null", .. } if names.null_texts => ("", true),
            problem => return Err(problem),
        },
    };
    let is_text = |name: Option<&str>| name == names.text;
    let id = match found.id.value {
        _ if is_text(names.id) => Some(text),
        Some(Value::Borrowed(id) | Value::Number(id)) => Some(id),
        Some(Value::Copied) => Some(buffers.id.text()),
        _ => None,
    };
    // The number may stand in a text, as in a table, where all fields are texts.
    let number = match found.number.value {
        _ if is_text(names.number) => Some(text),
        Some(Value::Borrowed(number) | Value::Number(number)) => Some(number),
        Some(Value::Copied) if names.number == names.id => Some(buffers.id.text()),
        Some(Value::Copied) => Some(buffers.number.text()),
        _ => None,
    };
    Ok(Wanted { text, is_null, id, number: number.and_then(Rank::of_text) })
}

#[cfg(test)]
mod tests;
