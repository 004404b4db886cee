//! Tar archives of files of records, from files and from standard input, and written as such archives.

use crate::{Folder, failed, jsonl, silent, words};
use std::fs;

fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        archive.append_data(&mut header, name, content.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap()
}

/// A copy in the second file of each text of the first one.
fn two_files() -> [String; 2] {
    let all = jsonl(&[words(1), words(2), words(1), words(3)]);
    let (first, second) = all.split_at(all.match_indices('\n').nth(1).unwrap().0 + 1);
    [first.to_owned(), second.to_owned()]
}

#[test]
fn an_archive_is_deduplicated_into_an_archive() {
    let folder = Folder::new();
    let [first, second] = two_files();
    let bytes = archive(&[("x/0.jsonl", &first), ("x/1.jsonl", &second)]);
    fs::write(folder.path("a.tar"), &bytes).unwrap();
    let last = second.lines().last().unwrap().to_owned() + "\n";
    let expected = [archive(&[("x/0.jsonl", &first), ("x/1.jsonl", &last)]), bytes.clone()];
    let annotated = "--annotate -o annotated.tar --summary summary.json -q";
    for (from, threads) in [("a.tar", 1), ("-", 4)] {
        let run =
            |more: &str| folder.run_with_input(&format!("dedup {from} {more} --threads {threads}"), &bytes);
        assert_eq!(run("-o out.tar -q --removed removed.csv"), silent());
        assert_eq!(fs::read(folder.path("out.tar")).unwrap(), expected[0], "{from}");
        assert!(folder.read("removed.csv").contains("\nc,a,1,"));
        assert_eq!(run(annotated), silent());
        assert_eq!((&folder.summary()["kept"], &folder.summary()["removed"]), (&3.into(), &1.into()));
        let written = fs::read(folder.path("annotated.tar")).unwrap();
        let written = String::from_utf8_lossy(&written).into_owned();
        assert_eq!(written.matches("\"cluster\":").count(), 4);
    }
    // A document without an id is called by its place.
    let plain = archive(&[("x/0.jsonl", "{\"text\":\"a b c d e f\"}\n"), ("x/1.csv", "text\na b c d e f\n")]);
    let ran = folder.run_with_input("pairs - -q", &plain);
    assert!(ran.stdout.contains("\"a\":\"-/x/0.jsonl:1\",\"b\":\"-/x/1.csv:2\""), "{ran:?}");
    let ran = folder.run_with_input("pairs - -", &plain);
    assert_eq!(ran, failed(1, "error: - and - are the same file; name it once\n"));
}

#[test]
fn two_archives_are_not_written_as_one_and_nothing_is_read() {
    let folder = Folder::new();
    let [first, second] = two_files();
    for (name, lines) in [("a.tar", first), ("b.tar", second)] {
        fs::write(folder.path(name), archive(&[("0.jsonl", &lines)])).unwrap();
    }
    let message = "error: out.tar.gz: a tar archive takes the files of one archive; give a folder as the output, such as out/, or run each archive by itself\n";
    assert_eq!(folder.run("dedup a.tar b.tar -o out.tar.gz"), failed(1, message));
    assert_eq!(folder.run("dedup a.tar b.tar -o out/ -q"), silent());
    assert_eq!(folder.read("out/b.jsonl").lines().count(), 1);
}
