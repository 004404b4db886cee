//! Tests mathematical properties, and agreement with the reference, on random texts and with every instruction set.

use crate::fixed::fixed;
use lookalike::text::{Fold, SECTION_SEPARATOR};
use lookalike::{FeatureHash, Level, Measure, Options, Plan, Scheme, Sketcher, Tokens};
use lookalike_reference::folds;
use lookalike_reference::normal::normalize;
use lookalike_reference::sections::{features_of_text, tokens_of_text};
use lookalike_reference::tokens::{Tokenizer, folded_tokens, token_hash, tokens};
use lookalike_reference::visible::{is_invisible, is_pictographic};
use lookalike_reference::{shingles, sketch};
use proptest::prelude::*;

/// Words, marks, capitals, CJK and gaps, from short alphabets, so that boundaries of all kinds occur.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[a-zA-Z0-9_]{1,20}",
        4 => "[ \t\n.,;'’—-]{1,3}",
        2 => "[éèÜßſĳŉΣσςΑΒКлﬁ½①ªº…´ˇ\u{301}\u{316}\u{327}\u{345}]{1,4}",
        2 => "[漢字カナかなｶﾞｱ々〇ไทยກຂកខကခ゙゚]{1,5}",
        1 => "[नमस्तेعَرَبِيّ가각각İı😀👍🏽\u{200d}\u{ad}\u{a0}\u{2028}\u{85}\u{1c}\u{0}]{1,4}",
        2 => "[aeoAEO\u{301}\u{308}\u{323}\u{342}\u{93c}\u{94d}नकஂொாெ\u{bbe}각가각゛゙か]{1,4}",
        2 => invisible(),
        1 => "[👩👧❤🏽ℹ™\u{200d}\u{fe0f}\u{ad}]{1,6}",
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z]{15,70}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A few invisible characters in a row.
fn invisible() -> impl Strategy<Value = String> {
    "[\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{180b}\u{180e}\u{200b}\u{200c}\u{200d}\u{200e}\u{202e}\u{2060}\u{3164}\u{fe0f}\u{feff}\u{ffa0}\u{1d173}\u{e0067}]{1,3}"
}

fn reference(tokens: Tokens) -> Tokenizer {
    match tokens {
        Tokens::Words => Tokenizer::Words,
        Tokens::Whitespace => Tokenizer::Whitespace,
        Tokens::Chars => Tokenizer::Chars,
        #[cfg(feature = "jieba")]
        Tokens::Jieba => unreachable!("not among those that are defined here"),
    }
}

