//! Places of kept records, and outputs that are refused.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::corpus::{self, Corpus, all_rows, fields, inputs_of};
use arrow_array::{cast::AsArray, types::Int64Type};
use lookalike_corpus::{
    Annotation, Cell, Delimiter, Error, Fields, Format, Inputs, KeptRows, KeptWriter, Reader, RecordMode,
    Scan, Scratch, Waiting,
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use proptest::prelude::*;

const FOUND: Annotation<'static> = Annotation {
    cluster: Some(3),
    kept: false,
    kept_id: Some("a,b"),
    score: Cell::Number(0.9),
    containment: Cell::Number(1.0),
    duplicates: 7,
};

const ANNOTATE: RecordMode = RecordMode::Annotate { score: "jaccard" };

fn create(inputs: &Inputs, out: &Path, mode: RecordMode) -> Result<u64, Error> {
    create_with(inputs, out, mode, FOUND)
}

fn create_with(
    inputs: &Inputs,
    out: &Path,
    mode: RecordMode,
    annotation: Annotation<'_>,
) -> Result<u64, Error> {
    let fields = fields();
    let writer = KeptWriter::create(inputs, &fields, out, mode)?;
    let reader = Reader::new(inputs, &fields, writer.scan());
    let mut scratch = Scratch::default();
    while let Some(chunk) = reader.next()? {
        let mut loaded = chunk.load(&mut scratch)?;
        let mut places = Vec::new();
        loaded.for_each(|record| places.extend(record.map(|record| record.place)));
        if matches!(inputs.files()[loaded.id().file as usize].format, Format::Parquet | Format::Arrow) {
            places = all_rows(&loaded);
        }
        match mode {
            RecordMode::Copy | RecordMode::Edit => writer.write(&loaded, KeptRows::Copied(&places))?,
            RecordMode::Annotate { .. } => {
                let rows: Vec<_> = places.into_iter().map(|place| (place, annotation)).collect();
                writer.write(&loaded, KeptRows::Annotated(&rows))?;
            }
        }
    }
    writer.complete()?.publish()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, content) in files {
            fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
            fs::write(folder.path(name), content).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn inputs(&self, names: &[&str]) -> Inputs {
        Inputs::resolve(
            &names.iter().map(|name| self.path(name).to_str().unwrap().to_owned()).collect::<Vec<_>>(),
            &Waiting::default(),
        )
        .unwrap()
    }

    fn written(&self, names: &[&str], out: &str, mode: RecordMode) -> String {
        create(&self.inputs(names), &self.path(out), mode).unwrap();
        fs::read_to_string(self.path(out)).unwrap()
    }

    fn refused(&self, names: &[&str], out: &str, mode: RecordMode) -> Error {
        let before = fs::read_dir(self.path("")).unwrap().count();
        let error = create(&self.inputs(names), &self.path(out), mode).unwrap_err();
        assert_eq!(fs::read_dir(self.path("")).unwrap().count(), before);
        error
    }
}

proptest! {
    #[test]
    fn kept_lines_are_copied_unchanged(
        lines in prop::collection::vec(
            (
                prop_oneof![4 => Just("{\"text\":\"a b\"}"), 1 => Just(""), 1 => Just(" \t"), 1 => Just("{broken")],
                prop_oneof![3 => Just("\n"), 1 => Just("\r\n")],
                prop::bool::weighted(0.7),
            ),
            1..30,
        ),
        mark in any::<bool>(),
        ended in any::<bool>(),
    ) {
        let mut lines: Vec<(String, bool)> = lines
            .into_iter()
            .map(|(line, end, keep)| (format!("{line}{end}"), keep && line.ends_with('}')))
            .collect();
        if mark {
            lines[0].0.insert(0, '\u{feff}');
        }
        if !ended {
            let (last, _) = lines.last_mut().unwrap();
            last.truncate(last.trim_end_matches(['\r', '\n']).len());
        }
        let content: String = lines.iter().map(|(line, _)| line.as_str()).collect();
        let folder = Folder::with(&[("in.jsonl", &content)]);
        let (inputs, fields) = (folder.inputs(&["in.jsonl"]), fields());
        let writer = KeptWriter::create(&inputs, &fields, &folder.path("out.jsonl"), RecordMode::Copy).unwrap();
        let reader = Reader::new(&inputs, &fields, writer.scan());
        let mut scratch = Scratch::default();
        while let Some(chunk) = reader.next().unwrap() {
            let mut loaded = chunk.load(&mut scratch).unwrap();
            let mut places = Vec::new();
            loaded.for_each(|record| places.extend(record.map(|record| record.place)));
            places.retain(|place| lines[place.line as usize].1);
            writer.write(&loaded, KeptRows::Copied(&places)).unwrap();
        }
        writer.complete().unwrap().publish().unwrap();
        let expected: String = lines.iter().filter(|(_, keep)| *keep).map(|(line, _)| line.as_str()).collect();
        prop_assert_eq!(fs::read_to_string(folder.path("out.jsonl")).unwrap(), expected);
    }
}

