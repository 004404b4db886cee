//! What is looked for in a line, and what is found.

use crate::Fields;

/// The wanted fields of an object, as far as it has them.
#[derive(Default)]
pub(super) struct Found<'a> {
    pub(super) text: Option<Value<'a>>,
    pub(super) id: Option<Value<'a>>,
    pub(super) number: Option<Value<'a>>,
}

impl<'a> Found<'a> {
    /// Puts the value of a key where it is looked for. Of a key that comes twice the last value counts.
    pub(super) fn put(&mut self, key: Key, value: Value<'a>) {
        match key {
            Key::Text => self.text = Some(value),
            Key::Id => self.id = Some(value),
            Key::Number => self.number = Some(value),
            Key::IdAndNumber => (self.id, self.number) = (Some(value), Some(value)),
            Key::Other => {}
        }
    }
}

/// What a key of the line is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Key {
    /// The text, which may be the id and the number to choose by too.
    Text,
    Id,
    Number,
    /// The same field is both the id and the number to choose by.
    IdAndNumber,
    Other,
}

impl Key {
    pub(super) fn of(key: &str, fields: &Fields) -> Key {
        let is = |field: &Option<String>| field.as_deref() == Some(key);
        match (is(&fields.id), is(&fields.number)) {
            _ if key == fields.text => Key::Text,
            (true, true) => Key::IdAndNumber,
            (true, false) => Key::Id,
            (false, true) => Key::Number,
            (false, false) => Key::Other,
        }
    }
}

/// The value of a wanted field.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    /// A text that is in the line as it is.
    Borrowed(&'a str),
    /// A text that was unescaped into the buffer.
    Copied,
    /// A number as it is written.
    Number(&'a str),
    Null,
    /// A boolean as it is written.
    Boolean(&'a str),
    List,
    Object,
}

impl Value<'_> {
    /// The kind of value, for messages.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Value::Borrowed(_) | Value::Copied => "a text",
            Value::Number(_) => "a number",
            Value::Null => "null",
            Value::Boolean(_) => "a boolean",
            Value::List => "a list",
            Value::Object => "an object",
        }
    }

    /// The same of a value as it is written.
    pub(super) fn kind_of(written: &str) -> &'static str {
        match written.as_bytes().first() {
            Some(b'"') => "a text",
            Some(b'n') => "null",
            Some(b't' | b'f') => "a boolean",
            Some(b'[') => "a list",
            Some(b'{') => "an object",
            _ => "a number",
        }
    }
}
