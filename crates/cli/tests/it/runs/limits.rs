//! A run to which the system refuses memory or longer files ends with one sentence and exit code 1. It leaves no file behind.

use crate::{Folder, Ran, ran, silent};
use std::process::Command;

/// Runs `lookalike` with a limit of `ulimit`.
fn run_with(folder: &Folder, limit: &str, arguments: &str) -> Ran {
    let mut command = Command::new("sh");
    let script = format!("ulimit {limit} && exec \"$0\" {arguments}");
    command.current_dir(folder.0.path()).args(["-c", &script, env!("CARGO_BIN_EXE_lookalike")]);
    ran(command.output().unwrap())
}

/// Documents that take some memory. Many are similar to others.
fn corpus(folder: &Folder, documents: u64) {
    let mut lines = String::new();
    for document in 0..documents {
        let mut generator = lookalike::hash::SplitMix64(document / 3);
        let words: Vec<String> = (0..20).map(|_| format!("w{}", generator.next() % 5000)).collect();
        lines += &format!("{{\"id\":\"d{document}\",\"text\":\"{} {document}\"}}\n", words.join(" "));
    }
    folder.write("in.jsonl", &lines).write("old.jsonl", &lines[..lines.find("{\"id\":\"d9\"").unwrap()]);
    assert_eq!(folder.run("index build old.jsonl -o seen.index -q"), silent());
}

/// Commands with their outputs.
const COMMANDS: [(&str, &[&str]); 5] = [
    (
        "dedup in.jsonl -o out.jsonl.zst --removed removed.csv --summary summary.json -q -t 0.6 --threads 2",
        &["out.jsonl.zst", "removed.csv"],
    ),
    (
        "dedup in.jsonl -o out.jsonl --clusters clusters.parquet -q --method exact --threads 2",
        &["out.jsonl", "clusters.parquet"],
    ),
    ("pairs in.jsonl -o pairs.csv.gz -q -t 0.6 --threads 5 --memory 120MiB", &["pairs.csv.gz"]),
    ("dedup in.jsonl -o new.jsonl --against seen.index -q --threads 2", &["new.jsonl"]),
    ("sketch in.jsonl -o sketches.parquet -q --threads 2", &["sketches.parquet"]),
];

/// How the last words of a process without memory start.
const FATAL: [&str; 2] = ["failed to register TLS destructor", "failed to initiate panic"];

/// Checks that every run with a limit gives the usual result or fails with a message, and that a last run without limits removes
/// temporary files. Returns the number of runs that failed, and of those that did not.
fn ends_well(folder: &Folder, limits: &[String]) -> (usize, usize) {
    let (mut failed, mut done) = (0, 0);
    for (command, outputs) in COMMANDS {
        assert_eq!(folder.run(command), silent(), "{command}");
        let expected: Vec<Vec<u8>> = outputs.iter().map(|name| folder.read_bytes(name)).collect();
        let names = folder.names();
        for limit in limits {
            outputs.iter().for_each(|name| std::fs::write(folder.path(name), "last week's").unwrap());
            let ran = run_with(folder, limit, command);
            let errors = ran
                .stderr
                .lines()
                .filter(|line| !line.starts_with("note: ") && !line.starts_with("  hint: "));
            let errors: Vec<&str> = errors.collect();
            // The note has said that the limit is below what the run needs. The C library or the runtime of Rust then found no memory for a thread,
            // or to unwind, and ended the process: no message of ours comes any more.
            let is_ended = ran.code.is_none()
                && ran.stderr.contains("the run plans with")
                && FATAL.iter().any(|said| ran.stderr.contains(said));
            match ran.code {
                Some(0) => {
                    done += 1;
                    assert_eq!(errors, [""; 0], "{limit}: {command}");
                    let written = outputs.iter().map(|name| folder.read_bytes(name));
                    assert!(
                        written.zip(&expected).all(|(written, expected)| written == *expected),
                        "{limit}: {command}"
                    );
                }
                code if code == Some(1) || is_ended => {
                    failed += 1;
                    let is_said = errors.len() == 1 && errors[0].starts_with("error: ");
                    assert!(is_ended || is_said, "{limit}: {command}: {ran:?}");
                    outputs
                        .iter()
                        .for_each(|name| assert_eq!(folder.read(name), "last week's", "{limit}: {command}"));
                }
                // The program cannot start. The message, if any, is the loader's.
                _ if run_with(folder, limit, "--version").code != Some(0) => {}
                _ => panic!("{limit}: {command}: {ran:?}"),
            }
            assert!(!ran.stderr.contains("panicked"), "{limit}: {command}: {ran:?}");
        }
        assert_eq!(folder.run(command).code, Some(0), "{command}");
        assert_eq!(folder.names(), names, "{command}");
        outputs.iter().for_each(|name| std::fs::remove_file(folder.path(name)).unwrap());
    }
    (failed, done)
}

