//! Fields by their names, including nested ones.

use crate::{Folder, exists, failed, jsonl, silent, words};
use arrow_array::{
    Array, ArrayRef, Int64Array, NullArray, RecordBatch, StringArray, StructArray, cast::AsArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::KeyValue;
use std::fs::File;
use std::sync::Arc;

const NESTED: &str = "--text-field meta.text --id-field meta.url --keep max:meta.rank.n";

/// A line with its fields in an object, and with fields of the same names outside it.
fn line(url: &str, rank: u32, text: &str) -> String {
    let line = serde_json::json!({
        "text": "not this", "meta": { "url": url, "rank": { "n": rank }, "text": text }, "id": 0
    });
    format!(" {line} \n")
}

#[test]
fn nested_fields_of_jsonl_are_read_and_lines_are_copied() {
    let folder = Folder::new();
    let lines = [line("a", 1, &words(1)), line("b", 2, &words(2)), line("c", 3, &words(1))];
    folder.write("in.jsonl", lines.concat());
    let lists = "--removed removed.csv --clusters clusters.csv -q";
    assert_eq!(folder.run(&format!("dedup in.jsonl -o out.jsonl {NESTED} {lists}")), silent());
    assert_eq!(folder.read("out.jsonl"), lines[1..].concat());
    assert_eq!(folder.read("removed.csv").lines().nth(1), Some("a,c,1,1.000000,1.000000,0,"));
    assert_eq!(folder.run(&format!("dedup in.jsonl -o annotated.jsonl --annotate {NESTED} -q")), silent());
    for (line, before) in folder.read("annotated.jsonl").lines().zip(&lines) {
        let rest = line.strip_prefix(before.trim_end().strip_suffix('}').unwrap()).unwrap();
        assert!(rest.starts_with(",\"cluster\":"), "{rest}");
    }
    let said = "error: in.jsonl: no field \"meta.body\"; fields seen: meta.rank.n, meta.text, meta.url\n  \
                hint: name the field that holds the text with --text-field\n";
    assert_eq!(folder.run("dedup in.jsonl -o x.jsonl --text-field meta.body"), failed(1, said));
    let said = "error: in.jsonl: no field \"text.body\": \"text\" is a text, not an object\n  \
                hint: name the field that holds the text with --text-field\n";
    assert_eq!(folder.run("dedup in.jsonl -o x.jsonl --text-field text.body"), failed(1, said));
    folder.write("in.jsonl", lines.concat() + "{\"meta\":null}\n");
    // A text in an object that is null is null.
    assert_eq!(folder.run(&format!("dedup in.jsonl -o x.jsonl {NESTED} -q")), silent());
    assert!(folder.read("x.jsonl").ends_with("{\"meta\":null}\n"));
    folder.write("in.jsonl", lines.concat() + "{\"meta\":7}\n");
    let said = "skipped in.jsonl:4: no field \"meta.text\": \"meta\" is a number, not an object\n";
    assert_eq!(folder.run(&format!("dedup in.jsonl -o x.jsonl {NESTED} -q")), failed(3, said));
}

#[test]
fn every_command_takes_nested_fields() {
    let folder = Folder::new();
    folder.write("in.jsonl", line("a", 1, &words(1)) + &line("b", 2, &words(1)));
    let fields = "--text-field meta.text --id-field meta.url -q";
    let ran = folder.run(&format!("pairs in.jsonl {fields}"));
    assert_eq!(ran.stdout, "{\"a\":\"a\",\"b\":\"b\",\"jaccard\":1.000000}\n");
    for command in ["similar w1x1 --in in.jsonl", "sketch in.jsonl -o s.jsonl", "compare a b --in in.jsonl"] {
        let ran = folder.run(&format!("{command} {fields}"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{command}");
    }
    assert_eq!(folder.run(&format!("index build in.jsonl -o in.index {fields}")), silent());
    let tuned = folder.run(&format!("tune in.jsonl {fields}")).stdout;
    assert!(tuned.contains("--text-field meta.text --id-field meta.url"), "{tuned}");
}

#[test]
fn in_a_table_a_name_with_a_dot_is_the_name_of_a_column() {
    let folder = Folder::new();
    let table = format!("meta.url,meta.text,meta\nx,{},1\ny,{},2\n", words(1), words(2));
    folder.write("in.csv", &table);
    let command = "dedup in.csv -o out.csv --text-field meta.text --id-field meta.url -q";
    assert_eq!(folder.run(command), silent());
    assert_eq!(folder.read("out.csv"), table);
}

/// Rows with a number, a struct `meta` (a text, a struct and a number) and a column with the name `meta.id`.
fn rows() -> RecordBatch {
    let texts: ArrayRef = Arc::new(StringArray::from(vec![words(1), words(2), words(1), words(3)]));
    let ranks: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3, 4]));
    let rank = StructArray::from(vec![(Arc::new(Field::new("n", DataType::Int64, false)), ranks.clone())]);
    let fields = vec![
        Field::new("text", DataType::Utf8, false),
        Field::new("rank", rank.data_type().clone(), true),
        Field::new("id", DataType::Int64, false),
    ];
    // The last row is null, though its texts have values.
    let nulls = NullBuffer::from(vec![true, true, true, false]);
    let meta = StructArray::new(fields.into(), vec![texts, Arc::new(rank), ranks.clone()], Some(nulls));
    let ids: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c", "d"]));
    RecordBatch::try_from_iter([("n", ranks), ("meta", Arc::new(meta) as ArrayRef), ("meta.id", ids)])
        .unwrap()
}

