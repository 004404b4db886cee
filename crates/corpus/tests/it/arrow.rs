//! Arrow files and streams: their values, types and forms, and damaged ones.

use std::{collections::HashMap, fs, path::Path, sync::Arc};

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Decimal128Array, DictionaryArray, Float64Array, Int32Array,
    LargeStringArray, ListArray, NullArray, RecordBatch, StringArray, StringViewArray, StructArray,
    TimestampMicrosecondArray, UInt32Array, cast::AsArray, types::Int32Type,
};
use arrow_ipc::{
    CompressionType,
    reader::{FileReader, StreamReader},
    writer::{FileWriter, IpcWriteOptions, StreamWriter},
};
use arrow_schema::{Field, Schema};
use arrow_select::{concat::concat_batches, take::take_record_batch};

use crate::corpus::{fields, inputs_of};
use lookalike_corpus::{
    Annotation, BadRecord, Cell, Error, Fields, Inputs, KeptRows, KeptWriter, Place, Problem, Reader,
    RecordMode, Scan, Scratch, Waiting,
};

/// Rows of many types. Every third text is null, and the dictionary has values that no row has.
fn rows(count: i32) -> RecordBatch {
    let number = |row: i32| (row % 3 != 0).then_some(row);
    let text = |row: i32| number(row).map(|row| format!("text {row}"));
    let texts: StringArray = (0..count).map(text).collect();
    let keys: Int32Array = (0..count).map(|row| number(row).map(|row| row % 2)).collect();
    let values = Arc::new(StringArray::from(vec!["even", "odd", "no row"]));
    let inner = Field::new("n", arrow_schema::DataType::Int32, true);
    let numbers: ArrayRef = Arc::new((0..count).map(number).collect::<Int32Array>());
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(texts)),
        ("id", Arc::new((0..count).map(|row| Some(format!("d{row}"))).collect::<LargeStringArray>())),
        (
            "view",
            Arc::new(
                (0..count)
                    .map(|row| Some(format!("a view of more than 12 bytes {row}")))
                    .collect::<StringViewArray>(),
            ),
        ),
        ("dictionary", Arc::new(DictionaryArray::<Int32Type>::try_new(keys, values).unwrap())),
        (
            "list",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(
                (0..count).map(|row| Some(vec![number(row); row as usize % 4])),
            )),
        ),
        ("struct", Arc::new(StructArray::from(vec![(Arc::new(inner), Arc::clone(&numbers))]))),
        ("decimal", Arc::new((0..count).map(|row| number(row).map(i128::from)).collect::<Decimal128Array>())),
        (
            "time",
            Arc::new(
                (0..count)
                    .map(|row| number(row).map(i64::from))
                    .collect::<TimestampMicrosecondArray>()
                    .with_timezone("Europe/Paris"),
            ),
        ),
        ("float", Arc::new((0..count).map(|row| Some(f64::from(row) / 7.0)).collect::<Float64Array>())),
        ("boolean", Arc::new((0..count).map(|row| Some(row % 2 == 0)).collect::<BooleanArray>())),
        ("null", Arc::new(NullArray::new(count as usize))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let fields = batch.schema().fields().clone();
    let schema =
        Schema::new_with_metadata(fields, HashMap::from([("a key".to_owned(), "a value".to_owned())]));
    batch.with_schema(Arc::new(schema)).unwrap()
}

fn options(compression: Option<CompressionType>) -> IpcWriteOptions {
    IpcWriteOptions::default().try_with_compression(compression).unwrap()
}

fn file(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let schema = batches[0].schema();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &schema, options(compression)).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.write_metadata("of the file", "7");
    writer.into_inner().unwrap()
}

fn stream(batches: &[RecordBatch], compression: Option<CompressionType>) -> Vec<u8> {
    let schema = batches[0].schema();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &schema, options(compression)).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

/// The texts, with a mark for null, and the bad records.
fn read(path: &Path) -> (Vec<String>, Vec<BadRecord>) {
    let fields = Fields { null_texts: true, ..fields() };
    let inputs = inputs_of(path);
    let reader = Reader::new(&inputs, &fields, Scan::DocumentsInOrder);
    let (mut scratch, mut texts, mut bad) = (Scratch::default(), Vec::new(), Vec::new());
    while let Some(chunk) = reader.next().unwrap() {
        chunk.load(&mut scratch).unwrap().for_each(|record| match record {
            Ok(record) => texts.push(if record.is_null { "null".to_owned() } else { record.text.to_owned() }),
            Err(record) => bad.push(record),
        });
    }
    (texts, bad)
}

