//! Tokens: how texts are cut, and which words do not count.
//!
//! ```
//! use lookalike::{Options, Plan, Sketcher, Tokens, text};
//!
//! let tokens = |tokens| {
//!     let plan = Options { tokens: Some(tokens), ..Options::default() }.plan().unwrap();
//!     Sketcher::new(&plan).tokens("Don't panic: 日本").map(str::to_owned).collect::<Vec<_>>()
//! };
//! assert_eq!(tokens(Tokens::Words), ["don", "t", "panic", "日", "本"]);
//! assert_eq!(tokens(Tokens::Whitespace), ["Don't", "panic:", "日本"]);
//! assert!(text::stop_words("en").unwrap().any(|word| word == "the"));
//! ```
//!
//!
//! `words` (the default): without invisible characters (those of Unicode's property Default_Ignorable_Code_Point), NFKC, lower case; a token is a maximal run of
//! alphanumeric characters or `_`, and in scripts written without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) every
//! character is one.
//! `whitespace`: the text as it is, split at Unicode white space. `chars`: without invisible characters, NFKC, lower
//! case, every run of white space one space; every character is a token.
//! `jieba`: as `words`, but runs of Han characters are cut into words by jieba's dictionary of Chinese. (Optional: the
//! feature `jieba` of this crate.)
//! A text of which something is left but no token, only emoji or punctuation, is one token: all that is left.
//!
//! Invisible characters go first, so a text with them has the tokens of the same text without. Neither NFKC nor lower case
//! makes new ones.
//!
//! Not for: what is done with tokens; that is `sketch`.

#[cfg(feature = "jieba")]
mod jieba;
mod located;
mod normalised;
mod places;
mod stop_words;

pub use located::Located;
pub use places::Stretch;
pub(crate) use places::locate;
pub use stop_words::{stop_word_languages, stop_words};

use crate::characters::{unicode, visible};
use crate::simd::{FRONT, Level, Spans};
use unicode_normalization::UnicodeNormalization;

/// How a text is cut into tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Tokens {
    /// Lower-case words after NFKC, without invisible characters; single characters in scripts written without spaces.
    #[default]
    Words,
    /// What stands between white space, as it is.
    Whitespace,
    /// Every visible character, lower-case, after NFKC; white space is one space.
    Chars,
    /// Lower-case words after NFKC, Chinese ones by jieba's dictionary.
    #[cfg(feature = "jieba")]
    Jieba,
}

impl Tokens {
    /// Every way that is defined here, by the name that people give it. (That of jieba is defined by its dictionary.)
    pub const ALL: [(&'static str, Tokens); 3] =
        [("words", Tokens::Words), ("whitespace", Tokens::Whitespace), ("chars", Tokens::Chars)];

    /// The way of this name, if this program knows it.
    pub fn named(name: &str) -> Option<Self> {
        #[cfg(feature = "jieba")]
        if name == Tokens::Jieba.name() {
            return Some(Tokens::Jieba);
        }
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, tokens)| tokens)
    }

    /// The name people give it.
    pub fn name(self) -> &'static str {
        match self {
            Tokens::Words => "words",
            Tokens::Whitespace => "whitespace",
            Tokens::Chars => "chars",
            #[cfg(feature = "jieba")]
            Tokens::Jieba => "jieba",
        }
    }
}

/// Cuts `text` into `spans`.
///
/// # Panics
/// If the text takes 4 GiB or more once normalised.
pub(crate) fn split(tokens: Tokens, level: Level, text: &str, spans: &mut Spans) {
    match tokens {
        Tokens::Words => {
            if !level.split_words(text, spans) {
                level.split_normalised_words(&normalise(text), spans);
            }
        }
        Tokens::Whitespace => level.split_whitespace(text, spans),
        Tokens::Chars => split_chars(&normalise(text), spans),
        #[cfg(feature = "jieba")]
        Tokens::Jieba => jieba::split(level, &normalise(text), spans),
    }
    // Split by white space, a text that holds something has a token.
    if spans.len() == 0 && tokens != Tokens::Whitespace {
        let whole = normalise(text);
        let whole = whole.trim_matches(unicode::is_whitespace);
        if !whole.is_empty() {
            spans.set_single(whole);
        }
    }
}

fn split_chars(text: &str, spans: &mut Spans) {
    spans.clear(text.len());
    let mut at = FRONT;
    for (index, piece) in unicode::split_whitespace(text).enumerate() {
        if index > 0 {
            at = spans.push(at, " ");
        }
        let mut utf8 = [0; 4];
        for character in piece.chars() {
            at = spans.push(at, character.encode_utf8(&mut utf8));
        }
    }
}

/// The text without invisible characters, by NFKC, then in lower case as a whole (the sigma that ends a word included).
fn normalise(text: &str) -> String {
    unicode::lowercase(&visible(text).nfkc().collect::<String>())
}
