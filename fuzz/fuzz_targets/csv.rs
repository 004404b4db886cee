//! Any bytes in a table. If the first byte is a tab, it is removed, and the table has tabs. Every scan gives the same records, no byte is
//! lost, and the records are the same as from the crate `csv`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::Problem;
use lookalike_fuzz::{Document, Input, Records, documents, may_be_compressed, without_marks};

fuzz_target!(|bytes: &[u8]| {
    let (delimiter, bytes) = match bytes.strip_prefix(b"\t") {
        Some(rest) => (b'\t', rest),
        None => (b',', bytes),
    };
    let name = |stem: &str| format!("{stem}.{}", if delimiter == b'\t' { "tsv" } else { "csv" });
    let input = Input::new(&name("in"), bytes);
    let Some(records) = input.read() else { return };
    let texts = |records| {
        documents(records).into_iter().map(|(text, id, number, _)| (text, id, number)).collect::<Vec<_>>()
    };
    let copied = input.copy(&name("out")).expect("no tar archive");
    // A decompressed header may start like a compressed file. Its copy is then taken for one.
    if !may_be_compressed(bytes) || copied.iter().all(Result::is_ok) {
        assert_eq!(texts(&copied), texts(&records));
    }

    if let Ok(text) = str::from_utf8(bytes)
        && !may_be_compressed(bytes)
    {
        if records.iter().all(Result::is_ok) && !records.is_empty() {
            nothing_is_lost(bytes, records.iter().flatten());
        }
        if let Some(line_end) = line_end(text) {
            as_the_crate_reads(bytes, delimiter, line_end, &records);
        }
    }
});

/// If no record is bad, only blank lines are between records, and only a header of one record is before them.
fn nothing_is_lost<'a>(bytes: &[u8], documents: impl DoubleEndedIterator<Item = &'a Document>) {
    let mut rest = without_blank_end(bytes);
    for document in documents.rev() {
        let record = without_blank_end(&document.raw);
        rest = rest.strip_suffix(record).expect("records lie one behind the other");
        rest = without_blank_end(rest);
    }
    // After the header, a carriage return may be text.
    let rest = String::from_utf8_lossy(rest);
    let outside = rest.split('"').step_by(2).collect::<String>();
    assert!(
        !outside.contains('\n') || !outside.contains("text"),
        "lost between header and records: {rest:?}"
    );
}

/// Line ends, and byte order marks alone on a line, are blank.
fn without_blank_end(bytes: &[u8]) -> &[u8] {
    let shorter =
        [&b"\r"[..], b"\n", b"\xef\xbb\xbf"].into_iter().find_map(|blank| bytes.strip_suffix(blank));
    shorter.map_or(bytes, without_blank_end)
}

/// The end of the records of a table, if its header has no quotes.
fn line_end(text: &str) -> Option<u8> {
    let header = text.split(['\r', '\n']).next()?;
    if header.contains(['"', '\u{feff}']) {
        return None;
    }
    match text[header.len()..].trim_start_matches('\r') {
        rest if rest.starts_with('\n') => Some(b'\n'),
        rest if header.len() + rest.len() < text.len() => Some(b'\r'),
        _ => None,
    }
}

/// The crate `csv` reports neither records joined by a quote nor an unclosed quote.
fn as_the_crate_reads(bytes: &[u8], delimiter: u8, line_end: u8, records: &Records) {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.delimiter(delimiter).terminator(csv::Terminator::Any(line_end)).flexible(true);
    let mut reader = reader.from_reader(bytes);
    let Ok(header) = reader.byte_headers().cloned() else { return };
    // Carriage returns before the end of a line are part of the line end.
    let trimmed = |field: &[u8]| {
        let end = field.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1);
        field[..end].to_owned()
    };
    let Some(column) = header.iter().position(|field| trimmed(field) == b"text") else { return };
    let rows: Vec<csv::ByteRecord> = reader.byte_records().map(|row| row.expect("bytes in memory")).collect();
    let is_blank = |row: &csv::ByteRecord| row.len() == 1 && without_marks(&trimmed(&row[0])).is_empty();
    if bytes.contains(&b'"') && rows.iter().any(is_blank) {
        // Line ends in quotes are a record. The crate takes it for a blank line.
        return;
    }
    let mut expected = rows.iter().filter(|row| !is_blank(row));
    for record in records {
        // Only the crate skips blank lines before the header.
        if let Err(bad) = record
            && (bad.problem.is_of_file() || matches!(bad.problem, Problem::OpenQuote { .. }))
        {
            return;
        }
        let row = expected.next().expect("a record for each record");
        if let Ok(document) = record {
            assert_eq!(row.len(), header.len());
            let field = trimmed(&row[column]);
            let field = if column == 0 { without_marks(&field) } else { &field };
            assert_eq!(trimmed(document.text.as_bytes()), field);
        }
    }
    assert_eq!(expected.next(), None, "a record that is not read");
}
