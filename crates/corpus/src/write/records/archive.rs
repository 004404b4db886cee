//! Kept records of WARC files.
//!
//! Records are copied unchanged, including those that are not documents. In gzip each record is a member of its own, as the
//! standard demands, and in zstd a frame of its own: indexes and readers find a record by the position of its member or frame.
//! Workers compress the records, so the writer only has to concatenate them.
//!
//! Source: IIPC, "Zstandard Compression for WARC Files 1.0". Each frame has the length of its content and a checksum.

use std::io::{self, Write};

use super::mode::KeptRows;
use crate::{Compression, Format, read::Archive};

/// The default levels of gzip and zstd.
const GZIP_LEVEL: u32 = 6;
const ZSTD_LEVEL: i32 = 3;

/// The records of a chunk that are written: the kept documents, and all records that are not documents.
pub(crate) fn archived(
    archive: &Archive<'_>,
    rows: KeptRows<'_>,
    compression: Compression,
) -> io::Result<Vec<u8>> {
    // Annotating archives is refused when the writer is created.
    let KeptRows::Copied(places) = rows else { return Ok(Vec::new()) };
    compressed(archive.kept(places), compression)
}

/// An archive without records. In gzip and zstd it is not empty: programs know these by their first bytes.
pub(crate) fn without_records(compression: Compression) -> io::Result<Vec<u8>> {
    compressed([&b""[..]].into_iter(), compression)
}

/// Records, each in a member of gzip or a frame of zstd, or as they are.
fn compressed<'r>(records: impl Iterator<Item = &'r [u8]>, compression: Compression) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    match compression {
        Compression::Gzip => {
            for record in records {
                let mut member = flate2::write::GzEncoder::new(out, flate2::Compression::new(GZIP_LEVEL));
                member.write_all(record)?;
                out = member.finish()?;
            }
        }
        Compression::Zstd => {
            let mut compressor = zstd::bulk::Compressor::new(ZSTD_LEVEL)?;
            compressor.include_contentsize(true)?;
            compressor.include_checksum(true)?;
            for record in records {
                out.extend(compressor.compress(record)?);
            }
        }
        Compression::None | Compression::Bzip2 | Compression::Xz => {
            records.for_each(|record| out.extend_from_slice(record));
        }
    }
    Ok(out)
}

/// The compression around a whole output. Records that are members of gzip or frames of zstd already need none.
pub(crate) fn around(format: Format, compression: Compression) -> Compression {
    match (format, compression) {
        (Format::Warc, Compression::Gzip | Compression::Zstd) => Compression::None,
        _ => compression,
    }
}
