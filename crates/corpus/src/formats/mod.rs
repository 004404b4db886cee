//! The one table of file formats: the meanings of extensions, and of the first bytes of a file.

mod decoder;
mod delimiter;
mod gzip;
mod lz4;
mod other;
mod quoting;
mod zstd_head;

use std::path::Path;

pub(crate) use self::decoder::{compression_of, damage, decoder};
pub(crate) use self::other::OtherFormat;
pub(crate) use self::zstd_head::{DEFAULT_WINDOW, DictionaryFrame, USUAL_WINDOW, dictionary, first_window};
pub use self::{
    delimiter::{BadDelimiter, Delimiter},
    quoting::Quoting,
};
use lookalike_html::is_html;

/// The layout of the documents in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One JSON object a line.
    Jsonl,
    /// A JSON array of objects.
    Json,
    /// Apache Parquet. A row is a document.
    Parquet,
    /// Apache Arrow IPC, a file (Feather 2) or a stream. A row is a document.
    Arrow,
    /// Comma-separated values with a header line.
    Csv,
    /// Tab-separated values with a header line.
    Tsv,
    /// A web archive. Some of its records are documents.
    Warc,
    /// A web archive of before WARC. Some of its records are documents.
    Arc,
    /// A tar archive. Members of one name, but for their extensions, are a document: a sample of WebDataset.
    Tar,
    /// An HTML page. A file is a document.
    Html,
    /// Plain text. A file is a document.
    Text,
    /// No file: records that the caller holds in memory. A row is a document.
    Memory,
}

/// The compression of a file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compression {
    /// No compression.
    None,
    /// gzip, of one or many members.
    Gzip,
    /// Zstandard, of one or many frames.
    Zstd,
    /// bzip2, of one or many streams.
    Bzip2,
    /// xz, of one or many streams.
    Xz,
    /// LZ4, of one or many frames.
    Lz4,
}

/// Extensions and their formats. The first extension of a format is the usual one.
const FORMATS: [(&str, Format); 18] = [
    ("jsonl", Format::Jsonl),
    ("ndjson", Format::Jsonl),
    // A file with this extension may also hold JSON lines. Its content decides.
    ("json", Format::Json),
    ("parquet", Format::Parquet),
    ("arrow", Format::Arrow),
    ("feather", Format::Arrow),
    ("arrows", Format::Arrow),
    ("ipc", Format::Arrow),
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("warc", Format::Warc),
    // The extracted texts of an archive, as Common Crawl offers them.
    ("wet", Format::Warc),
    ("arc", Format::Arc),
    ("tar", Format::Tar),
    ("html", Format::Html),
    ("htm", Format::Html),
    ("txt", Format::Text),
    ("md", Format::Text),
];

/// A test of the first bytes of a file.
type ContentTest = fn(&[u8]) -> bool;

/// Extensions, their compressions, and tests of the first bytes.
const COMPRESSIONS: [(&str, Compression, ContentTest); 5] = [
    ("gz", Compression::Gzip, is_gzip),
    ("zst", Compression::Zstd, is_zstd),
    ("bz2", Compression::Bzip2, is_bzip2),
    ("xz", Compression::Xz, |head| head.starts_with(&[0xfd, b'7', b'z', b'X', b'Z', 0x00])),
    ("lz4", Compression::Lz4, is_lz4),
];

/// The number of first bytes that is enough to recognise any compression, and the window of a frame of Zstandard.
pub(crate) const COMPRESSION_BYTES: usize = 18;

/// The number of first bytes, decompressed, that is enough to recognise any format. White space before them may be longer.
pub(crate) const HEAD_BYTES: usize = 4096;

/// The first bytes of every Zstandard frame that is not skippable.
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// The first bytes of every WARC record. The version follows, and all known versions are read in the same way.
pub(crate) const WARC_MAGIC: &[u8] = b"WARC/";

/// The first bytes of every Parquet file. They end with the first field of the next structure, a page or, without rows, the
/// footer. Its value is the number 1 in 32 bits.
const PARQUET_MAGIC: &[u8] = b"PAR1\x15";

/// The first bytes of every Arrow file.
pub(crate) const ARROW_MAGIC: &[u8; 8] = b"ARROW1\0\0";

/// The bytes in the first header of a tar archive, and where they are.
const TAR_MAGIC: &[u8] = b"ustar";
const TAR_MAGIC_AT: usize = 257;

/// Short extensions, and the pairs of extensions that they stand for.
const SHORT_EXTENSIONS: [(&str, &str); 4] =
    [("tgz", "tar.gz"), ("tzst", "tar.zst"), ("tbz2", "tar.bz2"), ("txz", "tar.xz")];

