//! Decompression of whole files.

use std::{
    fmt,
    io::{self, BufReader, Read},
};

use crate::{Compression, Error, InputFile, Problem, opened::is_of_reading};

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

/// A decoder that ends at the end of the file or at the first damage.
pub(super) struct Decoding {
    decoder: Box<dyn Read + Send>,
    state: State,
}

#[derive(Debug)]
enum State {
    Open,
    Ended,
    /// No more bytes can be decoded.
    Broken(Problem),
}

impl fmt::Debug for Decoding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Decoding").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Decoding {
    pub(super) fn open(file: &InputFile) -> Result<Decoding, Error> {
        let decoder =
            decoder(file.open()?.reader(), file.compression).map_err(|source| file.read_error(source))?;
        Ok(Decoding { decoder, state: State::Open })
    }

    /// Reads until `bytes` has `length` bytes, or the decoder ends.
    ///
    /// # Errors
    /// The errors of reading. Damage of the compressed stream is not an error here. It ends the bytes.
    pub(super) fn fill(&mut self, bytes: &mut Vec<u8>, length: usize) -> io::Result<()> {
        let missing = length.saturating_sub(bytes.len()) as u64;
        if self.has_ended() || missing == 0 {
            return Ok(());
        }
        match self.decoder.by_ref().take(missing).read_to_end(bytes) {
            Ok(read) if read as u64 == missing => {}
            Ok(_) => self.state = State::Ended,
            Err(error) if is_of_reading(&error) => return Err(error),
            Err(error) => {
                self.state = State::Broken(Problem::BrokenStream { message: error.to_string() });
            }
        }
        Ok(())
    }

    /// Skips up to `length` bytes, in pieces of at most `piece` bytes. Returns the number of bytes that were skipped.
    ///
    /// # Errors
    /// The errors of reading.
    pub(super) fn skip(&mut self, length: u64, piece: usize) -> io::Result<u64> {
        let (mut passed, mut bytes) = (0, Vec::new());
        while passed < length && !self.has_ended() {
            bytes.clear();
            self.fill(&mut bytes, (length - passed).min(piece as u64) as usize)?;
            passed += bytes.len() as u64;
        }
        Ok(passed)
    }

    /// Whether no more bytes can be read.
    pub(super) fn has_ended(&self) -> bool {
        !matches!(self.state, State::Open)
    }

    /// The damage that ended the bytes, if it was not the end of the file.
    pub(super) fn broken(&self) -> Option<&Problem> {
        match &self.state {
            State::Broken(problem) => Some(problem),
            State::Open | State::Ended => None,
        }
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
