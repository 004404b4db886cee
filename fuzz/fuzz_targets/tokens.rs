//! Any text: every instruction set gives the tokens and the token hashes of the reference.
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
        for level in Level::available() {
            let mut sketcher = Sketcher::with_level(&plan, level);
            let found: Vec<&str> = sketcher.tokens(text).collect();
            assert_eq!(found, expected, "{name} on {}", level.name());
            assert_eq!(sketcher.token_hashes(text), hashes, "{name} on {}", level.name());
        }
    }
});
