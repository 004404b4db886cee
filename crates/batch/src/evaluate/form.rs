//! How a list says what is alike, known by its columns.

use crate::error::Error;
use lookalike::Scale;
use lookalike_corpus::{Fields, Format, Inputs};

/// How a list says what is alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Two ids a row, in `a` and `b`.
    Pairs {
        /// The column that says how alike they are.
        value: Option<String>,
        /// Does the first line say what the columns are called?
        header: bool,
    },
    /// The id of a document and its cluster, or none if it is alone.
    Clusters,
    /// The id of a document and that of the document which was kept instead of it, or none if it was kept itself.
    Removed,
}

/// Columns that say how alike two documents are. Where there is none of them, a single other column does.
const VALUES: [&str; 7] =
    ["jaccard", "word_jaccard", "cosine", "containment", "overlap", "similarity", "hamming"];

/// The one of them that says how far apart they are.
const DISTANCE: &str = "hamming";

/// What the third column is called where there is no header.
const UNNAMED_VALUE: &str = "similarity";

impl Form {
    /// That of all files of a list; tells those without a header what their columns are called.
    ///
    /// # Errors
    /// [`Error::NoList`], [`Error::ListsDiffer`]; those of reading.
    pub(super) fn of(inputs: &mut Inputs) -> Result<Form, Error> {
        let mut first: Option<(String, Form)> = None;
        for index in 0..inputs.files().len() {
            let file = &inputs.files()[index];
            let (name, columns) = (file.name.clone(), file.columns()?);
            let is_table = matches!(file.format, Format::Csv | Format::Tsv);
            if columns.is_empty() && !is_table {
                // Nothing is in it, or nothing that can be read, which is told when it is.
                continue;
            }
            let form = if is_table { Form::of_table(&columns) } else { Form::of_columns(&columns) };
            let Some(form) = form else {
                return Err(Error::NoList { file: name, seen: columns.join(", ") });
            };
            if let Form::Pairs { value, header: false } = &form {
                let known = ["a", "b", UNNAMED_VALUE];
                inputs.name_columns(index, &known[..2 + usize::from(value.is_some())]);
            }
            match &first {
                Some((first, known)) if *known != form && !columns.is_empty() => {
                    return Err(Error::ListsDiffer { first: first.clone(), second: name });
                }
                Some(_) => {}
                None => first = (!columns.is_empty()).then_some((name, form)),
            }
        }
        Ok(first.map_or(Form::Pairs { value: None, header: true }, |(_, form)| form))
    }

    /// That of CSV or TSV, where the first line may be a row.
    fn of_table(columns: &[String]) -> Option<Form> {
        let is_number = |text: &String| text.trim().parse().is_ok_and(f64::is_finite);
        let without_header =
            |value: Option<&str>| Form::Pairs { value: value.map(str::to_owned), header: false };
        match columns {
            // No header calls a column 0.9, so that a and b are documents here.
            [_, _, value] if is_number(value) => Some(without_header(Some(UNNAMED_VALUE))),
            [] => Some(without_header(None)),
            _ => Form::of_columns(columns).or_else(|| (columns.len() == 2).then(|| without_header(None))),
        }
    }

    fn of_columns(columns: &[String]) -> Option<Form> {
        let has = |name: &str| columns.iter().any(|column| column == name);
        if has("a") && has("b") {
            let others: Vec<&String> =
                columns.iter().filter(|column| !["a", "b"].contains(&&***column)).collect();
            let known = VALUES.into_iter().find(|value| has(value)).map(str::to_owned);
            let value = known.or_else(|| (others.len() == 1).then(|| others[0].clone()));
            return Some(Form::Pairs { value, header: true });
        }
        // Lists of removed documents have both, and their clusters lack the kept ones.
        match (has("id") && has("kept_id"), has("id") && has("cluster")) {
            (true, _) => Some(Form::Removed),
            (_, true) => Some(Form::Clusters),
            _ => None,
        }
    }

    /// What to read of each row: first the id that must be there.
    pub(super) fn fields(&self) -> Fields {
        let (text, id) = match self {
            Form::Pairs { .. } => ("a", "b"),
            Form::Clusters => ("id", "cluster"),
            Form::Removed => ("id", "kept_id"),
        };
        Fields { text: text.to_owned(), id: Some(id.to_owned()), number: self.value().map(str::to_owned) }
    }

    /// The kind of list, in a word.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Form::Pairs { .. } => "pairs",
            Form::Clusters | Form::Removed => "clusters",
        }
    }

    /// Does the first line say what the columns are called?
    pub(super) fn has_header(&self) -> bool {
        !matches!(self, Form::Pairs { header: false, .. })
    }

    /// The column that says how alike the two of a pair are.
    pub(super) fn value(&self) -> Option<&str> {
        match self {
            Form::Pairs { value, .. } => value.as_deref(),
            Form::Clusters | Form::Removed => None,
        }
    }

    /// What the values of that column are.
    pub(super) fn scale(&self) -> Scale {
        if self.value() == Some(DISTANCE) { Scale::Distance } else { Scale::Similarity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(columns: &str, read: fn(&[String]) -> Option<Form>) -> Option<Form> {
        read(&columns.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    fn pairs(value: Option<&str>, header: bool) -> Option<Form> {
        Some(Form::Pairs { value: value.map(str::to_owned), header })
    }

    #[test]
    fn lists_are_known_by_their_columns() {
        for read in [Form::of_columns, Form::of_table] {
            assert_eq!(of("a b", read), pairs(None, true));
            assert_eq!(of("a b jaccard", read), pairs(Some("jaccard"), true));
            assert_eq!(of("b score a", read), pairs(Some("score"), true));
            assert_eq!(of("why a b hamming", read), pairs(Some("hamming"), true));
            assert_eq!(of("why a b how", read), pairs(None, true));
            assert_eq!(of("id cluster kept", read), Some(Form::Clusters));
            assert_eq!(of("cluster id", read), Some(Form::Clusters));
            assert_eq!(of("id kept_id cluster jaccard containment", read), Some(Form::Removed));
            assert_eq!(of("id text url", read), None);
            assert_eq!(of("id", read), None);
        }
    }

    #[test]
    fn a_table_of_two_ids_and_perhaps_a_number_has_no_header() {
        assert_eq!(of("x y", Form::of_table), pairs(None, false));
        assert_eq!(of("x y 0.9", Form::of_table), pairs(Some("similarity"), false));
        assert_eq!(of("a b 0.9", Form::of_table), pairs(Some("similarity"), false));
        assert_eq!(of("x y z", Form::of_table), None);
        assert_eq!(of("x y NaN", Form::of_table), None);
        assert_eq!(of("x y 0.9 1", Form::of_table), None);
        assert_eq!(of("x y", Form::of_columns), None);
    }
}
