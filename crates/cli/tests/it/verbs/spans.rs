//! Removing repeated passages, from files of every format.

use crate::{Folder, failed, silent, words};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, StructArray, cast::AsArray};
use arrow_ipc::{reader::FileReader, writer::FileWriter};
use arrow_schema::{DataType, Field};
use parquet::arrow::{ArrowWriter, arrow_reader::ParquetRecordBatchReader};
use std::io::Cursor;
use std::sync::Arc;

/// Three texts with a passage, and what is left of them.
fn texts() -> ([String; 3], [String; 3]) {
    let notice = words(1);
    let texts = [
        format!("First, “one”. {notice}."),
        format!("Second\n\n{notice}\n\nwith \"quotes\", a comma\tand a tab."),
        "No passage here.".to_owned(),
    ];
    let left = [
        texts[0].clone(),
        "Second\n\nwith \"quotes\", a comma\tand a tab.".to_owned(),
        "No passage here.".to_owned(),
    ];
    (texts, left)
}

/// Rows with these texts in the columns `text` and `m.text`.
fn rows(texts: &[String; 3]) -> RecordBatch {
    let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
    let field = Arc::new(Field::new("text", DataType::Utf8, false));
    let inner: ArrayRef = Arc::new(StructArray::from(vec![(field, Arc::clone(&column))]));
    let n: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None, Some(3)]));
    RecordBatch::try_from_iter([("n", n), ("text", column), ("m", inner)]).unwrap()
}

fn parquet_of(rows: &RecordBatch) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), rows.schema(), None).unwrap();
    writer.write(rows).unwrap();
    writer.into_inner().unwrap()
}

fn arrow_of(rows: &RecordBatch) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &rows.schema()).unwrap();
    writer.write(rows).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

/// The texts of `text` and of `m.text`, and the numbers beside them.
fn read(rows: &RecordBatch) -> (Vec<String>, Vec<String>, Vec<Option<i64>>) {
    let texts = |column: &ArrayRef| column.as_string::<i32>().iter().flatten().map(str::to_owned).collect();
    let n = rows.column_by_name("n").unwrap();
    let n = n.as_primitive::<arrow_array::types::Int64Type>().iter().collect();
    let inner = rows.column_by_name("m").unwrap().as_struct().column_by_name("text").unwrap();
    (texts(rows.column_by_name("text").unwrap()), texts(inner), n)
}

