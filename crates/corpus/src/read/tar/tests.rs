use super::{
    member::{BLOCK, Member, MemberAt, key_of, member_at},
    sample::TarSample,
};
use crate::Problem;
use lookalike_html::Extract;

/// An archive of these files, by the library.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, content.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap()
}

fn members(bytes: &[u8]) -> Vec<(String, String)> {
    let (mut at, mut found) = (0, Vec::new());
    while let MemberAt::Member(member) = member_at(bytes, at, true, u64::MAX) {
        let content = String::from_utf8_lossy(&bytes[member.content.clone()]).into_owned();
        found.push((member.name, content));
        at = member.end;
    }
    assert_eq!(member_at(bytes, at, true, u64::MAX), MemberAt::Zeros);
    found
}

#[test]
fn members_are_those_that_the_library_wrote() {
    let long = format!("{}/a.txt", "folder".repeat(40));
    let files =
        [("a.txt", "words"), (&*long, "behind a long name"), ("b/c.json", ""), ("d", &"x".repeat(1024))];
    let found = members(&archive(&files));
    assert_eq!(found, files.map(|(name, content)| (name.to_owned(), content.to_owned())));
}

#[test]
fn names_and_sizes_of_pax_headers_are_those_of_the_member() {
    let mut archive = tar::Builder::new(Vec::new());
    // A value with line feeds is no more than a value.
    let comment = &b"x\n11 path=y\n"[..];
    let pairs = [("path", "ü.txt".as_bytes()), ("comment", comment), ("size", b"3"), ("mtime", b"1.5")];
    archive.append_pax_extensions(pairs).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_path("u.txt").unwrap();
    header.set_size(3);
    header.set_cksum();
    archive.append(&header, &b"abc"[..]).unwrap();
    assert_eq!(members(&archive.into_inner().unwrap()), [("ü.txt".to_owned(), "abc".to_owned())]);
}

#[test]
fn more_bytes_are_requested_until_a_member_is_complete() {
    let whole = archive(&[("a.txt", &"word ".repeat(300))]);
    for length in 0..BLOCK * 4 {
        let found = member_at(&whole[..length], 0, false, u64::MAX);
        assert!(matches!(found, MemberAt::More(more) if more > length), "{length} {found:?}");
    }
    assert!(matches!(member_at(&whole[..BLOCK * 4], 0, false, u64::MAX), MemberAt::Member(_)));
    let too_long =
        MemberAt::TooLong { name: "a.txt".to_owned(), is_file: true, content: BLOCK, length: 1500 };
    assert_eq!(member_at(&whole[..BLOCK], 0, false, 1499), too_long);
    let cut = MemberAt::Bad(Problem::CutMember { name: "a.txt".to_owned() });
    assert_eq!(member_at(&whole[..BLOCK * 2], 0, true, u64::MAX), cut);
}

#[test]
fn a_key_ends_at_the_first_dot_of_a_name() {
    let key = |name: &str, is_file| {
        let member = Member { name: name.to_owned(), is_file, content: 0..0, end: 0 };
        key_of(&member).map(str::to_owned)
    };
    for (name, expected) in [
        ("a.txt", Some("a")),
        ("./x.y/a.b.txt", Some("x.y/a")),
        ("x/a", Some("x/a")),
        ("x/._a.txt", None),
        ("x/_a.txt", None),
        ("x/", None),
    ] {
        assert_eq!(key(name, true).as_deref(), expected, "{name}");
    }
    assert_eq!(key("a.txt", false), None);
}

#[test]
fn the_text_of_a_sample_is_its_only_one_or_the_one_that_is_named() {
    let read = |files: &[(&str, &str)], field: &str| {
        let (bytes, mut text) = (archive(files), String::new());
        let read = TarSample::of(&bytes).read_text(&field.into(), Extract::All, 1000, &mut text);
        read.map(|found| found.then_some(text))
    };
    let one = [("a.jpg", "?"), ("a.txt", "\u{feff}words")];
    assert_eq!(read(&one, "text"), Ok(Some("words".to_owned())));
    assert_eq!(read(&[("a.html", "<p>words<p>more")], "text"), Ok(Some("words\nmore".to_owned())));
    assert_eq!(read(&[("a.jpg", "?")], "text"), Ok(None));
    let two = [("a.en.txt", "words"), ("a.fr.txt", "mots")];
    assert_eq!(read(&two, "fr.txt"), Ok(Some("mots".to_owned())));
    let names = vec!["a.en.txt".to_owned(), "a.fr.txt".to_owned()];
    assert_eq!(read(&two, "text"), Err(Problem::SeveralTexts { names }));
    let text = "word ".repeat(250);
    let bomb = Problem::RecordTooLong { length: 1001, limit: 1000 };
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, text.as_bytes()).unwrap();
    let packed = gzip.finish().unwrap();
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(packed.len() as u64);
    archive.append_data(&mut header, "a.txt.gz", &packed[..]).unwrap();
    let bytes = archive.into_inner().unwrap();
    assert_eq!(
        TarSample::of(&bytes).read_text(&"text".into(), Extract::All, 1000, &mut String::new()),
        Err(bomb)
    );
}
