use std::{fs, path::Path};

use proptest::prelude::*;

use super::*;
use crate::{BadRecord, Place, Problem, Waiting};

fn fields() -> Fields {
    Fields { id: Some("id".into()), ..Fields::of_text("text") }
}

fn inputs_of(path: &Path) -> Inputs {
    Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap()
}

fn file_of(content: &[u8]) -> (tempfile::TempDir, Inputs) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    fs::write(&path, content).unwrap();
    let inputs = inputs_of(&path);
    (folder, inputs)
}

/// The texts of all records, and the bad records with their lines in the file.
fn scan(inputs: &Inputs, chunk_bytes: usize) -> (Vec<String>, Vec<BadRecord>) {
    let fields = fields();
    let reader = Reader::with_chunk_bytes(inputs, &fields, Scan::Documents, chunk_bytes);
    let (mut texts, mut bad, mut lines) = (Vec::new(), Vec::new(), 0);
    let mut scratch = Scratch::default();
    while let Some(chunk) = reader.next().unwrap() {
        let mut loaded = chunk.load(&mut scratch).unwrap();
        loaded.for_each(|record| match record {
            Ok(record) => texts.push(record.text.to_owned()),
            Err(record) => bad.push(BadRecord { line: lines + record.line, ..record }),
        });
        lines += loaded.lines();
    }
    (texts, bad)
}

/// Every line as the chunks return it.
fn lines_of(inputs: &Inputs, chunk_bytes: usize) -> Vec<Vec<u8>> {
    let fields = fields();
    let reader = Reader::with_chunk_bytes(inputs, &fields, Scan::Records, chunk_bytes);
    let mut lines = Vec::new();
    let mut scratch = Scratch::default();
    while let Some(chunk) = reader.next().unwrap() {
        let loaded = chunk.load(&mut scratch).unwrap();
        let mut place = Place { offset: 0, line: 0 };
        for line in 0..loaded.lines() {
            place.line = line;
            let raw = loaded.raw(place).unwrap();
            place.offset += raw.len() as u32;
            lines.push(raw.to_owned());
        }
    }
    lines
}

proptest! {
    #[test]
    fn chunks_of_any_size_give_the_lines_of_a_naive_split(
        content in prop::collection::vec(prop_oneof![3 => any::<u8>(), 1 => Just(b'\n')], 0..200),
        chunk_bytes in 1_usize..80,
    ) {
        let (_folder, inputs) = file_of(&content);
        let naive: Vec<_> = content.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_owned).collect();
        prop_assert_eq!(lines_of(&inputs, chunk_bytes), naive);
    }
}

proptest! {
    #[test]
    fn parts_of_chunks_have_the_lines_that_were_wanted(
        // Some lines are so long that they are not read if they are not wanted.
        lengths in prop::collection::vec(prop_oneof![4 => 0_usize..30, 1 => 3_000_usize..9_000], 0..40),
        // The other lines are blank or bad, so the range of a document reaches over them to the next document.
        documents in prop::collection::vec(prop::bool::weighted(0.8), 40),
        wanted in prop::collection::vec(any::<bool>(), 40),
        ended in any::<bool>(),
        chunk_bytes in prop_oneof![1_usize..80, 4_000_usize..40_000],
    ) {
        let mut content = Vec::new();
        for (line, length) in lengths.iter().enumerate() {
            content.resize(content.len() + length, b'a' + (line % 26) as u8);
            content.push(b'\n');
        }
        if !ended {
            content.pop();
        }
        let (_folder, inputs) = file_of(&content);
        let fields = fields();
        let reader = || Reader::with_chunk_bytes(&inputs, &fields, Scan::Records, chunk_bytes);
        let (whole, parts) = (reader(), reader());
        let (mut scratch, mut few) = (Scratch::default(), Scratch::default());
        let mut line_of_file = 0;
        while let Some(chunk) = whole.next().unwrap() {
            let loaded = chunk.load(&mut scratch).unwrap();
            let mut places = vec![Place { offset: 0, line: 0 }];
            for line in 0..loaded.lines() {
                let offset = places[line as usize].offset + loaded.raw(places[line as usize]).unwrap().len() as u32;
                places.push(Place { offset, line: line + 1 });
            }
            let all: Vec<usize> = (0..places.len() - 1).filter(|&line| documents[line_of_file + line]).collect();
            let here: Vec<usize> = all.iter().copied().filter(|&line| wanted[line_of_file + line]).collect();
            line_of_file += places.len() - 1;
            let next = |line: usize| all.iter().find(|&&other| other > line);
            let end = |line: usize| next(line).map_or(u32::MAX, |&next| places[next].offset);
            let chunk = parts.next().unwrap().unwrap();
            let ranges = here.iter().map(|&line| places[line].offset..end(line));
            let loaded_parts = chunk.load_parts(ranges, &mut few).unwrap();
            for line in here {
                prop_assert_eq!(loaded_parts.raw(places[line]), loaded.raw(places[line]));
            }
        }
    }
}

