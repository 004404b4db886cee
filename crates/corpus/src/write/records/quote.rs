use memchr::{memchr_iter, memchr2, memchr3};

/// Appends a field of a CSV or TSV record, in quotes if it needs them.
pub(crate) fn push_field(out: &mut Vec<u8>, field: &str, delimiter: u8) {
    let bytes = field.as_bytes();
    if memchr3(delimiter, b'"', b'\n', bytes).or_else(|| memchr2(b'\r', b'"', bytes)).is_none() {
        out.extend_from_slice(bytes);
        return;
    }
    out.push(b'"');
    let mut start = 0;
    for quote in memchr_iter(b'"', bytes) {
        out.extend_from_slice(&bytes[start..=quote]);
        out.push(b'"');
        start = quote + 1;
    }
    out.extend_from_slice(&bytes[start..]);
    out.push(b'"');
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
        for (field, quoted) in [
            ("a b", "a b"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("\"", "\"\"\"\""),
            ("\r", "\"\r\""),
            ("\n", "\"\n\""),
        ] {
            let mut out = Vec::new();
            push_field(&mut out, field, b',');
            assert_eq!(String::from_utf8(out).unwrap(), quoted);
        }
    }
}
