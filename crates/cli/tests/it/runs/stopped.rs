//! A stopped run leaves no incomplete file under a final name.

use crate::{Folder, exists, jsonl, words};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

/// A run that takes long enough to be stopped.
fn busy(folder: &Folder) -> Child {
    let mut command = folder.command("dedup big.jsonl -o out.jsonl --removed removed.csv -q --threads 1");
    command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn big(folder: &Folder) {
    let line: String = (0..40).map(|seed| jsonl(&[words(seed)])).collect();
    folder.write("big.jsonl", line.repeat(20_000));
}

/// Waits until the run writes a temporary file, so that it could leave one behind.
fn wait_for_temporary(folder: &Folder) {
    let started = Instant::now();
    while !folder.names().iter().any(|name| name.ends_with(".part")) {
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn ctrl_c_stops_after_less_than_a_second_of_work_and_cleans_up() {
    let folder = Folder::new();
    big(&folder);
    let child = busy(&folder);
    wait_for_temporary(&folder);
    let output = stopped(child, "-INT");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: interrupted; no output was written\n");
    assert_eq!(folder.names(), ["big.jsonl"]);
}

fn send(signal: &str, child: &Child) {
    std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
}

/// The output of a run that a signal stops. It works for less than a second more. A busy machine may give it this second late.
fn stopped(child: Child, signal: &str) -> Output {
    let ticks_before = working(&child).1;
    send(signal, &child);
    let sent = Instant::now();
    let ticks = loop {
        match working(&child) {
            (true, _) => assert!(sent.elapsed() < Duration::from_secs(60)),
            (false, ticks) => break ticks,
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(ticks - ticks_before < TICKS_PER_SECOND, "{ticks_before} {ticks}");
    child.wait_with_output().unwrap()
}

/// Linux counts processor time for programs in these.
const TICKS_PER_SECOND: u64 = 100;

/// Whether a process works, and the processor time that it has used. One that has ended stays until it is waited for.
fn working(child: &Child) -> (bool, u64) {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    // The name of the program, which comes before, may have spaces.
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let [user, system] = [11, 12].map(|field| fields[field].parse::<u64>().unwrap());
    (fields[0] != "Z", user + system)
}

/// Waits until the process handles the signal that ends it: the system says so in a mask of bits.
fn wait_until_signals_are_handled(child: &Child) {
    let started = Instant::now();
    let is_handled = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() >> (SIGTERM - 1) & 1 == 1
    };
    while !is_handled() {
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Its number on Linux.
const SIGTERM: u32 = 15;

#[test]
fn one_signal_ends_a_run_that_waits_for_a_pipe() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.path("in.jsonl")).status().unwrap();
    assert!(made.success());
    // Standard input without a writer, and a named pipe without a writer.
    for command in [
        "dedup - -o out.jsonl",
        "dedup in.jsonl -o out.jsonl",
        "index build - -o index",
        "index build in.jsonl -o index",
    ] {
        let mut run = folder.command(&format!("{command} -q"));
        let mut child = run.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let _open = child.stdin.take();
        wait_until_signals_are_handled(&child);
        // By then it waits for input. If it does not yet, the test shows less, and does not fail.
        std::thread::sleep(Duration::from_millis(100));
        let output = stopped(child, "-TERM");
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: interrupted; no output was written\n");
        assert_eq!(folder.names(), ["in.jsonl"], "{command}");
    }
}

#[test]
fn a_signal_when_the_pipe_ends_leaves_nothing_half_done() {
    let folder = Folder::new();
    for round in 0..30 {
        let mut run = folder.command("dedup - -o out.jsonl --removed removed.csv --clusters clusters.csv -q");
        let mut child = run.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        // More than a pipe holds, so that the run has read most of it.
        let lines: String = (0..500).map(|seed| jsonl(&[words(seed)])).collect();
        std::io::Write::write_all(&mut pipe, lines.as_bytes()).unwrap();
        wait_until_signals_are_handled(&child);
        let closing = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(100 * round));
            drop(pipe);
        });
        send("-TERM", &child);
        closing.join().unwrap();
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            Some(0) => assert_eq!(folder.names(), ["clusters.csv", "out.jsonl", "removed.csv"]),
            code => {
                let said = String::from_utf8(output.stderr).unwrap();
                assert_eq!((code, said.as_str()), (Some(1), "error: interrupted; no output was written\n"));
                assert_eq!(folder.names(), [""; 0]);
            }
        }
        for name in folder.names() {
            std::fs::remove_file(folder.path(&name)).unwrap();
        }
    }
}

