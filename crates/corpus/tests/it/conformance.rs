//! One list of checks for every format and every compression.

use std::{collections::BTreeMap, fs, path::Path, sync::Mutex, thread};

use crate::corpus::{Corpus, KINDS, all_rows, fields, inputs_of, raw_records, scan};
use lookalike_corpus::{
    ChunkId, Error, Fields, Inputs, KeptRows, KeptWriter, Loaded, Place, Problem, Reader, RecordMode, Scan,
    Scratch,
};
use walkdir::WalkDir;

/// Enough documents for several chunks of every kind.
const DOCUMENTS: usize = 2000;

fn for_every_kind(check: impl Fn(&Corpus)) {
    for kind in KINDS {
        check(&Corpus::write(kind, DOCUMENTS));
    }
}

#[test]
fn documents_are_read_as_they_were_written() {
    for_every_kind(|corpus| {
        let found: Vec<_> =
            scan(&corpus.inputs(), 1).into_iter().map(|found| (found.id, found.text)).collect();
        assert_eq!(found, corpus.documents(), "{}", corpus.name());
    });
}

#[test]
fn values_to_group_by_are_those_of_their_fields() {
    for_every_kind(|corpus| {
        let field = if corpus.name().starts_with("warc") { "warc-target-uri" } else { "id" };
        let fields = Fields { within: vec![field.into(), "nowhere".into()], ..fields() };
        let inputs = corpus.inputs();
        let reader = Reader::new(&inputs, &fields, Scan::Documents);
        let (mut scratch, mut seen) = (Scratch::default(), 0);
        while let Some(chunk) = reader.next().unwrap() {
            chunk.load(&mut scratch).unwrap().for_each(|record| {
                let record = record.unwrap();
                seen += 1;
                let Some(id) = record.id else { return assert_eq!(record.within, None) };
                let length = (id.len() as u64).to_le_bytes();
                let values = record.within.unwrap();
                assert_eq!(
                    values.encoded(),
                    [&[1], &length[..], id.as_bytes(), &[0]].concat(),
                    "{}",
                    corpus.name()
                );
                assert_eq!(values.present(), 1);
            });
        }
        assert_eq!(seen, corpus.documents().len());
    });
}

#[test]
fn a_second_scan_gives_the_same_places_with_any_number_of_workers() {
    for_every_kind(|corpus| {
        let inputs = corpus.inputs();
        assert_eq!(scan(&inputs, 1), scan(&inputs, 4), "{}", corpus.name());
    });
}

#[test]
fn a_scan_that_ends_after_a_chunk_has_this_one_and_all_before_it() {
    for_every_kind(|corpus| {
        let (inputs, fields) = (corpus.inputs(), fields());
        let chunks = |last: Option<ChunkId>| {
            let reader = Reader::new(&inputs, &fields, Scan::Documents);
            let mut chunks = Vec::new();
            while let Some(chunk) = reader.next().unwrap() {
                chunks.push(chunk.id());
                last.into_iter().for_each(|last| reader.end_after(last));
            }
            chunks
        };
        let all = chunks(None);
        for count in 1..=all.len() {
            assert_eq!(chunks(Some(all[count - 1])), all[..count], "{}", corpus.name());
        }
    });
}

#[test]
fn random_access_equals_a_scan() {
    for_every_kind(|corpus| {
        let (inputs, fields) = (corpus.inputs(), fields());
        let mut expected = BTreeMap::new();
        for found in scan(&inputs, 1) {
            expected.entry(found.chunk).or_insert_with(Vec::new).push(found);
        }
        let reader = Reader::new(&inputs, &fields, Scan::Documents);
        let mut scratch = Scratch::default();
        while let Some(chunk) = reader.next().unwrap() {
            let mut loaded = chunk.load(&mut scratch).unwrap();
            for found in expected.remove(&loaded.id()).unwrap_or_default().iter().rev().step_by(7) {
                let record = loaded.record(found.place).unwrap();
                assert_eq!(record.text, found.text, "{}", corpus.name());
                assert_eq!(record.id, found.id.as_deref());
            }
        }
        assert!(expected.is_empty());
    });
}