/// Strips byte order marks from the start of the bytes. Some programs write one at the start of a UTF-8 file. In a file joined
/// from such files, one or more marks can stand at the start of any line.
pub(crate) fn without_marks(mut bytes: &[u8]) -> &[u8] {
    while let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        bytes = rest;
    }
    bytes
}

impl Compression {
    /// The compression that the first bytes of a file indicate.
    pub(crate) fn of_content(head: &[u8]) -> Compression {
        COMPRESSIONS
            .iter()
            .find(|(_, _, is)| is(head))
            .map_or(Compression::None, |&(_, compression, _)| compression)
    }
}

impl Format {
    /// The format that the first decompressed bytes of a file indicate. Tables and plain text have no typical start, so they
    /// give `None`.
    pub(crate) fn of_content(head: &[u8]) -> Option<Format> {
        if head.starts_with(PARQUET_MAGIC) {
            return Some(Format::Parquet);
        }
        if starts_arrow(head) {
            return Some(Format::Arrow);
        }
        if starts_warc_record(head) {
            return Some(Format::Warc);
        }
        if head.starts_with(b"filedesc://") {
            return Some(Format::Arc);
        }
        if head.get(TAR_MAGIC_AT..).is_some_and(|rest| rest.starts_with(TAR_MAGIC)) {
            return Some(Format::Tar);
        }
        let head = without_marks(head);
        if is_html(head) {
            return Some(Format::Html);
        }
        if starts_json_object(head) {
            return Some(Format::Jsonl);
        }
        let inside = head.trim_ascii_start().strip_prefix(b"[")?.trim_ascii();
        (inside == b"]" || starts_json_object(inside)).then_some(Format::Json)
    }

    /// The format of a file whose name ends in `.json`: an array, or objects on lines. Its first decompressed bytes decide.
    pub(crate) fn of_json(head: &[u8]) -> Format {
        match without_marks(head).trim_ascii_start() {
            [b'[', ..] => Format::Json,
            _ => Format::Jsonl,
        }
    }

    /// Whether records of this format may be in a file whose name says `named`.
    pub(crate) fn fits(self, named: Format) -> bool {
        self == named || (self == Format::Jsonl && named == Format::Json)
    }

    /// The name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Format::Jsonl => "JSONL",
            Format::Json => "a JSON array",
            Format::Parquet => "Parquet",
            Format::Arrow => "Arrow",
            Format::Csv => "CSV",
            Format::Tsv => "TSV",
            Format::Warc => "WARC",
            Format::Arc => "ARC",
            Format::Tar => "tar",
            Format::Html => "HTML",
            Format::Text => "plain text",
            Format::Memory => "records in memory",
        }
    }

    /// Whether files of this format are compressed piece by piece, and never as a whole.
    pub(crate) fn is_compressed_inside(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow)
    }

    /// Whether a whole file is one document.
    pub fn is_one_document(self) -> bool {
        matches!(self, Format::Html | Format::Text)
    }

    /// The format of a list of ids, by its first decompressed bytes. A list is never plain text. If it is neither JSON,
    /// Parquet nor Arrow, a tab in its first line makes it TSV, and otherwise it is CSV. (A JSON array is reported as such, so that the
    /// caller can refuse it.)
    pub(crate) fn of_list(head: &[u8]) -> Format {
        let text = without_marks(head).trim_ascii_start();
        let first_line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        match Format::of_content(head) {
            Some(format @ (Format::Jsonl | Format::Parquet | Format::Arrow)) => format,
            _ if text.starts_with(b"[") => Format::Json,
            _ if text.is_empty() => Format::Jsonl,
            _ if first_line.contains(&b'\t') => Format::Tsv,
            _ => Format::Csv,
        }
    }
}

/// The format and compression that a file name indicates, such as `a.jsonl.gz`.
pub(crate) fn of_name(path: &Path) -> (Option<Format>, Compression) {
    let mut name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    if let Some((stem, pair)) =
        SHORT_EXTENSIONS.iter().find_map(|(short, pair)| Some((before_extension(&name, short)?, pair)))
    {
        name = format!("{stem}.{pair}");
    }
    let compressed = COMPRESSIONS
        .iter()
        .find_map(|&(extension, compression, _)| Some((before_extension(&name, extension)?, compression)));
    let (stem, compression) = compressed.unwrap_or((&name, Compression::None));
    let format = FORMATS
        .iter()
        .find(|(extension, _)| before_extension(stem, extension).is_some())
        .map(|&(_, format)| format);
    (format, compression)
}

