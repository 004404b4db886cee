//! Texts that are read without a scan.

use lookalike_batch::Error;
use lookalike_corpus::Texts;
use lookalike_engine::Error as EngineError;

/// The texts of some rows.
///
/// # Errors
/// The reason why one of them cannot be read.
pub(crate) fn read_texts<'t>(
    texts: &'t dyn Texts,
    rows: &[usize],
    buffer: &'t mut Vec<u8>,
) -> Result<Vec<&'t str>, Error> {
    let unreadable = |source| lookalike_corpus::Error::UnreadableText { name: "data".to_owned(), source };
    let read = texts.texts(rows, buffer).map_err(unreadable).map_err(EngineError::from)?;
    Ok(read.into_iter().map(Option::unwrap_or_default).collect())
}
