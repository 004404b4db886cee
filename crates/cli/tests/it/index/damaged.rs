//! A run reads the same bytes of an index as were written, or it names the damaged file.

use super::archive_and_news;
use crate::{Folder, Ran, silent};
use std::collections::BTreeMap;
use std::fs;

/// An index that grew in two steps, and new documents to compare with it. Its log has two files.
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

/// An index with a dictionary, which needs a quarter of a megabyte of texts.
fn indexed_with_dictionary(word: &str) -> Folder {
    let folder = Folder::new();
    let line = |document: usize| {
        let words = (0..60).map(|place| format!("{word}{}", (document * 37 + place * place * 11) % 9_973));
        let text = words.collect::<Vec<_>>().join(" ");
        serde_json::json!({ "id": format!("d{document}"), "text": text }).to_string() + "\n"
    };
    let lines: Vec<String> = (0..1_000).map(line).collect();
    folder.write("archive.jsonl", lines.concat()).write("news.jsonl", lines[500..510].concat());
    assert_eq!(folder.run("index build archive.jsonl -o seen.index -q"), silent());
    folder
}

/// The name of the only dictionary.
fn dictionary(folder: &Folder) -> String {
    files(folder).into_keys().find(|name| name.ends_with(".dictionary")).unwrap()
}

#[test]
fn a_flipped_byte_of_a_dictionary_is_found() {
    let folder = indexed_with_dictionary("word");
    assert_eq!(folder.run(DEDUP), silent());
    let expected = outputs(&folder);
    let name = dictionary(&folder);
    let whole = folder.read_bytes(&format!("seen.index/{name}"));
    for at in (0..80).step_by(9).chain((80..whole.len()).step_by(499)).chain([whole.len() - 1]) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        check(&folder, &name, &bytes, &expected, &format!("byte {at} of {}", whole.len()));
    }
    for length in [0, 10, 32, whole.len() / 2, whole.len() - 1] {
        check(&folder, &name, &whole[..length], &expected, &format!("cut at {length}"));
    }
    check(&folder, &name, &[&whole[..], &[0; 64]].concat(), &expected, "longer");
    let other = indexed_with_dictionary("term");
    let theirs = other.read_bytes(&format!("seen.index/{}", dictionary(&other)));
    check(&folder, &name, &theirs, &expected, "of another index");
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
        check(&folder, &name, &[&whole[..], &[1; 64]].concat(), &expected, "longer");
        if name != LAST_LOG {
            check(&folder, &name, &[&whole[..], &[0; 64]].concat(), &expected, "longer by zeros");
        }
    }
}

/// The file of the log that ends it, in [`indexed`].
const LAST_LOG: &str = "000004.log";

/// The last file of the log may end in a frame that a stopped writer did not finish.
#[test]
fn an_unfinished_frame_at_the_end_of_the_log_is_ignored_and_cut_off() {
    let folder = indexed();
    assert_eq!(folder.run(DEDUP), silent());
    let expected = outputs(&folder);
    let path = format!("seen.index/{LAST_LOG}");
    let whole = folder.read_bytes(&path);
    let info = folder.run("index info seen.index --verify");
    for unfinished in [&b"\xf5"[..], b"\xf5frm\x07\0\0", &[0; 64], &[0; 5_000]] {
        folder.write(&path, [&whole[..], unfinished].concat());
        assert_eq!(folder.run("index info seen.index --verify"), info);
        assert_eq!(folder.run(DEDUP), silent());
        assert_eq!(outputs(&folder), expected);
    }
    folder.write("last.jsonl", folder.read("news.jsonl").replace("\"n", "\"l"));
    assert_eq!(folder.run("index add seen.index last.jsonl -q"), silent());
    assert!(folder.read_bytes(&path) == whole);
    assert_eq!(super::documents(&folder), 12);
}

#[test]
fn a_log_cut_off_at_the_end_of_a_frame_is_found() {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("news.jsonl", &news).write("archive/1.jsonl", archive);
    for file in 2..5 {
        folder.write(&format!("archive/{file}.jsonl"), news.replace("\"n", &format!("\"{file}")));
    }
    assert_eq!(folder.run("index build archive -o seen.index -q"), silent());
    assert_eq!(folder.run(DEDUP), silent());
    let expected = outputs(&folder);
    let whole = folder.read_bytes("seen.index/000001.log");
    // Every frame starts with these bytes.
    let starts: Vec<usize> = (0..whole.len()).filter(|&at| whole[at..].starts_with(b"\xf5frm")).collect();
    // One for the documents of each file, and one for the links between them.
    assert_eq!(starts.len(), 5);
    for start in starts {
        check(&folder, "000001.log", &whole[..start], &expected, "whole frames");
    }
}

#[test]
fn a_file_of_another_index_is_found() {
    let folder = indexed();
    let ours = files(&folder);
    assert_eq!(folder.run(DEDUP), silent());
    let expected = outputs(&folder);
    // Other indexes of the same plan. One has other texts. The other one has the same texts with other ids, so that all of its files
    // have the same lengths.
    let with_other_texts: fn(String) -> String = |text| text.replace("w1x", "w7x").replace("w2x", "w8x");
    let with_other_ids: fn(String) -> String =
        |text| text.replace("\"id\":\"b", "\"id\":\"x").replace("\"id\":\"m", "\"id\":\"y");
    for (has_same_lengths, change) in [(false, with_other_texts), (true, with_other_ids)] {
        let other = Folder::new();
        for name in ["archive.jsonl", "more.jsonl"] {
            other.write(name, change(folder.read(name)));
        }
        other.run("index build archive.jsonl -o seen.index -q");
        other.run("index add seen.index more.jsonl -q");
        let theirs = files(&other);
        let mut differ = Vec::new();
        for (name, whole) in ours.iter().filter(|(name, _)| !name.starts_with("index.")) {
            let is_log = name.ends_with(".log");
            assert!(theirs[name].len() == whole.len() || is_log && !has_same_lengths, "{name}");
            if theirs[name] != *whole {
                differ.push(&name[6..]);
                check(&folder, name, &theirs[name], &expected, "of another index");
            }
        }
        // The links are the same, because the same documents form clusters.
        assert_eq!(differ, [".log", ".log", ".run"]);
    }
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
