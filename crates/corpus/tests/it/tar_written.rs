//! Tar archives of files of records, written as such archives.

use std::{fs, io::Read, path::Path};

use crate::{
    corpus::{compress, fields, inputs_of},
    tar::{File, archive, copy, files, lines},
};
use lookalike_corpus::{Error, Inputs, KeptWriter, RecordMode, Waiting};

/// The decompressed bytes of a file whose name says its compression.
fn unpacked(path: &Path) -> Vec<u8> {
    let (bytes, mut out) = (fs::read(path).unwrap(), Vec::new());
    match path.extension().unwrap().to_str().unwrap() {
        "tar" => return bytes,
        "zst" => zstd::stream::copy_decode(&bytes[..], &mut out).unwrap(),
        _ => drop(flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut out).unwrap()),
    }
    out
}

#[test]
fn an_archive_of_files_of_records_is_written_as_an_archive_of_the_kept_ones() {
    let folder = tempfile::tempdir().unwrap();
    let packed = compress(&lines(&["removed", "c"]), "gz");
    let long = format!("./{}/table.csv", "x".repeat(120));
    let all: [File<'_>; 9] = [
        ("./README.md", b"about"),
        ("data/part-0.jsonl", &lines(&["a", "removed", "b"])),
        ("data/._part-0.jsonl", b"hidden"),
        ("data/part-1.jsonl.gz", &packed),
        ("all-removed.csv", b"text\nremoved\n"),
        ("image.jpg", b"\xff\xd8"),
        ("removed.txt", b"removed"),
        (&long, b"text\ne\n"),
        ("list.json", b"[{\"text\": \"removed\"}]"),
    ];
    let bytes = archive(&all);
    let expected = [
        ("README.md", b"about".to_vec()),
        ("data/part-0.jsonl", lines(&["a", "b"])),
        ("data/part-1.jsonl.gz", lines(&["c"])),
        ("all-removed.csv", b"text\n".to_vec()),
        (&long, b"text\ne\n".to_vec()),
        ("list.json", b"[\n]\n".to_vec()),
    ]
    .map(|(name, content)| (name.to_owned(), content));
    for (from, to) in
        [("a.tar", "out.tar"), ("a.tar.gz", "out.tgz"), ("a.tar.zst", "out.tar.gz"), ("a.tgz", "out.tar.zst")]
    {
        let (from, to) = (folder.path().join(from), folder.path().join(to));
        let packing = match from.extension().unwrap().to_str().unwrap() {
            "tar" => "",
            "tgz" => "gz",
            packing => packing,
        };
        fs::write(&from, compress(&bytes, packing)).unwrap();
        copy(&from, &to);
        let first = fs::read(&to).unwrap();
        let mut written = files(&unpacked(&to));
        let mut kept = Vec::new();
        flate2::read::GzDecoder::new(&written[2].1[..]).read_to_end(&mut kept).unwrap();
        written[2].1 = kept;
        assert_eq!(written, expected, "{from:?}");
        copy(&from, &to);
        assert_eq!(fs::read(&to).unwrap(), first);
        let left = fs::read_dir(folder.path())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".lookalike"));
        assert_eq!(left.count(), 0);
    }
}

#[test]
fn members_keep_their_headers_but_for_the_length() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let content = lines(&["a", "removed"]);
    let mut made = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(1 << 30);
    header.set_mtime(1_700_000_000);
    header.set_uid(1000);
    header.set_mode(0o640);
    header.set_username("anna").unwrap();
    // A size in a pax header counts, and not the one in the header behind it.
    let size = content.len().to_string();
    let extensions =
        [("comment", &b"two\nlines"[..]), ("size", size.as_bytes()), ("mtime", b"1700000000.25")];
    made.append_pax_extensions(extensions).unwrap();
    header.set_path("part.jsonl").unwrap();
    header.set_cksum();
    let mut bytes = made.into_inner().unwrap();
    bytes.truncate(1024);
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(&content);
    bytes.resize(bytes.len().next_multiple_of(512) + 1024, 0);
    fs::write(&path, bytes).unwrap();
    let out = folder.path().join("out.tar");
    copy(&path, &out);
    let bytes = fs::read(&out).unwrap();
    let additions = String::from_utf8_lossy(&bytes[512..1024]).into_owned();
    assert_eq!(additions.trim_end_matches('\0'), "21 comment=two\nlines\n23 mtime=1700000000.25\n");
    let mut written = tar::Archive::new(&bytes[..]);
    let mut entries = written.entries().unwrap();
    let mut entry = entries.next().unwrap().unwrap();
    let mut kept = Vec::new();
    entry.read_to_end(&mut kept).unwrap();
    assert_eq!(kept, lines(&["a"]));
    let header = entry.header();
    assert_eq!(header.mtime().unwrap(), 1_700_000_000);
    assert_eq!((header.uid().unwrap(), header.mode().unwrap()), (1000, 0o640));
    assert_eq!(header.username(), Ok(Some("anna")));
    assert!(entries.next().is_none());
}

