//! The careful way: any line that is JSON, and what is wrong with one that is not.
//!
//! Of values that nobody wants only the form counts, as in RFC 8259: a number of any size is one, and a text may have half a
//! surrogate pair. Python writes `NaN`, `Infinity` and `-Infinity`, which are no JSON; they are taken as numbers, as
//! a line is copied as it is to where such numbers are known.

use std::{borrow::Cow, fmt, ops::Range};

use memchr::memmem;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::{Deserializer, value::RawValue};

use super::{
    Buffers, direct,
    found::{Found, Key, Names, Value},
};
use crate::{Problem, record::split_path};

/// How many field names an error shows.
const SEEN_FIELDS: usize = 20;

/// The numbers that are no JSON, and others as long; a minus may stand before the second.
const NOT_FINITE: [(&str, &str); 2] = [("NaN", "0.0"), ("Infinity", "0.000000")];

/// The wanted fields of a line.
///
/// # Errors
/// What is wrong with the line.
pub(super) fn parse<'a>(
    line: &'a str,
    names: Names<'_>,
    buffers: &mut Buffers,
) -> Result<Found<'a>, Problem> {
    // Otherwise what is missing at the end would be missing on the next line.
    let line = line.trim_end_matches([' ', '\t', '\r', '\n']);
    let finite = with_finite_numbers(line);
    if !finite.trim_start().starts_with('{') {
        serde_json::from_str::<IgnoredAny>(&finite).map_err(broken)?;
        return Err(Problem::NotAnObject { found: Value::kind_of(line.trim_start()) });
    }
    let mut spans = Vec::new();
    members(&finite, |key, value| match unescaped(key).map_or(Key::Other, |key| Key::of(&key, names)) {
        Key::Other => {}
        key => spans.push((key, value)),
    })
    .map_err(broken)?;
    for name in [names.text, names.id, names.number].into_iter().flatten() {
        let key = Key::of(name, names);
        if split_path(name).is_some()
            && spans.iter().all(|(known, _)| *known != key)
            && let PathEnd::Value(value) = follow(&finite, name).map_err(broken)?
        {
            spans.push((key, value));
        }
    }
    let mut found = Found::default();
    for (key, span) in spans {
        let (buffer, field) = match key {
            Key::Text => (&mut buffers.text, names.text),
            Key::Id | Key::IdAndNumber => (&mut buffers.id, names.id),
            Key::Number | Key::Other => (&mut buffers.number, names.number),
        };
        let value = direct::value_of(&line[span], buffer).ok_or_else(|| {
            let field = field.unwrap_or_default();
            Problem::BrokenJson { message: format!("half a surrogate pair in field {field:?}") }
        })?;
        found.put(key, value, names);
    }
    Ok(found)
}

/// The names of the fields of a line that is an object, in their order; none if it is no object.
pub(crate) fn keys(line: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let read = members(&with_finite_numbers(line), |key, _| {
        keys.push(unescaped(key).unwrap_or(Cow::Borrowed(key)).into_owned());
    });
    read.map(|()| keys).unwrap_or_default()
}

/// What to say of a line that is an object without the text field: of a path, which fields are where it ends.
pub(super) fn missing(line: &str, field: &str) -> Problem {
    let finite = with_finite_numbers(line.trim_matches([' ', '\t', '\r', '\n']));
    let (object, before) = match follow(&finite, field) {
        Ok(PathEnd::NoObject { name, value }) => {
            return Problem::NoObjectOnPath {
                field: field.to_owned(),
                name: name.to_owned(),
                found: Value::kind_of(&finite[value]),
            };
        }
        Ok(PathEnd::Lacking { object, before }) => (object, before),
        Ok(PathEnd::Value(_)) | Err(_) => (0..finite.len(), ""),
    };
    let mut seen: Vec<String> = Vec::new();
    for key in keys(&finite[object]) {
        let key = format!("{before}{key}");
        if seen.len() < SEEN_FIELDS && !seen.contains(&key) {
            seen.push(key);
        }
    }
    Problem::MissingField { field: field.to_owned(), seen }
}

