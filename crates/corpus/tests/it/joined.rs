//! Texts of several fields and of lists: every format that has them gives the same text.

use std::{fs, sync::Arc};

use arrow_array::{Array, ArrayRef, FixedSizeListArray, ListArray, RecordBatch, StringArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field};
use lookalike_corpus::{Fields, Inputs, Reader, Scan, Scratch, TextFields, joined_texts};
use parquet::arrow::ArrowWriter;
use proptest::{prelude::*, test_runner::RngSeed};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::corpus::inputs_of;

/// A message, whose content may be null. It may be null itself.
type Message = Option<Option<String>>;

#[derive(Debug, Clone)]
struct Row {
    title: Option<String>,
    body: Option<String>,
    paragraphs: Option<Vec<Option<String>>>,
    messages: Option<Vec<Message>>,
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-c\"\\\\\n\t é漢,\u{1f600}]{1,12}"]
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let maybe = || prop::option::weighted(0.8, text());
    let lists = prop::option::weighted(0.8, prop::collection::vec(maybe(), 0..4));
    let messages =
        prop::option::weighted(0.8, prop::collection::vec(prop::option::weighted(0.9, maybe()), 0..4));
    let row = (maybe(), maybe(), lists, messages).prop_map(|(title, body, paragraphs, messages)| Row {
        title,
        body,
        paragraphs,
        messages,
    });
    prop::collection::vec(row, 1..12)
}

const NAMES: [&str; 4] = ["title", "body", "paragraphs[]", "messages[].content"];

/// The definition: all values in order, the empty ones left out, or `None` if there are only nulls.
fn expected(row: &Row, names: &[&str], between: &str) -> Option<String> {
    let mut values: Vec<Option<String>> = Vec::new();
    for name in names {
        match *name {
            "title" => values.push(row.title.clone()),
            "body" => values.push(row.body.clone()),
            "paragraphs[]" => match &row.paragraphs {
                None => values.push(None),
                Some(list) if list.is_empty() => values.push(Some(String::new())),
                Some(list) => values.extend(list.iter().cloned()),
            },
            _ => match &row.messages {
                None => values.push(None),
                Some(list) if list.is_empty() => values.push(Some(String::new())),
                Some(list) => values.extend(list.iter().map(|message| message.clone().flatten())),
            },
        }
    }
    let values: Vec<String> = values.into_iter().flatten().collect();
    let texts: Vec<&str> = values.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    (!values.is_empty()).then(|| texts.join(between))
}

fn object(row: &Row) -> Value {
    let message = |message: &Message| match message {
        None => Value::Null,
        Some(content) => json!({"role": "user", "n": [1, {"content": "no"}], "content": content}),
    };
    let messages = row.messages.as_ref().map(|list| list.iter().map(message).collect::<Vec<_>>());
    json!({"id": 1, "title": row.title, "x": "]", "paragraphs": row.paragraphs, "messages": messages, "body": row.body})
}

fn batch(rows: &[Row]) -> RecordBatch {
    let column = |value: fn(&Row) -> &Option<String>| -> ArrayRef {
        Arc::new(rows.iter().map(value).map(Option::as_deref).collect::<StringArray>())
    };
    let paragraphs: StringArray =
        rows.iter().flat_map(|row| row.paragraphs.iter().flatten()).map(Option::as_deref).collect();
    let messages: Vec<&Message> = rows.iter().flat_map(|row| row.messages.iter().flatten()).collect();
    let contents: StringArray =
        messages.iter().map(|message| message.as_ref().and_then(Option::as_deref)).collect();
    let roles = StringArray::from(vec!["user"; messages.len()]);
    let structs = StructArray::new(
        vec![Field::new("role", DataType::Utf8, true), Field::new("content", DataType::Utf8, true)].into(),
        vec![Arc::new(roles), Arc::new(contents)],
        Some(NullBuffer::from_iter(messages.iter().map(|message| message.is_some()))),
    );
    let list = |lengths: Vec<Option<usize>>, values: ArrayRef| -> ArrayRef {
        let element = Arc::new(Field::new("item", values.data_type().clone(), true));
        let offsets = OffsetBuffer::from_lengths(lengths.iter().map(|length| length.unwrap_or(0)));
        let nulls = NullBuffer::from_iter(lengths.iter().map(Option::is_some));
        Arc::new(ListArray::new(element, offsets, values, Some(nulls)))
    };
    let lengths = |of: fn(&Row) -> Option<usize>| rows.iter().map(of).collect();
    RecordBatch::try_from_iter_with_nullable([
        ("title", column(|row| &row.title), true),
        (
            "paragraphs",
            list(lengths(|row| row.paragraphs.as_ref().map(Vec::len)), Arc::new(paragraphs)),
            true,
        ),
        ("messages", list(lengths(|row| row.messages.as_ref().map(Vec::len)), Arc::new(structs)), true),
        ("body", column(|row| &row.body), true),
    ])
    .unwrap()
}

