//! Writes `tokens.json`, `sketches.json`, `fingerprints.json` and `datasketch.json` into the folder given as its only argument.
//!
//! ```text
//! cargo run -p lookalike-reference --bin make_vectors -- vectors
//! ```
//!
//! The program writes the same bytes on every machine. Every entry has its own line. All non-ASCII characters are
//! escaped, so no editor, font or normaliser can change or hide a character.

#![forbid(unsafe_code)]

mod fingerprints;
mod permuted;
mod sketches;
mod texts;
mod token_vectors;

use std::path::Path;

use serde::Serialize;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: make_vectors FOLDER");
        std::process::exit(2);
    };
    let folder = Path::new(&folder);
    std::fs::write(folder.join("tokens.json"), token_vectors::file())?;
    std::fs::write(folder.join("sketches.json"), sketches::file())?;
    std::fs::write(folder.join("fingerprints.json"), fingerprints::file())?;
    std::fs::write(folder.join("datasketch.json"), permuted::file())
}

/// A JSON object: `_comment` as a list of lines, then every section as a list with one entry per line.
fn json_file(comment: &str, sections: &[(&str, Vec<String>)]) -> String {
    let comment: Vec<String> = comment.lines().map(json).collect();
    let mut file = list("_comment", &comment);
    for (name, entries) in sections {
        file.push_str(",\n");
        file.push_str(&list(name, entries));
    }
    format!("{{\n{file}\n}}\n")
}

fn list(name: &str, entries: &[String]) -> String {
    format!("\"{name}\": [\n{}\n]", entries.join(",\n"))
}

/// A value as JSON on one line, in ASCII.
///
/// JSON has non-ASCII characters only inside strings, where `\u` escapes of their UTF-16 mean the same.
fn json(value: impl Serialize) -> String {
    let json = serde_json::to_string(&value).expect("plain structs and strings are always JSON");
    let mut ascii = String::new();
    for c in json.chars() {
        // U+007F is ASCII, but invisible.
        if c.is_ascii() && c != '\u{7f}' {
            ascii.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            ascii.push_str(&format!("\\u{unit:04x}"));
        }
    }
    ascii
}

/// 64 bits as 16 hexadecimal digits. JSON numbers are doubles in many readers and would lose the low bits.
fn hex(number: u64) -> String {
    format!("{number:016x}")
}
