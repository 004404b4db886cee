//! Records from memory: the same ones as in a file of the same rows.

use std::{
    fs::File,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use crate::corpus::{fields, inputs_of, scan};
use arrow_array::{
    Array, ArrayRef, Float64Array, Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray,
    StructArray, cast::AsArray, types::Int32Type,
};
use arrow_cast::cast;
use arrow_schema::{DataType, Field};
use lookalike_corpus::{
    ChunkId, Error, Fields, Format, Inputs, KeptWriter, Place, Problem, Rank, Reader, RecordMode, Scan,
    Scratch, StoredValue, StoredValues, Texts, UnreadableText,
};
use parquet::arrow::ArrowWriter;

/// A record, or the problem of a bad one: its row, text, id, number, and values to group by.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    row: u64,
    text: Result<String, Problem>,
    id: Option<String>,
    number: Option<Rank>,
    within: Option<Vec<u8>>,
    stored: Option<StoredValues>,
}

fn all_fields() -> Fields {
    Fields {
        null_texts: false,
        text: "text".into(),
        id: Some("id".into()),
        number: Some("number".into()),
        within: vec!["group".into(), "meta.site".into(), "nowhere".into()],
        stored: vec!["nowhere".into(), "meta.site".into(), "number".into(), "text".into()],
    }
}

/// All rows, read in chunks of about so many bytes.
fn rows_of(inputs: &Inputs, fields: &Fields, chunk_bytes: usize) -> Vec<Row> {
    let reader = Reader::with_chunk_bytes(inputs, fields, Scan::Documents, chunk_bytes);
    let (mut scratch, mut rows, mut before) = (Scratch::default(), Vec::new(), 0);
    while let Some(chunk) = reader.next().unwrap() {
        let mut loaded = chunk.load(&mut scratch).unwrap();
        loaded.for_each(|record| {
            rows.push(match record {
                Ok(record) => Row {
                    row: before + u64::from(record.place.line),
                    text: Ok(record.text.to_owned()),
                    id: record.id.map(str::to_owned),
                    number: record.number,
                    within: record.within.map(|values| values.encoded().to_owned()),
                    stored: record.stored.cloned(),
                },
                Err(bad) => Row {
                    row: before + u64::from(bad.line),
                    text: Err(bad.problem),
                    id: None,
                    number: None,
                    within: None,
                    stored: None,
                },
            });
        });
        before += u64::from(loaded.lines());
    }
    rows
}

/// Texts and nulls, some empty, some beyond ASCII, some longer than a small chunk.
fn texts(count: usize) -> Vec<Option<String>> {
    let odd = ["", "plain", "two\nlines", "日本語 😀", "é"];
    let text = |row: usize| format!("{}{}", odd[row % 5], " some words".repeat(row * 7 % 40));
    (0..count).map(|row| (row % 11 != 4).then(|| text(row))).collect()
}

