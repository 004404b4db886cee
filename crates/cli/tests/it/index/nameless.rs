//! Files that no manifest names are removed only if a process left them that was making an index, or adding to it.

use super::archive_and_news;
use crate::{Folder, failed, silent};
use std::collections::BTreeMap;
use std::fs;

/// An index, and documents to add to it.
fn indexed() -> Folder {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("archive.jsonl", archive).write("news.jsonl", &news);
    assert_eq!(folder.run("index build archive.jsonl -o seen.index -q"), silent());
    folder
}

/// All files of a folder.
fn files(folder: &Folder, name: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.path(name)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.map(|file| (file.clone(), folder.read_bytes(&format!("{name}/{file}")))).collect()
}

/// All that makes an index in a folder, or adds to the one in it.
const WRITERS: [&str; 5] = [
    "serve --index seen.index --listen 127.0.0.1:0",
    "serve --index seen.index --listen 127.0.0.1:0 --follow http://127.0.0.1:1",
    "index build news.jsonl -o seen.index",
    "index add seen.index news.jsonl",
    "dedup news.jsonl -o out.jsonl --against seen.index --update",
];

#[test]
fn an_index_without_its_manifest_is_refused_and_keeps_its_files() {
    let folder = indexed();
    fs::remove_file(folder.path("seen.index/index.lookalike")).unwrap();
    let left = files(&folder, "seen.index");
    let readers = ["index info seen.index", "dedup news.jsonl -o out.jsonl --against seen.index"];
    for command in WRITERS.into_iter().chain(readers) {
        let expected = "error: seen.index: 000001.log is in this folder, but index.lookalike, which names the files of an index, is missing; \
                        restore a backup of the folder, or remove the folder if its documents are not needed\n";
        assert_eq!(folder.run(command), failed(1, expected), "{command}");
        assert_eq!(files(&folder, "seen.index"), left, "{command}");
    }
}

#[test]
fn foreign_files_with_names_of_an_index_are_refused_and_stay() {
    for name in ["000001.log", "000777.run"] {
        let folder = indexed();
        let foreign = "the log of another program";
        folder.write(&format!("new.index/{name}"), foreign).write(&format!("seen.index/{name}"), foreign);
        // The index has a file 000001.log of its own.
        let is_in_index = name == "000777.run";
        for command in WRITERS {
            let in_new = folder.run(&command.replace("seen.index", "new.index"));
            let is_to_make = [0, 2].iter().any(|&at| command == WRITERS[at]);
            let expected = format!(
                "error: new.index: {name} is in this folder; an index needs a folder that is new or empty\n"
            );
            assert!(in_new == failed(1, &expected) || !is_to_make, "{command}: {in_new:?}");
            assert_ne!(in_new.code, Some(0), "{command}");
            if is_in_index && !command.starts_with("index build") {
                let expected = format!(
                    "error: seen.index: {name} is in this folder, and is no file of the index; move it to another folder\n"
                );
                assert_eq!(folder.run(command), failed(1, &expected), "{command}");
            }
        }
        for index in ["new.index", "seen.index"] {
            assert_eq!(folder.read(&format!("{index}/{name}")), foreign);
        }
    }
}

#[test]
fn what_a_killed_build_left_is_replaced_by_the_next_one_but_foreign_files_are_not() {
    let folder = indexed();
    let whole = files(&folder, "seen.index");
    fs::remove_file(folder.path("seen.index/index.lookalike")).unwrap();
    // The file that marks a folder in which an index is made.
    folder.write("seen.index/index.new", "").write("seen.index/000009.run", "");
    assert_eq!(folder.run("index build archive.jsonl -o seen.index -q"), silent());
    assert_eq!(files(&folder, "seen.index"), whole);
    fs::remove_file(folder.path("seen.index/index.lookalike")).unwrap();
    folder.write("seen.index/index.new", "").write("seen.index/000009.run", "foreign");
    let expected =
        "error: seen.index: 000009.run is in this folder; an index needs a folder that is new or empty\n";
    assert_eq!(folder.run("index build archive.jsonl -o seen.index -q"), failed(1, expected));
    assert_eq!(folder.read("seen.index/000009.run"), "foreign");
}
