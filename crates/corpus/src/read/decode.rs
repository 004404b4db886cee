//! Decompression of whole files.

use std::{
    fmt,
    io::{self, Read},
};

use crate::{
    Error, InputFile, Problem,
    formats::{damage, decoder},
    opened::is_of_reading,
};

/// A decoder that ends at the end of the file or at the first damage.
pub(super) struct Decoding {
    decoder: Box<dyn Read + Send>,
    state: DecodingState,
}

#[derive(Debug)]
enum DecodingState {
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
        let (source, window) = (file.open()?.reader(), file.decoder_window());
        match decoder(source, file.compression, window) {
            Ok(decoder) => Ok(Decoding { decoder, state: DecodingState::Open }),
            Err(error) if is_of_reading(&error) => Err(file.read_error(error)),
            Err(error) => {
                Ok(Decoding { decoder: Box::new(io::empty()), state: DecodingState::Broken(damage(&error)) })
            }
        }
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
            Ok(_) => self.state = DecodingState::Ended,
            Err(error) if is_of_reading(&error) => return Err(error),
            Err(error) => self.state = DecodingState::Broken(damage(&error)),
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
        !matches!(self.state, DecodingState::Open)
    }

    /// The damage that ended the bytes, if it was not the end of the file.
    pub(super) fn broken(&self) -> Option<&Problem> {
        match &self.state {
            DecodingState::Broken(problem) => Some(problem),
            DecodingState::Open | DecodingState::Ended => None,
        }
    }
}
