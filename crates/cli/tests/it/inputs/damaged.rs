//! Damaged files and files without the text field. Among good files they are reported and skipped, and alone they are an error.

use crate::{Folder, exists, failed, jsonl, silent, words};

const NO_TEXT: &str = "no field \"text\"; fields seen: body";
const NO_COLUMN: &str = "no column \"text\"; columns seen: body";

/// A folder with a good file, and with the same documents in every format and compression except WARC.
fn stored() -> Folder {
    let folder = Folder::new();
    let texts: Vec<String> = (0..300).map(words).collect();
    let rows =
        |delimiter: char| texts.iter().map(move |text| format!("x{delimiter}{text}\n")).collect::<String>();
    folder.write("good.jsonl", jsonl(&[words(1_000)])).write("x.jsonl", jsonl_of("text", &texts));
    folder
        .write("x.csv", format!("id,text\n{}", rows(',')))
        .write("x.tsv", format!("id\ttext\n{}", rows('\t')));
    for format in ["jsonl", "csv", "tsv"] {
        for compression in ["gz", "zst", "bz2", "xz"] {
            let command = format!("dedup x.{format} -o x.{format}.{compression} -q");
            assert_eq!(folder.run(&command), silent());
        }
    }
    assert_eq!(folder.run("dedup x.jsonl -o y.jsonl --clusters x.parquet -q"), silent());
    folder
}

fn jsonl_of(field: &str, texts: &[String]) -> String {
    texts.iter().map(|text| format!("{{\"{field}\":\"{text}\"}}\n")).collect()
}

#[test]
fn a_damaged_file_is_an_error_alone_and_skipped_among_others() {
    let folder = stored();
    for format in ["jsonl", "csv", "tsv"] {
        for compression in ["gz", "zst", "bz2", "xz"] {
            let whole = folder.read_bytes(&format!("x.{format}.{compression}"));
            let name = format!("in/b.{format}.{compression}");
            let mut first = whole.clone();
            first[6..16].fill(0xff);
            let mut middle = whole.clone();
            let half = whole.len() / 2;
            middle[half..half + 16].fill(0xff);
            for (damage, damaged) in [
                ("first", &first[..]),
                ("middle", &middle),
                ("cut", &whole[..whole.len() - 9]),
                ("start", &whole[..10]),
            ] {
                if (compression, damage) == ("zst", "middle") {
                    // A format without a checksum may not show the damage.
                    continue;
                }
                folder.write("in/a.jsonl", jsonl(&[words(1_000)])).write(&name, damaged);
                let ran = folder.run("dedup in -o out -q");
                let said = format!("skipped {name}:");
                assert!(ran.code == Some(3) && ran.stderr.starts_with(&said), "{name} {damage}: {ran:?}");
                assert_eq!(folder.read("out/a.jsonl"), folder.read("in/a.jsonl"), "{name} {damage}");
                if damage == "start" {
                    let ran = folder.run(&format!("dedup {name} -o alone -q"));
                    let said = format!(
                        "error: no record of the inputs can be used; the first, {name}:1: the file ends here, in the middle"
                    );
                    assert!(ran.code == Some(1) && ran.stderr.starts_with(&said), "{name}: {ran:?}");
                    assert!(!exists(&folder.path(&format!("alone/b.{format}.{compression}"))));
                }
                std::fs::remove_dir_all(folder.path("in")).unwrap();
            }
        }
    }
}

#[test]
fn an_empty_or_cut_parquet_file_is_an_error_alone_and_skipped_among_others() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(1), words(2), words(2)]));
    assert_eq!(folder.run("dedup in.jsonl -o x.jsonl --clusters good.parquet -q"), silent());
    let good = folder.read_bytes("good.parquet");
    let half = good.len() / 2;
    for damaged in [&b""[..], b"PAR1", &good[..half], &good[half..], b"no Parquet at all"] {
        folder.write("in/a.parquet", damaged).write("in/b.parquet", &good);
        for command in [
            "dedup in -o out",
            "pairs in",
            "sketch in -o out.jsonl",
            "frequencies in -o out.df",
            "similar x --in in",
        ] {
            let ran = folder.run(&format!("{command} --text-field id -q"));
            let said = "skipped in/a.parquet: cannot read as Parquet: ";
            assert!(ran.code == Some(3) && ran.stderr.starts_with(said), "{command}: {ran:?}");
        }
        assert_eq!(folder.run("dedup out/b.parquet --text-field id -o again.parquet -q"), silent());
        assert!(!exists(&folder.path("out/a.parquet")));
        let ran = folder.run("dedup in -o joined.parquet --text-field id -q");
        assert_eq!(ran.code, Some(3), "{ran:?}");
        let ran = folder.run("dedup in/a.parquet --text-field id -o alone.parquet -q");
        let said = "error: in/a.parquet: cannot read as Parquet: ";
        assert!(ran.code == Some(1) && ran.stderr.starts_with(said), "{ran:?}");
        assert!(!exists(&folder.path("alone.parquet")));
        let ran = folder.run("dedup in --text-field id -o strict -q --strict");
        assert!(ran.code == Some(1) && ran.stderr.starts_with(said), "{ran:?}");
    }
}

