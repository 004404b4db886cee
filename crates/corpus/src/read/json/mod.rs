//! One JSON line: the wanted fields out of it, and proof that all of it is JSON.
//!
//! The form of every value is checked, also of those that are not wanted: a line that another reader would refuse is a bad record.
//! Of a key that comes twice the last value counts.

mod buffer;
mod careful;
mod direct;
mod found;
mod unescape;

pub(crate) use self::careful::keys;
use self::{
    buffer::Buffer,
    found::{Found, Value},
};
use super::Scan;
use crate::{Fields, GroupValues, Problem};

/// What the wanted fields of a line hold.
#[derive(Debug, PartialEq)]
pub(crate) struct Wanted<'a> {
    pub(crate) text: &'a str,
    pub(crate) id: Option<&'a str>,
    pub(crate) number: Option<f64>,
}

/// Room for values that are not in the line as they are, used again for each line.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    text: Buffer,
    id: Buffer,
    number: Buffer,
    /// For texts that nobody wants.
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

/// Reads one line.
///
/// # Errors
/// What is wrong with the line.
pub(crate) fn parse<'a>(
    line: &'a str,
    fields: &Fields,
    scan: Scan,
    buffers: &'a mut Buffers,
) -> Result<Wanted<'a>, Problem> {
    match direct::parse(line, fields, buffers) {
        Some(found) => wanted(line, fields, scan, found, buffers),
        None => parse_carefully(line, fields, scan, buffers),
    }
}

/// Reads the values that documents are grouped by: texts as they are, numbers and booleans as they are written. Each field is looked up as
/// the text is.
///
/// # Errors
/// What is wrong with the line; [`Problem::NotText`] for lists and objects.
pub(crate) fn read_groups(
    line: &str,
    fields: &Fields,
    buffers: &mut Buffers,
    values: &mut GroupValues,
) -> Result<(), Problem> {
    values.clear();
    for field in &fields.within {
        let only = Fields { text: field.clone(), id: None, number: None, within: Vec::new() };
        let found = match direct::parse(line, &only, buffers) {
            Some(found) => found,
            None => careful::parse(line, &only, buffers)?,
        };
        values.push(match found.text {
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
    fields: &Fields,
    scan: Scan,
    buffers: &'a mut Buffers,
) -> Result<Wanted<'a>, Problem> {
    let found = careful::parse(line, fields, buffers)?;
    wanted(line, fields, scan, found, buffers)
}

fn wanted<'a>(
    line: &'a str,
    fields: &Fields,
    scan: Scan,
    found: Found<'a>,
    buffers: &'a Buffers,
) -> Result<Wanted<'a>, Problem> {
    let text = match found.text {
        Some(Value::Borrowed(text)) => text,
        Some(Value::Copied) => buffers.text.text(),
        Some(Value::Number(written)) if scan == Scan::Lists => written,
        Some(other) => return Err(Problem::NotText { field: fields.text.clone(), found: other.kind() }),
        None => return Err(careful::missing(line, &fields.text)),
    };
    let is_text = |field: &Option<String>| field.as_ref() == Some(&fields.text);
    let id = match found.id {
        _ if is_text(&fields.id) => Some(text),
        Some(Value::Borrowed(id) | Value::Number(id)) => Some(id),
        Some(Value::Copied) => Some(buffers.id.text()),
        _ => None,
    };
    // A text may hold one, as in a table, where all fields are text.
    let number = match found.number {
        _ if is_text(&fields.number) => Some(text),
        Some(Value::Borrowed(number) | Value::Number(number)) => Some(number),
        Some(Value::Copied) if fields.number == fields.id => Some(buffers.id.text()),
        Some(Value::Copied) => Some(buffers.number.text()),
        _ => None,
    };
    let number = number.and_then(|number| number.trim().parse().ok());
    Ok(Wanted { text, id, number: number.filter(|number: &f64| number.is_finite()) })
}

#[cfg(test)]
mod tests;
