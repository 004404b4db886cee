//! A record that is too long is skipped and reported, and takes no memory.

use crate::{Folder, Ran, failed, jsonl, silent, words};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// More bytes than the default limit of a record.
const LONG: u64 = 300 << 20;

/// The peak memory of a run that skips them: the program, a thread, and a few MB. The records are many times as long.
const PEAK: u64 = 60 << 20;

/// Writes a file of `before`, a hole that takes no room on the disk, and `behind`.
fn with_hole(path: &Path, before: &str, hole: u64, behind: &str) {
    let mut file = std::fs::File::create(path).unwrap();
    file.write_all(before.as_bytes()).unwrap();
    file.set_len(before.len() as u64 + hole).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(behind.as_bytes()).unwrap();
}

/// Writes the same file compressed.
fn compressed_with_hole(path: &Path, before: &str, hole: u64, behind: &str) {
    let file = std::fs::File::create(path).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    encoder.write_all(before.as_bytes()).unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..hole >> 20 {
        encoder.write_all(&zeros).unwrap();
    }
    encoder.write_all(behind.as_bytes()).unwrap();
    encoder.finish().unwrap();
}

const HINT: &str = "  hint: --max-record sets the limit of a record, up to 2GiB\n";

fn too_long(place: &str, length: u64, limit: &str) -> String {
    let digits = length.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap()).collect();
    let length = groups.join(",");
    format!("skipped {place}: the record has {length} bytes, more than the limit of {limit}\n")
}

fn peak(folder: &Folder) -> u64 {
    folder.summary()["peak_memory_bytes"].as_u64().unwrap()
}

#[test]
fn a_line_that_is_too_long_is_passed_over_at_little_memory() {
    let folder = Folder::new();
    let (first, last) = (jsonl(&[words(1)]), jsonl(&[words(2)]));
    with_hole(&folder.path("in.jsonl"), &format!("{first}{{\"text\":\""), LONG, &format!("\"}}\n{last}"));
    let ran = folder.run("dedup in.jsonl -o out.jsonl -q --summary summary.json --threads 2");
    assert_eq!(ran, failed(3, &(too_long("in.jsonl:2", LONG + 12, "240 MiB") + HINT)));
    assert_eq!(folder.read("out.jsonl"), first + &last);
    assert!(peak(&folder) < PEAK, "{}", peak(&folder));
}

#[test]
fn records_of_every_format_are_passed_over_with_little_memory() {
    let folder = Folder::new();
    let (a, b, hole) = (words(1), words(2), 100 << 20);
    let warc = |length: u64| {
        format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n"
        )
    };
    let warc_of = |text: &str| warc(text.len() as u64) + text + "\r\n\r\n";
    // The text before the hole, the bytes of the long record outside the hole, and the text after the hole.
    let line = (jsonl(&[&a]) + "{\"text\":\"", 12, format!("\"}}\n{}", jsonl(&[&b])));
    let row = (format!("id,text\nx,{a}\ny,\"\n\n"), 7, format!("\"\nz,{b}\n"));
    let plain = (format!("id\ttext\nx\t{a}\ny\t"), 3, format!("\nz\t{b}\n"));
    let record = (warc_of(&a) + &warc(hole), 0, format!("\r\n\r\n{}", warc_of(&b)));
    for (name, (before, around, behind), place) in
        [("in.jsonl", &line, 2), ("in.csv", &row, 3), ("in.tsv", &plain, 3), ("in.warc", &record, 2)]
    {
        for compression in ["", ".gz"] {
            let name = format!("{name}{compression}");
            let write = if compression.is_empty() { with_hole } else { compressed_with_hole };
            write(&folder.path(&name), before, hole, behind);
            let command = format!("dedup {name} -o out{name} -q --summary summary.json --threads 1");
            let ran = folder.run(&format!("{command} --memory 100MiB"));
            let limit = "3,276,800 bytes";
            assert_eq!(ran, failed(3, &(too_long(&format!("{name}:{place}"), hole + around, limit) + HINT)));
            assert_eq!(folder.summary()["documents"], 2, "{name}");
            assert!(peak(&folder) < PEAK, "{name}: {}", peak(&folder));
            std::fs::remove_file(folder.path(&name)).unwrap();
        }
    }
}