#[test]
fn a_line_across_several_chunks_is_read_once() {
    let (_folder, inputs) =
        file_of(b"{\"text\":\"a\"}\n{\"text\":\"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"}\n{\"text\":\"c\"}");
    for chunk_bytes in 1..60 {
        assert_eq!(scan(&inputs, chunk_bytes).0, ["a", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "c"]);
    }
}

#[test]
fn a_line_of_fifty_megabytes_is_one_record() {
    let mut content = b"{\"text\":\"a\"}\n{\"text\":\"".to_vec();
    content.resize(50 << 20, b'x');
    content.extend_from_slice(b"\"}\n{\"text\":\"c\"}\n");
    let (_folder, inputs) = file_of(&content);
    let (texts, bad) = scan(&inputs, CHUNK_BYTES);
    assert_eq!(texts.iter().map(String::len).collect::<Vec<_>>(), [1, (50 << 20) - 22, 1]);
    assert_eq!(bad, []);
}

#[test]
fn blank_lines_count_but_are_no_records() {
    let (_folder, inputs) = file_of(b"\n{\"text\":\"a\"}\r\n  \r\n\xef\xbb\xbf\nx\n");
    let (texts, bad) = scan(&inputs, CHUNK_BYTES);
    assert_eq!(texts, ["a"]);
    assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [4]);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let (_folder, inputs) = file_of(b"\xef\xbb\xbf{\"text\":\"a\"}\n{\"text\":\"b\"}\n");
    assert_eq!(scan(&inputs, CHUNK_BYTES), (vec!["a".into(), "b".into()], vec![]));
}

#[test]
fn a_line_that_is_not_utf8_does_not_affect_its_neighbours() {
    let (_folder, inputs) = file_of(b"{\"text\":\"\xc3\xa9\"}\n{\"text\":\"\xff\"}\n{\"text\":\"c\"}\n");
    let (texts, bad) = scan(&inputs, CHUNK_BYTES);
    assert_eq!(texts, ["é", "c"]);
    assert_eq!(bad, [BadRecord { line: 1, problem: Problem::InvalidUtf8 { byte: 9 } }]);
}

#[test]
fn an_empty_file_has_no_chunks() {
    let (_folder, inputs) = file_of(b"");
    assert!(Reader::new(&inputs, &fields(), Scan::Documents).next().unwrap().is_none());
}