fn read(inputs: &Inputs, fields: &TextFields) -> Vec<Option<String>> {
    let fields = Fields { null_texts: true, ..Fields::of_text(fields.clone()) };
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let (mut scratch, mut texts) = (Scratch::default(), Vec::new());
    while let Some(chunk) = reader.next().unwrap() {
        chunk.load(&mut scratch).unwrap().for_each(|record| {
            let record = record.unwrap();
            texts.push((!record.is_null).then(|| record.text.to_owned()));
        });
    }
    texts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_format_gives_the_text_of_the_definition(
        rows in rows(), mut names in prop::sample::subsequence(NAMES.to_vec(), 1..=4), turned: bool, between in "[|\u{fdd0} ]"
    ) {
        if turned {
            names.reverse();
        }
        let fields = TextFields::new(names.iter().copied().map(str::to_owned).collect(), &*between);
        let expected: Vec<_> = rows.iter().map(|row| expected(row, &names, &between)).collect();
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        let lines: Vec<String> = rows.iter().map(|row| object(row).to_string()).collect();
        fs::write(path("rows.jsonl"), lines.join("\n")).unwrap();
        fs::write(path("rows.json"), format!("[{}]", lines.join(",\n"))).unwrap();
        let batch = batch(&rows);
        let mut parquet = ArrowWriter::try_new(fs::File::create(path("rows.parquet")).unwrap(), batch.schema(), None).unwrap();
        parquet.write(&batch).unwrap();
        parquet.close().unwrap();
        let mut arrow = FileWriter::try_new(fs::File::create(path("rows.arrow")).unwrap(), &batch.schema()).unwrap();
        arrow.write(&batch).unwrap();
        arrow.finish().unwrap();
        for name in ["rows.jsonl", "rows.json", "rows.parquet", "rows.arrow"] {
            prop_assert_eq!(&read(&inputs_of(&path(name)), &fields), &expected, "{} of {}", names.join(","), name);
        }
        let held = Inputs::of_batches("rows", vec![batch.clone()]);
        prop_assert_eq!(&read(&held, &fields), &expected);
        // The second half of a batch has offsets that do not start at 0.
        let half = rows.len() / 2;
        let texts = joined_texts(&batch.slice(half, rows.len() - half), &fields).unwrap();
        let texts: Vec<_> = arrow_array::cast::AsArray::as_string::<i64>(&texts).iter().map(|text| text.map(str::to_owned)).collect();
        prop_assert_eq!(&texts, &expected[half..]);
    }
}

#[test]
fn a_separator_in_a_text_of_strangers_is_a_space() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("rows.jsonl");
    fs::write(&path, "{\"a\": \"x\u{fdd0}y\", \"b\": \"\\ufdd0z\"}\n").unwrap();
    let read = |names: &[&str]| {
        let fields = TextFields::new(names.iter().copied().map(str::to_owned).collect(), "\u{fdd0}");
        let fields = Fields::of_text(fields);
        let inputs = inputs_of(&path);
        let reader = Reader::new(&inputs, &fields, Scan::Documents);
        let mut scratch = Scratch::default();
        let mut loaded = reader.next().unwrap().unwrap().load(&mut scratch).unwrap();
        let mut found = Vec::new();
        loaded.for_each(|record| {
            let record = record.unwrap();
            found.push((record.text.to_owned(), record.place));
        });
        let (text, place) = found.remove(0);
        assert_eq!(loaded.record(place).unwrap().text, text);
        text
    };
    assert_eq!(read(&["a"]), "x y");
    assert_eq!(read(&["a", "b"]), "x y\u{fdd0} z");
    let held = Inputs::of_texts("held", vec!["x\u{fdd0}y"]);
    assert_eq!(self::read(&held, &"text".into()), [Some("x y".to_owned())]);
}

#[test]
fn a_list_of_nulls_alone_has_no_texts() {
    let nulls: ArrayRef = Arc::new(arrow_array::NullArray::new(2));
    let batch = RecordBatch::try_from_iter([("m", nulls)]).unwrap();
    for name in ["m", "m[]", "m[].content"] {
        let texts = joined_texts(&batch, &TextFields::new(vec![name.into(), "m".into()], " ")).unwrap();
        assert_eq!(texts.null_count(), 2);
    }
}

