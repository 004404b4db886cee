//! A stopped run continues, and notices changes and damage.

use super::{DEDUP, LITTLE, assert_done, corpus, expected, left, outputs, stopped_at};
use crate::runs::older::{RUN, forget_the_version_of_sketches};
use crate::{Folder, Ran};
use std::fs;

#[test]
fn a_killed_run_continues_and_writes_the_same() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    // Each run continues where the run before it was killed.
    let stages = [
        ("sketches", 4),
        ("sketches", 1),
        ("keys", 1),
        ("chunks", 1),
        ("band-0-documents", 1),
        ("band-9-ends", 1),
    ];
    for (stage, times) in
        stages.into_iter().chain([("involved", 1), ("features", 2), ("spans", 1), ("rounds", 9)])
    {
        stopped_at(&folder, stage, times);
    }
    let ran = folder.run(&format!("{DEDUP} {LITTLE}"));
    assert!(ran.stderr.starts_with("note: going on from ./.lookalike-"), "{}", ran.stderr);
    assert_done(&folder, &ran, &expected);
}

#[test]
fn finished_work_of_a_stopped_run_is_not_repeated() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    let left = stopped_at(&folder, "involved", 1);
    let stamp = |name: &str| fs::metadata(left.join(name)).unwrap().modified().unwrap();
    let finished =
        ["keys", "bytes", "contents", "places", "chunks", "band-0-ends", "band-20-ends", "involved"];
    let before = finished.map(stamp);
    assert_eq!(stopped_at(&folder, "rounds", 3), left);
    assert_eq!(finished.map(stamp), before);
    assert_done(&folder, &folder.run(&format!("{DEDUP} {LITTLE}")), &expected);
}

#[test]
fn a_changed_input_plan_or_option_is_named_and_the_run_starts_over() {
    let folder = Folder::new();
    corpus(&folder);
    let note = |ran: &Ran| ran.stderr.lines().next().unwrap_or_default().to_owned();
    let starts_over = |more: &str, reason: &str| {
        let ran = folder.run(&format!("{DEDUP} {LITTLE} {more}"));
        assert_eq!(ran.code, Some(0));
        let note = note(&ran);
        assert!(
            note.starts_with("note: cannot go on from ./.lookalike-") && note.ends_with(reason),
            "{note}"
        );
    };
    stopped_at(&folder, "chunks", 1);
    starts_over("--shingle 4", "starting over: shingle is 4 and was 5");
    stopped_at(&folder, "chunks", 1);
    starts_over("--keep longest", "starting over: --keep is \"the length\" and was \"the place\"");
    stopped_at(&folder, "chunks", 1);
    starts_over("--within id", "starting over: fields of groups is \"id\" and was \"\"");
    stopped_at(&folder, "chunks", 1);
    starts_over("--extract main", "starting over: --extract is \"main\" and was \"all\"");
    stopped_at(&folder, "chunks", 1);
    let text = folder.read("in.jsonl");
    folder.write("in.jsonl", text.replacen("d7\"", "d7x\"", 1));
    starts_over("", "starting over: in.jsonl has changed");
    // The description of the same run by a program with older sketches, and by one with an older format.
    let left = stopped_at(&folder, "chunks", 1);
    forget_the_version_of_sketches(&left.join("run"));
    starts_over("", "starting over: version of sketches is \"3\" and was not there");
    let left = stopped_at(&folder, "chunks", 1);
    fs::write(left.join("run"), RUN).unwrap();
    starts_over("", "/run: written in version 2 of the format; this program reads version 4");
}

#[test]
fn a_file_of_a_stopped_run_that_is_damaged_is_named_and_made_again() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    let files = [
        "sketches",
        "keys",
        "contents",
        "totals",
        "band-3-documents",
        "involved",
        "features",
        "rounds",
        "run",
    ];
    for name in files {
        let stage = if name == "sketches" { ("sketches", 4) } else { ("rounds", 9) };
        let path = stopped_at(&folder, stage.0, stage.1).join(name);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(&path, bytes).unwrap();
        let ran = folder.run(&format!("{DEDUP} {LITTLE}"));
        let damaged = format!("/{name}: damaged at byte ");
        assert!(ran.stderr.contains(&damaged), "{name}: {}", ran.stderr);
        assert_done(&folder, &ran, &expected);
    }
}

#[test]
fn files_of_a_stopped_run_are_not_confused() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    for (name, other) in [("contents", "keys"), ("id-ends", "band-0-ends"), ("places", "contents")] {
        let left = stopped_at(&folder, "rounds", 9);
        fs::copy(left.join(other), left.join(name)).unwrap();
        let ran = folder.run(&format!("{DEDUP} {LITTLE}"));
        assert!(ran.stderr.contains("this part is done again"), "{name}: {}", ran.stderr);
        assert_done(&folder, &ran, &expected);
    }
}

#[test]
fn a_full_disk_stops_a_run_and_the_same_command_continues_it() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    // No file may grow beyond this number of blocks of 512 or 1,024 bytes. The program ignores the signal, so the write fails.
    for blocks in [2_000, 6_000] {
        let program = env!("CARGO_BIN_EXE_lookalike");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {program} {DEDUP} {LITTLE}");
        let mut shell = std::process::Command::new("bash");
        let ran = crate::run({
            shell.current_dir(folder.path("")).args(["-c", &script]);
            shell
        });
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("note: the same command will go on from ./.lookalike-"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("error: cannot write ./.lookalike-"), "{}", ran.stderr);
        assert!(!folder.path("out.jsonl").exists());
    }
    assert_done(&folder, &folder.run(&format!("{DEDUP} {LITTLE}")), &expected);
}

