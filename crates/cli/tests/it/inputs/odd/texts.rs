//! Odd texts, ids and line ends.

use super::dedup;
use crate::{Folder, failed, jsonl, silent, words};

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
    let expected = "error: the documents make 499,999,500,000 pairs or more\n  \
                    hint: run lookalike dedup first, and lookalike pairs on what it keeps\n";
    assert_eq!(folder.run("pairs in.jsonl -q"), failed(1, expected));
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
    assert!(ran.stderr.contains("2 documents without the field \"uid\", called by their places, such as in.jsonl:1 (--id-field names another field)"), "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with(
            "note: in.jsonl: the first record has no field \"uid\" for the id; its fields are id, text\n"
        ),
        "{}",
        ran.stderr
    );
    let ran = folder.run("pairs in.jsonl");
    assert!(
        ran.stderr.contains("1 document without the field \"id\", called by its place, in.jsonl:2 ("),
        "{}",
        ran.stderr
    );
    folder.write("texts/a.txt", "a").write("texts/b.txt", "a");
    let ran = folder.run("pairs texts");
    assert!(
        ran.stderr
            .contains("2 documents without the field \"id\", called by their places, such as texts/a.txt ("),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("texts/a.txt\""), "{}", ran.stdout);
}

#[test]
fn names_in_messages_do_not_act_on_the_terminal_and_do_not_hide_the_rest() {
    let folder = Folder::new();
    let long = "n".repeat(5_000);
    folder.write("in.jsonl", format!("{{\"id\":\"\\u001b[31m\\r{long}\",\"text\":\"a\"}}\n"));
    let ran = folder.run("compare x y --in in.jsonl");
    assert!(ran.stderr.contains("the first ids are ⟨U+001B⟩[31m nnn"), "{ran:?}");
    assert!(ran.stderr.contains("nnn…nnn") && ran.stderr.len() < 500, "{ran:?}");
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
