//! The texts of `tokens.json`, for every boundary that a tokenizer or a hash may have.

use lookalike_reference::sketch::SplitMix64;

/// Texts in which folds take something away, and texts in which they take nothing.
pub(crate) const FOLDED: [&str; 10] = [
    "took 35ms at 10:22, x86_64 1,234.5 \u{bd} \u{967}\u{968} 1\u{20e3}2",
    "\u{1ecc}k\u{1ecd}\u{300} \u{17c}\u{f3}\u{142}ty caf\u{e9} cafe\u{301} \u{111}\u{1b0}\u{1edd}ng \u{451} \u{439} \u{390} \u{1fe} \u{131} \u{915}\u{94d}\u{92f}\u{93e} \u{301} \u{b4}",
    "\u{639}\u{644}\u{649} \u{6cc}\u{6a9}\u{6cc} \u{623}\u{625}\u{622}\u{671} \u{645}\u{62f}\u{631}\u{633}\u{629} \u{624}\u{626} \u{6d5}\u{6c1}",
    "an exam-\nple, well-known; x\u{ad}\r\n  y a\u{2010}b c\u{2011}d",
    "- a list\n- 2019-2020 COVID-\n19 a - b c- d e--f end-\n\nnext",
    "\u{6f22}\u{8a9e} \u{767c}\u{9aee} \u{88cf} \u{8aaa} \u{4e7e} \u{6c49}\u{8bed} ok",
    "\u{e51}\u{e52}12\u{e53} \u{e01}\u{e51} \u{ff57}\u{ff0d}\u{ff4b} a\u{200b}-\u{fe0f}b m\u{b2}-c e-\n\u{c}f",
    "plain words only",
    "?!",
    "",
];

/// Every text with its name.
pub(crate) fn all() -> Vec<(String, String)> {
    let chosen = CHOSEN.iter().map(|&(name, text)| (name.to_string(), text.to_string()));
    chosen
        .chain(words_of_every_length())
        .chain(around_block_ends())
        .chain(between_letters())
        .chain(tables())
        .chain(mixtures())
        .collect()
}

/// The first `length` letters of the repeated alphabet.
pub(crate) fn letters(length: usize) -> String {
    ('a'..='z').cycle().take(length).collect()
}

