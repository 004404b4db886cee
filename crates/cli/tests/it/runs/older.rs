//! Files of older programs are refused, and the message names the reason.
//!
//! `older/` holds files of a program with sketches of version 1, whose files have version 2 of the format: the manifest of an index
//! (`index build in.jsonl`), document frequencies (`frequencies in.jsonl`), and the description of a stopped run. No program wrote
//! sketches of version 1 in a later version of the format, so the tests make such files of today's.

use crate::{Folder, failed, silent};
use lookalike_store::{ContainerKind, Log, LogWriter};
use std::path::Path;

const INDEX: &[u8] = include_bytes!("older/index.lookalike");
const FREQUENCIES: &[u8] = include_bytes!("older/frequencies");

/// The description of a run that has version 2 of the format.
pub(crate) const RUN: &[u8] = include_bytes!("older/run");

const COMMANDS: [&str; 3] = [
    "index info seen.index",
    "index add seen.index in.jsonl",
    "dedup in.jsonl -o out.jsonl --against seen.index",
];

/// The owner in the header of a file.
fn owner(file: &[u8]) -> u64 {
    u64::from_le_bytes(file[16..24].try_into().unwrap())
}

/// Replaces the file at `path`, which has one record. The new one belongs to `owner`, and `change` changes its first part.
fn replace(path: &Path, tag: [u8; 4], owner: u64, change: impl Fn(&[u8]) -> Vec<u8>) {
    let kind = ContainerKind { tag, name: "a file of the test" };
    let log = Log::open(path, kind, None).unwrap();
    assert_eq!(log.len(), 1);
    let record = log.record(0);
    let mut parts: Vec<Vec<u8>> =
        (0..record.parts()).map(|part| record.bytes(part).unwrap().to_vec()).collect();
    parts[0] = change(&parts[0]);
    let parts: Vec<&[u8]> = parts.iter().map(|part| &part[..]).collect();
    drop(log);
    LogWriter::create(path, kind, owner).unwrap().append(&parts).unwrap();
}

/// Makes the description of a run that of a program whose descriptions had no version of sketches.
pub(crate) fn forget_the_version_of_sketches(path: &Path) {
    replace(path, *b"run ", owner(RUN), |settings| {
        let mut settings: serde_json::Value = serde_json::from_slice(settings).unwrap();
        settings.as_object_mut().unwrap().remove("version of sketches").unwrap();
        serde_json::to_vec(&settings).unwrap()
    });
}

#[test]
fn an_index_of_older_sketches_is_to_be_built_again() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\":\"one two three\"}\n");
    assert_eq!(folder.run("index build in.jsonl -o seen.index -q"), silent());
    // The old index has the same plan. Its owner is the id that this plan had with sketches of version 1.
    replace(&folder.path("seen.index/index.lookalike"), *b"indx", owner(INDEX), <[u8]>::to_vec);
    let expected = "error: seen.index/index.lookalike: its sketches are of version 1, and this program makes version 3, by which the same \
                    texts have other tokens; make the index again from its documents\n";
    for command in COMMANDS {
        assert_eq!(folder.run(command), failed(1, expected));
    }
}

#[test]
fn an_index_in_an_older_format_is_to_be_built_again() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\":\"one two three\"}\n").write("seen.index/index.lookalike", INDEX);
    let expected = "error: seen.index/index.lookalike: written in version 2 of the format; this program reads version 4; make the index \
                    again from its documents\n";
    for command in COMMANDS {
        assert_eq!(folder.run(command), failed(1, expected));
    }
}

#[test]
fn frequencies_of_older_features_are_to_be_counted_again() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\":\"one two three\"}\n").write("words.df", FREQUENCIES);
    let expected = "error: words.df: the table has features of version 1, and this program makes version 3, in which the same texts have other \
                    tokens; make it again with lookalike frequencies\n";
    let ran = folder.run("pairs in.jsonl --method simhash --weights tf-idf --frequencies words.df");
    assert_eq!(ran, failed(2, expected));
}