#[test]
fn nested_columns_of_parquet_are_read_and_kept_as_they_are() {
    let folder = Folder::new();
    let rows = rows();
    let mut writer = ArrowWriter::try_new(Vec::new(), rows.schema(), None).unwrap();
    writer.write(&rows).unwrap();
    folder.write("in.parquet", writer.into_inner().unwrap());
    let fields = "--text-field meta.text --id-field meta.id --keep max:meta.rank.n -q";
    let command = format!("dedup in.parquet {fields} -o");
    assert_eq!(folder.run(&format!("{command} out.parquet --removed removed.csv")), silent());
    assert_eq!(folder.read("removed.csv").lines().nth(1), Some("a,c,1,1.000000,1.000000,0,"));
    assert_eq!(folder.run(&format!("{command} annotated.parquet --annotate")), silent());
    let read = |name: &str| {
        let file = File::open(folder.path(name)).unwrap();
        ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap().next().unwrap().unwrap()
    };
    assert_eq!(read("out.parquet"), rows.slice(1, 3));
    let annotated = read("annotated.parquet");
    assert_eq!(annotated.project(&[0, 1, 2]).unwrap(), rows);
    assert_eq!(annotated["kept_id"].as_string::<i32>().value(0), "c");
    for (field, said) in [
        ("meta.body", "no column \"meta.body\"; columns seen: meta.text, meta.rank.n, meta.id"),
        ("n.text", "no column \"n.text\"; columns seen: n, meta.text, meta.rank.n, meta.id"),
    ] {
        let ran = folder.run(&format!("dedup in.parquet -o x.parquet --text-field {field} -q"));
        let hint = "\n  hint: name the field that holds the text with --text-field\n";
        assert_eq!(ran, failed(1, &format!("error: in.parquet: {said}{hint}")));
    }
    assert!(!exists(&folder.path("x.parquet")));
}

/// The id of the only document that a run keeps, of `in.FORMAT` with the column `n`.
fn kept(folder: &Folder, format: &str, keep: &str) -> String {
    let ran =
        folder.run(&format!("dedup in.{format} -o out.{format} --clusters clusters.csv --keep {keep}:n -q"));
    assert_eq!(ran, silent(), "{format}");
    let ran = folder.run(&format!("sketch out.{format} -o ids.csv -q"));
    assert_eq!(ran, silent());
    folder.read("ids.csv").lines().nth(1).unwrap().split(',').next().unwrap().to_owned()
}

