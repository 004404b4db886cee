use std::io::{self, BufWriter, Write};

use lz4_flex::frame::{FrameEncoder, FrameInfo};

use super::output::OutputTarget;
use crate::Compression;

/// The size of the write buffer. It is large enough to make the cost of system calls negligible.
const BUFFER_BYTES: usize = 256 * 1024;

/// A writer that compresses into a file.
pub(super) enum Encoder {
    None(BufWriter<OutputTarget>),
    Gzip(flate2::write::GzEncoder<BufWriter<OutputTarget>>),
    Zstd(zstd::Encoder<'static, BufWriter<OutputTarget>>),
    Bzip2(bzip2::write::BzEncoder<BufWriter<OutputTarget>>),
    Xz(liblzma::write::XzEncoder<BufWriter<OutputTarget>>),
    Lz4(Box<FrameEncoder<BufWriter<OutputTarget>>>),
}

impl Encoder {
    /// Makes an encoder with the default level of each program: gzip 6, zstd 3, bzip2 9, xz 6. LZ4 has none.
    pub(super) fn new(file: OutputTarget, compression: Compression) -> io::Result<Encoder> {
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(match compression {
            Compression::None => Encoder::None(file),
            Compression::Gzip => {
                Encoder::Gzip(flate2::write::GzEncoder::new(file, flate2::Compression::new(6)))
            }
            Compression::Zstd => Encoder::Zstd(zstd::Encoder::new(file, 3)?),
            Compression::Bzip2 => {
                Encoder::Bzip2(bzip2::write::BzEncoder::new(file, bzip2::Compression::best()))
            }
            Compression::Xz => Encoder::Xz(liblzma::write::XzEncoder::new(file, 6)),
            Compression::Lz4 => {
                // As the program lz4 does.
                let checked = FrameInfo::new().content_checksum(true);
                Encoder::Lz4(Box::new(FrameEncoder::with_frame_info(checked, file)))
            }
        })
    }

    /// Writes all buffered bytes, and returns the file.
    pub(super) fn finish(self) -> io::Result<OutputTarget> {
        let file = match self {
            Encoder::None(file) => file,
            Encoder::Gzip(encoder) => encoder.finish()?,
            Encoder::Zstd(encoder) => encoder.finish()?,
            Encoder::Bzip2(encoder) => encoder.finish()?,
            Encoder::Xz(encoder) => encoder.finish()?,
            Encoder::Lz4(encoder) => encoder.finish().map_err(io::Error::other)?,
        };
        file.into_inner().map_err(io::IntoInnerError::into_error)
    }

    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Encoder::None(encoder) => encoder,
            Encoder::Gzip(encoder) => encoder,
            Encoder::Zstd(encoder) => encoder,
            Encoder::Bzip2(encoder) => encoder,
            Encoder::Xz(encoder) => encoder,
            Encoder::Lz4(encoder) => encoder,
        }
    }
}

impl Write for Encoder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner().flush()
    }
}
