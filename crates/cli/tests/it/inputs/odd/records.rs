//! Bad records and files.

use super::{dedup, skipped};
use crate::{Folder, failed, jsonl, silent, words};

#[test]
fn broken_json_is_skipped_with_its_line() {
    let folder = Folder::new();
    let good = jsonl(&[words(1), words(2)]);
    let (first, second) = good.split_once('\n').unwrap();
    folder.write("in.jsonl", format!("{first}\n{{\"text\": \"x\"\n{second}"));
    let kept =
        dedup(&folder, skipped("skipped in.jsonl:2: broken JSON: an object is not closed, at column 12\n"));
    assert_eq!(kept, good);
}

#[test]
fn numbers_instead_of_text_are_skipped() {
    let folder = Folder::new();
    let good = jsonl(&[words(1)]);
    folder.write("in.jsonl", format!("{{\"text\":true}}\n{good}{{\"text\":7}}\n[]\n"));
    let expected = "skipped in.jsonl:1: field \"text\" is a boolean, not text\n\
                    skipped in.jsonl:3: field \"text\" is a number, not text\n\
                    skipped in.jsonl:4: expected a JSON object, found a list\n";
    assert_eq!(dedup(&folder, skipped(expected)), good);
}

#[test]
fn records_whose_text_is_null_stay_and_are_counted_and_strict_refuses_them() {
    let folder = Folder::new();
    let nulls = "{\"id\":1,\"text\":null}\n{\"id\":2,\"text\":null}\n";
    folder.write("in.jsonl", nulls.to_owned() + &jsonl(&[words(1), words(1)]));
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl -q --summary summary.json"), silent());
    assert_eq!(folder.read("out.jsonl"), nulls.to_owned() + &jsonl(&[words(1)]));
    let summary = folder.summary();
    let counts = ["documents", "without_text", "empty", "removed", "skipped"]
        .map(|key| summary[key].as_u64().unwrap());
    assert_eq!(counts, [4, 2, 2, 1, 0]);
    let told = folder.run("dedup in.jsonl -o out.jsonl").stderr;
    assert!(told.contains("2 documents whose text is null"), "{told}");
    // Texts are read again.
    for options in
        ["--method minhash --audit 4", "--method exact --audit 4", "--cluster star --report report.html"]
    {
        let ran = folder.run(&format!("dedup in.jsonl -o out.jsonl -q --removed removed.csv {options}"));
        assert_eq!(ran, silent(), "{options}");
    }
    let refused = "error: in.jsonl:1: field \"text\" is null, not text\n  \
                   hint: without --strict the run goes on and counts such records\n";
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl -q --strict"), failed(1, refused));
}

#[test]
fn the_null_of_tables_is_a_null_text_and_no_other_value() {
    let folder = Folder::new();
    let rows = format!("1\t\\N\t2\n\\N\t{}\t9\n3\t\\N\t3\n4\t{}\t\\N\n", words(1), words(1));
    folder.write("in.tsv", format!("id\ttext\tn\n{rows}"));
    for quote in ["", "--quote none", "--escape \\"] {
        let command = format!(
            "dedup in.tsv -o out.tsv -q --summary summary.json {quote} --keep max:n --clusters c.csv"
        );
        assert_eq!(folder.run(&command), silent());
        let summary = folder.summary();
        let counts = ["documents", "without_text", "removed"].map(|key| summary[key].as_u64().unwrap());
        assert_eq!(counts, [4, 2, 1], "{quote}");
        // The rows stay as they are. A row without an id is called by its place.
        let kept: Vec<&str> = rows.lines().take(3).collect();
        assert_eq!(folder.read("out.tsv"), format!("id\ttext\tn\n{}\n", kept.join("\n")));
        assert_eq!(folder.read("c.csv"), "id,cluster,kept\nin.tsv:3,1,true\n4,1,false\n");
    }
    let refused = "error: in.tsv:2: field \"text\" is null, not text\n  \
                   hint: without --strict the run goes on and counts such records\n";
    assert_eq!(folder.run("dedup in.tsv -o out.tsv -q --strict"), failed(1, refused));
}

