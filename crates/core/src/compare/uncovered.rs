//! The words that are lost if one text is removed and another is kept.
//!
//! Not for: the passages that two texts share. Those need both texts. This needs one text, and the features of the
//! other.

use crate::plan::Measure;
use crate::sketch::Sketcher;
use crate::text::{SECTION_SEPARATOR, Stretch};
use std::ops::Range;

/// The uncovered words of a text, which are in none of the features that it shares with another text.
///
/// Stop words do not count. Features are sets: a feature that one text has twice and the other once covers both places.
/// A word next to a change is covered as long as one of its features is shared. One different word in the middle of a
/// text therefore leaves one word uncovered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uncovered {
    /// The number of uncovered words.
    pub words: usize,
    /// The first uncovered words, in text order.
    ///
    /// Consecutive words appear as in the text, with single spaces for white space. ` … ` separates such stretches. An
    /// excerpt has up to 50 words and about 1,000 bytes. `… (+123)` then gives the number of further words.
    pub excerpt: String,
}

/// Words of an excerpt: as many as people read in a row of a table.
const MOST_WORDS: usize = 50;

/// Bytes of an excerpt: three times the usual length of 50 words. Texts may hold data without white space, and a row of
/// the list must not be as long as such a text.
const MOST_BYTES: usize = 1000;

/// Stands between stretches, and for omitted text.
const GAP: &str = "…";

impl Uncovered {
    /// The uncovered words of `text`.
    ///
    /// `shared` says whether the other text has a given feature. The features are those that [`Sketcher::compared`]
    /// returns.
    ///
    /// # Panics
    /// If the plan of the sketcher leaves out frequent features: see [`Plan::with_all_features`](crate::Plan::with_all_features).
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn of(sketcher: &mut Sketcher, text: &str, shared: impl Fn(u64) -> bool) -> Self {
        assert!(sketcher.plan().frequent().is_none(), "places of words follow from all features");
        let shares: Vec<bool> = sketcher.compared(text).iter().map(|&feature| shared(feature)).collect();
        if shares.iter().all(|&shared| shared) {
            // Locating the words takes longer than everything so far.
            return Uncovered::default();
        }
        let sections: Vec<Range<usize>> = sketcher.last_sections().collect();
        let located = sketcher.locate(text);
        let stop_words = sketcher.plan().stop_words();
        let words: Vec<&Stretch> = (located.places().iter().zip(located.hashes()))
            .filter_map(|(place, hash)| stop_words.binary_search(hash).is_err().then_some(place))
            .collect();
        let longest = match sketcher.plan().measure() {
            Measure::WordJaccard => 1,
            Measure::Jaccard | Measure::Cosine | Measure::Containment => sketcher.plan().shingle(),
        };
        let mut covered = 0;
        let mut uncovered = Vec::new();
        let mut shares = shares.into_iter();
        for section in sections {
            // The features of a section start with one word after the other.
            let length = longest.min(section.len());
            let last = section.end - length;
            for word in section {
                if word <= last && shares.next() == Some(true) {
                    covered = word + length;
                }
                if word >= covered {
                    uncovered.push(word);
                }
            }
        }
        Uncovered { words: uncovered.len(), excerpt: excerpt(text, &words, &uncovered) }
    }
}

