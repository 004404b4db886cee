//! Records that the caller holds in memory: a source beside files.
//!
//! Texts are never copied. Every scan reads them where they are, and gives the same places.

#[cfg(feature = "parquet")]
mod batches;
#[cfg(not(feature = "parquet"))]
#[path = "batches_absent.rs"]
mod batches;
#[cfg(feature = "parquet")]
mod lengths;

use std::{fmt, sync::Arc};

pub(crate) use self::batches::Batches;
#[cfg(feature = "parquet")]
pub(crate) use self::lengths::Lengths;

/// Texts by row number, such as a list.
///
/// A row gives the same text and the same id each time, from any thread. Slices, vectors and shared ones of anything that
/// is a `str` are texts without ids.
///
/// # Examples
///
/// Rows of a program's own, which have ids, and may lack a text:
///
/// ```
/// use lookalike_corpus::{Fields, Inputs, Reader, Scan, Scratch, Texts};
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
///     fn text(&self, row: usize) -> Option<&str> {
///         self.0[row].body.as_deref()
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

    /// The text of a row. A row without one is a bad record.
    ///
    /// # Panics
    /// It may, if there is no such row.
    fn text(&self, row: usize) -> Option<&str>;

    /// The id of a row, if it has one. Asked for only if [`Fields::id`](crate::Fields::id) is given.
    ///
    /// # Panics
    /// As [`Texts::text`].
    fn id(&self, _row: usize) -> Option<&str> {
        None
    }

    /// The number of a row, if it has one. Asked for only if [`Fields::number`](crate::Fields::number) is given.
    ///
    /// # Panics
    /// As [`Texts::text`].
    fn number(&self, _row: usize) -> Option<f64> {
        None
    }
}

impl<S: AsRef<str> + Send + Sync> Texts for [S] {
    fn rows(&self) -> usize {
        self.len()
    }

    fn text(&self, row: usize) -> Option<&str> {
        Some(self[row].as_ref())
    }
}

impl<S: AsRef<str> + Send + Sync> Texts for Vec<S> {
    fn rows(&self) -> usize {
        self.len()
    }

    fn text(&self, row: usize) -> Option<&str> {
        Some(self[row].as_ref())
    }
}

impl<T: Texts + ?Sized> Texts for Arc<T> {
    fn rows(&self) -> usize {
        (**self).rows()
    }

    fn text(&self, row: usize) -> Option<&str> {
        (**self).text(row)
    }

    fn id(&self, row: usize) -> Option<&str> {
        (**self).id(row)
    }

    fn number(&self, row: usize) -> Option<f64> {
        (**self).number(row)
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
    /// How many bytes of text it holds, in all columns.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Memory::Texts(texts) => {
                (0..texts.rows()).filter_map(|row| texts.text(row)).map(|text| text.len() as u64).sum()
            }
            Memory::Batches(batches) => batches.bytes(),
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
