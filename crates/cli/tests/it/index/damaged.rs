//! A run reads the same bytes of an index as were written, or it names the damaged file.

use super::archive_and_news;
use crate::{Folder, Ran, silent};
use std::collections::BTreeMap;
use std::fs;

/// An index of two segments, and new documents to compare with it.
fn indexed() -> Folder {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder
        .write("archive.jsonl", archive)
        .write("more.jsonl", news.replace("\"n", "\"m"))
        .write("news.jsonl", &news);
    assert_eq!(folder.run("index build archive.jsonl -o seen.index -q"), silent());
    assert_eq!(folder.run("index add seen.index more.jsonl -q"), silent());
    folder
}

/// The files of an index except the lock.
fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.path("seen.index")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name != "index.lock")
        .map(|name| (name.clone(), folder.read_bytes(&format!("seen.index/{name}"))))
        .collect()
}

const DEDUP: &str = "dedup news.jsonl -o out.jsonl --against seen.index --removed removed.csv -q";

/// The outputs of a run that succeeds.
fn outputs(folder: &Folder) -> (String, String) {
    let outputs = (folder.read("out.jsonl"), folder.read("removed.csv"));
    for name in ["out.jsonl", "removed.csv"] {
        fs::remove_file(folder.path(name)).unwrap();
    }
    outputs
}

fn is_named(ran: &Ran, name: &str) -> bool {
    ran.code == Some(1) && ran.stderr.contains(name) && ran.stderr.contains("damaged")
}

/// Replaces the content of a file by `bytes`. `info --verify` must name the file. `dedup` must name it or give the usual result.
fn check(folder: &Folder, name: &str, bytes: &[u8], expected: &(String, String), what: &str) {
    let path = format!("seen.index/{name}");
    let whole = folder.read_bytes(&path);
    folder.write(&path, bytes);
    let ran = folder.run("index info seen.index --verify");
    assert!(is_named(&ran, name), "{name}, {what}: {ran:?}");
    let ran = folder.run(DEDUP);
    if ran == silent() {
        assert_eq!(outputs(folder), *expected, "{name}, {what}");
    } else {
        assert!(is_named(&ran, name), "{name}, {what}: {ran:?}");
        let names = folder.names();
        assert!(
            !names.iter().any(|name| name.contains("out.jsonl") || name.contains("removed")),
            "{names:?}"
        );
    }
    folder.write(&path, whole);
}

#[test]
fn a_flipped_byte_anywhere_is_found() {
    let folder = indexed();
    assert_eq!(folder.run(DEDUP), silent());
    let expected = outputs(&folder);
    for (name, whole) in files(&folder) {
        for at in (0..whole.len()).step_by(37) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            check(&folder, &name, &bytes, &expected, &format!("byte {at} of {}", whole.len()));
        }
    }
    assert_eq!(folder.run(DEDUP), silent());
    assert_eq!(outputs(&folder), expected);
}

#[test]
fn a_cut_or_longer_file_is_noticed() {
    let folder = indexed();
    assert_eq!(folder.run(DEDUP), silent());
    let expected = outputs(&folder);
    for (name, whole) in files(&folder) {
        for length in [0, 10, 32, whole.len() / 2, whole.len().saturating_sub(8), whole.len() - 1] {
            if length < whole.len() {
                check(&folder, &name, &whole[..length], &expected, &format!("cut at {length}"));
            }
        }
        check(&folder, &name, &[&whole[..], &[0; 64]].concat(), &expected, "longer");
    }
}

#[test]
fn a_file_cut_off_at_the_end_of_a_record_is_found() {
    let folder = indexed();
    assert_eq!(folder.run(DEDUP), silent());
    let expected = outputs(&folder);
    let whole = folder.read_bytes("seen.index/000001.documents");
    // Every record starts with these bytes.
    let starts = (0..whole.len()).step_by(8).filter(|&at| whole[at..].starts_with(b"rec\n"));
    let starts: Vec<usize> = starts.collect();
    assert_eq!(starts.len(), 4);
    for start in starts {
        check(&folder, "000001.documents", &whole[..start], &expected, "whole records");
    }
}

#[test]
fn a_file_of_another_index_is_found() {
    let folder = indexed();
    let ours = files(&folder);
    // Another index of the same plan, whose files have the same lengths.
    let other = Folder::new();
    for name in ["archive.jsonl", "more.jsonl"] {
        other.write(name, folder.read(name).replace("w1x", "w7x").replace("w2x", "w8x"));
    }
    other.run("index build archive.jsonl -o seen.index -q");
    other.run("index add seen.index more.jsonl -q");
    let theirs = files(&other);
    assert_eq!(folder.run(DEDUP), silent());
    let expected = outputs(&folder);
    for (name, whole) in ours.iter().filter(|(name, _)| !name.starts_with("index.")) {
        assert_eq!(theirs[name].len(), whole.len(), "{name}");
        if theirs[name] != *whole {
            check(&folder, name, &theirs[name], &expected, "of another index");
        }
    }
    // The links are the same, because the same documents form clusters.
    assert_ne!(theirs["000002.keys"], ours["000002.keys"]);
    assert_ne!(theirs["000002.documents"], ours["000002.documents"]);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let folder = indexed();
    for name in files(&folder).into_keys() {
        let (path, aside) = (folder.path("seen.index").join(&name), folder.path("aside"));
        fs::rename(&path, &aside).unwrap();
        for command in ["index info seen.index", DEDUP] {
            let ran = folder.run(command);
            assert_ne!(ran.code, Some(0), "{name}");
            // A folder without a manifest is no index. It is an input without documents.
            assert!(
                ran.stderr.contains(if name == "index.lookalike" { "seen.index" } else { &name }),
                "{ran:?}"
            );
        }
        assert!(!folder.names().contains(&"out.jsonl".to_owned()));
        fs::rename(&aside, &path).unwrap();
    }
    assert_eq!(folder.run(DEDUP), silent());
}
