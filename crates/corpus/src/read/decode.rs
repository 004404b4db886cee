//! Decompression of a whole file, as a stream of bytes.

use std::{
    fmt,
    io::{self, BufReader, Read},
};

use crate::{Compression, Error, InputFile, Problem, opened::is_of_reading};

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

/// The decoded bytes of a file, up to its end or to where it is damaged.
pub(super) struct Decoding {
    decoder: Box<dyn Read + Send>,
    state: State,
}

#[derive(Debug)]
enum State {
    Open,
    Ended,
    /// Nothing more can be decoded.
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

    /// Reads until there are `length` bytes, or no more come.
    ///
    /// # Errors
    /// Those of reading. What cannot be decoded is none: it ends the bytes.
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

    /// Passes over `length` bytes in pieces, or over fewer if no more come, and says over how many.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn skip(&mut self, length: u64, piece: usize) -> io::Result<u64> {
        let (mut passed, mut bytes) = (0, Vec::new());
        while passed < length && !self.has_ended() {
            bytes.clear();
            self.fill(&mut bytes, (length - passed).min(piece as u64) as usize)?;
            passed += bytes.len() as u64;
        }
        Ok(passed)
    }

    /// Do no more bytes come?
    pub(super) fn has_ended(&self) -> bool {
        !matches!(self.state, State::Open)
    }

    /// Why no more bytes come, if it is not the end of the file.
    pub(super) fn broken(&self) -> Option<&Problem> {
        match &self.state {
            State::Broken(problem) => Some(problem),
            State::Open | State::Ended => None,
        }
    }
}

/// The compression of a whole file that is in memory. A text may begin with the letters that bzip2 begins with, but nothing that is
/// compressed is a text.
pub(crate) fn compression_of(bytes: &[u8]) -> Compression {
    match Compression::of_content(bytes) {
        Compression::None => Compression::None,
        _ if simdutf8::basic::from_utf8(bytes).is_ok() => Compression::None,
        compression => compression,
    }
}
