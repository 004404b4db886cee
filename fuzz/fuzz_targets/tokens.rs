//! Any text. Every instruction set gives the tokens and token hashes of the reference, and the same sketch.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike::text::Fold;
use lookalike::{Level, Options, Sketcher, Tokens};
use lookalike_reference::folds;
use lookalike_reference::tokens::{Tokenizer, folded_tokens, token_hash, tokens};

const FOLDS: [(Fold, folds::Fold); 5] = [
    (Fold::Digits, folds::Fold::Digits),
    (Fold::Accents, folds::Fold::Accents),
    (Fold::ArabicLetters, folds::Fold::ArabicLetters),
    (Fold::Hyphens, folds::Fold::Hyphens),
    (Fold::Chinese, folds::Fold::Chinese),
];

/// The tokens without what some folds take away. The length of the text chooses the folds.
fn check_folds(text: &str, kind: Tokens, tokenizer: Tokenizer) {
    let chosen = FOLDS.into_iter().enumerate().filter(|(number, _)| text.len() >> number & 1 == 1);
    let (fold, named): (Vec<Fold>, Vec<folds::Fold>) = chosen.map(|(_, pair)| pair).unzip();
    let options = Options { tokens: Some(kind), fold: Some(fold.into()), ..Options::default() };
    let Ok(plan) = options.plan() else { return };
    let mut sketcher = Sketcher::new(&plan);
    assert_eq!(sketcher.tokens(text).collect::<Vec<_>>(), folded_tokens(text, tokenizer, &named));
    assert_eq!(sketcher.locate(text).places().len(), sketcher.tokens(text).count());
}

fuzz_target!(|text: &str| {
    for (name, kind) in Tokens::ALL {
        let tokenizer = match kind {
            Tokens::Words => Tokenizer::Words,
            Tokens::Whitespace => Tokenizer::Whitespace,
            Tokens::Chars => Tokenizer::Chars,
        };
        check_folds(text, kind, tokenizer);
        let expected = tokens(text, tokenizer);
        let hashes: Vec<u64> = expected.iter().map(|token| token_hash(token, 0)).collect();
        let plan = Options { tokens: Some(kind), ..Options::default() }.plan().expect("a valid plan");
        let sketch = |sketcher: &mut Sketcher| {
            let sketch = sketcher.sketch(text);
            (sketch.features.to_vec(), sketch.signature.to_vec(), sketch.content)
        };
        let mut scalar = None;
        for level in Level::available() {
            let mut sketcher = Sketcher::with_level(&plan, level);
            let sketch = sketch(&mut sketcher);
            assert_eq!(&sketch, scalar.get_or_insert_with(|| sketch.clone()), "{name} on {}", level.name());
            let found: Vec<&str> = sketcher.tokens(text).collect();
            assert_eq!(found, expected, "{name} on {}", level.name());
            assert_eq!(sketcher.token_hashes(text), hashes, "{name} on {}", level.name());
        }
    }
});
