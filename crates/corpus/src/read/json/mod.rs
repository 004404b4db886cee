//! One JSON line: the wanted fields out of it, and proof that all of it is JSON.
//!
//! Every value is checked, also those that are not wanted: a line that another reader would refuse is a bad record.
//! Of a key that comes twice the last value counts. Nesting deeper than 254 levels is refused.

mod buffer;
mod direct;
mod object;
mod problem;
mod unescape;
mod value;

use serde::de::Deserializer as _;

use self::{
    buffer::Buffer,
    object::{Found, ObjectVisitor},
    value::Value,
};
use super::Scan;
use crate::{Fields, Problem};

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

fn parse_carefully<'a>(
    line: &'a str,
    fields: &Fields,
    scan: Scan,
    buffers: &'a mut Buffers,
) -> Result<Wanted<'a>, Problem> {
    let mut deserializer = sonic_rs::Deserializer::from_str(line);
    // Not `deserialize_map`: of another value than an object, that one would skip all of it, without a limit of depth.
    let found = deserializer
        .deserialize_any(ObjectVisitor { fields, buffers })
        .and_then(|found| deserializer.end().map(|()| found));
    match found {
        Ok(found) => wanted(line, fields, scan, found, buffers),
        Err(error) => Err(problem::of_line(line, &error)),
    }
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
        Some(Value::Integer(_)) if scan == Scan::Lists => buffers.text.text(),
        Some(Value::Float(_)) if scan == Scan::Lists => as_written(line, &fields.text).unwrap_or_default(),
        Some(other) => return Err(Problem::NotText { field: fields.text.clone(), found: other.kind() }),
        None => return Err(problem::missing(line, &fields.text)),
    };
    let id = match found.id {
        Some(Value::Borrowed(id)) => Some(id),
        Some(Value::Copied | Value::Integer(_)) => Some(buffers.id.text()),
        Some(Value::Float(_)) => fields.id.as_deref().and_then(|field| as_written(line, field)),
        _ => None,
    };
    let number = match found.number {
        Some(Value::Integer(number) | Value::Float(number)) => Some(number),
        // As in a table, where all fields are text.
        Some(Value::Borrowed(digits)) => digits.trim().parse().ok(),
        Some(Value::Copied) => buffers.number.text().trim().parse().ok(),
        _ => None,
    };
    Ok(Wanted { text, id, number: number.filter(|number: &f64| number.is_finite()) })
}

/// A number as the line has it. The line must be JSON.
fn as_written<'a>(line: &'a str, field: &str) -> Option<&'a str> {
    let mut last = None;
    for entry in sonic_rs::to_object_iter(line) {
        let (key, value) = entry.ok()?;
        if key == field {
            // The value owns a copy of the slice, so its place in the line is found again.
            let start = value.as_raw_str().as_ptr().addr() - line.as_ptr().addr();
            last = line.get(start..start + value.as_raw_str().len());
        }
    }
    last
}

#[cfg(test)]
mod tests;