#[test]
fn a_file_that_changed_is_refused() {
    let (folder, inputs) = file_of(b"{\"text\":\"a\"}\n");
    fs::write(folder.path().join("a.jsonl"), b"").unwrap();
    let error = Reader::new(&inputs, &fields(), Scan::Documents).next().unwrap_err();
    assert!(matches!(error, Error::Changed { .. }));
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_refused() {
    let (folder, inputs) = file_of(b"{\"text\":\"a\"}\n");
    let fields = fields();
    let reader = Reader::new(&inputs, &fields, Scan::Documents);
    let chunk = reader.next().unwrap().unwrap();
    fs::write(folder.path().join("a.jsonl"), b"").unwrap();
    assert!(matches!(chunk.load(&mut Scratch::default()), Err(Error::Changed { .. })));
    for wanted in [0..13, 0..u32::MAX] {
        let (folder, inputs) = file_of(b"{\"text\":\"a\"}\n");
        let reader = Reader::new(&inputs, &fields, Scan::Documents);
        let chunk = reader.next().unwrap().unwrap();
        fs::write(folder.path().join("a.jsonl"), b"{").unwrap();
        let mut scratch = Scratch::default();
        let loaded = chunk.load_parts(std::iter::once(wanted), &mut scratch);
        assert!(matches!(loaded, Err(Error::Changed { .. })));
    }
}

#[test]
fn parts_of_a_changed_file_never_return_lines_of_another_chunk() {
    let line = |byte: u8| [&[byte; 99][..], b"\n"].concat();
    let before: Vec<u8> = (b'a'..=b'z').flat_map(line).collect();
    let (folder, inputs) = file_of(&before);
    let fields = fields();
    let place = |line: u32| Place { offset: 100 * line, line };
    let mut scratch = Scratch::default();
    let full = Reader::with_chunk_bytes(&inputs, &fields, Scan::Records, 1_000);
    full.next().unwrap().unwrap().load(&mut scratch).unwrap();
    for changed in [b'!', b'\n'].map(|byte| vec![byte; before.len()]) {
        let inputs = inputs_of(&folder.path().join("a.jsonl"));
        let reader = Reader::with_chunk_bytes(&inputs, &fields, Scan::Records, 1_000);
        let (first, second) = (reader.next().unwrap().unwrap(), reader.next().unwrap().unwrap());
        fs::write(folder.path().join("a.jsonl"), &changed).unwrap();
        for chunk in [first, second] {
            let loaded = chunk.load_parts(std::iter::once(100..200), &mut scratch).unwrap();
            assert!(loaded.raw(place(1)).is_none_or(|line| line == b"\n"), "{:?}", loaded.raw(place(1)));
        }
        fs::write(folder.path().join("a.jsonl"), &before).unwrap();
    }
}

/// The text and id of each record of a list.
fn list(inputs: &Inputs) -> Vec<(String, Option<String>)> {
    let fields = fields();
    let reader = Reader::new(inputs, &fields, Scan::Lists);
    let (mut rows, mut scratch) = (Vec::new(), Scratch::default());
    while let Some(chunk) = reader.next().unwrap() {
        chunk.load(&mut scratch).unwrap().for_each(|record| {
            let record = record.unwrap();
            rows.push((record.text.to_owned(), record.id.map(str::to_owned)));
        });
    }
    rows
}

#[test]
fn the_first_line_of_a_table_without_a_header_is_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tsv");
    for mark in ["", "\u{feff}"] {
        fs::write(&path, format!("{mark}x\ty\nz\t\n")).unwrap();
        let mut inputs = inputs_of(&path);
        inputs.name_columns(0, &["text", "id"]);
        assert_eq!(list(&inputs), [("x".into(), Some("y".into())), ("z".into(), None)]);
    }
    fs::write(&path, "x\ty\nz\n").unwrap();
    let mut inputs = inputs_of(&path);
    inputs.name_columns(0, &["text", "id"]);
    let bad = BadRecord { line: 1, problem: Problem::UnevenRow { found: 1, expected: 2 } };
    assert_eq!(scan(&inputs, CHUNK_BYTES), (vec!["x".into()], vec![bad]));
}

#[test]
fn numbers_in_a_parquet_list_are_read_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let columns = [("text", crate::ColumnKind::Integer), ("id", crate::ColumnKind::Integer)];
    let mut table = crate::TableWriter::create(&path, &columns, &Waiting::default()).unwrap();
    table.row(&[crate::Cell::Integer(7), crate::Cell::Absent]).unwrap();
    table.complete().unwrap().publish().unwrap();
    let inputs = inputs_of(&path);
    assert_eq!(list(&inputs), [("7".into(), None)]);
    assert_eq!(inputs.files()[0].columns().unwrap(), ["text", "id"]);
    let (texts, bad) = scan(&inputs, CHUNK_BYTES);
    assert!(texts.is_empty());
    assert!(matches!(&bad[..], [BadRecord { line: 0, problem: Problem::ColumnType { .. } }]));
}

#[test]
fn a_parquet_file_with_any_wrong_byte_is_read_without_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let columns = [("text", crate::ColumnKind::Text), ("id", crate::ColumnKind::Integer)];
    let mut table = crate::TableWriter::create(&path, &columns, &Waiting::default()).unwrap();
    for row in 0..9 {
        table.row(&[crate::Cell::Text("text"), crate::Cell::Integer(row)]).unwrap();
    }
    table.complete().unwrap().publish().unwrap();
    let whole = fs::read(&path).unwrap();
    let fields = fields();
    let mut scratch = Scratch::default();
    for place in 0..whole.len() {
        for value in [0, 1, 0x7f, 0xff, whole[place] ^ 0x10] {
            let mut bytes = whole.clone();
            bytes[place] = value;
            fs::write(&path, bytes).unwrap();
            let inputs = inputs_of(&path);
            for scan in [Scan::Documents, Scan::Records] {
                let reader = Reader::new(&inputs, &fields, scan);
                while let Ok(Some(chunk)) = reader.next() {
                    let mut loaded = chunk.load(&mut scratch).unwrap();
                    loaded.for_each(|_| {});
                }
            }
        }
    }
}

