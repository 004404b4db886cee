use std::fs;

use proptest::prelude::*;

use crate::{BadRecord, Fields, Inputs, Problem, Reader, Scan, Scratch, Waiting};

/// The texts, the bad records with their lines in the file, and the bytes of the good records.
fn scan(name: &str, content: &[u8], chunk_bytes: usize) -> (Vec<String>, Vec<BadRecord>, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let inputs = Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap();
    let fields = Fields { id: Some("id".into()), ..Fields::of_text("text") };
    let reader = Reader::with_chunk_bytes(&inputs, &fields, Scan::Records, chunk_bytes);
    let (mut texts, mut bad, mut raw, mut lines) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut scratch = Scratch::default();
    while let Some(chunk) = reader.next().unwrap() {
        let mut loaded = chunk.load(&mut scratch).unwrap();
        let mut places = Vec::new();
        loaded.for_each(|record| match record {
            Ok(record) => {
                texts.push(record.text.to_owned());
                places.push(record.place);
            }
            Err(record) => bad.push(BadRecord { line: lines + record.line, ..record }),
        });
        places.iter().for_each(|&place| raw.extend_from_slice(loaded.raw(place).unwrap()));
        lines += loaded.lines();
    }
    (texts, bad, raw)
}

/// A field as written by a program that knows only one kind of line end, such as Python's `csv`.
fn written(field: &str, delimiter: char, line_end: &str) -> String {
    let needs_quotes = [delimiter, '"', '\n'].into_iter().any(|special| field.contains(special));
    match needs_quotes || (line_end == "\r" && field.contains('\r')) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

proptest! {
    #[test]
    fn every_field_is_read_whole_with_any_line_ends(
        texts in prop::collection::vec(
            prop::collection::vec(prop::sample::select(vec!["one", "é", " ", "\r", "\n", "\r\n", "\"", ",", "\t"]), 0..6),
            0..8,
        ),
        (name, delimiter) in prop::sample::select(vec![("a.csv", ','), ("a.tsv", '\t')]),
        line_end in prop::sample::select(vec!["\n", "\r\n", "\r\r\n", "\r"]),
        ended in any::<bool>(),
        chunk_bytes in 1_usize..80,
    ) {
        let texts: Vec<String> = texts.into_iter().map(|text| text.concat()).collect();
        let header = format!("id{delimiter}text{line_end}");
        let mut records = String::new();
        for text in &texts {
            records += &format!("x{delimiter}{}{line_end}", written(text, delimiter, line_end));
        }
        if !ended && !texts.is_empty() {
            records.truncate(records.len() - line_end.len());
        }
        let content = format!("{header}{records}");
        // Carriage returns before a line end are part of it, unless the field is quoted.
        let expected = texts.iter().map(|text| match written(text, delimiter, line_end) == *text {
            true => text.trim_end_matches('\r').to_owned(),
            false => text.clone(),
        });
        let (read, bad, raw) = scan(name, content.as_bytes(), chunk_bytes);
        prop_assert_eq!(bad, []);
        prop_assert_eq!(read, expected.collect::<Vec<_>>());
        prop_assert_eq!(raw, records.as_bytes());
    }
}

#[test]
fn a_row_behind_a_carriage_return_is_reported() {
    for line_end in ["\n", "\r\n"] {
        let content = ["id,text", "a,one", "b,two\rc,three", "d,four", ""].join(line_end);
        let (texts, bad, _) = scan("a.csv", content.as_bytes(), 1 << 20);
        assert_eq!(texts, ["one", "four"]);
        assert_eq!(bad, [BadRecord { line: 2, problem: Problem::RowLength { found: 3, expected: 2 } }]);
    }
}

#[test]
fn lines_with_two_kinds_of_ends_are_reported() {
    for chunk_bytes in 1..40 {
        let content = b"id,text\ra,one\rb,two\nc,three\rd,\"x\ny\"\re,five";
        let (texts, bad, _) = scan("a.csv", content, chunk_bytes);
        assert_eq!(texts, ["one", "x\ny", "five"]);
        assert_eq!(bad, [BadRecord { line: 2, problem: Problem::MixedLineEnds }]);
    }
}

#[test]
fn a_quote_behind_a_byte_order_mark_is_text_for_the_boundary_and_the_parser() {
    let content = "\u{feff}\"text\",id\na,1\n\u{feff}\"\"\",2\n\u{feff}\u{feff}\"b\",3\n\u{feff}\"c\nd\",4\n\u{feff},5\n";
    for chunk_bytes in 1..40 {
        let (texts, bad, _) = scan("a.csv", content.as_bytes(), chunk_bytes);
        assert_eq!(texts, ["a", "\"\"\"", "\"b\"", "d\"", ""]);
        assert_eq!(bad, [BadRecord { line: 4, problem: Problem::RowLength { found: 1, expected: 2 } }]);
    }
}

#[test]
fn a_quote_behind_a_carriage_return_is_text() {
    let (texts, bad, _) = scan("a.csv", b"id,text\na,one\r\"two\nb,\"x\"\r\"y\nc,z\n", 1 << 20);
    assert_eq!(texts, ["one\r\"two", "x\r\"y", "z"]);
    assert_eq!(bad, []);
}