#[test]
fn ctrl_c_stops_eval_while_it_lists_differences() {
    let folder = Folder::new();
    let list = |cluster: fn(u32) -> u32| -> String {
        // Nearly the most pairs that eval lists.
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
    let output = stopped(child, "-INT");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: interrupted; no output was written\n");
    assert_eq!(folder.names(), ["found.csv", "truth.csv"]);
}

/// Kills runs while they write, until one leaves a temporary file. Then replaces the corpus by a tiny one for the next run.
fn kill(folder: &Folder, start: impl Fn(&Folder) -> Child) {
    let before = unfinished(folder);
    // A run first writes a file to test the folder. It may remove this file before it is killed.
    while unfinished(folder) == before {
        let mut child = start(folder);
        wait_for_temporary(folder);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    folder.write("big.jsonl", jsonl(&[words(1)]));
}

fn unfinished(folder: &Folder) -> usize {
    folder.names().iter().filter(|name| name.starts_with(".lookalike-")).count()
}

#[test]
fn a_killed_run_leaves_no_file_under_a_final_name_and_the_next_one_none_at_all() {
    let folder = Folder::new();
    big(&folder);
    kill(&folder, busy);
    assert!(!exists(&folder.path("out.jsonl")) && !exists(&folder.path("removed.csv")));
    assert!(unfinished(&folder) > 0, "there is something to remove");
    assert_eq!(folder.run("dedup big.jsonl -o out.jsonl --removed removed.csv -q").code, Some(0));
    assert_eq!(folder.names(), ["big.jsonl", "out.jsonl", "removed.csv"]);
}

#[test]
fn a_run_leaves_alone_what_another_one_writes_to_the_same_names() {
    let folder = Folder::new();
    big(&folder);
    let mut living = busy(&folder);
    wait_for_temporary(&folder);
    let before = unfinished(&folder);
    folder.write("small.jsonl", jsonl(&[words(1)]));
    assert_eq!(folder.run("dedup small.jsonl -o out.jsonl -q").code, Some(0));
    assert!(living.try_wait().unwrap().is_none(), "it is still busy");
    assert!(unfinished(&folder) >= before);
    living.kill().unwrap();
    living.wait().unwrap();
}

#[test]
fn the_next_run_removes_files_of_a_killed_run_from_the_output_folder() {
    let folder = Folder::new();
    for file in 0..2_000 {
        folder.write(&format!("in/{}/{file}.txt", file % 3), words(file));
    }
    let written = || -> Vec<String> {
        let folders = ["out", "out/0", "out/1", "out/2"].map(|name| std::fs::read_dir(folder.path(name)));
        let names = folders.into_iter().flatten().flatten().flatten();
        names.map(|entry| entry.file_name().into_string().unwrap()).collect()
    };
    let parts = || written().iter().filter(|name| name.ends_with(".part")).count();
    let started = Instant::now();
    // A run may end before it is killed.
    while parts() == 0 {
        assert!(started.elapsed() < Duration::from_secs(60));
        let _ = std::fs::remove_dir_all(folder.path("out"));
        let mut child = folder.command("dedup in -o out -q --threads 1").spawn().unwrap();
        while parts() < 100 && child.try_wait().unwrap().is_none() {}
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(folder.run("dedup in -o out -q").code, Some(0));
    let left: Vec<String> = written().into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, [""; 0]);
}