fn excerpt(text: &str, words: &[&Stretch], uncovered: &[usize]) -> String {
    let mut excerpt = String::new();
    let mut shown = 0;
    for stretch in uncovered.chunk_by(|word, next| word + 1 == *next) {
        let start = words[stretch[0]].bytes.start;
        let end_of = |word: usize| words[word].bytes.end.max(start);
        let room = MOST_BYTES.saturating_sub(excerpt.len());
        let fit = stretch.iter().take(MOST_WORDS - shown).take_while(|&&word| end_of(word) - start <= room);
        let mut fit = fit.count();
        let mut end = stretch[..fit].last().map_or(start, |&word| end_of(word));
        if shown == 0 && fit == 0 {
            // The first word alone is too long, so its beginning is shown.
            (fit, end) = (1, text.floor_char_boundary(start + room));
        }
        let is_cut = fit > 0 && end < end_of(stretch[fit - 1]);
        if fit > 0 && shown > 0 {
            excerpt += &format!(" {GAP} ");
        }
        let parts = text[start..end].split(|c: char| c.is_whitespace() || c == SECTION_SEPARATOR);
        for (index, part) in parts.filter(|part| !part.is_empty()).enumerate() {
            if index > 0 {
                excerpt.push(' ');
            }
            excerpt += part;
        }
        if is_cut {
            excerpt += GAP;
        }
        shown += fit;
        if fit < stretch.len() {
            break;
        }
    }
    match uncovered.len() - shown {
        0 => excerpt,
        more => format!("{excerpt} {GAP} (+{more})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Measure, Options, Tokens};
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    /// The uncovered words of `text` if `kept` is kept.
    fn lost(options: Options, kept: &str, text: &str) -> Uncovered {
        let plan = options.plan().unwrap();
        let mut sketcher = Sketcher::new(&plan);
        let features = sketcher.compared(kept).to_vec();
        Uncovered::of(&mut sketcher, text, |feature| features.contains(&feature))
    }

    fn by(shingle: usize) -> Options {
        Options { shingle: Some(shingle), ..Options::default() }
    }

    #[test]
    fn an_excerpt_has_words_as_in_the_text_and_separates_stretches() {
        let kept = "one two three four five six seven eight nine ten";
        let text = "ONE two three FOUR, and\n more: four five six seven eight nine ten Über-all.";
        let lost = lost(by(3), kept, text);
        assert_eq!(lost, Uncovered { words: 4, excerpt: "and more … Über-all".to_owned() });
    }

    #[test]
    fn one_other_word_leaves_one_word_uncovered() {
        let kept: Vec<String> = (0..40).map(|i| format!("w{i}")).collect();
        let text = kept.join(" ").replace("w20", "Other");
        assert_eq!(lost(by(5), &kept.join(" "), &text), Uncovered { words: 1, excerpt: "Other".to_owned() });
        assert_eq!(lost(by(5), &text, &text), Uncovered::default());
    }

    #[test]
    fn words_of_scripts_without_spaces_stay_together() {
        let lost_of = |kept, text| lost(by(2), kept, text).excerpt;
        assert_eq!(lost_of("我们今天发布了新的版本", "我们今天发布了很好的版本"), "很好");
        let chars = Options { tokens: Some(Tokens::Chars), ..by(1) };
        assert_eq!(lost(chars, "abc", "abxyc").excerpt, "xy");
    }

    #[test]
    fn a_word_measure_finds_uncovered_single_words() {
        let by_words = Options { measure: Some(Measure::WordJaccard), ..by(5) };
        assert_eq!(lost(by_words, "b a d c", "a b c d e"), Uncovered { words: 1, excerpt: "e".to_owned() });
    }

    #[test]
    fn stop_words_neither_count_nor_cut() {
        let stop_words = Options { stop_words: Some(vec!["the".to_owned(), "of".to_owned()]), ..by(1) };
        let lost = lost(stop_words, "a cat", "the hat of the cat, of course");
        assert_eq!(lost, Uncovered { words: 2, excerpt: "hat … course".to_owned() });
    }

    #[test]
    fn long_excerpts_say_how_many_words_follow() {
        let text = (0..173).map(|i| format!("w{i}")).collect::<Vec<_>>().join(" ");
        let many = lost(by(5), "nothing of this", &text);
        assert!(many.words == 173 && many.excerpt.ends_with(" w49 … (+123)"), "{many:?}");
        let long = lost(by(1), "a", &format!("a {} b", "é".repeat(2000)));
        assert_eq!(long, Uncovered { words: 2, excerpt: format!("{}… … (+1)", "é".repeat(500)) });
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_word_is_uncovered_if_no_shared_feature_has_it(
            kept in "[ab漢ｶﾞ㌔.]{0,12}([ \u{fdd0}][a-d]{1,2}){0,9}",
            text in "[ab漢ｶﾞ㌔.]{0,12}([ \u{fdd0}][a-d]{1,2}){0,9}",
            shingle in 1_usize..5, kind in 0_usize..3
        ) {
            let plan = Options { tokens: Some(Tokens::ALL[kind].1), ..by(shingle) }.plan().unwrap();
            let mut sketcher = Sketcher::new(&plan);
            // Each shingle with the place of its first word.
            let mut shingles = |text: &str| -> Vec<(usize, Vec<u64>)> {
                let (mut all, mut start) = (Vec::new(), 0);
                for section in text.split(SECTION_SEPARATOR) {
                    let tokens = sketcher.token_hashes(section).to_vec();
                    let windows = tokens.windows(shingle.min(tokens.len()).max(1));
                    all.extend(windows.enumerate().map(|(at, window)| (start + at, window.to_vec())));
                    start += tokens.len();
                }
                all
            };
            let (theirs, ours) = (shingles(&kept), shingles(&text));
            let words = sketcher.token_hashes(&text).len();
            let is_covered = |word: usize| ours.iter().any(|(at, shingle)| {
                (*at..at + shingle.len()).contains(&word) && theirs.iter().any(|(_, other)| other == shingle)
            });
            let expected = (0..words).filter(|&word| !is_covered(word)).count();
            let lost = lost(Options { tokens: Some(Tokens::ALL[kind].1), ..by(shingle) }, &kept, &text);
            prop_assert_eq!(lost.words, expected);
            prop_assert!(lost.words > 0 || lost.excerpt.is_empty());
        }

        #[test]
        fn any_text_of_any_length_is_handled(
            text in any::<String>(), repeats in 1_usize..200, shingle in 1_usize..9, kind in 0_usize..3, shared in 0_u64..4
        ) {
            let plan = Options { tokens: Some(Tokens::ALL[kind].1), ..by(shingle) }.plan().unwrap();
            let mut sketcher = Sketcher::new(&plan);
            let text = text.repeat(repeats);
            let words = sketcher.token_hashes(&text).len();
            // The other text has about a quarter, two or three quarters of the features, or none.
            let lost = Uncovered::of(&mut sketcher, &text, |feature| feature % 4 < shared);
            prop_assert!(lost.words <= words && (shared > 0 || lost.words == words));
            prop_assert!(lost.excerpt.len() < MOST_BYTES + 50);
        }
    }
}
