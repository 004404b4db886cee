use std::fs;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::*;

const COLUMNS: [(&str, ColumnKind); 4] = [
    ("a", ColumnKind::Text),
    ("n", ColumnKind::Integer),
    ("jaccard", ColumnKind::Number6),
    ("kept", ColumnKind::Bool),
];

fn write(path: &Path) -> Result<u64, Error> {
    let mut table = TableWriter::create(path, &COLUMNS, &Waiting::default())?;
    table.row(&[Cell::Text("x,\"\n\t"), Cell::Integer(7), Cell::Number(2.0 / 3.0), Cell::Bool(true)])?;
    table.row(&[Cell::Absent, Cell::Absent, Cell::Absent, Cell::Absent])?;
    table.complete()?.publish()
}

#[test]
fn text_tables_have_six_decimals_and_quote_where_necessary() {
    let folder = tempfile::tempdir().unwrap();
    let expected = [
        (
            "a.jsonl",
            "{\"a\":\"x,\\\"\\n\\t\",\"n\":7,\"jaccard\":0.666667,\"kept\":true}\n{\"a\":null,\"n\":null,\"jaccard\":null,\"kept\":null}\n",
        ),
        ("a.csv", "a,n,jaccard,kept\n\"x,\"\"\n\t\",7,0.666667,true\n,,,\n"),
        ("a.tsv", "a\tn\tjaccard\tkept\n\"x,\"\"\n\t\"\t7\t0.666667\ttrue\n\t\t\t\n"),
    ];
    for (name, content) in expected {
        let path = folder.path().join(name);
        assert_eq!(write(&path).unwrap(), content.len() as u64);
        assert_eq!(fs::read_to_string(path).unwrap(), content);
    }
}

#[test]
fn a_parquet_table_has_the_kinds_of_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    write(&path).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).unwrap()).unwrap();
    let types: Vec<_> = reader.schema().fields().iter().map(|field| field.data_type().to_string()).collect();
    assert_eq!(types, ["Utf8", "Int64", "Float64", "Boolean"]);
    assert_eq!(reader.build().unwrap().next().unwrap().unwrap().num_rows(), 2);
}

#[test]
fn texts_that_spreadsheets_take_for_formulas_have_an_apostrophe_in_tables_without_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let texts = ["=1+1", "+1", "-1", "@x", "\t=1", "a=1", ""];
    let write = |name: &str| {
        let path = folder.path().join(name);
        let table = TableWriter::create(&path, &COLUMNS[..1], &Waiting::default()).unwrap();
        let mut table = table.without_formulas();
        texts.iter().for_each(|text| table.row(&[Cell::Text(text)]).unwrap());
        table.complete().unwrap().publish().unwrap();
        fs::read_to_string(path).unwrap()
    };
    assert_eq!(write("a.csv"), "a\n'=1+1\n'+1\n'-1\n'@x\n'\t=1\na=1\n\n");
    // JSON is no spreadsheet.
    assert!(write("a.jsonl").starts_with("{\"a\":\"=1+1\"}\n"));
}

#[cfg(feature = "xlsx")]
#[test]
fn a_workbook_has_texts_numbers_and_booleans_and_no_formulas() {
    use calamine::{Data, Reader, Xlsx, open_workbook};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.xlsx");
    let mut table = TableWriter::create(&path, &COLUMNS, &Waiting::default()).unwrap();
    table.row(&[Cell::Text("=1+1"), Cell::Integer(7), Cell::Number(2.0 / 3.0), Cell::Bool(true)]).unwrap();
    table.row(&[Cell::Text("https://a.b/<c>"), Cell::Absent, Cell::Absent, Cell::Absent]).unwrap();
    table.row(&[Cell::Text(&"é".repeat(40_000)), Cell::Absent, Cell::Absent, Cell::Absent]).unwrap();
    table.complete().unwrap().publish().unwrap();
    let mut workbook: Xlsx<_> = open_workbook(path).unwrap();
    let sheet = workbook.worksheet_range_at(0).unwrap().unwrap();
    let rows: Vec<&[Data]> = sheet.rows().collect();
    let text = |text: &str| Data::String(text.to_owned());
    assert_eq!(rows[0], ["a", "n", "jaccard", "kept"].map(text));
    assert_eq!(rows[1], [text("=1+1"), Data::Float(7.0), Data::Float(2.0 / 3.0), Data::Bool(true)]);
    assert_eq!(rows[2], [text("https://a.b/<c>"), Data::Empty, Data::Empty, Data::Empty]);
    assert_eq!(rows[3][0], text(&"é".repeat(32_767)));
    let formulas = workbook.worksheet_formula("Sheet1").unwrap();
    assert!(formulas.rows().flatten().all(String::is_empty));
}

#[test]
fn an_unknown_extension_is_refused_and_lists_the_known_ones() {
    for name in ["pairs", "pairs.txt", "pairs.xls"] {
        let error =
            TableWriter::create(Path::new(name), &COLUMNS, &Waiting::default()).unwrap_err().to_string();
        assert!(error.contains(".jsonl") && error.contains(".parquet"), "{error}");
    }
}

#[test]
fn a_table_that_is_not_finished_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut table =
        TableWriter::create(&folder.path().join("a.csv.gz"), &COLUMNS, &Waiting::default()).unwrap();
    table.row(&[Cell::Absent; 4]).unwrap();
    drop(table);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_table_in_a_missing_folder_is_refused() {
    let error =
        TableWriter::create(Path::new("no/such/folder/a.csv"), &COLUMNS, &Waiting::default()).unwrap_err();
    assert!(matches!(error, Error::NoFolder { .. }));
}
