//! Reading a text from several fields, or from the elements of lists.

use super::{
    ValueBuffers, careful, direct,
    found::{FieldNames, FieldValue},
};
use crate::{
    Problem, TextFields,
    record::split_path,
    text_fields::{JoinedText, JoinedValues, NameStep},
};

/// Puts the text of an object together. Returns whether it is null.
///
/// # Errors
/// The problem of the object.
pub(super) fn read_joined(
    object: &str,
    fields: &TextFields,
    null_texts: bool,
    buffers: &mut ValueBuffers,
    text: &mut String,
) -> Result<bool, Problem> {
    let mut joined = fields.start(text);
    for name in fields.names() {
        NamedValues { name, buffers, joined: &mut joined }.of_object(object, name)?;
    }
    match joined.found() {
        JoinedValues::Found => Ok(false),
        JoinedValues::Nulls if null_texts => Ok(true),
        JoinedValues::Nulls => Err(Problem::NotText { field: fields.to_string(), found: "null" }),
        JoinedValues::Nothing => {
            Err(Problem::MissingField { field: fields.to_string(), seen: seen(object, fields) })
        }
    }
}

/// The values that one name leads to.
struct NamedValues<'v, 't> {
    name: &'v str,
    buffers: &'v mut ValueBuffers,
    joined: &'v mut JoinedText<'t>,
}

impl NamedValues<'_, '_> {
    /// The values in an object. `from` is the part of the name that leads on from it, and starts with a field.
    fn of_object(&mut self, object: &str, from: &str) -> Result<(), Problem> {
        let NameStep::Field { field, rest } = NameStep::of(from) else {
            return Err(self.unfit(from, "an object"));
        };
        let only = FieldNames::of_text(field);
        let found = match direct::parse(object, only, self.buffers) {
            Some(found) => found,
            None => careful::parse(object, only, self.buffers)?,
        };
        match (found.text.value, NameStep::of(rest)) {
            (Some(FieldValue::Borrowed(text)), NameStep::Text) => self.joined.push(text),
            (Some(FieldValue::Copied), NameStep::Text) => self.joined.push(self.buffers.text.text()),
            (Some(FieldValue::Null), _) => self.joined.push_null(),
            (Some(FieldValue::List(list)), NameStep::Elements { rest }) => self.of_list(list, rest)?,
            (Some(other), _) => return Err(self.unfit(rest, other.kind())),
            // The name itself may be one of a field.
            (None, _) if from.len() > field.len() && from.len() == self.name.len() => {
                return self.of_field(object);
            }
            (None, _) if split_path(field).is_none() => {}
            (None, _) => match careful::missing(object, field) {
                // A text in an object that is null is null.
                Problem::NoObjectOnPath { found: "null", .. } => self.joined.push_null(),
                Problem::NoObjectOnPath { name, found, .. } => {
                    let before = &self.name[..self.name.len() - from.len()];
                    return Err(Problem::NoObjectOnPath {
                        field: self.name.to_owned(),
                        name: format!("{before}{name}"),
                        found,
                    });
                }
                _ => {}
            },
        }
        Ok(())
    }

    /// The value of a field that is called as the whole name, such as `tags[]`, if there is one.
    fn of_field(&mut self, object: &str) -> Result<(), Problem> {
        let only = FieldNames::of_text(self.name);
        let found = match direct::parse(object, only, self.buffers) {
            Some(found) => found,
            None => careful::parse(object, only, self.buffers)?,
        };
        match found.text.value {
            Some(FieldValue::Borrowed(text)) => self.joined.push(text),
            Some(FieldValue::Copied) => self.joined.push(self.buffers.text.text()),
            Some(FieldValue::Null) => self.joined.push_null(),
            Some(other) => return Err(self.unfit("", other.kind())),
            None => {}
        }
        Ok(())
    }

    /// The values in the elements of a list, as it is written.
    fn of_list(&mut self, list: &str, rest: &str) -> Result<(), Problem> {
        let elements = direct::elements(list, &mut self.buffers.other);
        let elements = elements.map_or_else(|| careful::elements(list), Ok)?;
        if elements.is_empty() {
            self.joined.push("");
        }
        for element in elements {
            match (element.as_bytes().first(), NameStep::of(rest)) {
                (Some(b'"'), NameStep::Text) => match direct::value_of(element, &mut self.buffers.text) {
                    Some(FieldValue::Borrowed(text)) => self.joined.push(text),
                    Some(_) => self.joined.push(self.buffers.text.text()),
                    None => return Err(careful::unpaired_surrogate(self.name)),
                },
                (Some(b'n'), _) => self.joined.push_null(),
                (Some(b'['), NameStep::Elements { rest }) => self.of_list(element, rest)?,
                (Some(b'{'), NameStep::Field { .. }) => self.of_object(element, rest)?,
                _ => return Err(self.unfit(rest, FieldValue::kind_of(element))),
            }
        }
        Ok(())
    }

    /// The problem of a value from which the `rest` of the name does not lead on.
    fn unfit(&self, rest: &str, found: &'static str) -> Problem {
        let field = self.name.to_owned();
        let name = self.name[..self.name.len() - rest.len()].trim_end_matches('.').to_owned();
        match NameStep::of(rest) {
            NameStep::Text => Problem::NotText { field, found },
            NameStep::Elements { .. } => Problem::NoListOnPath { field, name, found },
            NameStep::Field { .. } => Problem::NoObjectOnPath { field, name, found },
        }
    }
}

/// The names of the fields at the place from which the first of `fields` leads nowhere.
fn seen(object: &str, fields: &TextFields) -> Vec<String> {
    let Some(name) = fields.names().first() else { return Vec::new() };
    let (mut object, mut rest) = (object, name.as_str());
    let mut buffers = ValueBuffers::default();
    loop {
        let NameStep::Field { field, rest: behind } = NameStep::of(rest) else { return Vec::new() };
        let before = &name[..name.len() - rest.len()];
        let found = direct::parse(object, FieldNames::of_text(field), &mut buffers);
        let (Some(FieldValue::List(list)), NameStep::Elements { rest: more }) =
            (found.and_then(|found| found.text.value), NameStep::of(behind))
        else {
            let Problem::MissingField { seen, .. } = careful::missing(object, field) else {
                return Vec::new();
            };
            return seen.into_iter().map(|seen| format!("{before}{seen}")).collect();
        };
        let elements = direct::elements(list, &mut buffers.other).unwrap_or_default();
        let Some(element) = elements.into_iter().find(|element| element.starts_with('{')) else {
            return Vec::new();
        };
        (object, rest) = (element, more);
    }
}
