//! Records with another text. All other bytes of a record stay as they are.

use super::{
    lines::changed,
    quote::{self, FieldForm},
};
use crate::{
    Error, Fields, InputFile,
    formats::without_marks,
    read::{json, table::WantedColumns},
};

/// Appends a JSON object in which `text` is the value of the text field.
pub(super) fn push_json(
    record: &[u8],
    fields: &Fields,
    text: &str,
    file: &InputFile,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let object = without_marks(record);
    let place = str::from_utf8(object)
        .ok()
        .and_then(|object| json::place_of(object, fields.text.single()?))
        .ok_or_else(|| changed(file))?;
    out.extend_from_slice(&record[..record.len() - object.len()]);
    out.extend_from_slice(&object[..place.start]);
    quote::push_json(out, text);
    out.extend_from_slice(&object[place.end..]);
    Ok(())
}

/// Appends a record of a table with `text` in the column of the text.
pub(super) fn push_fields(
    record: &[u8],
    columns: &WantedColumns,
    text: &str,
    file: &InputFile,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let place = columns.place_of_text(record).ok_or_else(|| changed(file))?;
    out.extend_from_slice(&record[..place.start]);
    if text.is_empty() && columns.names.len() == 1 && columns.dialect.quoting.has_quotes() {
        // A record without anything would be a blank line.
        out.extend_from_slice(b"\"\"");
    }
    FieldForm::of(columns.dialect).push(out, text);
    out.extend_from_slice(&record[place.end..]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Quoting, read::table::Dialect};

    fn in_table(quoting: Quoting, record: &str, text: &str) -> String {
        let dialect = Dialect { delimiter: b',', line_end: b'\n', quoting };
        let fields = Fields::of_text("text");
        let columns = WantedColumns::new(b"id,text,more\n".to_vec(), dialect, &fields).unwrap();
        let place = columns.place_of_text(record.as_bytes()).unwrap();
        let mut out = record.as_bytes()[..place.start].to_vec();
        FieldForm::of(dialect).push(&mut out, text);
        out.extend_from_slice(&record.as_bytes()[place.end..]);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_the_field_of_the_text_changes() {
        for (quoting, record, expected) in [
            (Quoting::Doubled, "1,a,x\r\n", "1,\"b, c\",x\r\n"),
            (Quoting::Doubled, "\"1,\"\"\",\"a,\nb\",\"x\"\n", "\"1,\"\"\",\"b, c\",\"x\"\n"),
            (Quoting::Doubled, "1,,\n", "1,\"b, c\",\n"),
            (Quoting::Escaped, "\"1\\\",\",\"a\\\\\",x", "\"1\\\",\",\"b, c\",x"),
            (Quoting::None, "\"1,a\",x\n", "\"1,b  c,x\n"),
            (Quoting::Backslashes, "1\\,,a\\\n,x\n", "1\\,,b\\, c,x\n"),
        ] {
            assert_eq!(in_table(quoting, record, "b, c"), expected, "{record:?}");
        }
    }

    #[test]
    fn only_the_value_of_the_text_changes() {
        for (field, record, expected) in [
            (
                "text",
                r#" {"id": NaN, "text" : "a\nb", "x":[1]} "#,
                r#" {"id": NaN, "text" : "\"c\"", "x":[1]} "#,
            ),
            ("text", r#"{"text":"a","te\u0078t":"b"}"#, r#"{"text":"a","te\u0078t":"\"c\""}"#),
            ("m.t", r#"{"m":{"t":"a","u":"b"}}"#, r#"{"m":{"t":"\"c\"","u":"b"}}"#),
            ("m.t", r#"{"m":{"t":"a"},"m.t":"b"}"#, r#"{"m":{"t":"a"},"m.t":"\"c\""}"#),
        ] {
            let place = json::place_of(record, field).unwrap();
            let mut out = record.as_bytes()[..place.start].to_vec();
            quote::push_json(&mut out, "\"c\"");
            out.extend_from_slice(&record.as_bytes()[place.end..]);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
        assert_eq!(json::place_of(r#"{"m":1}"#, "m.t"), None);
    }
}
