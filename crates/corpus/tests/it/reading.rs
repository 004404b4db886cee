//! Reading broken, unusual and missing inputs.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    thread,
};

use crate::corpus::{self, compress, fields, inputs_of};
use lookalike_corpus::{BadRecord, Error, Format, Inputs, Problem, Reader, Scan, Scratch, Waiting};

/// The texts, and the bad records with their lines in the file.
fn read(inputs: &Inputs) -> (Vec<String>, Vec<BadRecord>) {
    let fields = fields();
    let reader = Reader::new(inputs, &fields, Scan::DocumentsInOrder);
    let mut scratch = Scratch::default();
    let (mut texts, mut bad, mut lines) = (Vec::new(), Vec::new(), 0);
    while let Some(chunk) = reader.next().unwrap() {
        let mut loaded = chunk.load(&mut scratch).unwrap();
        loaded.for_each(|record| match record {
            Ok(record) => texts.push(record.text.to_owned()),
            Err(record) => bad.push(BadRecord { line: lines + record.line, ..record }),
        });
        lines += loaded.lines();
    }
    (texts, bad)
}

fn folder_with(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

fn resolve(arguments: &[PathBuf]) -> Result<Inputs, Error> {
    Inputs::resolve(
        &arguments.iter().map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>(),
        &Waiting::default(),
    )
}

fn names(inputs: &Inputs) -> Vec<&str> {
    inputs.files().iter().map(|file| file.relative.to_str().unwrap()).collect()
}

#[test]
fn a_truncated_stream_gives_every_complete_line_and_one_bad_record() {
    // These numbers do not compress well, so half of the file has about half of the lines.
    let line = |number: u64| format!("{{\"text\":\"{:x}\"}}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let content: String = (0..100_000).map(line).collect();
    for extension in ["gz", "zst", "bz2", "xz", "lz4"] {
        let whole = compress(content.as_bytes(), extension);
        let name = format!("a.jsonl.{extension}");
        let folder =
            folder_with(&[(&name, &whole[..whole.len() / 2]), ("b.jsonl", b"{\"text\":\"after\"}\n")]);
        let (texts, bad) = read(&inputs_of(folder.path()));
        let complete = texts.len() - 1;
        assert!(complete > 10_000, "{extension}: {complete}");
        assert!(content.starts_with(&(0..complete as u64).map(line).collect::<String>()));
        assert_eq!(texts[complete], "after");
        assert_eq!(bad.len(), 1);
        assert_eq!(bad[0].line as usize, complete, "{extension}");
        assert!(matches!(bad[0].problem, Problem::CutStream));
    }
}

#[test]
fn zeros_behind_gzip_are_padding() {
    let member = |text: &str| compress(format!("{{\"text\":\"{text}\"}}\n").as_bytes(), "gz");
    // The padding is longer than the buffer of the reader.
    let padding = vec![0; 300_000];
    let between = [&member("a")[..], &[0; 512], &member("b"), &padding].concat();
    let garbage = [&member("c")[..], &[0; 512], b"garbage"].concat();
    let folder = folder_with(&[("a.jsonl.gz", &between), ("c.jsonl.gz", &garbage)]);
    let (texts, bad) = read(&inputs_of(folder.path()));
    assert_eq!(texts, ["a", "b", "c"]);
    assert!(matches!(&bad[..], [BadRecord { problem: Problem::BrokenStream { .. }, .. }]), "{bad:?}");
}

#[test]
fn a_frame_of_lz4_that_ends_between_two_blocks_is_cut_off() {
    let content: String = (0..50_000).map(|number| format!("{{\"text\":\"{number}\"}}\n")).collect();
    let whole = compress(content.as_bytes(), "lz4");
    // The first block stands behind the 7 bytes of the head, and its length in its first 4 bytes.
    let block = u32::from_le_bytes(whole[7..11].try_into().unwrap()) & 0x7fff_ffff;
    let cut = &whole[..11 + block as usize];
    let folder = folder_with(&[("a.jsonl.lz4", cut), ("b.jsonl.lz4", &[&whole[..], &whole].concat())]);
    let (texts, bad) = read(&inputs_of(folder.path()));
    assert!(matches!(&bad[..], [BadRecord { problem: Problem::CutStream, .. }]), "{bad:?}");
    let first = texts.iter().skip(1).position(|text| text == "0").unwrap() + 1;
    assert!(first > 1000 && texts.len() == first + 100_000, "{first} {}", texts.len());
}

#[test]
fn frames_of_lz4_in_the_old_form_have_no_end() {
    // By `lz4 -l`: one block of `{"text":"a b c"}`.
    let old = b"\x02\x21\x4c\x18\x13\0\0\0\xf0\x02{\"text\":\"a b c\"}\n";
    let folder = folder_with(&[("a.jsonl.lz4", old)]);
    assert_eq!(read(&inputs_of(folder.path())), (vec!["a b c".to_owned()], vec![]));
    let folder = folder_with(&[("a.jsonl.lz4", &old[..old.len() - 3])]);
    assert_eq!(read(&inputs_of(folder.path())).1.len(), 1);
}

/// A frame of zstd with a window of this logarithm, and no content length.
fn frame(content: &[u8], window_log: u32, dictionary: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 1, dictionary).unwrap();
    encoder.window_log(window_log).unwrap();
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn long_windows_of_zstd_are_read_and_their_memory_is_known() {
    let line = b"{\"text\":\"a\"}\n";
    let (usual, long) = (frame(line, 23, b""), frame(line, 30, b""));
    let files = [("a.jsonl.zst", &usual[..]), ("b.zst", &long[..]), ("c.jsonl.zst", &long[..])];
    let folder = folder_with(&files);
    let named = resolve(&files.map(|(name, _)| folder.path().join(name))).unwrap();
    assert_eq!(read(&named), (vec!["a".to_owned(); 3], vec![]));
    let (window, name) = named.long_windows(1).unwrap();
    assert_eq!((window, name.ends_with("b.zst")), (1 << 30, true));
    assert_eq!(named.long_windows(8).unwrap().0, 2 << 30);
    assert_eq!(inputs_of(&folder.path().join("a.jsonl.zst")).long_windows(8), None);
}

#[test]
fn a_window_and_a_dictionary_that_are_missing_are_named() {
    let (line, window) = (b"{\"text\":\"a\"}\n", 10);
    let first = frame(line, window, b"");
    let longer = [&first[..], &frame(line, 30, b"")].concat();
    // The head of a frame that names its dictionary: no content length, a window, and the number 7.
    let with_dictionary = [&first[..], b"\x28\xb5\x2f\xfd\x01\x00\x07\x01\x00\x00"].concat();
    for (bytes, problem) in [(longer, Problem::LongWindow), (with_dictionary, Problem::NoDictionary)] {
        let folder = folder_with(&[("a.jsonl.zst", &bytes)]);
        let (texts, bad) = read(&inputs_of(folder.path()));
        assert_eq!((texts, bad), (vec!["a".to_owned()], vec![BadRecord { line: 1, problem }]));
    }
}

#[test]
fn a_broken_row_group_does_not_affect_the_others() {
    let corpus = corpus::Corpus::write("parquet", 2000);
    let path = corpus.inputs().files()[0].path.clone();
    let mut bytes = fs::read(&path).unwrap();
    bytes[2000..4000].fill(0xff);
    fs::write(&path, bytes).unwrap();
    let (texts, bad) = read(&inputs_of(&path));
    assert!(texts.len() >= 900 && !bad.is_empty(), "{} {bad:?}", texts.len());
}

#[test]
fn a_vanished_or_changed_text_file_is_a_bad_record() {
    let folder =
        folder_with(&[("a.txt", b"a"), ("b.txt", b"b"), ("c.md", b"\xef\xbb\xbfc"), ("d.txt", b"\xff")]);
    let inputs = inputs_of(folder.path());
    fs::remove_file(folder.path().join("a.txt")).unwrap();
    fs::write(folder.path().join("b.txt"), "longer").unwrap();
    let (texts, bad) = read(&inputs);
    assert_eq!(texts, ["c"]);
    assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [0, 1, 3]);
    assert!(matches!(bad[1].problem, Problem::Unreadable { .. }));
}

#[test]
fn a_table_in_utf_16_is_named_with_the_remedy() {
    let table = "id,text\n1,x\n";
    let bytes = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(table.encode_utf16()).flat_map(unit).collect()
    };
    for content in [bytes(u16::to_le_bytes), bytes(u16::to_be_bytes)] {
        let folder = folder_with(&[("a.csv", &content)]);
        let (texts, bad) = read(&inputs_of(folder.path()));
        assert_eq!((texts, bad), (vec![], vec![BadRecord { line: 0, problem: Problem::Utf16 }]));
    }
}

