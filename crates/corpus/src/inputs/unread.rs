//! Paths in folders that are no data, and folders of tables whose files cannot be read by themselves.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Whether a file or folder of this name is no data. Hive, Spark and DuckDB agree on names that begin with a dot or an underscore: logs, locks,
/// and what a stopped job has left. A folder such as `_day=1` is a partition.
pub(crate) fn is_no_data(name: &[u8]) -> bool {
    name.starts_with(b".") || (name.starts_with(b"_") && !name.contains(&b'='))
}

/// A kind of table. It notes which of its files hold rows, so a program that reads all of them finds removed rows, and rows twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TableKind {
    pub(crate) name: &'static str,
    /// An expression of Python that reads the table.
    pub(crate) reads: &'static str,
}

const DELTA: TableKind =
    TableKind { name: "a Delta table", reads: "deltalake.DeltaTable(PATH).to_pyarrow_table()" };
const HUDI: TableKind = TableKind { name: "a Hudi table", reads: "the table that Spark reads" };
const LANCE: TableKind = TableKind { name: "a Lance data set", reads: "lance.dataset(PATH).to_table()" };
const ICEBERG: TableKind =
    TableKind { name: "an Iceberg table", reads: "the result of scan().to_arrow() of pyiceberg" };

const SPARK_SINK: TableKind =
    TableKind { name: "what a stream of Spark has written", reads: "the table that Spark reads" };

/// The kind of table of which this path, relative to the folder of the table, is a sign.
fn table_with(path: &str) -> Option<TableKind> {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    match first {
        "_delta_log" => Some(DELTA),
        ".hoodie" => Some(HUDI),
        "_spark_metadata" => Some(SPARK_SINK),
        "_versions" if rest.ends_with(".manifest") => Some(LANCE),
        "metadata" if rest.ends_with(".metadata.json") => Some(ICEBERG),
        _ => None,
    }
}

/// The kind of table that a folder is.
pub(super) fn table_in(folder: &Path) -> Option<TableKind> {
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned())
    };
    ["_delta_log", ".hoodie", "_spark_metadata"]
        .into_iter()
        .find(|name| folder.join(name).is_dir())
        .and_then(table_with)
        .or_else(|| {
            let inside =
                |name: &'static str| names(&folder.join(name)).map(move |file| format!("{name}/{file}"));
            inside("_versions").chain(inside("metadata")).find_map(|path| table_with(&path))
        })
}

/// The folder of a table that a folder is in, and its kind.
pub(super) fn table_around(folder: &Path) -> Option<(PathBuf, TableKind)> {
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().skip(1).find_map(|above| Some((above.to_owned(), table_in(above)?)))
}

/// The folder of a table among the paths of objects below a prefix, and its kind.
#[cfg(any(feature = "remote", test))]
pub(crate) fn table_among<'p>(mut paths: impl Iterator<Item = &'p str>) -> Option<(&'p str, TableKind)> {
    paths.find_map(|path| {
        let starts = [0].into_iter().chain(path.match_indices('/').map(|(at, _)| at + 1));
        starts
            .filter_map(|start| Some((path[..start].trim_end_matches('/'), table_with(&path[start..])?)))
            .next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_logs_and_leftovers_are_no_data_and_partitions_are() {
        for name in ["_SUCCESS", "_temporary", "_delta_log", "_", ".part-0.crc", ".", "_x.parquet"] {
            assert!(is_no_data(name.as_bytes()), "{name}");
        }
        for name in ["part-0", "a_b", "_day=1", "__HIVE_DEFAULT_PARTITION__=x", "a.", "день"] {
            assert!(!is_no_data(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn a_table_is_known_by_its_log_on_a_disk_and_in_a_bucket() {
        for (sign, kind) in [
            ("_delta_log/00000000000000000000.json", Some(DELTA)),
            (".hoodie/hoodie.properties", Some(HUDI)),
            ("_versions/1.manifest", Some(LANCE)),
            ("metadata/v1.metadata.json", Some(ICEBERG)),
            ("metadata/notes.json", None),
            ("_versions/1.txt", None),
            ("data/_delta_log", None),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(sign);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
            assert_eq!(table_in(folder.path()), kind, "{sign}");
            if kind.is_some() {
                let below = format!("lake/t/{sign}");
                let paths = ["lake/t/part-0.parquet", &below];
                assert_eq!(table_among(paths.into_iter()), kind.map(|kind| ("lake/t", kind)), "{sign}");
                assert_eq!(table_among([sign].into_iter()), kind.map(|kind| ("", kind)), "{sign}");
            }
        }
    }
}
