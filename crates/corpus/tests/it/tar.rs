//! Samples of tar archives, read and written.

use std::{fs, path::Path};

use crate::corpus::{Corpus, compress, inputs_of, scan};
use lookalike_corpus::{
    BadRecord, Error, Fields, Inputs, KeptRows, KeptWriter, Place, Problem, Reader, RecordMode, Scan,
    Scratch, Waiting,
};

pub(crate) type File<'a> = (&'a str, &'a [u8]);

pub(crate) fn archive(files: &[File<'_>]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        archive.append_data(&mut header, name, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

pub(crate) fn files(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = tar::Archive::new(archive);
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let (name, mut content) = (entry.path().unwrap().to_str().unwrap().to_owned(), Vec::new());
        std::io::Read::read_to_end(&mut entry, &mut content).unwrap();
        (name, content)
    });
    entries.collect()
}

fn fields() -> Fields {
    Fields { id: Some("id".to_owned()), ..Fields::of_text("text") }
}

/// The ids and texts, and the bad records.
fn read_with(inputs: &Inputs, fields: &Fields) -> (Vec<(String, String)>, Vec<BadRecord>) {
    let reader = Reader::new(inputs, fields, Scan::DocumentsInOrder);
    let (mut scratch, mut found, mut bad) = (Scratch::default(), Vec::new(), Vec::new());
    while let Some(chunk) = reader.next().unwrap() {
        chunk.load(&mut scratch).unwrap().for_each(|record| match record {
            Ok(record) => found.push((record.id.unwrap_or_default().to_owned(), record.text.to_owned())),
            Err(record) => bad.push(record),
        });
    }
    (found, bad)
}

fn read(path: &Path) -> (Vec<(String, String)>, Vec<BadRecord>) {
    read_with(&inputs_of(path), &fields())
}

/// Copies all documents but those whose text is "removed".
pub(crate) fn copy(input: &Path, output: &Path) {
    let (inputs, fields) = (inputs_of(input), fields());
    let texts = Reader::new(&inputs, &fields, Scan::Documents);
    let writer = KeptWriter::create(&inputs, &fields, output, RecordMode::Copy).unwrap();
    let records = Reader::new(&inputs, &fields, writer.scan());
    let (mut scratch, mut again) = (Scratch::default(), Scratch::default());
    while let Some(chunk) = texts.next().unwrap() {
        let mut places: Vec<Place> = Vec::new();
        chunk.load(&mut scratch).unwrap().for_each(|record| {
            places.extend(record.ok().filter(|record| record.text != "removed").map(|record| record.place));
        });
        let loaded = records.next().unwrap().unwrap().load(&mut again).unwrap();
        writer.write(&loaded, KeptRows::Copied(&places)).unwrap();
    }
    writer.complete().unwrap().publish().unwrap();
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect()
}

const SAMPLES: [File<'_>; 9] = [
    ("README", b"no sample with a text"),
    ("0/1.jpg", b"\xff\xd8\xff"),
    ("0/1.txt", b"a caption"),
    ("0/1.json", b"{\n \"id\": 17, \"width\": 5\n}\n"),
    ("0/2.jpg", b"\xff\xd8\xfe"),
    ("0/2.txt", b"removed"),
    ("0/3.json", b"{\"text\": \"from JSON\"}"),
    ("0/4.png", b"\x89PNG"),
    ("0/5.html", b"<p>a page"),
];