#[test]
fn keep_compares_all_digits_of_numbers_and_takes_dates_in_every_format() {
    let folder = Folder::new();
    // Ascending: b, c, a.
    for [least, middle, greatest] in [
        ["9007199254740991", "9007199254740992", "9007199254740993"],
        ["0.10000000000000001", "0.10000000000000002", "0.10000000000000003"],
        ["\"-1\"", "\"18446744073709551614\"", "\"18446744073709551615\""],
        ["\"1500-01-01\"", "\"2026-01-31\"", "\"9999-12-31\""],
        ["\"2026-01-31T23:59:59+01:00\"", "\"2026-01-31T23:30:00Z\"", "\"2026-02-01\""],
    ] {
        let rows = [("a", greatest), ("b", least), ("c", middle)];
        let line =
            |(id, n): &(&str, &str)| format!("{{\"id\":\"{id}\",\"n\":{n},\"text\":\"{}\"}}\n", words(1));
        let row = |(id, n): &(&str, &str)| format!("{id},{n},{}\n", words(1));
        folder.write("in.jsonl", rows.iter().map(line).collect::<String>());
        folder.write("in.csv", "id,n,text\n".to_owned() + &rows.iter().map(row).collect::<String>());
        for format in ["jsonl", "csv"] {
            let found = ["max", "min"].map(|keep| kept(&folder, format, keep));
            assert_eq!(found, ["a", "b"], "{format} {greatest}");
        }
    }
}

#[test]
fn a_column_of_nulls_alone_is_one_of_null_texts() {
    let folder = Folder::new();
    let ids: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
    let rows = RecordBatch::try_from_iter_with_nullable([
        ("id", ids, false),
        ("text", Arc::new(NullArray::new(2)) as ArrayRef, true),
    ]);
    let rows = rows.unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), rows.schema(), None).unwrap();
    // As Spark notes its columns.
    let note = KeyValue::new("org.apache.spark.sql.parquet.row.metadata".to_owned(), "{}".to_owned());
    writer.append_key_value_metadata(note);
    writer.write(&rows).unwrap();
    folder.write("in/nulls.parquet", writer.into_inner().unwrap()).write("in/a.jsonl", jsonl(&[words(1)]));
    let read = |name: &str| {
        let file = File::open(folder.path(name)).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let notes = reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
        let names_spark = notes.iter().any(|note| note.key.starts_with("org.apache.spark"));
        (reader.build().unwrap().next().unwrap().unwrap(), names_spark)
    };
    assert_eq!(folder.run("dedup in -o out -q --summary summary.json"), silent());
    assert_eq!((&folder.summary()["without_text"], &folder.summary()["kept"]), (&2.into(), &3.into()));
    assert_eq!(read("out/nulls.parquet"), (rows, true));
    // Spark would not see columns that its note does not name.
    assert_eq!(folder.run("dedup in/nulls.parquet -o annotated.parquet --annotate -q"), silent());
    let (annotated, names_spark) = read("annotated.parquet");
    assert!(annotated.column_by_name("kept").is_some() && !names_spark);
}

#[test]
fn keep_compares_columns_of_parquet_by_their_types() {
    use arrow_array::{Date32Array, Decimal128Array, TimestampNanosecondArray, UInt64Array};
    let folder = Folder::new();
    let columns: [ArrayRef; 5] = [
        Arc::new(Int64Array::from(vec![(1 << 53) + 1, (1 << 53) - 1, 1 << 53])),
        Arc::new(UInt64Array::from(vec![u64::MAX, 0, u64::MAX - 1])),
        Arc::new(Decimal128Array::from(vec![3, 1, 2]).with_precision_and_scale(38, 37).unwrap()),
        Arc::new(Date32Array::from(vec![2_932_896, -171_664, 20_484])),
        Arc::new(TimestampNanosecondArray::from(vec![i64::MAX, i64::MIN, i64::MAX - 1])),
    ];
    for column in columns {
        let texts: ArrayRef = Arc::new(StringArray::from(vec![words(1); 3]));
        let ids: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c"]));
        let rows = RecordBatch::try_from_iter([("id", ids), ("n", column), ("text", texts)]).unwrap();
        let mut writer = ArrowWriter::try_new(Vec::new(), rows.schema(), None).unwrap();
        writer.write(&rows).unwrap();
        folder.write("in.parquet", writer.into_inner().unwrap());
        let found = ["max", "min"].map(|keep| kept(&folder, "parquet", keep));
        assert_eq!(found, ["a", "b"], "{:?}", rows.schema().field(1));
    }
}

