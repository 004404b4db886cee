//! Bad input gets a clear message, and no good record is lost.

use crate::unix::symlink;
use crate::{Folder, Ran, exists, failed, jsonl, ran, silent, words};
use std::{fs::File, process::Stdio};

/// Runs `dedup` on `in.jsonl` and returns the kept lines.
fn dedup(folder: &Folder, expected: Ran) -> String {
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --quiet"), expected);
    folder.read("out.jsonl")
}

fn skipped(stderr: &str) -> Ran {
    failed(3, stderr)
}

#[test]
fn broken_json_is_skipped_with_its_line() {
    let folder = Folder::new();
    let good = jsonl(&[words(1), words(2)]);
    let (first, second) = good.split_once('\n').unwrap();
    folder.write("in.jsonl", format!("{first}\n{{\"text\": \"x\"\n{second}"));
    let kept = dedup(
        &folder,
        skipped("skipped in.jsonl:2: broken JSON: EOF while parsing an object at column 12\n"),
    );
    assert_eq!(kept, good);
}

#[test]
fn null_and_numbers_instead_of_text_are_skipped() {
    let folder = Folder::new();
    let good = jsonl(&[words(1)]);
    folder.write("in.jsonl", format!("{{\"text\":null}}\n{good}{{\"text\":7}}\n[]\n"));
    let expected = "skipped in.jsonl:1: field \"text\" is null, not text\n\
                    skipped in.jsonl:3: field \"text\" is a number, not text\n\
                    skipped in.jsonl:4: expected a JSON object, found a list\n";
    assert_eq!(dedup(&folder, skipped(expected)), good);
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
        (b"{\"text\":null}\n\n{\"text\":7}\n", "in.jsonl:1: field \"text\" is null, not text\n", None),
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
fn a_table_with_another_delimiter_gets_a_hint() {
    let folder = Folder::new();
    for (name, header, delimiter) in [
        ("in.csv", "id;text", "';'"),
        ("in.csv", "id;text, long", "';'"),
        ("in.csv", "id\ttext", "tab"),
        ("in.csv", "id|text", "'|'"),
        ("in.tsv", "id;text", "';'"),
        ("in.tsv", "id,text", ","),
    ] {
        folder.write(name, format!("{header}\n1;some words\n"));
        let ran = folder.run(&format!("dedup {name} -o out"));
        assert!(
            ran.stderr.starts_with(&format!("error: {name}: no column \"text\"; columns seen: id")),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.ends_with(&format!(" give --delimiter {delimiter}\n")), "{}", ran.stderr);
    }
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
    let expected = "error: in.jsonl:2: broken JSON: EOF while parsing an object at column 1\n  \
                    hint: without --strict such records are skipped and counted\n";
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --strict"), failed(1, expected));
    assert_eq!(folder.names(), ["in.jsonl"]);
}

#[test]
fn an_empty_file_gives_an_empty_output() {
    let folder = Folder::new();
    folder.write("in.jsonl", "");
    assert_eq!(dedup(&folder, silent()), "");
    assert_eq!(folder.run("pairs in.jsonl -q"), silent());
}

#[test]
fn empty_texts_are_similar_to_no_text() {
    let folder = Folder::new();
    let input = jsonl(&["", " \n\t", "", " \n\t"]);
    folder.write("in.jsonl", &input);
    assert_eq!(dedup(&folder, silent()), input);
}

#[test]
fn a_text_of_one_word_is_similar_only_to_the_same_word() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["word", "other", "Word", "word word"]));
    assert_eq!(dedup(&folder, silent()).matches("\"id\"").count(), 3);
}

#[test]
fn a_text_of_emoji_is_similar_only_to_the_same_emoji() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["😀😀", "😀😃", "😀😀"]));
    assert_eq!(dedup(&folder, silent()).matches("\"id\"").count(), 2);
}

#[test]
fn fifty_megabytes_in_one_line_are_one_document() {
    let folder = Folder::new();
    let long: String = (0..7_000_000).map(|i| format!("w{} ", i % 997_331)).collect();
    assert!(long.len() > 50_000_000);
    let input = format!("{}{}", jsonl(&[&long, &words(1)]), jsonl(&[&long]));
    folder.write("in.jsonl", &input);
    let kept = dedup(&folder, silent());
    assert_eq!(kept, input[..kept.len()]);
    assert_eq!(kept.lines().count(), 2);
}