#[test]
fn an_archive_without_kept_texts_has_no_members() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("a.tar"), folder.path().join("out.tar"));
    let broken = b"PAR1 and nothing else";
    fs::write(&path, archive(&[("x.parquet", broken), ("a.txt", b"removed")])).unwrap();
    copy(&path, &out);
    assert_eq!(fs::read(&out).unwrap(), [0; 1024]);
}

#[test]
fn files_of_several_archives_are_not_written_as_one() {
    let fields = fields();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["a.tar", "b.tar"] {
        fs::write(path(name), archive(&[("part.jsonl", &lines(&["a"]))])).unwrap();
    }
    fs::write(path("c.jsonl"), lines(&["c"])).unwrap();
    fs::write(path("samples.tar"), archive(&[("1.txt", b"a")])).unwrap();
    for other in ["b.tar", "c.jsonl", "samples.tar"] {
        let inputs = Inputs::resolve(&[path("a.tar"), path(other)], &Waiting::default()).unwrap();
        let created = KeptWriter::create(&inputs, &fields, path("out.tar").as_ref(), RecordMode::Copy);
        let error = created.unwrap_err();
        assert!(matches!(&error, Error::NotOneTar { .. }), "{other} {error}");
        assert!(error.to_string().ends_with("run each archive by itself"), "{error}");
    }
    // A folder takes all of them, and other files are compared against.
    let inputs = Inputs::resolve_against(&[path("b.tar")], &[path("a.tar")], &Waiting::default()).unwrap();
    KeptWriter::create(&inputs, &fields, path("out.tar").as_ref(), RecordMode::Copy).unwrap();
    let inputs = inputs_of(path("c.jsonl").as_ref());
    let created = KeptWriter::create(&inputs, &fields, path("out.tar").as_ref(), RecordMode::Copy);
    assert!(matches!(created, Err(Error::FormatChanged { .. })));
    let inputs = inputs_of(path("a.tar").as_ref());
    let created = KeptWriter::create(&inputs, &fields, path("a.tar").as_ref(), RecordMode::Copy);
    assert!(matches!(created, Err(Error::OutputIsInput { .. })));
}

#[cfg(feature = "parquet")]
#[test]
fn members_of_every_kind_are_written_as_files_of_a_folder() {
    use crate::corpus::Corpus;

    let folder = tempfile::tempdir().unwrap();
    for kind in [
        "parquet",
        "arrow",
        "arrows",
        "warc.gz",
        "warc.zst",
        "warc",
        "json.xz",
        "csv.zst",
        "tsv",
        "jsonl.bz2",
    ] {
        let corpus = Corpus::write(kind, 700);
        let bytes = fs::read(&corpus.inputs().files()[0].path).unwrap();
        let name = format!("part.{kind}");
        let all: [File<'_>; 3] = [("0.jsonl", b""), (&name, &bytes), ("1.csv", b"text\na\n")];
        let path = folder.path().join("a.tar");
        fs::write(&path, archive(&all)).unwrap();
        let (out, beside) = (folder.path().join("out.tar"), folder.path().join("out"));
        copy(&path, &out);
        copy(&path, &beside);
        let written = files(&fs::read(&out).unwrap());
        assert_eq!(written.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), [&*name, "1.csv"]);
        assert!(written[0].1 == fs::read(beside.join(format!("a-part.{kind}"))).unwrap(), "{kind}");
    }
}
