use std::fmt;

use super::buffer::Buffer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

/// The value of a wanted field.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'de> {
    /// A text that is in the line as it is.
    Borrowed(&'de str),
    /// A text that was unescaped into the buffer.
    Copied,
    /// An integer; the buffer has its digits.
    Integer(f64),
    /// A number that is not a 64-bit integer.
    Float(f64),
    Null,
    Boolean,
    List,
    Object,
}

impl Value<'_> {
    /// The kind of value, for messages.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Value::Borrowed(_) | Value::Copied => "a text",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::Null => "null",
            Value::Boolean => "a boolean",
            Value::List => "a list",
            Value::Object => "an object",
        }
    }
}

/// Reads any value; one that cannot be borrowed is written into the buffer.
pub(super) struct ValueInto<'b>(pub(super) &'b mut Buffer);

impl<'de> DeserializeSeed<'de> for ValueInto<'_> {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl ValueInto<'_> {
    fn digits<'de>(self, integer: impl fmt::Display, number: f64) -> Value<'de> {
        self.0.set(&integer.to_string());
        Value::Integer(number)
    }
}

impl<'de> Visitor<'de> for ValueInto<'_> {
    type Value = Value<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'de>, E> {
        self.0.set(text);
        Ok(Value::Copied)
    }

    fn visit_u64<E>(self, integer: u64) -> Result<Value<'de>, E> {
        Ok(self.digits(integer, integer as f64))
    }

    fn visit_i64<E>(self, integer: i64) -> Result<Value<'de>, E> {
        Ok(self.digits(integer, integer as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value<'de>, E> {
        Ok(Value::Float(number))
    }

    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value<'de>, E> {
        Ok(Value::Boolean)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Value<'de>, A::Error> {
        Skip.visit_seq(list).map(|()| Value::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value<'de>, A::Error> {
        Skip.visit_map(map).map(|()| Value::Object)
    }
}

/// Checks a value and forgets it.
///
/// Unlike `serde::de::IgnoredAny` it looks at every value: sonic-rs skips ignored values without checking `\u` escapes
/// and without a limit of depth, so that a line of a million brackets would overflow the stack.
pub(super) struct Skip;

impl<'de> DeserializeSeed<'de> for Skip {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Skip {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Skip)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key_seed(Skip)?.is_some() {
            map.next_value_seed(Skip)?;
        }
        Ok(())
    }
}
