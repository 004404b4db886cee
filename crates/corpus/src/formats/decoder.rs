//! Decompression of a whole file or text.

use std::io::{self, BufReader, Read};

use super::Compression;

/// The size of reads of compressed bytes. It is large enough to make the cost of system calls negligible.
const FETCH_BYTES: usize = 256 * 1024;

/// A decoder of the bytes of a file. It reads all members, frames or streams of the file.
///
/// # Errors
/// The error of a decoder that cannot be set up.
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

/// The compression of a whole file in memory. Bytes that are valid UTF-8 are not compressed: a text may begin with the letters
/// at the start of bzip2, but no compressed file is a text.
pub(crate) fn compression_of(bytes: &[u8]) -> Compression {
    match Compression::of_content(bytes) {
        Compression::None => Compression::None,
        _ if simdutf8::basic::from_utf8(bytes).is_ok() => Compression::None,
        compression => compression,
    }
}
