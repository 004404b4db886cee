//! A decoder of Brotli that tells a body without its end from a damaged one. Its library has one error for both.

use std::io::{self, ErrorKind, Read};

use brotli_decompressor::Decompressor;

/// The bytes that the decoder reads at once. The body is in memory, so this may be small.
const BUFFER_BYTES: usize = 16 * 1024;

/// Decodes a body.
pub(super) struct BrotliDecoder<'b>(Decompressor<Rest<'b>>);

/// The bytes that the decoder has not read.
struct Rest<'b> {
    bytes: &'b [u8],
    /// Whether the decoder wanted more than there is. It stops at the end of its stream by itself.
    is_short: bool,
}

impl<'b> BrotliDecoder<'b> {
    pub(super) fn new(body: &'b [u8]) -> BrotliDecoder<'b> {
        BrotliDecoder(Decompressor::new(Rest { bytes: body, is_short: false }, BUFFER_BYTES))
    }
}

impl Read for BrotliDecoder<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map_err(|error| match self.0.get_ref().is_short {
            true => io::Error::new(ErrorKind::UnexpectedEof, "incomplete Brotli stream"),
            false => error,
        })
    }
}

impl Read for Rest<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(into)?;
        self.is_short |= length == 0 && !into.is_empty();
        Ok(length)
    }
}
