//! Kept rows of Parquet have the types and the values of their file, also types that Arrow has not.

use std::{fs::File, path::Path, sync::Arc};

use crate::corpus::{all_rows, fields, inputs_of};
use lookalike_corpus::{Annotation, Cell, Error, KeptRows, KeptWriter, Place, Reader, RecordMode, Scratch};
use parquet::{
    basic::Compression,
    data_type::{
        ByteArray, ByteArrayType, DataType, FixedLenByteArrayType, Int32Type, Int64Type, Int96, Int96Type,
    },
    file::{
        metadata::KeyValue,
        properties::WriterProperties,
        reader::{FileReader, SerializedFileReader},
        writer::{SerializedFileWriter, SerializedRowGroupWriter},
    },
    record::Row,
    schema::{parser::parse_message_type, types::ColumnPath},
};
use proptest::prelude::*;

const SCHEMA: &str = "message spark_schema {
    required byte_array text (STRING) = 7;
    optional int96 ts;
    optional fixed_len_byte_array(16) u (UUID);
    optional byte_array j (JSON);
    required byte_array b (BSON);
    optional byte_array e (ENUM);
    optional int64 tz (TIME(MICROS, true));
    optional int64 local (TIMESTAMP(NANOS, false));
    required int32 day (DATE);
    optional fixed_len_byte_array(12) i;
    optional group tags (LIST) { repeated group list { optional byte_array element (STRING); } }
    optional group outer { optional group inner { required int32 small (INTEGER(8, false)); } }
}";

/// A row: a number that gives the values of plain columns, or nulls; tags; and how many of the two groups are there.
type TestRow = (u32, bool, Option<Vec<Option<u8>>>, i16);

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
    definition: Option<&[i16]>,
    repetition: Option<&[i16]>,
) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, definition, repetition).unwrap();
    column.close().unwrap();
}

fn write(path: &Path, groups: &[Vec<TestRow>]) {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_column_compression(ColumnPath::from("j"), Compression::UNCOMPRESSED)
        .set_key_value_metadata(Some(vec![KeyValue::new("owner".to_owned(), "me".to_owned())]))
        // Rows of a chunk are then in several pages.
        .set_data_page_row_count_limit(7)
        .set_write_batch_size(3)
        .build();
    let mut writer =
        SerializedFileWriter::new(File::create(path).unwrap(), schema, Arc::new(properties)).unwrap();
    for rows in groups {
        let mut group = writer.next_row_group().unwrap();
        let present: Vec<u32> = rows.iter().filter(|row| row.1).map(|row| row.0).collect();
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.1)).collect();
        let bytes = |start: &str| present.iter().map(|n| format!("{start}{n}").as_str().into()).collect();
        let all = |start: &str| rows.iter().map(|row| format!("{start}{}", row.0).as_str().into()).collect();
        let (json, names): (Vec<ByteArray>, Vec<ByteArray>) = (bytes("[]"), bytes("E"));
        let (texts, binary): (Vec<ByteArray>, Vec<ByteArray>) = (all("text "), all("b"));
        let fixed =
            |length: usize| present.iter().map(|&n| ByteArray::from(vec![n as u8; length]).into()).collect();
        let (uuids, intervals): (Vec<_>, Vec<_>) = (fixed(16), fixed(12));
        let numbers: Vec<i64> = present.iter().map(|&n| i64::from(n)).collect();
        let instants: Vec<Int96> = present.iter().map(|&n| Int96::from(vec![n, n, 5_373_484])).collect();
        column::<ByteArrayType>(&mut group, &texts, None, None);
        column::<Int96Type>(&mut group, &instants, Some(&levels), None);
        column::<FixedLenByteArrayType>(&mut group, &uuids, Some(&levels), None);
        column::<ByteArrayType>(&mut group, &json, Some(&levels), None);
        column::<ByteArrayType>(&mut group, &binary, None, None);
        column::<ByteArrayType>(&mut group, &names, Some(&levels), None);
        column::<Int64Type>(&mut group, &numbers, Some(&levels), None);
        column::<Int64Type>(&mut group, &numbers, Some(&levels), None);
        let days: Vec<i32> = rows.iter().map(|row| row.0 as i32).collect();
        column::<Int32Type>(&mut group, &days, None, None);
        column::<FixedLenByteArrayType>(&mut group, &intervals, Some(&levels), None);
        let (mut tags, mut definition, mut repetition) = (Vec::<ByteArray>::new(), Vec::new(), Vec::new());
        for (_, _, list, _) in rows {
            let Some(list) = list.as_ref().filter(|list| !list.is_empty()) else {
                definition.push(i16::from(list.is_some()));
                repetition.push(0);
                continue;
            };
            for (number, tag) in list.iter().enumerate() {
                definition.push(2 + i16::from(tag.is_some()));
                repetition.push(i16::from(number > 0));
                tags.extend(tag.map(|tag| vec![tag % 128].into()));
            }
        }
        column::<ByteArrayType>(&mut group, &tags, Some(&definition), Some(&repetition));
        let depths: Vec<i16> = rows.iter().map(|row| row.3).collect();
        let small: Vec<i32> = rows.iter().filter(|row| row.3 == 2).map(|row| (row.0 % 256) as i32).collect();
        column::<Int32Type>(&mut group, &small, Some(&depths), None);
        group.close().unwrap();
    }
    writer.close().unwrap();
}

