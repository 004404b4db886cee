//! More input files than a process may open, and names that take memory.

use crate::{Folder, Ran, jsonl, run, words};
use std::process::Command;

/// More files than a process may open, and more than one batch of texts.
const FILES: usize = 3_000;

/// Files in folders, each with one document. Every third document is a copy of the one before.
fn files(folder: &Folder, extension: &str, content: fn(String) -> String) {
    for file in 0..FILES {
        let seed = if file % 3 == 2 { file - 1 } else { file };
        folder.write(&format!("in/{}/{file}.{extension}", file % 7), content(words(seed)));
    }
}

/// Runs `lookalike` with a limit on the number of open files.
fn run_with_open_files(folder: &Folder, most: u32, arguments: &str) -> Ran {
    let script = format!("ulimit -n {most}; exec {} {arguments}", env!("CARGO_BIN_EXE_lookalike"));
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path("")).args(["-c", &script]);
    run(shell)
}

#[test]
fn many_files_need_few_open_files() {
    let folder = Folder::new();
    files(&folder, "jsonl", |text| jsonl(&[text]));
    let command = "dedup in -o out.jsonl --removed removed.csv --summary summary.json -q --threads 4";
    let ran = run_with_open_files(&folder, 48, command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(folder.summary()["documents"], FILES);
    assert_eq!(folder.read("out.jsonl").lines().count(), FILES / 3 * 2);
    let ran = run_with_open_files(&folder, 48, "dedup in -o out -q --memory 200MiB --threads 4");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(folder.read("out/1/1.jsonl"), folder.read("in/1/1.jsonl"));
    assert_eq!(folder.read("out/2/2.jsonl"), "");
}

#[test]
fn many_texts_and_their_copies_need_few_open_files() {
    let folder = Folder::new();
    files(&folder, "txt", |text| text);
    let ran = run_with_open_files(&folder, 48, "dedup in -o out --summary summary.json -q --threads 4");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(folder.summary()["documents"], FILES);
    assert_eq!(folder.read("out/1/1.txt"), words(1));
    assert!(!folder.path("out/2/2.txt").exists());
}

#[test]
fn names_that_take_too_much_memory_are_an_error() {
    let folder = Folder::new();
    let name = "n".repeat(200);
    for file in 0..5_000 {
        folder.write(&format!("in/{name}/{file:04}{name}.txt"), "");
    }
    let ran = folder.run("dedup in -o out --memory 70MiB --threads 1");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("error: the memory limit of 73.4 MB is too small; with 1 thread and "),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains(" MB for names of inputs a run needs "), "{}", ran.stderr);
}