#[test]
fn samples_are_kept_and_removed_with_all_their_members() {
    let folder = tempfile::tempdir().unwrap();
    let whole = archive(&SAMPLES);
    let expected: Vec<_> = SAMPLES.iter().filter(|(name, _)| !name.starts_with("0/2.")).collect();
    for extension in ["tar", "tar.gz", "tar.zst", "tgz"] {
        let path = folder.path().join(format!("a.{extension}"));
        let packing =
            if extension == "tgz" { "gz" } else { extension.strip_prefix("tar.").unwrap_or_default() };
        fs::write(&path, compress(&whole, packing)).unwrap();
        let documents =
            pairs(&[("17", "a caption"), ("0/2", "removed"), ("0/3", "from JSON"), ("0/5", "a page")]);
        assert_eq!(read(&path), (documents, vec![]), "{extension}");
        for out in ["out.tar", "out.tar.gz", "out.tgz"] {
            copy(&path, &folder.path().join(out));
            let mut written = fs::read(folder.path().join(out)).unwrap();
            if out != "out.tar" {
                let mut bytes = Vec::new();
                let mut decoder = flate2::read::GzDecoder::new(&written[..]);
                std::io::Read::read_to_end(&mut decoder, &mut bytes).unwrap();
                written = bytes;
            }
            let expected: Vec<_> =
                expected.iter().map(|(name, content)| ((*name).to_owned(), content.to_vec())).collect();
            assert_eq!(files(&written), expected, "{extension} {out}");
            assert_eq!(written[written.len() - 1024..], [0; 1024]);
        }
    }
}

#[test]
fn chunks_do_not_cut_samples() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let long = "word ".repeat(40_000);
    let names: Vec<_> = (0..40).map(|n| [format!("{n:02}.txt"), format!("{n:02}.bin")]).collect();
    let all: Vec<File<'_>> = names
        .iter()
        .flat_map(|[text, other]| [(text.as_str(), long.as_bytes()), (other.as_str(), long.as_bytes())])
        .collect();
    fs::write(&path, archive(&all)).unwrap();
    let (found, bad) = read(&path);
    assert_eq!((found.len(), bad.len()), (40, 0));
    assert!(found.iter().all(|(_, text)| *text == long));
    copy(&path, &folder.path().join("out.tar"));
    assert_eq!(files(&fs::read(folder.path().join("out.tar")).unwrap()).len(), 80);
}

#[test]
fn what_is_no_sample_is_named_and_does_not_affect_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let all: [File<'_>; 6] = [
        ("a.txt", b"a"),
        ("part-0.jsonl", b"{\"text\":\"x\"}\n"),
        ("b.json", b"{\"title\": \"no text\"}"),
        ("c.json", b"{broken"),
        ("d.txt", b"\xff"),
        ("e.txt", b"e"),
    ];
    fs::write(&path, archive(&all)).unwrap();
    let (found, bad) = read(&path);
    assert_eq!(found, pairs(&[("a", "a"), ("e", "e")]));
    assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(bad[0].problem, Problem::RecordsInTar { name: "part-0.jsonl".to_owned() });
    assert!(matches!(&bad[1].problem, Problem::MissingField { seen, .. } if seen == &["title"]), "{bad:?}");
    assert!(matches!(bad[3].problem, Problem::InvalidUtf8 { byte: 0 }));
}

#[test]
fn a_member_that_is_too_long_takes_its_sample_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let film = vec![7; 3 << 20];
    let all: [File<'_>; 4] = [("a.txt", b"a"), ("b.txt", b"b"), ("b.mp4", &film), ("c.txt", b"c")];
    fs::write(&path, archive(&all)).unwrap();
    let mut inputs = inputs_of(&path);
    inputs.skip_longer(1 << 20);
    let (found, bad) = read_with(&inputs, &fields());
    assert_eq!(found, pairs(&[("a", "a"), ("c", "c")]));
    assert!(matches!(&bad[..], [BadRecord { line: 1, problem: Problem::RecordTooLong { .. } }]), "{bad:?}");
}