#[test]
fn inputs_without_a_usable_record_are_an_error_and_replace_no_output() {
    let folder = Folder::new();
    folder.write("out.jsonl", "last week's\n").write("good.jsonl", jsonl(&[words(1)]));
    let utf16: Vec<u8> = jsonl(&[words(1)]).encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (content, said, hint) in [
        (
            &b"[{\"text\":\"a\"}]\n"[..],
            "in.jsonl:1: expected a JSON object, found a list\n",
            Some("jq -c '.[]'"),
        ),
        (b"{\n\"text\":\"a\"\n}\n", "in.jsonl:1: broken JSON: ", Some("jq -c . ")),
        (b"{\"text\":7}\n\n{\"text\":null\n", "in.jsonl:1: field \"text\" is a number, not text\n", None),
        (b"{\"text\":\"\xff\"}\n", "in.jsonl:1: invalid UTF-8 at byte 9 ", Some("iconv")),
        (&utf16, "in.jsonl:1: ", None),
    ] {
        folder.write("in.jsonl", content);
        for command in
            ["dedup", "pairs", "sketch", "frequencies", "dedup --against good.jsonl", "similar abc --in"]
        {
            let ran = folder.run(&format!("{command} in.jsonl -o out.jsonl -q"));
            let (code, said) =
                (ran.code, format!("error: no record of the inputs can be used; the first, {said}"));
            assert_eq!(code, Some(1), "{command}: {}", ran.stderr);
            assert!(ran.stderr.starts_with(&said), "{command}: {}", ran.stderr);
            assert!(hint.is_none_or(|hint| ran.stderr.contains(hint)), "{command}: {}", ran.stderr);
            assert_eq!(folder.read("out.jsonl"), "last week's\n");
        }
    }
    assert_eq!(folder.names(), ["good.jsonl", "in.jsonl", "out.jsonl"]);
}

#[test]
fn against_without_a_usable_record_is_no_error() {
    let folder = Folder::new();
    folder.write("bad.jsonl", "7\n").write("good.jsonl", jsonl(&[words(1)])).write("empty.jsonl", "");
    let against = "bad.jsonl:1: expected a JSON object, found a number\n";
    for name in ["good.jsonl", "empty.jsonl"] {
        let ran = folder.run(&format!("dedup {name} --against bad.jsonl -o out.jsonl -q"));
        assert!(ran.code == Some(3) && ran.stderr.contains(against), "{name}: {ran:?}");
        assert_eq!(folder.read("out.jsonl"), folder.read(name));
    }
}

#[test]
fn a_pipe_in_a_folder_is_passed_over() {
    let folder = Folder::new();
    folder.write("in/a.jsonl", jsonl(&[words(1)]));
    let made = std::process::Command::new("mkfifo").arg(folder.path("in/b.jsonl")).status().unwrap();
    assert!(made.success());
    assert_eq!(folder.run("dedup in -o out -q"), silent());
    assert_eq!(folder.read("out/a.jsonl"), jsonl(&[words(1)]));
}

#[test]
fn a_missing_field_in_one_record_is_skipped_and_lists_the_fields_seen() {
    let folder = Folder::new();
    let good = jsonl(&[words(1)]);
    folder.write("in.jsonl", format!("{good}{{\"body\":\"x\",\"url\":\"y\"}}\n"));
    let expected = "skipped in.jsonl:2: no field \"text\"; fields seen: body, url\n";
    assert_eq!(dedup(&folder, skipped(expected)), good);
}

#[test]
fn a_missing_field_in_all_records_is_an_error_that_lists_the_fields_seen() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"body\":\"x\",\"url\":\"y\"}\n{\"body\":\"x\",\"url\":\"y\"}\n");
    let expected = "error: in.jsonl: no field \"text\"; fields seen: body, url\n  \
                    hint: name the field that holds the text with --text-field\n";
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl"), failed(1, expected));
    assert_eq!(folder.names(), ["in.jsonl"]);
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --text-field body -q"), silent());
}

#[test]
fn invalid_utf8_is_skipped_and_its_neighbours_are_kept() {
    let folder = Folder::new();
    let good = jsonl(&[words(1), words(2)]);
    let (first, second) = good.split_once('\n').unwrap();
    let content = [first.as_bytes(), b"\n{\"text\":\"caf\xe9\"}\n", second.as_bytes()].concat();
    folder.write("in.jsonl", content);
    let expected = "skipped in.jsonl:2: invalid UTF-8 at byte 12 of the record\n";
    assert_eq!(dedup(&folder, skipped(expected)), good);
}

