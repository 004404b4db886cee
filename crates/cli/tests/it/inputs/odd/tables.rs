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
                    read: 2 lines\n";
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
