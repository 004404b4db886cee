//! Damaged files among good ones: readable records are kept, and the damage is reported.

use std::{fs, path::Path};

use crate::corpus::{compress, fields, inputs_of};
use lookalike_corpus::{BadRecord, Reader, Scan, Scratch};

const COMPRESSIONS: [&str; 6] = ["", ".gz", ".zst", ".bz2", ".xz", ".lz4"];

/// The texts and bad records of the second of three files. The other two must be read completely.
fn read_among_good(folder: &Path, name: &str, content: &[u8]) -> (Vec<String>, Vec<BadRecord>) {
    let good = b"{\"text\":\"good\"}\n";
    fs::write(folder.join("a.jsonl"), good).unwrap();
    fs::write(folder.join(name), content).unwrap();
    fs::write(folder.join("c.jsonl"), good).unwrap();
    let (inputs, fields) = (inputs_of(folder), fields());
    let (mut texts, mut bad, mut others) = (Vec::new(), Vec::new(), 0);
    let reader = Reader::new(&inputs, &fields, Scan::DocumentsInOrder);
    let mut scratch = Scratch::default();
    while let Some(chunk) = reader.next().unwrap() {
        let mut loaded = chunk.load(&mut scratch).unwrap();
        let is_good = loaded.id().file != 1;
        loaded.for_each(|record| match record {
            Ok(record) if is_good => others += usize::from(record.text == "good"),
            Ok(record) => texts.push(record.text.to_owned()),
            Err(record) => bad.push(record),
        });
    }
    assert_eq!(others, 2, "{name}");
    fs::remove_file(folder.join(name)).unwrap();
    (texts, bad)
}

fn content(format: &str, texts: &[&str]) -> Vec<u8> {
    let of = |line: fn(&str) -> String| texts.iter().map(|text| line(text)).collect::<String>();
    match format {
        "jsonl" => of(|text| format!("{{\"text\":\"{text}\"}}\n")),
        "csv" => "id,text\n".to_owned() + &of(|text| format!("x,{text}\n")),
        "tsv" => "id\ttext\n".to_owned() + &of(|text| format!("x\t{text}\n")),
        "warc" => of(|text| {
            let head = "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\n";
            format!("{head}Content-Length: {}\r\n\r\n{text}\r\n\r\n", text.len())
        }),
        "html" => format!("<p>{}", texts[0]),
        _ => texts[0].to_owned(),
    }
    .into_bytes()
}

/// A Parquet file of two row groups.
fn parquet(texts: &[&str]) -> Vec<u8> {
    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use parquet::{arrow::ArrowWriter, file::properties::WriterProperties};
    let column: ArrayRef = std::sync::Arc::new(StringArray::from(texts.to_vec()));
    let batch = RecordBatch::try_from_iter([("text", column)]).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(1)).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn a_file_with_any_wrong_byte_is_reported_or_read_in_full() {
    let folder = tempfile::tempdir().unwrap();
    let texts = ["some words", "more words and again more words"];
    for format in ["jsonl", "csv", "tsv", "warc", "txt", "html"] {
        for compression in &COMPRESSIONS[1..] {
            let name = format!("b.{format}{compression}");
            let whole = compress(&content(format, &texts), &compression[1..]);
            let (expected, bad) = read_among_good(folder.path(), &name, &whole);
            assert!(!expected.is_empty() && bad.is_empty(), "{name}");
            for place in 0..whole.len() {
                let mut damaged = whole.clone();
                damaged[place] ^= 0xff;
                let (read, bad) = read_among_good(folder.path(), &name, &damaged);
                assert!(!bad.is_empty() || read == expected, "{name} at {place}: {read:?}");
            }
        }
    }
}

#[test]
fn a_compressed_file_that_is_cut_off_anywhere_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let texts = ["some words", "more words and again more words"];
    for format in ["jsonl", "csv", "tsv", "warc", "txt", "html"] {
        for compression in &COMPRESSIONS[1..] {
            let name = format!("b.{format}{compression}");
            let whole = compress(&content(format, &texts), &compression[1..]);
            // Fewer bytes than the start of the compression may be a text.
            let least = if matches!(format, "txt" | "html") { 6 } else { 1 };
            for length in least..whole.len() {
                let (_, bad) = read_among_good(folder.path(), &name, &whole[..length]);
                assert!(!bad.is_empty(), "{name} of {length} bytes");
            }
        }
    }
}

#[test]
fn a_parquet_file_that_is_cut_off_or_wrong_anywhere_is_reported_or_read() {
    let folder = tempfile::tempdir().unwrap();
    let whole = parquet(&["some words", "more words"]);
    let (texts, bad) = read_among_good(folder.path(), "b.parquet", &whole);
    assert_eq!((texts.len(), bad.len()), (2, 0));
    for length in 0..whole.len() {
        let (texts, bad) = read_among_good(folder.path(), "b.parquet", &whole[..length]);
        assert_eq!((texts.len(), bad.len()), (0, 1), "{length}");
        assert!(bad[0].problem.is_of_file());
    }
    for place in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 0xff;
        read_among_good(folder.path(), "b.parquet", &damaged);
    }
}

#[test]
fn records_before_the_damage_are_read_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let numbers: Vec<String> =
        (1..60_000_u64).map(|number| format!("{:x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let texts: Vec<&str> = numbers.iter().map(String::as_str).collect();
    for format in ["jsonl", "csv", "tsv", "warc"] {
        let whole = content(format, &texts);
        for compression in &COMPRESSIONS[1..] {
            let name = format!("b.{format}{compression}");
            let stored = compress(&whole, &compression[1..]);
            // The damage is in the first piece, in a later piece, and in the checksum at the end.
            let mut checksum = stored.clone();
            let at = checksum.len() - if *compression == ".bz2" { 3 } else { 2 };
            checksum[at] ^= 0x3c;
            let half = &stored[..stored.len() / 2];
            for (damaged, least) in [(&stored[..stored.len() / 20], 0), (half, 20_000), (&checksum, 40_000)] {
                let (read, bad) = read_among_good(folder.path(), &name, damaged);
                assert_eq!(bad.len(), 1, "{name}: {bad:?}");
                assert!(
                    read.len() >= least
                        && texts.starts_with(&read.iter().map(String::as_str).collect::<Vec<_>>()),
                    "{name}: {}",
                    read.len()
                );
            }
        }
    }
}

#[test]
fn an_empty_file_has_no_records_and_only_parquet_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["jsonl", "csv", "tsv", "warc", "parquet"] {
        for compression in if format == "parquet" { &COMPRESSIONS[..1] } else { &COMPRESSIONS } {
            let (texts, bad) = read_among_good(folder.path(), &format!("b.{format}{compression}"), b"");
            assert_eq!(
                (texts.len(), bad.len()),
                (0, usize::from(format == "parquet")),
                "{format}{compression}"
            );
        }
    }
}