#[test]
fn columns_of_a_table_are_joined() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("rows.csv");
    fs::write(&path, "body,title,a[]\nb1,t1,x\n\"b,2\",,y\n,,\n").unwrap();
    let fields = |names: &[&str]| TextFields::new(names.iter().copied().map(str::to_owned).collect(), "|");
    let read = |names: &[&str]| read(&inputs_of(&path), &fields(names));
    let some = |texts: [&str; 3]| texts.map(|text| Some(text.to_owned())).to_vec();
    assert_eq!(read(&["title", "body"]), some(["t1|b1", "b,2", ""]));
    // A column that a table lacks adds nothing.
    assert_eq!(
        read(&["title", "abstract"]),
        [Some("t1".to_owned()), Some(String::new()), Some(String::new())]
    );
    let rows = batch(&[Row { title: Some("t".into()), body: None, paragraphs: None, messages: None }]);
    let held = Inputs::of_batches("rows", vec![rows]);
    assert_eq!(self::read(&held, &fields(&["abstract", "title"])), [Some("t".to_owned())]);
    // In a table it is a name like any other.
    assert_eq!(read(&["a[]"]), some(["x", "y", ""]));
}

#[test]
fn lists_of_a_fixed_size_are_read() {
    let values = StringArray::from(vec![Some("a"), Some("b"), None, Some("d")]);
    let element = Arc::new(Field::new("item", DataType::Utf8, true));
    let lists: ArrayRef = Arc::new(FixedSizeListArray::new(element, 2, Arc::new(values), None));
    let batch = RecordBatch::try_from_iter([("t", lists)]).unwrap();
    let texts = joined_texts(&batch, &TextFields::new(vec!["t[]".into()], "+")).unwrap();
    let texts = arrow_array::cast::AsArray::as_string::<i64>(&texts);
    assert_eq!(texts.iter().collect::<Vec<_>>(), [Some("a+b"), Some("d")]);
}

/// The problems of the only record of a file.
fn problem(name: &str, content: &str, field: &str) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let (inputs, fields) = (
        inputs_of(&path),
        Fields::of_text(TextFields::new(field.split(',').map(str::to_owned).collect(), " ")),
    );
    let reader = Reader::new(&inputs, &fields, Scan::Documents);
    let mut problems = Vec::new();
    while let Some(chunk) = reader.next().unwrap() {
        chunk.load(&mut Scratch::default()).unwrap().for_each(|record| match record {
            Ok(record) => problems.push(format!("read {:?}", record.text)),
            Err(bad) => problems.push(bad.problem.to_string()),
        });
    }
    problems.join("; ")
}

#[test]
fn what_a_name_does_not_lead_to_is_named() {
    let chat = r#"{"messages": [{"role": "user", "content": "hi"}], "n": 1, "list": ["a", 2]}"#;
    for (field, expected) in [
        ("messages[].content", "read \"hi\""),
        ("messages", "field \"messages\" is a list, not text"),
        ("messages[]", "field \"messages[]\" is an object, not text"),
        ("messages[].text", "no field \"messages[].text\"; fields seen: messages[].role, messages[].content"),
        ("message[].text", "no field \"message[].text\"; fields seen: messages, n, list"),
        ("messages.content", "no field \"messages.content\": \"messages\" is a list, not an object"),
        ("n[]", "no field \"n[]\": \"n\" is a number, not a list"),
        ("list[]", "field \"list[]\" is a number, not text"),
        ("list[].x", "no field \"list[].x\": \"list[]\" is a text, not an object"),
        (
            "messages[].content.text",
            "no field \"messages[].content.text\": \"messages[].content\" is a text, not an object",
        ),
        ("a,b", "no field \"a,b\"; fields seen: messages, n, list"),
        ("a,messages[].content,b", "read \"hi\""),
    ] {
        assert_eq!(problem("a.jsonl", chat, field), expected, "{field}");
    }
    assert_eq!(
        problem("a.jsonl", r#"{"t": ["a\ud800"]}"#, "t[]"),
        "broken JSON: unpaired surrogate in field \"t[]\""
    );
    assert_eq!(problem("a.jsonl", r#"{"t": [NaN, "a"]}"#, "t[]"), "field \"t[]\" is a number, not text");
    assert_eq!(problem("a.jsonl", r#"{"t": ["a", "b"], "x": NaN}"#, "t[]"), "read \"a b\"");
    assert_eq!(
        problem("a.jsonl", r#"{"t": ["a", "b"}"#, "t[]"),
        "broken JSON: a comma or a closing bracket is missing, at column 16"
    );
    assert_eq!(problem("a.jsonl", r#"{"t": null}"#, "t[]"), "field \"t[]\" is null, not text");
    assert_eq!(problem("a.jsonl", r#"{"t": []}"#, "t[]"), "read \"\"");
    assert_eq!(problem("a.jsonl", r#"{"t[]": "x"}"#, "t[]"), "read \"x\"");
    assert_eq!(problem("a.jsonl", r#"{"r": [["a", "b"], [], ["c"]]}"#, "r[][]"), "read \"a b c\"");
}