proptest! {
    #[test]
    fn byte_order_marks_are_not_part_of_a_record_and_a_copy_has_the_same_records(
        marks in prop::collection::vec(0_usize..4, 1..8),
        is_table in any::<bool>(),
    ) {
        let (name, header) = if is_table { ("in.csv", "id,text\n") } else { ("in.jsonl", "") };
        let record = |number: usize| match is_table {
            true if number.is_multiple_of(2) => format!("d{number},\"a, {number}\"\n"),
            true => format!("d{number},\"a, {number}\"\r\r\n"),
            false => format!("{{\"id\":\"d{number}\",\"text\":\"a, {number}\"}}\n"),
        };
        let marked = |number: usize, line: &str| "\u{feff}".repeat(marks[number % marks.len()]) + line;
        let content = marked(3, header) + &(0..20).map(|number| marked(number, &record(number))).collect::<String>();
        let folder = Folder::with(&[(name, &content)]);
        let out = name.replace("in", "out");
        folder.written(&[name], &out, RecordMode::Copy);
        let expected: Vec<_> = (0..20).map(|number| (Some(format!("d{number}")), format!("a, {number}"))).collect();
        for name in [name, &out] {
            let found = corpus::scan(&folder.inputs(&[name]), 1);
            let found: Vec<_> = found.into_iter().map(|found| (found.id, found.text)).collect();
            prop_assert_eq!(&found, &expected);
        }
    }
}

#[test]
fn joined_files_have_a_line_end_between_them() {
    let folder = Folder::with(&[
        ("a.jsonl", "\u{feff}{\"text\":\"a\"}"),
        ("b.jsonl", "\u{feff}\u{feff}{\"text\":\"b\"}\r\n"),
        ("c.jsonl", "{\"text\":\"c\"}"),
    ]);
    let joined = folder.written(&["a.jsonl", "b.jsonl", "c.jsonl"], "out.jsonl", RecordMode::Copy);
    assert_eq!(joined, "\u{feff}{\"text\":\"a\"}\n{\"text\":\"b\"}\r\n{\"text\":\"c\"}");
}

#[test]
fn joined_tables_have_one_header() {
    let folder =
        Folder::with(&[("a.csv", "id,text\r\n1,a"), ("b.csv", "id,text\n2,b\n"), ("c.csv", "text\nc\n")]);
    assert_eq!(folder.written(&["a.csv", "b.csv"], "out.csv", RecordMode::Copy), "id,text\r\n1,a\n2,b\n");
    let error = folder.refused(&["a.csv", "c.csv"], "out2.csv", RecordMode::Copy);
    assert!(matches!(error, Error::ColumnsDiffer { .. }));
}

/// The pieces are bytes that stand at the ends of records, and may change a record when it is copied behind another one.
#[test]
fn a_copy_of_every_short_table_has_the_same_records() {
    let pieces = ["\n", "\r", "\"", "\u{feff}", "a"];
    let mut bodies = vec![String::new()];
    for length in 0..5 {
        let longer = bodies.iter().filter(|body| body.chars().count() == length);
        let longer: Vec<_> = longer.flat_map(|body| pieces.map(|piece| format!("{body}{piece}"))).collect();
        bodies.extend(longer);
    }
    let folder = Folder::with(&[]);
    for body in bodies {
        fs::write(folder.path("in.csv"), format!("text\n{body}")).unwrap();
        create(&folder.inputs(&["in.csv"]), &folder.path("out.csv"), RecordMode::Copy).unwrap();
        assert_eq!(good_texts(&folder, "out.csv"), good_texts(&folder, "in.csv"), "{body:?}");
    }
}

