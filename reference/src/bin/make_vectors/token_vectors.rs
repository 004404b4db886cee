//! Writes `tokens.json`: the tokens of chosen texts and their hashes.

use lookalike_reference::folds::Fold;
use lookalike_reference::tokens::{Tokenizer, folded_tokens, token_hash, tokens};
use serde::Serialize;

use crate::{hex, json, json_file, texts};

const COMMENT: &str = "\
Tokens and token hashes of Lookalike, made by reference/src/bin/make_vectors. Do not edit.

'texts': 'tokens' are the tokens of 'text' by 'tokenizer', in order. 'token_hashes' are, token by token,
XXH3 (64 bits) of the token's UTF-8 bytes with seed 0, as 16 hexadecimal digits of the number.
  words       the normal form of the text: without invisible characters (Default_Ignorable_Code_Point; a U+200D
              between emoji stays), in Unicode's NFKC_Casefold, with the dotted i as i, and without the optional
              writing of Arabic and Hebrew. Maximal runs of letters, numbers, '_' and the marks that stand in them.
              In scripts written without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) every letter or number with
              its marks.
  whitespace  the text as it is, split at Unicode White_Space
  chars       the normal form; each run of White_Space becomes one space, outer white space goes; every code point
              by itself
A text for which the rule finds no token, but which is not all white space, is one token: the text (for words
and chars its normal form) without outer white space. The exact rules: reference/src/tokens.rs,
reference/src/normal.rs and reference/src/visible.rs.

'folds': 'tokens' are the tokens of 'text' by 'tokenizer' without what every one of 'fold' takes away. The exact
rules: reference/src/folds.rs.

'hashes': 'hash' is XXH3 (64 bits) with 'seed' of the first 'length' letters of 'abc...zabc...z...' in ASCII.
XXH3 has other code for 0, 1-3, 4-8, 9-16, 17-128, 129-240 and more bytes, and blocks of 64 and 1024 bytes.

To check: reference/check_vectors.py, or any XXH3 over 'tokens'. The tokens themselves need Unicode's tables of
NFKC, case folding, Alphabetic, General_Category, White_Space, Default_Ignorable_Code_Point and
Extended_Pictographic, version 14 or later; no code point is used that Unicode may yet assign.";

#[derive(Serialize)]
struct Text<'a> {
    name: &'a str,
    text: &'a str,
    tokenizer: &'a str,
    tokens: Vec<String>,
    token_hashes: Vec<String>,
}

#[derive(Serialize)]
struct Folded<'a> {
    fold: Vec<&'a str>,
    tokenizer: &'a str,
    text: &'a str,
    tokens: Vec<String>,
}

#[derive(Serialize)]
struct Hash {
    length: usize,
    seed: String,
    hash: String,
}

pub(crate) fn file() -> String {
    let mut texts = Vec::new();
    for (name, text) in &texts::all() {
        for (tokenizer, rule) in
            [("words", Tokenizer::Words), ("whitespace", Tokenizer::Whitespace), ("chars", Tokenizer::Chars)]
        {
            let tokens = tokens(text, rule);
            let token_hashes = tokens.iter().map(|token| hex(token_hash(token, 0))).collect();
            texts.push(json(Text { name, text, tokenizer, tokens, token_hashes }));
        }
    }
    json_file(COMMENT, &[("texts", texts), ("folds", folds()), ("hashes", hashes())])
}

/// Every text for folds, by every fold and by all.
fn folds() -> Vec<String> {
    const FOLDS: [(&str, Fold); 5] = [
        ("digits", Fold::Digits),
        ("accents", Fold::Accents),
        ("arabic-letters", Fold::ArabicLetters),
        ("hyphens", Fold::Hyphens),
        ("chinese", Fold::Chinese),
    ];
    let sets = FOLDS.iter().map(std::slice::from_ref).chain([&FOLDS[..]]);
    let mut entries = Vec::new();
    for set in sets {
        let (fold, folds): (Vec<&str>, Vec<Fold>) = set.iter().copied().unzip();
        for text in texts::FOLDED {
            for (tokenizer, rule) in [("words", Tokenizer::Words), ("chars", Tokenizer::Chars)] {
                let tokens = folded_tokens(text, rule, &folds);
                entries.push(json(Folded { fold: fold.clone(), tokenizer, text, tokens }));
            }
        }
    }
    entries
}

fn hashes() -> Vec<String> {
    let edges = [128, 240, 256, 512, 1024, 1088, 2048];
    let lengths = (0..=66).chain(edges.into_iter().flat_map(|edge| edge - 1..=edge + 1));
    let mut hashes = Vec::new();
    for length in lengths {
        for seed in [0, 42, u64::MAX] {
            let hash = hex(token_hash(&texts::letters(length), seed));
            hashes.push(json(Hash { length, seed: hex(seed), hash }));
        }
    }
    hashes
}
