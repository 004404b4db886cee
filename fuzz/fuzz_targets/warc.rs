//! Any bytes in a file called `.warc`, compressed or not: reading does not panic, a second scan gives the same, every document is
//! found again at its place, and the archive of all documents has the same documents.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{BadRecord, Fields, Inputs, KeptRows, KeptWriter, Mode, Place, Reader, Scan, Scratch};

/// What a document is: its place, its text and its id.
type Owned = (Place, String, Option<String>);

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("in.warc");
    std::fs::write(&path, bytes).expect("room for it");
    let fields = Fields { text: "text".into(), id: Some("id".into()), number: Some("Content-Length".into()) };
    let inputs = inputs_of(&path);

    let (documents, bad) = scan(&inputs, &fields, Scan::Documents);
    assert_eq!(scan(&inputs, &fields, Scan::RecordsInOrder), (documents.clone(), bad));

    let out = folder.path().join("out.warc.gz");
    copy(&inputs, &fields, &out);
    let (copied, bad) = scan(&inputs_of(&out), &fields, Scan::Documents);
    assert!(bad.is_empty(), "{bad:?}");
    let said = |documents: Vec<Owned>| -> Vec<(String, Option<String>)> {
        documents.into_iter().map(|(_, text, id)| (text, id)).collect()
    };
    assert_eq!(said(copied), said(documents));
});

fn inputs_of(path: &std::path::Path) -> Inputs {
    Inputs::resolve(&[path.to_str().expect("a plain path").to_owned()]).expect("a file that is there")
}

/// All documents, each also looked up by its place, and what stands for bad records.
fn scan(inputs: &Inputs, fields: &Fields, scan: Scan) -> (Vec<Owned>, Vec<BadRecord>) {
    let (mut documents, mut bad) = (Vec::new(), Vec::new());
    let mut scratch = Scratch::default();
    let reader = Reader::new(inputs, fields, scan);
    while let Some(chunk) = reader.next().expect("a file that can be read") {
        let mut loaded = chunk.load(&mut scratch).expect("a file that can be read");
        let before = documents.len();
        loaded.for_each(|record| match record {
            Ok(record) => {
                documents.push((record.place, record.text.to_owned(), record.id.map(str::to_owned)));
            }
            Err(problem) => bad.push(problem),
        });
        for (place, text, _) in &documents[before..] {
            assert!(loaded.raw(*place).is_some_and(|record| record.starts_with(b"WARC/")));
            assert_eq!(loaded.record(*place).map(|again| again.text.to_owned()).as_ref(), Ok(text));
        }
    }
    (documents, bad)
}

/// Writes all documents, and what is no document.
fn copy(inputs: &Inputs, fields: &Fields, out: &std::path::Path) {
    let writer = KeptWriter::create(inputs, fields, out, Mode::Copy).expect("a place for it");
    let reader = Reader::new(inputs, fields, writer.scan());
    let mut scratch = Scratch::default();
    while let Some(chunk) = reader.next().expect("a file that can be read") {
        let mut loaded = chunk.load(&mut scratch).expect("a file that can be read");
        let mut places = Vec::new();
        loaded.for_each(|record| places.extend(record.ok().map(|record| record.place)));
        writer.write(&loaded, KeptRows::Copied(&places)).expect("room for it");
    }
    writer.complete().expect("room for it").publish().expect("room for it");
}
