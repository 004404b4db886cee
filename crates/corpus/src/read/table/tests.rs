use std::fs;

use proptest::prelude::*;

use crate::{BadRecord, Fields, Inputs, Problem, Quoting, Reader, Scan, Scratch, SuspectQuotes, Waiting};

/// The texts, the bad records with their lines in the file, and the bytes of the good records.
fn scan(name: &str, content: &[u8], chunk_bytes: usize) -> (Vec<String>, Vec<BadRecord>, Vec<u8>) {
    let (texts, bad, raw, _) = scan_by(Quoting::Doubled, name, content, chunk_bytes);
    (texts, bad, raw)
}

/// The same with any quotes, and the signs that quotes are text.
fn scan_by(
    quoting: Quoting,
    name: &str,
    content: &[u8],
    chunk_bytes: usize,
) -> (Vec<String>, Vec<BadRecord>, Vec<u8>, SuspectQuotes) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let mut inputs = Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap();
    inputs.quote_fields(quoting);
    let fields = Fields { id: Some("id".into()), ..Fields::of_text("text") };
    let reader = Reader::with_chunk_bytes(&inputs, &fields, Scan::Records, chunk_bytes);
    let (mut texts, mut bad, mut raw, mut lines) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let (mut scratch, mut suspect) = (Scratch::default(), SuspectQuotes::default());
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
        suspect.append(&loaded.suspect_quotes(), lines.into());
        lines += loaded.lines();
    }
    (texts, bad, raw, suspect)
}

