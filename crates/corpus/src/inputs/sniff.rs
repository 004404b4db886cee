//! What the first bytes of a file show.

use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::FileExt,
    path::Path,
};

use super::Holding;
use crate::{
    Compression, Error, Format,
    formats::COMPRESSION_BYTES,
    opened::{Opened, is_of_reading},
    read::decode::decoder,
};

/// As many leading bytes as show any format, with room for blank lines before the first object.
const HEAD_BYTES: usize = 4096;

/// The compression that the content of a file shows.
pub(super) fn compression_of(path: &Path) -> Result<Compression, Error> {
    let mut head = [0; COMPRESSION_BYTES];
    let length = File::open(path)
        .and_then(|file| file.read_at(&mut head, 0))
        .map_err(|source| Error::Read { path: path.to_owned(), source })?;
    Ok(Compression::of_content(&head[..length]))
}

/// The format and compression that the content of a file shows.
pub(super) fn sniff(file: &Opened, holding: Holding) -> io::Result<(Option<Format>, Compression)> {
    let (mut head, mut start) = (Vec::new(), Vec::new());
    file.reader().take(COMPRESSION_BYTES as u64).read_to_end(&mut head)?;
    let compression = Compression::of_content(&head);
    let decoded = decoder(file.reader(), compression)
        .and_then(|decoder| decoder.take(HEAD_BYTES as u64).read_to_end(&mut start));
    match decoded {
        Ok(_) => {}
        // A broken stream is reported when its records are read; here what came before it is enough.
        Err(error) if !is_of_reading(&error) => {}
        Err(error) => return Err(error),
    }
    let format = match holding {
        Holding::Documents => Format::of_content(&start),
        Holding::List => Some(Format::of_list(&start)),
    };
    Ok((format, compression))
}