#[test]
fn samples_of_one_name_that_would_become_one_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let all: [File<'_>; 3] = [("1.txt", b"a"), ("2.txt", b"removed"), ("1.txt", b"b")];
    fs::write(&path, archive(&all)).unwrap();
    let inputs = inputs_of(&path);
    let fields = fields();
    let writer =
        KeptWriter::create(&inputs, &fields, &folder.path().join("out.tar"), RecordMode::Copy).unwrap();
    let reader = Reader::new(&inputs, &fields, writer.scan());
    let mut scratch = Scratch::default();
    let mut loaded = reader.next().unwrap().unwrap().load(&mut scratch).unwrap();
    let mut places = Vec::new();
    loaded.for_each(|record| {
        places.extend(record.ok().filter(|record| record.text != "removed").map(|record| record.place))
    });
    let error = writer.write(&loaded, KeptRows::Copied(&places)).unwrap_err();
    assert!(matches!(&error, Error::SameKey { key, .. } if key == "1"), "{error}");
}

#[test]
fn links_and_folders_have_no_content_whatever_their_size_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let mut builder = tar::Builder::new(Vec::new());
    for (name, kind, size, content) in [
        ("a.txt", tar::EntryType::Regular, 1, &b"a"[..]),
        ("x", tar::EntryType::Symlink, 700, b""),
        ("y", tar::EntryType::Link, 1, b""),
        ("z", tar::EntryType::Directory, 512, b""),
        ("b.txt", tar::EntryType::Regular, 1, b"b"),
    ] {
        let mut header = tar::Header::new_ustar();
        header.set_path(name).unwrap();
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_cksum();
        builder.append(&header, content).unwrap();
    }
    fs::write(&path, builder.into_inner().unwrap()).unwrap();
    assert_eq!(read(&path), (pairs(&[("a", "a"), ("b", "b")]), vec![]));
}

#[test]
fn damage_is_named_and_reading_goes_on_at_the_next_member() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let all: Vec<_> = ["a", "b", "c"].map(|name| (format!("{name}.txt"), name.as_bytes())).into();
    let all: Vec<File<'_>> = all.iter().map(|(name, content)| (name.as_str(), *content)).collect();
    let whole = archive(&all);
    // The header of the second member, and the end in the third.
    let mut damaged = whole.clone();
    damaged[1024 + 7] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let (found, bad) = read(&path);
    assert_eq!(found, pairs(&[("a", "a"), ("c", "c")]));
    assert_eq!(bad, [BadRecord { line: 1, problem: Problem::NotTar }]);
    for length in 1..2 * 1024 + 513 {
        fs::write(&path, &whole[..length]).unwrap();
        let (found, bad) = read(&path);
        // An archive may lack its end. The last member may lack its padding.
        let is_whole = length % 1024 == 0 || length % 1024 > 512;
        assert_eq!(bad.is_empty(), is_whole, "{length} {bad:?}");
        assert_eq!(found.len(), length.div_ceil(512) / 2, "{length}");
    }
    // Two archives, one behind the other.
    fs::write(&path, [&whole[..], &whole].concat()).unwrap();
    assert_eq!(read(&path).0.len(), 6);
}

/// A file of JSON lines with these texts.
pub(crate) fn lines(texts: &[&str]) -> Vec<u8> {
    texts.iter().map(|text| format!("{{\"text\":\"{text}\"}}\n")).collect::<String>().into_bytes()
}

