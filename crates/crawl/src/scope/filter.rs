//! Patterns that include or exclude URLs.

use glob::{MatchOptions, Pattern};
use serde::{Deserialize, Serialize};
use url::{Position, Url};

/// A pattern that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{pattern:?} is not a pattern: {reason}")]
pub struct BadPattern {
    /// The pattern.
    pub pattern: String,
    /// The reason.
    pub reason: String,
}

/// A list of globs for the path and query of a URL, such as `/blog/*` or `*.pdf`. A glob with `://` is for the whole URL. `*` stands for
/// any characters, also slashes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Patterns(Vec<Pattern>);

impl Patterns {
    /// Reads patterns.
    ///
    /// # Errors
    /// [`BadPattern`] names the first one that cannot be used.
    pub fn new(patterns: impl IntoIterator<Item = String>) -> Result<Self, BadPattern> {
        let read = |text: String| {
            Pattern::new(&text).map_err(|error| BadPattern { pattern: text, reason: error.msg.to_owned() })
        };
        Ok(Patterns(patterns.into_iter().map(read).collect::<Result<_, _>>()?))
    }

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first pattern that matches a URL.
    pub fn matching(&self, url: &Url) -> Option<&str> {
        let matches = |pattern: &&Pattern| {
            let whole = pattern.as_str().contains("://");
            let text = if whole { url.as_str() } else { &url[Position::BeforePath..] };
            pattern.matches_with(text, MatchOptions::default())
        };
        self.0.iter().find(matches).map(Pattern::as_str)
    }
}

impl PartialEq for Patterns {
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().map(Pattern::as_str).eq(other.0.iter().map(Pattern::as_str))
    }
}

impl TryFrom<Vec<String>> for Patterns {
    type Error = BadPattern;

    fn try_from(patterns: Vec<String>) -> Result<Self, BadPattern> {
        Patterns::new(patterns)
    }
}

impl From<Patterns> for Vec<String> {
    fn from(patterns: Patterns) -> Self {
        patterns.0.iter().map(|pattern| pattern.as_str().to_owned()).collect()
    }
}
