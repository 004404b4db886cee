//! The types of ids in lists.

use crate::{Folder, silent, words};
use arrow_array::{
    ArrayRef, Int16Array, Int32Array, Int64Array, RecordBatch, StringArray, UInt32Array, UInt64Array,
};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::sync::Arc;

fn write(folder: &Folder, name: &str, ids: ArrayRef) {
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..ids.len()).map(|_| words(1))));
    let rows = RecordBatch::try_from_iter_with_nullable([("id", ids, true), ("text", texts, true)]).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), rows.schema(), None).unwrap();
    writer.write(&rows).unwrap();
    folder.write(name, writer.into_inner().unwrap());
}

/// The types of columns of a list, and its rows.
fn list(folder: &Folder, name: &str, columns: usize) -> (Vec<String>, usize) {
    let file = std::fs::File::open(folder.path(name)).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let types =
        reader.schema().fields().iter().take(columns).map(|field| field.data_type().to_string()).collect();
    (types, reader.build().unwrap().map(|rows| rows.unwrap().num_rows()).sum())
}

fn types(folder: &Folder, inputs: &str) -> Vec<String> {
    let run = format!("dedup {inputs} -o out -q --removed removed.parquet --clusters clusters.parquet");
    assert_eq!(folder.run(&run), silent());
    assert_eq!(folder.run(&format!("pairs {inputs} -o pairs.parquet -q")), silent());
    let ((removed, _), (clusters, rows)) =
        (list(folder, "removed.parquet", 2), list(folder, "clusters.parquet", 1));
    let (pairs, _) = list(folder, "pairs.parquet", 2);
    assert_eq!(removed, pairs);
    assert!(rows > 1 && removed[0] == removed[1] && removed[0] == clusters[0], "{removed:?} {clusters:?}");
    std::fs::remove_dir_all(folder.path("out")).unwrap();
    clusters
}

#[test]
fn whole_numbers_keep_their_type_in_parquet() {
    let folder = Folder::new();
    let ids: [(&str, ArrayRef, &str); 6] = [
        ("short", Arc::new(Int16Array::from(vec![3, -7])), "Int16"),
        ("int", Arc::new(Int32Array::from(vec![3, -7])), "Int32"),
        ("long", Arc::new(Int64Array::from(vec![i64::MAX, i64::MIN])), "Int64"),
        ("unsigned", Arc::new(UInt32Array::from(vec![3, u32::MAX])), "UInt32"),
        // Not every program knows this type.
        ("great", Arc::new(UInt64Array::from(vec![3, 4])), "Utf8"),
        // The second row is called by its place.
        ("gaps", Arc::new(Int32Array::from(vec![Some(3), None])), "Utf8"),
    ];
    for (name, ids, expected) in ids {
        write(&folder, &format!("{name}.parquet"), ids);
        assert_eq!(types(&folder, &format!("{name}.parquet")), [expected], "{name}");
    }
    assert_eq!(types(&folder, "short.parquet int.parquet unsigned.parquet"), ["Int64"]);
    folder.write("lines.jsonl", format!("{{\"id\": 5, \"text\": \"{}\"}}\n", words(1)));
    assert_eq!(types(&folder, "int.parquet lines.jsonl"), ["Utf8"]);
}

#[test]
fn ids_of_the_other_side_count_too() {
    let folder = Folder::new();
    write(&folder, "int.parquet", Arc::new(Int32Array::from(vec![3, 4])));
    write(&folder, "text.parquet", Arc::new(StringArray::from(vec!["5"])));
    write(&folder, "other.parquet", Arc::new(Int32Array::from(vec![5])));
    for (against, expected) in [("text", "Utf8"), ("other", "Int32")] {
        let run = format!(
            "dedup int.parquet --against {against}.parquet -o out.parquet -q --removed removed.parquet"
        );
        assert_eq!(folder.run(&run), silent());
        assert_eq!(list(&folder, "removed.parquet", 2), (vec![expected.to_owned(); 2], 2));
    }
    assert_eq!(folder.run("eval removed.parquet --truth removed.parquet -q").code, Some(0));
}