/// Rows with fields of all kinds. Every column but that of numbers has nulls.
fn batch(count: usize) -> RecordBatch {
    let text: StringArray = texts(count).into_iter().collect();
    let id: Int64Array = (0..count as i64).map(|row| (row % 13 != 1).then_some(row * 3)).collect();
    let number: Float64Array = (0..count).map(|row| Some(row as f64 / 4.0)).collect();
    let group: StringArray = (0..count).map(|row| (row % 3 != 0).then(|| format!("g{}", row % 5))).collect();
    let site: StringArray = (0..count).map(|row| Some(format!("s{}", row % 4))).collect();
    let inner: StringArray = texts(count).into_iter().collect();
    let nulls = (0..count).map(|row| row % 6 != 5).collect::<Vec<_>>().into();
    let columns: Vec<ArrayRef> = vec![Arc::new(site), Arc::new(inner)];
    let names = vec![Field::new("site", DataType::Utf8, true), Field::new("text", DataType::Utf8, true)];
    let meta = StructArray::new(names.into(), columns, Some(nulls));
    let columns: [(&str, ArrayRef, bool); 5] = [
        ("text", Arc::new(text), true),
        ("id", Arc::new(id), true),
        ("number", Arc::new(number), true),
        ("group", Arc::new(group), true),
        ("meta", Arc::new(meta), true),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

/// Slices of a batch, of different lengths, some without rows.
fn slices(batch: &RecordBatch) -> Vec<RecordBatch> {
    let (mut start, mut slices) = (0, Vec::new());
    for length in [0, 1, 7, 0, 64, 100, 3].into_iter().cycle() {
        let length = length.min(batch.num_rows() - start);
        slices.push(batch.slice(start, length));
        start += length;
        if start == batch.num_rows() {
            return slices;
        }
    }
    slices
}

fn write_parquet(path: &Path, batch: &RecordBatch) -> Inputs {
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    inputs_of(path)
}

#[test]
fn batches_have_the_records_of_a_parquet_file() {
    let folder = tempfile::tempdir().unwrap();
    for count in [0, 1, 2, 1500] {
        let batch = batch(count);
        let file = write_parquet(&folder.path().join(format!("{count}.parquet")), &batch);
        for text in ["text", "meta.text"] {
            let fields = Fields { text: text.into(), ..all_fields() };
            let expected = rows_of(&file, &fields, 1 << 20);
            assert_eq!(expected.len(), count);
            if let Some(last) = expected.get(1402) {
                let stored = last.stored.as_ref().unwrap();
                let text = texts(count)[1402].clone().unwrap();
                let values = ["s2", "350.5", &text].map(|value| Some(StoredValue::Text(value)));
                assert_eq!([1, 2, 3].map(|field| stored.get(field)), values);
                assert_eq!((stored.get(0), stored.get(4)), (None, None));
            }
            for batches in [vec![batch.clone()], slices(&batch)] {
                let memory = Inputs::of_batches("frame", batches);
                for chunk_bytes in [1, 700, 1 << 20] {
                    assert_eq!(rows_of(&memory, &fields, chunk_bytes), expected, "{count} rows, {text}");
                }
            }
        }
    }
}

#[test]
fn texts_of_every_type_of_arrow_are_the_same_texts() {
    let texts = texts(500);
    let types = [
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)),
        DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::LargeUtf8)),
        DataType::Dictionary(Box::new(DataType::Int64), Box::new(DataType::Utf8View)),
    ];
    let plain: ArrayRef = Arc::new(texts.iter().map(Option::as_deref).collect::<LargeStringArray>());
    for data_type in types {
        // Keys of eight bits have room for few texts.
        let rows = if matches!(&data_type, DataType::Dictionary(keys, _) if **keys == DataType::Int8) {
            100
        } else {
            500
        };
        let column = cast(&plain.slice(0, rows), &data_type).unwrap();
        let batch = RecordBatch::try_from_iter([("text", column.clone()), ("id", column)]).unwrap();
        let found = rows_of(&Inputs::of_batches("frame", slices(&batch)), &fields(), 2000);
        let found: Vec<_> = found.into_iter().map(|row| (row.text.ok(), row.id)).collect();
        let expected: Vec<_> = texts[..rows].iter().map(|text| (text.clone(), text.clone())).collect();
        assert_eq!(found, expected, "{data_type}");
    }
}

#[test]
fn texts_are_read_where_they_are() {
    let text = StringArray::from(vec!["some words of a text", "other words of a text"]);
    let views: StringViewArray = text.iter().collect();
    let ends = [text.value(1).as_ptr(), views.value(1).as_ptr()];
    let columns: [ArrayRef; 2] = [Arc::new(text), Arc::new(views)];
    for (column, expected) in columns.into_iter().zip(ends) {
        let batch = RecordBatch::try_from_iter([("text", column)]).unwrap();
        let inputs = Inputs::of_batches("frame", vec![batch.slice(1, 1)]);
        let fields = fields();
        let reader = Reader::new(&inputs, &fields, Scan::Documents);
        let mut scratch = Scratch::default();
        let mut loaded = reader.next().unwrap().unwrap().load(&mut scratch).unwrap();
        assert!(!loaded.is_decoded());
        assert_eq!(loaded.record(Place { offset: 0, line: 0 }).unwrap().text.as_ptr(), expected);
    }
}

/// Texts that are not UTF-8, and how often each was converted.
#[derive(Default)]
struct List {
    texts: Vec<Option<Vec<u16>>>,
    converted: Vec<AtomicUsize>,
}

impl List {
    fn new(texts: Vec<Option<String>>) -> List {
        let converted = texts.iter().map(|_| AtomicUsize::new(0)).collect();
        let encoded = |text: String| text.encode_utf16().collect();
        List { texts: texts.into_iter().map(|text| text.map(encoded)).collect(), converted }
    }
}

impl Texts for List {
    fn rows(&self) -> usize {
        self.texts.len()
    }

    fn length(&self, row: usize) -> u64 {
        self.texts[row].as_ref().map_or(0, |text| text.len() as u64)
    }