#[test]
fn a_run_does_not_continue_a_strict_run() {
    let folder = Folder::new();
    corpus(&folder);
    let text = folder.read("in.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    folder.write(
        "in.jsonl",
        format!("{}\n{{\"text\": 7}}\n{}\n", lines[..40_000].join("\n"), lines[40_000..].join("\n")),
    );
    assert_eq!(folder.run(DEDUP).code, Some(3));
    let expected = outputs(&folder);
    let strict = folder.run(&format!("{DEDUP} {LITTLE} --strict"));
    assert_eq!(strict.code, Some(1));
    assert!(
        strict.stderr.starts_with("error: in.jsonl:40001: field \"text\" is a number"),
        "{}",
        strict.stderr
    );
    assert_eq!(left(&folder), None, "it would fail again");
    // The same for a run that was killed before it could print a message.
    let mut killed = folder.command(&format!("{DEDUP} {LITTLE} --strict"));
    killed.env("LOOKALIKE_ABORT_AT", "sketches#4");
    assert_eq!(crate::run(killed).code, None);
    assert_eq!(folder.run(&format!("{DEDUP} {LITTLE}")).code, Some(3));
    assert!(outputs(&folder) == expected);
}

/// Compressed documents of many words. The features of a few chunks do not fit into memory.
fn compressed(folder: &Folder) {
    let mut lines = Vec::new();
    for document in 0..14_000_u64 {
        let mut generator = lookalike::hash::SplitMix64(document / 2);
        let words: Vec<String> = (0..500).map(|_| format!("w{}", generator.next() % 50_000)).collect();
        let end = if document % 2 == 1 { " again" } else { "" };
        lines.extend_from_slice(format!("{{\"text\":\"{}{end}\"}}\n", words.join(" ")).as_bytes());
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &lines).unwrap();
    folder.write("in.jsonl.gz", encoder.finish().unwrap());
}

#[test]
fn a_run_continues_with_more_memory_and_threads_and_finds_the_same() {
    let folder = Folder::new();
    compressed(&folder);
    let methods =
        ["--method simhash --verify", "--method minhash", "--method minhash --measure cosine --weights tf"];
    for method in methods {
        let pairs = format!("pairs in.jsonl.gz -o out.csv --threshold 0.6 {method}");
        assert_eq!(folder.run(&pairs).code, Some(0));
        let expected = folder.read_bytes("out.csv");
        let mut killed = folder.command(&format!("{pairs} {LITTLE}"));
        killed.env("LOOKALIKE_ABORT_AT", "features#2");
        assert_eq!(crate::run(killed).code, None, "{method}");
        let ran = folder.run(&format!("{pairs} --memory 400MiB --threads 2"));
        assert!(ran.stderr.starts_with("note: going on from"), "{}", ran.stderr);
        assert!(folder.read_bytes("out.csv") == expected, "{method}");
    }
}

#[test]
fn a_changed_table_of_weights_starts_over() {
    let folder = Folder::new();
    compressed(&folder);
    let pairs = "pairs in.jsonl.gz -o out.csv --method simhash --verify --measure cosine --shingle 1 --weights levels --levels levels.tsv";
    folder.write("levels.tsv", "w1\t3\n");
    let mut killed = folder.command(&format!("{pairs} {LITTLE}"));
    killed.env("LOOKALIKE_ABORT_AT", "features#2");
    let killed = crate::run(killed);
    assert_eq!(killed.code, None, "{}", killed.stderr);
    folder.write("levels.tsv", "w1\t4\n");
    let ran = folder.run(&format!("{pairs} {LITTLE}"));
    assert!(ran.stderr.contains("starting over: table of weights is"), "{}", ran.stderr);
}

#[test]
fn runs_without_an_output_file_do_not_meet() {
    let folder = Folder::new();
    corpus(&folder);
    let pairs = |threshold: &str| {
        format!("pairs in.jsonl --method minhash --threshold {threshold} --temp-dir . {LITTLE}")
    };
    let mut killed = folder.command(&pairs("0.6"));
    killed.env("LOOKALIKE_ABORT_AT", "chunks#1");
    assert_eq!(crate::run(killed).code, None);
    let other = folder.run(&pairs("0.9"));
    assert!(!other.stderr.contains("note:"), "{}", other.stderr);
    assert!(left(&folder).is_some(), "what the other left is still there");
    assert!(folder.run(&pairs("0.6")).stderr.starts_with("note: going on from"));
}

#[test]
fn a_killed_run_on_standard_input_is_not_continued_with_other_data() {
    let folder = Folder::new();
    corpus(&folder);
    let dedup = DEDUP.replace("in.jsonl", "-");
    // The same documents in another order.
    let other = folder.read("in.jsonl").lines().rev().fold(String::new(), |all, line| all + line + "\n");
    assert_eq!(folder.run_with_input(&dedup, other.as_bytes()).code, Some(0));
    let expected = outputs(&folder);
    let mut killed = folder.command(&format!("{dedup} {LITTLE}"));
    killed.env("LOOKALIKE_ABORT_AT", "involved#1").stdin(fs::File::open(folder.path("in.jsonl")).unwrap());
    assert_eq!(crate::run(killed).code, None);
    assert!(left(&folder).is_some());
    let ran = folder.run_with_input(&format!("{dedup} {LITTLE}"), other.as_bytes());
    let note = ran.stderr.lines().next().unwrap_or_default();
    assert!(note.starts_with("note: cannot go on from ./.lookalike-"), "{note}");
    assert!(note.ends_with("starting over: an input that is not a file may have changed"), "{note}");
    assert_done(&folder, &ran, &expected);
}
