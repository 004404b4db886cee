//! Any lines, in each compression, damaged at one place. A whole file gives the documents of the plain file. A cut file gives the first
//! of them. Damage is reported.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::{Input, Records, documents, is_of_stream, may_be_compressed};

fuzz_target!(|input: (Vec<u8>, u8, u16, u8)| {
    let (lines, way, at, mask) = input;
    let (first, second) = lines.split_at(usize::from(at) % (lines.len() + 1));
    let pieces = [first, second];
    let (extension, mut bytes) = match way % 7 {
        0 => ("gz", pieces.map(gzip).concat()),
        1 => ("zst", pieces.map(zstd).concat()),
        2 => ("zst", pieces.map(|piece| [skipped(first), zstd(piece)].concat()).concat()),
        3 => ("bz2", pieces.map(bzip2).concat()),
        4 => ("xz", pieces.map(xz).concat()),
        5 => ("lz4", pieces.map(lz4).concat()),
        _ => ("zst", [with_dictionary(&DICTIONARY), pieces.map(zstd_of_dictionary).concat()].concat()),
    };
    let name = format!("in.jsonl.{extension}");
    let plain = Input::new("in.jsonl", &lines).read().filter(|_| !may_be_compressed(&lines));
    let Some(plain) = plain else { return };
    let whole = Input::new(&name, &bytes).read().expect("lines are no Parquet");
    assert_eq!(documents(&whole), documents(&plain));

    let at = usize::from(at) % bytes.len();
    if mask == 0 {
        bytes.truncate(at);
        let Some(cut) = Input::new(&name, &bytes).read() else { return };
        if cut.last().is_some_and(|last| last.as_ref().is_err_and(|bad| is_of_stream(&bad.problem))) {
            assert!(starts_with(&plain, &cut));
        }
    } else {
        bytes[at] ^= mask;
        Input::new(&name, &bytes).read();
    }
});

/// Are the documents of a cut file the first ones of the whole file?
fn starts_with(whole: &Records, cut: &Records) -> bool {
    let text = |records| documents(records).into_iter().map(|(text, ..)| text).collect::<Vec<_>>();
    text(whole).starts_with(&text(cut))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("room in memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("a level that there is");
    encoder.include_checksum(true).expect("an encoder that is new");
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("room in memory")
}

/// What the program zstd has trained: a dictionary, behind the head of its frame.
const DICTIONARY: [u8; 1024] = {
    let file: &[u8] = include_bytes!("../../crates/corpus/tests/it/files/dictionary.warc.zst");
    let mut dictionary = [0; 1024];
    let mut at = 0;
    while at < 1024 {
        dictionary[at] = file[8 + at];
        at += 1;
    }
    dictionary
};

/// The frame of a dictionary.
fn with_dictionary(dictionary: &[u8]) -> Vec<u8> {
    [b"\x5d\x2a\x4d\x18", &(dictionary.len() as u32).to_le_bytes()[..], dictionary].concat()
}

fn zstd_of_dictionary(bytes: &[u8]) -> Vec<u8> {
    let mut encoder =
        zstd::Encoder::with_dictionary(Vec::new(), 1, &DICTIONARY).expect("a level that there is");
    encoder.include_checksum(true).expect("an encoder that is new");
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("room in memory")
}

fn lz4(bytes: &[u8]) -> Vec<u8> {
    let checked = lz4_flex::frame::FrameInfo::new().content_checksum(true);
    let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(checked, Vec::new());
    encoder.write_all(bytes).expect("room in memory");
    encoder.finish().expect("room in memory")
}

/// A skippable frame.
fn skipped(bytes: &[u8]) -> Vec<u8> {
    [b"\x5a\x2a\x4d\x18", &(bytes.len() as u32).to_le_bytes()[..], bytes].concat()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("room in memory")
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 0);
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("room in memory")
}
