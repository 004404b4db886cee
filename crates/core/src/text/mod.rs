//! Tokens: the rules that cut texts, and the words that do not count.
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
//! `words` (the default): the text is put in its *normal form*, and a token is a maximal run of letters, digits, `_` and the
//! marks that stand in it (Unicode Technical Standard #18, `\w`). In scripts written without spaces (Han, Kana, Thai, Lao,
//! Khmer, Burmese) every character with its marks is a token.
//!
//! In the normal form these do not count: case and compatibility forms (Unicode's NFKC_Casefold, with `İ` as `i`),
//! invisible characters (Default_Ignorable_Code_Point), and optional writing (tatweel and harakat of Arabic, points and
//! cantillation of Hebrew).
//!
//! `whitespace`: the text is split at Unicode white space and left as it is.
//!
//! `chars`: the normal form, in which every run of white space becomes one space. Every character is a token.
//!
//! `jieba`: as `words`, but jieba's dictionary of Chinese cuts runs of Han characters into words. (This is optional, by
//! the feature `jieba` of this crate.)
//!
//! A text without words, only emoji or punctuation, is one token: its whole normal form, without white space around it.
//!
//! A text with [`SECTION_SEPARATOR`]s has the tokens of its sections, each of which is cut as a text of its own. No shingle has tokens of two
//! sections.
//!
//! Not for: the use of tokens, which is in `sketch`.

mod folds;
#[cfg(feature = "jieba")]
mod jieba;
mod jieba_words;
mod located;
mod normalised;
mod places;
mod sections;
mod stop_words;

pub use folds::{Fold, Folds};
pub use jieba_words::JiebaWords;
pub use located::Located;
pub use places::Stretch;
pub(crate) use places::locate;
pub use sections::SECTION_SEPARATOR;
pub(crate) use sections::{SectionStart, section_ranges, sections};
pub(crate) use stop_words::listed;
pub use stop_words::{stop_word_languages, stop_words};

use crate::characters::{CharacterRole, final_kind, normalise, unicode};
use crate::simd::{FRONT, Level, Spans};
use folds::{Joined, fold_tokens};

/// The rule that cuts a text into tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Tokens {
    /// Words of the normal form. In scripts written without spaces, single characters with their marks.
    #[default]
    Words,
    /// The parts between white space, unchanged.
    Whitespace,
    /// Every character of the normal form. A run of white space is one space.
    Chars,
    /// Words of the normal form, Chinese ones by jieba's dictionary.
    #[cfg(feature = "jieba")]
    Jieba,
}

impl Tokens {
    /// Every rule that is defined here, with its name in options and files. (A dictionary defines the one of jieba.)
    pub const ALL: [(&'static str, Tokens); 3] =
        [("words", Tokens::Words), ("whitespace", Tokens::Whitespace), ("chars", Tokens::Chars)];

    /// The rule with this name, if this program knows it.
    pub fn named(name: &str) -> Option<Self> {
        #[cfg(feature = "jieba")]
        if name == Tokens::Jieba.name() {
            return Some(Tokens::Jieba);
        }
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, tokens)| tokens)
    }

    /// The name in options and files.
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

/// Cuts `text` into tokens and writes them to `spans`. The `words` are added to the dictionary of jieba, and are of no use to other tokens.
///
/// # Panics
/// If the text takes 2 GiB or more, or 4 GiB once normalised.
pub(crate) fn split(
    tokens: Tokens,
    folds: Folds,
    words: Option<&JiebaWords>,
    level: Level,
    text: &str,
    spans: &mut Spans,
) {
    let mut sections = sections(text);
    split_section(tokens, folds, words, level, sections.next().unwrap_or_default(), spans);
    let mut more = Spans::default();
    for section in sections {
        split_section(tokens, folds, words, level, section, &mut more);
        spans.append_section(&more);
    }
}

/// Cuts one section.
fn split_section(
    tokens: Tokens,
    folds: Folds,
    words: Option<&JiebaWords>,
    level: Level,
    text: &str,
    spans: &mut Spans,
) {
    split_unfolded(tokens, folds, level, &Joined::new(folds, text).text, spans);
    if folds.change_tokens() {
        fold_tokens(tokens, folds, spans, |_, _| {});
    }
    #[cfg(feature = "jieba")]
    if tokens == Tokens::Jieba {
        jieba::split_han(spans, words);
    }
    #[cfg(not(feature = "jieba"))]
    let _ = words;
    // Tokens by white space need no such rule: a text that is not blank has a token.
    if spans.len() == 0 && tokens != Tokens::Whitespace {
        let whole = normalise(text);
        let whole = whole.trim_matches(unicode::is_whitespace);
        if !whole.is_empty() {
            spans.set_single(whole);
        }
    }
}

/// Cuts `text` by the rule of `tokens`, without folds and dictionary.
///
/// For digits and for a dictionary, tokens with a gap between them are apart in `spans`.
fn split_unfolded(tokens: Tokens, folds: Folds, level: Level, text: &str, spans: &mut Spans) {
    match tokens {
        // On the way, a kernel may leave out a gap.
        Tokens::Words if folds.contains(Fold::Digits) && !text.is_ascii() => {
            level.split_normalised_words(&normalise(text), spans);
            spans.forget_places();
        }
        Tokens::Words => {
            if !level.split_words(text, spans) {
                level.split_normalised_words(&normalise(text), spans);
                spans.forget_places();
            }
        }
        Tokens::Whitespace => level.split_whitespace(text, spans),
        Tokens::Chars => split_chars(&normalise(text), spans),
        #[cfg(feature = "jieba")]
        Tokens::Jieba => level.split_normalised_words(&normalise(text), spans),
    }
}

/// Whether the token is not one of those that a script without spaces is cut into.
pub(crate) fn is_one_word(token: &[u8]) -> bool {
    let first = std::str::from_utf8(token).ok().and_then(|token| token.chars().next());
    first.is_some_and(|c| final_kind(c) == CharacterRole::Word)
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
