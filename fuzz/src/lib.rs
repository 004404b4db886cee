//! Checks for targets that read files: a file of any bytes is read in all the ways of a run, and all ways must agree.

use std::path::{Path, PathBuf};

use lookalike_corpus::{
    BadRecord, Error, Fields, Inputs, KeptRows, KeptWriter, Place, Problem, Rank, Reader, RecordMode, Scan,
    Scratch, Waiting,
};

/// Approximate bytes of the chunks of another scan: a few records, so that chunks end at every kind of place.
const SMALL_CHUNK: usize = 97;

/// Longer records are skipped in another scan.
const SMALL_RECORD: u64 = 80;

/// A document as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Its place in its chunk.
    pub place: Place,
    /// Its text.
    pub text: String,
    /// Its id.
    pub id: Option<String>,
    /// Its number.
    pub number: Option<Rank>,
    /// Its record as it is written.
    pub raw: Vec<u8>,
}

/// The content of a document, without its place: text, id, number and record.
pub type Said = (String, Option<String>, Option<Rank>, Vec<u8>);

/// The records of a scan, in order.
pub type Records = Vec<Result<Document, BadRecord>>;

/// A file in its own folder, which is removed with it.
pub struct Input {
    folder: tempfile::TempDir,
    path: PathBuf,
    inputs: Inputs,
    fields: Fields,
}

impl Input {
    /// A file with this name and content.
    pub fn new(name: &str, bytes: &[u8]) -> Input {
        let fields = Fields { id: Some("id".into()), number: Some("n".into()), ..Fields::of_text("text") };
        Input::with_fields(name, bytes, fields)
    }

    /// The same, with the fields to read.
    pub fn with_fields(name: &str, bytes: &[u8], fields: Fields) -> Input {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("room for it");
        Input { inputs: inputs_of(&path), folder, path, fields }
    }

    /// All records, by every kind of scan. `None` for Parquet, which these targets refuse.
    ///
    /// # Panics
    /// If two scans differ, or a document is not found again at its place.
    pub fn read(&self) -> Option<Records> {
        let first = self.scan(&self.inputs, Scan::Documents, None)?;
        assert_eq!(self.scan(&self.inputs, Scan::RecordsInOrder, None)?, first, "a second scan differs");

        let small = self.scan(&self.inputs, Scan::DocumentsInOrder, Some(SMALL_CHUNK))?;
        match is_cut(&first) || is_cut(&small) {
            // The amount decoded before the damage depends on the amount requested.
            true => {
                assert!(either_starts(&documents(&small), &documents(&first)), "in small chunks it differs")
            }
            false => assert_eq!(said(&small), said(&first), "in small chunks it differs"),
        }

        let mut limited = inputs_of(&self.path);
        limited.skip_longer(SMALL_RECORD);
        let short = self.scan(&limited, Scan::Documents, None)?;
        let small_short = self.scan(&limited, Scan::Documents, Some(SMALL_CHUNK))?;
        let (small_short, of_short) = (documents(&small_short), documents(&short));
        let same = small_short == of_short || (is_cut(&short) && either_starts(&small_short, &of_short));
        assert!(same, "short records differ in small chunks: {small_short:?}, {of_short:?}");
        // A WARC record with a wrong length is searched for records. If it is too long to be held, its length is trusted.
        if first.iter().all(Result::is_ok) {
            let mut rest = first.iter().flatten();
            for document in short.iter().flatten() {
                let same = rest.any(|other| said_of(other) == said_of(document));
                assert!(same, "{document:?} is read only where longer records are skipped");
            }
        }
        // A WARC record that is cut off is searched for records only if it is short enough to be held. So is the member of an archive.
        let is_long = |bad: &BadRecord| {
            matches!(
                bad.problem,
                Problem::RecordTooLong { .. } | Problem::Truncated { .. } | Problem::CutMember { .. }
            )
        };
        let long = short.iter().any(|record| record.as_ref().is_err_and(is_long));
        assert!(
            long || is_cut(&first) || short == first,
            "records are lost without a word: {short:?} of {first:?}"
        );
        Some(first)
    }

