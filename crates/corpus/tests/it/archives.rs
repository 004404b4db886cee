//! Kept records of web archives.

use std::{fs, path::Path};

use crate::corpus::inputs_of;
use lookalike_corpus::{Fields, KeptRows, KeptWriter, Place, Reader, RecordMode, Scan, Scratch};
use zstd::zstd_safe;

/// The bit of the byte behind the magic number that announces a checksum, by RFC 8878.
const CHECKSUM: u8 = 4;

fn record(kind: &str, block: &str) -> String {
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

/// Copies all documents but those whose text is "removed".
fn copy(input: &Path, output: &Path) {
    let (inputs, fields) = (inputs_of(input), Fields::of_text("text"));
    let texts = Reader::new(&inputs, &fields, Scan::Documents);
    let writer = KeptWriter::create(&inputs, &fields, output, RecordMode::Copy).unwrap();
    let records = Reader::new(&inputs, &fields, writer.scan());
    let (mut scratch, mut again) = (Scratch::default(), Scratch::default());
    while let Some(chunk) = texts.next().unwrap() {
        let mut places: Vec<Place> = Vec::new();
        chunk.load(&mut scratch).unwrap().for_each(|record| {
            places.extend(record.ok().filter(|record| record.text != "removed").map(|record| record.place));
        });
        let loaded = records.next().unwrap().unwrap().load(&mut again).unwrap();
        writer.write(&loaded, KeptRows::Copied(&places)).unwrap();
    }
    writer.complete().unwrap().publish().unwrap();
}

/// The contents of the frames of a file of zstd, whose heads are checked.
fn frames(mut file: &[u8]) -> Vec<String> {
    let mut frames = Vec::new();
    while !file.is_empty() {
        let (frame, rest) = file.split_at(zstd_safe::find_frame_compressed_size(file).unwrap());
        let content = zstd::decode_all(frame).unwrap();
        assert_eq!(frame[4] & CHECKSUM, CHECKSUM);
        assert_eq!(zstd_safe::get_frame_content_size(frame).unwrap(), Some(content.len() as u64));
        let mut damaged = frame.to_vec();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(zstd::decode_all(&damaged[..]).is_err(), "the checksum is checked");
        frames.push(String::from_utf8(content).unwrap());
        file = rest;
    }
    frames
}

#[test]
fn each_record_is_a_frame_of_zstd_with_its_length_and_a_checksum() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let records = [
        record("warcinfo", "software: a test"),
        record("conversion", "a text"),
        record("conversion", "removed"),
        record("metadata", ""),
        record("conversion", &"another text ".repeat(100_000)),
    ];
    let expected = [&records[..2], &records[3..]].concat();
    fs::write(path("in.warc"), records.concat()).unwrap();
    copy(&path("in.warc"), &path("out.warc.zst"));
    assert_eq!(frames(&fs::read(path("out.warc.zst")).unwrap()), expected);
    // A folder has files of the same names.
    copy(&path("out.warc.zst"), &path("kept"));
    assert_eq!(frames(&fs::read(path("kept/out.warc.zst")).unwrap()), expected);
}

/// What the program zstd made of six records, of which the fourth is "removed": a dictionary as it is, and compressed.
const WITH_DICTIONARY: [&[u8]; 2] =
    [include_bytes!("files/dictionary.warc.zst"), include_bytes!("files/compressed-dictionary.warc.zst")];

#[test]
fn an_archive_with_a_dictionary_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for stored in WITH_DICTIONARY {
        fs::write(path("in.warc.zst"), stored).unwrap();
        copy(&path("in.warc.zst"), &path("out.warc"));
        let records = fs::read_to_string(path("out.warc")).unwrap();
        assert_eq!(records.matches("WARC-Type: resource").count(), 5);
        assert!(!records.contains("removed"));
        copy(&path("in.warc.zst"), &path("out.warc.zst"));
        let out = fs::read(path("out.warc.zst")).unwrap();
        let length = 8 + u32::from_le_bytes(stored[4..8].try_into().unwrap()) as usize;
        assert_eq!(out[..length], stored[..length], "the first frame");
        let dictionary = match &stored[8..12] {
            b"\x28\xb5\x2f\xfd" => zstd::decode_all(&stored[8..length]).unwrap(),
            _ => stored[8..length].to_vec(),
        };
        let mut decoder = zstd::bulk::Decompressor::with_dictionary(&dictionary).unwrap();
        let (mut rest, mut again) = (&out[length..], Vec::new());
        while !rest.is_empty() {
            let (frame, behind) = rest.split_at(zstd_safe::find_frame_compressed_size(rest).unwrap());
            again.extend(decoder.decompress(frame, 1 << 20).unwrap());
            rest = behind;
        }
        assert_eq!(String::from_utf8(again).unwrap(), records);
        assert!(zstd::decode_all(&out[length..]).is_err(), "the dictionary is needed");
        // The output is an input.
        copy(&path("out.warc.zst"), &path("again.warc.zst"));
        assert_eq!(fs::read(path("again.warc.zst")).unwrap(), out);
    }
}

