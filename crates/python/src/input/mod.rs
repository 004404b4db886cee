//! The documents of a call: texts in memory, or files.

mod ahead;
mod chosen;
mod columns;
mod id_column;
mod list;
mod longest;
mod numbered;
mod read;
mod text_column;
mod utf8;

pub(crate) use chosen::chosen_rows;
pub(crate) use columns::{ColumnNames, ColumnTexts};
pub(crate) use list::ListTexts;
pub(crate) use numbered::NumberedTexts;
pub(crate) use read::read_texts;

use longest::{LONGEST, refuse_long_text};

use crate::arrow::Arrays;
use crate::error;
use crate::table::Table;
use arrow_array::ArrayRef;
use lookalike::text::SECTION_SEPARATOR;
use lookalike_batch::{Dedup, Job};
use lookalike_corpus::{AgainstFields, Inputs, TextFields, Texts};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList};
use std::sync::Arc;

/// The documents of a call. Python objects that hold texts live as long as it.
#[derive(Debug)]
#[pyclass(frozen)]
pub(crate) struct Source(pub(crate) InputDocuments);

#[derive(Debug)]
pub(crate) enum InputDocuments {
    List(Arc<ListTexts>),
    Columns(Arc<ColumnTexts>),
    Files(FileNames),
}

/// Files, and their fields.
#[derive(Clone, Debug)]
pub(crate) struct FileNames {
    pub(crate) inputs: Vec<String>,
    text: TextFields,
    id: String,
    strict: bool,
}

#[pymethods]
impl Source {
    /// The texts of a list. `None` is an empty document.
    #[staticmethod]
    fn of_list(texts: &Bound<'_, PyList>) -> PyResult<Self> {
        let py = texts.py();
        let texts = ListTexts::new(texts)?;
        refuse_long_text(texts.longer(py, LONGEST)?)?;
        Ok(Source(InputDocuments::List(Arc::new(texts))))
    }

    /// The texts of Arrow data, which may come in several objects of the same columns. `text`, `id`, `number` and `within` name columns
    /// of a table. `join` goes between the texts of several columns.
    #[staticmethod]
    #[pyo3(signature = (pieces, text, join = None, id = None, number = None, within = Vec::new()))]
    fn of_columns(
        pieces: Vec<Bound<'_, PyAny>>,
        text: Vec<String>,
        join: Option<String>,
        id: Option<&str>,
        number: Option<&str>,
        within: Vec<String>,
    ) -> PyResult<Self> {
        let pieces = pieces.iter().map(Arrays::of).collect::<PyResult<Vec<_>>>()?;
        let text = text_fields(text, join);
        Ok(Source(InputDocuments::Columns(Arc::new(ColumnTexts::new(
            pieces,
            &ColumnNames { text, id, number, within: &within },
        )?))))
    }

    /// Documents in files.
    #[staticmethod]
    fn of_files(
        inputs: Vec<String>,
        text: Vec<String>,
        join: Option<String>,
        id: String,
        strict: bool,
    ) -> Self {
        let text = text_fields(text, join);
        Source(InputDocuments::Files(FileNames { inputs, text, id, strict }))
    }

    /// The number of rows. Of files it is not known.
    #[getter]
    fn rows(&self) -> Option<usize> {
        match &self.0 {
            InputDocuments::List(texts) => Some(texts.rows()),
            InputDocuments::Columns(texts) => Some(texts.rows()),
            InputDocuments::Files(_) => None,
        }
    }

    /// The text of a row. Files have none.
    fn text(&self, py: Python<'_>, row: usize) -> PyResult<Option<String>> {
        if self.rows().is_none_or(|rows| row >= rows) {
            return Ok(None);
        }
        let (texts, mut buffer) = (self.texts()?, Vec::new());
        let read = read_texts(&*texts, &[row], &mut buffer).map_err(|error| error::of_job(py, &error))?;
        Ok(read.first().map(|&text| text.to_owned()))
    }