/// Copies or annotates the rows whose numbers are wanted.
fn copy(from: &Path, to: &Path, mode: RecordMode, wanted: impl Fn(u32) -> bool) {
    try_copy(from, to, mode, wanted).unwrap();
}

fn try_copy(from: &Path, to: &Path, mode: RecordMode, wanted: impl Fn(u32) -> bool) -> Result<u64, Error> {
    let (inputs, fields) = (inputs_of(from), fields());
    let writer = KeptWriter::create(&inputs, &fields, to, mode)?;
    let reader = Reader::new(&inputs, &fields, writer.scan());
    let (mut scratch, mut before) = (Scratch::default(), 0);
    while let Some(chunk) = reader.next()? {
        let loaded = chunk.load(&mut scratch)?;
        let mut places: Vec<Place> = all_rows(&loaded);
        places.retain(|place| wanted(before + place.offset));
        let annotation = |place: Place| Annotation {
            cluster: None,
            kept: true,
            kept_id: None,
            score: Cell::Absent,
            containment: Cell::Absent,
            duplicates: u64::from(place.offset),
        };
        let annotated: Vec<_> = places.iter().map(|&place| (place, annotation(place))).collect();
        let rows = match mode {
            RecordMode::Copy | RecordMode::Edit => KeptRows::Copied(&places),
            RecordMode::Annotate { .. } => KeptRows::Annotated(&annotated),
        };
        writer.write(&loaded, rows)?;
        before += loaded.lines();
    }
    writer.complete()?.publish()
}

fn open(path: &Path) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(path).unwrap()).unwrap()
}

fn rows(path: &Path) -> Vec<Row> {
    open(path).get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn kept_rows_have_the_schema_and_the_values_of_their_file(
        groups in prop::collection::vec(
            prop::collection::vec(
                (any::<u32>(), any::<bool>(), prop::option::of(prop::collection::vec(prop::option::of(any::<u8>()), 0..5)), 0..3_i16),
                1..60,
            ),
            1..4,
        ),
        every in 1..4_u32,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
        write(&from, &groups);
        copy(&from, &to, RecordMode::Copy, |row| row % every == 0);
        let (before, after) = (open(&from), open(&to));
        let (before, after) = (before.metadata(), after.metadata());
        prop_assert_eq!(after.file_metadata().schema(), before.file_metadata().schema());
        prop_assert_eq!(after.file_metadata().key_value_metadata(), before.file_metadata().key_value_metadata());
        let codecs = |metadata: &parquet::file::metadata::ParquetMetaData| -> Vec<_> {
            metadata.row_group(0).columns().iter().map(|column| column.compression()).collect()
        };
        prop_assert_eq!(codecs(after), codecs(before));
        let expected: Vec<Row> = rows(&from).into_iter().step_by(every as usize).collect();
        prop_assert_eq!(rows(&to), expected);
    }
}

#[test]
fn annotated_rows_keep_their_columns_before_the_added_ones() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    let of = |number: u32| (number, !number.is_multiple_of(3), Some(vec![None, Some(number as u8)]), 2);
    write(&from, &[(0..40).map(of).collect()]);
    copy(&from, &to, RecordMode::Annotate { score: "jaccard" }, |_| true);
    let (before, after) = (rows(&from), rows(&to));
    assert_eq!(before.len(), after.len());
    for (number, (before, after)) in before.iter().zip(&after).enumerate() {
        let columns: Vec<_> = after.get_column_iter().collect();
        assert_eq!(columns[..12], before.get_column_iter().collect::<Vec<_>>()[..]);
        let added: Vec<String> =
            columns[12..].iter().map(|(name, value)| format!("{name} {value}")).collect();
        let expected = ["cluster null", "kept true", "kept_id null", "jaccard null", "containment null"];
        assert_eq!(added[..5], expected);
        assert_eq!(added[5], format!("duplicate_count {number}"));
    }
    let schema = open(&to).metadata().file_metadata().schema().get_fields()[..12].to_vec();
    assert_eq!(schema, open(&from).metadata().file_metadata().schema().get_fields());
}

#[test]
fn rows_of_a_file_with_any_wrong_byte_are_copied_or_refused_without_panic() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    let of =
        |number: u32| (number, number != 1, Some(vec![None, Some(number as u8), None]), (number % 3) as i16);
    write(&from, &[(0..4).map(of).collect()]);
    let whole = std::fs::read(&from).unwrap();
    for place in 0..whole.len() {
        for value in [0xff, whole[place] ^ 0x10] {
            let mut bytes = whole.clone();
            bytes[place] = value;
            std::fs::write(&from, bytes).unwrap();
            // Damage outside what is read is no error, and a file without any readable row has no output.
            let _ = try_copy(&from, &to, RecordMode::Copy, |row| row % 2 == 1);
        }
    }
}