#[test]
fn a_batch_of_long_rows_holds_few_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let mut table =
        crate::TableWriter::create(&path, &[("text", crate::ColumnKind::Text)], &Waiting::default()).unwrap();
    for row in 0..80 {
        table.row(&[crate::Cell::Text(&format!("{row:8}").repeat(1 << 17))]).unwrap();
    }
    table.complete().unwrap().publish().unwrap();
    let (inputs, fields) = (inputs_of(&path), fields());
    let reader = Reader::new(&inputs, &fields, Scan::Documents);
    let mut rows = Vec::new();
    while let Some(chunk) = reader.next().unwrap() {
        rows.push(chunk.load(&mut Scratch::default()).unwrap().lines());
    }
    assert_eq!(rows.iter().sum::<u32>(), 80);
    assert!(rows.iter().all(|&rows| rows <= 64), "{rows:?}");
}

#[test]
fn chunks_do_not_depend_on_the_limit_of_a_records_length() {
    let line = |length: usize| format!("{{\"text\":\"{}\"}}\n", "x".repeat(length));
    let row = |length: usize| format!("a,\"{}\n\"\n", "x".repeat(length));
    let lengths = [5, 300, 5, 5, 5, 90, 2, 700, 1, 3, 40, 300];
    let lines: String = lengths.into_iter().map(line).collect();
    let rows = "id,text\n".to_owned() + &lengths.into_iter().map(row).collect::<String>();
    let array = format!("[{}]", lengths.map(line).join(","));
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("a.jsonl", &lines),
        ("a.jsonl.gz", &lines),
        ("a.json", &array),
        ("a.json.gz", &array),
        ("a.csv", &rows),
        ("a.csv.gz", &rows),
    ] {
        let path = folder.path().join(name);
        let mut stored = content.clone().into_bytes();
        if name.ends_with(".gz") {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            std::io::Write::write_all(&mut encoder, content.as_bytes()).unwrap();
            stored = encoder.finish().unwrap();
        }
        fs::write(&path, stored).unwrap();
        for chunk_bytes in [1, 50, 120, 1_000] {
            let chunks = |limit: u64| {
                let mut inputs = inputs_of(&path);
                inputs.skip_longer(limit);
                let fields = fields();
                let reader = Reader::with_chunk_bytes(&inputs, &fields, Scan::Documents, chunk_bytes);
                let (mut chunks, mut texts, mut bad, mut scratch) =
                    (Vec::new(), 0, Vec::new(), Scratch::default());
                while let Some(chunk) = reader.next().unwrap() {
                    let mut loaded = chunk.load(&mut scratch).unwrap();
                    loaded.for_each(|record| match record {
                        Ok(_) => texts += 1,
                        Err(record) => bad.push(record.problem),
                    });
                    chunks.push((loaded.id().sequence, loaded.lines()));
                }
                (chunks, texts, bad)
            };
            let (whole, all, bad) = chunks(1 << 20);
            assert_eq!((all, bad), (lengths.len(), vec![]), "{name} {chunk_bytes}");
            let (parts, some, bad) = chunks(200);
            assert_eq!((parts, some), (whole, lengths.len() - 3), "{name} {chunk_bytes}");
            let around = if name.starts_with("a.csv") { 6 } else { 12 };
            let too_long = |length: u64| Problem::RecordTooLong { length: length + around, limit: 200 };
            assert_eq!(bad, [300, 700, 300].map(too_long), "{name} {chunk_bytes}");
        }
    }
}

#[test]
fn columns_come_from_the_first_record_or_line() {
    let folder = tempfile::tempdir().unwrap();
    let columns = |name: &str, content: &[u8]| {
        fs::write(folder.path().join(name), content).unwrap();
        inputs_of(&folder.path().join(name)).files()[0].columns().map_err(|error| error.to_string())
    };
    let names = |names: &[&str]| Ok(names.iter().map(|&name| name.to_owned()).collect());
    assert_eq!(columns("a.jsonl", b"\xef\xbb\xbf\n[1]\n{\"b\":1,\"a\":[]}\n{\"c\":1}\n"), names(&["a", "b"]));
    assert_eq!(columns("a.csv", b"\xef\xbb\xbf\"x,\",y\r\n1,2\n"), names(&["x,", "y"]));
    assert_eq!(columns("a.tsv", b""), names(&[]));
    assert_eq!(columns("b.jsonl", b"{"), names(&[]));
    assert!(columns("a.txt", b"x").unwrap_err().contains("unknown format"));
    for list in ["[{\"a\":1}]", "\n[\n{\"a\":1},\n{\"a\":2}\n]\n", "[]\n"] {
        assert!(columns("c.jsonl", list.as_bytes()).unwrap_err().contains("not one object a line"), "{list}");
    }
    assert_eq!(columns("c.json", b"[\n{}, 7, {\"b\":1,\n\"a\":2}, {\"c\":2}\n]\n"), names(&["a", "b"]));
    assert_eq!(columns("d.json", b"[]\n"), names(&[]));
}
