//! The form of a list, recognised by its columns.

use crate::error::Error;
use lookalike::quality::Scale;
use lookalike_corpus::{Fields, Format, Inputs};

/// The form of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListForm {
    pub(super) kind: RowMeaning,
    /// The names of its two columns.
    ids: [String; 2],
    /// The column of similarities or distances.
    value: Option<String>,
    /// Is the first line a header?
    pub(super) header: bool,
}

/// The meaning of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowMeaning {
    /// Two ids, in `a` and `b`.
    Pairs,
    /// The id of a document and its cluster, or none if it is alone.
    Clusters,
    /// The id of a document, and the id of the document that was kept instead. No second id if the document was kept itself.
    Removed,
}

/// Names of the column of similarities or distances. If a list has none of them, a single other column is taken.
const VALUES: [&str; 8] = [
    "jaccard",
    "word_jaccard",
    "cosine",
    "containment",
    "overlap",
    "similarity",
    "jaccard_estimate",
    "hamming",
];

/// The name of the column of distances.
const DISTANCE: &str = "hamming";

/// The name of the third column if there is no header.
const UNNAMED_VALUE: &str = "similarity";

impl ListForm {
    /// The form of all files of a list. Files without a header get names for their columns.
    ///
    /// # Errors
    /// [`Error::NoList`], [`Error::ListsDiffer`], and errors of reading.
    pub(super) fn of(inputs: &mut Inputs) -> Result<ListForm, Error> {
        let mut first: Option<(String, ListForm)> = None;
        for index in 0..inputs.files().len() {
            let file = &inputs.files()[index];
            let (name, columns) = (file.name.clone(), file.columns()?);
            let is_table = matches!(file.format, Format::Csv | Format::Tsv);
            if columns.is_empty() && !is_table {
                // It is empty or unreadable. Reading its rows reports that.
                continue;
            }
            let form = if is_table { ListForm::of_table(&columns) } else { ListForm::of_columns(&columns) };
            let Some(form) = form else {
                return Err(Error::NoList { file: name, seen: columns.join(", ") });
            };
            if !form.header {
                let known = ["a", "b", UNNAMED_VALUE];
                inputs.name_columns(index, &known[..2 + usize::from(form.value.is_some())]);
            }
            match &first {
                Some((first, known)) if *known != form && !columns.is_empty() => {
                    return Err(Error::ListsDiffer { first: first.clone(), second: name });
                }
                Some(_) => {}
                None => first = (!columns.is_empty()).then_some((name, form)),
            }
        }
        Ok(first.map_or_else(|| ListForm::of_pairs(None, true), |(_, form)| form))
    }

    /// The form of pairs in columns `a` and `b`.
    fn of_pairs(value: Option<&str>, header: bool) -> ListForm {
        let ids = ["a", "b"].map(str::to_owned);
        ListForm { kind: RowMeaning::Pairs, ids, value: value.map(str::to_owned), header }
    }

    /// The form of CSV or TSV, whose first line may be a row.
    fn of_table(columns: &[String]) -> Option<ListForm> {
        let is_number = |text: &String| text.trim().parse().is_ok_and(f64::is_finite);
        match columns {
            // No header has a column 0.9, so a and b are documents here.
            [_, _, value] if is_number(value) => Some(ListForm::of_pairs(Some(UNNAMED_VALUE), false)),
            [] => Some(ListForm::of_pairs(None, false)),
            _ => ListForm::of_columns(columns)
                .or_else(|| (columns.len() == 2).then(|| ListForm::of_pairs(None, false))),
        }
    }

    fn of_columns(columns: &[String]) -> Option<ListForm> {
        let find = |name: &str| {
            let exactly = columns.iter().find(|column| *column == name);
            exactly.or_else(|| columns.iter().find(|column| is_called(column, name))).cloned()
        };
        let both = |one: &str, other: &str| Some([find(one)?, find(other)?]);
        if let Some(ids) = both("a", "b") {
            let others: Vec<&String> = columns.iter().filter(|column| !ids.contains(column)).collect();
            let known = VALUES.into_iter().find_map(find);
            let value = known.or_else(|| (others.len() == 1).then(|| others[0].clone()));
            return Some(ListForm { kind: RowMeaning::Pairs, ids, value, header: true });
        }
        // Lists of removed documents have both columns. Their clusters lack the kept documents.
        let removed = both("id", "kept_id").map(|ids| (RowMeaning::Removed, ids));
        let (kind, ids) = removed.or_else(|| both("id", "cluster").map(|ids| (RowMeaning::Clusters, ids)))?;
        Some(ListForm { kind, ids, value: None, header: true })
    }

