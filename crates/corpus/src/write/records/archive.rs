//! Kept records of WARC files.
//!
//! Records are copied unchanged, including those that are not documents. In gzip each record is a member of its own, as the
//! standard demands: indexes and readers find a record by the position of its member. Workers compress the records, so the
//! writer only has to concatenate them.

use std::io::{self, Write};

use super::mode::KeptRows;
use crate::{Compression, Format, read::Archive};

/// A gzip member without content.
pub(crate) const EMPTY_MEMBER: [u8; 20] =
    [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// The default level of gzip.
const GZIP_LEVEL: u32 = 6;

/// The records of a chunk that are written: the kept documents, and all records that are not documents.
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

/// The compression around a whole output. Records that are members of gzip already need none.
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
