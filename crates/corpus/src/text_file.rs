//! Reading a file as one text.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::Path,
};

use crate::{
    Compression, Error, Format, Problem,
    formats::{DEFAULT_WINDOW, compression_of, damage, decoder, of_name},
    problem::MAX_TEXT_BYTES,
    read::lines::without_marks,
};
use lookalike_html::{Extract, html_text_by};

/// Reads the text of a file, or of standard input if the path is `-`. The file may be compressed. A byte order mark is not part of the text. The
/// text of an HTML page is the part of its visible text that `extract` names. A file is a page if its extension says so. If its extension is unknown, its
/// content decides.
///
/// # Errors
/// [`Error::Read`], [`Error::NotUtf8`] with the line, or [`Error::BadText`] if the text is too long or its compression is
/// broken.
pub fn read_text(path: &Path, extract: Extract) -> Result<String, Error> {
    let read = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        source.take(MAX_TEXT_BYTES as u64 + 1).read_to_end(&mut bytes).map(|_| bytes)
    };
    let stored = if path == Path::new("-") {
        read(&mut io::stdin().lock())
    } else {
        File::open(path).and_then(|mut file| read(&mut file))
    };
    let mut bytes = stored.map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let bad = |problem| Error::BadText { path: path.to_owned(), problem };
    let compression = compression_of(&bytes);
    if compression != Compression::None && bytes.len() <= MAX_TEXT_BYTES {
        bytes = decoder(Cursor::new(bytes), compression, DEFAULT_WINDOW)
            .and_then(|mut decoder| read(&mut decoder))
            .map_err(|error| bad(damage(&error)))?;
    }
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(bad(Problem::TooLong));
    }
    if of_name(path).0.or_else(|| Format::of_content(&bytes)) == Some(Format::Html) {
        let mut text = String::new();
        html_text_by(extract, &bytes, None, &mut text);
        return Ok(text);
    }
    match simdutf8::compat::from_utf8(&bytes) {
        Ok(text) => Ok(without_marks(text).to_owned()),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
            let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            Err(Error::NotUtf8 { path: path.to_owned(), line, byte: before.len() - start })
        }
    }
}
