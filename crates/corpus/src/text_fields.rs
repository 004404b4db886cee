//! The fields that the text of a record is read from.

use std::{borrow::Cow, fmt};

use memchr::memmem;

/// The names of the fields that the text of a record is read from.
///
/// The text has the values of all of them, in the order of the names, with a text between any two. A field that a record lacks, or whose
/// value is null or an empty text, adds nothing. A record that has none of the fields is a bad record.
///
/// In JSON, Parquet and Arrow, `paragraphs[]` stands for the texts of the list `paragraphs`, and `messages[].content` for the texts in the
/// field `content` of the objects of the list `messages`. Columns of CSV and TSV have the names as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFields {
    names: Vec<String>,
    between: String,
}

impl TextFields {
    /// Fields with these names. `between` is put between two values.
    pub fn new(names: Vec<String>, between: impl Into<String>) -> Self {
        TextFields { names, between: between.into() }
    }

    /// The names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The text between two values.
    pub fn between(&self) -> &str {
        &self.between
    }

    /// Whether a text may have several values.
    pub fn are_several(&self) -> bool {
        self.single().is_none()
    }

    /// The name, if the text is the value of one field.
    pub(crate) fn single(&self) -> Option<&str> {
        match self.names.as_slice() {
            [name] if !name.contains(LIST) => Some(name),
            _ => None,
        }
    }

    /// The text to put together in `text`, which is emptied.
    pub(crate) fn start<'t>(&'t self, text: &'t mut String) -> JoinedText<'t> {
        text.clear();
        JoinedText { between: &self.between, text, has_value: false, has_null: false }
    }
}

impl From<String> for TextFields {
    fn from(name: String) -> Self {
        TextFields::new(vec![name], SEPARATOR)
    }
}

impl From<&str> for TextFields {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

impl From<&String> for TextFields {
    fn from(name: &String) -> Self {
        name.clone().into()
    }
}

/// The names, separated by commas.
impl fmt::Display for TextFields {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.names.join(","))
    }
}

/// Stands between values that are not joined. It is `SECTION_SEPARATOR` of `lookalike`, which cuts texts at it: readers leave it in no other
/// place.
pub(crate) const SEPARATOR: &str = "\u{fdd0}";

/// Stands behind the name of a list.
const LIST: &str = "[]";

/// A step of a name from a value to the texts in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameStep<'n> {
    /// The value is the text.
    Text,
    /// The value is a list. The rest of the name leads on from its elements.
    Elements { rest: &'n str },
    /// The value is an object, and the field is in it. The field may be a path. The rest leads on from its value.
    Field { field: &'n str, rest: &'n str },
}

impl NameStep<'_> {
    /// The first step of a name, or of the rest of one.
    pub(crate) fn of(name: &str) -> NameStep<'_> {
        if name.is_empty() {
            return NameStep::Text;
        }
        match name.strip_prefix(LIST) {
            Some(rest) => NameStep::Elements { rest: rest.strip_prefix('.').unwrap_or(rest) },
            None => {
                let (field, rest) = name.split_at(name.find(LIST).unwrap_or(name.len()));
                NameStep::Field { field, rest }
            }
        }
    }
}

/// A text that is put together from values.
#[derive(Debug)]
pub(crate) struct JoinedText<'t> {
    between: &'t str,
    text: &'t mut String,
    has_value: bool,
    has_null: bool,
}

/// A text of strangers with a space in place of each separator.
pub(crate) fn without_separators(text: &str) -> Cow<'_, str> {
    match memmem::find(text.as_bytes(), SEPARATOR.as_bytes()) {
        Some(_) => Cow::Owned(text.replace(SEPARATOR, " ")),
        None => Cow::Borrowed(text),
    }
}

/// What was found of a text that is put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JoinedValues {
    /// A text, or a list without elements.
    Found,
    /// Nulls alone.
    Nulls,
    /// Not one of the fields.
    Nothing,
}

impl JoinedText<'_> {
    pub(crate) fn push(&mut self, value: &str) {
        self.has_value = true;
        if !value.is_empty() {
            if !self.text.is_empty() {
                self.text.push_str(self.between);
            }
            self.text.push_str(&without_separators(value));
        }
    }

    pub(crate) fn push_null(&mut self) {
        self.has_null = true;
    }

    pub(crate) fn found(&self) -> JoinedValues {
        match (self.has_value, self.has_null) {
            (true, _) => JoinedValues::Found,
            (false, true) => JoinedValues::Nulls,
            (false, false) => JoinedValues::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_through_lists_and_objects() {
        let steps = |name: &'static str| {
            let (mut rest, mut steps) = (name, Vec::new());
            loop {
                match NameStep::of(rest) {
                    NameStep::Text => return steps,
                    NameStep::Elements { rest: more } => (rest, _) = (more, steps.push("each")),
                    NameStep::Field { field, rest: more } => (rest, _) = (more, steps.push(field)),
                }
            }
        };
        assert_eq!(steps("text"), ["text"]);
        assert_eq!(steps("meta.text"), ["meta.text"]);
        assert_eq!(steps("paragraphs[]"), ["paragraphs", "each"]);
        assert_eq!(steps("a.messages[].content.text"), ["a.messages", "each", "content.text"]);
        assert_eq!(steps("rows[][].cells[]"), ["rows", "each", "each", "cells", "each"]);
    }

    #[test]
    fn only_one_name_without_a_list_is_a_single_field() {
        assert_eq!(TextFields::from("meta.text").single(), Some("meta.text"));
        assert_eq!(TextFields::from("texts[]").single(), None);
        assert_eq!(TextFields::new(vec!["a".into(), "b".into()], " ").single(), None);
    }
}