#[test]
fn a_line_of_byte_order_marks_is_not_a_record() {
    for (name, header) in [("a.csv", "text\n"), ("a.tsv", "text\n"), ("a.jsonl", "")] {
        let folder = Folder::with(&[(name, &format!("{header}\u{feff}\n\u{feff}\u{feff}\r\n\n\u{feff}"))]);
        assert_eq!(good_texts(&folder, name), [""; 0], "{name}");
    }
}

fn good_texts(folder: &Folder, name: &str) -> Vec<String> {
    let (inputs, fields) = (folder.inputs(&[name]), fields());
    let reader = Reader::new(&inputs, &fields, Scan::Documents);
    let (mut texts, mut scratch) = (Vec::new(), Scratch::default());
    while let Some(chunk) = reader.next().unwrap() {
        let mut loaded = chunk.load(&mut scratch).unwrap();
        loaded.for_each(|record| texts.extend(record.map(|record| record.text.to_owned())));
    }
    texts
}

#[test]
fn a_folder_has_a_file_for_every_input_even_an_empty_one() {
    let folder = Folder::with(&[
        ("in/a.jsonl", "{\"text\":\"a\"}\nbroken\n"),
        ("in/sub/b.csv", "text\n"),
        ("in/c.jsonl", ""),
    ]);
    create(&folder.inputs(&["in"]), &folder.path("out"), RecordMode::Copy).unwrap();
    assert_eq!(fs::read_to_string(folder.path("out/a.jsonl")).unwrap(), "{\"text\":\"a\"}\n");
    assert_eq!(fs::read_to_string(folder.path("out/sub/b.csv")).unwrap(), "text\n");
    assert_eq!(fs::read_to_string(folder.path("out/c.jsonl")).unwrap(), "");
}

