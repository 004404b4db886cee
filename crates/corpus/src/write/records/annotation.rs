//! The fields that `--annotate` adds to each record.

use std::io::Write;

use super::quote::{FieldForm, push_json};
use crate::write::table::{Cell, push_plain};

/// The names of the added fields, in their order. `score` is the name of the score.
pub(crate) fn names(score: &'static str) -> [&'static str; 6] {
    ["cluster", "kept", "kept_id", score, "containment", "duplicate_count"]
}

/// The same fields, each with its type as Hugging Face names it.
pub(crate) fn added_features(score: &'static str) -> Vec<(&'static str, &'static str)> {
    let types = ["int64", "bool", "string", "float64", "float64", "int64"];
    names(score).into_iter().zip(types).collect()
}

/// The results for one record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Annotation<'a> {
    /// The number of the cluster, or `None` if the record is similar to no other record.
    pub cluster: Option<u64>,
    /// Whether the record is kept.
    pub kept: bool,
    /// The id of the record that is kept instead.
    pub kept_id: Option<&'a str>,
    /// The similarity or distance to that record: a number, an integer or nothing.
    pub score: Cell<'a>,
    /// The share of this record that is contained in that one.
    pub containment: Cell<'a>,
    /// The number of other records in its cluster.
    pub duplicates: u64,
}

impl Annotation<'_> {
    /// Appends the fields of a JSON object, without braces.
    pub(crate) fn push_json(&self, score: &str, out: &mut Vec<u8>) {
        match self.cluster {
            Some(cluster) => push(out, format_args!("\"cluster\":{cluster}")),
            None => out.extend_from_slice(b"\"cluster\":null"),
        }
        push(out, format_args!(",\"kept\":{},\"kept_id\":", self.kept));
        match self.kept_id {
            Some(id) => push_json(out, id),
            None => out.extend_from_slice(b"null"),
        }
        for (name, number) in [(score, self.score), ("containment", self.containment)] {
            push(out, format_args!(",\"{name}\":"));
            match number {
                Cell::Absent => out.extend_from_slice(b"null"),
                number => push_plain(out, number),
            }
        }
        push(out, format_args!(",\"duplicate_count\":{}", self.duplicates));
    }

    /// Appends the fields of a table, each behind a delimiter. Unknown values are empty.
    pub(crate) fn push_fields(&self, out: &mut Vec<u8>, form: FieldForm) {
        let cluster = self.cluster.map_or(Cell::Absent, Cell::Integer);
        push_value(out, cluster, form.delimiter);
        push_value(out, Cell::Bool(self.kept), form.delimiter);
        out.push(form.delimiter);
        form.push(out, self.kept_id.unwrap_or_default());
        for number in [self.score, self.containment, Cell::Integer(self.duplicates)] {
            push_value(out, number, form.delimiter);
        }
    }
}

/// Appends a delimiter and a value, in quotes if it contains the delimiter: any character may be the delimiter, such as a point. Where fields
/// are never quoted, [`annotated_header`](super::lines::annotated_header) refuses such a delimiter.
fn push_value(out: &mut Vec<u8>, value: Cell<'_>, delimiter: u8) {
    out.push(delimiter);
    let start = out.len();
    push_plain(out, value);
    if out[start..].contains(&delimiter) {
        out.insert(start, b'"');
        out.push(b'"');
    }
}

fn push(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Writing to memory cannot fail.
    let _ = out.write_fmt(text);
}