/// Writes the rows of which `keep` is true, by their number in the input.
fn keep(inputs: &Inputs, out: &Path, mode: RecordMode, keep: impl Fn(usize) -> bool) -> Result<(), Error> {
    let fields = fields();
    let writer = KeptWriter::create(inputs, &fields, out, mode)?;
    let reader = Reader::new(inputs, &fields, writer.scan());
    let (mut scratch, mut before) = (Scratch::default(), 0);
    while let Some(chunk) = reader.next()? {
        let loaded = chunk.load(&mut scratch)?;
        let places = (0..loaded.lines()).map(|row| Place { offset: row, line: row });
        let places: Vec<_> = places.filter(|place| keep(before + place.line as usize)).collect();
        let annotation = Annotation {
            cluster: None,
            kept: true,
            kept_id: None,
            score: Cell::Absent,
            containment: Cell::Number(0.5),
            duplicates: 2,
        };
        match mode {
            RecordMode::Copy | RecordMode::Edit => writer.write(&loaded, KeptRows::Copied(&places))?,
            RecordMode::Annotate { .. } => {
                let rows: Vec<_> = places.into_iter().map(|place| (place, annotation)).collect();
                writer.write(&loaded, KeptRows::Annotated(&rows))?;
            }
        }
        before += loaded.lines() as usize;
    }
    writer.complete()?.publish().map(drop)
}

#[test]
fn kept_rows_have_the_types_the_form_and_the_compression_of_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let batch = rows(3000);
    let batches = [batch.slice(0, 1500), batch.slice(1500, 7), batch.slice(1507, 1493)];
    let kept = UInt32Array::from_iter_values((0..3000).filter(|row| row % 5 < 2));
    let expected = take_record_batch(&batch, &kept).unwrap();
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        let (path, out) = (folder.path().join("a.feather"), folder.path().join("out.feather"));
        fs::write(&path, file(&batches, compression)).unwrap();
        keep(&inputs_of(&path), &out, RecordMode::Copy, |row| row % 5 < 2).unwrap();
        let reader = FileReader::try_new(fs::File::open(&out).unwrap(), None).unwrap();
        assert_eq!(reader.custom_metadata().get("of the file").map(String::as_str), Some("7"));
        assert_eq!(reader.schema(), batch.schema());
        let written: Vec<_> = reader.map(Result::unwrap).collect();
        assert_eq!(concat_batches(&batch.schema(), &written).unwrap(), expected);
        // The same rows in the same batches, in the same compression, are the same bytes.
        let again = file(&written, compression);
        assert_eq!(fs::read(&out).unwrap().len(), again.len(), "{compression:?}");

        let (path, out) = (folder.path().join("a.arrow"), folder.path().join("out.arrow"));
        fs::write(&path, stream(&batches, compression)).unwrap();
        keep(&inputs_of(&path), &out, RecordMode::Copy, |row| row % 5 < 2).unwrap();
        let reader = StreamReader::try_new(fs::File::open(&out).unwrap(), None).unwrap();
        assert_eq!(reader.schema(), batch.schema());
        let written: Vec<_> = reader.map(Result::unwrap).collect();
        assert_eq!(concat_batches(&batch.schema(), &written).unwrap(), expected);
        assert_eq!(fs::read(&out).unwrap(), stream(&written, compression), "{compression:?}");
    }
}

#[test]
fn annotated_rows_have_more_columns() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("a.arrow"), folder.path().join("out.arrow"));
    fs::write(&path, stream(&[rows(10)], None)).unwrap();
    keep(&inputs_of(&path), &out, RecordMode::Annotate { score: "jaccard" }, |_| true).unwrap();
    let mut reader = StreamReader::try_new(fs::File::open(&out).unwrap(), None).unwrap();
    let batch = reader.next().unwrap().unwrap();
    assert_eq!((batch.num_rows(), batch.num_columns()), (10, 17));
    assert_eq!(batch["duplicate_count"].as_primitive::<arrow_array::types::Int64Type>().value(9), 2);
    assert_eq!(batch["containment"].as_primitive::<arrow_array::types::Float64Type>().value(9), 0.5);
    let error =
        keep(&inputs_of(&out), &path, RecordMode::Annotate { score: "jaccard" }, |_| true).unwrap_err();
    assert!(matches!(error, Error::FieldExists { field: "cluster", .. }), "{error}");
}

