//! Lines that can only be read from the start: those of a compressed file.

use std::{fmt, io::Read};

use memchr::memrchr;

use super::{chunk::Decoded, decode::decoder};
use crate::{Error, InputFile, Problem, opened::is_of_reading};

pub(super) struct LineStream {
    decoder: Box<dyn Read + Send>,
    /// The start of a line whose end is not decoded yet.
    carried: Vec<u8>,
    chunk_bytes: usize,
    ended: bool,
}

impl fmt::Debug for LineStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LineStream").field("ended", &self.ended).finish_non_exhaustive()
    }
}

impl LineStream {
    pub(super) fn open(file: &InputFile, chunk_bytes: usize) -> Result<LineStream, Error> {
        let decoder =
            decoder(file.open()?.reader(), file.compression).map_err(|source| file.read_error(source))?;
        Ok(LineStream { decoder, carried: Vec::new(), chunk_bytes, ended: false })
    }

    /// The next lines, at least `chunk_bytes` of them except at the end; `None` after the last.
    pub(super) fn next(&mut self, file: &InputFile) -> Result<Option<Decoded>, Error> {
        if self.ended {
            return Ok(None);
        }
        let mut bytes = std::mem::take(&mut self.carried);
        let mut wanted = self.chunk_bytes.max(bytes.len() + 1);
        loop {
            let searched = bytes.len();
            let missing = (wanted - searched) as u64;
            match self.decoder.by_ref().take(missing).read_to_end(&mut bytes) {
                Ok(length) if (length as u64) < missing => {
                    self.ended = true;
                    return Ok((!bytes.is_empty()).then_some(Decoded { bytes, broken: None }));
                }
                Ok(_) => {}
                Err(source) if is_of_reading(&source) => return Err(file.read_error(source)),
                Err(error) => {
                    self.ended = true;
                    bytes.truncate(memrchr(b'\n', &bytes).map_or(0, |newline| newline + 1));
                    let broken = Some(Problem::BrokenStream { message: error.to_string() });
                    return Ok(Some(Decoded { bytes, broken }));
                }
            }
            if let Some(newline) = memrchr(b'\n', &bytes[searched..]) {
                self.carried = bytes.split_off(searched + newline + 1);
                return Ok(Some(Decoded { bytes, broken: None }));
            }
            wanted = bytes.len() * 2;
        }
    }
}