const CHOSEN: &[(&str, &str)] = &[
    ("empty", ""),
    ("one space", " "),
    ("ASCII white space only", " \t\n\u{b}\u{c}\r\r\n"),
    ("Unicode white space only", "\u{85}\u{a0}\u{1680}\u{2003}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}"),
    ("pangram", "The quick brown fox jumps over the lazy dog"),
    ("white space around and between", "  \t leading,\n\n  between \r\n and trailing \n"),
    ("upper case", "SHOUTING Words mixedCase"),
    ("underscores", "_ __ _a a_ snake_case __init__ a_1"),
    ("digits", "0 00 42 3.14 1,000,000 2026-11-21 12:30 v2 7th"),
    ("apostrophes and hyphens", "It's o'clock, rock'n'roll; well-known \u{2019}tis it\u{2019}s"),
    ("an address of the web", "https://example.org/a_b/c?d=e&f=%20#g"),
    ("program text", "fn main() { println!(\"{}\", x_1 + 0xFF); } // done"),
    ("emoji only", "\u{1f642}\u{1f643}"),
    ("emoji only, spaced", "  \u{1f642} \u{1f643}\n"),
    (
        "emoji of several code points",
        "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \u{1f44d}\u{1f3fd} \u{1f1e9}\u{1f1ea} 1\u{fe0f}\u{20e3}",
    ),
    ("emoji beside words", "good\u{1f642}morning \u{1f643}"),
    ("punctuation only", "?!"),
    ("punctuation only, changed by NFKC", " \u{2026}\u{ff01}\u{fe56} "),
    ("punctuation only, all of ASCII", "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"),
    ("symbols only, upper case by NFKC", "\u{2122}"),
    ("a lone combining mark", "\u{301}"),
    ("a lone zero width space", "\u{200b}"),
    ("e acute composed", "caf\u{e9} \u{c9}tude"),
    ("e acute decomposed", "cafe\u{301} E\u{301}tude"),
    ("marks that NFKC puts in order", "q\u{307}\u{323} q\u{323}\u{307}"),
    ("a mark that composes with nothing", "x\u{301}y"),
    ("ligatures", "\u{fb01}n e\u{fb03}cient \u{fb05}op \u{132}sland \u{1c6}"),
    ("full width", "\u{ff21}\u{ff22}\u{ff23} \u{ff11}\u{ff12}\u{ff13}\u{3000}\u{ff3f}x\u{ff0e}"),
    (
        "fractions and roman numerals",
        "\u{bd} 1\u{bd} \u{2167} \u{2177} \u{2460} \u{2474} \u{b2} x\u{b2} \u{2079}",
    ),
    ("signs that are letters", "\u{212a} \u{212b} \u{2126} \u{b5} \u{aa} \u{ba} n\u{ba} \u{2116} \u{210c}"),
    ("mathematical letters", "\u{1d400}\u{1d41a} \u{1d7d8}\u{1d7ff}"),
    ("dotted and dotless i", "\u{130} \u{130}STANBUL I\u{131} d\u{130}yar \u{130}\u{307}"),
    (
        "a small i with a dot",
        "i\u{307}stanbul i\u{323}\u{307} i\u{301}\u{307} i\u{307}\u{301} j\u{307} I\u{307}",
    ),
    (
        "marks that case folding makes letters",
        "\u{3b1}\u{345}\u{301} \u{1fb3}\u{301} \u{1fbc} T\u{308} J\u{30c}",
    ),
    ("sharp s", "stra\u{df}e STRASSE STRA\u{1e9e}E \u{1e9e}"),
    ("final sigma", "\u{39f}\u{394}\u{39f}\u{3a3} \u{3a3}\u{39f}\u{3a3} \u{3a3} \u{391}\u{3a3}\u{1f642}"),
    (
        "final sigma seen past the end of the token",
        "\u{391}.\u{3a3} \u{391}\u{3a3}.\u{392} \u{391}\u{3a3}'\u{392} \u{391}'\u{3a3} \u{391}\u{3a3}_\u{392} \u{391}\u{3a3}\u{200d}\u{392}",
    ),
    (
        "Greek with accents",
        "\u{386}\u{3bd}\u{3b8}\u{3c1}\u{3c9}\u{3c0}\u{3bf}\u{3c2} \u{1f08}\u{1fc3} \u{37e}",
    ),
    ("title case letters", "\u{1c5} \u{1f88} \u{149}"),
    (
        "Cyrillic",
        "\u{421}\u{44a}\u{435}\u{448}\u{44c} \u{416}\u{435} \u{401}\u{436}\u{438}\u{43a} \u{418}\u{306} \u{4c0}",
    ),
    ("Armenian and Georgian", "\u{531}\u{580}\u{587} \u{10d0}\u{10d1} \u{1c90}\u{1c91} \u{10a0}"),
    (
        "Arabic with harakat",
        "\u{627}\u{644}\u{633}\u{651}\u{64e}\u{644}\u{627}\u{645}\u{64f} \u{639}\u{64e}\u{644}\u{64e}\u{64a}\u{652}\u{643}\u{64f}\u{645}\u{652} \u{660}\u{661} \u{640}\u{6cc}\u{60c}",
    ),
    ("Arabic presentation forms", "\u{fefb} \u{fdfa} \u{fe8e} \u{fe71} \u{fe76} \u{fcf2}"),
    (
        "Arabic with tatweel, and marks that are parts of letters",
        "\u{627}\u{644}\u{639}\u{640}\u{640}\u{631}\u{628} \u{627}\u{653} \u{627}\u{64e}\u{654} \u{627}\u{640}\u{655} \u{627}\u{6d6}\u{653} \u{640}",
    ),
    ("Hebrew with points", "\u{5e9}\u{5b8}\u{5c1}\u{5dc}\u{5d5}\u{5b9}\u{5dd} \u{5d0}\u{5be}\u{5d1}"),
    (
        "Hindi",
        "\u{928}\u{92e}\u{938}\u{94d}\u{924}\u{947} \u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940} \u{958} \u{967}\u{968}\u{964}",
    ),
    (
        "Malayalam",
        "\u{d28}\u{d2e}\u{d38}\u{d4d}\u{d15}\u{d3e}\u{d30}\u{d02} \u{d15}\u{d47}\u{d30}\u{d33}\u{d02}",
    ),
    ("Telugu", "\u{c24}\u{c46}\u{c32}\u{c41}\u{c17}\u{c41} \u{c15}\u{c4d}\u{c37} \u{c46}\u{c56}"),
    ("Bengali", "\u{9ac}\u{9be}\u{982}\u{9b2}\u{9be} \u{995}\u{9c7}\u{9be} \u{9af}\u{9bc} \u{9df}"),
    ("Yoruba", "\u{1ecd}k\u{1ecd}\u{300} \u{1ecc}K\u{1ecc}\u{301} o\u{323}ko\u{300}\u{323}"),
    (
        "marks at the ends of words and without a word",
        "a\u{301} \u{301}b x\u{300}_\u{300}1\u{20e3} .\u{300}. \u{93f}\u{915}",
    ),
    ("Tamil", "\u{ba4}\u{bae}\u{bbf}\u{bb4}\u{bcd} \u{bbe}"),
    ("Tibetan", "\u{f56}\u{f7c}\u{f51}\u{f0b}\u{f66}\u{f90}\u{f51}\u{f0d}"),
    ("Amharic", "\u{1230}\u{120b}\u{121d}\u{1361}\u{12d3}\u{1208}\u{121d}"),
    ("Cherokee", "\u{13a0}\u{13f8} \u{ab70}"),
    ("Deseret", "\u{10400}\u{10428}"),
    ("Hangul syllables", "\u{d55c}\u{ad6d}\u{c5b4} \u{ac00}\u{d7a3}"),
    ("Hangul jamo", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8} \u{1112} \u{1161}"),
    ("Hangul compatibility and halfwidth jamo", "\u{314e}\u{314f}\u{3134} \u{ffbe}\u{ffc2}\u{ffa4} \u{3260}"),
    ("Chinese", "\u{6211}\u{4eec}\u{7684}\u{76ee}\u{6807}\u{662f}\u{ff1a}\u{53bb}\u{91cd}\u{3002}"),
    (
        "Chinese with spaces and numbers",
        "\u{4e2d}\u{6587} 2026\u{5e74}11\u{6708} \u{3007}\u{4e00}\u{4e8c} \u{4e2d}_\u{6587}",
    ),
    ("Chinese beyond the first plane", "\u{20bb7}\u{91ce}\u{5bb6} \u{2a6d6} \u{30000}"),
    (
        "compatibility ideographs and radicals",
        "\u{f900}\u{fa0e} \u{2f00}\u{2fd5} \u{2e80}\u{2e9f} \u{2f800} \u{3231} \u{32a0}",
    ),
    (
        "Japanese",
        "\u{79c1}\u{306f}\u{6771}\u{4eac}\u{30bf}\u{30ef}\u{30fc}\u{3078}\u{884c}\u{304d}\u{307e}\u{3057}\u{305f}\u{3002}",
    ),
    (
        "Japanese marks",
        "\u{304c} \u{304b}\u{3099} \u{30cf}\u{309a} \u{3042}\u{3099} \u{309b} \u{3005}\u{3006}\u{309d}\u{309e}\u{30fd}\u{30fb}\u{30a0}",
    ),
    (
        "Japanese halfwidth kana",
        "\u{ff76}\u{ff9e} \u{ff8a}\u{ff9f} \u{ff71}\u{ff9e} \u{ff70} \u{ff9e} \u{ff65}",
    ),
    ("Japanese squared and joined", "\u{3300} \u{3350} \u{309f} \u{30ff} \u{337b} \u{32d0}"),
    ("Bopomofo and Yi", "\u{3105}\u{3106} \u{a000}\u{a001}"),
    (
        "Thai",
        "\u{e2a}\u{e27}\u{e31}\u{e2a}\u{e14}\u{e35}\u{e01}\u{e35}\u{e48}\u{e19}\u{e49}\u{e33} \u{e3f}\u{e51}\u{e52}\u{e2f}\u{e5b}",
    ),
    ("Lao", "\u{eaa}\u{eb0}\u{e9a}\u{eb2}\u{e8d}\u{e94}\u{eb5} \u{ead}\u{eb3}\u{ec8} \u{ed1} \u{edc}"),
    ("Khmer", "\u{179f}\u{17bd}\u{179f}\u{17d2}\u{178f}\u{17b8} \u{17e1}\u{17d4}\u{17f0}"),
    (
        "Burmese",
        "\u{1019}\u{1004}\u{103a}\u{1039}\u{1002}\u{101c}\u{102c}\u{1015}\u{102b} \u{1041}\u{104b} \u{aa60}\u{aa7b}\u{a9e0}\u{a9e5}",
    ),
    ("Latin and Han without spaces", "\u{7528}Rust\u{5199}\u{7684}2\u{4e2a}tool_\u{5305}v1"),
    ("Latin and Thai without spaces", "iPhone\u{e23}\u{e38}\u{e48}\u{e19}15Pro"),
    ("a Latin letter with a mark before Han", "e\u{301}\u{4e2d}x\u{302}\u{4e2d}"),
    ("a mark of another script after an unspaced letter", "\u{4e2d}\u{301}a \u{e01}\u{301}"),
    (
        "zero width joiners",
        "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645} \u{915}\u{94d}\u{200d}\u{937} a\u{200d}b",
    ),
    ("no-break space", "a\u{a0}b \u{202f} c\u{2060}d"),
    ("next line", "a\u{85}b"),
    ("line and paragraph separator", "a\u{2028}b\u{2029}c"),
    ("information separators are no white space", "a\u{1c}b\u{1d}c\u{1e}d\u{1f}e"),
    ("NUL inside", "a\0b \0 c\0"),
    ("byte order mark first and inside", "\u{feff}first in\u{feff}side \u{feff}"),
    ("soft hyphen", "co\u{ad}operate"),
    (
        "soft hyphens in every word",
        "Sil\u{ad}ben\u{ad}tren\u{ad}nung ist Ge\u{ad}schmacks\u{ad}sache \u{ad}\u{ad}",
    ),
    (
        "zero width spaces",
        "\u{e20}\u{e32}\u{e29}\u{e32}\u{200b}\u{e44}\u{e17}\u{e22} \u{4e2d}\u{200b}\u{6587} a\u{200b}b \u{200b} c",
    ),
    (
        "zero width joiner and non-joiner at the ends of words",
        "\u{200c}\u{6a9}\u{200d} \u{200d}b\u{200c}. \u{200c}",
    ),
    ("invisible characters only", "\u{feff}\u{ad}\u{200b}\u{200d}\u{fe0f}"),
    ("invisible characters and white space only", " \u{200e}\n\u{3164} \u{2060}"),
    ("invisible characters around punctuation only", "\u{feff}?\u{ad}!\u{200b} "),
    (
        "Hangul fillers",
        "\u{115f}\u{1161}\u{1160} \u{d55c}\u{3164}\u{ad6d} \u{ffbe}\u{ffa0}\u{ffc2} \u{1112}\u{1160}\u{1161}\u{115f}\u{11ab}",
    ),
    ("Khmer inherent vowels", "\u{1780}\u{17b4}\u{1781}\u{17b5}"),
    ("Mongolian selectors", "\u{182e}\u{180b}\u{1823}\u{180e}\u{1820}\u{180f}"),
    (
        "invisible characters before a mark",
        "cafe\u{ad}\u{301} \u{34f}\u{301}e \u{200d}\u{301} A\u{200b}\u{30a}",
    ),
    (
        "invisible characters between marks",
        "q\u{307}\u{34f}\u{323} q\u{323}\u{34f}\u{307} e\u{302}\u{ad}\u{301}",
    ),
    ("invisible characters between jamo", "\u{1112}\u{200b}\u{1161}\u{ad}\u{11ab} \u{ac00}\u{2060}\u{11a8}"),
    (
        "invisible characters in kana",
        "\u{304b}\u{ad}\u{3099} \u{ff76}\u{200b}\u{ff9e} \u{30ab}\u{fe00}\u{30ad}",
    ),
    (
        "invisible characters before vowel signs",
        "\u{bc6}\u{200c}\u{bbe} \u{915}\u{200d}\u{93c} \u{d9a}\u{dca}\u{200d}\u{dbb}",
    ),
    (
        "final sigma beside invisible characters",
        "\u{391}\u{ad}\u{3a3} \u{391}\u{3a3}\u{ad} \u{391}\u{3a3}\u{200b}\u{392} \u{ad}\u{3a3}\u{ad} \u{391}\u{200d}\u{3a3}\u{fe0f}.\u{392} \u{391}\u{301}\u{ad}\u{3a3}",
    ),
    (
        "invisible characters in what is expanded",
        "\u{fb01}\u{ad}n 1\u{ad}\u{bd} \u{2167}\u{200b}\u{2177} \u{130}\u{ad}\u{307}",
    ),
    ("emoji with variation selectors", "\u{2764}\u{fe0f} \u{2764}\u{fe0e} \u{2764}"),
    (
        "emoji joined across variation selectors and skin tones",
        "\u{2764}\u{fe0f}\u{200d}\u{1f525} \u{1f469}\u{1f3fd}\u{200d}\u{1f4bb} \u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
    ),
    (
        "emoji with several joiners",
        "\u{1f469}\u{200d}\u{200d}\u{1f467} \u{1f469}\u{ad}\u{200d}\u{200b}\u{1f467}",
    ),
    (
        "emoji with joiners that join nothing",
        "\u{200d}\u{1f469}\u{200d} \u{200d}\u{1f467} \u{1f469}\u{200d}\u{1f3fd}\u{200d}",
    ),
    (
        "emoji joined to words",
        "a\u{200d}\u{1f469} \u{1f469}\u{200d}b \u{2122}\u{200d}\u{2139} \u{2122}\u{ad}\u{2139}",
    ),
    ("emoji flags by tags", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"),
    ("direction marks", "\u{200e}left\u{200f} \u{202b}right\u{202c}"),
    ("variation selectors", "\u{845b}\u{e0100}\u{4e00}\u{fe00} a\u{fe0f}b"),
    ("private use", "a\u{e000}b \u{f8ff}"),
    ("noncharacter and replacement character", "a\u{ffff}b\u{fffd}c \u{10ffff}"),
    ("tag characters", "a\u{e0041}b"),
    (
        "a long run of marks",
        "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}\u{309}\u{30a}\u{30b}a",
    ),
    ("token boundaries, one way", "ab c"),
    ("token boundaries, other way", "a bc"),
    ("repeated words", "spam spam spam egg spam spam"),
];

fn words_of_every_length() -> impl Iterator<Item = (String, String)> {
    // The edges of XXH3's length classes and of blocks, above 40.
    let longer = [63, 64, 65, 127, 128, 129, 239, 240, 241, 255, 256, 257];
    (1..=40).chain(longer).map(|length| (format!("one word of {length} letters"), letters(length)))
}

/// Texts whose length, or whose last tokens, are around the end of a block of bytes that vector code reads.
fn around_block_ends() -> impl Iterator<Item = (String, String)> {
    [16, 32, 64, 128].into_iter().flat_map(|block| {
        // Words of three letters up to the given byte, at which a token then begins.
        let fill = |bytes: usize| "fil ".repeat(bytes / 4) + &" ".repeat(bytes % 4);
        let end_at = |bytes: usize| fill(bytes - 4 - bytes % 4) + &letters(4 + bytes % 4);
        let mut texts = Vec::new();
        for length in block - 1..=block + 1 {
            texts.push((format!("{length} bytes, word at the end"), end_at(length)));
            texts.push((format!("{length} bytes, space at the end"), end_at(length - 1) + " "));
            texts.push((format!("word ends at byte {length}, another follows"), end_at(length) + " next"));
        }
        for length in [1, 2, 3, 4, 30] {
            let text = fill(block - 2) + &letters(length) + " next";
            texts.push((format!("word of {length} letters from 2 bytes before byte {block}"), text));
        }
        for (what, c) in [("e acute", '\u{e9}'), ("Han", '\u{4e2d}'), ("emoji", '\u{1f642}')] {
            for before in 1..=c.len_utf8() {
                let start = block - before;
                let text = format!("{}ab{c}cd next", fill(start - 2));
                texts.push((format!("{what} from byte {start}"), text));
            }
        }
        for (what, end) in
            [("underscore", "x_Y"), ("upper case", "xAY"), ("CR LF", "x\r\ny"), ("decomposed", "xe\u{301}y")]
        {
            texts.push((format!("{what} around byte {block}"), fill(block - 2) + end));
        }
        texts.push((format!("{block} bytes of white space, then a word"), " ".repeat(block) + "word"));
        texts
    })
}

/// Characters at the ends of the unspaced ranges and next to them, all white space, and characters that only look like
/// it.
const BETWEEN: &str = "\
    \u{e01}\u{e3a}\u{e3f}\u{e40}\u{e59}\u{e5b}\u{e81}\u{edf}\u{f00}\u{fda}\u{1000}\u{109f}\u{10a0}\
    \u{1780}\u{17b4}\u{17dd}\u{17f9}\u{1800}\u{1820}\u{2e80}\u{2ef3}\u{2f00}\u{2fd5}\u{3004}\u{3005}\
    \u{3006}\u{3007}\u{3008}\u{3020}\u{3021}\u{3029}\u{302a}\u{302f}\u{3031}\u{3037}\u{3038}\u{303b}\u{303c}\u{303d}\
    \u{3041}\u{3096}\u{3099}\u{309a}\u{309b}\u{309c}\u{309d}\u{309f}\u{30a0}\u{30a1}\u{30fa}\u{30fb}\u{30fc}\u{30ff}\
    \u{3105}\u{31e3}\u{31f0}\u{31ff}\u{3200}\u{33ff}\u{3400}\u{4dbf}\u{4dc0}\u{4dff}\u{4e00}\u{9fff}\u{a000}\
    \u{a9df}\u{a9e0}\u{a9fe}\u{aa5f}\u{aa60}\u{aa7f}\u{aa80}\u{d7a3}\u{f900}\u{fad9}\u{fb00}\
    \u{1aff0}\u{1affe}\u{1b000}\u{1b11f}\u{1b150}\u{1b152}\u{1b164}\u{1b167}\u{1b170}\
    \u{20000}\u{2a6df}\u{2ceb0}\u{2fa1d}\u{30000}\u{3134a}\
    \t\n\u{b}\u{c}\r\u{20}\u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\
    \u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\
    \u{180e}\u{200b}\u{200c}\u{200d}\u{2060}\u{2800}\u{3164}\u{feff}";

fn between_letters() -> impl Iterator<Item = (String, String)> {
    BETWEEN.chars().map(|c| (format!("U+{:04X} between letters", u32::from(c)), format!("A{c}b")))
}

/// Whole blocks of characters, and the same with each character between two letters.
fn tables() -> impl Iterator<Item = (String, String)> {
    [("ASCII", '\0'..='\u{7f}'), ("Latin-1", '\u{80}'..='\u{ff}'), ("Greek", '\u{384}'..='\u{3ff}')]
        .into_iter()
        .flat_map(|(name, range)| {
            let range = range.filter(|c| !UNASSIGNED.contains(c));
            let alone: String = range.clone().collect();
            let apart: String = range.map(|c| format!("x{c}Y")).collect();
            [(format!("all of {name}"), alone), (format!("all of {name}, each between letters"), apart)]
        })
}

/// The code points of the tables that Unicode may still assign.
const UNASSIGNED: [char; 3] = ['\u{38b}', '\u{38d}', '\u{3a2}'];

/// Random mixtures of all kinds of pieces. SplitMix64, seeded with the text's number, gives the number of pieces modulo
/// 40. It then gives each piece, modulo the number of pieces.
fn mixtures() -> impl Iterator<Item = (String, String)> {
    const PIECES: [&str; 45] = [
        "a",
        "Z",
        "word",
        "WORD",
        "_",
        "7",
        "42nd",
        " ",
        "  ",
        "\n",
        "\t",
        "\u{a0}",
        "\u{3000}",
        ".",
        "'",
        "-",
        "\u{2026}",
        "\u{e9}",
        "e\u{301}",
        "\u{301}",
        "\u{130}",
        "\u{df}",
        "\u{3a3}",
        "\u{391}\u{3a3}",
        "\u{fb01}",
        "\u{ff21}",
        "\u{bd}",
        "\u{416}",
        "\u{639}\u{64e}",
        "\u{924}\u{947}",
        "\u{d55c}",
        "\u{1112}\u{1161}",
        "\u{4e2d}",
        "\u{304b}\u{3099}",
        "\u{ff76}\u{ff9e}",
        "\u{e01}\u{e35}\u{e48}",
        "\u{1780}\u{17d2}",
        "\u{200d}",
        "\u{1f642}",
        "\0",
        "\u{ad}",
        "\u{200b}",
        "\u{fe0f}",
        "\u{3164}",
        "\u{1f3fd}",
    ];
    (0..80).map(|number| {
        let mut random = SplitMix64::new(number);
        let count = random.next_u64() % 40;
        let text = (0..count).map(|_| PIECES[(random.next_u64() % PIECES.len() as u64) as usize]).collect();
        (format!("mixture {number}"), text)
    })
}
