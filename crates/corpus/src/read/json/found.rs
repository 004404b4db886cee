//! The fields to find in a line, and their values.

use crate::{Fields, record::split_path};

/// The names to find in an object: in a record, or in an object within it that a path leads into.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldNames<'f> {
    pub(super) text: Option<&'f str>,
    pub(super) id: Option<&'f str>,
    pub(super) number: Option<&'f str>,
    /// Whether one of the names has a dot, and so may be a path into an object.
    pub(super) has_path: bool,
    /// Whether a text may be null.
    pub(super) null_texts: bool,
    /// The number of objects around this one.
    level: u32,
}

impl<'f> FieldNames<'f> {
    /// The names for a record. A text of several values has none: it is read apart.
    pub(super) fn of(fields: &'f Fields) -> FieldNames<'f> {
        let names = [fields.text.single(), fields.id.as_deref(), fields.number.as_deref()];
        FieldNames { null_texts: fields.null_texts, ..FieldNames::at(0, names) }
    }

    /// A single name, in the place of the text's name.
    pub(super) fn of_text(name: &'f str) -> FieldNames<'f> {
        FieldNames::at(0, [Some(name), None, None])
    }

    fn at(level: u32, [text, id, number]: [Option<&'f str>; 3]) -> FieldNames<'f> {
        let has_path = [text, id, number].iter().flatten().any(|name| split_path(name).is_some());
        FieldNames { text, id, number, has_path, null_texts: false, level }
    }

    /// The names to find in the object that is the value of `key`. Values from an earlier key of this name are dropped.
    pub(super) fn inside(self, key: &str, found: &mut FieldValues<'_>) -> Option<FieldNames<'f>> {
        let rest = |name: Option<&'f str>, slot: &mut Slot<'_>| {
            let (_, rest) = split_path(name?).filter(|(first, _)| *first == key)?;
            slot.open(self.level).then_some(rest)
        };
        let FieldValues { text, id, number } = found;
        let inside = [rest(self.text, text), rest(self.id, id), rest(self.number, number)];
        inside.iter().any(Option::is_some).then(|| FieldNames::at(self.level + 1, inside))
    }
}

/// The values of the wanted fields that a record has.
#[derive(Default)]
pub(super) struct FieldValues<'a> {
    pub(super) text: Slot<'a>,
    pub(super) id: Slot<'a>,
    pub(super) number: Slot<'a>,
}

/// The slot for the value of a wanted field.
#[derive(Default)]
pub(super) struct Slot<'a> {
    pub(super) value: Option<FieldValue<'a>>,
    /// The [`FieldNames::level`] at which the value was found.
    level: u32,
}

impl<'a> Slot<'a> {
    fn set(&mut self, value: FieldValue<'a>, level: u32) {
        *self = Slot { value: Some(value), level };
    }

    /// Whether the value is still wanted inside the object of a key at this level. It is not if a key at this level equals the
    /// whole name. A value from a deeper level is dropped, as the last of two equal keys counts.
    fn open(&mut self, level: u32) -> bool {
        if self.level > level {
            self.value = None;
        }
        self.value.is_none()
    }
}

impl<'a> FieldValues<'a> {
    /// Stores the value of a key. If a key comes twice, its last value counts.
    pub(super) fn put(&mut self, key: KeyPurpose, value: FieldValue<'a>, names: FieldNames<'_>) {
        let level = names.level;
        match key {
            KeyPurpose::Text => self.text.set(value, level),
            KeyPurpose::Id => self.id.set(value, level),
            KeyPurpose::Number => self.number.set(value, level),
            KeyPurpose::IdAndNumber => {
                self.id.set(value, level);
                self.number.set(value, level);
            }
            KeyPurpose::Other => {}
        }
    }
}

/// The purpose of a key in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyPurpose {
    /// The text. It may also be the id and the number to choose by.
    Text,
    Id,
    Number,
    /// Both the id and the number to choose by.
    IdAndNumber,
    Other,
}

impl KeyPurpose {
    pub(super) fn of(key: &str, names: FieldNames<'_>) -> KeyPurpose {
        let is = |name: Option<&str>| name.is_some_and(|name| name == key);
        match (is(names.id), is(names.number)) {
            _ if is(names.text) => KeyPurpose::Text,
            (true, true) => KeyPurpose::IdAndNumber,
            (true, false) => KeyPurpose::Id,
            (false, true) => KeyPurpose::Number,
            (false, false) => KeyPurpose::Other,
        }
    }
}

/// The value of a wanted field.
#[derive(Debug, Clone, Copy)]
pub(super) enum FieldValue<'a> {
    /// A text that stands in the line unescaped.
    Borrowed(&'a str),
    /// A text that was unescaped into the buffer.
    Copied,
    /// A number, as it is written.
    Number(&'a str),
    Null,
    /// A boolean, as it is written.
    Boolean(&'a str),
    /// A list, as it is written.
    List(&'a str),
    /// An object, as it is written.
    Object(&'a str),
}

impl FieldValue<'_> {
    /// The kind of value, for messages.
    pub(super) fn kind(self) -> &'static str {
        match self {
            FieldValue::Borrowed(_) | FieldValue::Copied => "a text",
            FieldValue::Number(_) => "a number",
            FieldValue::Null => "null",
            FieldValue::Boolean(_) => "a boolean",
            FieldValue::List(_) => "a list",
            FieldValue::Object(_) => "an object",
        }
    }

    /// The kind of a value as it is written.
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