#[test]
fn a_table_without_the_text_column_lists_its_columns() {
    let folder = folder_with(&[("a.csv", b"id,body\n1,x\n")]);
    let inputs = inputs_of(folder.path());
    let (texts, bad) = read(&inputs);
    let problem =
        Problem::MissingColumn { field: "text".to_owned(), seen: vec!["id".to_owned(), "body".to_owned()] };
    assert_eq!((texts, bad), (vec![], vec![BadRecord { line: 0, problem }]));
}

#[test]
fn bad_rows_of_a_table_do_not_affect_the_others() {
    let folder =
        folder_with(&[("a.csv", b"\xef\xbb\xbfid,text\r\n1,a\r\n\r\n2\r\n3,\xff\r\n4,\"b\r\nb\"\r\n5,c")]);
    let (texts, bad) = read(&inputs_of(folder.path()));
    assert_eq!(texts, ["a", "b\r\nb", "c"]);
    assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [3, 4]);
}

#[test]
fn empty_files_of_every_format_but_parquet_have_no_records() {
    let folder =
        folder_with(&[("a.jsonl", b""), ("b.csv", b""), ("c.tsv", b"id\ttext\n"), ("d.jsonl.gz", b"")]);
    assert_eq!(read(&inputs_of(folder.path())), (vec![], vec![]));
}

