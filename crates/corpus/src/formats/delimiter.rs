use std::{fmt, str::FromStr};

/// The separator of fields in a table: any ASCII character except a quote and line ends.
///
/// It is parsed from that character, or from `tab` or `\t` for a tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delimiter(u8);

impl Delimiter {
    pub(crate) const COMMA: Delimiter = Delimiter(b',');
    pub(crate) const TAB: Delimiter = Delimiter(b'\t');

    pub(crate) fn byte(self) -> u8 {
        self.0
    }
}

/// The error for a text that is not a valid [`Delimiter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("give one ASCII character that is no quote and no line end, such as ; or |, or tab")]
pub struct BadDelimiter;

impl FromStr for Delimiter {
    type Err = BadDelimiter;

    fn from_str(text: &str) -> Result<Delimiter, BadDelimiter> {
        match text.as_bytes() {
            b"tab" | b"\\t" => Ok(Delimiter::TAB),
            [b'"' | b'\n' | b'\r'] => Err(BadDelimiter),
            &[byte] if byte.is_ascii() => Ok(Delimiter(byte)),
            _ => Err(BadDelimiter),
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            b'\t' => formatter.write_str("tab"),
            byte => write!(formatter, "{}", char::from(byte)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_one_ascii_character_and_survives_formatting() {
        for (text, byte) in
            [(";", b';'), ("|", b'|'), ("tab", b'\t'), ("\\t", b'\t'), ("\t", b'\t'), ("\u{1}", 1)]
        {
            let delimiter: Delimiter = text.parse().unwrap();
            assert_eq!(delimiter, Delimiter(byte));
            assert_eq!(delimiter.to_string().parse(), Ok(delimiter));
        }
        for text in ["", "\"", "\n", "\r", ";;", "é", "tabs"] {
            assert_eq!(text.parse::<Delimiter>(), Err(BadDelimiter), "{text:?}");
        }
    }
}