proptest! {
    #![proptest_config(fixed(1500))]

    #[test]
    fn located_tokens_are_in_their_slices(text in texts()) {
        for (_, kind) in Tokens::ALL {
            let plan = Options { tokens: Some(kind), ..Options::default() }.plan().unwrap();
            let mut sketcher = Sketcher::new(&plan);
            let tokens: Vec<String> = sketcher.tokens(&text).map(str::to_owned).collect();
            let located = sketcher.locate(&text);
            prop_assert_eq!(tokens.len(), located.places().len());
            prop_assert_eq!(located.hashes(), sketcher.token_hashes(&text));
            prop_assert!(located.places().windows(2).all(|pair| pair[0].bytes.start <= pair[1].bytes.start));
            for (token, place) in tokens.iter().zip(located.places()) {
                let slice = &text[place.bytes.clone()];
                prop_assert_eq!(&text.chars().skip(place.chars.start).take(place.chars.len()).collect::<String>(), slice);
                // Invisible characters within a token are part of its place. At its ends they are not.
                let joiner = token == "\u{200d}";
                prop_assert!(kind == Tokens::Whitespace || joiner || slice == slice.trim_matches(is_invisible));
                match kind {
                    Tokens::Whitespace => prop_assert_eq!(token, slice),
                    _ if joiner => prop_assert!(slice.contains(token) && slice.chars().all(is_invisible), "{:?}", slice),
                    _ if token == " " => prop_assert!(slice.chars().any(char::is_whitespace) || normalize(slice).contains(' ')),
                    _ => prop_assert!(normalize(slice).contains(token), "{:?} in {:?}", token, slice),
                }
            }
        }
    }

    #[test]
    fn tokens_equal_the_reference(text in texts()) {
        for (_, kind) in Tokens::ALL {
            let plan = Options { tokens: Some(kind), ..Options::default() }.plan().unwrap();
            let expected = tokens(&text, reference(kind));
            let hashes: Vec<u64> = expected.iter().map(|token| token_hash(token, 0)).collect();
            for level in Level::available() {
                let mut sketcher = Sketcher::with_level(&plan, level);
                prop_assert_eq!(sketcher.tokens(&text).collect::<Vec<_>>(), expected.clone());
                prop_assert_eq!(sketcher.token_hashes(&text), &hashes[..]);
            }
        }
    }

    #[test]
    fn folded_tokens_equal_the_reference(
        texts in prop::collection::vec(prop_oneof![3 => texts(), 2 => "[0-9a-c１½٣१๑๒๓៣.\u{301} -]{1,12}", 1 => "(exam-\n ple|๑๒12๓|ｗ－ｋ|a\u{200b}-b|m²-x|\u{1100}\u{301}\u{1161}|x\u{ad}\r\ny|漢語發裏说|یکی ىة أإٱؤ|Łódź øđı ḙ\u{301}|1\u{301}2){1,3}"], 0..6),
        folds in prop::sample::subsequence(Fold::ALL.map(|(_, fold)| fold).to_vec(), 0..=5)
    ) {
        let text = texts.concat();
        let named: Vec<_> = folds.iter().map(|&fold| match fold {
            Fold::Digits => folds::Fold::Digits,
            Fold::Accents => folds::Fold::Accents,
            Fold::ArabicLetters => folds::Fold::ArabicLetters,
            Fold::Hyphens => folds::Fold::Hyphens,
            Fold::Chinese => folds::Fold::Chinese,
        }).collect();
        for kind in [Tokens::Words, Tokens::Chars] {
            let fold = Some(folds.iter().copied().collect());
            let plan = Options { tokens: Some(kind), fold, ..Options::default() }.plan().unwrap();
            let expected = folded_tokens(&text, reference(kind), &named);
            for level in Level::available() {
                let mut sketcher = Sketcher::with_level(&plan, level);
                prop_assert_eq!(sketcher.tokens(&text).collect::<Vec<_>>(), expected.clone());
                let located = sketcher.locate(&text);
                prop_assert_eq!(located.places().len(), expected.len());
                prop_assert!(located.places().windows(2).all(|pair| pair[0].bytes.start <= pair[1].bytes.start));
                for (token, place) in expected.iter().zip(located.places()) {
                    // What the place has makes the token too, and perhaps others.
                    let again = folded_tokens(&text[place.bytes.clone()], reference(kind), &named);
                    prop_assert!(again.contains(token) || token.contains(' ') || token == "\u{200d}" || !folds.is_empty() && kind == Tokens::Chars, "{:?} {:?}", token, &text[place.bytes.clone()]);
                }
            }
        }
    }

    #[test]
    fn invisible_characters_change_no_token(
        pieces in prop::collection::vec((texts(), invisible()), 0..6)
    ) {
        // Between emoji, U+200D counts.
        let visible = |text: &str| text.chars().filter(|&c| !is_invisible(c) && !is_pictographic(c)).collect::<String>();
        let with: String = pieces.iter().flat_map(|(text, more)| [visible(text), more.clone()]).collect();
        let without = visible(&with);
        for (_, kind) in Tokens::ALL.into_iter().filter(|(_, kind)| *kind != Tokens::Whitespace) {
            let plan = Options { tokens: Some(kind), ..Options::default() }.plan().unwrap();
            for level in Level::available() {
                let mut sketcher = Sketcher::with_level(&plan, level);
                let expected: Vec<String> = sketcher.tokens(&without).map(str::to_owned).collect();
                prop_assert_eq!(sketcher.tokens(&with).collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn features_equal_the_reference(
        count in 0_usize..60, period in 1_usize..60, shingle in 1_usize..30, seed in any::<u64>()
    ) {
        let text: Vec<String> = (0..count).map(|i| (i % period).to_string()).collect();
        let text = text.join(" ");
        let plan = Options { shingle: Some(shingle), seed: Some(seed), ..Options::default() }.plan().unwrap();
        let hashes: Vec<u64> =
            tokens(&text, Tokenizer::Words).iter().map(|token| token_hash(token, seed)).collect();
        for level in Level::available() {
            let mut sketcher = Sketcher::with_level(&plan, level);
            prop_assert_eq!(sketcher.features(&text), &shingles::features(&hashes, shingle)[..]);
        }
    }

    #[test]
    fn features_of_sections_equal_the_reference(
        sections in prop::collection::vec(prop_oneof![texts(), "[a-c ]{0,20}"], 0..5), shingle in 1_usize..8
    ) {
        let text = sections.join(&SECTION_SEPARATOR.to_string());
        for (_, kind) in Tokens::ALL {
            let options = Options { shingle: Some(shingle), tokens: Some(kind), ..Options::default() };
            let plan = options.plan().unwrap();
            let expected = features_of_text(&text, reference(kind), 0, shingle);
            for level in Level::available() {
                let mut sketcher = Sketcher::with_level(&plan, level);
                prop_assert_eq!(sketcher.features(&text), &expected[..]);
                let content = sketcher.sketch(&text).content;
                prop_assert_eq!(content.shingles(), expected.len() as u64);
                // The order of sections changes no sum.
                let turned: Vec<&str> = sections.iter().rev().map(String::as_str).collect();
                let turned = turned.join(&SECTION_SEPARATOR.to_string());
                prop_assert_eq!(sketcher.sketch(&turned).content, content);
            }
        }
    }

    #[test]
    fn a_text_has_the_shingles_tokens_and_places_of_its_sections(
        sections in prop::collection::vec(prop_oneof![texts(), "[a-c ]{0,20}"], 1..5), shingle in 1_usize..8,
        stops in prop::collection::vec("[a-c]{1,2}", 0..4),
    ) {
        let text = sections.join(&SECTION_SEPARATOR.to_string());
        for feature_hash in [FeatureHash::Xxh3, FeatureHash::Fnv1a64] {
            let measure = (feature_hash == FeatureHash::Xxh3).then_some(Measure::Jaccard);
            let method = (feature_hash != FeatureHash::Xxh3).then_some(lookalike::Method::SimHash);
            let plan = Options {
                shingle: Some(shingle), stop_words: Some(stops.clone()), feature_hash: Some(feature_hash), measure, method,
                ..Options::default()
            }.plan().unwrap();
            let mut sketcher = Sketcher::new(&plan);
            let (mut features, mut hashes, mut tokens, mut shingles, mut slices) = (vec![], vec![], vec![], vec![], vec![]);
            for section in &sections {
                features.extend_from_slice(sketcher.features(section));
                hashes.extend_from_slice(sketcher.token_hashes(section));
                tokens.extend(sketcher.tokens(section).map(str::to_owned));
                shingles.extend(sketcher.shingles(section).map(str::to_owned));
                let located = sketcher.locate(section);
                slices.extend(located.places().iter().map(|place| section[place.bytes.clone()].to_owned()));
            }
            prop_assert_eq!(sketcher.features(&text), &features[..]);
            prop_assert_eq!(sketcher.token_hashes(&text), &hashes[..]);
            prop_assert_eq!(sketcher.tokens(&text).collect::<Vec<_>>(), tokens);
            prop_assert_eq!(sketcher.shingles(&text).collect::<Vec<_>>(), shingles);
            let located = sketcher.locate(&text);
            for (place, slice) in located.places().iter().zip(&slices) {
                prop_assert_eq!(&text[place.bytes.clone()], slice);
                prop_assert_eq!(&text.chars().skip(place.chars.start).take(place.chars.len()).collect::<String>(), slice);
            }
            prop_assert_eq!(located.places().len(), slices.len());
        }
    }

    #[test]
    fn signatures_equal_the_reference(
        features in prop::collection::vec(any::<u64>(), 0..600),
        // The default size has kernels of its own.
        num_perm in prop_oneof![Just(128), 8_usize..700],
        seed in any::<u64>(),
    ) {
        let parameters = sketch::Parameters::new(seed, num_perm);
        for (scheme, expected) in [
            (Scheme::Bucketed, sketch::bucketed(&features, &parameters)),
            (Scheme::Classic, sketch::classic(&features, &parameters)),
        ] {
            let plan = Options {
                num_perm: Some(num_perm), seed: Some(seed), scheme: Some(scheme), ..Options::default()
            }.plan().unwrap();
            for level in Level::available() {
                let mut sketcher = Sketcher::with_level(&plan, level);
                prop_assert_eq!(sketcher.signature(&features), &expected[..], "{}", level.name());
            }
        }
    }

    #[test]
    fn signature_of_a_union_is_the_minimum_of_signatures(
        a in prop::collection::vec(any::<u64>(), 0..300), b in prop::collection::vec(any::<u64>(), 0..300)
    ) {
        for (_, scheme) in Scheme::ALL {
            let plan = Options { scheme: Some(scheme), ..Options::default() }.plan().unwrap();
            let mut sketcher = Sketcher::new(&plan);
            let union = sketcher.signature(&[&a[..], &b[..], &a[..]].concat()).to_vec();
            let left = sketcher.signature(&a).to_vec();
            let minimum: Vec<u32> =
                left.iter().zip(sketcher.signature(&b)).map(|(&x, &y)| x.min(y)).collect();
            prop_assert_eq!(union, minimum);
        }
    }
}

#[test]
fn estimates_lie_within_four_standard_errors_of_the_truth() {
    // 400 pairs per size and similarity: the standard error of the mean is a twentieth of that of one estimate.
    let mut generator = sketch::SplitMix64::new(1);
    for (_, scheme) in Scheme::ALL {
        let plan = Options { scheme: Some(scheme), ..Options::default() }.plan().unwrap();
        let mut sketcher = Sketcher::new(&plan);
        for (size, common) in [(10, 8), (50, 40), (90, 60), (400, 350), (1000, 500)] {
            let jaccard = common as f64 / (2 * size - common) as f64;
            let pairs = 400;
            let mut mean = 0.0;
            for _ in 0..pairs {
                let all: Vec<u64> = (0..2 * size - common).map(|_| generator.next_u64()).collect();
                let left = sketcher.signature(&all[..size]).to_vec();
                let right = sketcher.signature(&all[size - common..]);
                let equal = left.iter().zip(right).filter(|(x, y)| x == y).count();
                mean += equal as f64 / 128.0 / f64::from(pairs);
            }
            let error = (jaccard * (1.0 - jaccard) / 128.0 / f64::from(pairs)).sqrt();
            assert!((mean - jaccard).abs() < 4.0 * error, "{} {size} {mean} {jaccard}", scheme.name());
        }
    }
}

#[test]
fn tokens_are_hashed_correctly_at_any_distance_within_eight() {
    let plan = Options { tokens: Some(Tokens::Whitespace), ..Options::default() }.plan().unwrap();
    for level in Level::available() {
        let mut sketcher = Sketcher::with_level(&plan, level);
        // 15 to 151 bytes from the first token to the last. Kernels load about 120 bytes at once, which is among these.
        for extra in 0..=136 {
            // First all tokens have about the same length. Then the last of eight has one byte, and the others have the
            // rest.
            let length = |index: usize| match (index / 8 % 2, index % 8) {
                (0, index) => 1 + extra / 8 + usize::from(index < extra % 8),
                (_, 7) => 1,
                (_, index) => 1 + extra / 7 + usize::from(index < extra % 7),
            };
            let letter = |index: usize| char::from(b'a' + (index % 26) as u8);
            let token = |index| (0..length(index)).map(|i| letter(7 * index + i)).collect();
            let text: Vec<String> = (0..24).map(token).collect();
            let expected: Vec<u64> = text.iter().map(|token| token_hash(token, 0)).collect();
            assert_eq!(sketcher.token_hashes(&text.join(" ")), expected, "{} {extra}", level.name());
        }
    }
}

#[test]
fn white_space_is_found_anywhere_in_a_block_and_nothing_else_is() {
    let plan = Options { tokens: Some(Tokens::Whitespace), ..Options::default() }.plan().unwrap();
    // These contain all white space, and all characters that differ from it in one byte.
    let characters = (0x80..0x100).chain(0x1640..0x16c0).chain(0x1f80..0x20c0).chain(0x2f80..0x3080);
    for level in Level::available() {
        let mut sketcher = Sketcher::with_level(&plan, level);
        for c in characters.clone().filter_map(char::from_u32) {
            for before in 56..=65 {
                let text = format!("{}{c}{c}b\u{e9}", "a".repeat(before));
                let expected: Vec<&str> = text.split_whitespace().collect();
                assert_eq!(
                    sketcher.tokens(&text).collect::<Vec<_>>(),
                    expected,
                    "{} {c:?} {before}",
                    level.name()
                );
            }
        }
    }
}

#[test]
fn short_texts_of_context_dependent_characters_equal_the_reference() {
    const CHARACTERS: [char; 16] = [
        'I', ' ', 'ß', 'ﬁ', '´', '\u{301}', '\u{307}', '\u{323}', '\u{1161}', '가', 'か', '\u{3099}', 'ا',
        '\u{64e}', 'ـ', '\u{653}',
    ];
    const JOINED: [char; 16] = [
        'a', '\'', ' ', 'İ', 'ไ', '\u{e35}', '\u{93c}', '\u{1100}', '\u{1161}', 'か', '\u{3099}', '👩', '🏽',
        '™', '\u{ad}', '\u{200d}',
    ];
    let plan = Plan::default();
    let mut sketchers: Vec<_> =
        Level::available().into_iter().map(|level| Sketcher::with_level(&plan, level)).collect();
    let texts = [CHARACTERS, JOINED].into_iter().flat_map(|characters| {
        (0..1_usize << 16)
            .map(move |number| (0..4).map(|place| characters[number >> (4 * place) & 15]).collect::<String>())
    });
    for text in texts {
        let expected = tokens(&text, Tokenizer::Words);
        for sketcher in &mut sketchers {
            assert_eq!(sketcher.tokens(&text).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }
}

/// A sketcher keeps its buffers from text to text. They must not grow with the number of texts.
#[test]
fn one_sketcher_folds_any_number_of_texts() {
    let fold = Some(Fold::ALL.into_iter().map(|(_, fold)| fold).collect());
    for (_, tokens) in Tokens::ALL.into_iter().filter(|(_, tokens)| *tokens != Tokens::Whitespace) {
        let stop_words =
            (tokens == Tokens::Words).then(|| (0..200).map(|word| format!("w{word}x")).collect());
        let plan = Options { tokens: Some(tokens), fold, stop_words, ..Options::default() }.plan().unwrap();
        let mut sketcher = Sketcher::new(&plan);
        for number in 0..10_000 {
            assert!(sketcher.tokens(&format!("é漢-\nx {number} ๑๒๓ plain")).count() > 3);
        }
    }
}

/// Every character that is not one of thousands alike, at the start, in and at the end of words of each kind.
#[test]
fn each_character_beside_words_and_marks_equals_the_reference() {
    let plan = Plan::default();
    let mut sketchers: Vec<_> =
        Level::available().into_iter().map(|level| Sketcher::with_level(&plan, level)).collect();
    // Han, Hangul, private use, and planes without scripts, but for the first and the last of each.
    let alike = [
        0x3402..0x4dbe,
        0x4e02..0x9ffe,
        0xac02..0xd7a2,
        0xe002..0xf8fe,
        0x2_0002..0x2_a6de,
        0x2_a702..0x2_f7fe,
        0x2_fa20..0xe_0000,
        0xe_0200..0x10_fffe,
    ];
    let characters = ('\0'..=char::MAX).filter(|&c| !alike.iter().any(|range| range.contains(&u32::from(c))));
    for c in characters {
        for text in [
            format!("{c}a{c} Zb{c}c\u{64e}{c}"),
            format!("अ\u{316}{c}\u{301}{c}"),
            format!("\u{e01}{c}ß中{c}\u{307}"),
        ] {
            let expected = tokens_of_text(&text, Tokenizer::Words);
            for sketcher in &mut sketchers {
                assert_eq!(sketcher.tokens(&text).collect::<Vec<_>>(), expected, "{text:?}");
            }
        }
    }
}

/// At this length, quadratic work would take minutes.
const LONG: usize = 1 << 19;

#[test]
fn any_repeated_character_takes_linear_time() {
    for piece in [
        "\u{301}",
        "a\u{301}",
        "\u{301}\u{316}",
        "Σ",
        "Σ\u{301}",
        "AΣ\u{301}",
        "'Σ",
        "İ",
        "i\u{307}",
        "ß",
        "´",
        "ـ",
        "\u{64e}",
        "ب\u{64e}\u{651}",
        "ا\u{64e}\u{653}",
        "\u{1161}\u{64e}",
        "क्\u{93f}",
        "ก\u{e48}",
        "ﷺ",
        "a-",
        "a-\n",
        "a\u{ad}\u{ad}",
        "1",
        "๑",
        "\u{1161}",
        "\u{1100}\u{1161}\u{11a8}",
        "가",
        "が",
        "か\u{3099}",
        "漢",
        "👍",
        "\u{0}",
        "\u{200d}",
        "\u{ad}",
        "a\u{ad}",
        "e\u{ad}\u{301}",
        "\u{ad}\u{301}",
        "\u{ad}\u{1161}",
        "Σ\u{ad}",
        "👩\u{200d}",
        "👩\u{200d}\u{ad}",
        "_",
        "'",
        "Ａ",
        "㌔",
        "\u{f71}\u{f72}",
        "\u{10ffff}",
        "\u{2000}",
    ] {
        let text = piece.repeat(LONG / piece.len());
        for (_, tokens) in Tokens::ALL {
            let plan = Options { tokens: Some(tokens), ..Options::default() }.plan().unwrap();
            let mut sketcher = Sketcher::new(&plan);
            // Three bytes become at most 18 characters.
            assert!(sketcher.tokens(&text).count() <= 6 * text.len(), "{piece:?}");
            if tokens != Tokens::Whitespace {
                let fold = Some(Fold::ALL.into_iter().map(|(_, fold)| fold).collect());
                let plan = Options { tokens: Some(tokens), fold, ..Options::default() }.plan().unwrap();
                assert!(Sketcher::new(&plan).tokens(&text).count() <= 6 * text.len(), "{piece:?}");
            }
        }
    }
}

#[test]
fn any_character_next_to_many_invisible_ones_takes_linear_time() {
    let run = "\u{200d}".repeat(LONG / 12);
    for (before, after) in
        [("a", "b"), ("Σ", "Σ"), ("e", "\u{301}"), ("\u{1100}", "\u{1161}"), ("👩", "👧"), ("", "")]
    {
        let text = format!("{before}{run}{after}").repeat(4);
        let without = match before {
            "👩" => format!("{before}\u{200d}{after}").repeat(4),
            _ => format!("{before}{after}").repeat(4),
        };
        for tokens in [Tokens::Words, Tokens::Chars] {
            let plan = Options { tokens: Some(tokens), ..Options::default() }.plan().unwrap();
            let mut sketcher = Sketcher::new(&plan);
            let expected: Vec<String> = sketcher.tokens(&without).map(str::to_owned).collect();
            assert_eq!(sketcher.tokens(&text).collect::<Vec<_>>(), expected);
            assert_eq!(sketcher.locate(&text).places().len(), expected.len());
        }
    }
}
