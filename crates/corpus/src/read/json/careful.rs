//! The careful parser. It accepts any line that is JSON, and explains what is wrong with other lines.
//!
//! Values of unwanted fields are only checked for their form, as in RFC 8259: a number may have any size, and a text may hold
//! an unpaired surrogate. Python writes `NaN`, `Infinity` and `-Infinity`, which are not JSON. They are accepted as numbers,
//! because kept lines are copied unchanged for programs that know such numbers.

use std::{borrow::Cow, fmt, ops::Range};

use memchr::memmem;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::{Deserializer, value::RawValue};

use super::{
    ValueBuffers, direct,
    found::{FieldNames, FieldValue, FieldValues, KeyPurpose},
};
use crate::{Problem, record::split_path};

/// The maximum number of field names that an error shows.
const SEEN_FIELDS: usize = 20;

/// The objects within an object whose fields an error shows.
const DEPTH: usize = 3;

/// The numbers that are not JSON, with finite numbers of the same length. A minus may stand before `Infinity`.
const NOT_FINITE: [(&str, &str); 2] = [("NaN", "0.0"), ("Infinity", "0.000000")];

/// Reads the wanted fields of a line.
///
/// # Errors
/// The problem of the line.
pub(super) fn parse<'a>(
    line: &'a str,
    names: FieldNames<'_>,
    buffers: &mut ValueBuffers,
) -> Result<FieldValues<'a>, Problem> {
    // Without this, an error at the end would be reported on the next line.
    let line = line.trim_end_matches([' ', '\t', '\r', '\n']);
    let finite = with_finite_numbers(line);
    if !finite.trim_start().starts_with('{') {
        serde_json::from_str::<IgnoredAny>(&finite).map_err(broken)?;
        return Err(Problem::NotAnObject { found: FieldValue::kind_of(line.trim_start()) });
    }
    let mut spans = Vec::new();
    members(&finite, |key, value| {
        match unescaped(key).map_or(KeyPurpose::Other, |key| KeyPurpose::of(&key, names)) {
            KeyPurpose::Other => {}
            key => spans.push((key, value)),
        }
    })
    .map_err(broken)?;
    for name in [names.text, names.id, names.number].into_iter().flatten() {
        let key = KeyPurpose::of(name, names);
        if split_path(name).is_some()
            && spans.iter().all(|(known, _)| *known != key)
            && let PathEnd::Value(value) = follow(&finite, name).map_err(broken)?
        {
            spans.push((key, value));
        }
    }
    let mut found = FieldValues::default();
    for (key, span) in spans {
        let (buffer, field) = match key {
            KeyPurpose::Text => (&mut buffers.text, names.text),
            KeyPurpose::Id | KeyPurpose::IdAndNumber => (&mut buffers.id, names.id),
            KeyPurpose::Number | KeyPurpose::Other => (&mut buffers.number, names.number),
        };
        let value = direct::value_of(&line[span], buffer)
            .ok_or_else(|| unpaired_surrogate(field.unwrap_or_default()))?;
        found.put(key, value, names);
    }
    Ok(found)
}

/// The place of the value of a field in a line, with its quotes if it is a text. `None` if the line has no such field, or is no object.
pub(crate) fn place_of(line: &str, field: &str) -> Option<Range<usize>> {
    let finite = with_finite_numbers(line.trim_end_matches([' ', '\t', '\r', '\n']));
    let mut place = None;
    let read = members(&finite, |key, value| {
        if unescaped(key).is_some_and(|key| key == field) {
            place = Some(value);
        }
    });
    read.ok()?;
    match (place, split_path(field)) {
        (None, Some(_)) => match follow(&finite, field).ok()? {
            PathEnd::Value(value) => Some(value),
            PathEnd::Lacking { .. } | PathEnd::NoObject { .. } => None,
        },
        (place, _) => place,
    }
}

/// The problem of a text that is no Unicode.
pub(super) fn unpaired_surrogate(field: &str) -> Problem {
    Problem::BrokenJson { message: format!("unpaired surrogate in field {field:?}") }
}

/// The elements of a list, as they are written.
///
/// # Errors
/// The problem of the list.
pub(super) fn elements(list: &str) -> Result<Vec<&str>, Problem> {
    let finite = with_finite_numbers(list);
    let elements: Vec<&RawValue> = serde_json::from_str(&finite).map_err(broken)?;
    let start = finite.as_ptr().addr();
    let place = |element: &&RawValue| {
        let at = element.get().as_ptr().addr() - start;
        &list[at..at + element.get().len()]
    };
    Ok(elements.iter().map(place).collect())
}

/// The names of the fields of a JSON object, in their order. The list is empty if the line is not an object.
pub(crate) fn keys(line: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let read = members(&with_finite_numbers(line), |key, _| {
        keys.push(unescaped(key).unwrap_or(Cow::Borrowed(key)).into_owned());
    });
    read.map(|()| keys).unwrap_or_default()
}

