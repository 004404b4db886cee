//! Any bytes in a file called `.html`. Reading does not panic. The text, escaped and read as HTML, gives the same text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::read_text;
use lookalike_html::Extract;

fuzz_target!(|bytes: &[u8]| {
    let text = text_of(bytes);
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    let words = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
    // A byte order mark prevents the words from declaring another character set.
    assert_eq!(words(&text_of(format!("\u{feff}{escaped}").as_bytes())), words(&text));
});

fn text_of(bytes: &[u8]) -> String {
    let file = tempfile::Builder::new().suffix(".html").tempfile().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("room for it");
    // Only a compressed file may be broken, or too long.
    read_text(file.path(), Extract::All).unwrap_or_default()
}
