//! Formats that are known, so that a file of them is refused by name, and not read as a text.

use memchr::{memchr, memmem};

/// A format that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OtherFormat {
    pub(crate) name: &'static str,
    pub(crate) remedy: &'static str,
}

const UNPACK: &str = "unpack it, and give the files in it";
const TABLE: &str = "write it as Parquet, or read it in Python and pass the table";

/// The place of the first byte, the bytes there, the format and the remedy.
const OTHERS: [(usize, &[u8], &str, &str); 11] = [
    (257, b"ustar", "a tar archive", UNPACK),
    (0, b"PK\x03\x04", "a zip archive", UNPACK),
    (0, b"PK\x05\x06", "a zip archive", UNPACK),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (0, b"Rar!\x1a\x07", "a RAR archive", UNPACK),
    (0, b"filedesc://", "an ARC archive", "convert it to WARC with warcio recompress"),
    (0, b"ARROW1\0\0", "an Arrow file", TABLE),
    (0, b"Obj\x01", "an Avro file", TABLE),
    (
        0,
        b"SQLite format 3\0",
        "an SQLite database",
        "export its table as CSV, or read it in Python and pass the table",
    ),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file", TABLE),
    (0, b"%PDF-", "a PDF document", "extract its text first"),
];

const MEDIAWIKI: OtherFormat = OtherFormat {
    name: "a dump of a MediaWiki in XML",
    remedy: "extract its texts first, for example with wikiextractor",
};

impl OtherFormat {
    /// The format that the first decompressed bytes of a file indicate, if it is one of these.
    pub(crate) fn of_content(head: &[u8]) -> Option<OtherFormat> {
        let is_at = |&&(place, bytes, ..): &&(usize, &[u8], &str, &str)| {
            head.get(place..).is_some_and(|rest| rest.starts_with(bytes))
        };
        let other = OTHERS.iter().find(is_at).map(|&(_, _, name, remedy)| OtherFormat { name, remedy });
        other.or_else(|| (root_of(head) == b"mediawiki").then_some(MEDIAWIKI))
    }
}

/// The name of the first element of XML, without its prefix. Empty if this is no XML.
fn root_of(head: &[u8]) -> &[u8] {
    let mut rest = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    for (start, end) in [("<?", "?>"), ("<!--", "-->"), ("<?", "?>"), ("<!--", "-->")] {
        while rest.starts_with(start.as_bytes()) {
            let Some(at) = memmem::find(rest, end.as_bytes()) else { return b"" };
            rest = rest[at + end.len()..].trim_ascii_start();
        }
    }
    let Some(tag) = rest.strip_prefix(b"<") else { return b"" };
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    let name = &tag[..tag.iter().position(ends).unwrap_or(tag.len())];
    &name[memchr(b':', name).map_or(0, |at| at + 1)..]
}