/// The problem of an object without the text field. If the field's name is a path, it lists the fields of the last object on
/// that path.
pub(super) fn missing(line: &str, field: &str) -> Problem {
    let finite = with_finite_numbers(line.trim_matches([' ', '\t', '\r', '\n']));
    let (object, before) = match follow(&finite, field) {
        Ok(PathEnd::NoObject { name, value }) => {
            return Problem::NoObjectOnPath {
                field: field.to_owned(),
                name: name.to_owned(),
                found: FieldValue::kind_of(&finite[value]),
            };
        }
        Ok(PathEnd::Lacking { object, before }) => (object, before),
        Ok(PathEnd::Value(_)) | Err(_) => (0..finite.len(), ""),
    };
    let mut seen: Vec<String> = Vec::new();
    push_fields(&mut seen, &finite[object], before);
    Problem::MissingField { field: field.to_owned(), seen }
}

/// The problem of a text field with another value. If it is an object, its fields are listed.
pub(super) fn no_text(line: &str, field: &str, found: &'static str) -> Problem {
    let finite = with_finite_numbers(line.trim_matches([' ', '\t', '\r', '\n']));
    let (mut seen, field) = (Vec::new(), field.to_owned());
    if let Ok(PathEnd::Value(value)) = follow(&finite, &field)
        && finite[value.clone()].starts_with('{')
    {
        push_fields(&mut seen, &finite[value], &format!("{field}."));
    }
    if seen.is_empty() { Problem::NotText { field, found } } else { Problem::ObjectNotText { field, seen } }
}

/// Appends the names of the fields of an object, with those of inner objects instead of the objects. `before` stands before each name.
fn push_fields(seen: &mut Vec<String>, object: &str, before: &str) {
    // An error is the problem of the line, and was reported before.
    let _ = members(object, |key, value| {
        let key = format!("{before}{}", unescaped(key).unwrap_or(Cow::Borrowed(key)));
        let value = &object[value];
        let is_object = value.starts_with('{') && value[1..].trim_ascii_start() != "}";
        match is_object && before.matches('.').count() < DEPTH {
            true => push_fields(seen, value, &format!("{key}.")),
            false if seen.len() < SEEN_FIELDS && !seen.contains(&key) => seen.push(key),
            false => {}
        }
    });
}

/// The place that a name leads to in a line.
enum PathEnd<'n> {
    /// The value of the field.
    Value(Range<usize>),
    /// An object that lacks the rest of the name. `before` is the part of the name before that, with its dot.
    Lacking { object: Range<usize>, before: &'n str },
    /// A value that is not an object. `name` is the part of the name that leads to it.
    NoObject { value: Range<usize>, name: &'n str },
}

/// Follows a name through the objects of a line, which must be an object itself.
///
/// If a key comes twice, its last value counts. A key that equals the rest of the name has precedence over a path.
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

/// Calls `tell` with each key of an object, as it is written, and the range of its value.
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
        // Keys are read as written. A `String` could not hold an unpaired surrogate.
        while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            let start = value.get().as_ptr().addr() - self.line.as_ptr().addr();
            (self.tell)(key.get(), start..start + value.get().len());
        }
        Ok(())
    }
}

/// Removes the escapes from a key as it is written. `None` if it has an unpaired surrogate.
fn unescaped(key: &str) -> Option<Cow<'_, str>> {
    match key.contains('\\') {
        true => serde_json::from_str(key).ok().map(Cow::Owned),
        false => Some(Cow::Borrowed(key.trim_matches('"'))),
    }
}

/// The line with each non-finite number replaced by a finite one of the same length.
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

/// Whether a name from `start` to `end` stands where a number may stand, and not within another value.
fn is_apart(bytes: &[u8], start: usize, end: usize) -> bool {
    let before =
        bytes[..start].strip_suffix(b"-").filter(|_| bytes[start] == b'I').unwrap_or(&bytes[..start]);
    matches!(before, [] | [.., b':' | b',' | b'[' | b' ' | b'\t' | b'\r' | b'\n'])
        && matches!(&bytes[end..], [] | [b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n', ..])
}

/// The starts of common messages of the parser, and what they mean.
const IN_WORDS: [(&str, &str); 13] = [
    ("EOF while parsing a string", "a string is not closed"),
    ("EOF while parsing an object", "an object is not closed"),
    ("EOF while parsing a list", "a list is not closed"),
    ("EOF while parsing a value", "a value is missing"),
    ("trailing characters", "something stands behind the value"),
    ("trailing comma", "a comma stands before a closing bracket"),
    ("expected value", "a value is missing"),
    ("expected `:`", "a colon is missing"),
    ("expected `,` or `}`", "a comma or a closing brace is missing"),
    ("expected `,` or `]`", "a comma or a closing bracket is missing"),
    ("key must be a string", "a key is not in double quotes"),
    ("invalid escape", "a backslash stands before a wrong character"),
    ("control character", "a string holds a control character that is not escaped, such as a tab"),
];

fn broken(error: serde_json::Error) -> Problem {
    // serde_json says "at line 1 column 7". Its line is always 1, and the real line is reported elsewhere.
    let text = error.to_string();
    let (what, column) = text.rsplit_once(" at line 1 column ").unwrap_or((&text, ""));
    let what = IN_WORDS.iter().find(|(theirs, _)| what.starts_with(theirs)).map_or(what, |(_, ours)| ours);
    let place = if column.is_empty() { String::new() } else { format!(", at column {column}") };
    Problem::BrokenJson { message: format!("{what}{place}") }
}
