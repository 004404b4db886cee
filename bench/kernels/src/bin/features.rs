//! Writes the features of a corpus to a flat file, for kernels of other programs.
//!
//! ```text
//! features CORPUS.jsonl OUT.flat
//! ```
//! Tokens are cut at white space, shingles are word 5-grams. Features are in order and with repetitions. See `Flat` for
//! the file.

use lookalike::{Options, Sketcher, Tokens};
use lookalike_kernels::{Flat, documents};
use std::io;

fn main() -> io::Result<()> {
    let [_, corpus, out] = std::env::args()
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| io::Error::other("usage: features CORPUS.jsonl OUT.flat"))?;
    let plan = Options { tokens: Some(Tokens::Whitespace), ..Options::default() }
        .plan()
        .map_err(io::Error::other)?;
    let mut sketcher = Sketcher::new(&plan);
    let mut flat = Flat::new();
    for document in documents(&corpus)? {
        flat.push(sketcher.features(&document.text));
    }
    println!("{} documents, {} shingles", flat.len(), flat.features().len());
    flat.write(&out)
}
