//! Extracts pages for `bench/extraction.py`: reads paths of HTML files, one a line, and writes a line of JSON for each.
//!
//! ```sh
//! find site -name '*.html' | cargo run --release --example extract              # the text of each part, and milliseconds
//! find site -name '*.html' | cargo run --release --example extract -- features  # what is known of each block
//! ```

use std::{
    error::Error,
    fs,
    io::{self, BufRead, BufWriter, Write},
    time::Instant,
};

use lookalike_html::{Extract, HtmlPage, html_text_by};
use serde_json::{Map, Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    let with_features = std::env::args().nth(1).is_some_and(|argument| argument == "features");
    for path in io::stdin().lock().lines() {
        let path = path?;
        let page = fs::read(&path)?;
        let mut found = if with_features { features(&page) } else { texts(&page) };
        found.insert("path".to_owned(), path.into());
        serde_json::to_writer(&mut out, &found)?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// The text of each part of a page, and the milliseconds that it took.
fn texts(page: &[u8]) -> Map<String, Value> {
    let mut found = Map::new();
    let mut text = String::new();
    for extract in [Extract::All, Extract::Blocks, Extract::Main] {
        let started = Instant::now();
        html_text_by(extract, page, None, &mut text);
        let milliseconds = started.elapsed().as_secs_f64() * 1e3;
        found.insert(extract.name().to_owned(), json!({ "text": text, "milliseconds": milliseconds }));
    }
    found
}

fn features(page: &[u8]) -> Map<String, Value> {
    let page = HtmlPage::read(page, None);
    let [features, contexts] = page.content_features();
    let texts: Vec<_> = page.blocks.iter().map(|block| json!([block.text, block.words])).collect();
    let parts = [("features", json!(features)), ("contexts", json!(contexts)), ("blocks", json!(texts))];
    parts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
