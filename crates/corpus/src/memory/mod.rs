//! Records that the caller holds in memory: a source beside files.
//!
//! Every scan reads the rows where they are, and gives the same places. Texts that are UTF-8 are never copied.

mod ahead;
#[cfg(feature = "parquet")]
mod batches;
#[cfg(not(feature = "parquet"))]
#[path = "batches_absent.rs"]
mod batches;
#[cfg(feature = "parquet")]
mod lengths;
mod slices;

use std::{error, fmt, sync::Arc};

use crate::Rank;

pub use self::ahead::fetch_ahead;
pub(crate) use self::batches::Batches;
#[cfg(feature = "parquet")]
pub(crate) use self::lengths::Lengths;

/// The reason why a text cannot be read. Who asked for the texts may know its type, and downcast it.
pub type UnreadableText = Box<dyn error::Error + Send + Sync>;

/// Texts by row number, such as a list.
///
/// A row gives the same text and the same id each time, from any thread. Slices, vectors and shared ones of anything that
/// is a `str` are texts without ids.
///
/// Texts are read a chunk of rows at a time. So a list whose texts are not UTF-8 converts those of a chunk together, into memory that
/// the next chunk takes again.
///
/// # Examples
///
/// Rows of a program's own, which have ids, and may lack a text:
///
/// ```
/// use lookalike_corpus::{Fields, Inputs, Reader, Scan, Scratch, Texts, UnreadableText};
///
/// struct Page {
///     url: String,
///     body: Option<String>,
/// }
///
/// struct Pages(Vec<Page>);
///
/// impl Texts for Pages {
///     fn rows(&self) -> usize {
///         self.0.len()
///     }
///
///     fn length(&self, row: usize) -> u64 {
///         self.0[row].body.as_ref().map_or(0, |body| body.len() as u64)
///     }
///
///     fn texts<'t>(&'t self, rows: &[usize], _: &'t mut Vec<u8>) -> Result<Vec<Option<&'t str>>, UnreadableText> {
///         Ok(rows.iter().map(|&row| self.0[row].body.as_deref()).collect())
///     }
///
///     fn id(&self, row: usize) -> Option<&str> {
///         Some(&self.0[row].url)
///     }
/// }
///
/// let page = |url: &str, body: Option<&str>| Page { url: url.to_owned(), body: body.map(str::to_owned) };
/// let pages = Pages(vec![page("/a", Some("some words")), page("/b", None)]);
/// let inputs = Inputs::of_texts("pages", pages);
///
/// let fields = Fields { id: Some("url".into()), ..Fields::of_text("body") };
/// let reader = Reader::new(&inputs, &fields, Scan::Documents);
/// let mut scratch = Scratch::default();
/// let mut seen = Vec::new();
/// while let Some(chunk) = reader.next()? {
///     chunk.load(&mut scratch)?.for_each(|record| {
///         seen.push(match record {
///             Ok(record) => format!("{}: {}", record.id.unwrap_or_default(), record.text),
///             Err(bad) => format!("row {}: {}", bad.line + 1, bad.problem),
///         });
///     });
/// }
/// assert_eq!(seen, ["/a: some words", "row 2: field \"body\" is null, not text"]);
/// # Ok::<(), lookalike_corpus::Error>(())
/// ```
pub trait Texts: Send + Sync {
    /// The number of rows.
    fn rows(&self) -> usize;

    /// The length of the text of a row in bytes, or an estimate of it that is the same each time. Chunks are cut by it.
    ///
    /// # Panics
    /// It may, if there is no such row.
    fn length(&self, row: usize) -> u64;

    /// The texts of some rows, in the order of `rows`. A row without one is a bad record.
    ///
    /// `buffer` has memory for texts that are not stored as UTF-8. What was in it may be overwritten.
    ///
    /// # Errors
    /// The reason why one of the texts cannot be read. It ends the run.
    ///
    /// # Panics
    /// As [`Texts::length`].
    fn texts<'t>(
        &'t self,
        rows: &[usize],
        buffer: &'t mut Vec<u8>,
    ) -> Result<Vec<Option<&'t str>>, UnreadableText>;

    /// Whether a text may have several sections, with U+FDD0 between them. In other texts that character is a space.
    fn has_sections(&self) -> bool {
        false
    }

    /// The bytes of all texts. It may be an estimate until all texts were read.
    fn bytes(&self) -> u64 {
        (0..self.rows()).map(|row| self.length(row)).sum()
    }

    /// The id of a row, if it has one. Asked for only if [`Fields::id`](crate::Fields::id) is given.
    ///
    /// # Panics
    /// As [`Texts::length`].
    fn id(&self, _row: usize) -> Option<&str> {
        None
    }

    /// The number of a row, if it has one. Asked for only if [`Fields::number`](crate::Fields::number) is given.
    ///
    /// # Panics
    /// As [`Texts::length`].
    fn number(&self, _row: usize) -> Option<Rank> {
        None
    }

    /// The value of a row in a field of [`Fields::within`](crate::Fields::within), if it has one. `field` is the place of the field there.
    ///
    /// # Panics
    /// As [`Texts::length`].
    fn within(&self, _row: usize, _field: usize) -> Option<&str> {
        None
    }
}

/// The rows of a source in memory. Clones share them.
#[derive(Clone)]
pub(crate) enum Memory {
    /// Texts, and perhaps ids.
    Texts(Arc<dyn Texts>),
    /// Rows with fields that have names.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "batches need Arrow"))]
    Batches(Batches),
}

impl Memory {
    /// How many bytes of text it holds, in all columns. It may be an estimate until all were read.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Memory::Texts(texts) => texts.bytes(),
            Memory::Batches(batches) => batches.bytes(),
        }
    }

    /// See [`Texts::has_sections`].
    pub(crate) fn has_sections(&self) -> bool {
        match self {
            Memory::Texts(texts) => texts.has_sections(),
            Memory::Batches(_) => false,
        }
    }

    /// The names of its columns. There are none if its rows are texts alone.
    pub(crate) fn columns(&self) -> Vec<String> {
        match self {
            Memory::Texts(_) => Vec::new(),
            Memory::Batches(batches) => batches.columns(),
        }
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Memory::Texts(_) => "Texts",
            Memory::Batches(_) => "Batches",
        })
    }
}
