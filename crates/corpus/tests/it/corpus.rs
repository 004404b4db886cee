//! Corpora of every kind for tests, and the documents that a scan must find in them.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
};

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use lookalike_corpus::{ChunkId, Fields, Inputs, Loaded, Place, Reader, Scan, Scratch, Waiting};
use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};
use parquet::{arrow::ArrowWriter, file::properties::WriterProperties};
use tempfile::TempDir;

/// The extension of each kind. A `txt` corpus is a folder of text files.
pub(crate) const KINDS: [&str; 36] = [
    "jsonl",
    "jsonl.gz",
    "jsonl.zst",
    "jsonl.bz2",
    "jsonl.xz",
    "jsonl.lz4",
    "json",
    "json.gz",
    "json.zst",
    "json.bz2",
    "json.xz",
    "csv",
    "csv.gz",
    "csv.zst",
    "csv.bz2",
    "csv.xz",
    "tsv",
    "tsv.gz",
    "tsv.zst",
    "tsv.bz2",
    "tsv.xz",
    "txt",
    "txt.gz",
    "txt.zst",
    "txt.bz2",
    "txt.xz",
    "txt.lz4",
    "parquet",
    "arrow",
    "arrows",
    "warc",
    "warc.gz",
    "warc.zst",
    "warc.bz2",
    "warc.xz",
    "warc.lz4",
];

pub(crate) struct Corpus {
    folder: TempDir,
    kind: &'static str,
    documents: Vec<(String, String)>,
}

/// A document that a scan found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) chunk: ChunkId,
    pub(crate) place: Place,
    pub(crate) id: Option<String>,
    pub(crate) text: String,
}

pub(crate) fn fields() -> Fields {
    Fields { id: Some("id".into()), ..Fields::of_text("text") }
}

pub(crate) fn inputs_of(path: &Path) -> Inputs {
    Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap()
}

impl Corpus {
    pub(crate) fn write(kind: &'static str, count: usize) -> Corpus {
        let is_text = kind.starts_with("txt");
        // Every text file is opened and closed. Fewer of them test the same.
        let documents = (0..if is_text { count / 10 } else { count }).map(document).collect();
        let corpus = Corpus { folder: tempfile::tempdir().unwrap(), kind, documents };
        if is_text {
            for (id, text) in &corpus.documents {
                let folder = corpus.input().join(&id[..4]);
                fs::create_dir_all(&folder).unwrap();
                write_file(&folder.join(format!("{id}.{kind}")), text.as_bytes());
            }
            return corpus;
        }
        let path = corpus.input();
        match kind.split('.').next().unwrap() {
            "parquet" => write_parquet(&path, &corpus.documents),
            "arrow" => write_arrow(&path, &corpus.documents),
            "arrows" => write_arrow_stream(&path, &corpus.documents),
            "warc" => write_file(&path, archive(&corpus.documents).as_bytes()),
            "json" => write_file(&path, array(&corpus.documents).as_bytes()),
            "jsonl" => write_file(&path, jsonl(&corpus.documents).as_bytes()),
            "csv" => write_file(&path, table(&corpus.documents, ',').as_bytes()),
            _ => write_file(&path, table(&corpus.documents, '\t').as_bytes()),
        }
        corpus
    }

    pub(crate) fn name(&self) -> &str {
        self.kind
    }

    pub(crate) fn inputs(&self) -> Inputs {
        inputs_of(&self.input())
    }

    pub(crate) fn out(&self) -> PathBuf {
        fs::create_dir_all(self.folder.path().join("out")).unwrap();
        self.folder.path().join("out").join(self.file_name("kept"))
    }

    /// The texts that a scan must find, with their ids. Text files have no ids.
    pub(crate) fn documents(&self) -> Vec<(Option<String>, String)> {
        let has_ids = !self.kind.starts_with("txt");
        self.documents.iter().map(|(id, text)| (has_ids.then(|| id.clone()), text.clone())).collect()
    }

    fn input(&self) -> PathBuf {
        self.folder.path().join(self.file_name("documents"))
    }

    fn file_name(&self, stem: &str) -> String {
        if self.kind.starts_with("txt") { stem.to_owned() } else { format!("{stem}.{}", self.kind) }
    }
}

fn document(number: usize) -> (String, String) {
    let odd =
        ["", "plain", "two\nlines", "\"quoted\", and\tmore", "5\" disk", "日本語 😀", "back\\slash", "\r\n"]
            [number % 8];
    // Not one phrase again and again: compressors are slow there.
    let phrase = |word: usize| {
        [" some words", " that fill the document", " now and then", " in no order"]
            [word * (number + word) / 7 % 4]
    };
    let words = (0..number % 40 * 2).map(phrase);
    (format!("d{number:06}"), odd.to_owned() + &words.collect::<String>())
}

fn jsonl(documents: &[(String, String)]) -> String {
    let line = |(id, text): &(String, String)| {
        serde_json::json!({"id": id, "text": text, "extra": [1, {"a": null}]}).to_string()
    };
    documents.iter().map(|document| line(document) + "\n").collect()
}