fn texts(inputs: &Inputs) -> Vec<String> {
    let fields = Fields { id: Some("id".to_owned()), ..Fields::of_text("text") };
    let (found, bad) = read_with(inputs, &fields);
    assert_eq!(bad, []);
    found.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn an_archive_of_files_of_records_is_read_as_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let compressed = compress(&lines(&["c", "d"]), "gz");
    let long = "x".repeat(120);
    let all: [File<'_>; 8] = [
        ("./README.md", b"about"),
        ("data/part-0.jsonl", &lines(&["a", "b"])),
        ("data/._part-0.jsonl", b"hidden"),
        ("data/part-1.jsonl.gz", &compressed),
        ("data/empty.jsonl", b""),
        ("image.jpg", b"\xff\xd8"),
        (&format!("{long}/table.csv"), b"text\ne\n"),
        ("list.json", b"[{\"text\": \"f\"}]"),
    ];
    let bytes = archive(&all);
    for name in ["a.tar", "a.tar.gz", "a.tar.zst", "a.tgz"] {
        let path = folder.path().join(name);
        let packed = match name.rsplit_once('.').unwrap().1 {
            "tar" => bytes.clone(),
            "tgz" => compress(&bytes, "gz"),
            other => compress(&bytes, other),
        };
        fs::write(&path, packed).unwrap();
        let inputs = inputs_of(&path);
        assert_eq!(inputs.skipped().count(), 0);
        assert_eq!(texts(&inputs), ["about", "a", "b", "c", "d", "e", "f"], "{name}");
        let names: Vec<_> = inputs.files().iter().map(|file| file.name.rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["README.md", "part-0.jsonl", "part-1.jsonl.gz", "table.csv", "list.json"]);
        let out = folder.path().join("out");
        copy(&path, &out);
        assert_eq!(fs::read(out.join("a-part-0.jsonl")).unwrap(), lines(&["a", "b"]));
        assert_eq!(fs::read(out.join("a-table.csv")).unwrap(), b"text\ne\n");
        assert_eq!(texts(&inputs_of(&out)).len(), 7);
        fs::remove_dir_all(&out).unwrap();
    }
    // The last file of a name counts, and names are those of the files that tar makes.
    let path = folder.path().join("twice.tar");
    let files: [File<'_>; 3] =
        [("p.jsonl", b"x"), ("q.jsonl", &lines(&["a"])), ("./p.jsonl", &lines(&["b"]))];
    fs::write(&path, archive(&files)).unwrap();
    assert_eq!(texts(&inputs_of(&path)), ["b", "a"]);
    // Whether there are enough files of records is decided by the whole archive.
    let path = folder.path().join("late.tar.gz");
    let film: Vec<u8> =
        (0..3_u32 << 20).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut files: Vec<File<'_>> =
        vec![("README.md", b"1"), ("LICENSE.txt", b"2"), ("a.jsonl", b"{\"text\":\"3\"}\n")];
    files.extend([("film.mp4", &film[..]), ("b.jsonl", b"{\"text\":\"4\"}\n")]);
    fs::write(&path, compress(&archive(&files), "gz")).unwrap();
    assert_eq!(texts(&inputs_of(&path)), ["1", "2", "3", "4"]);
    // One file of records has the name of its archive.
    let path = folder.path().join("one.tar");
    fs::write(&path, archive(&[("x/part-0.jsonl", &lines(&["a"]))])).unwrap();
    assert_eq!(inputs_of(&path).files()[0].relative, Path::new("one.jsonl"));
}

#[test]
fn an_archive_whose_tables_belong_to_samples_is_one_of_samples() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    fs::write(&path, archive(&[("0.txt", b"a"), ("0.csv", b"x\n1\n"), ("1.csv", b"x\n1\n")])).unwrap();
    let inputs = inputs_of(&path);
    assert_eq!(inputs.files().len(), 1);
    assert!(matches!(&read(&path).1[..], [bad, ..] if matches!(bad.problem, Problem::RecordsInTar { .. })));
}

