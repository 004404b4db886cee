//! Text in, token hashes out.
//!
//! `words` (the default): NFKC, lower case; a token is a maximal run of alphanumeric characters or `_`, and in
//! scripts written without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) every character is one.
//! `whitespace`: case kept, split at Unicode white space. `chars`: NFKC, lower case, every run of white space
//! one space; every character is a token.
//! `jieba`: as `words`, but runs of Han characters are cut into words by jieba's dictionary of Chinese. (Optional: the
//! feature `jieba` of this crate.)
//! A text that holds something but no token, only emoji or punctuation, is one token: the whole text.
//!
//! Not for: what is done with tokens; that is `sketch`.

mod classes;
#[cfg(feature = "jieba")]
mod jieba;
mod located;
mod normalised;
mod places;
mod spans;
mod stop_words;
pub(crate) mod unicode;

pub(crate) use classes::{Classes, Kind, SIGMA, final_kind, folded, lower_sigma, stays_apart};
pub use located::Located;
pub use places::Stretch;
pub(crate) use places::locate;
pub(crate) use spans::{BACK, FRONT, Spans};
pub use stop_words::{stop_word_languages, stop_words};

use crate::simd::Level;
use unicode_normalization::UnicodeNormalization;

/// How a text is cut into tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tokens {
    /// Lower-case words after NFKC; single characters in scripts written without spaces.
    #[default]
    Words,
    /// What stands between white space, as it is.
    Whitespace,
    /// Every character, lower-case, after NFKC; white space is one space.
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

/// NFKC, then lower case of the whole text (the sigma that ends a word included).
fn normalise(text: &str) -> String {
    unicode::lowercase(&text.nfkc().collect::<String>())
}
