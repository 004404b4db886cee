//! Odd CSV and TSV.

use crate::{Folder, failed, silent, words};

#[test]
fn a_table_with_another_delimiter_gets_a_hint() {
    let folder = Folder::new();
    for (name, header, delimiter) in [
        ("in.csv", "id;text", "';'"),
        ("in.csv", "id;text, long", "';'"),
        ("in.csv", "id\ttext", "tab"),
        ("in.csv", "id|text", "'|'"),
        ("in.tsv", "id;text", "';'"),
        ("in.tsv", "id,text", ","),
    ] {
        folder.write(name, format!("{header}\n1;some words\n"));
        let ran = folder.run(&format!("dedup {name} -o out"));
        assert!(
            ran.stderr.starts_with(&format!("error: {name}: no column \"text\"; columns seen: id")),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.ends_with(&format!(" try --delimiter {delimiter}\n")), "{}", ran.stderr);
    }
}

#[test]
fn csv_rows_of_another_length_and_open_quotes_are_named() {
    let folder = Folder::new();
    let (a, b) = (words(1), words(2));
    folder.write("in.csv", format!("id,text\n1,{a},x\n2,{b}\n3\n4,{a}\n5,\"open\n6,{b}\n"));
    let ran = folder.run("dedup in.csv -o out.csv -q");
    let expected = "skipped in.csv:2: the row has 3 fields, and the header has 2\n\
                    skipped in.csv:4: the row has 1 field, and the header has 2\n\
                    skipped in.csv:6: a quote that opens in this record is never closed; the rest of the file is not \
                    read: 2 lines\n  \
                    hint: give --quote none if fields are never quoted, with --escape '\\' if they have escapes such as \\n; give --escape '\\' alone if a backslash stands before quotes in quoted fields\n";
    assert_eq!(ran, failed(3, expected));
    assert_eq!(folder.read("out.csv"), format!("id,text\n2,{b}\n4,{a}\n"));
}

#[test]
fn text_after_a_carriage_return_in_a_table_is_compared_and_kept() {
    let folder = Folder::new();
    let two = words(1) + "\r" + &words(2);
    folder.write("in.csv", format!("id,text\na,{}\nb,{two}\nc,{two}\n", words(1)));
    assert_eq!(folder.run("dedup in.csv -o out.csv -q"), silent());
    assert_eq!(folder.read("out.csv"), format!("id,text\na,{}\nb,{two}\n", words(1)));
    let ran = folder.run("dedup in.csv -o out.csv --annotate -q");
    assert_eq!(ran, silent());
    assert!(folder.read("out.csv").contains(&format!("b,{two},1,true,")), "{}", folder.read("out.csv"));
}

#[test]
fn only_tables_with_the_same_line_ends_are_joined() {
    let folder = Folder::new();
    let table = |texts: &[usize]| {
        let rows = texts.iter().enumerate().map(|(id, &text)| format!("{id},{}", words(text)));
        std::iter::once("id,text".to_owned()).chain(rows).collect::<Vec<_>>().join("\r")
    };
    folder.write("in/a.csv", table(&[1, 2, 1])).write("in/b.csv", table(&[2, 3]));
    assert_eq!(folder.run("dedup in/a.csv in/b.csv -o out.csv -q"), silent());
    assert_eq!(folder.read("out.csv"), table(&[1, 2]) + "\r1," + &words(3));
    assert_eq!(folder.run("dedup in/a.csv -o out.csv --annotate -q"), silent());
    assert_eq!(
        folder.read("out.csv").split('\r').map(|row| row.split(',').count()).collect::<Vec<_>>(),
        [8; 4]
    );
    folder.write("in/b.csv", format!("id,text\n1,{}\n", words(3)));
    let said = "error: in/a.csv and in/b.csv end their lines differently, by line feeds and by carriage returns; give a folder as \
                the output\n";
    assert_eq!(folder.run("dedup in/a.csv in/b.csv -o joined.csv -q"), failed(1, said));
    assert_eq!(folder.run("dedup in -o out -q"), silent());
    assert_eq!(folder.read("out/b.csv"), folder.read("in/b.csv"));
}

const QUOTES: &str = "  hint: give --quote none if fields are never quoted, with --escape '\\' if they have escapes such as \\n; give --escape '\\' alone if a backslash stands before quotes in quoted fields\n";

#[test]
fn a_table_without_quotes_keeps_every_line() {
    let folder = Folder::new();
    let (a, b, c) = (words(1), words(2), words(3));
    let table = format!("id\ttext\na\t\"{a}\nb\t{b}\nc\t{c}\"\nd\t\"{a}\n");
    folder.write("in.tsv", &table);
    let told = "note: in.tsv:2: a quoted field spans lines, and each of these lines has as many fields as the header: they may be rows \
                whose quotes are text\n";
    let open = "skipped in.tsv:5: a quote that opens in this record is never closed; the rest of the file is not read: 1 line\n";
    assert_eq!(folder.run("dedup in.tsv -o out.tsv -q"), failed(3, &format!("{open}{QUOTES}{told}")));
    assert_eq!(folder.run("dedup in.tsv -o out.tsv --quote none --removed removed.csv -q"), silent());
    assert_eq!(folder.read("out.tsv"), table.split_inclusive('\n').take(4).collect::<String>());
    assert!(folder.read("removed.csv").contains("\nd,a,1,1.000000"), "{}", folder.read("removed.csv"));
    assert_eq!(folder.run("dedup in.tsv -o out.tsv --quote none --annotate -q"), silent());
    let annotated = folder.read("out.tsv");
    assert_eq!(annotated.lines().nth(4), Some(&*format!("d\t\"{a}\t1\tfalse\ta\t1.000000\t1.000000\t1")));
}

