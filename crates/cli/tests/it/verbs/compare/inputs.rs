//! The two texts: files, standard input, and documents of a corpus.

use super::{LEFT, RIGHT, json_of, pair};
use crate::{Folder, failed, jsonl, words};
use serde_json::json;

#[test]
fn documents_are_found_by_id_or_by_place() {
    let folder = Folder::new();
    let lines = jsonl(&[LEFT, "something else", RIGHT]) + &json!({ "text": RIGHT }).to_string() + "\n";
    folder
        .write("in.jsonl", lines)
        .write("docs/x.txt", LEFT)
        .write("docs/y.csv", format!("id,text\nc1,\"{RIGHT}\"\n"));
    for (a, b) in [
        ("a", "c"),
        ("a", "in.jsonl:4"),
        ("in.jsonl:1", "in.jsonl:3"),
        ("docs/x.txt", "c1"),
        ("docs/x.txt", "docs/y.csv:2"),
    ] {
        let command = format!("compare {a} {b} --in in.jsonl --in docs --shingle 3 --format json -q");
        let found = json_of(folder.run(&command));
        assert_eq!((&found["a"]["name"], &found["b"]["name"]), (&json!(a), &json!(b)));
        assert_eq!(found["measures"]["jaccard"], json!(0.55), "{a} {b}");
    }
    let ran = folder.run("compare a a --in in.jsonl --summary summary.json");
    assert!(ran.stdout.contains("Found as a pair"), "{ran:?}");
    assert!(ran.stderr.starts_with("read       4 documents"), "{ran:?}");
    assert_eq!(folder.summary()["documents"], 4);
}

#[test]
fn documents_deep_in_a_corpus_are_found_by_any_number_of_threads() {
    let folder = Folder::new();
    // The inputs have several chunks, and one file is compressed. The third line is empty.
    let line = |number: usize| json!({ "text": words(number) }).to_string();
    let mut lines: Vec<String> = (1..=9_000).map(line).collect();
    lines[2] = String::new();
    let lines = lines.join("\n");
    assert!(lines.len() > 3 << 20);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, lines.as_bytes()).unwrap();
    folder.write("a.jsonl", &lines).write("b.jsonl.gz", encoder.finish().unwrap());
    for (a, b) in [
        ("a.jsonl:2", "b.jsonl.gz:2"),
        ("a.jsonl:8999", "b.jsonl.gz:8999"),
        ("b.jsonl.gz:9000", "a.jsonl:9000"),
    ] {
        let run = |threads: usize| {
            folder.run(&format!("compare {a} {b} --in a.jsonl --in b.jsonl.gz -q --threads {threads}"))
        };
        let one = run(1);
        let number = a.rsplit(':').next().unwrap();
        assert!(
            one.stdout.contains("Found as a pair") && one.stdout.contains(&format!("w{number}x39")),
            "{one:?}"
        );
        assert_eq!(run(5), one);
    }
    let ran = folder.run("compare a.jsonl:3 a.jsonl:9001 --in a.jsonl -q");
    assert!(
        ran.stderr.starts_with(
            "error: no document has the id \"a.jsonl:3\"; the first ids are a.jsonl:1, a.jsonl:2, a.jsonl:4"
        ),
        "{ran:?}"
    );
}