#[test]
fn a_place_without_a_record_is_reported_as_gone() {
    // A place like this exists if the file was longer in an earlier scan.
    let gone = Place { offset: 1 << 28, line: 1 << 28 };
    for_every_kind(|corpus| {
        let (inputs, fields, out) = (corpus.inputs(), fields(), corpus.out());
        let writer = KeptWriter::create(&inputs, &fields, &out, RecordMode::Copy).unwrap();
        let reader = Reader::new(&inputs, &fields, writer.scan());
        let mut scratch = Scratch::default();
        let mut loaded = reader.next().unwrap().unwrap().load(&mut scratch).unwrap();
        let problem = loaded.record(gone).unwrap_err().problem;
        assert_eq!(problem, Problem::Gone, "{}", corpus.name());
        assert_eq!(loaded.raw(gone), None);
        let is_file = loaded.file(gone) != loaded.id().file;
        if !is_file {
            let written = writer.write(&loaded, KeptRows::Copied(&[gone]));
            assert!(matches!(written, Err(Error::Changed { .. })), "{}: {written:?}", corpus.name());
        }
    });
}

#[test]
fn a_copy_of_all_records_has_the_same_bytes_or_rows() {
    for_every_kind(|corpus| {
        let inputs = corpus.inputs();
        let out = corpus.out();
        copy(&inputs, &out, |_| true);
        let copied = inputs_of(&out);
        assert_eq!(raw_records(&copied), raw_records(&inputs), "{}", corpus.name());
        assert_eq!(texts(&copied), texts(&inputs));
    });
}

#[test]
fn a_copy_of_some_records_has_them_in_their_order() {
    for_every_kind(|corpus| {
        let inputs = corpus.inputs();
        let out = corpus.out();
        copy(&inputs, &out, |number| number % 3 == 1);
        let expected: Vec<_> = texts(&inputs).into_iter().skip(1).step_by(3).collect();
        assert_eq!(texts(&inputs_of(&out)), expected, "{}", corpus.name());
        assert_eq!(leftovers(&out), 0);
    });
}

#[test]
fn a_copy_that_is_not_finished_leaves_no_file() {
    for_every_kind(|corpus| {
        let (inputs, fields) = (corpus.inputs(), fields());
        let out = corpus.out();
        let writer = KeptWriter::create(&inputs, &fields, &out, RecordMode::Copy).unwrap();
        let reader = Reader::new(&inputs, &fields, writer.scan());
        let mut scratch = Scratch::default();
        let mut loaded = reader.next().unwrap().unwrap().load(&mut scratch).unwrap();
        let places = places_of(&mut loaded);
        writer.write(&loaded, KeptRows::Copied(&places)).unwrap();
        drop(writer);
        let files = WalkDir::new(out.parent().unwrap())
            .into_iter()
            .filter(|entry| entry.as_ref().unwrap().file_type().is_file());
        assert_eq!(files.count(), 0, "{}", corpus.name());
    });
}

fn copy(inputs: &Inputs, out: &Path, keep: impl Fn(usize) -> bool + Sync) {
    let fields = fields();
    let numbers = Mutex::new(BTreeMap::new());
    for (number, found) in scan(inputs, 1).into_iter().enumerate() {
        numbers.lock().unwrap().insert((found.chunk, found.place), number);
    }
    let writer = KeptWriter::create(inputs, &fields, out, RecordMode::Copy).unwrap();
    let reader = Reader::new(inputs, &fields, writer.scan());
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut scratch = Scratch::default();
                while let Some(chunk) = reader.next().unwrap() {
                    let mut loaded = chunk.load(&mut scratch).unwrap();
                    let mut places = places_of(&mut loaded);
                    places.retain(|&place| keep(numbers.lock().unwrap()[&(loaded.id(), place)]));
                    writer.write(&loaded, KeptRows::Copied(&places)).unwrap();
                }
            });
        }
    });
    writer.complete().unwrap().publish().unwrap();
}

fn places_of(loaded: &mut Loaded<'_>) -> Vec<Place> {
    let mut places = Vec::new();
    loaded.for_each(|record| places.push(record.unwrap().place));
    match places.is_empty() {
        true => all_rows(loaded),
        false => places,
    }
}

fn texts(inputs: &Inputs) -> Vec<String> {
    scan(inputs, 1).into_iter().map(|found| found.text).collect()
}

fn leftovers(out: &Path) -> usize {
    let folder = if out.is_dir() { out } else { out.parent().unwrap() };
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with('.')).count()
}
