//! Any text. Every instruction set gives the tokens and token hashes of the reference, and the same sketch.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike::{Level, Options, Sketcher, Tokens};
use lookalike_reference::tokens::{Tokenizer, token_hash, tokens};

fuzz_target!(|text: &str| {
    for (name, kind) in Tokens::ALL {
        let tokenizer = match kind {
            Tokens::Words => Tokenizer::Words,
            Tokens::Whitespace => Tokenizer::Whitespace,
            Tokens::Chars => Tokenizer::Chars,
        };
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
