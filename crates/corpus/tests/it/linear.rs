//! Reading takes time linear in the number of bytes, for any bytes and every format.
//!
//! Each file repeats one piece. A reader that scans every piece again for each of the others would take hours on it. In linear
//! time it takes a moment.

use std::{fs, io::Write};

use lookalike_corpus::{Fields, Inputs, Reader, Scan, Scratch, Waiting};

const BYTES: usize = 4 << 20;

/// The bytes before the pieces, the repeated piece, and the bytes behind the pieces.
struct Hostile {
    name: &'static str,
    before: Vec<u8>,
    piece: Vec<u8>,
    behind: Vec<u8>,
}

fn hostile(
    name: &'static str,
    before: impl Into<Vec<u8>>,
    piece: impl Into<Vec<u8>>,
    behind: impl Into<Vec<u8>>,
) -> Hostile {
    Hostile { name, before: before.into(), piece: piece.into(), behind: behind.into() }
}

impl Hostile {
    /// Reads a file of this many bytes. Returns the number of records, including those that are not documents.
    fn read(&self, bytes: usize) -> u32 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(self.name);
        let content = [&self.before[..], &self.piece.repeat(bytes / self.piece.len()), &self.behind].concat();
        fs::write(&path, content).unwrap();
        let inputs = Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap();
        let fields = Fields { id: Some("id".into()), ..Fields::of_text("text") };
        let reader = Reader::new(&inputs, &fields, Scan::Documents);
        let (mut scratch, mut found) = (Scratch::default(), 0);
        while let Some(chunk) = reader.next().unwrap() {
            let mut loaded = chunk.load(&mut scratch).unwrap();
            loaded.for_each(|_| {});
            found += loaded.lines();
        }
        found
    }
}

/// A record of an archive with `block`, whose length includes `repeated` bytes behind it.
fn record(fields: &str, block: &str, repeated: usize) -> String {
    let length = block.len() + repeated;
    format!("WARC/1.0\r\nWARC-Type: response\r\n{fields}Content-Length: {length}\r\n\r\n{block}")
}

#[test]
fn archives() {
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let chunked = format!("{http}Transfer-Encoding: chunked\r\n\r\n");
    let inside = |head: &str, piece: &str, end: &str| {
        let repeated = BYTES / piece.len() * piece.len() + end.len();
        hostile("a.warc", record("", head, repeated), piece, end)
    };
    for (case, file) in [
        ("starts", hostile("a.warc", "", "WARC/1.0\r\n", "")),
        ("starts with one end", hostile("a.warc", "", "WARC/1.0\r\n", "\r\n")),
        ("starts that are none", hostile("a.warc", "", "WARC/", "")),
        ("heads without a length", hostile("a.warc", "", "WARC/1.0\r\n\r\n", "")),
        ("lengths that are too long", hostile("a.warc", "", "WARC/1.0\nContent-Length: 99999999\n\n", "")),
        ("lengths that are wrong", hostile("a.warc", "", "WARC/1.0\nContent-Length: 1999999\n\n", "")),
        ("lengths beyond any file", hostile("a.warc", "", "WARC/1.0\nContent-Length: 9999999999\n\n", "")),
        ("line ends", hostile("a.warc", "", "\n", "")),
        ("empty records", hostile("a.warc", "", "WARC/1.0\nContent-Length: 0\n\n\n\n", "")),
        ("folded lines", hostile("a.warc", "WARC/1.0\nContent-Length: 1\nX:", " x\n", "\n\n\n")),
        ("folded lines of HTTP", inside(&format!("{http}Content-Encoding:"), "\r\n x", "\r\n\r\n")),
        ("fields of HTTP", inside(http, "X: y\r\n", "\r\n")),
        ("chunks", inside(&chunked, "1\r\nx\r\n", "0\r\n\r\n")),
        ("chunks without a length", inside(&chunked, "1\r\nx", "\r\n")),
        ("codings", inside(&format!("{http}Content-Encoding: "), ",", "\r\n\r\n")),
        ("records of a folded field", hostile("a.warc", "", "WARC/1.0\nContent-Length:\n 0\n\n\n\n", "")),
    ] {
        assert_eq!(file.read(BYTES) == 0, case == "line ends", "{case}");
    }
}

#[test]
fn pages() {
    for piece in [
        "<",
        "</",
        "<!",
        "<!--",
        "<!---",
        "<!-->",
        "-->",
        "--!",
        "<!-- <!-- -->",
        "<?",
        "<![CDATA[",
        "<a",
        "<a ",
        "<a b",
        "<a b=",
        "<a b='",
        "<a b=\"",
        " b=c",
        "&",
        "&a",
        "&amp",
        "&notin",
        "&#",
        "&#x41",
        "&#1;",
        "<p>",
        "<b>",
        "<pre>",
        "<td>",
        "<template>",
        "<template></template>",
        "<script>",
        "<script><!--",
        "<script><!--<script>",
        "</script",
        "<title>",
        "<textarea></textare",
        "<plaintext>",
        "<meta",
        "<meta charset=",
        "<meta charset=x>",
        "<!doctype",
        "<!DOCTYPE html PUBLIC \"",
        "\0",
        " ",
        "\n",
        "a\n",
        "\u{301}",
        "\u{feff}",
    ] {
        for before in ["", "<p>", "<script>", "<!--", "<a b=\""] {
            assert_eq!(hostile("a.html", before, piece, "").read(BYTES / 8), 1, "{before} {piece}");
        }
    }
    // Bytes in several encodings, or in none.
    for (before, piece) in [
        ("<meta charset=iso-2022-jp>", &b"\x1b$B"[..]),
        ("<meta charset=gb18030>", b"\x810\x81"),
        ("", b"\xff"),
        ("\u{feff}", b"\xe9"),
    ] {
        assert_eq!(hostile("a.html", before, piece, "").read(BYTES / 8), 1, "{before}");
    }
}

