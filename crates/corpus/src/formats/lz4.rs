//! LZ4 frames.

use std::io::{self, BufRead, Read};

use lz4_flex::frame::FrameDecoder;

/// The first bytes of a frame in the form that `lz4 -l` writes. It has no mark at its end.
const OLD_MAGIC: [u8; 4] = [0x02, 0x21, 0x4c, 0x18];

/// A decoder of all frames of a file.
pub(super) struct Lz4Frames<R: BufRead> {
    frame: FrameDecoder<Bounded<R>>,
    has_ended: bool,
}

impl<R: BufRead> Lz4Frames<R> {
    pub(super) fn new(source: R) -> Lz4Frames<R> {
        let bounded = Bounded { source, is_cut: false, start: Vec::new() };
        Lz4Frames { frame: FrameDecoder::new(bounded), has_ended: false }
    }
}

impl<R: BufRead> Read for Lz4Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.has_ended && !buffer.is_empty() {
            let length = self.frame.read(buffer)?;
            if length > 0 {
                return Ok(length);
            }
            // The decoder says that a frame has ended also if the file ends before a block of it.
            let bounded = self.frame.get_mut();
            if bounded.is_cut && bounded.start != OLD_MAGIC {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.has_ended = bounded.is_cut || bounded.source.fill_buf()?.is_empty();
            bounded.start.clear();
        }
        Ok(0)
    }
}

/// A source that notes whether it was read behind its end.
struct Bounded<R> {
    source: R,
    is_cut: bool,
    /// The first bytes of the frame.
    start: Vec<u8>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        self.is_cut |= length == 0 && !buffer.is_empty();
        let missing = OLD_MAGIC.len() - self.start.len();
        self.start.extend_from_slice(&buffer[..length.min(missing)]);
        Ok(length)
    }
}
