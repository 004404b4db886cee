//! Picks fields out of a JSON object in one pass, and checks all of it.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The fields to pick. A name with a dot is looked for as it is, and as a path.
#[derive(Debug, Default)]
pub(crate) struct Picker {
    names: Vec<FieldName>,
}

/// A name of an object.
#[derive(Debug)]
struct FieldName {
    name: String,
    /// The fields that it names itself.
    fields: Vec<usize>,
    inside: Picker,
}

/// The value of each field, as it is written.
pub(crate) type Picked<'j> = Vec<Option<&'j RawValue>>;

impl Picker {
    pub(crate) fn new(fields: &[&str]) -> Self {
        let mut picker = Picker::default();
        for (number, field) in fields.iter().enumerate() {
            picker.add(&[field], number);
            let path: Vec<&str> = field.split('.').collect();
            if path.len() > 1 {
                picker.add(&path, number);
            }
        }
        picker
    }

    fn add(&mut self, path: &[&str], field: usize) {
        let Some((first, rest)) = path.split_first() else { return };
        let at = self.names.iter().position(|known| known.name == *first).unwrap_or_else(|| {
            self.names.push(FieldName {
                name: (*first).to_owned(),
                fields: Vec::new(),
                inside: Picker::default(),
            });
            self.names.len() - 1
        });
        match rest.is_empty() {
            true => self.names[at].fields.push(field),
            false => self.names[at].inside.add(rest, field),
        }
    }

    /// Picks the fields of an object. If a name comes twice, its last value counts. A field by its whole name counts more than one by a path.
    ///
    /// # Errors
    /// If it is not JSON, or no object.
    pub(crate) fn pick<'j>(&self, json: &'j str, fields: usize) -> serde_json::Result<Picked<'j>> {
        let (mut by_name, mut by_path) = (vec![None; fields], vec![None; fields]);
        let mut deserializer = serde_json::Deserializer::from_str(json);
        PickedObject { picker: self, by_name: &mut by_name, by_path: &mut by_path, is_inside: false }
            .deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(by_name
            .into_iter()
            .zip(by_path)
            .map(|(by_name, by_path): (Option<_>, _)| by_name.or(by_path))
            .collect())
    }
}

/// An object whose fields are picked.
struct PickedObject<'p, 'j> {
    picker: &'p Picker,
    by_name: &'p mut Picked<'j>,
    by_path: &'p mut Picked<'j>,
    is_inside: bool,
}

impl<'j> DeserializeSeed<'j> for PickedObject<'_, 'j> {
    type Value = ();

    fn deserialize<D: Deserializer<'j>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'j> Visitor<'j> for PickedObject<'_, 'j> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'j>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key_seed(NameFinder(self.picker))? {
            let Some(name) = name else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value: &RawValue = map.next_value()?;
            for &field in &name.fields {
                let picked = if self.is_inside { &mut *self.by_path } else { &mut *self.by_name };
                picked[field] = Some(value);
            }
            if !name.inside.names.is_empty() && value.get().starts_with('{') {
                let inside = PickedObject {
                    picker: &name.inside,
                    by_name: self.by_name,
                    by_path: self.by_path,
                    is_inside: true,
                };
                // It is JSON, as it was parsed before.
                let mut deserializer = serde_json::Deserializer::from_str(value.get());
                inside.deserialize(&mut deserializer).map_err(serde::de::Error::custom)?;
            }
        }
        Ok(())
    }
}

/// Finds the name that a key is.
struct NameFinder<'p>(&'p Picker);

impl<'p, 'j> DeserializeSeed<'j> for NameFinder<'p> {
    type Value = Option<&'p FieldName>;

    fn deserialize<D: Deserializer<'j>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'p> Visitor<'_> for NameFinder<'p> {
    type Value = Option<&'p FieldName>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.names.iter().find(|name| name.name == key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pick(fields: &[&str], json: &str) -> Vec<Option<String>> {
        let picked = Picker::new(fields).pick(json, fields.len()).unwrap();
        picked.into_iter().map(|value| value.map(|value| value.get().to_owned())).collect()
    }

    #[test]
    fn fields_are_picked_by_name_by_path_and_the_last_of_several() {
        let some = |value: &str| Some(value.to_owned());
        assert_eq!(
            pick(&["a", "b.c", "d"], r#"{"a": 1, "b": {"c": [2, {"x": "}"}], "a": 0}}"#),
            [some("1"), some("[2, {\"x\": \"}\"}]"), None]
        );
        assert_eq!(pick(&["b.c"], r#"{"b.c": 1, "b": {"c": 2}}"#), [some("1")]);
        assert_eq!(
            pick(&["a", "a.b", "a"], r#"{"a": 1, "\u0061": {"b": true}}"#),
            [some("{\"b\": true}"), some("true"), some("{\"b\": true}")]
        );
        assert_eq!(pick(&["a.b"], r#"{"a": "none"}"#), [None]);
        assert_eq!(pick(&["a"], "{}"), [None]);
    }

    #[test]
    fn all_of_the_object_is_checked() {
        for json in
            ["", "1", "[1]", "{", "{} x", r#"{"a": 1, "b": }"#, r#"{"b": {"c": 01}}"#, "{\"b\": \"\u{1}\"}"]
        {
            assert!(Picker::new(&["a", "b.c"]).pick(json, 2).is_err(), "{json}");
        }
    }
}
