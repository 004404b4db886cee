//! Decompression of a whole file, as a stream of bytes.

use std::io::{self, BufReader, Read};

use crate::Compression;

/// Compressed bytes are fetched in pieces of this size: large enough that system calls do not show.
const FETCH_BYTES: usize = 256 * 1024;

/// The decompressed bytes of a file. Files made of several members, frames or streams are read to their end.
///
/// # Errors
/// The decoder cannot be set up.
pub(crate) fn decoder(
    source: impl Read + Send + 'static,
    compression: Compression,
) -> io::Result<Box<dyn Read + Send>> {
    let source = BufReader::with_capacity(FETCH_BYTES, source);
    Ok(match compression {
        Compression::None => Box::new(source),
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(source)),
        Compression::Zstd => Box::new(zstd::Decoder::with_buffer(source)?),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(source)),
        Compression::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(source)),
    })
}
