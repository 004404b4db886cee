//! Finding the end of an element of a JSON array without parsing it.

use memchr::{memchr, memchr3};

/// Finds the commas between the elements of an array, and the end of the array.
///
/// An object ends with its last brace. Brackets in an object are ignored, so a missing one does not damage other elements. Any
/// other bytes between two commas are an element too, although not a valid record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ElementBoundary {
    is_text: bool,
    /// The number of open objects.
    braces: u32,
    /// The number of open lists outside objects.
    brackets: u32,
}

/// The byte that ends an element, and the position behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Comma(usize),
    /// The bracket that closes the array.
    Array(usize),
}

impl End {
    /// The position where the element ends.
    pub(super) fn of_element(self) -> usize {
        let (End::Comma(end) | End::Array(end)) = self;
        end - 1
    }
}

impl ElementBoundary {
    /// Whether no text, object or list is open behind the bytes that were scanned.
    pub(super) fn is_closed(&self) -> bool {
        !self.is_text && self.braces == 0 && self.brackets == 0
    }

    /// The end of the element that starts with `bytes`; `None` if `bytes` do not contain it.
    pub(super) fn first_end(bytes: &[u8]) -> Option<End> {
        ElementBoundary::default().next_end(bytes, 0).0
    }

    /// Finds the last end of an element in `bytes[from..]`, up to the end of the array. Also returns the position at which to
    /// continue when there are more bytes.
    pub(super) fn last_end(&mut self, bytes: &[u8], mut from: usize) -> (Option<End>, usize) {
        let mut last = None;
        loop {
            match self.next_end(bytes, from) {
                (Some(End::Comma(end)), _) => (last, from) = (Some(End::Comma(end)), end),
                (Some(end), seen) => return (Some(end), seen),
                (None, seen) => return (last, seen),
            }
        }
    }

    /// Finds the first end of an element in `bytes[from..]`, and the position at which to continue, as [`ElementBoundary::last_end`].
    pub(super) fn next_end(&mut self, bytes: &[u8], mut from: usize) -> (Option<End>, usize) {
        loop {
            if self.is_text {
                // The search is for quotes only. In prose whose line ends are escapes, backslashes are far more frequent.
                let quote = memchr(b'"', &bytes[from..]).map(|at| from + at);
                let end = quote.unwrap_or(bytes.len());
                let is_escaped = backslashes(&bytes[from..end]) % 2 == 1;
                if quote.is_none() {
                    // The last backslash escapes the next byte, so both must be scanned together.
                    return (None, end - usize::from(is_escaped));
                }
                (self.is_text, from) = (is_escaped, end + 1);
                continue;
            }
            let rest = &bytes[from..];
            let special = match self.braces {
                0 => rest.iter().position(|byte| matches!(byte, b'"' | b'{' | b'[' | b']' | b',')),
                _ => memchr3(b'"', b'{', b'}', rest),
            };
            let Some(at) = special.map(|at| from + at) else { return (None, bytes.len()) };
            from = at + 1;
            match bytes[at] {
                b'"' => self.is_text = true,
                b'{' => self.braces = self.braces.saturating_add(1),
                b'}' => self.braces -= 1,
                b'[' => self.brackets = self.brackets.saturating_add(1),
                b']' if self.brackets > 0 => self.brackets -= 1,
                b',' if self.brackets > 0 => {}
                b',' => return (Some(End::Comma(from)), from),
                _ => return (Some(End::Array(from)), from),
            }
        }
    }
}

/// The number of backslashes at the end of a text.
fn backslashes(text: &[u8]) -> usize {
    text.iter().rev().take_while(|&&byte| byte == b'\\').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_ends_with_a_comma_or_the_array_outside_texts_objects_and_lists() {
        for (bytes, end) in [
            (r#"{"a":"},]\"{"},"#, Some(End::Comma(15))),
            (r#"{"a":{"b":[1,{}]}} ]"#, Some(End::Array(20))),
            (r#"[[1,2],3],"#, Some(End::Comma(10))),
            (r#""a,\\", 1"#, Some(End::Comma(7))),
            // Damage within an object.
            (r#"{"a":[1},"#, Some(End::Comma(9))),
            (r#"{"a":1]},"#, Some(End::Comma(9))),
            (r#"{"a":1}},"#, Some(End::Comma(9))),
            (r#"{"a":1} {"b":2},"#, Some(End::Comma(16))),
            (r#"{"a":{"b":1},"#, None),
            (r#"{"a":"b},"#, None),
            (r#"{"a":"b\"#, None),
            ("", None),
        ] {
            assert_eq!(ElementBoundary::first_end(bytes.as_bytes()), end, "{bytes}");
        }
    }

    #[test]
    fn the_last_end_does_not_depend_on_how_the_bytes_are_cut() {
        for (bytes, expected) in [
            (&br#"{"a":"\\\"}"}, [1,"]"] ,{"b":{"#[..], End::Comma(24)),
            (br#"{"a":"\\\"}"}, [1,"]"] ,{"b":1}] , {}"#, End::Array(32)),
        ] {
            for cut in 0..bytes.len() {
                let mut boundary = ElementBoundary::default();
                let (first, seen) = boundary.last_end(&bytes[..cut], 0);
                let found = match first {
                    Some(End::Array(_)) => first,
                    _ => boundary.last_end(bytes, seen).0.or(first),
                };
                assert_eq!(found, Some(expected), "cut at {cut}");
            }
        }
    }
}