    /// Writes all records, documents and others, to a file with this name, and reads that file. `None` if two samples of one key would come
    /// together there, which a tar archive refuses.
    pub fn copy(&self, name: &str) -> Option<Records> {
        let out = self.folder.path().join(name);
        let writer =
            KeptWriter::create(&self.inputs, &self.fields, &out, RecordMode::Copy).expect("a place for it");
        let reader = Reader::new(&self.inputs, &self.fields, writer.scan());
        let mut scratch = Scratch::default();
        while let Some(chunk) = reader.next().expect("a file that can be read") {
            let mut loaded = chunk.load(&mut scratch).expect("a file that can be read");
            let mut places = Vec::new();
            loaded.for_each(|record| places.extend(record.ok().map(|record| record.place)));
            match writer.write(&loaded, KeptRows::Copied(&places)) {
                Err(Error::SameKey { .. }) => return None,
                written => written.expect("room for it"),
            }
        }
        writer.complete().expect("room for it").publish().expect("room for it");
        if !out.exists() {
            return Some(Vec::new());
        }
        Some(self.scan(&inputs_of(&out), Scan::Documents, None).expect("a format that was read before"))
    }

    fn scan(&self, inputs: &Inputs, scan: Scan, chunk_bytes: Option<usize>) -> Option<Records> {
        let reader = match chunk_bytes {
            None => Reader::new(inputs, &self.fields, scan),
            Some(bytes) => Reader::with_chunk_bytes(inputs, &self.fields, scan, bytes),
        };
        let (mut records, mut scratch, mut last) = (Vec::new(), Scratch::default(), None);
        loop {
            let chunk = match reader.next() {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return Some(records),
                Err(Error::WithoutParquet { .. }) => return None,
                Err(error) => panic!("{error}"),
            };
            assert!(last < Some(chunk.id()), "{:?} comes behind {last:?}", chunk.id());
            last = Some(chunk.id());
            let mut loaded = chunk.load(&mut scratch).expect("a file that can be read");
            let before = records.len();
            loaded.for_each(|record| {
                records.push(record.map(|record| Document {
                    place: record.place,
                    text: record.text.to_owned(),
                    id: record.id.map(str::to_owned),
                    number: record.number,
                    raw: Vec::new(),
                }));
            });
            for document in records[before..].iter_mut().flatten() {
                document.raw = loaded.raw(document.place).unwrap_or_default().to_owned();
                let again = loaded.record(document.place).expect("the record that was there");
                assert_eq!((again.text, again.id), (document.text.as_str(), document.id.as_deref()));
                assert_eq!((again.number, again.place), (document.number, document.place));
            }
        }
    }
}

/// May these bytes be compressed? Some uncompressed files start in the same way.
pub fn may_be_compressed(bytes: &[u8]) -> bool {
    [&b"\x1f\x8b"[..], b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ", b"\x04\x22\x4d\x18", b"\x02\x21\x4c\x18"]
        .iter()
        .any(|magic| bytes.starts_with(magic))
        || matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Byte order marks before a record are ignored, because joined files have them.
pub fn without_marks(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").map_or(line, without_marks)
}

/// The content of records, without their places.
fn said(records: &Records) -> Vec<Result<Said, Problem>> {
    records.iter().map(|record| record.as_ref().map(said_of).map_err(|bad| bad.problem.clone())).collect()
}

/// Can the rest of a compressed file not be decoded?
pub fn is_of_stream(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::BrokenStream { .. } | Problem::CutStream | Problem::LongWindow | Problem::NoDictionary
    )
}

/// Is a stream broken?
fn is_cut(records: &Records) -> bool {
    let is_broken = |bad: &BadRecord| is_of_stream(&bad.problem);
    records.iter().any(|record| record.as_ref().is_err_and(is_broken))
}

/// Is one of the two a prefix of the other?
fn either_starts(left: &[Said], right: &[Said]) -> bool {
    left.starts_with(right) || right.starts_with(left)
}

/// The documents among records.
pub fn documents(records: &Records) -> Vec<Said> {
    records.iter().flatten().map(said_of).collect()
}

fn said_of(document: &Document) -> Said {
    let Document { text, id, number, raw, .. } = document.clone();
    (text, id, number, raw)
}

fn inputs_of(path: &Path) -> Inputs {
    Inputs::resolve(&[path.to_str().expect("a plain path").to_owned()], &Waiting::default())
        .expect("a file that is there")
}
