//! Any bytes in a file called `.jsonl`, compressed or not: reading does not panic, a second scan gives the same, and
//! every record is found again at its place.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{BadRecord, ChunkId, Fields, Inputs, Place, Reader, Record, Scan, Scratch};

#[derive(Debug, PartialEq)]
struct Owned {
    chunk: ChunkId,
    place: Place,
    text: String,
    id: Option<String>,
    number: Option<f64>,
}

fuzz_target!(|bytes: &[u8]| {
    let file = tempfile::Builder::new().suffix(".jsonl").tempfile().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("room for it");
    let name = file.path().to_str().expect("a plain path").to_owned();
    let inputs = Inputs::resolve(&[name]).expect("a file that is there");
    let fields = Fields { text: "text".into(), id: Some("id".into()), number: Some("n".into()) };

    let (records, bad) = scan(&inputs, &fields, Scan::Documents);
    assert_eq!(scan(&inputs, &fields, Scan::RecordsInOrder), (records, bad));
});

/// All records of the inputs, each also looked up by its place, and what stands for the bad ones.
fn scan(inputs: &Inputs, fields: &Fields, scan: Scan) -> (Vec<Owned>, Vec<BadRecord>) {
    let (mut records, mut bad) = (Vec::new(), Vec::new());
    let mut scratch = Scratch::default();
    let reader = Reader::new(inputs, fields, scan);
    while let Some(chunk) = reader.next().expect("a file that can be read") {
        let id = chunk.id();
        let mut loaded = chunk.load(&mut scratch).expect("a file that can be read");
        let before = records.len();
        loaded.for_each(|record| match record {
            Ok(record) => records.push(owned(id, record)),
            Err(problem) => bad.push(problem),
        });
        for record in &records[before..] {
            assert!(loaded.raw(record.place).is_some_and(|line| !line.is_empty()));
            assert_eq!(loaded.record(record.place).map(|again| owned(id, again)).as_ref(), Ok(record));
        }
    }
    (records, bad)
}

fn owned(chunk: ChunkId, record: Record<'_>) -> Owned {
    Owned {
        chunk,
        place: record.place,
        text: record.text.to_owned(),
        id: record.id.map(str::to_owned),
        number: record.number,
    }
}