#[test]
fn instants_of_96_bits_are_compared_beyond_the_reach_of_nanoseconds() {
    use parquet::data_type::{ByteArray, ByteArrayType, Int96, Int96Type};
    use parquet::file::{properties::WriterProperties, writer::SerializedFileWriter};
    let folder = Folder::new();
    let schema =
        "message m { required binary id (STRING); required int96 n; required binary text (STRING); }";
    let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let mut writer =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(WriterProperties::new())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let bytes = |text: &String| ByteArray::from(text.as_str());
    for column in 0..3 {
        let mut written = group.next_column().unwrap().unwrap();
        if column == 1 {
            // Days of the Julian calendar: 9999-12-31, 1500-01-01 and 2026-01-31.
            let days = [5_373_484, 2_268_924, 2_461_072].map(|day| Int96::from(vec![0, 0, day]));
            written.typed::<Int96Type>().write_batch(&days, None, None).unwrap();
        } else {
            let texts =
                if column == 0 { ["a", "b", "c"].map(str::to_owned) } else { [(); 3].map(|()| words(1)) };
            written.typed::<ByteArrayType>().write_batch(&texts.each_ref().map(bytes), None, None).unwrap();
        }
        written.close().unwrap();
    }
    group.close().unwrap();
    folder.write("in.parquet", writer.into_inner().unwrap());
    let found = ["max", "min"].map(|keep| kept(&folder, "parquet", keep));
    assert_eq!(found, ["a", "b"]);
}

#[test]
fn ids_of_parquet_are_the_texts_of_their_types() {
    use arrow_array::{FixedSizeBinaryArray, TimestampMicrosecondArray};
    let uuid: Vec<u8> = (0..16).map(|byte| byte * 17).collect();
    let uuids = FixedSizeBinaryArray::try_from_iter(vec![uuid.clone(), uuid].into_iter()).unwrap();
    let uuid_field = Field::new("id", DataType::FixedSizeBinary(16), false).with_metadata(
        std::collections::HashMap::from([("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())]),
    );
    let instants = TimestampMicrosecondArray::from(vec![1_500_000, 1_500_000]).with_timezone("Europe/Berlin");
    let plain = |column: &dyn Array| Field::new("id", column.data_type().clone(), false);
    let columns: [(Field, ArrayRef, &str); 3] = [
        (uuid_field, Arc::new(uuids.clone()), "00112233-4455-6677-8899-aabbccddeeff"),
        (plain(&uuids), Arc::new(uuids), "00112233445566778899aabbccddeeff"),
        (plain(&instants), Arc::new(instants), "1970-01-01T00:00:01.500Z"),
    ];
    let folder = Folder::new();
    for (field, ids, expected) in columns {
        let texts: ArrayRef = Arc::new(StringArray::from(vec![words(1); 2]));
        let schema = arrow_schema::Schema::new(vec![field, Field::new("text", DataType::Utf8, false)]);
        let rows = RecordBatch::try_new(Arc::new(schema), vec![ids, texts]).unwrap();
        let mut writer = ArrowWriter::try_new(Vec::new(), rows.schema(), None).unwrap();
        writer.write(&rows).unwrap();
        folder.write("in.parquet", writer.into_inner().unwrap());
        assert_eq!(
            folder.run("dedup in.parquet -o out.parquet --removed removed.csv -q --within id"),
            silent()
        );
        let removed = folder.read("removed.csv");
        assert!(
            removed.lines().nth(1).unwrap().starts_with(&format!("{expected},{expected},1,")),
            "{removed}"
        );
    }
}