/// All known extensions, for messages: `.jsonl .ndjson …`.
pub(crate) fn known_extensions() -> String {
    FORMATS.map(|(extension, _)| format!(".{extension}")).join(" ")
}

/// The usual extension of a format, with its dot.
pub(crate) fn usual_extension(format: Format) -> String {
    let extension = FORMATS.iter().find(|(_, known)| *known == format);
    extension.map_or_else(String::new, |(extension, _)| format!(".{extension}"))
}

/// The extensions of one format, for messages: `.jsonl .ndjson …`.
pub(crate) fn extensions_of(format: Format) -> String {
    let extensions = FORMATS.iter().filter(|(_, known)| format.fits(*known));
    extensions.map(|(extension, _)| format!(".{extension}")).collect::<Vec<_>>().join(" ")
}

/// The extensions of the formats in which tables are read and written, for messages.
pub(crate) fn table_extensions() -> String {
    [Format::Jsonl, Format::Csv, Format::Tsv, Format::Parquet].map(extensions_of).join(" ")
}

/// Whether these bytes start with a version of WARC.
pub(crate) fn starts_warc_record(bytes: &[u8]) -> bool {
    bytes
        .strip_prefix(WARC_MAGIC)
        .is_some_and(|version| matches!(version, [digit, b'.', ..] if digit.is_ascii_digit()))
}

/// Whether this is Arrow: a file, or the schema message of a stream, whose length is a multiple of 8.
fn starts_arrow(head: &[u8]) -> bool {
    let is_stream =
        matches!(head, [0xff, 0xff, 0xff, 0xff, low, _, _, high, ..] if low % 8 == 0 && *high == 0);
    is_stream || head.starts_with(ARROW_MAGIC)
}

/// Whether these bytes start a member of a zip file.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04")
}

/// Whether this is gzip: with the one compression method that exists, and without reserved flags.
fn is_gzip(head: &[u8]) -> bool {
    matches!(head, [0x1f, 0x8b, 0x08, flags, ..] if flags & 0xe0 == 0)
}

/// Whether this is Zstandard. Skippable frames may come first: the program pzstd writes one before each other frame.
pub(crate) fn is_zstd(head: &[u8]) -> bool {
    let mut rest = head;
    while let [0x50..=0x5f, 0x2a, 0x4d, 0x18, length @ ..] = rest {
        let Some((length, content)) = length.split_first_chunk() else { return false };
        match content.get(u32::from_le_bytes(*length) as usize..) {
            Some(next) if next.len() >= ZSTD_MAGIC.len() => rest = next,
            // The rest lies behind these first bytes, so the decoder decides.
            _ => return true,
        }
    }
    rest.starts_with(ZSTD_MAGIC)
}

/// Whether this is LZ4: a frame, or one of the legacy form that `lz4 -l` writes.
fn is_lz4(head: &[u8]) -> bool {
    head.starts_with(&[0x04, 0x22, 0x4d, 0x18]) || head.starts_with(&[0x02, 0x21, 0x4c, 0x18])
}