/// Where a name leads in a line.
enum PathEnd<'n> {
    /// To this value.
    Value(Range<usize>),
    /// To this object, which lacks the rest of it; its part before that ends with a dot.
    Lacking { object: Range<usize>, before: &'n str },
    /// To this value, which is no object; it is called by the first part of it.
    NoObject { value: Range<usize>, name: &'n str },
}

/// Follows a name through the objects of a line that is one.
///
/// Of a key that comes twice the last value counts; one that is the rest of the name itself comes first.
fn follow<'n>(line: &str, name: &'n str) -> serde_json::Result<PathEnd<'n>> {
    let (mut object, mut rest) = (0..line.len(), name);
    loop {
        let before = &name[..name.len() - rest.len()];
        let (mut whole, mut first) = (None, None);
        let path = split_path(rest);
        members(&line[object.clone()], |key, value| {
            let value = object.start + value.start..object.start + value.end;
            match unescaped(key) {
                Some(key) if key == rest => whole = Some(value),
                Some(key) if path.is_some_and(|(name, _)| key == name) => first = Some(value),
                _ => {}
            }
        })?;
        match (whole, first, path) {
            (Some(value), ..) => return Ok(PathEnd::Value(value)),
            (None, Some(value), Some((_, more))) if line[value.clone()].starts_with('{') => {
                (object, rest) = (value, more);
            }
            (None, Some(value), Some((_, more))) => {
                return Ok(PathEnd::NoObject { value, name: &name[..name.len() - more.len() - 1] });
            }
            _ => return Ok(PathEnd::Lacking { object, before }),
        }
    }
}

/// Tells the keys of an object, as they are written, and where their values are.
fn members(line: &str, tell: impl FnMut(&str, Range<usize>)) -> serde_json::Result<()> {
    let mut deserializer = Deserializer::from_str(line);
    deserializer.deserialize_map(Members { line, tell })?;
    deserializer.end()
}

struct Members<'a, T> {
    line: &'a str,
    tell: T,
}

impl<'de, T: FnMut(&str, Range<usize>)> Visitor<'de> for Members<'_, T> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        // As they are written: as texts, keys could not have half a surrogate pair.
        while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            let start = value.get().as_ptr().addr() - self.line.as_ptr().addr();
            (self.tell)(key.get(), start..start + value.get().len());
        }
        Ok(())
    }
}

/// A key, as it is written, without its escapes; `None` if it has half a surrogate pair.
fn unescaped(key: &str) -> Option<Cow<'_, str>> {
    match key.contains('\\') {
        true => serde_json::from_str(key).ok().map(Cow::Owned),
        false => Some(Cow::Borrowed(key.trim_matches('"'))),
    }
}

/// The line with finite numbers of the same length in the place of others.
fn with_finite_numbers(line: &str) -> Cow<'_, str> {
    if NOT_FINITE.iter().all(|(name, _)| memmem::find(line.as_bytes(), name.as_bytes()).is_none()) {
        return Cow::Borrowed(line);
    }
    let bytes = line.as_bytes();
    let (mut finite, mut copied, mut at, mut is_text) = (String::with_capacity(line.len()), 0, 0, false);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => is_text = !is_text,
            b'\\' if is_text => at += 1,
            b'N' | b'I' if !is_text => {
                let known = NOT_FINITE.iter().find(|(name, _)| bytes[at..].starts_with(name.as_bytes()));
                if let Some((name, other)) = known.filter(|(name, _)| is_apart(bytes, at, at + name.len())) {
                    finite.push_str(&line[copied..at]);
                    finite.push_str(other);
                    copied = at + name.len();
                    at = copied - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    finite.push_str(&line[copied..]);
    Cow::Owned(finite)
}

/// Does a name stand where a number may, and not in one?
fn is_apart(bytes: &[u8], start: usize, end: usize) -> bool {
    let before =
        bytes[..start].strip_suffix(b"-").filter(|_| bytes[start] == b'I').unwrap_or(&bytes[..start]);
    matches!(before, [] | [.., b':' | b',' | b'[' | b' ' | b'\t' | b'\r' | b'\n'])
        && matches!(&bytes[end..], [] | [b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n', ..])
}

fn broken(error: serde_json::Error) -> Problem {
    // serde_json says "at line 1 column 7"; the line is told apart, and is another one.
    Problem::BrokenJson { message: error.to_string().replace("line 1 ", "") }
}
