//! Runs that are stopped leave nothing half done under a final name.

use crate::{Folder, exists, jsonl, words};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A run that is still busy when it is stopped.
fn busy(folder: &Folder) -> Child {
    let mut command = folder.command("dedup big.jsonl -o out.jsonl --removed removed.csv -q --threads 1");
    command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn big(folder: &Folder) {
    let line: String = (0..40).map(|seed| jsonl(&[words(seed)])).collect();
    folder.write("big.jsonl", line.repeat(20_000));
}

/// Waits until the run has begun to write, so that there is something to leave behind.
fn wait_for_temporary(folder: &Folder) {
    let started = Instant::now();
    while !folder.names().iter().any(|name| name.ends_with(".part")) {
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn ctrl_c_stops_within_a_second_and_cleans_up() {
    let folder = Folder::new();
    big(&folder);
    let child = busy(&folder);
    wait_for_temporary(&folder);
    let interrupted = Instant::now();
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(interrupted.elapsed() < Duration::from_secs(1));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: interrupted; no output was written\n");
    assert_eq!(folder.names(), ["big.jsonl"]);
}

#[test]
fn ctrl_c_stops_eval_while_it_lists_what_differs() {
    let folder = Folder::new();
    let list = |cluster: fn(u32) -> u32| -> String {
        // Nearly as many pairs as may be listed.
        (0..19_000).map(|document| format!("d{document},{}\n", cluster(document))).collect()
    };
    folder
        .write("found.csv", format!("id,cluster\n{}", list(|_| 1)))
        .write("truth.csv", format!("id,cluster\n{}", list(|document| document)));
    let mut command = folder.command("eval found.csv --truth truth.csv --wrong wrong.csv -q");
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    let is_writing = || {
        let names = folder.names().into_iter().filter(|name| name.ends_with(".part"));
        names.map(|name| std::fs::metadata(folder.path(&name)).unwrap().len()).sum::<u64>() > 1 << 20
    };
    while !is_writing() {
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(2));
    }
    let interrupted = Instant::now();
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(interrupted.elapsed() < Duration::from_secs(1));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: interrupted; no output was written\n");
    assert_eq!(folder.names(), ["found.csv", "truth.csv"]);
}

#[test]
fn a_killed_run_leaves_no_file_under_a_final_name() {
    let folder = Folder::new();
    big(&folder);
    let mut child = busy(&folder);
    wait_for_temporary(&folder);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!exists(&folder.path("out.jsonl")) && !exists(&folder.path("removed.csv")));
}