#[test]
fn files_to_compare_against_have_no_outputs() {
    let folder = Folder::with(&[
        ("tests/a.txt", "compared"),
        ("tests/b.csv", "text,other\nx,y\n"),
        ("tests/z.txt", "compared"),
        ("in/a.txt", "a"),
        ("in/b.txt", "b"),
        ("in/c.csv", "text\nc\n"),
    ]);
    let name = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let inputs = Inputs::resolve_against(&[name("tests")], &[name("in")], &Waiting::default()).unwrap();
    assert_eq!((inputs.against(), inputs.files().len()), (3, 6));
    create(&inputs, &folder.path("out"), RecordMode::Copy).unwrap();
    let mut written: Vec<_> =
        fs::read_dir(folder.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    written.sort();
    assert_eq!(written, ["a.txt", "b.txt", "c.csv"]);
    assert_eq!(fs::read_to_string(folder.path("out/a.txt")).unwrap(), "a");
    // The files to compare against do not restrict the output: neither their formats and columns, nor that they cannot be
    // annotated.
    let inputs = Inputs::resolve_against(&[name("tests")], &[name("in/c.csv")], &Waiting::default()).unwrap();
    create(&inputs, &folder.path("out.csv"), ANNOTATE).unwrap();
    assert_eq!(fs::read_to_string(folder.path("out.csv")).unwrap().lines().count(), 2);
    let error = create(&inputs, &folder.path("tests/b.csv"), RecordMode::Copy).unwrap_err();
    assert!(matches!(error, Error::OutputIsInput { .. }));
}

#[test]
fn annotated_lines_have_the_fields_at_their_end() {
    let folder = Folder::with(&[("a.jsonl", "{\"text\":\"a\" } \r\n{\"text\":\"b\"}")]);
    let fields = r#""cluster":3,"kept":false,"kept_id":"a,b","jaccard":0.900000,"containment":1.000000,"duplicate_count":7}"#;
    let expected = format!("{{\"text\":\"a\",{fields}\r\n{{\"text\":\"b\",{fields}");
    assert_eq!(folder.written(&["a.jsonl"], "out.jsonl", ANNOTATE), expected);
}

#[test]
fn annotated_tables_have_more_columns() {
    let folder = Folder::with(&[("a.csv", "text\r\n\"a,b\"\r\n")]);
    let expected = "text,cluster,kept,kept_id,jaccard,containment,duplicate_count\r\n\"a,b\",3,false,\"a,b\",0.900000,1.000000,7\r\n";
    assert_eq!(folder.written(&["a.csv"], "out.csv", ANNOTATE), expected);
}

/// Every delimiter that a user can give.
fn delimiters() -> impl Iterator<Item = char> {
    (0..=127_u8).map(char::from).filter(|delimiter| delimiter.to_string().parse::<Delimiter>().is_ok())
}

/// A field in quotes.
fn quoted(field: &str) -> String {
    format!("\"{}\"", field.replace('"', "\"\""))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]

    #[test]
    fn annotated_tables_read_back_with_every_delimiter(
        texts in prop::collection::vec("[ -~]{1,20}", 1..4),
        kept_id in "[ -~]{0,8}",
        cluster in any::<u64>(),
        kept in any::<bool>(),
        score in 0.0..1.0,
        hamming in any::<u64>(),
        uses_hamming in any::<bool>(),
    ) {
        let annotation = Annotation {
            cluster: Some(cluster),
            kept,
            kept_id: Some(&kept_id),
            score: if uses_hamming { Cell::Integer(hamming) } else { Cell::Number(score) },
            containment: Cell::Number(score),
            duplicates: hamming,
        };
        let folder = Folder::with(&[]);
        for delimiter in delimiters() {
            let rows: String = texts.iter().map(|text| quoted(text) + "\n").collect();
            fs::write(folder.path("in.csv"), format!("\"text\"\n{rows}")).unwrap();
            let by_it = |name| {
                let mut inputs = folder.inputs(&[name]);
                inputs.separate_fields_by(delimiter.to_string().parse().unwrap());
                inputs
            };
            let mode = RecordMode::Annotate { score: if uses_hamming { "hamming" } else { "word_jaccard" } };
            create_with(&by_it("in.csv"), &folder.path("out.csv"), mode, annotation).unwrap();
            let read = |field: &str| {
                let mut found = Vec::new();
                let fields = Fields { text: field.into(), ..fields() };
                let inputs = by_it("out.csv");
                let reader = Reader::new(&inputs, &fields, Scan::Documents);
                let mut scratch = Scratch::default();
                while let Some(chunk) = reader.next().unwrap() {
                    let mut loaded = chunk.load(&mut scratch).unwrap();
                    loaded.for_each(|record| found.push(record.map(|record| record.text.to_owned()).unwrap()));
                }
                found
            };
            let all = |value: String| vec![value; texts.len()];
            prop_assert_eq!(&read("text"), &texts, "{:?}", delimiter);
            prop_assert_eq!(read("cluster"), all(cluster.to_string()), "{:?}", delimiter);
            prop_assert_eq!(read("kept"), all(kept.to_string()), "{:?}", delimiter);
            prop_assert_eq!(read("kept_id"), all(kept_id.clone()), "{:?}", delimiter);
            prop_assert_eq!(read("containment"), all(format!("{score:.6}")), "{:?}", delimiter);
            let (name, value) = match uses_hamming {
                true => ("hamming", hamming.to_string()),
                false => ("word_jaccard", format!("{score:.6}")),
            };
            prop_assert_eq!(read(name), all(value), "{:?}", delimiter);
            prop_assert_eq!(read("duplicate_count"), all(hamming.to_string()), "{:?}", delimiter);
        }
    }
}

