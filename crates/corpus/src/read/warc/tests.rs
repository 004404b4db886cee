use std::{
    fs,
    io::{Seek, SeekFrom, Write},
    path::Path,
};

use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;

use crate::{BadRecord, DEFAULT_RECORD_BYTES, Fields, Inputs, Problem, Reader, Scan, Scratch, Waiting};

/// The texts, and the bad records with their numbers, counted from 0.
fn scan(content: &[u8], chunk_bytes: usize) -> (Vec<String>, Vec<BadRecord>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    fs::write(&path, content).unwrap();
    scan_file(&path, chunk_bytes)
}

fn scan_file(path: &Path, chunk_bytes: usize) -> (Vec<String>, Vec<BadRecord>) {
    scan_inputs(&inputs_of(path), chunk_bytes)
}

fn inputs_of(path: &Path) -> Inputs {
    Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap()
}

fn scan_inputs(inputs: &Inputs, chunk_bytes: usize) -> (Vec<String>, Vec<BadRecord>) {
    let fields = Fields { id: Some("id".into()), ..Fields::of_text("text") };
    let reader = Reader::with_chunk_bytes(inputs, &fields, Scan::Documents, chunk_bytes);
    let (mut texts, mut bad, mut records) = (Vec::new(), Vec::new(), 0);
    let mut scratch = Scratch::default();
    while let Some(chunk) = reader.next().unwrap() {
        let mut loaded = chunk.load(&mut scratch).unwrap();
        loaded.for_each(|record| match record {
            Ok(record) => texts.push(record.text.to_owned()),
            Err(record) => bad.push(BadRecord { line: records + record.line, ..record }),
        });
        records += loaded.lines();
    }
    (texts, bad)
}

fn record(length: usize, text: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{text}\r\n\r\n"
    )
}

/// A part of an archive, and its text if it is a record.
fn part() -> impl Strategy<Value = (String, Option<String>)> {
    let text = "[a-z]{3,30}";
    prop_oneof![
        4 => text.prop_map(|text| (record(text.len(), &text), Some(text))),
        1 => "[a-z\n]{0,30}x\n".prop_map(|garbage| (garbage, None)),
        1 => text.prop_map(|text| (record(1, &text), None)),
        1 => text.prop_map(|text| (record(1_000_000, &text), None)),
        1 => text.prop_map(|text| (record(usize::MAX, &text), None)),
        1 => text.prop_map(|text| (format!("WARC/1.0\r\nWARC-Type: {text}\r\n"), None)),
        1 => text.prop_map(|text| (record(0, &text).replace("Content-Length: 0", "Content-Length: many"), None)),
    ]
}

proptest! {
    #[test]
    fn every_good_record_is_found_among_bad_ones(
        parts in prop::collection::vec(part(), 0..12),
        chunk_bytes in 1_usize..300,
    ) {
        let content: String = parts.iter().map(|(content, _)| content.as_str()).collect();
        let expected: Vec<_> = parts.iter().filter_map(|(_, text)| text.clone()).collect();
        let (texts, bad) = scan(content.as_bytes(), chunk_bytes);
        prop_assert_eq!(bad.is_empty(), expected.len() == parts.len());
        prop_assert_eq!(texts, expected);
    }

    /// The fuzz target `warc` found this in half an hour: a head without an end hid the records behind it.
    #[test]
    fn every_good_record_before_the_damage_of_a_stream_is_found(
        parts in prop::collection::vec(part(), 0..12),
        chunk_bytes in 1_usize..300,
    ) {
        let content: String = parts.iter().map(|(content, _)| content.as_str()).collect();
        let expected: Vec<_> = parts.iter().filter_map(|(_, text)| text.clone()).collect();
        let mut stored = GzEncoder::new(Vec::new(), Compression::fast());
        stored.write_all(content.as_bytes()).unwrap();
        let mut stored = stored.finish().unwrap();
        // A member that cannot be decoded at all.
        stored.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 7, 255]);
        let (texts, bad) = scan(&stored, chunk_bytes);
        prop_assert_eq!(texts, expected);
        let broken = bad.iter().filter(|bad| matches!(bad.problem, Problem::BrokenStream { .. }));
        prop_assert_eq!(broken.count(), 1);
    }

    #[test]
    fn any_bytes_give_the_same_records_in_chunks_of_any_size(
        parts in prop::collection::vec(prop_oneof![
            prop::sample::select(vec![
                "WARC/1.0\r\n", "WARC/", "\n", "\r\n\r\n", "Content-Length: 3\r\n", "Content-Length:", "abc", "999",
                "WARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n",
            ]).prop_map(|part| part.as_bytes().to_vec()),
            prop::collection::vec(any::<u8>(), 0..4),
        ], 0..30),
        chunk_bytes in 1_usize..100,
    ) {
        let content = parts.concat();
        prop_assert_eq!(scan(&content, chunk_bytes), scan(&content, 1 << 20));
    }
}

#[test]
fn a_record_that_is_too_long_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    let length = DEFAULT_RECORD_BYTES as usize + 1;
    let mut file = fs::File::create(&path).unwrap();
    file.write_all((record(1, "a") + record(length, "").trim_end() + "\r\n\r\n").as_bytes()).unwrap();
    // A hole takes no space on the disk.
    file.seek(SeekFrom::Current(length as i64)).unwrap();
    file.write_all(("\r\n\r\n".to_owned() + &record(1, "b")).as_bytes()).unwrap();
    let (texts, bad) = scan_file(&path, 1 << 20);
    assert_eq!(texts, ["a", "b"]);
    let problem = Problem::RecordTooLong { length: length as u64, limit: DEFAULT_RECORD_BYTES };
    assert_eq!(bad, [BadRecord { line: 1, problem }]);
}

#[test]
fn records_behind_a_length_beyond_any_file_are_found() {
    let content =
        record(usize::MAX, "abc") + &record(1, "a") + &record(usize::MAX - 1, "d") + &record(1, "b");
    let (texts, bad) = scan(content.as_bytes(), 1 << 20);
    assert_eq!(texts, ["a", "b"]);
    let length = content.len() as u64;
    let [first, second] = &bad[..] else { panic!("{bad:?}") };
    assert!(matches!(first.problem, Problem::Truncated { expected: u64::MAX, found } if found < length));
    assert!(matches!(second.problem, Problem::Truncated { found, .. } if found < length / 2));
}

#[test]
fn a_second_pass_may_decode_less_than_the_first() {
    // A decoder that meets damage drops the bytes that the same call has decoded. The result then depends on the number of
    // bytes that the caller requests. Found by fuzzing.
    let head = "\n".to_owned() + record(100, "").trim_end() + "\r\n\r\n";
    let mut stored = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x45];
    let mut block = |header: usize, bytes: &[u8]| {
        stored.extend(&header.to_le_bytes()[..3]);
        stored.extend(bytes);
    };
    // A run of 8,704 equal bytes, the head of a record, and a block that is longer than the format allows.
    block(8_704 << 3 | 1 << 1, b"x");
    block(head.len() << 3, head.as_bytes());
    block(0xff_ffff, b"");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    fs::write(&path, &stored).unwrap();
    let mut inputs = inputs_of(&path);
    inputs.skip_longer(80);
    let (texts, bad) = scan_inputs(&inputs, 97);
    assert_eq!(texts, [""; 0]);
    assert!(matches!(bad.last().unwrap().problem, Problem::BrokenStream { .. }), "{bad:?}");
}
