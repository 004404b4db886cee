//! An update that is killed leaves the index as before the update or as after it.

use super::corpora::lines;
use super::{documents, leftovers};
use crate::{Folder, exists, silent};
use lookalike::hash::SplitMix64;
use std::fs;
use std::time::Duration;

fn copy_index(folder: &Folder, from: &str, to: &str) {
    let _ = fs::remove_dir_all(folder.path(to));
    fs::create_dir(folder.path(to)).unwrap();
    for entry in fs::read_dir(folder.path(from)).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.path(to).join(entry.file_name())).unwrap();
    }
}

#[test]
fn a_run_that_is_killed_at_any_moment_and_repeated_does_the_same() {
    let folder = Folder::new();
    let mut generator = SplitMix64(1);
    let lines = lines(&mut generator, 3_000);
    folder.write("old.jsonl", lines[..1_500].concat()).write("new.jsonl", lines[1_500..].concat());
    assert_eq!(folder.run("index build old.jsonl -o old.index -q"), silent());
    let update =
        "dedup new.jsonl -o out.jsonl --against seen.index --update --removed removed.csv -q --threads 1";
    copy_index(&folder, "old.index", "seen.index");
    let started = std::time::Instant::now();
    assert_eq!(folder.run(update), silent());
    let mut takes = started.elapsed();
    let expected = (folder.read("out.jsonl"), folder.read("removed.csv"));
    let (mut before, mut after) = (0, 0);
    for moment in 0..60 {
        if moment >= 14 && before > 3 {
            break;
        }
        copy_index(&folder, "old.index", "seen.index");
        for name in ["out.jsonl", "removed.csv"] {
            fs::remove_file(folder.path(name)).unwrap();
        }
        let mut child = folder.command(update).spawn().unwrap();
        std::thread::sleep(takes * (moment % 14) / 12 + Duration::from_millis(1));
        // The run may have ended before the signal.
        let _ = child.kill();
        child.wait().unwrap();
        match documents(&folder) {
            1_500 => {
                before += 1;
                assert_eq!(folder.run(update), silent(), "after it was killed at moment {moment}");
            }
            documents => {
                after += 1;
                // The machine may have been busier when the time was taken.
                takes = takes * 9 / 10;
                assert_eq!(documents, 3_000);
                assert!(exists(&folder.path("out.jsonl")), "the index is the last to change");
            }
        }
        assert_eq!((folder.read("out.jsonl"), folder.read("removed.csv")), expected, "moment {moment}");
        assert_eq!(documents(&folder), 3_000);
        if !leftovers(&folder, "seen.index").is_empty() {
            // The run was killed when the new manifest had its name, and files of the old one were still there. The next update
            // removes them.
            assert_eq!(folder.run(update).code, Some(1), "these were added already");
        }
        assert_eq!(leftovers(&folder, "seen.index"), [""; 0]);
    }
    assert!(before > 3, "{before} were killed before the update, {after} after it");
}

#[test]
fn a_killed_run_with_little_memory_continues_only_with_the_same_index() {
    let folder = Folder::new();
    let mut generator = SplitMix64(6);
    let mut lines = |count: usize| -> String {
        let line =
            |number: u64| format!("{{\"text\":\"{} {number} {} said so\"}}\n", number * 7, number * 11);
        (0..count).map(|_| line(generator.next() % 120_000)).collect()
    };
    folder
        .write("old.jsonl", lines(4_000))
        .write("more.jsonl", lines(4_000))
        .write("new.jsonl", lines(45_000));
    assert_eq!(folder.run("index build old.jsonl -o old.index -q"), silent());
    let update = "dedup new.jsonl -o out.jsonl --against seen.index --update --removed removed.csv -q --threads 1 --memory 68MiB";
    let outputs = || (folder.read("out.jsonl"), folder.read("removed.csv"));
    copy_index(&folder, "old.index", "seen.index");
    let started = std::time::Instant::now();
    assert_eq!(folder.run(update).code, Some(0));
    let (takes, expected) = (started.elapsed(), outputs());
    // The same with an index that has grown.
    copy_index(&folder, "old.index", "seen.index");
    assert_eq!(folder.run("index add seen.index more.jsonl -q"), silent());
    assert_eq!(folder.run(update).code, Some(0));
    let expected_of_more = outputs();
    assert_ne!(expected, expected_of_more);
    for moment in 1..6 {
        copy_index(&folder, "old.index", "seen.index");
        let mut child = folder.command(update).stderr(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(takes * moment / 6);
        let _ = child.kill();
        child.wait().unwrap();
        let grows = documents(&folder) == 4_000 && moment % 2 == 0;
        if grows {
            assert_eq!(folder.run("index add seen.index more.jsonl -q"), silent());
        }
        if documents(&folder) < 10_000 {
            assert_eq!(folder.run(update).code, Some(0));
        }
        assert!(outputs() == *if grows { &expected_of_more } else { &expected }, "moment {moment}");
        assert_eq!(documents(&folder), if grows { 53_000 } else { 49_000 });
    }
}

#[test]
fn a_build_that_is_killed_can_be_done_again() {
    let folder = Folder::new();
    let mut generator = SplitMix64(2);
    folder.write("old.jsonl", lines(&mut generator, 2_000).concat());
    let build = "index build old.jsonl -o seen.index -q --threads 1";
    for moment in 0..12 {
        let _ = fs::remove_dir_all(folder.path("seen.index"));
        let mut child = folder.command(build).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(8 * moment));
        let _ = child.kill();
        child.wait().unwrap();
        if !exists(&folder.path("seen.index").join("index.lookalike")) {
            assert_eq!(folder.run(build), silent(), "after it was killed at moment {moment}");
        }
        assert_eq!(documents(&folder), 2_000);
    }
}

#[test]
fn an_interrupted_build_leaves_no_file() {
    let folder = Folder::new();
    folder.write("old.jsonl", lines(&mut SplitMix64(3), 100).concat() + "{\"text\":1}\n");
    let ran = folder.run("index build old.jsonl -o seen.index -q --strict");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(folder.names(), ["old.jsonl"]);
    fs::create_dir(folder.path("seen.index")).unwrap();
    folder.run("index build old.jsonl -o seen.index -q --strict");
    assert_eq!(fs::read_dir(folder.path("seen.index")).unwrap().count(), 0);
}

#[test]
fn a_failed_addition_leaves_the_index_as_it_was() {
    let folder = Folder::new();
    let mut generator = SplitMix64(4);
    folder.write("old.jsonl", lines(&mut generator, 100).concat());
    folder.write("new.jsonl", lines(&mut generator, 100).concat() + "{\"text\":1}\n");
    folder.run("index build old.jsonl -o seen.index -q");
    assert_eq!(folder.run("index add seen.index new.jsonl -q --strict").code, Some(1));
    assert_eq!(documents(&folder), 100);
    assert_eq!(leftovers(&folder, "seen.index"), [""; 0]);
    assert_eq!(folder.run("index add seen.index new.jsonl -q").code, Some(3));
    assert_eq!(documents(&folder), 200);
}
