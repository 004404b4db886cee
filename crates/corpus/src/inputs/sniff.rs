//! Recognising a file by its first bytes.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use super::Holding;
use crate::{
    Compression, Error, Format,
    formats::{COMPRESSION_BYTES, HEAD_BYTES, decoder, of_name, usual_extension},
    opened::{Opened, is_of_reading},
    platform,
};

/// The compression that the content of a file indicates.
pub(super) fn compression_of(path: &Path) -> Result<Compression, Error> {
    let mut head = [0; COMPRESSION_BYTES];
    let length = File::open(path)
        .and_then(|file| platform::read_at(&file, &mut head, 0))
        .map_err(|source| Error::Read { path: path.to_owned(), source })?;
    Ok(Compression::of_content(&head[..length]))
}

/// The format and compression that the content of a file indicates.
pub(super) fn sniff(file: &Opened, holding: Holding) -> io::Result<(Option<Format>, Compression)> {
    let mut head = Vec::new();
    file.reader().take(COMPRESSION_BYTES as u64).read_to_end(&mut head)?;
    let compression = Compression::of_content(&head);
    let start = start_of(file, compression)?;
    let format = match holding {
        Holding::Documents => Format::of_content(&start),
        Holding::List => Some(Format::of_list(&start)),
    };
    Ok((format, compression))
}

/// The format that the content of a file indicates, with its usual extension, if the name of the file says another one. `None` if the content
/// has no typical start, and for a file that cannot be read.
pub fn content_of_other_name(path: &Path) -> Option<(Format, String)> {
    let named = of_name(path).0?;
    let file = Opened::Local(Arc::new(File::open(path).ok()?));
    let (format, _) = sniff(&file, Holding::Documents).ok()?;
    let format = format?;
    let is_json = |format| matches!(format, Format::Json | Format::Jsonl);
    // Both are JSON: other messages say how lines and arrays differ.
    let same = format == named || (is_json(format) && is_json(named));
    (!same && !named.is_one_document()).then(|| (format, usual_extension(format)))
}

/// The format of a file whose name ends in `.json`.
pub(super) fn json_format(file: &Opened, compression: Compression) -> io::Result<Format> {
    Ok(Format::of_json(&start_of(file, compression)?))
}

/// The start of a file, decompressed, that is enough to recognise its format.
fn start_of(file: &Opened, compression: Compression) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    let decoded = decoder(file.reader(), compression)
        .and_then(|decoder| decoder.take(HEAD_BYTES as u64).read_to_end(&mut start));
    match decoded {
        Ok(_) => Ok(start),
        // A broken stream is reported when its records are read. Here the bytes before the damage are enough.
        Err(error) if !is_of_reading(&error) => Ok(start),
        Err(error) => Err(error),
    }
}