#[test]
fn lines_and_arrays_of_json_and_tables_lose_the_passage_and_nothing_else() {
    let (texts, left) = texts();
    let json = |texts: &[String; 3], between: &str| {
        let objects = texts.iter().enumerate();
        let objects = objects.map(|(n, text)| {
            format!(r#"{{"n": {n}.0, "text": {}, "x": [1]}}"#, serde_json::Value::from(text.as_str()))
        });
        objects.collect::<Vec<_>>().join(between)
    };
    let quoted = |text: &str, delimiter: &str| match text.contains(['"', '\n']) || text.contains(delimiter) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let table = |texts: &[String; 3], delimiter: &str| {
        let row = |(n, text): (usize, &String)| {
            format!("{n}{delimiter}{}{delimiter}\"y\"\r\n", quoted(text, delimiter))
        };
        let rows: String = texts.iter().enumerate().map(row).collect();
        format!("n{delimiter}text{delimiter}y\r\n{rows}")
    };
    for (name, before, after) in [
        ("a.jsonl", json(&texts, "\n"), json(&left, "\n")),
        ("a.json", format!("[\n{}\n]\n", json(&texts, ",\n")), format!("[\n{}\n]\n", json(&left, ",\n"))),
        ("a.csv", table(&texts, ","), table(&left, ",")),
        ("a.tsv", table(&texts, "\t"), table(&left, "\t")),
    ] {
        let folder = Folder::new();
        folder.write(name, before);
        assert_eq!(folder.run(&format!("spans {name} -o out/ --length 20 -q")), silent(), "{name}");
        assert_eq!(folder.read(&format!("out/{name}")), after, "{name}");
    }
}

#[test]
fn rows_of_parquet_and_arrow_lose_the_passage_in_the_column_that_is_named() {
    let (texts, left) = texts();
    let folder = Folder::new();
    folder.write("a.parquet", parquet_of(&rows(&texts))).write("a.arrow", arrow_of(&rows(&texts)));
    let numbers = vec![Some(1), None, Some(3)];
    for (field, expected) in [
        ("text", (left.to_vec(), texts.to_vec(), numbers.clone())),
        ("m.text", (texts.to_vec(), left.to_vec(), numbers)),
    ] {
        let run = format!("--text-field {field} --length 20 -q --removed removed.csv");
        assert_eq!(folder.run(&format!("spans a.parquet -o out.parquet {run}")), silent());
        let written = std::fs::File::open(folder.path("out.parquet")).unwrap();
        let mut batches = ParquetRecordBatchReader::try_new(written, 100).unwrap();
        assert_eq!(read(&batches.next().unwrap().unwrap()), expected);
        let list = folder.read("removed.csv");
        assert_eq!(folder.run(&format!("spans a.arrow -o out.arrow {run}")), silent());
        let mut batches = FileReader::try_new(Cursor::new(folder.read_bytes("out.arrow")), None).unwrap();
        assert_eq!(read(&batches.next().unwrap().unwrap()), expected);
        assert_eq!(folder.read("removed.csv").replace("a.arrow", "a.parquet"), list);
        assert!(list.lines().nth(1).unwrap().starts_with("a.parquet:2,8,"), "{list}");
    }
}

#[test]
fn text_files_are_written_in_a_folder_and_pages_are_refused() {
    let (texts, left) = texts();
    let folder = Folder::new();
    folder.write("in/a.txt", &texts[0]).write("in/b.txt", &texts[1]).write("in/c.txt", &texts[2]);
    assert_eq!(folder.run("spans in/ -o out/ --length 20 -q"), silent());
    for (name, text) in ["a", "b", "c"].into_iter().zip(left) {
        assert_eq!(folder.read(&format!("out/{name}.txt")), text);
    }
    folder.write("page.html", "<p>a</p>");
    let ran = folder.run("spans page.html -o out/");
    let expected = "error: page.html: passages can be cut out of JSONL, JSON arrays, Parquet, Arrow, CSV, TSV and text files; list \
                    them instead\n  hint: leave out -o, and give --removed FILE\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), expected));
}

#[test]
fn documents_with_too_little_left_go_and_the_list_says_where_passages_are() {
    let notice = words(1);
    let folder = Folder::new();
    folder.write("a.jsonl", crate::jsonl(&[&notice, &format!("Two words. {notice}"), &format!("{notice}…")]));
    let run = "spans a.jsonl -o out.jsonl --removed removed.csv --length 20 --summary summary.json -q";
    let counts = |folder: &Folder| {
        let summary = folder.summary();
        ["kept", "removed", "passages", "cut_documents", "removed_words", "words"]
            .map(|key| summary[key].as_u64().unwrap())
    };
    assert_eq!(folder.run(run), silent());
    assert_eq!(folder.read("out.jsonl"), crate::jsonl(&[&notice, "Two words.", ""]));
    assert_eq!(counts(&folder), [3, 0, 2, 2, 80, 122]);
    let length = notice.len();
    let expected = format!(
        "id,start,end,start_byte,end_byte,words,source_id,source_start,text\nb,11,{0},11,{0},40,a,0,{notice}\n\
         c,0,{length},0,{length},40,a,0,{notice}\n",
        11 + length
    );
    assert_eq!(folder.read("removed.csv"), expected);
    for (options, left, [kept, removed]) in
        [("--drop-empty", vec![&*notice, "Two words."], [2, 1]), ("--min-left 3", vec![&*notice], [1, 2])]
    {
        assert_eq!(folder.run(&format!("{run} {options}")), silent());
        assert_eq!(folder.read("out.jsonl"), crate::jsonl(&left));
        assert_eq!(counts(&folder)[..2], [kept, removed]);
    }
    assert_eq!(folder.run(&format!("{run} --mask […]")), silent());
    assert_eq!(folder.read("out.jsonl"), crate::jsonl(&[&*notice, "Two words. […]", "[…]…"]));
}

#[test]
fn what_cannot_be_is_refused_with_the_remedy() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{\"text\":\"a\",\"title\":\"b\"}\n");
    let several = "error: the text is read from text,title, and passages can be cut out of a text that is one value\n\
                   \x20 hint: give one field to --text-field\n";
    assert_eq!(folder.run("spans a.jsonl --text-field text,title -o out.jsonl"), failed(1, several));
    let ran = folder.run("spans a.jsonl -o out.jsonl --length 0");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let ran = folder.run("spans a.jsonl -o out.jsonl --within site");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("no document has the field \"site\""), "{}", ran.stderr);
}

#[test]
fn a_list_needs_no_output_and_is_no_longer_than_the_text_however_often_it_repeats_itself() {
    let folder = Folder::new();
    folder.write("a.jsonl", crate::jsonl(&["a ".repeat(5000)]));
    folder.write("b.jsonl", crate::jsonl(&["b a ".repeat(5000)]));
    assert_eq!(folder.run("spans a.jsonl b.jsonl --removed removed.jsonl --length 1000 -q"), silent());
    let list = folder.read("removed.jsonl");
    assert!(list.lines().count() > 5 && list.len() < 200_000, "{} bytes", list.len());
    assert_eq!(folder.names(), ["a.jsonl", "b.jsonl", "removed.jsonl"]);
}

#[test]
fn a_table_of_one_column_keeps_its_records() {
    let folder = Folder::new();
    let text = words(1);
    folder.write("a.csv", format!("text\n{text}\n{text}\nlast\n"));
    assert_eq!(folder.run("spans a.csv -o out.csv --length 20 -q"), silent());
    assert_eq!(folder.read("out.csv"), format!("text\n{text}\n\"\"\nlast\n"));
}

#[test]
fn other_files_without_texts_are_refused_as_nothing_would_be_removed() {
    let folder = Folder::new();
    folder
        .write("a.jsonl", crate::jsonl(&[words(1)]))
        .write("tests.csv", format!("question\n{}\n", words(1)));
    let ran = folder.run("spans a.jsonl --against tests.csv -o out.jsonl --length 20");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("tests.csv") && ran.stderr.contains("question"), "{}", ran.stderr);
    let run = "spans a.jsonl --against tests.csv --against-text-field question -o out.jsonl --length 20 -q";
    assert_eq!(folder.run(run), silent());
    assert_eq!(folder.read("out.jsonl"), crate::jsonl(&[""]));
}
