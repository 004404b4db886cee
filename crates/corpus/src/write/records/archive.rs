//! Kept records of WARC files.
//!
//! Records are copied unchanged, including those that are not documents. In gzip each record is a member of its own, as the
//! standard demands, and in zstd a frame of its own: indexes and readers find a record by the position of its member or frame.
//! Workers compress the records, so the writer only has to concatenate them.
//!
//! Source: IIPC, "Zstandard Compression for WARC Files 1.0". Each frame has the length of its content and a checksum. If the input has a dictionary
//! in its first frame, the output has it too, and its records are compressed with it.

use std::{
    fmt,
    io::{self, Write},
};

use zstd::dict::EncoderDictionary;

use super::mode::KeptRows;
use crate::{
    Compression, Error, Format, InputFile,
    formats::{DictionaryFrame, dictionary},
    opened::is_of_reading,
    read::Archive,
};

/// The default levels of gzip and zstd.
const GZIP_LEVEL: u32 = 6;
const ZSTD_LEVEL: i32 = 3;

/// The dictionary of an archive in zstd. The first frame of the archive holds it.
pub(crate) struct ArchiveDictionary {
    /// The frame, as the input has it.
    pub(crate) frame: Vec<u8>,
    encoder: EncoderDictionary<'static>,
}

impl fmt::Debug for ArchiveDictionary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ArchiveDictionary").finish_non_exhaustive()
    }
}

impl ArchiveDictionary {
    /// The dictionary of an input, if it is an archive that has one.
    pub(crate) fn of(input: &InputFile) -> Result<Option<ArchiveDictionary>, Error> {
        if (input.format, input.compression) != (Format::Warc, Compression::Zstd) {
            return Ok(None);
        }
        let found = match dictionary(&mut input.open()?.reader()) {
            Ok(found) => found.ok(),
            Err(error) if is_of_reading(&error) => return Err(input.read_error(error)),
            // It is named when the records are read.
            Err(_) => None,
        };
        Ok(found.and_then(|DictionaryFrame { frame, content }| {
            let encoder = EncoderDictionary::try_copy(&content, ZSTD_LEVEL).ok()?;
            Some(ArchiveDictionary { frame, encoder })
        }))
    }
}

/// How the records of an archive are compressed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArchivePacking<'d> {
    pub(crate) compression: Compression,
    /// For zstd only.
    pub(crate) dictionary: Option<&'d ArchiveDictionary>,
}

/// The records of a chunk that are written: the kept documents, and all records that are not documents.
pub(crate) fn archived(
    archive: &Archive<'_>,
    rows: KeptRows<'_>,
    packing: ArchivePacking<'_>,
) -> io::Result<Vec<u8>> {
    // Annotating archives is refused when the writer is created.
    let KeptRows::Copied(places) = rows else { return Ok(Vec::new()) };
    compressed(archive.kept(places), packing)
}

/// An archive without records. In gzip and zstd it is not empty: programs know these by their first bytes.
pub(crate) fn without_records(compression: Compression) -> io::Result<Vec<u8>> {
    compressed([&b""[..]].into_iter(), ArchivePacking { compression, dictionary: None })
}

/// Records, each in a member of gzip or a frame of zstd, or as they are.
fn compressed<'r>(
    records: impl Iterator<Item = &'r [u8]>,
    packing: ArchivePacking<'_>,
) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    match packing.compression {
        Compression::Gzip => {
            for record in records {
                let mut member = flate2::write::GzEncoder::new(out, flate2::Compression::new(GZIP_LEVEL));
                member.write_all(record)?;
                out = member.finish()?;
            }
        }
        Compression::Zstd => {
            let mut compressor = match packing.dictionary {
                Some(dictionary) => zstd::bulk::Compressor::with_prepared_dictionary(&dictionary.encoder)?,
                None => zstd::bulk::Compressor::new(ZSTD_LEVEL)?,
            };
            compressor.include_contentsize(true)?;
            compressor.include_checksum(true)?;
            for record in records {
                out.extend(compressor.compress(record)?);
            }
        }
        Compression::None | Compression::Bzip2 | Compression::Xz | Compression::Lz4 => {
            records.for_each(|record| out.extend_from_slice(record));
        }
    }
    Ok(out)
}

/// The compression around a whole output. Records that are members of gzip or frames of zstd already need none.
pub(crate) fn around(format: Format, compression: Compression) -> Compression {
    match (format, compression) {
        (Format::Warc | Format::Arc, Compression::Gzip | Compression::Zstd) => Compression::None,
        _ => compression,
    }
}
