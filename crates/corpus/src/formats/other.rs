//! Formats that are known, so that a file of them is refused by name, and not read as a text.

use memchr::{memchr, memmem};

/// A format that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OtherFormat {
    pub(crate) name: &'static str,
    pub(crate) remedy: &'static str,
}

const UNPACK: &str = "unpack it, and give the files in it";
const PANDOC: &str = "make a text of it, for example with pandoc -t plain FILE -o FILE.txt";
const CSV: &str = "write its table as CSV, for example with in2csv of csvkit";
const TABLE: &str = "write it as Parquet, or read it in Python and pass the table";

/// The place of the first byte, the bytes there, the format and the remedy.
const OTHERS: [(usize, &[u8], &str, &str); 10] = [
    (0, b"PK\x05\x06", "a zip archive", UNPACK),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (0, b"Rar!\x1a\x07", "a RAR archive", UNPACK),
    (0, b"Obj\x01", "an Avro file", "make JSONL of it, for example with fastavro FILE > FILE.jsonl"),
    (0, b"SQLite format 3\0", "an SQLite database", "export its table as CSV with sqlite3 -csv -header"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file", TABLE),
    (0, b"%PDF-", "a PDF document", "make a text of it, for example with pdftotext"),
    (0, b"{\\rtf", "an RTF document", PANDOC),
    (
        0,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "a document of Microsoft Office up to 2003",
        "save it as DOCX, XLSX or text",
    ),
    (0, b"PK\x03\x04", "a zip archive", UNPACK),
];

/// Kinds of zip archives: bytes among the first ones, the format and the remedy.
const ZIPS: [(&[u8], &str, &str); 8] = [
    (b"mimetypeapplication/epub+zip", "an EPUB book", PANDOC),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "an ODT document", PANDOC),
    (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "an ODS workbook", "save it as CSV"),
    (b"mimetypeapplication/vnd.oasis.opendocument", "an OpenDocument file", "save it as text"),
    (b"word/", "a DOCX document", PANDOC),
    (b"xl/", "an XLSX workbook", CSV),
    (b"ppt/", "a PPTX presentation", "save it as text"),
    (b"[Content_Types].xml", "a document of Microsoft Office", "save it as text or CSV"),
];

const FEATHER_1: OtherFormat = OtherFormat { name: "a Feather 1 file", remedy: TABLE };

const ORC: OtherFormat = OtherFormat {
    name: "an ORC file",
    remedy: "read it in Python with pyarrow.orc.read_table, and pass the table",
};

const MBOX: OtherFormat = OtherFormat {
    name: "a mailbox (mbox)",
    remedy: "make JSONL of its messages, for example with the module mailbox of Python",
};

const MEDIAWIKI: OtherFormat = OtherFormat {
    name: "a dump of a MediaWiki in XML",
    remedy: "extract its texts first, for example with wikiextractor --json FILE -o FOLDER",
};

impl OtherFormat {
    /// The format that the first decompressed bytes of a file indicate, if it is one of these.
    pub(crate) fn of_content(head: &[u8]) -> Option<OtherFormat> {
        let is_at = |&&(place, bytes, ..): &&(usize, &[u8], &str, &str)| {
            head.get(place..).is_some_and(|rest| rest.starts_with(bytes))
        };
        let other = OTHERS.iter().find(is_at).map(|&(_, _, name, remedy)| OtherFormat { name, remedy });
        if head.starts_with(b"PK\x03\x04") {
            let kind = ZIPS.iter().find(|(bytes, ..)| memmem::find(head, bytes).is_some());
            return kind.map(|&(_, name, remedy)| OtherFormat { name, remedy }).or(other);
        }
        let other = other.or_else(|| (root_of(head) == b"mediawiki").then_some(MEDIAWIKI));
        let other = other.or_else(|| starts_mailbox(head).then_some(MBOX));
        // A text may start with these letters, but its first bytes are no zeros.
        let has_zeros = || head.iter().take(64).any(|&byte| byte == 0);
        let by_letters = [(&b"ORC"[..], ORC), (b"FEA1", FEATHER_1)];
        let mut by_letters =
            by_letters.into_iter().filter(|(letters, _)| head.starts_with(letters) && has_zeros());
        other.or_else(|| by_letters.next().map(|(_, other)| other))
    }
}

/// Whether this is the first line of a mailbox: `From`, an address, and a time in the form of the C library, such as
/// `Fri Jul  8 12:08:34 2011`.
fn starts_mailbox(head: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    let Some(rest) = head.strip_prefix(b"From ") else { return false };
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).skip(1);
    let has_day = words.next().is_some_and(|word| DAYS.contains(&word));
    has_day && words.any(|word| word.iter().filter(|&&byte| byte == b':').count() == 2)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn name(head: &[u8]) -> Option<&'static str> {
        OtherFormat::of_content(head).map(|other| other.name)
    }

    #[test]
    fn files_of_other_programs_are_known_by_their_first_bytes() {
        for (head, expected) in [
            (&b"PK\x03\x04\x14\0 a.txt"[..], "a zip archive"),
            (b"PK\x03\x04\x14\0 [Content_Types].xml PK\x03\x04 xl/workbook.xml", "an XLSX workbook"),
            (b"PK\x03\x04\x14\0 [Content_Types].xml PK\x03\x04 word/document.xml", "a DOCX document"),
            (
                b"PK\x03\x04\x14\0 mimetypeapplication/vnd.oasis.opendocument.textPK\x03\x04",
                "an ODT document",
            ),
            (b"PK\x03\x04\x14\0 mimetypeapplication/epub+zipPK\x03\x04", "an EPUB book"),
            (b"ORC\x11\0\0\x0a", "an ORC file"),
            (b"From a@example.org Fri Jul  8 12:08:34 2011\nSubject: x\n", "a mailbox (mbox)"),
            (b"From MAILER-DAEMON Fri Jul  8 12:08:34 +0200 2011\n", "a mailbox (mbox)"),
            (b"{\\rtf1\\ansi", "an RTF document"),
            (b"<?xml version='1.0'?><mediawiki xml:lang='en'>", "a dump of a MediaWiki in XML"),
        ] {
            assert_eq!(name(head), Some(expected), "{}", String::from_utf8_lossy(head));
        }
    }

    #[test]
    fn texts_that_start_in_the_same_way_are_texts() {
        for text in
            ["ORCHID", "From Fri to Mon", "From here on Fri the bridge is closed", "Obj", "word/", "{\\em a}"]
        {
            assert_eq!(name(text.as_bytes()), None, "{text}");
        }
    }
}
