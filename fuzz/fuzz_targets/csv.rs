//! Any bytes in a table, of tabs if the first byte is one, which is then left out: every scan gives the same, no byte is lost, and
//! records are those of the crate `csv`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::Problem;
use lookalike_fuzz::{Document, Input, Records, documents, may_be_compressed};

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
    assert_eq!(texts(&input.copy(&name("out"))), texts(&records));

    if let Ok(text) = str::from_utf8(bytes)
        && !may_be_compressed(bytes)
    {
        if records.iter().all(Result::is_ok) && !records.is_empty() {
            nothing_is_lost(bytes, records.iter().flatten());
        }
        if !text.contains('\r') && !text.starts_with('\u{feff}') {
            as_the_crate_reads(bytes, delimiter, &records);
        }
    }
});

/// If no record is bad, there is nothing between records but line ends, and nothing before them but a header of one record.
fn nothing_is_lost<'a>(bytes: &[u8], documents: impl DoubleEndedIterator<Item = &'a Document>) {
    let line_ends = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let without = |bytes: &[u8]| bytes.iter().rposition(|byte| !line_ends(byte)).map_or(0, |last| last + 1);
    let mut rest = &bytes[..without(bytes)];
    for document in documents.rev() {
        let record = &document.raw[..without(&document.raw)];
        rest = rest.strip_suffix(record).expect("records lie one behind the other");
        rest = &rest[..without(rest)];
    }
    // Behind the header a carriage return may be text.
    let rest = String::from_utf8_lossy(rest);
    let outside = rest.split('"').step_by(2).collect::<String>();
    assert!(
        !outside.contains('\n') || !outside.contains("text"),
        "lost between header and records: {rest:?}"
    );
}

/// The crate `csv` does not name records that a quote has joined, nor a quote that is never closed.
fn as_the_crate_reads(bytes: &[u8], delimiter: u8, records: &Records) {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.delimiter(delimiter).terminator(csv::Terminator::Any(b'\n')).flexible(true);
    let mut reader = reader.from_reader(bytes);
    let Ok(header) = reader.byte_headers().cloned() else { return };
    let column = |name: &str| header.iter().position(|field| field == name.as_bytes());
    let Some(column) = column("text") else { return };
    let mut expected = reader.byte_records().map(|record| record.expect("bytes in memory"));
    for record in records {
        // Blank lines before the header are passed over by the crate alone.
        if let Err(bad) = record
            && (bad.problem.is_of_file() || matches!(bad.problem, Problem::OpenQuote { .. }))
        {
            return;
        }
        let row = expected.next().expect("a record for each record");
        if let Ok(document) = record {
            assert_eq!(row.len(), header.len());
            assert_eq!(&row[column], document.text.as_bytes());
        }
    }
    assert_eq!(expected.next(), None, "a record that is not read");
}