#[test]
fn files_with_the_same_columns_are_joined_and_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.arrow", "b.arrow", "c.arrow"].map(|name| folder.path().join(name));
    fs::write(&paths[0], stream(&[rows(10)], None)).unwrap();
    fs::write(&paths[1], file(&[rows(20)], None)).unwrap();
    fs::write(&paths[2], file(&[rows(20).project(&[0, 1]).unwrap()], None)).unwrap();
    let inputs = |of: &[usize]| {
        let names: Vec<_> = of.iter().map(|&index| paths[index].to_str().unwrap().to_owned()).collect();
        Inputs::resolve(&names, &Waiting::default()).unwrap()
    };
    let out = folder.path().join("out.arrow");
    keep(&inputs(&[0, 1]), &out, RecordMode::Copy, |_| true).unwrap();
    let reader = StreamReader::try_new(fs::File::open(&out).unwrap(), None).unwrap();
    assert_eq!(reader.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 30);
    let error = keep(&inputs(&[0, 2]), &out, RecordMode::Copy, |_| true).unwrap_err();
    assert!(matches!(error, Error::ColumnsDiffer { .. }), "{error}");
    // A file has one dictionary for each column.
    let error = keep(&inputs(&[1, 0]), &out, RecordMode::Copy, |_| true).unwrap_err();
    assert!(matches!(error, Error::ArrowTypes { .. }), "{error}");
}

#[test]
fn each_batch_of_a_stream_has_the_values_that_stand_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.arrow");
    let batch = |values: [&str; 2]| {
        let keys = Int32Array::from(vec![0, 1, 1]);
        let texts = DictionaryArray::<Int32Type>::try_new(keys, Arc::new(StringArray::from(values.to_vec())));
        RecordBatch::try_from_iter([("text", Arc::new(texts.unwrap()) as ArrayRef)]).unwrap()
    };
    fs::write(&path, stream(&[batch(["a", "b"]), batch(["c", "d"])], None)).unwrap();
    assert_eq!(read(&path), (["a", "b", "b", "c", "d", "d"].map(str::to_owned).to_vec(), vec![]));
    let out = folder.path().join("out.arrow");
    keep(&inputs_of(&path), &out, RecordMode::Copy, |row| row != 1).unwrap();
    assert_eq!(read(&out).0, ["a", "b", "c", "d", "d"]);
}

#[test]
fn bytes_are_texts_if_they_are_utf_8() {
    let folder = tempfile::tempdir().unwrap();
    let texts: BinaryArray = [Some(&b"a"[..]), Some(b"b\xff"), None, Some(b"d")].into_iter().collect();
    let batch = RecordBatch::try_from_iter([("text", Arc::new(texts) as ArrayRef)]).unwrap();
    let path = folder.path().join("a.arrow");
    fs::write(&path, stream(std::slice::from_ref(&batch), None)).unwrap();
    let bad = BadRecord { line: 1, problem: Problem::InvalidUtf8 { byte: 1 } };
    let expected = (["a", "null", "d"].map(str::to_owned).to_vec(), vec![bad]);
    assert_eq!(read(&path), expected);
    let path = folder.path().join("a.parquet");
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(fs::File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    assert_eq!(read(&path), expected);
}

#[test]
fn views_are_written_without_the_bytes_of_other_rows() {
    let folder = tempfile::tempdir().unwrap();
    let text = |row: usize| format!("{row} {}", "a text of many words ".repeat(10));
    let texts: StringViewArray = (0..10_000).map(|row| Some(text(row))).collect();
    let lists = arrow_array::ListArray::try_new(
        Arc::new(Field::new_list_field(arrow_schema::DataType::Utf8View, true)),
        arrow_buffer::OffsetBuffer::from_lengths(vec![1; 10_000]),
        Arc::new(texts.clone()),
        None,
    );
    let columns: [(&str, ArrayRef); 2] = [("text", Arc::new(texts)), ("list", Arc::new(lists.unwrap()))];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let (path, out) = (folder.path().join("a.arrow"), folder.path().join("out.arrow"));
    fs::write(&path, file(&[batch], None)).unwrap();
    keep(&inputs_of(&path), &out, RecordMode::Copy, |row| row % 10 == 0).unwrap();
    let (before, after) = (fs::metadata(&path).unwrap().len(), fs::metadata(&out).unwrap().len());
    assert!(after < before / 8, "{after} of {before}");
    assert_eq!(read(&out).0.len(), 1000);
}

#[test]
fn streams_that_were_joined_are_read_and_a_broken_batch_of_a_file_does_not_affect_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.arrow");
    let one = stream(&[rows(10)], None);
    fs::write(&path, [&one[..], &one].concat()).unwrap();
    assert_eq!(read(&path).0.len(), 20);
    fs::write(&path, [&one[..], b"behind the end of the stream"].concat()).unwrap();
    let (texts, bad) = read(&path);
    assert_eq!((texts.len(), bad.len()), (10, 1));
    let batches: Vec<_> = (0..5).map(|_| rows(10).project(&[0, 1]).unwrap()).collect();
    let mut damaged = file(&batches, None);
    // The head of the third record batch.
    let heads: Vec<_> = damaged
        .windows(4)
        .enumerate()
        .filter(|(_, bytes)| bytes == b"\xff\xff\xff\xff")
        .map(|(at, _)| at)
        .collect();
    let third = heads[3];
    damaged[third + 8..third + 16].fill(0xff);
    fs::write(&path, damaged).unwrap();
    let (texts, bad) = read(&path);
    assert_eq!((texts.len(), bad.len()), (40, 1), "{bad:?}");
}