#[test]
fn strict_stops_at_the_first_bad_record_in_input_order() {
    let folder = Folder::new();
    folder.write("in.jsonl", format!("{}{{\n{{\"text\":1}}\n", jsonl(&[words(1)])));
    let expected = "error: in.jsonl:2: broken JSON: an object is not closed, at column 1\n  \
                    hint: without --strict the run goes on and counts such records\n";
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --strict"), failed(1, expected));
    assert_eq!(folder.names(), ["in.jsonl"]);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let folder = Folder::new();
    let expected = "error: gone.jsonl: no such file or folder; check the path, or quote it if it is a glob\n";
    assert_eq!(folder.run("dedup gone.jsonl -o out.jsonl"), failed(1, expected));
}

#[test]
fn names_of_other_schemes_are_named() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\":\"a b c d e\"}\n");
    let remedy = "a name starts with s3://, gs://, https:// or http://, or is a file of this machine";
    for (run, name) in [
        ("dedup az://container/in.jsonl -o out.jsonl", "az://container/in.jsonl"),
        ("dedup hf://datasets/some/*.parquet -o out.jsonl", "hf://datasets/some/*.parquet"),
        ("dedup in.jsonl -o abfss://container@account/out.jsonl", "abfss://container@account/out.jsonl"),
        ("dedup in.jsonl -o az://container/out/", "az://container/out/"),
        ("pairs in.jsonl -o az://container/pairs.csv", "az://container/pairs.csv"),
    ] {
        assert_eq!(folder.run(run), failed(1, &format!("error: {name}: {remedy}\n")), "{run}");
        assert_eq!(folder.names(), ["in.jsonl"]);
    }
    folder.write("site/a.html", "<p>a b c");
    for (run, message) in [
        ("index build in.jsonl -o az://c/seen", "-o az://c/seen: an index is a folder of this machine"),
        ("serve --index az://c/seen", "az://c/seen: an index is a folder of this machine"),
        ("audit site --state az://c/state", "--state az://c/state: a crawl is in a folder of this machine"),
    ] {
        let ran = folder.run(run);
        assert!(ran.code == Some(2) && ran.stderr.contains(message), "{ran:?}");
        assert_eq!(folder.names(), ["in.jsonl", "site"]);
    }
    let said = "error: file:///tmp/in.jsonl: leave out file://\n";
    assert_eq!(folder.run("pairs file:///tmp/in.jsonl"), failed(1, said));
}

#[test]
fn a_record_without_fields_is_reported() {
    let folder = Folder::new();
    let good = jsonl(&[words(1)]);
    folder.write("in.jsonl", format!("{good}{{}}\n"));
    let expected = "skipped in.jsonl:2: no field \"text\"; fields seen: none\n";
    assert_eq!(dedup(&folder, skipped(expected)), good);
}

#[test]
fn a_truncated_gzip_gives_what_came_before_the_break() {
    let folder = Folder::new();
    let input: String = (0..2000).map(|i| jsonl(&[words(i)])).collect();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, input.as_bytes()).unwrap();
    let whole = encoder.finish().unwrap();
    folder.write("in.jsonl.gz", &whole[..whole.len() * 2 / 3]);
    let ran = folder.run("dedup in.jsonl.gz -o out.jsonl -q");
    assert_eq!(ran.code, Some(3));
    assert!(
        ran.stderr.contains("the file ends here, in the middle of its compressed data: it is cut off"),
        "{}",
        ran.stderr
    );
    let kept = folder.read("out.jsonl");
    assert!(kept.lines().count() > 500 && input.starts_with(&kept));
}

#[test]
fn an_array_in_a_file_of_lines_gets_a_hint() {
    let folder = Folder::new();
    folder.write("in.jsonl", "[\n  {\"text\": \"a\"},\n  {\"text\": \"b\"}\n]\n");
    let ran = folder.run("dedup in.jsonl -o out.jsonl");
    let hint = "hint: JSON inputs hold one object a line, or a list of objects in a file that ends in .json; jq -c '.[]' FILE";
    assert!(ran.code == Some(3) && ran.stderr.contains(hint), "{}", ran.stderr);
}
