//! Any bytes as an HTML page. Reading does not panic. Without attributes, which may hide text, the words are those of the plain text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_html::{Extract, HtmlPage, html_text};

fuzz_target!(|bytes: &[u8]| {
    let page = HtmlPage::read(bytes, None);
    for extract in [Extract::All, Extract::Blocks, Extract::Main] {
        assert_eq!(page.selected(extract).len(), page.blocks.len());
    }
    assert!(page.blocks.iter().all(|block| block.linked <= block.words && !block.text.trim().is_empty()));
    let has = |name: &[u8]| bytes.windows(name.len()).any(|part| part.eq_ignore_ascii_case(name));
    if [&b"hid"[..], b"style", b"svg", b"noscript", b"charset"].iter().any(|name| has(name)) {
        return;
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut text = String::new();
    html_text(bytes, None, &mut text);
    let blocks: Vec<String> = page.blocks.iter().flat_map(|block| words(&block.text)).collect();
    assert_eq!(blocks, words(&text));
});
