//! `dedup --against` with fields of its own for text and id.

use crate::{Folder, failed, silent, words};
use lookalike_corpus::{Cell, ColumnKind, TableWriter, Waiting};

/// Writes a table of ids and texts in the format of its name.
fn write(folder: &Folder, name: &str, columns: [&str; 2], rows: &[(&str, String)]) {
    let columns = columns.map(|column| (column, ColumnKind::Text));
    let mut table = TableWriter::create(&folder.path(name), &columns, &Waiting::default()).unwrap();
    for (id, text) in rows {
        table.row(&[Cell::Text(id), Cell::Text(text)]).unwrap();
    }
    table.complete().unwrap().publish().unwrap();
}

/// Test texts with the columns `key` and `question`. The inputs have `code` and `body`.
fn tables(folder: &Folder, tests: &str, inputs: &str) {
    let texts = (0..6).map(words);
    let keys = ["t0", "t1", "t2", "t3", "t4", "t5"];
    write(folder, tests, ["key", "question"], &keys.into_iter().zip(texts).collect::<Vec<_>>());
    let rows = [
        ("n0", format!("{} and more", words(3))),
        ("n1", words(10)),
        ("n2", words(3)),
        ("n3", format!("{} {} {}", words(20), words(5), words(21))),
    ];
    write(folder, inputs, ["code", "body"], &rows);
}

const FIELDS: &str = "--text-field body --id-field code --against-text-field question --against-id-field key";

#[test]
fn both_sides_have_their_own_fields_in_every_format() {
    let folder = Folder::new();
    let formats = ["jsonl", "csv", "parquet"];
    for (tests, inputs) in formats.into_iter().flat_map(|tests| formats.map(|inputs| (tests, inputs))) {
        tables(&folder, &format!("tests.{tests}"), &format!("in.{inputs}"));
        for more in ["--threads 1", "--method minhash", "--cluster star --min-containment 0.5"] {
            let command = format!(
                "dedup in.{inputs} --against tests.{tests} {FIELDS} -o out.{inputs} --removed removed.csv \
                 --clusters clusters.csv --against-containment 0.9 -q {more}"
            );
            assert_eq!(folder.run(&command), silent(), "{command}");
            let removed = "id,kept_id,cluster,jaccard,containment,uncovered_words,uncovered,against_containment\n\
                           n0,t3,1,0.947368,0.947368,2,and more,1.000000\n\
                           n2,t3,1,1.000000,1.000000,0,,1.000000\n\
                           n3,t5,2,0.310345,0.310345,80,";
            assert!(
                folder.read("removed.csv").starts_with(removed),
                "{command}: {}",
                folder.read("removed.csv")
            );
            assert!(folder.read("clusters.csv").starts_with("id,cluster,kept\nt3,1,true\nn0,1,false\n"));
        }
        let report =
            format!("dedup in.{inputs} --against tests.{tests} {FIELDS} --dry-run --report report.html -q");
        assert_eq!(folder.run(&report), silent());
        let page = folder.read("report.html");
        assert!(page.contains("w3x7") && page.contains("kept: <bdi>t3</bdi>"), "the page shows both texts");
    }
}

#[test]
fn a_field_that_is_not_given_is_that_of_the_inputs() {
    let folder = Folder::new();
    let rows = |id| [(id, words(1))];
    write(&folder, "in.jsonl", ["code", "body"], &rows("n"));
    for (columns, given) in [
        (["code", "body"], ""),
        (["code", "text"], "--against-text-field text"),
        (["id", "body"], "--against-id-field id"),
    ] {
        write(&folder, "tests.csv", columns, &rows("t"));
        let command = format!(
            "dedup in.jsonl --against tests.csv --text-field body --id-field code {given} -o out.jsonl --removed removed.csv -q"
        );
        assert_eq!(folder.run(&command), silent());
        assert_eq!(folder.read("removed.csv").lines().nth(1), Some("n,t,1,1.000000,1.000000,0,"), "{given}");
    }
}

#[test]
fn shingles_are_counted_in_the_texts_of_both_sides() {
    let folder = Folder::new();
    let ending = |seed| format!("{} the end of each of these pages", words(seed));
    let rows = |first: usize| (first..first + 3).map(|seed| ("x", ending(seed))).collect::<Vec<_>>();
    write(&folder, "tests.jsonl", ["key", "question"], &rows(0));
    write(&folder, "in.jsonl", ["code", "body"], &rows(2));
    let more = "-o out.jsonl --summary summary.json -q --drop-frequent 0.5";
    let command = format!("dedup in.jsonl --against tests.jsonl {FIELDS} {more}");
    assert_eq!(folder.run(&command), silent());
    let summary = folder.summary();
    assert_eq!((&summary["against"], &summary["removed"]), (&3.into(), &1.into()));
    let frequent = &summary["frequent_shingles"];
    assert_eq!((&frequent["documents"], &frequent["dropped"]), (&6.into(), &3.into()), "{frequent}");
}

#[test]
fn a_missing_field_is_named_with_its_option_and_the_fields_of_its_file() {
    let folder = Folder::new();
    tables(&folder, "tests.jsonl", "in.csv");
    let run = |fields: &str, more: &str| {
        folder.run(&format!("dedup in.csv --against tests.jsonl -o out.csv {fields} {more}"))
    };
    let option = |of: &str| format!("  hint: name the field that holds the text with {of}\n");
    let error = "error: tests.jsonl: no field \"body\"; fields seen: key, question\n";
    assert_eq!(
        run("--text-field body", "-q"),
        failed(1, &(error.to_owned() + &option("--against-text-field")))
    );
    let error = "error: in.csv: no column \"text\"; columns seen: code, body\n";
    assert_eq!(
        run("--against-text-field question", "-q"),
        failed(1, &(error.to_owned() + &option("--text-field")))
    );
    let ran = run(
        "--text-field body --id-field code --against-text-field question --against-id-field no",
        "--removed removed.csv",
    );
    assert_eq!(ran.code, Some(0));
    let note =
        "note: tests.jsonl: the first record has no field \"no\" for the id; its fields are key, question\n";
    assert!(ran.stderr.starts_with(note), "{}", ran.stderr);
    let note = "6 documents without the field \"no\", called by their places, such as tests.jsonl:1 (--against-id-field names another field)";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    assert!(folder.read("removed.csv").contains("\nn0,tests.jsonl:4,1,"));
    for option in ["--against-text-field", "--against-id-field"] {
        let ran = folder.run(&format!("dedup in.csv -o out.csv --text-field body {option} key"));
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains("--against <INPUT>"), "{}", ran.stderr);
    }
}