/// An array of the same objects, indented.
fn array(documents: &[(String, String)]) -> String {
    let objects = jsonl(documents);
    let objects: Vec<serde_json::Value> =
        objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    serde_json::to_string_pretty(&objects).unwrap()
}

/// Records that are documents, each behind a record that is not one.
fn archive(documents: &[(String, String)]) -> String {
    let record = |kind: &str, id: &str, block: &str| {
        format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {id}\r\nContent-Type: text/plain\r\n\
             Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    let both =
        |(id, text): &(String, String)| record("metadata", id, "a: b") + &record("conversion", id, text);
    documents.iter().map(both).collect()
}

fn table(documents: &[(String, String)], delimiter: char) -> String {
    let mut out = format!("id{delimiter}\"text\"{delimiter}extra\r\n");
    for (id, text) in documents {
        let quoted = text.replace('"', "\"\"");
        out += &format!("{id}{delimiter}\"{quoted}\"{delimiter}5\" disk\r\n");
    }
    out
}

fn batch(documents: &[(String, String)]) -> RecordBatch {
    let ids: StringArray = documents.iter().map(|(id, _)| Some(id)).collect();
    let texts: StringArray = documents.iter().map(|(_, text)| Some(text)).collect();
    let extra: Int64Array = (0..documents.len() as i64).map(Some).collect();
    let columns: [(&str, ArrayRef); 3] =
        [("id", Arc::new(ids)), ("text", Arc::new(texts)), ("extra", Arc::new(extra))];
    RecordBatch::try_from_iter(columns).unwrap()
}

/// Writes two record batches, of which the first one makes several chunks.
fn write_arrow(path: &Path, documents: &[(String, String)]) {
    let batch = batch(documents);
    let mut writer = FileWriter::try_new(File::create(path).unwrap(), &batch.schema()).unwrap();
    writer.write(&batch.slice(0, batch.num_rows() * 3 / 4)).unwrap();
    writer.write(&batch.slice(batch.num_rows() * 3 / 4, batch.num_rows().div_ceil(4))).unwrap();
    writer.finish().unwrap();
}

/// Writes a stream of record batches of 700 rows.
fn write_arrow_stream(path: &Path, documents: &[(String, String)]) {
    let mut writer = StreamWriter::try_new(File::create(path).unwrap(), &batch(&[]).schema()).unwrap();
    for documents in documents.chunks(700) {
        writer.write(&batch(documents)).unwrap();
    }
    writer.finish().unwrap();
}

fn write_parquet(path: &Path, documents: &[(String, String)]) {
    let batch = batch(documents);
    // Several row groups. The last one is short.
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(1100)).build();
    let mut writer =
        ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// Writes the content, compressed by the file's extension, in two members, frames or streams.
pub(crate) fn write_file(path: &Path, content: &[u8]) {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let (first, second) = content.split_at(content.len() / 2);
    let bytes: Vec<u8> = [first, second].into_iter().flat_map(|part| compress(part, extension)).collect();
    fs::write(path, bytes).unwrap();
}

pub(crate) fn compress(content: &[u8], extension: &str) -> Vec<u8> {
    match extension {
        "gz" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        }
        "zst" => {
            let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
            encoder.include_checksum(true).unwrap();
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        }
        "bz2" => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        }
        "xz" => {
            let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        }
        "lz4" => {
            // With the checksum of the program lz4, and with short blocks, of which each is read or not.
            let settings = FrameInfo::new().content_checksum(true).block_size(BlockSize::Max64KB);
            let mut encoder = FrameEncoder::with_frame_info(settings, Vec::new());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        }
        _ => content.to_owned(),
    }
}

/// All documents, in order.
pub(crate) fn scan(inputs: &Inputs, workers: usize) -> Vec<Found> {
    let fields = fields();
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let found = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut scratch = Scratch::default();
                while let Some(chunk) = reader.next().unwrap() {
                    let mut loaded = chunk.load(&mut scratch).unwrap();
                    let chunk = loaded.id();
                    loaded.for_each(|record| {
                        let record = record.unwrap();
                        let (id, text) = (record.id.map(str::to_owned), record.text.to_owned());
                        found.lock().unwrap().push(Found { chunk, place: record.place, id, text });
                    });
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|found| (found.chunk, found.place));
    found
}

/// The places of rows that a scan of records does not visit.
pub(crate) fn all_rows(loaded: &Loaded<'_>) -> Vec<Place> {
    (0..loaded.lines()).map(|row| Place { offset: row, line: row }).collect()
}

/// The bytes of every record that has bytes of its own.
pub(crate) fn raw_records(inputs: &Inputs) -> Vec<Vec<u8>> {
    let fields = fields();
    let reader = Reader::new(inputs, &fields, Scan::RecordsInOrder);
    let mut scratch = Scratch::default();
    let mut records = Vec::new();
    while let Some(chunk) = reader.next().unwrap() {
        let mut loaded = chunk.load(&mut scratch).unwrap();
        let mut places = Vec::new();
        loaded.for_each(|record| places.push(record.unwrap().place));
        records.extend(places.into_iter().filter_map(|place| loaded.raw(place).map(<[u8]>::to_owned)));
    }
    records
}