#[test]
fn a_million_identical_documents_leave_one() {
    let folder = Folder::new();
    let line = jsonl(&["the same words again and again"]);
    folder.write("in.jsonl", line.repeat(1_000_000));
    assert_eq!(dedup(&folder, silent()), line);
    let expected = "error: the documents make 499999500000 pairs or more\n  \
                    hint: run lookalike dedup first, and lookalike pairs on what it keeps\n";
    assert_eq!(folder.run("pairs in.jsonl -q"), failed(1, expected));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let folder = Folder::new();
    let expected = "error: gone.jsonl: no such file or folder; check the path, or quote it if it is a glob\n";
    assert_eq!(folder.run("dedup gone.jsonl -o out.jsonl"), failed(1, expected));
}

#[test]
fn a_full_disk_is_an_error_that_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(2)]));
    let expected = "error: /dev/full: cannot write: No space left on device (os error 28)\n";
    assert_eq!(folder.run("dedup in.jsonl -o /dev/full -q"), failed(1, expected));
    assert_eq!(folder.run("pairs in.jsonl -o /dev/full -q").code, Some(1));
    let mut to_full = folder.command("dedup in.jsonl -o - -q");
    to_full.stdout(File::options().write(true).open("/dev/full").unwrap()).stderr(Stdio::piped());
    let expected = "error: standard output: cannot write: No space left on device (os error 28)\n";
    assert_eq!(ran(to_full.spawn().unwrap().wait_with_output().unwrap()), failed(1, expected));
    assert_eq!(folder.names(), ["in.jsonl"]);
}

#[test]
fn an_output_that_is_the_input_is_refused_before_any_work() {
    let folder = Folder::new();
    let input = jsonl(&[words(1), words(1)]);
    folder.write("in.jsonl", &input);
    symlink("in.jsonl", folder.path("link.jsonl")).unwrap();
    for out in ["in.jsonl", "./in.jsonl", "link.jsonl"] {
        let ran = folder.run(&format!("dedup in.jsonl -o {out}"));
        assert_eq!(ran.code, Some(1));
        assert!(ran.stderr.contains("is also an input"), "{}", ran.stderr);
        assert_eq!(folder.read("in.jsonl"), input);
    }
}

#[test]
fn two_outputs_in_one_place_are_refused_before_any_work() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(1)]));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --removed out.jsonl");
    assert_eq!(ran, failed(1, "error: out.jsonl: two outputs would have this name\n"));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --clusters in.jsonl");
    assert_eq!(ran, failed(1, "error: in.jsonl: an output would take the place of an input\n"));
    let ran = folder.run("pairs in.jsonl -o in.jsonl");
    assert_eq!(ran, failed(1, "error: in.jsonl: an output would take the place of an input\n"));
    for verb in ["pairs in.jsonl -q", "dedup in.jsonl -o out.jsonl -q"] {
        let ran = folder.run(&format!("{verb} --summary in.jsonl"));
        assert_eq!(ran, failed(1, "error: in.jsonl: an output would take the place of an input\n"));
    }
    let ran = folder.run("dedup in.jsonl -o out.jsonl --summary out.jsonl");
    assert_eq!(ran, failed(1, "error: out.jsonl: two outputs would have this name\n"));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --summary no/summary.json");
    assert_eq!(ran, failed(2, "error: --summary no/summary.json: give a file in a folder that exists\n"));
    assert_eq!(folder.names(), ["in.jsonl"]);
}

#[test]
fn standard_output_takes_one_output_only() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(1)]));
    let ran = folder.run("dedup in.jsonl -o - --removed -");
    assert_eq!(ran, failed(1, "error: -: two outputs would have this name\n"));
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
fn a_list_in_the_place_of_a_file_of_the_output_folder_is_refused() {
    let folder = Folder::new();
    let input = format!("id,text\na,{}\n", words(1));
    folder.write("in/a.csv", &input).write("in/b.csv", &input);
    let ran = folder.run("dedup in -o out --removed out/a.csv");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(!exists(&folder.path("out/a.csv")));
}

