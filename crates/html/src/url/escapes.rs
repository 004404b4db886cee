//! Percent-encoding, with one spelling for each text.

use std::borrow::Cow;

/// The characters of ASCII that are percent-encoded in paths and queries, besides control characters. It is the userinfo percent-encode
/// set of the URL Standard, without `/ : ; = @ # ?`, which separate the parts of a URL. Parsers leave some of them as they are.
const ENCODED: &[u8] = b" \"<>[\\]^`{|}";

/// Encodes what [`ENCODED`] has, decodes what needs no encoding, and puts the rest in upper case. A percent sign without two digits
/// stays, and gets none by decoding.
pub(super) fn one_spelling(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte == b'%' || ENCODED.contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        if let Some(byte) = encoded_byte(rest) {
            let is_unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
            if is_unreserved && !(byte.is_ascii_hexdigit() && lacks_digits(out.as_bytes())) {
                out.push(char::from(byte));
            } else {
                out.push_str(&format!("%{byte:02X}"));
            }
            rest = &rest[3..];
            continue;
        }
        match u8::try_from(first) {
            Ok(byte) if ENCODED.contains(&byte) => out.push_str(&format!("%{byte:02X}")),
            _ => out.push(first),
        }
        rest = &rest[first.len_utf8()..];
    }
    Cow::Owned(out)
}

/// The byte that a percent sign and two digits stand for, if `text` begins with them.
fn encoded_byte(text: &str) -> Option<u8> {
    let digits = text.strip_prefix('%')?.get(..2)?;
    let are_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    are_digits.then(|| u8::from_str_radix(digits, 16).ok())?
}

/// Whether `text` ends with a percent sign that has fewer than two digits.
fn lacks_digits(text: &[u8]) -> bool {
    matches!(text, [.., b'%']) || matches!(text, [.., b'%', digit] if digit.is_ascii_hexdigit())
}
