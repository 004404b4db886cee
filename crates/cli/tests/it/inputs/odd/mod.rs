//! Bad and odd input: bad records get a clear message, and no good record is lost.

mod records;
mod tables;
mod texts;

use crate::{Folder, Ran, failed};

/// Runs `dedup` on `in.jsonl` and returns the kept lines.
fn dedup(folder: &Folder, expected: Ran) -> String {
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --quiet"), expected);
    folder.read("out.jsonl")
}

fn skipped(stderr: &str) -> Ran {
    failed(3, stderr)
}