#[test]
fn files_of_records_before_damage_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let more = lines(&["b"; 2000]);
    let bytes = archive(&[("0.jsonl", &lines(&["a"])), ("1.jsonl", &more)]);
    for (cut, expected) in [(bytes.len() - 20_000, "1.jsonl"), (3 * 512 + 700, "1.jsonl")] {
        fs::write(&path, &bytes[..cut]).unwrap();
        let inputs = inputs_of(&path);
        // The records before the cut are read.
        let (found, bad) = read_with(&inputs, &fields());
        assert!(found[0].1 == "a" && found.len() > 1 && bad.len() <= 1, "{} {bad:?}", found.len());
        let skipped: Vec<_> = inputs.skipped().map(|(_, problem)| problem.to_string()).collect();
        assert!(skipped.len() == 1 && skipped[0].contains(expected), "{skipped:?}");
    }
    let mut packed = compress(&bytes, "gz");
    let end = packed.len() - 100;
    packed.truncate(end);
    let path = folder.path().join("a.tar.gz");
    fs::write(&path, packed).unwrap();
    let inputs = inputs_of(&path);
    assert_eq!(inputs.skipped().count(), 1);
    // Behind a broken header, reading goes on.
    let path = folder.path().join("c.tar");
    let mut broken =
        archive(&[("0.jsonl", &lines(&["a"])), ("1.jsonl", &lines(&["b"])), ("2.jsonl", &lines(&["c"]))]);
    broken[1024] ^= 1;
    fs::write(&path, broken).unwrap();
    let inputs = inputs_of(&path);
    assert_eq!((texts(&inputs), inputs.skipped().count()), (vec!["a".to_owned(), "c".to_owned()], 1));
    // A name that leads out of the folder is named, and no file of it is read.
    let path = folder.path().join("b.tar");
    let mut bytes = archive(&[("x/part.jsonl", &more)]);
    bytes[..12].copy_from_slice(b"../../p.json");
    bytes[12] = b'l';
    let sum: u32 = (0..512).map(|at| if (148..156).contains(&at) { 32 } else { u32::from(bytes[at]) }).sum();
    bytes[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    fs::write(&path, bytes).unwrap();
    let resolved = Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default());
    assert!(resolved.unwrap_err().to_string().contains("leads out of the archive"));
}

#[test]
fn members_of_an_archive_that_are_not_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tar");
    let mut made = tar::Builder::new(Vec::new());
    let mut add = |name: &str, content: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        made.append_data(&mut header, name, content).unwrap();
    };
    add("a.jsonl", &lines(&["a"]));
    add("_temporary/0/a.jsonl", &lines(&["hidden"]));
    add("inner.tar", &archive(&[("b.jsonl", &lines(&["b"]))]));
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Link);
    header.set_size(0);
    made.append_link(&mut header, "link.jsonl", "a.jsonl").unwrap();
    fs::write(&path, made.into_inner().unwrap()).unwrap();
    let inputs = inputs_of(&path);
    assert_eq!(texts(&inputs), ["a"]);
    let skipped: Vec<_> = inputs.skipped().map(|(name, problem)| format!("{name}: {problem}")).collect();
    assert_eq!(skipped.len(), 2, "{skipped:?}");
    assert!(skipped[0].contains("a.tar/inner.tar: cannot read: an archive in an archive"), "{skipped:?}");
    assert!(skipped[1].contains("a.tar/link.jsonl: cannot read: it is a link"), "{skipped:?}");
}

#[cfg(feature = "parquet")]
#[test]
fn files_of_every_kind_are_read_in_an_archive_as_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    for kind in ["parquet", "arrow", "arrows", "warc.gz", "warc", "csv.zst", "tsv", "jsonl.bz2", "jsonl"] {
        let corpus = Corpus::write(kind, 700);
        let bytes = fs::read(&corpus.inputs().files()[0].path).unwrap();
        let name = format!("part.{kind}");
        let all: [File<'_>; 3] = [("a.jpg", b"\xff\xd8"), (&name, &bytes), ("b.jpg", b"\xff")];
        for (path, packed) in [("a.tar", archive(&all)), ("a.tar.zst", compress(&archive(&all), "zst"))] {
            let path = folder.path().join(path);
            fs::write(&path, packed).unwrap();
            let inputs = inputs_of(&path);
            let found: Vec<_> = scan(&inputs, 2).into_iter().map(|found| (found.id, found.text)).collect();
            assert_eq!(found, corpus.documents(), "{kind}");
        }
    }
}