#[test]
fn annotated_parquet_has_more_columns() {
    let corpus = Corpus::write("parquet", 10);
    create(&corpus.inputs(), &corpus.out(), ANNOTATE).unwrap();
    let file = fs::File::open(corpus.out()).unwrap();
    let batch =
        ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap().next().unwrap().unwrap();
    assert_eq!((batch.num_rows(), batch.num_columns()), (10, 9));
    assert_eq!(batch["duplicate_count"].as_primitive::<Int64Type>().value(9), 7);
    assert_eq!(batch["cluster"].as_primitive::<Int64Type>().value(9), 3);
    assert_eq!(batch["kept_id"].as_string::<i32>().value(0), "a,b");
    assert_eq!(inputs_of(&corpus.out()).files().len(), 1);
}

#[test]
fn a_field_that_would_be_added_twice_is_refused() {
    let folder =
        Folder::with(&[("a.jsonl", "{\"text\":\"a\",\"kept\":1}\n"), ("a.csv", "text,jaccard\na,1\n")]);
    for (name, field) in [("a.jsonl", "kept"), ("a.csv", "jaccard")] {
        let error = folder.refused(&[name], &format!("out_{name}"), ANNOTATE);
        assert!(matches!(&error, Error::FieldExists { field: found, .. } if *found == field), "{error}");
    }
}

#[test]
fn invalid_outputs_are_refused_before_any_work() {
    let folder =
        Folder::with(&[("a.jsonl", "{\"text\":\"a\"}\n"), ("b.csv", "text\n"), ("c.txt", "c"), ("d", "")]);
    let copy = |names: &[&str], out: &str| folder.refused(names, out, RecordMode::Copy);
    assert!(matches!(copy(&["a.jsonl"], "a.jsonl"), Error::OutputIsInput { .. }));
    assert!(matches!(copy(&["a.jsonl"], "."), Error::OutputIsInput { .. }));
    assert!(matches!(copy(&["a.jsonl"], "out.csv"), Error::FormatChanged { .. }));
    assert!(matches!(copy(&["a.jsonl"], "d"), Error::FormatChanged { .. }));
    assert!(matches!(copy(&["a.jsonl", "b.csv"], "out.jsonl"), Error::FormatsDiffer { .. }));
    for out in ["out.xyz", "out.jsonl.lzo"] {
        assert!(matches!(copy(&["a.jsonl"], out), Error::UnknownExtension { .. }), "{out}");
    }
    assert!(matches!(copy(&["a.jsonl"], "d/out.jsonl"), Error::Write { .. }));
    assert!(matches!(copy(&["a.jsonl"], "no/out.jsonl"), Error::NoFolder { .. }));
    assert!(matches!(copy(&["c.txt"], "out.txt"), Error::TextToFile { .. }));
    assert!(matches!(folder.refused(&["c.txt"], "out", ANNOTATE), Error::AnnotatedText { .. }));
}

#[test]
fn the_name_of_the_output_decides_its_compression() {
    let folder = Folder::with(&[("a.jsonl", "{\"text\":\"a\"}\n")]);
    for suffix in ["gz", "zst", "bz2", "xz", "lz4"] {
        let out = folder.path(&format!("out.jsonl.{suffix}"));
        let length = create(&folder.inputs(&["a.jsonl"]), &out, RecordMode::Copy).unwrap();
        assert_eq!(length, fs::metadata(&out).unwrap().len());
        assert_eq!(corpus::raw_records(&inputs_of(&out)), [b"{\"text\":\"a\"}\n"]);
    }
}

#[test]
fn an_old_output_stays_until_the_new_one_is_complete() {
    let folder = Folder::with(&[("a.jsonl", "{\"text\":\"a\"}\n"), ("out.jsonl", "old")]);
    let (inputs, fields) = (folder.inputs(&["a.jsonl"]), fields());
    let writer = KeptWriter::create(&inputs, &fields, &folder.path("out.jsonl"), RecordMode::Copy).unwrap();
    let reader = Reader::new(&inputs, &fields, writer.scan());
    writer.skip(&reader.next().unwrap().unwrap()).unwrap();
    assert_eq!(fs::read_to_string(folder.path("out.jsonl")).unwrap(), "old");
    assert_eq!(writer.complete().unwrap().publish().unwrap(), 0);
    assert_eq!(fs::read_to_string(folder.path("out.jsonl")).unwrap(), "");
}