    /// The fields to read of each row. The first one is the required id.
    pub(super) fn fields(&self) -> Fields {
        let [text, id] = self.ids.clone();
        Fields { id: Some(id), number: self.value.clone(), ..Fields::of_text(text) }
    }

    /// The kind of the list, in a word.
    pub(super) fn kind(&self) -> &'static str {
        match self.kind {
            RowMeaning::Pairs => "pairs",
            RowMeaning::Clusters | RowMeaning::Removed => "clusters",
        }
    }

    /// The column of similarities or distances.
    pub(super) fn value(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// The kind of the values of that column.
    pub(super) fn scale(&self) -> Scale {
        let is_distance = self.value().is_some_and(|value| is_called(value, DISTANCE));
        if is_distance { Scale::Distance } else { Scale::Similarity }
    }
}

/// Other programs write names of columns in capitals, or with spaces around them.
fn is_called(column: &str, name: &str) -> bool {
    column.trim().eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(columns: &str, read: fn(&[String]) -> Option<ListForm>) -> Option<ListForm> {
        read(&columns.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    fn pairs(value: Option<&str>, header: bool) -> Option<ListForm> {
        Some(ListForm::of_pairs(value, header))
    }

    fn kind(columns: &str, read: fn(&[String]) -> Option<ListForm>) -> Option<RowMeaning> {
        of(columns, read).filter(|form| form.header).map(|form| form.kind)
    }

    #[test]
    fn lists_are_known_by_their_columns() {
        for read in [ListForm::of_columns, ListForm::of_table] {
            assert_eq!(of("a b", read), pairs(None, true));
            assert_eq!(of("a b jaccard", read), pairs(Some("jaccard"), true));
            assert_eq!(of("b score a", read), pairs(Some("score"), true));
            assert_eq!(of("why a b hamming", read), pairs(Some("hamming"), true));
            assert_eq!(of("why a b how", read), pairs(None, true));
            assert_eq!(kind("id cluster kept", read), Some(RowMeaning::Clusters));
            assert_eq!(kind("cluster id", read), Some(RowMeaning::Clusters));
            assert_eq!(kind("id kept_id cluster jaccard containment", read), Some(RowMeaning::Removed));
            assert_eq!(of("id text url", read), None);
            assert_eq!(of("id", read), None);
        }
    }

    #[test]
    fn names_of_columns_may_be_in_capitals_but_exact_ones_come_first() {
        for read in [ListForm::of_columns, ListForm::of_table] {
            let form = of("A B Hamming", read).unwrap();
            assert_eq!(
                (form.ids.join(" "), form.value(), form.scale()),
                ("A B".into(), Some("Hamming"), Scale::Distance)
            );
            assert_eq!(of("A a B b", read).unwrap().ids, ["a", "b"]);
            assert_eq!(kind("Cluster ID", read), Some(RowMeaning::Clusters));
            assert_eq!(kind("ID Kept_ID", read), Some(RowMeaning::Removed));
        }
    }

    #[test]
    fn a_table_of_two_ids_and_perhaps_a_number_has_no_header() {
        assert_eq!(of("x y", ListForm::of_table), pairs(None, false));
        assert_eq!(of("x y 0.9", ListForm::of_table), pairs(Some("similarity"), false));
        assert_eq!(of("a b 0.9", ListForm::of_table), pairs(Some("similarity"), false));
        assert_eq!(of("x y z", ListForm::of_table), None);
        assert_eq!(of("x y NaN", ListForm::of_table), None);
        assert_eq!(of("x y 0.9 1", ListForm::of_table), None);
        assert_eq!(of("x y", ListForm::of_columns), None);
    }
}
