//! Runs with little memory, which use the disk.

mod against;
mod continued;
mod little;

use crate::{Folder, Ran};
use std::fs;

/// The least memory for one thread. The corpora of these tests need more.
const LITTLE: &str = "--memory 70MiB --threads 1";

/// Short documents whose sketches do not fit into memory. Every fifth is nearly the one before, and some are copies.
fn corpus(folder: &Folder) {
    let mut lines = String::new();
    for document in 0..48_000_u64 {
        let seed = if document % 5 == 4 { document - 1 } else { document };
        let seed = if document % 97 == 0 { 0 } else { seed };
        let mut generator = lookalike::hash::SplitMix64(seed);
        let words: Vec<String> = (0..12).map(|_| format!("w{}", generator.next() % 5000)).collect();
        let end = if document % 5 == 4 { " again" } else { "" };
        lines += &format!("{{\"id\":\"d{document}\",\"text\":\"{}{end}\"}}\n", words.join(" "));
    }
    folder.write("in.jsonl", lines);
}

const DEDUP: &str = "dedup in.jsonl -o out.jsonl --removed removed.csv --clusters clusters.csv --summary summary.json --threshold 0.6 --method minhash";

const OUTPUTS: [&str; 3] = ["out.jsonl", "removed.csv", "clusters.csv"];

fn outputs(folder: &Folder) -> Vec<Vec<u8>> {
    OUTPUTS.map(|name| folder.read_bytes(name)).to_vec()
}

/// The outputs of a run with enough memory.
fn expected(folder: &Folder) -> Vec<Vec<u8>> {
    assert_eq!(folder.run(DEDUP).code, Some(0));
    assert_eq!(folder.summary()["spilled"], false);
    let expected = outputs(folder);
    OUTPUTS.iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
    expected
}

/// The temporary folder of a stopped run.
fn left(folder: &Folder) -> Option<String> {
    let mut names = folder.names().into_iter();
    names.find(|name| name.starts_with(".lookalike-") && !name.ends_with(".part"))
}

/// The temporary folder of a run with little memory that was killed when it had written `name` for the `times`th time.
fn stopped_at(folder: &Folder, name: &str, times: u32) -> std::path::PathBuf {
    let mut command = folder.command(&format!("{DEDUP} {LITTLE}"));
    command.env("LOOKALIKE_ABORT_AT", format!("{name}#{times}"));
    let ran = crate::run(command);
    assert_eq!(ran.code, None, "{name}: {}", ran.stderr);
    folder.path(&left(folder).unwrap())
}

fn assert_done(folder: &Folder, ran: &Ran, expected: &[Vec<u8>]) {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(folder.summary()["spilled"], true);
    assert!(outputs(folder) == expected, "the outputs differ");
    assert_eq!(left(folder), None, "the folder is gone");
}
