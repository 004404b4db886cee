//! Web archives in zip files, such as a WACZ.

use std::{fs, io::Write, path::Path};

use crate::corpus::{compress, inputs_of};
use lookalike_corpus::{
    Error, Fields, Format, Inputs, KeptRows, KeptWriter, Reader, RecordMode, Scan, Scratch, Waiting,
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

fn record(text: &str) -> String {
    let length = text.len();
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{text}\r\n\r\n"
    )
}

fn zip_of(members: &[(&str, &[u8], CompressionMethod)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content, method) in members {
        zip.start_file(*name, SimpleFileOptions::default().compression_method(*method)).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn wacz(texts: &[&str]) -> Vec<u8> {
    let records: String = texts.iter().map(|text| record(text)).collect();
    let members: [(&str, &[u8], CompressionMethod); 3] = [
        ("datapackage.json", b"{}", CompressionMethod::Deflated),
        ("archive/data.warc.gz", &compress(records.as_bytes(), "gz"), CompressionMethod::Stored),
        ("pages/pages.jsonl", b"{\"text\": \"no document\"}\n", CompressionMethod::Stored),
    ];
    zip_of(&members)
}

fn texts(inputs: &Inputs) -> Vec<String> {
    let fields = Fields::of_text("text");
    let reader = Reader::new(inputs, &fields, Scan::DocumentsInOrder);
    let (mut scratch, mut texts) = (Scratch::default(), Vec::new());
    while let Some(chunk) = reader.next().unwrap() {
        chunk.load(&mut scratch).unwrap().for_each(|record| texts.push(record.unwrap().text.to_owned()));
    }
    texts
}

fn copy_all(inputs: &Inputs, out: &Path) {
    let fields = Fields::of_text("text");
    let writer = KeptWriter::create(inputs, &fields, out, RecordMode::Copy).unwrap();
    let reader = Reader::new(inputs, &fields, writer.scan());
    let mut scratch = Scratch::default();
    while let Some(chunk) = reader.next().unwrap() {
        let (mut loaded, mut places) = (chunk.load(&mut scratch).unwrap(), Vec::new());
        loaded.for_each(|record| places.push(record.unwrap().place));
        writer.write(&loaded, KeptRows::Copied(&places)).unwrap();
    }
    writer.complete().unwrap().publish().unwrap();
}

#[test]
fn the_archives_of_a_wacz_are_read_and_written_as_warc() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("in/b")).unwrap();
    fs::write(path("in/a.wacz"), wacz(&["a", "b"])).unwrap();
    fs::write(path("in/b/a.wacz"), wacz(&["c"])).unwrap();
    let inputs = inputs_of(&path("in"));
    assert_eq!(texts(&inputs), ["a", "b", "c"]);
    assert!(inputs.files().iter().all(|file| file.format == Format::Warc && file.stamp().is_some()));
    assert!(inputs.files()[0].name.ends_with("in/a.wacz/archive/data.warc.gz"), "{}", inputs.files()[0].name);
    copy_all(&inputs, &path("out"));
    assert_eq!(texts(&inputs_of(&path("out/a.warc.gz"))), ["a", "b"]);
    assert_eq!(texts(&inputs_of(&path("out/b/a.warc.gz"))), ["c"]);
    // Named files of one name get their folders.
    let named = ["in/a.wacz", "in/b/a.wacz"].map(|name| path(name).to_str().unwrap().to_owned());
    let inputs = Inputs::resolve(&named, &Waiting::default()).unwrap();
    let relative: Vec<_> = inputs.files().iter().map(|file| file.relative.to_str().unwrap()).collect();
    assert_eq!(relative, ["in/a.wacz/archive/data.warc.gz", "b/a.wacz/archive/data.warc.gz"]);
    let twice = Inputs::resolve(&[named[0].clone(), named[0].clone()], &Waiting::default());
    assert!(matches!(twice, Err(Error::Twice { .. })));
}

#[test]
fn several_archives_of_a_zip_file_are_read_compressed_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (first, second) = (record("a").repeat(2000), record("b"));
    let members: [(&str, &[u8], CompressionMethod); 2] = [
        ("x/0.warc", first.as_bytes(), CompressionMethod::Deflated),
        ("x/1.warc", second.as_bytes(), CompressionMethod::Stored),
    ];
    fs::write(path("a.zip"), zip_of(&members)).unwrap();
    let inputs = inputs_of(&path("a.zip"));
    assert_eq!(texts(&inputs).len(), 2001);
    copy_all(&inputs, &path("out"));
    assert_eq!(fs::read_to_string(path("out/a-0.warc")).unwrap(), first);
    assert_eq!(fs::read_to_string(path("out/a-1.warc")).unwrap(), second);
}

#[test]
fn archives_of_one_name_have_outputs_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("in")).unwrap();
    fs::write(path("in/a.wacz"), wacz(&["a"])).unwrap();
    fs::write(path("in/a.warc.gz"), compress(record("b").as_bytes(), "gz")).unwrap();
    let (first, second) = (record("c"), record("d"));
    let members: [(&str, &[u8], CompressionMethod); 2] = [
        ("2023/data.warc", first.as_bytes(), CompressionMethod::Stored),
        ("2024/data.warc", second.as_bytes(), CompressionMethod::Stored),
    ];
    fs::write(path("b.zip"), zip_of(&members)).unwrap();
    let names = ["in", "b.zip"].map(|name| path(name).to_str().unwrap().to_owned());
    let inputs = Inputs::resolve(&names, &Waiting::default()).unwrap();
    copy_all(&inputs, &path("out"));
    let mut found = texts(&inputs_of(&path("out")));
    found.sort();
    assert_eq!(found, ["a", "b", "c", "d"]);
}

#[test]
fn a_broken_wacz_in_a_folder_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.wacz"), &wacz(&["a"])[..100]).unwrap();
    fs::write(folder.path().join("b.wacz"), wacz(&["b"])).unwrap();
    let inputs = inputs_of(folder.path());
    assert_eq!((texts(&inputs), inputs.skipped().count()), (vec!["b".to_owned()], 1));
}

#[test]
fn zip_files_without_archives_and_broken_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.zip");
    let refused = |content: &[u8]| {
        fs::write(&path, content).unwrap();
        Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap_err().to_string()
    };
    let stored = CompressionMethod::Stored;
    let other = refused(&zip_of(&[("a.jsonl", b"{}", stored)]));
    assert!(
        other.ends_with("this is a zip archive, which is not read; unpack it, and give the files in it"),
        "{other}"
    );
    let whole = wacz(&["a"]);
    let cut = refused(&whole[..whole.len() - 30]);
    assert!(cut.contains("the zip file cannot be read: "), "{cut}");
    let zeros = vec![0; 64 << 20];
    let bomb = refused(&zip_of(&[("a.warc", &zeros, CompressionMethod::Deflated)]));
    assert!(
        bomb.ends_with("its member a.warc is more than 1000 times as long as its compressed bytes"),
        "{bomb}"
    );
}
