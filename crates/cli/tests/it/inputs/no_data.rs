//! What lies in folders and is no data, and files of formats that are not read.

use crate::{Folder, failed, jsonl, silent, words};
use std::process::Command;

#[test]
fn what_a_stopped_job_left_in_a_folder_is_not_read_unless_it_is_named() {
    let folder = Folder::new();
    let line = jsonl(&[words(1)]);
    folder.write("in/part-0.json", &line).write("in/_SUCCESS", "");
    folder
        .write("in/_temporary/0/part-0.json", &line)
        .write("in/_committed.json", "{}")
        .write("in/.x.json", "{}");
    folder.write("in/_day=1/part-0.json", jsonl(&[words(2)]));
    for inputs in ["in", "in/**/*.json"] {
        assert_eq!(folder.run(&format!("dedup {inputs} -o out -q --summary summary.json")), silent());
        assert_eq!(folder.summary()["documents"], 2, "{inputs}");
    }
    assert_eq!(
        (folder.read("out/part-0.json"), folder.read("out/_day=1/part-0.json")),
        (line, jsonl(&[words(2)]))
    );
    for inputs in ["in/_temporary/0/part-0.json", "in/_temporary", "in/_temp*/0/*.json"] {
        let ran = folder.run(&format!("dedup in/part-0.json {inputs} -o again -q --summary summary.json"));
        assert_eq!((ran, &folder.summary()["removed"]), (silent(), &1.into()), "{inputs}");
    }
}

#[test]
fn a_folder_that_is_a_table_is_refused_by_name_with_what_reads_it() {
    let folder = Folder::new();
    folder.write("lake/t/part-0.parquet", "").write("lake/t/_delta_log/00000000000000000000.json", "{}");
    for name in ["lake/t", "lake"] {
        let message = "error: lake/t: this is a Delta table; its log says which of its files count. Read it in Python, and pass \
                       deltalake.DeltaTable(PATH).to_pyarrow_table() to lookalike.dedup; or name the files that you want\n";
        assert_eq!(folder.run(&format!("pairs {name}")), failed(1, message));
    }
    // A part of a table is no folder of data either. A file that is named is read.
    let line = jsonl(&[words(1)]);
    folder
        .write("lake/t/day=1/part-0.jsonl", &line)
        .write("sink/_spark_metadata/0", "v1\n")
        .write("sink/part-0.jsonl", &line);
    for (name, sentence) in [
        ("lake/t/day=1", "lake/t: this is a Delta table; its log"),
        ("sink", "sink: this is what a stream of Spark has written; its log says which of its files count."),
    ] {
        let ran = folder.run(&format!("pairs {name}"));
        assert!(ran.code == Some(1) && ran.stderr.contains(sentence), "{ran:?}");
    }
    assert_eq!(folder.run("pairs lake/t/day=1/part-0.jsonl sink/part-0.jsonl -q").code, Some(0));
}

#[test]
fn files_of_formats_that_are_not_read_are_refused_by_name() {
    let folder = Folder::new();
    let whole = jsonl(&[words(1), words(1), words(2)]);
    let (first, rest) = whole.split_at(whole.match_indices('\n').nth(1).unwrap().0 + 1);
    folder.write("in/a.jsonl", first).write("in/b.jsonl", rest);
    // The files of records in an archive are read as those of a folder, also on standard input.
    let made = Command::new("tar").current_dir(folder.path("")).args(["cf", "a.tar", "in"]).status();
    assert!(made.unwrap().success());
    assert_eq!(folder.run("pairs a.tar -q -o -").stdout, "{\"a\":\"a\",\"b\":\"b\",\"jaccard\":1.000000}\n");
    assert_eq!(folder.run("dedup a.tar -o out/ --against a.tar -q").code, Some(1));
    assert_eq!(folder.run("dedup a.tar -o out/ -q"), silent());
    assert_eq!(
        (folder.read("out/a-a.jsonl").lines().count(), folder.read("out/a-b.jsonl")),
        (1, rest.to_owned())
    );
    let archive = std::fs::read(folder.path("a.tar")).unwrap();
    let pair = "{\"a\":\"a\",\"b\":\"b\",\"jaccard\":1.000000}\n";
    assert_eq!(folder.run_with_input("pairs - -q", &archive).stdout, pair);
    for (name, content, sentence) in [
        (
            "x.doc",
            "PK\x03\x04\x14 word/document.xml",
            "a DOCX document, which is not read; make a text of it, for example with pandoc -t plain FILE -o FILE.txt",
        ),
        (
            "x.v1",
            "FEA1\0\0\0\0",
            "a Feather 1 file, which is not read; write it as Parquet, or read it in Python and pass the table",
        ),
        (
            "x.xml",
            "<mediawiki xmlns=\"\">",
            "a dump of a MediaWiki in XML, which is not read; extract its texts first, for example with wikiextractor --json FILE -o FOLDER",
        ),
    ] {
        folder.write(name, content);
        assert_eq!(
            folder.run(&format!("pairs {name}")),
            failed(1, &format!("error: {name}: this is {sentence}\n"))
        );
    }
    for before in ["", "\u{feff}<?xml version='1.0'?>\n", "<!-- of <today> --> <?xml-stylesheet?>", "<mw:"] {
        let content = format!(
            "{before}{}xmlns=\"\">",
            if before.ends_with(':') { "mediawiki " } else { "<mediawiki " }
        );
        folder.write("y.xml", content);
        assert!(
            folder.run("pairs y.xml").stderr.contains("this is a dump of a MediaWiki in XML"),
            "{before}"
        );
    }
    // A text that only begins like one of them is a text.
    folder.write("notes", "PK and tar are names of programs");
    assert_eq!(folder.run("pairs notes -q").code, Some(0));
}