#[test]
fn mistakes_in_ids_are_named() {
    let folder = Folder::new();
    folder.write(
        "in.jsonl",
        jsonl(&["a b c", "d e f"]) + "{\"id\":\"b\",\"text\":\"g\"}\n{\"id\":\"z\",\"text\":1}\n",
    );
    let ran = folder.run("compare a x --in in.jsonl");
    let expected = "error: no document that could be read has the id \"x\"; the first ids are a, b, b\n  hint: 1 record was \
                    skipped, the first in.jsonl:4: field \"text\" is a number, not text; it may be among these, or --id-field names \
                    another field\n";
    assert_eq!(ran, failed(1, expected));
    assert!(
        folder
            .run("compare a in.jsonl:9 --in in.jsonl")
            .stderr
            .contains("no document that could be read has the id \"in.jsonl:9\"")
    );
    let ran = folder.run("compare a b --in in.jsonl");
    let expected =
        "error: 2 documents have the id \"b\": in.jsonl:2, in.jsonl:3; give one of these places instead\n";
    assert_eq!(ran, failed(1, expected));
    let ran = folder.run("compare a in.jsonl:4 --in in.jsonl");
    assert_eq!(ran, failed(1, "error: in.jsonl:4: field \"text\" is a number, not text\n"));
    let ran = folder.run("compare a in.jsonl:2 --in in.jsonl -q");
    assert_eq!(ran.code, Some(3), "a record was skipped");
    let ran = folder.run("compare a b --in in.jsonl --text-field body");
    assert!(ran.stderr.starts_with("error: in.jsonl: no field \"body\"; fields seen: id, text"), "{ran:?}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = pair(LEFT, RIGHT);
    folder.write("bad.txt", b"one\ntwo \xff three\n").write("short.txt.gz", [0x1f, 0x8b, 8, 0, 0]);
    let ran = folder.run("compare a.txt missing.txt");
    let expected = "error: missing.txt: there is no such file; if it is the id of a document, say with --in where it is\n";
    assert_eq!(ran, failed(2, expected));
    for name in ["s3://bucket/b.txt", "az://container/b.txt"] {
        let said = format!("error: {name}: compare reads files of this machine\n");
        assert_eq!(folder.run(&format!("compare a.txt {name}")), failed(2, &said));
    }
    let ran = folder.run("compare a.txt bad.txt");
    let expected = "error: bad.txt:2: invalid UTF-8 at byte 4 of the line; convert the file to UTF-8, for example with iconv\n";
    assert_eq!(ran, failed(1, expected));
    let ran = folder.run("compare a.txt short.txt.gz");
    assert!(
        ran.stderr
            .starts_with("error: short.txt.gz: the file ends here, in the middle of its compressed data"),
        "{ran:?}"
    );
    assert_eq!(folder.run("compare a.txt .").stderr, "error: .: this is a folder; name a file\n");
    assert_eq!(
        folder.run("compare - -").stderr,
        "error: only one of the texts can come from standard input\n"
    );
    let ran = folder.run("compare a.txt b.txt -o a.txt");
    assert_eq!(ran, failed(1, "error: a.txt: this output is also an input; give it another name\n"));
    assert_eq!(folder.read("a.txt"), LEFT);
}

#[test]
fn a_text_may_be_compressed_or_come_from_standard_input() {
    let folder = pair(LEFT, RIGHT);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, LEFT.as_bytes()).unwrap();
    folder.write("a.gz", encoder.finish().unwrap()).write("marked.txt", format!("\u{feff}{LEFT}"));
    let expected = folder.run("compare a.txt b.txt").stdout;
    assert_eq!(folder.run("compare a.gz b.txt").stdout, expected.replace("a.txt", "a.gz"));
    assert_eq!(folder.run("compare marked.txt b.txt").stdout, expected.replace("a.txt", "marked.txt"));
    let ran = folder.run_with_input("compare - b.txt", LEFT.as_bytes());
    assert_eq!(ran.stdout, expected.replace("a.txt", "-"));
}

#[test]
fn options_that_need_a_corpus_or_another_method_are_refused() {
    let folder = pair(LEFT, RIGHT);
    let message = |arguments: &str| {
        let ran = folder.run(&format!("compare a.txt b.txt {arguments}"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        ran.stderr
    };
    assert!(
        message("--weights tf-idf")
            .starts_with("error: --weights tf-idf needs --frequencies FILE, or a corpus")
    );
    assert!(message("--summary s.json").starts_with("error: --summary needs --in"));
    assert_eq!(message("--hamming 3"), "error: --hamming needs --method simhash\n");
    // compare shows both methods, so the options of both have an effect.
    for arguments in ["--weights tf", "--method simhash --bands 16 --rows 4"] {
        assert_eq!(folder.run(&format!("compare a.txt b.txt {arguments}")).code, Some(0), "{arguments}");
    }
}

#[test]
fn inputs_may_be_named_before_the_ids() {
    let folder = Folder::new();
    folder.write("x.jsonl", jsonl(&[LEFT, RIGHT])).write("y/z.txt", LEFT);
    let expected = folder.run("compare a b --in x.jsonl -q");
    assert_eq!(expected.code, Some(0));
    assert_eq!(folder.run("compare --in x.jsonl a b -q"), expected);
    assert_eq!(folder.run("compare --in x.jsonl --in y a b -q"), expected);
    let ran = folder.run("compare a b --in x.jsonl y");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: unexpected argument 'y' found"), "{ran:?}");
    let similar = folder.run("similar --in x.jsonl --in y bridge -q");
    assert_eq!((similar.code, similar.stdout.lines().count()), (Some(0), 3), "{similar:?}");
}
