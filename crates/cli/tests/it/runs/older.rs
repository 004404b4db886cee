//! Files of a program with sketches of version 1 are refused, and the message names the reason.
//!
//! `older/` holds files of that program: the manifest of an index (`index build in.jsonl`), document frequencies
//! (`frequencies in.jsonl`), and the description of a stopped run, which `space.rs` uses.

use crate::{Folder, failed};

const INDEX: &[u8] = include_bytes!("older/index.lookalike");
const FREQUENCIES: &[u8] = include_bytes!("older/frequencies");

#[test]
fn an_index_of_older_sketches_is_to_be_built_again() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\":\"one two three\"}\n").write("seen.index/index.lookalike", INDEX);
    let expected = "error: seen.index/index.lookalike: its sketches are of version 1, and this program makes version 2, by which the same \
                    texts have other tokens; make the index again from its documents\n";
    for command in [
        "index info seen.index",
        "index add seen.index in.jsonl",
        "dedup in.jsonl -o out.jsonl --against seen.index",
    ] {
        assert_eq!(folder.run(command), failed(1, expected));
    }
}

#[test]
fn frequencies_of_older_features_are_to_be_counted_again() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\":\"one two three\"}\n").write("words.df", FREQUENCIES);
    let expected = "error: words.df: the table has features of version 1, and this program makes version 2, in which the same texts have other \
                    tokens; make it again with lookalike frequencies\n";
    let ran = folder.run("pairs in.jsonl --method simhash --weights tf-idf --frequencies words.df");
    assert_eq!(ran, failed(2, expected));
}