#[test]
fn compression_is_recognised_by_content_if_the_name_does_not_show_it() {
    let folder = folder_with(&[
        ("a.jsonl", &compress(b"{\"text\":\"a\"}\n", "zst")),
        ("b.txt", &compress(b"b", "gz")),
    ]);
    assert_eq!(read(&inputs_of(folder.path())).0, ["a", "b"]);
}

#[test]
fn a_named_file_without_a_known_extension_is_recognised_by_its_content() {
    let folder = folder_with(&[("a.part", b"{\"text\":\"a\"}\n"), ("b", &compress(b"plain", "xz"))]);
    let inputs = resolve(&[folder.path().join("a.part"), folder.path().join("b")]).unwrap();
    assert_eq!(
        inputs.files().iter().map(|file| file.format).collect::<Vec<_>>(),
        [Format::Jsonl, Format::Text]
    );
    assert_eq!(read(&inputs).0, ["a", "plain"]);
}

#[test]
fn a_folder_is_walked_in_order_without_hidden_and_unknown_files() {
    let files: [(&str, &[u8]); 6] = [
        ("b/z.txt", b""),
        ("b/a.md", b""),
        ("a.txt", b""),
        (".git/c.txt", b""),
        ("b/.d.txt", b""),
        ("e.png", b""),
    ];
    let folder = folder_with(&files);
    let inputs = inputs_of(folder.path());
    assert_eq!(names(&inputs), ["a.txt", "b/a.md", "b/z.txt"]);
    assert_eq!(inputs.ignored(), 1);
}

#[test]
fn relative_names_that_collide_get_their_folders() {
    let files: [(&str, &[u8]); 3] = [("x/a.txt", b""), ("y/a.txt", b""), ("y/b.txt", b"")];
    let folder = folder_with(&files);
    let inputs = resolve(&files.map(|(name, _)| folder.path().join(name))).unwrap();
    assert_eq!(names(&inputs), ["x/a.txt", "y/a.txt", "b.txt"]);
    let glob = resolve(&[folder.path().join("*/a.txt")]).unwrap();
    assert_eq!(names(&glob), ["x/a.txt", "y/a.txt"]);
}

#[test]
fn a_glob_or_a_folder_finds_a_file_with_several_links_once() {
    let folder = folder_with(&[("x/a.txt", b"a")]);
    std::os::unix::fs::symlink(folder.path().join("x"), folder.path().join("y")).unwrap();
    assert_eq!(resolve(&[folder.path().join("*/a.txt")]).unwrap().files().len(), 1);
    assert_eq!(resolve(&[folder.path().to_owned()]).unwrap().files().len(), 1);
}