    fn texts<'t>(
        &'t self,
        rows: &[usize],
        buffer: &'t mut Vec<u8>,
    ) -> Result<Vec<Option<&'t str>>, UnreadableText> {
        buffer.clear();
        let mut spans = Vec::new();
        for &row in rows {
            self.converted[row].fetch_add(1, Relaxed);
            let start = buffer.len();
            if let Some(text) = &self.texts[row] {
                buffer.extend_from_slice(String::from_utf16(text)?.as_bytes());
            }
            spans.push(self.texts[row].as_ref().map(|_| start..buffer.len()));
        }
        let text = std::str::from_utf8(buffer)?;
        Ok(spans.into_iter().map(|span| Some(&text[span?])).collect())
    }
}

#[test]
fn only_wanted_texts_are_converted() {
    let full: Vec<Option<String>> =
        texts(2000).into_iter().map(|text| Some(text.unwrap_or_default())).collect();
    let list = Arc::new(List::new(full.clone()));
    let inputs = Inputs::of_texts("list", Arc::clone(&list));
    let fields = fields();
    let reader = Reader::with_chunk_bytes(&inputs, &fields, Scan::Documents, 5000);
    let (mut scratch, mut first, mut chunks) = (Scratch::default(), 0, 0);
    let is_wanted = |offset: u32| offset % 3 == 1 || offset == 5;
    while let Some(chunk) = reader.next().unwrap() {
        let wanted = (0..10).filter(|&offset| is_wanted(offset)).map(|offset| offset..offset + 1);
        let mut loaded = chunk.load_parts(wanted, &mut scratch).unwrap();
        let count = loaded.lines();
        for offset in (0..count).rev() {
            let converted = list.converted[first + offset as usize].load(Relaxed);
            let record = loaded.record(Place { offset, line: offset });
            if offset < 10 && is_wanted(offset) {
                assert_eq!(Some(record.unwrap().text), full[first + offset as usize].as_deref());
                assert_eq!(converted, 1);
            } else {
                assert_eq!(record.unwrap_err().problem, Problem::Gone);
                assert_eq!(converted, 0);
            }
        }
        (first, chunks) = (first + count as usize, chunks + 1);
    }
    assert!(first == full.len() && chunks > 20, "{chunks} chunks");
}

#[test]
fn a_text_that_cannot_be_read_ends_the_scan_with_its_reason() {
    let mut list = List::new(vec![Some("some words".into()), None, Some("a".into())]);
    list.texts[2] = Some(vec![0xd800]);
    let inputs = Inputs::of_texts("list", list);
    let fields = fields();
    let mut scratch = Scratch::default();
    let readers = [(); 2].map(|()| Reader::new(&inputs, &fields, Scan::Documents));
    let [all, some] = readers.each_ref().map(|reader| reader.next().unwrap().unwrap());
    let Err(Error::UnreadableText { name, source }) = all.load(&mut scratch) else {
        panic!("half of a surrogate pair is no text")
    };
    assert!(name == "list" && source.is::<std::string::FromUtf16Error>());
    // Others may be read.
    let mut loaded = some.load_parts(std::iter::once(0..2), &mut scratch).unwrap();
    assert_eq!(loaded.record(Place { offset: 0, line: 0 }).unwrap().text, "some words");
}

#[test]
fn a_list_has_the_records_of_batches_with_the_same_texts() {
    for count in [0, 1, 1500] {
        let column: StringArray = texts(count).into_iter().collect();
        let batch = RecordBatch::try_from_iter([("text", Arc::new(column) as ArrayRef)]).unwrap();
        let fields = Fields { id: Some("id".into()), ..Fields::of_text("text") };
        let expected = rows_of(&Inputs::of_batches("frame", slices(&batch)), &fields, 1 << 20);
        let list = Inputs::of_texts("list", List::new(texts(count)));
        for chunk_bytes in [1, 700, 1 << 20] {
            assert_eq!(rows_of(&list, &fields, chunk_bytes), expected, "{count} rows");
        }
    }
}

