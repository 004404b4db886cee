//! Sources in memory among the inputs, and inputs put together.

use std::{collections::HashSet, path::PathBuf, sync::Arc};

#[cfg(feature = "parquet")]
use arrow_array::RecordBatch;

use super::{FileStamp, HeldSource, Identity, InputFile, Inputs, relative, resolve::refuse_repeats};
#[cfg(feature = "parquet")]
use crate::memory::Batches;
use crate::{Compression, Error, Format, Quoting, Texts, memory::Memory};

impl Inputs {
    /// Texts in memory, one document each. A document without an id is called `name:row`, with rows counted from 1.
    ///
    /// A text is read where it is, in every scan. A row without a text is a bad record.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use lookalike_corpus::{Fields, Inputs, Reader, Scan, Scratch};
    ///
    /// let texts: Arc<[String]> = ["some words", "other words"].map(str::to_owned).into();
    /// let inputs = Inputs::of_texts("texts", Arc::clone(&texts));
    ///
    /// let fields = Fields::of_text("text");
    /// let reader = Reader::new(&inputs, &fields, Scan::Documents);
    /// let mut scratch = Scratch::default();
    /// let mut rows = Vec::new();
    /// while let Some(chunk) = reader.next()? {
    ///     chunk.load(&mut scratch)?.for_each(|record| rows.push(record.unwrap().text.as_ptr()));
    /// }
    /// // They are the same texts, and not copies of them.
    /// assert_eq!(rows, [texts[0].as_ptr(), texts[1].as_ptr()]);
    /// # Ok::<(), lookalike_corpus::Error>(())
    /// ```
    pub fn of_texts(name: &str, texts: impl Texts + 'static) -> Inputs {
        Inputs::of_memory(name, Memory::Texts(Arc::new(texts)))
    }

    /// Batches of Arrow, of any lengths, a row a document. Documents without an id are called `name:row`, counted from 1 through all batches.
    ///
    /// Fields are columns, by the same names as those of a Parquet file: `meta.text` is the column `text` of the struct `meta`. Texts and ids are
    /// `Utf8`, `LargeUtf8`, `Utf8View` or a dictionary of these, and are read where they are; other ids are written as text. A null text is
    /// a bad record. If a batch has no such column, or one of another type, nothing is read, and the source is a bad record.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
    /// use lookalike_corpus::{Fields, Inputs, Reader, Scan, Scratch};
    ///
    /// let texts: ArrayRef = Arc::new(StringArray::from(vec!["some words", "other words", "more words"]));
    /// let numbers: ArrayRef = Arc::new(Int64Array::from(vec![7, 8, 9]));
    /// let batch = RecordBatch::try_from_iter([("number", numbers), ("body", texts)]).unwrap();
    /// let inputs = Inputs::of_batches("frame", vec![batch.slice(1, 2), batch]);
    ///
    /// let fields = Fields { id: Some("number".into()), ..Fields::of_text("body") };
    /// let reader = Reader::new(&inputs, &fields, Scan::Documents);
    /// let mut scratch = Scratch::default();
    /// let mut ids = Vec::new();
    /// while let Some(chunk) = reader.next()? {
    ///     chunk.load(&mut scratch)?.for_each(|record| ids.extend(record.unwrap().id.map(str::to_owned)));
    /// }
    /// assert_eq!(ids, ["8", "9", "7", "8", "9"]);
    /// # Ok::<(), lookalike_corpus::Error>(())
    /// ```
    #[cfg(feature = "parquet")]
    pub fn of_batches(name: &str, batches: Vec<RecordBatch>) -> Inputs {
        Inputs::of_memory(name, Memory::Batches(Batches::new(batches)))
    }

    /// Marks all files and sources as documents that are only [compared against](Inputs::against).
    #[must_use]
    pub fn all_against(self) -> Inputs {
        Inputs { against: self.files.len(), ..self }
    }

    /// Appends the files and sources of `more`.
    ///
    /// Those that are only compared against come first: the ones of `self`, then the ones of `more`. The limit of records and the way to
    /// wait for servers are taken from `self`.
    ///
    /// # Examples
    ///
    /// ```
    /// use lookalike_corpus::Inputs;
    ///
    /// let seen = Inputs::of_texts("seen", vec!["some words"]).all_against();
    /// let inputs = Inputs::of_texts("new", vec!["some words", "other words"]).join(seen)?;
    /// let names: Vec<&str> = inputs.files().iter().map(|file| file.name.as_str()).collect();
    /// assert_eq!((names, inputs.against()), (vec!["seen", "new"], 1));
    /// # Ok::<(), lookalike_corpus::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Twice`] or [`Error::AlsoInput`] if both have the same file. [`Error::SameName`] if a source in memory has the
    /// name of another source or file.
    pub fn join(mut self, mut more: Inputs) -> Result<Inputs, Error> {
        let against = self.against;
        self.files.splice(against..against, more.files.drain(..more.against));
        self.against += more.against;
        self.files.append(&mut more.files);
        self.ignored += more.ignored;
        self.skipped.append(&mut more.skipped);
        let identities: Vec<Option<Identity>> = self.files.iter().map(Identity::of_file).collect();
        let files = self.files.iter().zip(&identities).enumerate();
        refuse_repeats(
            files.filter_map(|(index, (file, identity))| Some((index, file, identity.as_ref()?))),
            self.against,
        )?;
        refuse_names_of_memory(&self.files)?;
        relative::keep_apart(&mut self.files[self.against..]);
        Ok(self)
    }

    fn of_memory(name: &str, memory: Memory) -> Inputs {
        let file = InputFile {
            // No output can have the same.
            path: PathBuf::new(),
            name: name.to_owned(),
            relative: PathBuf::from(name),
            format: Format::Memory,
            compression: Compression::None,
            window: 0,
            stamp: FileStamp { length: memory.bytes(), modified: None },
            columns: None,
            delimiter: None,
            quoting: Quoting::default(),
            bytes: None,
            headers: None,
            held: Some(HeldSource::Memory(memory)),
        };
        Inputs { files: vec![file], ..Inputs::default() }
    }
}

/// Refuses a source in memory that is called like another source or file.
fn refuse_names_of_memory(files: &[InputFile]) -> Result<(), Error> {
    // There may be millions of files, and few sources in memory.
    let mut names: HashSet<&str> = HashSet::new();
    for file in files.iter().filter(|file| file.memory().is_some()) {
        if !names.insert(&file.name) {
            return Err(Error::SameName { name: file.name.clone() });
        }
    }
    match files.iter().find(|file| file.memory().is_none() && names.contains(file.name.as_str())) {
        Some(file) => Err(Error::SameName { name: file.name.clone() }),
        None => Ok(()),
    }
}

impl InputFile {
    /// What it holds in memory, if it is no file.
    pub(crate) fn memory(&self) -> Option<&Memory> {
        match &self.held {
            Some(HeldSource::Memory(memory)) => Some(memory),
            _ => None,
        }
    }
}