#[test]
fn a_file_that_is_cut_off_or_wrong_anywhere_is_reported_or_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.arrow");
    let batch = rows(4).project(&[0, 3]).unwrap();
    let two = [batch.slice(0, 2), batch.slice(2, 2)];
    for compression in [None, Some(CompressionType::LZ4_FRAME)] {
        let (file, stream) = (file(&two, compression), stream(&two, compression));
        for length in 0..file.len() {
            fs::write(&path, &file[..length]).unwrap();
            let (_, bad) = read(&path);
            assert!(!bad.is_empty(), "a file of {length} bytes");
        }
        // A stream may end behind any record batch, with or without the mark of its end.
        let ends = (0..=stream.len()).filter(|&length| {
            fs::write(&path, &stream[..length]).unwrap();
            read(&path).1.is_empty()
        });
        let ends: Vec<_> = ends.collect();
        assert!((4..=8).contains(&ends.len()), "{ends:?}");
        for whole in [&file, &stream] {
            for place in 0..whole.len() {
                let mut damaged = whole.clone();
                damaged[place] ^= 0xff;
                fs::write(&path, damaged).unwrap();
                read(&path);
            }
        }
    }
}

#[test]
fn a_batch_that_claims_much_memory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.arrow");
    let batch = RecordBatch::try_from_iter([(
        "text",
        Arc::new(StringArray::from(vec!["word ".repeat(100)])) as ArrayRef,
    )]);
    let mut bytes = stream(&[batch.unwrap()], Some(CompressionType::ZSTD));
    // The length of the texts stands before them.
    let at = bytes.windows(12).rposition(|bytes| bytes == b"\xf4\x01\0\0\0\0\0\0\x28\xb5\x2f\xfd").unwrap();
    bytes[at..at + 8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    fs::write(&path, bytes).unwrap();
    let (texts, bad) = read(&path);
    assert!(texts.is_empty());
    assert!(bad[0].problem.to_string().contains("1048577 MiB in memory"), "{bad:?}");
}

#[test]
fn a_batch_that_has_no_room_in_memory_is_named_in_every_scan() {
    let folder = tempfile::tempdir().unwrap();
    let long = "word ".repeat(200_000);
    let batch = |text: &str| {
        let texts: ArrayRef = Arc::new(StringArray::from(vec![text]));
        RecordBatch::try_from_iter([("text", texts)]).unwrap()
    };
    let batches = [batch("a"), batch(&long), batch("b")];
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        for bytes in [file(&batches, compression), stream(&batches, compression)] {
            let path = folder.path().join("a.arrow");
            fs::write(&path, bytes).unwrap();
            for (limit, expected) in [(2_100_000, 3), (900_000, 2)] {
                let mut inputs = inputs_of(&path);
                inputs.hold_batches(limit);
                let fields = Fields::of_text("text");
                for scan in [Scan::Documents, Scan::RecordsInOrder] {
                    let reader = Reader::new(&inputs, &fields, scan);
                    let (mut scratch, mut rows, mut broken) = (Scratch::default(), 0, Vec::new());
                    while let Some(chunk) = reader.next().unwrap() {
                        broken.extend(chunk.broken().map(ToString::to_string));
                        rows += usize::from(chunk.broken().is_none());
                        drop(chunk.load(&mut scratch).unwrap());
                    }
                    assert_eq!(rows, expected, "{compression:?} {scan:?}");
                    assert_eq!(broken.len(), 3 - expected);
                    assert!(
                        broken.iter().all(|problem| problem.contains("give more --memory")),
                        "{broken:?}"
                    );
                }
            }
        }
    }
}