#[test]
fn csv_rows_of_another_length_and_open_quotes_are_named() {
    let folder = Folder::new();
    let (a, b) = (words(1), words(2));
    folder.write("in.csv", format!("id,text\n1,{a},x\n2,{b}\n3\n4,{a}\n5,\"open\n6,{b}\n"));
    let ran = folder.run("dedup in.csv -o out.csv -q");
    let expected = "skipped in.csv:2: the row has 3 fields where the header has 2\n\
                    skipped in.csv:4: the row has 1 fields where the header has 2\n\
                    skipped in.csv:6: a quote that opens in this record is never closed; the rest of the file is not \
                    read: 2 lines\n";
    assert_eq!(ran, failed(3, expected));
    assert_eq!(folder.read("out.csv"), format!("id,text\n2,{b}\n4,{a}\n"));
}

#[test]
fn text_after_a_carriage_return_in_a_table_is_compared_and_kept() {
    let folder = Folder::new();
    let two = words(1) + "\r" + &words(2);
    folder.write("in.csv", format!("id,text\na,{}\nb,{two}\nc,{two}\n", words(1)));
    assert_eq!(folder.run("dedup in.csv -o out.csv -q"), silent());
    assert_eq!(folder.read("out.csv"), format!("id,text\na,{}\nb,{two}\n", words(1)));
    let ran = folder.run("dedup in.csv -o out.csv --annotate -q");
    assert_eq!(ran, silent());
    assert!(folder.read("out.csv").contains(&format!("b,{two},1,true,")), "{}", folder.read("out.csv"));
}

#[test]
fn only_tables_with_the_same_line_ends_are_joined() {
    let folder = Folder::new();
    let table = |texts: &[usize]| {
        let rows = texts.iter().enumerate().map(|(id, &text)| format!("{id},{}", words(text)));
        std::iter::once("id,text".to_owned()).chain(rows).collect::<Vec<_>>().join("\r")
    };
    folder.write("in/a.csv", table(&[1, 2, 1])).write("in/b.csv", table(&[2, 3]));
    assert_eq!(folder.run("dedup in/a.csv in/b.csv -o out.csv -q"), silent());
    assert_eq!(folder.read("out.csv"), table(&[1, 2]) + "\r1," + &words(3));
    assert_eq!(folder.run("dedup in/a.csv -o out.csv --annotate -q"), silent());
    assert_eq!(
        folder.read("out.csv").split('\r').map(|row| row.split(',').count()).collect::<Vec<_>>(),
        [8; 4]
    );
    folder.write("in/b.csv", format!("id,text\n1,{}\n", words(3)));
    let said = "error: in/a.csv and in/b.csv end their lines differently, by line feeds and by carriage returns; give a folder as \
                the output\n";
    assert_eq!(folder.run("dedup in/a.csv in/b.csv -o joined.csv -q"), failed(1, said));
    assert_eq!(folder.run("dedup in -o out -q"), silent());
    assert_eq!(folder.read("out/b.csv"), folder.read("in/b.csv"));
}

#[test]
fn a_field_that_annotate_would_add_is_refused_in_any_record() {
    let folder = Folder::new();
    let input = format!("{}{{\"text\":\"x\",\"kept\":1}}\n", jsonl(&[words(1), words(2)]));
    folder.write("in.jsonl", input);
    let ran = folder.run("dedup in.jsonl -o out.jsonl --annotate -q");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("kept"), "{}", ran.stderr);
    assert_eq!(folder.names(), ["in.jsonl"]);
}

#[test]
fn too_many_threads_are_wrong_usage() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1)]));
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --threads 100000").code, Some(2));
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --threads 0").code, Some(2));
}

#[test]
fn repeated_ids_are_counted_and_lose_nothing() {
    let folder = Folder::new();
    let line = |text: &str| format!("{{\"id\":\"same\",\"text\":\"{text}\"}}\n");
    let input = [line(&words(1)), line(&words(2)), line(&words(1))].concat();
    folder.write("in.jsonl", &input);
    let ran = folder.run("dedup in.jsonl -o out.jsonl --removed removed.csv --summary summary.json");
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.contains("1 id that several documents share"), "{}", ran.stderr);
    assert_eq!(folder.read("out.jsonl"), [line(&words(1)), line(&words(2))].concat());
    assert_eq!(folder.read("removed.csv").lines().count(), 2);
    assert_eq!(folder.summary()["repeated_ids"], 1);
}

