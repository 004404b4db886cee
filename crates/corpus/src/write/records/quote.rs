use memchr::{memchr2, memchr3};

use crate::{Quoting, read::table::Dialect};

/// How the fields of a table are written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldForm {
    pub(crate) delimiter: u8,
    pub(crate) quoting: Quoting,
}

impl FieldForm {
    /// The form of fields that are added to records of a table.
    pub(crate) fn of(table: Dialect) -> FieldForm {
        FieldForm { delimiter: table.delimiter, quoting: table.quoting }
    }

    /// Appends a field of a record, in quotes or with backslashes if it needs them. Where it can have neither, a space stands for each
    /// delimiter and line end in it, or `_` if a space is the delimiter.
    pub(crate) fn push(self, out: &mut Vec<u8>, field: &str) {
        let bytes = field.as_bytes();
        let FieldForm { delimiter, quoting } = self;
        let escape = match quoting {
            Quoting::Doubled => b'"',
            Quoting::Escaped => b'\\',
            Quoting::Backslashes => {
                for &byte in bytes {
                    match byte {
                        b'\n' => out.extend(b"\\n"),
                        b'\r' => out.extend(b"\\r"),
                        b'\t' => out.extend(b"\\t"),
                        _ if byte == delimiter || byte == b'\\' => out.extend([b'\\', byte]),
                        _ => out.push(byte),
                    }
                }
                return;
            }
            Quoting::None => {
                let instead = if delimiter == b' ' { b'_' } else { b' ' };
                let is_special = |byte: u8| byte == delimiter || matches!(byte, b'\n' | b'\r');
                return out.extend(bytes.iter().map(|&byte| if is_special(byte) { instead } else { byte }));
            }
        };
        if memchr3(delimiter, b'"', b'\n', bytes).or_else(|| memchr2(b'\r', b'"', bytes)).is_none() {
            out.extend_from_slice(bytes);
            return;
        }
        out.push(b'"');
        let mut rest = bytes;
        while let Some(at) = memchr2(b'"', escape, rest) {
            out.extend_from_slice(&rest[..at]);
            out.extend([escape, rest[at]]);
            rest = &rest[at + 1..];
        }
        out.extend_from_slice(rest);
        out.push(b'"');
    }
}

/// Appends a text as a JSON string.
pub(crate) fn push_json(out: &mut Vec<u8>, text: &str) {
    // Writing a text to memory cannot fail.
    let _ = serde_json::to_writer(out, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fields_that_need_quotes_get_them() {
        for (field, doubled, escaped, none, backslashes) in [
            ("a b", "a b", "a b", "a b", "a b"),
            ("", "", "", "", ""),
            ("a,b", "\"a,b\"", "\"a,b\"", "a b", "a\\,b"),
            ("\"", "\"\"\"\"", "\"\\\"\"", "\"", "\""),
            ("a\\b", "a\\b", "a\\b", "a\\b", "a\\\\b"),
            ("a\\,", "\"a\\,\"", "\"a\\\\,\"", "a\\ ", "a\\\\\\,"),
            ("\r", "\"\r\"", "\"\r\"", " ", "\\r"),
            ("\n", "\"\n\"", "\"\n\"", " ", "\\n"),
        ] {
            for (quoting, written) in [
                (Quoting::Doubled, doubled),
                (Quoting::Escaped, escaped),
                (Quoting::None, none),
                (Quoting::Backslashes, backslashes),
            ] {
                let mut out = Vec::new();
                FieldForm { delimiter: b',', quoting }.push(&mut out, field);
                assert_eq!(String::from_utf8(out).unwrap(), written);
            }
        }
    }
}