/// Limits in kibibytes from `least` on, each greater than the one before by the factor `growth`.
fn kibibytes(option: char, least: u64, most: u64, growth: f64) -> Vec<String> {
    let steps = std::iter::successors(Some(least as f64), |before| Some(before * growth));
    steps.take_while(|&step| step < most as f64).map(|step| format!("-{option} {}", step as u64)).collect()
}

#[test]
fn too_small_an_address_space_ends_a_run_with_a_message() {
    let folder = Folder::new();
    corpus(&folder, 4_000);
    let (failed, done) = ends_well(&folder, &kibibytes('v', 10_000, 400_000, 1.15));
    assert!(failed > 4 && done > 10, "{failed} failed, {done} were done");
}

#[test]
fn a_limit_on_data_ends_a_run_with_a_message() {
    let folder = Folder::new();
    corpus(&folder, 4_000);
    let (failed, done) = ends_well(&folder, &kibibytes('d', 100, 200_000, 1.4));
    assert!(failed > 4 && done > 10, "{failed} failed, {done} were done");
}

#[test]
fn files_that_must_not_grow_end_a_run_as_a_full_disk_does() {
    let folder = Folder::new();
    corpus(&folder, 4_000);
    // The unit is a block of 512 bytes.
    let limits = kibibytes('f', 1, 20_000, 4.0);
    let (failed, done) = ends_well(&folder, &limits);
    assert!(failed > 4 && done > 5, "{failed} failed, {done} were done");
    let before = folder.names();
    let ran = run_with(&folder, "-f 1", "dedup in.jsonl -o out.jsonl -q");
    let said = "error: out.jsonl: cannot write: File too large (os error 27)\n  hint: allow longer files (ulimit -f)\n";
    assert_eq!(
        (
            ran.code,
            ran.stderr.replace(folder.0.path().canonicalize().unwrap().to_str().unwrap(), "").as_str()
        ),
        (Some(1), said)
    );
    assert_eq!(folder.names(), before);
    // An index that cannot grow stays as it was.
    let index = || -> Vec<Vec<u8>> {
        let mut names: Vec<_> = std::fs::read_dir(folder.path("seen.index"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        names.sort();
        names.iter().map(|name| std::fs::read(name).unwrap()).collect()
    };
    let grown = index();
    let ran = run_with(&folder, "-f 2", "index add seen.index in.jsonl -q");
    assert!(ran.code == Some(1) && ran.stderr.contains("File too large"), "{ran:?}");
    assert!(index() == grown);
}

#[test]
fn a_run_plans_with_the_memory_below_a_limit() {
    let folder = Folder::new();
    corpus(&folder, 48_000);
    let dedup = "dedup in.jsonl -o out.jsonl --summary summary.json --method minhash --threads 1 -q";
    let said = |limit: &str, more: &str| run_with(&folder, limit, &format!("{dedup} {more}"));
    assert_eq!(said("-v 4000000", ""), silent());
    assert_eq!(folder.summary()["spilled"], false);
    let ran = said("-v 4000000", "--memory 64GiB");
    assert!(
        ran.code == Some(0)
            && ran.stderr.starts_with("note: --memory: 68719.5 MB are more than ulimit -v leaves, which is "),
        "{ran:?}"
    );
    let ran = said("-d 2000000", "--memory 64GiB");
    assert!(
        ran.code == Some(0)
            && ran.stderr.starts_with("note: --memory: 68719.5 MB are more than ulimit -d leaves, which is "),
        "{ran:?}"
    );
    assert_eq!(said("-d 2000000", "--memory 1GiB"), silent());
    let expected = folder.read("out.jsonl");
    // The limit is so low that sketches go to disk, without --memory.
    let ran = said("-d 90000", "");
    assert_eq!((ran.code, folder.read("out.jsonl") == expected), (Some(0), true), "{ran:?}");
    assert_eq!(folder.summary()["spilled"], true);
}