/// Whether this is bzip2: its magic, a level, and the start of a block or, in an empty stream, its end. A file that is cut off
/// there must show at least two bytes of these.
fn is_bzip2(head: &[u8]) -> bool {
    let blocks = head.strip_prefix(b"BZh").and_then(|rest| rest.split_first());
    blocks.is_some_and(|(level, rest)| {
        let shown = rest.len().min(6);
        (b'1'..=b'9').contains(level)
            && shown >= 2
            && [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"]
                .iter()
                .any(|magic| magic.starts_with(&rest[..shown]))
    })
}

/// Whether a text starts with a JSON object. Empty objects before it are skipped. Templates also start with a brace, but no key
/// follows it.
fn starts_json_object(head: &[u8]) -> bool {
    let mut rest = head.trim_ascii_start();
    while let Some(inside) = rest.strip_prefix(b"{") {
        let inside = inside.trim_ascii_start();
        if let Some(key) = inside.strip_prefix(b"\"") {
            let mut is_escaped = false;
            let end = key.iter().position(|&byte| {
                let is_end = byte == b'"' && !is_escaped;
                is_escaped = byte == b'\\' && !is_escaped;
                is_end
            });
            return end.is_some_and(|end| key[end + 1..].trim_ascii_start().starts_with(b":"));
        }
        let Some(behind) = inside.strip_prefix(b"}") else { return false };
        rest = behind.trim_ascii_start();
    }
    false
}

fn before_extension<'a>(name: &'a str, extension: &str) -> Option<&'a str> {
    name.strip_suffix(extension)?.strip_suffix('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extension_gives_its_format_with_and_without_compression() {
        for (extension, format) in FORMATS {
            let plain = of_name(Path::new(&format!("folder.gz/A.{}", extension.to_uppercase())));
            assert_eq!(plain, (Some(format), Compression::None));
            for (suffix, compression, _) in COMPRESSIONS {
                let both = of_name(Path::new(&format!("a.b.{extension}.{suffix}")));
                assert_eq!(both, (Some(format), compression));
            }
        }
    }

    #[test]
    fn a_name_without_a_known_extension_gives_no_format() {
        for name in ["a", "jsonl", "a.jsonl.part", "a.gz", "..", ""] {
            assert_eq!(of_name(Path::new(name)).0, None, "{name}");
        }
    }

    #[test]
    fn formats_with_a_typical_start_are_recognised_by_content() {
        assert_eq!(Format::of_content(b"\xef\xbb\xbf \n{\"a\":1}"), Some(Format::Jsonl));
        assert_eq!(Format::of_content(b"{} \n{ \"a\\\" b\" : 1}"), Some(Format::Jsonl));
        assert_eq!(Format::of_content(b"\xef\xbb\xbf\n[\n {\"a\":1}, x"), Some(Format::Json));
        assert_eq!(Format::of_content(b"[ ] \n"), Some(Format::Json));
        assert_eq!(Format::of_content(b"PAR1\x15...."), Some(Format::Parquet));
        assert_eq!(Format::of_content(b"WARC/0.18\r\n"), Some(Format::Warc));
        assert_eq!(Format::of_content(b"\xef\xbb\xbf\n<!DOCTYPE html>"), Some(Format::Html));
        assert_eq!(Format::of_content(b"<HTML lang=en>"), Some(Format::Html));
        assert_eq!(Format::of_content(b"<p>"), None);
        assert_eq!(Format::of_content(b"a,b\n1,2"), None);
        assert_eq!(Format::of_content(b""), None);
    }

    #[test]
    fn texts_that_start_like_something_else_are_texts() {
        for text in [
            "{{ page.title }}",
            "{% block %}",
            "{\\em LaTeX}",
            "{}",
            "{} is the empty set",
            "{\"quoted\" words}",
            "[x] done",
            "[] is the empty list",
            "[{{ a template }}]",
            "PAR1S is a name",
            "PAR1",
            "WARC/ is how a record starts",
        ] {
            assert_eq!(Format::of_content(text.as_bytes()), None, "{text}");
        }
        for text in ["BZh is how bzip2 starts", "BZh9", "BZh91", "BZh91AX", "BZhBZhBZhBZh", "\x1f", "P*M"] {
            assert_eq!(Compression::of_content(text.as_bytes()), Compression::None, "{text}");
        }
    }

    #[test]
    fn compression_is_recognised_by_its_first_bytes_for_any_content() {
        use std::io::Write;
        for content in [&b""[..], b"some words"] {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            gzip.write_all(content).unwrap();
            let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            bzip2.write_all(content).unwrap();
            let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 6);
            xz.write_all(content).unwrap();
            let zstd = zstd::encode_all(content, 1).unwrap();
            let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
            lz4.write_all(content).unwrap();
            for (bytes, compression) in [
                (gzip.finish().unwrap(), Compression::Gzip),
                (bzip2.finish().unwrap(), Compression::Bzip2),
                (xz.finish().unwrap(), Compression::Xz),
                (lz4.finish().unwrap(), Compression::Lz4),
                ([b"\x50\x2a\x4d\x18\x04\0\0\0\x0b\0\0\0", &zstd[..]].concat(), Compression::Zstd),
                ([b"\x5f\x2a\x4d\x18\0\x01\0\0", &[0; 256][..], &zstd[..]].concat(), Compression::Zstd),
                (zstd, Compression::Zstd),
            ] {
                assert_eq!(
                    Compression::of_content(&bytes[..bytes.len().min(COMPRESSION_BYTES)]),
                    compression
                );
            }
        }
    }

    #[test]
    fn a_list_that_is_neither_json_nor_parquet_is_a_table() {
        assert_eq!(Format::of_list(b"\xef\xbb\xbfp,q\nr,s\tt\n"), Format::Csv);
        assert_eq!(Format::of_list(b"p\tq,r\n"), Format::Tsv);
        for json in ["", "\n", "{\"a\":1}"] {
            assert_eq!(Format::of_list(json.as_bytes()), Format::Jsonl, "{json}");
        }
        assert_eq!(Format::of_list(b" [\n{\"a\":1}]"), Format::Json);
        assert_eq!(Format::of_list(b"PAR1\x15...."), Format::Parquet);
        assert_eq!(Format::of_list(b"<html>,b\n"), Format::Csv);
    }
}
