//! Parquet files in every compression, whole and damaged.

use crate::{Folder, failed, jsonl, silent, words};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::sync::Arc;

#[test]
fn damaged_parquet_is_not_reported_as_a_changed_file() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(1), words(2), words(3), words(3)]));
    assert_eq!(folder.run("dedup in.jsonl -o x.jsonl --clusters good.parquet -q"), silent());
    let good = std::fs::read(folder.path("good.parquet")).unwrap();
    let mut failed = 0;
    for start in (4..good.len() - 16).step_by(16) {
        let mut damaged = good.clone();
        damaged[start..start + 16].fill(0);
        folder.write("in.parquet", damaged);
        let ran = folder.run("dedup in.parquet --text-field id -o out.parquet -q");
        assert!(!ran.stderr.contains("changed"), "{start}: {}", ran.stderr);
        failed += u32::from(ran.code == Some(1));
    }
    assert!(failed > 5, "{failed}");
}

#[test]
fn parquet_is_read_in_every_compression() {
    let folder = Folder::new();
    let texts = [words(1), words(1), words(2)];
    let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
    let batch = RecordBatch::try_from_iter([("text", column)]).unwrap();
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        let properties = WriterProperties::builder().set_compression(compression).build();
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        folder.write("in.parquet", writer.into_inner().unwrap());
        let command = "dedup in.parquet -o out.parquet -q --summary summary.json";
        assert_eq!(folder.run(command), silent(), "{compression}");
        assert_eq!(folder.summary()["kept"], 2, "{compression}");
    }
}

#[test]
fn texts_of_parquet_that_are_too_long_are_named() {
    let folder = Folder::new();
    let texts = [words(1), "long ".repeat(300_000), words(2)];
    let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
    let batch = RecordBatch::try_from_iter([("text", column)]).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    folder.write("in.parquet", writer.into_inner().unwrap());
    let command = "dedup in.parquet -o out.parquet -q --summary summary.json";
    let said = "skipped in.parquet:2: the record has 1,500,000 bytes, more than the limit of 1 MiB\n  \
                hint: --max-record sets the limit of a record, up to 2GiB\n";
    assert_eq!(folder.run(&format!("{command} --max-record 1MiB")), failed(3, said));
    assert_eq!(folder.summary()["kept"], 2);
    assert_eq!(folder.run(command), silent());
}

/// A Parquet file of one row group and many pages. A column other than the text cannot be decoded from row `damaged` on.
fn damaged_beside(texts: &[Option<String>], damaged: usize) -> Vec<u8> {
    let beside: Vec<String> = (0..texts.len()).map(|row| format!("beside {row:06}").repeat(8)).collect();
    let columns: [(&str, ArrayRef, bool); 2] = [
        ("text", Arc::new(StringArray::from(texts.to_vec())), true),
        ("beside", Arc::new(StringArray::from(beside)), false),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_data_page_row_count_limit(256)
        .set_write_batch_size(128)
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    let mut bytes = writer.into_inner().unwrap();
    let cell = format!("beside {damaged:06}beside");
    let at = bytes.windows(cell.len()).position(|window| window == cell.as_bytes()).unwrap();
    // The length of the value.
    bytes[at - 4..at].fill(0xff);
    bytes
}

#[test]
fn parquet_rows_damaged_outside_the_text_are_named_and_no_other_row_is_lost() {
    let folder = Folder::new();
    let text = |row: usize| Some(words(row));
    // A batch has 1,024 rows. All rows of the second are removed.
    let copies: Vec<Option<String>> =
        (0..4_096).map(|row| text(if (1_024..2_048).contains(&row) { row - 1_024 } else { row })).collect();
    // Batches before the damage are read. A document that cannot be written is never the kept one of a cluster.
    let cut = "these rows cannot be decoded, and the rest of their row group is not read: ";
    for (damaged, documents) in [(1_500, 1_024), (3_000, 2_048)] {
        let kept = 1_024;
        folder.write("in.parquet", damaged_beside(&copies, damaged));
        for option in ["", "--annotate", "--removed removed.csv"] {
            let ran =
                folder.run(&format!("dedup in.parquet -o out.parquet -q --summary summary.json {option}"));
            let said = format!("skipped in.parquet:{}: {cut}", damaged / 1_024 * 1_024 + 1);
            assert!(ran.code == Some(3) && ran.stderr.starts_with(&said), "{damaged} {option}: {ran:?}");
            let summary = folder.summary();
            assert_eq!([&summary["documents"], &summary["kept"]], [documents, kept], "{option}");
            let written = SerializedFileReader::new(File::open(folder.path("out.parquet")).unwrap()).unwrap();
            let rows = if option == "--annotate" { documents } else { kept };
            assert_eq!(written.metadata().file_metadata().num_rows(), rows);
        }
    }
    folder.write("many/a.parquet", damaged_beside(&copies, 10)).write("many/b.jsonl", jsonl(&[words(1)]));
    let ran = folder.run("dedup many/a.parquet -o out -q");
    assert!(ran.code == Some(1) && ran.stderr.contains("many/a.parquet:1: "), "{ran:?}");
    let ran = folder.run("dedup many -o out -q");
    assert!(
        ran.code == Some(3) && ran.stderr.starts_with(&format!("skipped many/a.parquet:1: {cut}")),
        "{ran:?}"
    );
    assert_eq!(folder.read("out/b.jsonl"), folder.read("many/b.jsonl"));
}
