//! The files of an index are the same bytes for the same inputs, with any command and any number of threads.

use crate::{Folder, silent};
use std::{collections::BTreeMap, io::Write};

/// Random documents of a seed. Many are similar to others.
fn lines(first: u64, count: u64) -> String {
    let line = |document: u64| {
        let mut generator = lookalike::hash::SplitMix64(document / 3);
        let words: Vec<String> = (0..12).map(|_| format!("w{}", generator.next() % 5000)).collect();
        format!("{{\"id\":\"d{document}\",\"text\":\"{} {document}\"}}\n", words.join(" "))
    };
    (first..first + count).map(line).collect()
}

fn gzipped(content: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn files(folder: &Folder, index: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.path(index)).unwrap().map(Result::unwrap);
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    names.map(|name| (name.clone(), folder.read_bytes(&format!("{index}/{name}")))).collect()
}

#[test]
fn an_index_is_the_same_bytes_for_any_number_of_threads_and_any_memory() {
    let folder = Folder::new();
    // Threads decode several compressed files at the same time, and all threads read a plain file.
    for file in 0..3 {
        folder.write(&format!("built/{file}.jsonl.gz"), gzipped(&lines(file * 8_000, 8_000)));
        folder.write(&format!("added/{file}.jsonl.gz"), gzipped(&lines(file * 7_000 + 5_000, 3_000)));
    }
    folder.write("built/plain.jsonl", lines(30_000, 22_000)).write("added/plain.jsonl", lines(50_000, 4_000));
    folder.write("added/text.txt", "one of a kind");
    let mut expected = None;
    for options in [
        "--threads 1",
        "--threads 2",
        "--threads 5",
        "--threads 1 --memory 70MiB",
        "--threads 2 --memory 82MiB",
        "--threads 5 --memory 118MiB",
    ] {
        for (command, was_spilled) in
            [("build built -o seen.index --threshold 0.6", true), ("add seen.index added", false)]
        {
            let ran = folder.run(&format!("index {command} {options} -q --summary summary.json"));
            assert_eq!(ran, silent(), "{command} {options}");
            let spilled = options.contains("memory") && was_spilled;
            assert!(!spilled || folder.summary()["spilled"] == true, "{command} {options}");
        }
        let files = files(&folder, "seen.index");
        let extensions: Vec<&str> = files.keys().map(|name| name.split('.').nth(1).unwrap()).collect();
        let of_update = ["log", "run", "links"];
        assert_eq!(
            extensions,
            [&["dictionary"], &of_update[..], &of_update[..], &["lock", "lookalike"]].concat()
        );
        let expected = expected.get_or_insert_with(|| files.clone());
        for (name, bytes) in &files {
            assert!(expected[name] == *bytes, "{name} differs with {options}");
        }
        std::fs::remove_dir_all(folder.path("seen.index")).unwrap();
    }
    // All have the same bytes, so a check of one is a check of all.
    for (name, bytes) in expected.unwrap() {
        folder.write(&format!("seen.index/{name}"), bytes);
    }
    assert_eq!(folder.run("index info seen.index --verify").code, Some(0));
}
