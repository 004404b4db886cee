//! Reading the values of a record that an index stores.

use super::{
    ValueBuffers, careful, direct,
    found::{FieldNames, FieldValue},
};
use crate::record::{StoredValue, StoredValues, split_path};
use memchr::memmem;

/// Reads the values of `fields`. A field without a value that can be stored has none: the record itself was accepted before.
pub(super) fn read_stored(
    line: &str,
    fields: &[String],
    buffers: &mut ValueBuffers,
    values: &mut StoredValues,
) {
    values.clear();
    for field in fields {
        if !may_have(line, field) {
            values.push(None);
            continue;
        }
        let only = FieldNames::of_text(field);
        let found = match direct::parse(line, only, buffers) {
            Some(found) => Some(found),
            None => careful::parse(line, only, buffers).ok(),
        };
        values.push(match found.and_then(|found| found.text.value) {
            None | Some(FieldValue::Null) => None,
            Some(FieldValue::Borrowed(text)) => Some(StoredValue::Text(text)),
            Some(FieldValue::Copied) => Some(StoredValue::Text(buffers.text.text())),
            Some(
                FieldValue::Number(written)
                | FieldValue::Boolean(written)
                | FieldValue::List(written)
                | FieldValue::Object(written),
            ) => Some(StoredValue::Json(written)),
        });
    }
}

/// Whether the line may have the field. Searching for a name takes a fraction of the time of parsing the line, and many records have none of
/// the fields.
fn may_have(line: &str, field: &str) -> bool {
    // A key that is written without escapes stands between quotes. Within a text, a quote has an escape.
    let is_key = |name: &str| memmem::find(line.as_bytes(), format!("\"{name}\"").as_bytes()).is_some();
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'@' | b':');
    !field.bytes().all(is_plain)
        || is_key(field)
        || split_path(field).is_some_and(|(first, _)| is_key(first))
        || escapes_ascii(line)
}

/// Whether the line writes a character of ASCII as `\u00..`, perhaps one of a name.
fn escapes_ascii(line: &str) -> bool {
    let mut escapes = memmem::find_iter(line.as_bytes(), b"\\u00");
    escapes.any(|at| matches!(line.as_bytes().get(at + 4), Some(b'2'..=b'7')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(line: &str, fields: &[&str]) -> Vec<String> {
        let fields: Vec<String> = fields.iter().copied().map(str::to_owned).collect();
        let mut values = StoredValues::default();
        read_stored(line, &fields, &mut ValueBuffers::default(), &mut values);
        (0..fields.len())
            .map(|field| match values.get(field) {
                None => "none".to_owned(),
                Some(StoredValue::Text(text)) => format!("text {text}"),
                Some(StoredValue::Json(written)) => format!("json {written}"),
            })
            .collect()
    }

    #[test]
    fn values_of_every_kind_are_read_as_they_are_written() {
        let line = r#"{"a": "plain", "b": "\u00e9\n", "c": 1.50, "d": true, "e": [1, {"x": "]"}], "f": {"g": [ ], "h": "i"}, "n": null, "v": ""}"#;
        assert_eq!(
            stored(line, &["a", "b", "c", "d", "e", "f", "f.g", "f.h", "n", "v", "z", "a.z"]),
            [
                "text plain",
                "text é\n",
                "json 1.50",
                "json true",
                r#"json [1, {"x": "]"}]"#,
                r#"json {"g": [ ], "h": "i"}"#,
                "json [ ]",
                "text i",
                "none",
                "none",
                "none",
                "none"
            ]
        );
    }

    #[test]
    fn a_name_is_found_however_it_is_written() {
        assert_eq!(stored(r#"{"\u0075rl": "u"}"#, &["url"]), ["text u"]);
        assert_eq!(stored(r#"{"\u006detA": {"u": 1}}"#, &["metA.u"]), ["json 1"]);
        assert_eq!(stored(r#"{"Größe": 1, "a\/b": 2}"#, &["Größe", "a/b"]), ["json 1", "json 2"]);
        assert_eq!(stored(r#"{"Gr\u00f6\u00dfe": 1}"#, &["Größe"]), ["json 1"]);
        assert_eq!(stored(r#"{"m.u": 1, "m": {"u": 2}}"#, &["m.u"]), ["json 1"]);
    }

    #[test]
    fn a_value_that_is_no_text_is_none() {
        assert_eq!(stored(r#"{"title": "\ud800", "url": "u"}"#, &["title", "url"]), ["none", "text u"]);
        assert_eq!(stored(r#"{"meta": {"n": NaN}}"#, &["meta"]), [r#"json {"n": NaN}"#]);
    }

    /// The search for names does not change what is found.
    #[test]
    fn lines_without_a_field_in_them_have_no_value() {
        for line in [r#"{"text": "\"url\": 1"}"#, r#"{"text": "url"}"#, r#"{"text": "\\", "curl": 1}"#] {
            assert_eq!(stored(line, &["url"]), ["none"], "{line}");
        }
    }
}