#[test]
fn an_archive_without_records_is_a_frame_without_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("in.warc"), record("conversion", "removed")).unwrap();
    for (name, expected) in [("out.warc.zst", 1), ("out.warc", 0)] {
        copy(&path("in.warc"), &path(name));
        assert_eq!(frames(&fs::read(path(name)).unwrap()).len(), expected);
    }
    assert_eq!(frames(&fs::read(path("out.warc.zst")).unwrap()), [""]);
}

#[test]
fn a_record_whose_content_cannot_be_read_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let response = |fields: &str, body: &str| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n{fields}\r\n{body}");
        record("response", &block).replace("Content-Type: text/plain\r\nContent-Length", "Content-Length")
    };
    let records = [
        response("", "a text"),
        response("Content-Encoding: unknown\r\n", "?"),
        response("Content-Encoding: br\r\n", "\u{ff}\u{ff}\u{ff}"),
        response("", "removed"),
        response("", "not HTTP").replace("HTTP/1.1", "OTHER/1."),
    ];
    fs::write(path("in.warc"), records.concat()).unwrap();
    copy(&path("in.warc"), &path("out.warc"));
    let expected = [&records[..3], &records[4..]].concat().concat();
    assert_eq!(fs::read_to_string(path("out.warc")).unwrap(), expected);
}

/// Version 1 of ARC, with the head of the file, two pages and an image.
fn arc(records: &[(&str, &str, &str)]) -> Vec<String> {
    let about = "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n";
    let head = format!("filedesc://x.arc 0.0.0.0 20260102030405 text/plain {}\n{about}\n", about.len());
    let record = |(url, kind, block): &(&str, &str, &str)| {
        format!("{url} 1.2.3.4 20260102030405 {kind} {}\n{block}\n", block.len())
    };
    std::iter::once(head).chain(records.iter().map(record)).collect()
}

const ARC_RECORDS: [(&str, &str, &str); 5] = [
    ("http://e.example/1", "text/html", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>one\n"),
    ("http://e.example/2", "text/html", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>removed\n"),
    ("http://e.example/i", "image/gif", "HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\nGIF"),
    ("dns:e.example", "text/dns", "20260102030405\ne.example. 1 IN A 1.2.3.4"),
    ("ftp://e.example/a.txt", "text/plain", "a resource"),
];

#[test]
fn pages_of_arc_are_read_and_kept_with_all_other_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let records = arc(&ARC_RECORDS);
    let expected = [&records[..2], &records[3..]].concat().concat();
    fs::write(path("in.arc"), records.concat()).unwrap();
    let fields =
        Fields { id: Some("id".into()), number: Some("warc-date".into()), ..Fields::of_text("text") };
    let inputs = inputs_of(&path("in.arc"));
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    let reader = Reader::new(&inputs, &fields, Scan::Documents);
    reader.next().unwrap().unwrap().load(&mut scratch).unwrap().for_each(|record| {
        let record = record.unwrap();
        assert!(record.number.is_some());
        found.push((record.id.unwrap().to_owned(), record.text.to_owned()));
    });
    let documents = [
        ("http://e.example/1", "one"),
        ("http://e.example/2", "removed"),
        ("ftp://e.example/a.txt", "a resource"),
    ];
    assert_eq!(found, documents.map(|(id, text)| (id.to_owned(), text.to_owned())));
    copy(&path("in.arc"), &path("out.arc"));
    assert_eq!(fs::read_to_string(path("out.arc")).unwrap(), expected);
    // Each record is a member, also the head of the file.
    copy(&path("in.arc"), &path("out.arc.gz"));
    let members = fs::read(path("out.arc.gz")).unwrap();
    assert_eq!(members.windows(3).filter(|bytes| bytes == b"\x1f\x8b\x08").count(), 5);
    copy(&path("out.arc.gz"), &path("again.arc"));
    assert_eq!(fs::read_to_string(path("again.arc")).unwrap(), expected);
}

#[test]
fn damage_in_arc_is_named_and_reading_goes_on_at_the_next_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.arc");
    let whole = arc(&ARC_RECORDS).concat();
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let (inputs, fields) = (inputs_of(&path), Fields::of_text("text"));
        let reader = Reader::new(&inputs, &fields, Scan::DocumentsInOrder);
        let (mut scratch, mut texts, mut bad) = (Scratch::default(), Vec::new(), 0);
        while let Some(chunk) = reader.next().unwrap() {
            chunk.load(&mut scratch).unwrap().for_each(|record| match record {
                Ok(record) => texts.push(record.text.to_owned()),
                Err(_) => bad += 1,
            });
        }
        (texts, bad)
    };
    let wrong = whole.replacen("text/html 51", "text/html 30", 1);
    assert_ne!(wrong, whole);
    assert_eq!(read(wrong.as_bytes()), (vec!["removed".to_owned(), "a resource".to_owned()], 1));
    for length in 0..whole.len() {
        read(&whole.as_bytes()[..length]);
    }
    for place in 0..whole.len() {
        let mut damaged = whole.clone().into_bytes();
        damaged[place] ^= 0xff;
        let (texts, bad) = read(&damaged);
        assert!(texts.len() + bad >= 2, "{place}");
    }
}