#[test]
fn lines_of_json() {
    for (before, piece, behind) in [
        ("", "\n", ""),
        ("", "\r", ""),
        ("", " ", "\n"),
        ("", "\u{feff}", ""),
        ("", "{", ""),
        ("", "{}", ""),
        ("", "{}\n", ""),
        ("", "[", ""),
        ("{\"a\":", "[", ""),
        ("{\"a\":", "{\"a\":", ""),
        ("{", "\"text\":\"x\",", "\"id\":1}"),
        ("{", "\"text\":\"x\\u0041\",", "\"id\":1}"),
        ("{", "\"\":0,", "\"text\":\"\"}"),
        ("{", "\"a\":NaN,", "\"text\":\"\"}"),
        ("{\"a\":[", "NaN,", "0],\"text\":\"\"}"),
        ("{\"a\":[", "Infinity", "0],\"text\":\"\"}"),
        ("{\"a\":[", "\"\",", "0],\"text\":\"\"}"),
        ("{\"a\":[", "\"\\ud800\",", "0],\"text\":\"\"}"),
        ("{\"text\":\"", "\\", "\"}"),
        ("{\"text\":\"", "\\\"", "\"}"),
        ("{\"text\":\"", "\\u0041", "\"}"),
        ("{\"text\":\"", "\\b", "\"}"),
        ("{\"text\":\"", "\u{301}", "\"}"),
        ("{\"text\":", "1", "}"),
        ("{\"id\":", "1", ",\"text\":\"\"}"),
        ("", "{\"text\":\"x\"}\n", ""),
        ("", "\"", ""),
        ("", "x\n", ""),
        ("{\"text\":\"", "x", ""),
        ("{\"body\":0", ",\"a\":0", "}\n"),
    ] {
        for (name, ends) in [("a.jsonl", ""), ("a.jsonl", "\n\u{1}\n"), ("a.json", "\n")] {
            hostile(name, before, piece, [behind, ends].concat()).read(BYTES / 4);
        }
        // The line is not UTF-8, so each line is validated on its own.
        hostile("a.jsonl", before, piece, [behind.as_bytes(), b"\n\xff\n"].concat()).read(BYTES / 4);
    }
}

#[test]
fn compressed_files_of_empty_members() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.flush().unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    bzip2.flush().unwrap();
    let xz = liblzma::write::XzEncoder::new(Vec::new(), 6);
    for (name, part, bytes) in [
        ("a.gz", gzip.finish().unwrap(), BYTES),
        ("a.zst", zstd::encode_all(&b""[..], 19).unwrap(), BYTES),
        ("a.zst", b"\x50\x2a\x4d\x18\0\0\0\0".to_vec(), BYTES),
        // These decoders set up their state for each stream.
        ("a.bz2", bzip2.finish().unwrap(), BYTES / 64),
        ("a.xz", xz.finish().unwrap(), BYTES / 16),
    ] {
        for known in ["jsonl", "csv", "warc", "txt", "html"] {
            let name = format!("{}.{known}{}", &name[..1], &name[1..]).leak();
            hostile(name, "", part.clone(), "").read(bytes);
        }
    }
}

#[test]
fn tables() {
    for (name, delimiter) in [("a.csv", ","), ("a.tsv", "\t")] {
        for (before, piece) in [
            ("", "\""),
            ("", ","),
            ("", "\n"),
            ("", "\r"),
            ("", "\t"),
            ("text\n", "\""),
            ("text\n", "\"\""),
            ("text\n", "\"\n"),
            ("text\n", "\"\"\n"),
            ("text\n", "\"\"\"\n"),
            ("text\n", "a\"\n"),
            ("text\n", "\"a\"b\n"),
            ("text\n", "\n"),
            ("text\n", "\r"),
            ("text\n", "\r\n"),
            ("text\n", ","),
            ("text\n", "x\r"),
            ("text\n", "\"x\r"),
            ("text,a\n", "x,y\n"),
            ("text,a\n", "x\n"),
            ("text,a\n", "\",\"\n"),
            ("text,a\n\"", "x\n"),
            ("text\n", "\u{feff}"),
        ] {
            // A table without the text column would be an error.
            let header = if before.is_empty() { "text\n" } else { before };
            hostile(name, header.replace(',', delimiter), piece.replace(',', delimiter), "\nx")
                .read(BYTES / 4);
        }
    }
}
