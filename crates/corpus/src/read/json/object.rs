use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::{
    Buffers,
    value::{Skip, Value, ValueInto},
};
use crate::Fields;

/// Picks the wanted fields out of an object.
pub(super) struct ObjectVisitor<'b> {
    pub(super) fields: &'b Fields,
    pub(super) buffers: &'b mut Buffers,
}

/// The wanted fields of an object, as far as it has them.
#[derive(Default)]
pub(super) struct Found<'de> {
    pub(super) text: Option<Value<'de>>,
    pub(super) id: Option<Value<'de>>,
    pub(super) number: Option<Value<'de>>,
}

impl<'de> Visitor<'de> for ObjectVisitor<'_> {
    type Value = Found<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found<'de>, A::Error> {
        let mut found = Found::default();
        while let Some(key) = map.next_key_seed(KeySeed(self.fields))? {
            match key {
                Key::Text => found.text = Some(map.next_value_seed(ValueInto(&mut self.buffers.text))?),
                Key::Id => found.id = Some(map.next_value_seed(ValueInto(&mut self.buffers.id))?),
                Key::IdAndNumber => {
                    let value = map.next_value_seed(ValueInto(&mut self.buffers.id))?;
                    (found.id, found.number) = (Some(value), Some(value));
                }
                Key::Number => found.number = Some(map.next_value_seed(ValueInto(&mut self.buffers.number))?),
                Key::Other => map.next_value_seed(Skip)?,
            }
        }
        Ok(found)
    }
}

/// What a key of the line is for.
pub(super) enum Key {
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

struct KeySeed<'b>(&'b Fields);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Key;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Key, E> {
        Ok(Key::of(key, self.0))
    }
}