#[test]
fn a_file_of_many_that_lacks_the_text_is_named_and_skipped() {
    let folder = Folder::new();
    let body = words(2);
    for (name, content, said) in [
        ("b.jsonl", format!("{{\"body\":\"{body}\"}}\n"), NO_TEXT),
        ("b.jsonl.gz", format!("{{\"body\":\"{body}\"}}\n"), NO_TEXT),
        ("b.csv", format!("body\n{body}\n"), NO_COLUMN),
        ("b.tsv", format!("body\n{body}\n"), NO_COLUMN),
    ] {
        let name = &format!("in/{name}");
        folder.write("in/a.csv", format!("text\n{}\n", words(1))).write(name, content);
        let line = if said == NO_TEXT { ":1" } else { "" };
        for command in [
            "dedup in -o out",
            "pairs in",
            "sketch in -o out.jsonl",
            "frequencies in -o out.df",
            "similar x --in in",
        ] {
            let expected = failed(3, &format!("skipped {name}{line}: {said}\n"));
            let ran = folder.run(&format!("{command} -q"));
            assert_eq!((ran.code, &ran.stderr), (expected.code, &expected.stderr), "{command}");
        }
        assert_eq!(folder.read("out/a.csv"), folder.read("in/a.csv"));
        std::fs::remove_dir_all(folder.path("in")).unwrap();
        std::fs::remove_dir_all(folder.path("out")).unwrap();
    }
}

#[test]
fn a_table_that_lacks_the_text_does_not_stop_others_from_being_joined() {
    let folder = Folder::new();
    folder.write("in/a.csv", "body\nx\n").write("in/b.csv", format!("text\n{}\n", words(1)));
    let expected = failed(3, &format!("skipped in/a.csv: {NO_COLUMN}\n"));
    assert_eq!(folder.run("dedup in -o out.csv -q"), expected);
    assert_eq!(folder.read("out.csv"), folder.read("in/b.csv"));
    assert_eq!(folder.run("dedup in -o out.csv -q --annotate"), expected);
}

#[test]
fn files_that_all_lack_the_text_are_an_error_that_lists_the_fields() {
    let folder = Folder::new();
    let hint = "  hint: name the field that holds the text with --text-field\n";
    folder.write("in/a.jsonl", "{\"body\":\"x\"}\n{\"body\":\"y\"}\n").write("in/b.csv", "title\nx\n");
    for command in [
        "dedup in -o out",
        "pairs in",
        "sketch in -o out.jsonl",
        "frequencies in -o out.df",
        "similar x --in in",
    ] {
        let ran = folder.run(&format!("{command} -q"));
        assert_eq!(ran, failed(1, &format!("error: in/a.jsonl: {NO_TEXT}\n{hint}")), "{command}");
    }
    folder.write("in/a.jsonl", "no JSON\n");
    let expected = "error: in/b.csv: no column \"text\"; columns seen: title\n";
    assert_eq!(folder.run("dedup in -o out -q"), failed(1, &format!("{expected}{hint}")));
    // The same holds for --against: without its documents the run would keep documents that it should remove.
    folder.write("in.jsonl", jsonl(&[words(1)]));
    folder.write("tests/a.csv", "body\nx\n").write("tests/b.csv", "body\nx\n");
    let command = "dedup in.jsonl --against tests -o out.jsonl -q";
    let hint = hint.replace("--text-field", "--against-text-field");
    assert_eq!(folder.run(command), failed(1, &format!("error: tests/a.csv: {NO_COLUMN}\n{hint}")));
    folder.write("tests/b.csv", format!("text\n{}\n", words(1)));
    assert_eq!(folder.run(command), failed(3, &format!("skipped tests/a.csv: {NO_COLUMN}\n")));
    assert_eq!(folder.read("out.jsonl"), "");
}