#[test]
fn crlf_and_a_byte_order_mark_change_nothing_and_are_kept() {
    let folder = Folder::new();
    let lines = jsonl(&[words(1), words(2), words(1)]);
    let lines: Vec<&str> = lines.lines().collect();
    folder.write("in.jsonl", format!("\u{feff}{}\r\n{}\r\n{}\r\n", lines[0], lines[1], lines[2]));
    assert_eq!(dedup(&folder, silent()), format!("\u{feff}{}\r\n{}\r\n", lines[0], lines[1]));
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
    assert!(ran.stderr.contains("the compressed stream is truncated or corrupt here"), "{}", ran.stderr);
    let kept = folder.read("out.jsonl");
    assert!(kept.lines().count() > 500 && input.starts_with(&kept));
}

#[test]
fn a_wrong_option_is_named_with_its_possible_values() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1)]));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --threshold 80");
    assert_eq!(ran, failed(2, "error: threshold is 80; it must be above 0 and up to 1\n"));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --bands 30 --rows 5");
    assert_eq!(
        ran,
        failed(2, "error: 30 bands of 5 rows do not fit a signature of 128 values; raise num_perm\n")
    );
    assert_eq!(folder.run("dedup in.jsonl").code, Some(2));
    assert!(!exists(&folder.path("out.jsonl")));
}

#[test]
fn an_array_in_a_file_of_lines_gets_a_hint() {
    let folder = Folder::new();
    folder.write("in.jsonl", "[\n  {\"text\": \"a\"},\n  {\"text\": \"b\"}\n]\n");
    let ran = folder.run("dedup in.jsonl -o out.jsonl");
    let hint = "hint: JSON inputs hold one object a line, or a list of objects in a file that ends in .json; jq -c '.[]' FILE";
    assert!(ran.code == Some(3) && ran.stderr.contains(hint), "{}", ran.stderr);
}

#[test]
fn an_input_without_documents_has_no_recall() {
    let folder = Folder::new();
    folder.write("in.jsonl", "");
    let ran = folder.run("dedup in.jsonl -o out.jsonl --summary summary.json");
    assert_eq!(ran.code, Some(0));
    assert!(!ran.stderr.contains("recall"), "{}", ran.stderr);
    assert_eq!(folder.summary()["recall_estimate"], serde_json::Value::Null);
}

#[test]
fn documents_without_an_id_are_counted() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\":\"a\",\"id\":1}\n{\"text\":\"b\"}\n");
    let ran = folder.run("pairs in.jsonl --id-field uid");
    assert!(ran.stderr.contains("2 documents without an id, called by path or path:line"), "{}", ran.stderr);
    let ran = folder.run("pairs in.jsonl");
    assert!(ran.stderr.contains("1 document without an id, called by path or path:line"), "{}", ran.stderr);
    folder.write("texts/a.txt", "a").write("texts/b.txt", "a");
    let ran = folder.run("pairs texts");
    assert!(ran.stderr.contains("2 documents without an id, called by path or path:line"), "{}", ran.stderr);
    assert!(ran.stdout.contains("texts/a.txt\""), "{}", ran.stdout);
}

#[test]
fn names_in_messages_do_not_act_on_the_terminal_and_do_not_hide_the_rest() {
    let folder = Folder::new();
    let long = "n".repeat(5_000);
    folder.write("in.jsonl", format!("{{\"id\":\"\\u001b[31m\\r{long}\",\"text\":\"a\"}}\n"));
    let ran = folder.run("compare x y --in in.jsonl");
    assert!(ran.stderr.contains("the first ones are ⟨U+001B⟩[31m nnn"), "{ran:?}");
    assert!(ran.stderr.contains("nnn…nnn") && ran.stderr.len() < 400, "{ran:?}");
    folder.write("in.csv", format!("\u{1b}]0;x\u{7},{}\n1,2\n", "a b ".repeat(5_000)));
    let ran = folder.run("pairs in.csv");
    assert!(ran.stderr.contains("columns seen: ⟨U+001B⟩]0;x⟨U+0007⟩"), "{ran:?}");
    assert!(ran.stderr.len() < 1_200 && ran.stderr.contains("hint: name the field"), "{ran:?}");
    folder.write("bad.jsonl", format!("{}{{\"\\u001b[2J{long}\":1}}\n", jsonl(&[words(1)])));
    let ran = folder.run("dedup bad.jsonl -o out.jsonl -q");
    assert!(
        ran.stderr.starts_with("skipped bad.jsonl:2: no field \"text\"; fields seen: ⟨U+001B⟩[2Jnnn"),
        "{ran:?}"
    );
    assert!(ran.stderr.len() < 200 && !ran.stderr.contains('\u{1b}'), "{ran:?}");
}
