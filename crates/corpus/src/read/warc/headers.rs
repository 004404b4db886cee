//! Headers of WARC and HTTP. Each field is a line, possibly with continuation lines, and its name may be in any case.

use std::borrow::Cow;

use memchr::memchr_iter;

/// The head of a WARC record or HTTP message: a first line, followed by fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head<'a> {
    pub(super) first_line: &'a [u8],
    fields: &'a [u8],
}

/// The length of the head at the start of `bytes`, including the blank line. `None` if there is no blank line. Lines may end
/// without a carriage return.
pub(super) fn head_length(bytes: &[u8]) -> Option<usize> {
    let mut start = 0;
    for end in line_ends(bytes) {
        if is_blank(&bytes[start..end]) {
            return Some(end);
        }
        start = end;
    }
    None
}

/// The position behind each line end.
pub(super) fn line_ends(bytes: &[u8]) -> impl Iterator<Item = usize> {
    memchr_iter(b'\n', bytes).map(|newline| newline + 1)
}

/// Whether the line, including its line end, is the blank line behind a head.
pub(super) fn is_blank(line: &[u8]) -> bool {
    matches!(line, b"\n" | b"\r\n")
}

impl<'a> Head<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Head<'a> {
        let end = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |newline| newline + 1);
        let (first_line, fields) = bytes.split_at(end);
        Head { first_line: first_line.trim_ascii_end(), fields }
    }

    /// The first field of this name, without the white space around its value. `None` if the field is missing or empty.
    pub(super) fn field(&self, name: &str) -> Option<Cow<'a, str>> {
        self.fields(name).next().filter(|value| !value.is_empty())
    }

    /// The values of all fields with a name, as one list: a list may be sent as several fields.
    pub(super) fn list(&self, name: &str) -> String {
        self.fields(name).collect::<Vec<_>>().join(",")
    }

    /// The values of all fields with a name, in their order.
    pub(super) fn fields(&self, name: &str) -> impl Iterator<Item = Cow<'a, str>> {
        let mut lines = self.fields.split(|&byte| byte == b'\n').peekable();
        std::iter::from_fn(move || {
            let value = lines.by_ref().find_map(|line| value_of(line, name))?;
            let mut value = String::from_utf8_lossy(value.trim_ascii());
            while let Some(more) = lines.next_if(|line| line.starts_with(b" ") || line.starts_with(b"\t")) {
                let more = String::from_utf8_lossy(more.trim_ascii());
                if !value.is_empty() && !more.is_empty() {
                    value.to_mut().push(' ');
                }
                value.to_mut().push_str(&more);
            }
            Some(value)
        })
    }
}

fn value_of<'a>(line: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let (found, value) = line.split_at_checked(name.len())?;
    let value = found.eq_ignore_ascii_case(name.as_bytes()).then_some(value)?;
    value.trim_ascii_start().strip_prefix(b":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_in_any_case_with_any_line_ends_and_folds() {
        for end in ["\r\n", "\n"] {
            let lines = [
                "WARC/1.0",
                "warc-type:response",
                "WARC-Target-URI : <a>",
                "X:  b",
                "\tc",
                "  d ",
                "X: e",
                "Y:",
                "",
                "body",
            ];
            let text = lines.join(end);
            let length = head_length(text.as_bytes()).unwrap();
            assert_eq!(&text[length..], "body");
            let head = Head::new(&text.as_bytes()[..length]);
            assert_eq!(head.first_line, b"WARC/1.0");
            assert_eq!(head.field("WARC-Type").as_deref(), Some("response"));
            assert_eq!(head.field("warc-target-uri").as_deref(), Some("<a>"));
            assert_eq!(head.field("x").as_deref(), Some("b c d"));
            assert_eq!((head.list("X").as_str(), head.list("Z").as_str()), ("b c d,e", ""));
            assert_eq!(head.field("Y"), None);
            assert_eq!(head.field("Z"), None);
        }
    }

    #[test]
    fn a_head_without_a_blank_line_has_no_length() {
        assert_eq!(head_length(b"WARC/1.0\r\nX: y\r\n"), None);
        assert_eq!(head_length(b"\r\n"), Some(2));
    }
}