#[test]
fn a_quote_that_is_never_closed_takes_no_memory() {
    let folder = Folder::new();
    let table = format!("id,text\nx,{}\n", words(1));
    with_hole(&folder.path("in.csv"), &format!("{table}y,\"open\n"), 100 << 20, "\n\n");
    let ran = folder.run("dedup in.csv -o out.csv -q --summary summary.json --threads 1 --max-record 1MiB");
    let said = "skipped in.csv:3: a quote that opens in this record is never closed; the rest of the file is not read: 3 lines\n\
                \x20 hint: give --quote none if fields are never quoted, with --escape '\\' if they have escapes such as \\n; give --escape '\\' alone if a backslash stands before quotes in quoted fields\n";
    assert_eq!(ran, failed(3, said));
    assert_eq!(folder.read("out.csv"), table);
    assert!(peak(&folder) < PEAK, "{}", peak(&folder));
    with_hole(&folder.path("in.csv"), "id,\"text\n", 100 << 20, "");
    let ran = folder.run("dedup in.csv -o no.csv -q");
    let said = "error: in.csv: the header does not end within 16 MiB, or a quote that opens in it is never closed\n\
         \x20 hint: give --quote none if fields are never quoted, with --escape '\\' if they have escapes such as \\n; give --escape '\\' alone if a backslash stands before quotes in quoted fields\n";
    assert_eq!(ran, failed(1, said));
}

#[test]
fn files_that_are_too_long_documents_are_not_read() {
    let folder = Folder::new();
    folder.write("in/a.txt", words(1));
    with_hole(&folder.path("in/b.txt"), "x", LONG, "");
    with_hole(&folder.path("in/c.html"), "<p>", LONG, "");
    compressed_with_hole(&folder.path("in/d.txt.gz"), "x", 100 << 20, "");
    let ran = folder.run("dedup in -o out -q --summary summary.json --threads 1 --max-record 4MiB");
    let said = [("b.txt", LONG + 1), ("c.html", LONG + 3), ("d.txt.gz", (100 << 20) + 1)];
    let said = said.map(|(name, length)| too_long(&format!("in/{name}"), length, "4 MiB"));
    // The hint stands once, below the first of them.
    assert_eq!(ran, failed(3, &format!("{}{HINT}{}{}", said[0], said[1], said[2])));
    assert_eq!(folder.read("out/a.txt"), words(1));
    assert!(peak(&folder) < PEAK, "{}", peak(&folder));
}

#[test]
fn the_limit_is_the_same_for_every_format_and_command() {
    let folder = Folder::new();
    let long = (0..).map(words).take(5_000).collect::<Vec<_>>().join(" ");
    assert!(long.len() > 3 << 19);
    folder.write("in.jsonl", jsonl(&[&words(1), &long]));
    folder.write("in.csv", format!("id,text\na,{}\nb,{long}\n", words(1)));
    for input in ["in.jsonl", "in.csv"] {
        assert_eq!(folder.run(&format!("dedup {input} -o out -q --max-record 1MiB")).code, Some(3));
        assert_eq!(folder.run(&format!("dedup {input} -o out -q")), silent());
        assert_eq!(folder.run(&format!("dedup {input} -o out -q --memory 70MiB --threads 1")), silent());
        for command in ["pairs X", "sketch X -o o.csv", "frequencies X -o o.df", "similar w --in X", "tune X"]
        {
            let command = command.replace('X', input);
            let Ran { code, stderr, .. } = folder.run(&format!("{command} -q --max-record 1MiB"));
            assert!(
                code == Some(3) && stderr.contains("more than the limit of 1 MiB\n  hint: --max-record"),
                "{command}: {stderr}"
            );
        }
    }
    for size in ["0", "3GiB", "much"] {
        assert_eq!(folder.run(&format!("pairs in.jsonl --max-record {size}")).code, Some(2));
    }
}