#[test]
fn invalid_inputs_are_refused() {
    let folder = folder_with(&[("a.txt", b""), ("sub/b.png", b""), ("c.parquet.gz", b"\x1f\x8b\x08\0")]);
    let path = |name: &str| folder.path().join(name);
    assert!(matches!(resolve(&[]), Err(Error::NoInput)));
    assert!(matches!(resolve(&[path("no.txt")]), Err(Error::Missing { .. })));
    assert!(matches!(resolve(&[path("*.csv")]), Err(Error::NoMatch { .. })));
    assert!(matches!(resolve(&[path("***")]), Err(Error::BadPattern { .. })));
    assert!(matches!(resolve(&[path("sub")]), Err(Error::EmptyFolder { .. })));
    assert!(matches!(resolve(&[path("a.txt"), path("sub/../a.txt")]), Err(Error::Twice { .. })));
    assert!(matches!(resolve(&[path("c.parquet.gz")]), Err(Error::CompressedInside { .. })));
}

#[test]
fn a_file_cannot_be_an_input_and_compared_against() {
    let folder = folder_with(&[("a.txt", b""), ("b.txt", b"")]);
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let both = Inputs::resolve_against(&[name("*.txt")], &[name("b.txt")], &Waiting::default());
    assert!(matches!(both, Err(Error::AlsoInput { .. })));
    let twice =
        Inputs::resolve_against(&[name("a.txt"), name("a.txt")], &[name("b.txt")], &Waiting::default());
    assert!(matches!(twice, Err(Error::Twice { .. })));
    assert!(matches!(
        Inputs::resolve_against(&[name("a.txt")], &[], &Waiting::default()),
        Err(Error::NoInput)
    ));
}

#[test]
fn files_to_compare_against_share_no_chunk_with_inputs() {
    let folder = folder_with(&[("a/1.txt", b"1"), ("a/2.txt", b"2"), ("b/3.txt", b"3"), ("b/4.txt", b"4")]);
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let inputs = Inputs::resolve_against(&[name("a")], &[name("b")], &Waiting::default()).unwrap();
    let fields = fields();
    let chunks = |inputs: &Inputs, scan: Scan| {
        let reader = Reader::new(inputs, &fields, scan);
        let chunks = std::iter::from_fn(|| reader.next().unwrap());
        chunks.map(|chunk| chunk.id().file).collect::<Vec<u32>>()
    };
    assert_eq!(chunks(&inputs, Scan::Documents), [0, 2]);
    assert_eq!(chunks(&inputs, Scan::RecordsInOrder), [2]);
    assert_eq!(chunks(&inputs.against_only(), Scan::Documents), [0]);
}

#[test]
fn workers_share_many_streams_and_lose_no_records() {
    let names: Vec<String> = (0..40)
        .map(|number| format!("{number:02}.{}", ["jsonl.gz", "csv", "txt", "jsonl"][number % 4]))
        .collect();
    let files: Vec<(&str, Vec<u8>)> = names
        .iter()
        .map(|name| match Path::new(name).extension().unwrap().to_str().unwrap() {
            "gz" => (name.as_str(), compress(b"{\"text\":\"x\"}\n{\"text\":\"y\"}\n", "gz")),
            "csv" => (name.as_str(), b"text\nx\ny\n".to_vec()),
            "txt" => (name.as_str(), b"x".to_vec()),
            _ => (name.as_str(), b"{\"text\":\"x\"}\n".to_vec()),
        })
        .collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, content)| (*name, content.as_slice())).collect();
    let folder = folder_with(&files);
    let (inputs, fields) = (inputs_of(folder.path()), fields());
    for scan in [Scan::Documents, Scan::RecordsInOrder] {
        let reader = Reader::new(&inputs, &fields, scan);
        let count = || {
            let (mut scratch, mut records) = (Scratch::default(), 0);
            while let Some(chunk) = reader.next().unwrap() {
                chunk.load(&mut scratch).unwrap().for_each(|record| records += u32::from(record.is_ok()));
            }
            records
        };
        let total: u32 = thread::scope(|scope| {
            let workers: Vec<_> = (0..4).map(|_| scope.spawn(count)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert_eq!(total, 60);
    }
}