#[test]
fn rows_of_a_list_have_groups_as_rows_of_batches_do() {
    struct Grouped([[Option<&'static str>; 2]; 4]);

    impl Texts for Grouped {
        fn rows(&self) -> usize {
            self.0.len()
        }

        fn length(&self, _: usize) -> u64 {
            4
        }

        fn texts<'t>(
            &'t self,
            rows: &[usize],
            _: &'t mut Vec<u8>,
        ) -> Result<Vec<Option<&'t str>>, UnreadableText> {
            Ok(rows.iter().map(|_| Some("text")).collect())
        }

        fn within(&self, row: usize, field: usize) -> Option<&str> {
            self.0[row][field]
        }
    }

    let groups = [[Some("a"), Some("b")], [None, Some("ab")], [Some("ab"), None], [None, None]];
    let column = |values: Vec<Option<&str>>| Arc::new(StringArray::from(values)) as ArrayRef;
    let batch = RecordBatch::try_from_iter([
        ("text", column(vec![Some("text"); 4])),
        ("first", column(groups.iter().map(|row| row[0]).collect())),
        ("second", column(groups.iter().map(|row| row[1]).collect())),
    ]);
    let fields = Fields { within: vec!["first".into(), "second".into()], ..Fields::of_text("text") };
    let expected = rows_of(&Inputs::of_batches("frame", vec![batch.unwrap()]), &fields, 1 << 20);
    let found = rows_of(&Inputs::of_texts("list", Grouped(groups)), &fields, 1 << 20);
    assert_eq!(found, expected);
    assert!(found[1].within != found[2].within && found[3].within.as_ref().is_some_and(Vec::is_empty));
}

#[test]
fn places_are_the_same_in_every_scan_and_by_any_number_of_workers() {
    let full: Vec<String> = texts(20_000).into_iter().map(Option::unwrap_or_default).collect();
    let column: ArrayRef = Arc::new(full.iter().map(Some).collect::<StringArray>());
    let batch = RecordBatch::try_from_iter([("text", column)]).unwrap();
    let sources = [
        Inputs::of_texts("list", full.clone()),
        Inputs::of_batches("frame", vec![batch.clone()]),
        Inputs::of_batches("frame", slices(&batch)),
    ];
    for inputs in sources {
        let found = scan(&inputs, 1);
        assert!(found.iter().map(|found| &found.text).eq(&full));
        assert!(found.last().unwrap().chunk.sequence > 2, "all workers have work");
        assert_eq!(scan(&inputs, 4), found);

        // Places lead to the records, in any order and without the others.
        let fields = fields();
        let reader = Reader::new(&inputs, &fields, Scan::DocumentsInOrder);
        let mut scratch = Scratch::default();
        while let Some(chunk) = reader.next().unwrap() {
            let wanted: Vec<_> = found.iter().filter(|found| found.chunk == chunk.id()).step_by(3).collect();
            let parts = wanted.iter().map(|found| found.place.offset..found.place.offset + 1);
            let mut loaded = chunk.load_parts(parts, &mut scratch).unwrap();
            for found in wanted.iter().rev() {
                assert_eq!(loaded.record(found.place).unwrap().text, found.text);
            }
            let gone = Place { offset: u32::MAX, line: u32::MAX };
            assert_eq!(loaded.record(gone).unwrap_err().problem, Problem::Gone);
            assert_eq!(loaded.raw(Place { offset: 0, line: 0 }), None);
        }
    }
}

#[test]
fn a_source_without_a_column_of_texts_is_one_bad_record() {
    let number: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let batch = RecordBatch::try_from_iter([("number", number)]).unwrap();
    let problem = |text: &str, scan| {
        let inputs = Inputs::of_batches("frame", vec![batch.clone()]);
        assert_eq!(inputs.files()[0].columns().unwrap(), ["number"]);
        let fields = Fields { text: text.into(), ..fields() };
        let reader = Reader::new(&inputs, &fields, scan);
        let (mut scratch, mut found) = (Scratch::default(), Vec::new());
        while let Some(chunk) = reader.next().unwrap() {
            let mut loaded = chunk.load(&mut scratch).unwrap();
            loaded.for_each(|record| found.push(record.map(|record| record.text.to_owned())));
        }
        found
    };
    let [Err(missing)] = &problem("text", Scan::Documents)[..] else { panic!("one bad record") };
    assert_eq!(missing.problem.to_string(), "no column \"text\"; columns seen: number");
    assert!(missing.problem.is_of_file());
    let [Err(number)] = &problem("number", Scan::Documents)[..] else { panic!("one bad record") };
    assert!(matches!(number.problem, Problem::ColumnType { .. }));
    assert_eq!(problem("number", Scan::Lists), [Ok("1".into()), Ok("2".into())]);
}

#[test]
fn longer_records_than_wanted_are_bad() {
    let texts = ["four", "fives", ""];
    let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
    let batch = RecordBatch::try_from_iter([("text", column)]).unwrap();
    for mut inputs in [Inputs::of_texts("list", texts.to_vec()), Inputs::of_batches("frame", vec![batch])] {
        inputs.skip_longer(4);
        let rows = rows_of(&inputs, &fields(), 1 << 20);
        assert_eq!(rows[1].text, Err(Problem::RecordTooLong { length: 5, limit: 4 }));
        assert!(rows[0].text.is_ok() && rows[2].text.is_ok());
    }
}

#[test]
fn a_source_in_memory_is_known_as_such() {
    let inputs = Inputs::of_texts("list", vec!["é", "b"]);
    let [source] = inputs.files() else { panic!("one source") };
    assert_eq!((source.format, source.length(), source.stamp()), (Format::Memory, 3, None));
    assert!(!source.format.is_one_document());
    assert_eq!((source.name.as_str(), source.path.as_path()), ("list", Path::new("")));
    assert_eq!(source.columns().unwrap(), Vec::<String>::new());
}

#[test]
fn kept_records_of_memory_are_written_by_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let fields = fields();
    for out in ["kept.jsonl", "kept.parquet", "folder", "-"] {
        for mode in [RecordMode::Copy, RecordMode::Annotate { score: "jaccard" }] {
            let inputs = Inputs::of_texts("list", vec!["a"]);
            let out = if out == "-" { out.into() } else { folder.path().join(out) };
            let refused = KeptWriter::create(&inputs, &fields, &out, mode).map(|_| ()).unwrap_err();
            assert!(matches!(&refused, Error::InMemory { name } if name == "list"), "{refused}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // Sources that are only compared with are never written.
    std::fs::write(folder.path().join("in.jsonl"), "{\"text\":\"a\"}\n").unwrap();
    let against = Inputs::of_texts("list", vec!["a"]).all_against();
    let inputs = inputs_of(&folder.path().join("in.jsonl")).join(against).unwrap();
    KeptWriter::create(&inputs, &fields, &folder.path().join("kept.jsonl"), RecordMode::Copy).unwrap();
}

#[test]
fn sources_and_files_are_read_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.jsonl");
    std::fs::write(&path, "{\"text\":\"of a file\"}\n").unwrap();
    let list = || Inputs::of_texts("list", vec!["of a list", "of it too"]);
    let column: ArrayRef = Arc::new(StringArray::from(vec!["of a frame"]));
    let frame = Inputs::of_batches("frame", vec![RecordBatch::try_from_iter([("text", column)]).unwrap()]);
    let inputs = list().join(inputs_of(&path)).unwrap().join(frame.all_against()).unwrap();
    assert_eq!(inputs.against(), 1);
    let found: Vec<(ChunkId, String)> =
        scan(&inputs, 2).into_iter().map(|found| (found.chunk, found.text)).collect();
    let chunk = |file| ChunkId { file, sequence: 0 };
    let expected = [(0, "of a frame"), (1, "of a list"), (1, "of it too"), (2, "of a file")];
    assert_eq!(found, expected.map(|(file, text)| (chunk(file), text.to_owned())));

    assert!(matches!(inputs_of(&path).join(inputs_of(&path)), Err(Error::Twice { .. })));
    let against = inputs_of(&path).all_against();
    assert!(matches!(inputs_of(&path).join(against), Err(Error::AlsoInput { .. })));
    assert!(matches!(list().join(list()), Err(Error::SameName { name }) if name == "list"));
}

#[test]
fn dictionaries_may_have_keys_without_a_value() {
    let text: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None, Some("b")]));
    let data_type = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let dictionary = cast(&text, &data_type).unwrap();
    let keys = dictionary.as_dictionary::<Int32Type>().keys().clone();
    // A null among the values, as pandas and Polars have it.
    let values: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
    let nulls = arrow_array::DictionaryArray::new(keys, values);
    let columns: [(&str, ArrayRef); 1] = [("text", Arc::new(nulls))];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    assert_eq!(batch.column(0).len(), 3);
    let rows = rows_of(&Inputs::of_batches("frame", vec![batch]), &fields(), 1 << 20);
    let texts: Vec<_> = rows.into_iter().map(|row| row.text.ok()).collect();
    assert_eq!(texts, [Some("a".to_owned()), None, None]);
}

#[test]
fn a_source_in_memory_has_a_name_of_its_own() {
    let texts = |name: &str| Inputs::of_texts(name, vec!["some words"]);
    let refused = |joined: Result<Inputs, Error>, named: &str| {
        assert!(matches!(joined, Err(Error::SameName { name }) if name == named));
    };
    refused(texts("a").join(texts("a")), "a");
    refused(texts("a").join(texts("a").all_against()), "a");
    refused(texts("a").join(texts("b")).unwrap().join(texts("b")), "b");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    std::fs::write(&path, "words").unwrap();
    let file = || inputs_of(&path);
    let name = file().files()[0].name.clone();
    refused(file().join(texts(&name)), &name);
    refused(texts(&name).join(file()), &name);
    assert_eq!(texts("a").join(file()).unwrap().join(texts("b")).unwrap().files().len(), 3);
}
