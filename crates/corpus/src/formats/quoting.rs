use std::fmt;

/// How the fields of a table are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quoting {
    /// A quoted field may hold delimiters and line ends. A quote in it is written twice.
    #[default]
    Doubled,
    /// The same, and in a quoted field a backslash before a quote or another backslash makes it text.
    Escaped,
    /// Fields are never quoted, and a quote is text.
    None,
    /// The same, and a backslash begins an escape: of a delimiter, of a line end, or as in `\n`, `\t` and `\\`.
    Backslashes,
}

impl Quoting {
    /// Whether a quote opens a quoted field.
    pub(crate) fn has_quotes(self) -> bool {
        matches!(self, Quoting::Doubled | Quoting::Escaped)
    }
}

impl fmt::Display for Quoting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Quoting::Doubled => "doubled",
            Quoting::Escaped => "escaped",
            Quoting::None => "none",
            Quoting::Backslashes => "backslashes",
        })
    }
}
