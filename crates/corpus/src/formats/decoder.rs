//! Decompression of a whole file or text.

use std::io::{self, BufReader, Cursor, Read};

use super::{
    Compression,
    gzip::GzipMembers,
    lz4::Lz4Frames,
    zstd_head::{dictionary, window_log},
};
use crate::Problem;

/// The size of reads of compressed bytes. It is large enough to make the cost of system calls negligible.
const FETCH_BYTES: usize = 256 * 1024;

/// A decoder of the bytes of a file. It reads all members, frames or streams of the file. Frames of Zstandard may have windows of up to `window`
/// bytes, and a dictionary before the first one.
///
/// # Errors
/// The error of a decoder that cannot be set up.
pub(crate) fn decoder(
    source: impl Read + Send + 'static,
    compression: Compression,
    window: u64,
) -> io::Result<Box<dyn Read + Send>> {
    let source = BufReader::with_capacity(FETCH_BYTES, source);
    Ok(match compression {
        Compression::None => Box::new(source),
        Compression::Gzip => Box::new(GzipMembers::new(source)),
        Compression::Zstd => zstd_decoder(source, window)?,
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(source)),
        Compression::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(source)),
        Compression::Lz4 => Box::new(Lz4Frames::new(source)),
    })
}

fn zstd_decoder(
    mut source: BufReader<impl Read + Send + 'static>,
    window: u64,
) -> io::Result<Box<dyn Read + Send>> {
    let (start, dictionary) = match dictionary(&mut source)? {
        Ok(dictionary) => (Vec::new(), dictionary.content),
        Err(start) => (start, Vec::new()),
    };
    let source = Cursor::new(start).chain(source);
    let mut decoder = zstd::stream::raw::Decoder::with_dictionary(&dictionary)?;
    let log = window_log(window).ok_or_else(|| io::Error::other(WINDOW_ERROR))?;
    decoder.set_parameter(zstd::stream::raw::DParameter::WindowLogMax(log))?;
    Ok(Box::new(zstd::stream::zio::Reader::new(source, decoder)))
}

/// What the library says of a frame whose window is larger than it may be.
const WINDOW_ERROR: &str = "Frame requires too much memory for decoding";

/// What the library says of a frame that was compressed with a dictionary.
const DICTIONARY_ERROR: &str = "Dictionary mismatch";

/// Why the rest of a file cannot be decoded.
pub(crate) fn damage(error: &io::Error) -> Problem {
    let message = error.to_string();
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Problem::CutStream,
        _ if message == WINDOW_ERROR => Problem::LongWindow,
        _ if message == DICTIONARY_ERROR => Problem::NoDictionary,
        _ => Problem::BrokenStream { message },
    }
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