#[test]
fn rows_that_a_quote_joins_in_silence_are_told() {
    let folder = Folder::new();
    let table = format!("id\ttext\na\t\"{}\nb\t{}\nc\t{}\"\nd\t{}\n", words(1), words(2), words(3), words(4));
    folder.write("in.tsv", table);
    let told = "note: in.tsv:2: a quoted field spans lines, and each of these lines has as many fields as the header: they may be rows \
                whose quotes are text\n";
    for command in [
        "dedup in.tsv -o out.tsv",
        "pairs in.tsv",
        "sketch in.tsv -o out.jsonl",
        "frequencies in.tsv -o out.df",
    ] {
        let ran = folder.run(&format!("{command} -q --summary summary.json"));
        assert_eq!(ran, failed(0, &format!("{told}{QUOTES}")), "{command}");
        let summary: serde_json::Value = serde_json::from_str(&folder.read("summary.json")).unwrap();
        assert_eq!(summary["suspect_quotes"][0]["place"], "in.tsv:2", "{command}");
    }
}

#[test]
fn a_backslash_escapes_a_quote_if_the_caller_says_so() {
    let folder = Folder::new();
    let (a, b) = (words(1), words(2));
    let table = format!(
        "id,text\n1,\"he said \\\"{a}\\\"\nthen, he {b}\"\n2,{b} \\ c\n3,\"he said \\\"{a}\\\"\nthen, he {b}\"\n"
    );
    folder.write("in.csv", &table);
    let told = "note: in.csv:2: a quote behind a backslash closes a quoted field in its middle: it may be part of the text; 1 more record \
                is such\n";
    let ran = folder.run("dedup in.csv -o out.csv -q");
    assert_eq!(ran, failed(0, &format!("{told}{QUOTES}")));
    assert_eq!(folder.run("dedup in.csv -o out.csv --escape \\ --removed removed.csv -q"), silent());
    assert_eq!(folder.read("out.csv"), table.split_inclusive('\n').take(4).collect::<String>());
    assert!(folder.read("removed.csv").contains("\n3,1,1,1.000000"), "{}", folder.read("removed.csv"));
}

#[test]
fn fields_that_are_added_to_a_table_without_quotes_have_no_delimiter() {
    let folder = Folder::new();
    folder.write("in.csv", format!("id.text\na.{}\n", words(1)));
    let ran = folder.run("dedup in.csv -o out.csv --quote none --delimiter . --annotate -q");
    let said = "error: in.csv: the added fields may hold the delimiter '.', and fields are never quoted; write the clusters to a file of \
                their own instead\n  hint: leave out --annotate, and give --clusters FILE\n";
    assert_eq!(ran, failed(1, said));
}

#[test]
fn escapes_of_a_table_without_quotes_are_undone() {
    let folder = Folder::new();
    let (a, b) = (words(1), words(2));
    // The same text with a line break in other places, as ClickHouse and MySQL write it.
    let (named, broken) = (a.replace(' ', "\\n"), a.replace(' ', "\\\n"));
    folder.write("in.tsv", format!("id\ttext\n1\t{a}\n2\t{named}\n3\t{broken}\n4\t\\N\n5\t{b}\n"));
    let undone = "--quote none --escape \\ -q";
    assert_eq!(folder.run(&format!("dedup in.tsv -o out.tsv --removed removed.csv {undone}")), silent());
    assert_eq!(folder.read("out.tsv"), format!("id\ttext\n1\t{a}\n4\t\\N\n5\t{b}\n"));
    let removed = folder.read("removed.csv");
    assert!(removed.contains("\n2,1,1,1.000000") && removed.contains("\n3,1,1,1.000000"), "{removed}");
    folder.write("in.tsv", format!("id\ttext\n\\t\\\\\t{a}\n2\t{a}\n"));
    assert_eq!(folder.run(&format!("dedup in.tsv -o out.tsv --annotate {undone}")), silent());
    assert!(
        folder.read("out.tsv").ends_with(&format!("\n2\t{a}\t1\tfalse\t\\t\\\\\t1.000000\t1.000000\t1\n"))
    );
}

#[test]
fn other_quotes_and_escapes_are_refused() {
    let folder = Folder::new();
    folder.write("in.csv", "id,text\n");
    for delimiter in ["\\", "n", "0"] {
        let ran = folder.run(&format!("pairs in.csv --quote none --escape \\ --delimiter {delimiter}"));
        assert_eq!(
            (ran.code, ran.stderr.contains("cannot be told from an escape")),
            (Some(2), true),
            "{delimiter}"
        );
    }
    for options in ["--quote '", "--escape \""] {
        assert_eq!(folder.run(&format!("pairs in.csv {options}")).code, Some(2), "{options}");
    }
}
