//! Kept records of WARC files.
//!
//! Records are written as they are, those that are no documents too. In gzip each is a member of its own, as the standard wants:
//! indexes and readers go to a record by the place of its member. Workers compress, so that the file only has to be put together.

use std::io::{self, Write};

use super::mode::KeptRows;
use crate::{Compression, Format, read::Archive};

/// A member of gzip that holds nothing.
pub(crate) const EMPTY_MEMBER: [u8; 20] =
    [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// The usual level of gzip.
const GZIP_LEVEL: u32 = 6;

/// The records of a chunk that are to be written: the kept documents, and what is no document.
pub(crate) fn archived(
    archive: &Archive<'_>,
    rows: KeptRows<'_>,
    compression: Compression,
) -> io::Result<Vec<u8>> {
    // Annotating archives is refused when the writer is created.
    let KeptRows::Copied(places) = rows else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for record in archive.kept(places) {
        if compression == Compression::Gzip {
            let mut member = flate2::write::GzEncoder::new(out, flate2::Compression::new(GZIP_LEVEL));
            member.write_all(record)?;
            out = member.finish()?;
        } else {
            out.extend_from_slice(record);
        }
    }
    Ok(out)
}

/// The compression of an output as a whole: none around records that are compressed already.
pub(crate) fn around(format: Format, compression: Compression) -> Compression {
    match (format, compression) {
        (Format::Warc, Compression::Gzip) => Compression::None,
        _ => compression,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn the_empty_member_is_gzip() {
        let mut content = Vec::new();
        flate2::read::GzDecoder::new(&EMPTY_MEMBER[..]).read_to_end(&mut content).unwrap();
        assert_eq!(content, b"");
    }
}