    /// The items of the list whose rows have a `mask` other than 0, as they were when the source was made. `None` if the data is no list.
    fn items<'py>(
        &self,
        py: Python<'py>,
        mask: &Bound<'py, PyByteArray>,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        match &self.0 {
            InputDocuments::List(texts) => texts.chosen(py, &mask.to_vec()).map(Some),
            InputDocuments::Columns(_) | InputDocuments::Files(_) => Ok(None),
        }
    }

    /// The rows of the table, with all its columns. `None` if the data is no table.
    fn table(&self, rows: Vec<u64>) -> PyResult<Option<Table>> {
        match &self.0 {
            InputDocuments::Columns(texts) => texts.taken(rows),
            InputDocuments::List(_) | InputDocuments::Files(_) => Ok(None),
        }
    }
}

/// The fields of a text. Without `join`, no shingle goes from one value to the next.
fn text_fields(names: Vec<String>, join: Option<String>) -> TextFields {
    TextFields::new(names, join.unwrap_or_else(|| SECTION_SEPARATOR.to_string()))
}

impl Source {
    /// Makes it the documents of a job.
    pub(crate) fn read_by(&self, job: &mut Job) {
        match &self.0 {
            InputDocuments::Files(files) => {
                job.inputs.clone_from(&files.inputs);
                job.request.text_fields.clone_from(&files.text);
                job.id_field.clone_from(&files.id);
                job.request.strict = files.strict;
            }
            _ => {
                job.inputs = Vec::new();
                job.held = self.held("data");
            }
        }
    }

    /// Makes it documents that those of a job are compared against. `index` tells sources apart.
    pub(crate) fn compared_against(&self, py: Python<'_>, dedup: &mut Dedup, index: usize) -> PyResult<()> {
        let Dedup { job, against, .. } = dedup;
        match &self.0 {
            InputDocuments::Files(files) => {
                let usual = (&job.request.text_fields, &job.id_field);
                let fields = AgainstFields {
                    text: (files.text != *usual.0).then(|| files.text.clone()),
                    id: (files.id != *usual.1).then(|| files.id.clone()),
                };
                if !against.inputs.is_empty() && against.fields != fields {
                    return Err(PyValueError::new_err(
                        "against: several Files must name the same text= and id=; compare with one after the other",
                    ));
                }
                against.inputs.extend(files.inputs.iter().cloned());
                against.fields = fields;
            }
            _ => {
                let more = self.held(&format!("against {}", index + 1));
                let held = std::mem::take(&mut against.held).join(more);
                against.held = held.map_err(|error| error::of_engine(py, &error.into()))?;
            }
        }
        Ok(())
    }

    /// The texts in memory.
    ///
    /// # Errors
    /// `TypeError` for files.
    pub(crate) fn texts(&self) -> PyResult<Arc<dyn Texts>> {
        match &self.0 {
            InputDocuments::List(texts) => Ok(Arc::clone(texts) as Arc<dyn Texts>),
            InputDocuments::Columns(texts) => Ok(Arc::clone(texts) as Arc<dyn Texts>),
            InputDocuments::Files(_) => {
                Err(error::wrong_type("data is Files, and this needs data in memory"))
            }
        }
    }

    /// The texts in memory, as inputs.
    fn held(&self, name: &str) -> Inputs {
        match &self.0 {
            InputDocuments::List(texts) => Inputs::of_texts(name, Arc::clone(texts)),
            InputDocuments::Columns(texts) => Inputs::of_texts(name, Arc::clone(texts)),
            InputDocuments::Files(_) => Inputs::default(),
        }
    }

    pub(crate) fn is_files(&self) -> bool {
        matches!(self.0, InputDocuments::Files(_))
    }

    /// The ids of the rows, if there are any.
    pub(crate) fn ids(&self) -> PyResult<Option<ArrayRef>> {
        match &self.0 {
            InputDocuments::Columns(texts) => texts.ids(),
            InputDocuments::List(_) | InputDocuments::Files(_) => Ok(None),
        }
    }
}
