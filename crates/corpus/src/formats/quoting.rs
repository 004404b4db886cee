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
}

impl fmt::Display for Quoting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Quoting::Doubled => "doubled",
            Quoting::Escaped => "escaped",
            Quoting::None => "none",
        })
    }
}