/// A field as written by a program that knows only one kind of line end, such as Python's `csv`.
fn written(field: &str, delimiter: char, line_end: &str, quoting: Quoting) -> String {
    let needs_quotes = [delimiter, '"', '\n'].into_iter().any(|special| field.contains(special))
        || (line_end == "\r" && field.contains('\r'));
    match quoting {
        Quoting::None => field.to_owned(),
        Quoting::Backslashes => field
            .replace('\\', "\\\\")
            .replace(delimiter, &format!("\\{delimiter}"))
            .replace('\n', "\\n")
            .replace('\r', "\\r"),
        _ if !needs_quotes => field.to_owned(),
        Quoting::Doubled => format!("\"{}\"", field.replace('"', "\"\"")),
        Quoting::Escaped => format!("\"{}\"", field.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

/// A record by the definition.
#[derive(Debug, Default)]
struct Row {
    raw: Vec<u8>,
    fields: Vec<Vec<u8>>,
    /// Its last quote is not closed, or it ends in an escape.
    is_open: bool,
    /// A quoted field has a line end, and goes on behind its closing quote.
    is_joined: bool,
}

/// Reads the records of a CSV whose lines end in line feeds, one byte after the other.
fn by_definition(table: &[u8], quoting: Quoting) -> Vec<Row> {
    let (mut rows, mut at) = (Vec::new(), 0);
    while at < table.len() {
        let (mut row, start) = (Row::default(), at);
        loop {
            let (mut field, mut has_line_end) = (Vec::new(), false);
            if quoting != Quoting::None && table.get(at) == Some(&b'"') {
                at += 1;
                row.is_open = true;
                while row.is_open && at < table.len() {
                    let (text, length) = match &table[at..] {
                        [b'"', b'"', ..] => (Some(b'"'), 2),
                        [b'\\', byte @ (b'"' | b'\\'), ..] if quoting == Quoting::Escaped => (Some(*byte), 2),
                        [b'"', ..] => (None, 1),
                        rest => (Some(rest[0]), 1),
                    };
                    row.is_open = text.is_some();
                    has_line_end |= text == Some(b'\n');
                    field.extend(text);
                    at += length;
                }
            }
            let behind = table[at..].iter().take_while(|&&byte| byte != b',' && byte != b'\n').count();
            let mut rest = &table[at..at + behind];
            at += behind;
            let is_last = table.get(at) != Some(&b',');
            while let (true, Some(text)) = (is_last, rest.strip_suffix(b"\r")) {
                rest = text;
            }
            row.is_joined |= has_line_end && !rest.is_empty();
            row.fields.push([&field[..], rest].concat());
            at = table.len().min(at + 1);
            if is_last {
                break;
            }
        }
        row.raw = table[start..at].to_owned();
        rows.push(row);
    }
    rows
}

/// The same for fields without quotes and with escapes.
fn escaped_by_definition(table: &[u8]) -> Vec<Row> {
    let (mut rows, mut at) = (Vec::new(), 0);
    while at < table.len() {
        let (mut row, mut field, start) = (Row::default(), Vec::new(), at);
        loop {
            let escaped_line_end = table[at..].strip_prefix(b"\\").and_then(|rest| {
                let returns = rest.iter().take_while(|&&byte| byte == b'\r').count();
                matches!(rest.get(returns), Some(b'\n') | None).then(|| &rest[..rest.len().min(returns + 1)])
            });
            match (escaped_line_end, &table[at..]) {
                (Some(escaped), _) => {
                    field.extend(escaped);
                    at += 1 + escaped.len();
                    row.is_open = at == table.len();
                }
                (None, [b'\\', byte, ..]) => {
                    field.push(*byte);
                    at += 2;
                }
                (None, [b',', ..]) => {
                    row.fields.push(std::mem::take(&mut field));
                    at += 1;
                }
                (None, [b'\r', rest @ ..])
                    if matches!(rest.iter().find(|&&byte| byte != b'\r'), Some(b'\n') | None) =>
                {
                    at += 1
                }
                (None, [b'\n', ..]) => {
                    at += 1;
                    break;
                }
                (None, [byte, ..]) => {
                    field.push(*byte);
                    at += 1;
                }
                (None, []) => break,
            }
        }
        row.fields.push(field);
        row.raw = table[start..at].to_owned();
        rows.push(row);
    }
    rows
}

proptest! {
    #[test]
    fn every_field_is_read_whole_with_any_line_ends(
        texts in prop::collection::vec(
            prop::collection::vec(prop::sample::select(vec!["one", "é", " ", "\r", "\n", "\r\n", "\"", ",", "\t", "\\"]), 0..6),
            0..8,
        ),
        (name, delimiter) in prop::sample::select(vec![("a.csv", ','), ("a.tsv", '\t')]),
        line_end in prop::sample::select(vec!["\n", "\r\n", "\r\r\n", "\r"]),
        quoting in prop::sample::select(vec![Quoting::Doubled, Quoting::Escaped, Quoting::None, Quoting::Backslashes]),
        ended in any::<bool>(),
        chunk_bytes in 1_usize..80,
    ) {
        let is_special = |character| quoting == Quoting::None && [delimiter, '\n', '\r'].contains(&character);
        let texts: Vec<String> = texts.into_iter().map(|text| text.concat().replace(is_special, " ")).collect();
        let header = format!("id{delimiter}text{line_end}");
        let mut records = String::new();
        for text in &texts {
            records += &format!("x{delimiter}{}{line_end}", written(text, delimiter, line_end, quoting));
        }
        if !ended && !texts.is_empty() {
            records.truncate(records.len() - line_end.len());
        }
        let content = format!("{header}{records}");
        // Carriage returns before a line end are part of it, unless the field is quoted.
        let expected = texts.iter().map(|text| match written(text, delimiter, line_end, quoting) == *text {
            true => text.trim_end_matches('\r').to_owned(),
            false => text.clone(),
        });
        let (read, bad, raw, _) = scan_by(quoting, name, content.as_bytes(), chunk_bytes);
        prop_assert_eq!(bad, []);
        prop_assert_eq!(read, expected.collect::<Vec<_>>());
        prop_assert_eq!(raw, records.as_bytes());
    }

    #[test]
    fn any_table_is_read_as_by_definition(
        records in prop::collection::vec(
            prop::sample::select(vec!["one", "é", "\r", "\n", "\n", "\"", "\"", ",", ",", ",\"", "\"\n", "\\", "\\\"", "\\\\"]), 0..40,
        ),
        quoting in prop::sample::select(vec![Quoting::Doubled, Quoting::Escaped, Quoting::None, Quoting::Backslashes]),
        chunk_bytes in 1_usize..40,
    ) {
        let records = records.concat();
        let expected: Vec<Row> = match quoting {
            Quoting::Backslashes => escaped_by_definition(records.as_bytes()),
            _ => by_definition(records.as_bytes(), quoting),
        };
        let is_good = |row: &&Row| !row.is_open && !row.is_joined && row.fields.len() == 2;
        let text = |row: &Row| String::from_utf8(row.fields[1].clone()).unwrap();
        let (read, _, raw, _) = scan_by(quoting, "a.csv", format!("id,text\n{records}").as_bytes(), chunk_bytes);
        prop_assert_eq!(read, expected.iter().filter(is_good).map(text).collect::<Vec<_>>());
        prop_assert_eq!(raw, expected.iter().filter(is_good).flat_map(|row| row.raw.clone()).collect::<Vec<_>>());
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

/// The lines of the warnings, counted as in messages, and the starts of their sentences.
fn warned(quoting: Quoting, content: &str) -> Vec<(u64, String)> {
    let warnings = |chunk_bytes| {
        let (_, _, _, suspect) = scan_by(quoting, "a.csv", content.as_bytes(), chunk_bytes);
        suspect.warnings().map(|(line, sentence)| (line + 1, sentence)).collect::<Vec<_>>()
    };
    (1..40).for_each(|chunk_bytes| assert_eq!(warnings(chunk_bytes), warnings(1 << 20)));
    warnings(1 << 20)
}

#[test]
fn a_quoted_field_whose_lines_look_like_rows_is_told_with_its_line() {
    let joined = "id,text\n1,\"a\n2,b\"\n3,c\n4,\"d\n5,e\n6,f\"\n";
    let [(line, sentence)] = &warned(Quoting::Doubled, joined)[..] else { panic!("one warning") };
    assert_eq!(*line, 2);
    assert!(sentence.starts_with("a quoted field spans lines,"), "{sentence}");
    assert!(sentence.ends_with("; 1 more record is such"), "{sentence}");
    assert_eq!(warned(Quoting::Escaped, joined), []);
    assert_eq!(warned(Quoting::None, joined), []);
    for usual in [
        // Text of other lines.
        "id,text\n1,\"a\nb\"\n2,\"c, d\n\n, e\"\n",
        // Most records that span lines do not look like rows.
        "id,text\n1,\"a\nb\"\n2,\"c\nd\"\n3,\"e\nf, g\"\n",
        // One column: each line of text is like a row.
        "text\n\"a\nb\"\n",
        "id,text\n1,\"a\"\n2,b",
    ] {
        assert_eq!(warned(Quoting::Doubled, usual), [], "{usual}");
    }
}

#[test]
fn a_backslash_before_a_quote_is_told_with_its_line() {
    let by_spark = "id,text\n0,a\\b\n1,\"he said \\\"hello\\\"\nthen, he left\"\n";
    let [(line, sentence)] = &warned(Quoting::Doubled, by_spark)[..] else { panic!("one warning") };
    assert_eq!(*line, 3);
    assert!(sentence.starts_with("a quote behind a backslash"), "{sentence}");
    assert_eq!(warned(Quoting::Escaped, by_spark), []);
    for usual in ["id,text\n1,\"C:\\\"\n2,\"a \\ b\"\n", "id,text\n1,5\\\" disk\n", "id,text\n1,\"\\\"\"\"\n"]
    {
        assert_eq!(warned(Quoting::Doubled, usual), [], "{usual}");
    }
}

#[test]
fn a_table_without_quotes_has_a_record_a_line() {
    let (texts, bad, raw, _) = scan_by(Quoting::None, "a.tsv", b"id\ttext\na\t\"b\nc\td\"\n", 1 << 20);
    assert_eq!((texts, bad), (vec!["\"b".to_owned(), "d\"".to_owned()], vec![]));
    assert_eq!(raw, b"a\t\"b\nc\td\"\n");
}

#[test]
fn escapes_of_a_table_without_quotes_are_undone() {
    // As ClickHouse writes it, and then as MySQL does into a file.
    let records = ["1\t\"a\\tb\\nc\\\\nd\\'\n", "2\te\\\tf\\\ng\n", "3\t\\N\n", "4\t\\\\N\n"];
    let table = format!("id\ttext\n{}", records.concat());
    for chunk_bytes in 1..60 {
        let (texts, bad, raw, _) = scan_by(Quoting::Backslashes, "a.tsv", table.as_bytes(), chunk_bytes);
        assert_eq!(texts, ["\"a\tb\nc\\nd'", "e\tf\ng", "\\N"]);
        let problem = Problem::NotText { field: "text".into(), found: "null" };
        assert_eq!(bad, [BadRecord { line: 4, problem }]);
        assert_eq!(raw, [records[0], records[1], records[3]].concat().as_bytes());
    }
}

#[test]
fn a_table_that_ends_in_an_escape_is_cut_off() {
    for end in ["\\", "\\\n", "\\\r", "\\\r\n"] {
        for chunk_bytes in 1..40 {
            let table = format!("id\ttext\r\n1\ta\\\r\nb\r\n2\tc{end}");
            let (texts, bad, raw, _) = scan_by(Quoting::Backslashes, "a.tsv", table.as_bytes(), chunk_bytes);
            assert_eq!((texts, raw), (vec!["a\r\nb".to_owned()], b"1\ta\\\r\nb\r\n".to_vec()), "{end:?}");
            assert_eq!(bad, [BadRecord { line: 3, problem: Problem::OpenEscape }], "{end:?}");
        }
    }
}

#[test]
fn a_backslash_alone_is_text_in_an_escaped_field() {
    let table = b"id,text\n1,\"a\\n\\\"b\\\\\"\n2,c\\\"d\n";
    let (texts, bad, _, _) = scan_by(Quoting::Escaped, "a.csv", table, 1 << 20);
    assert_eq!((texts, bad), (vec!["a\\n\"b\\".to_owned(), "c\\\"d".to_owned()], vec![]));
}
