//! `lookalike stream` from files to files.

use crate::{Folder, failed};
use std::io::Write;

const STREAM: &str = "stream --to unique.jsonl --index seen.index --from";

/// A line whose text is similar to no other one's.
fn line(id: Option<&str>, number: usize) -> String {
    let id = id.map_or_else(String::new, |id| format!(r#""id": "{id}", "#));
    let words: Vec<String> = (0..30).map(|word| format!("w{number}x{word}")).collect();
    format!("{{{id}\"text\": \"{}\"}}\n", words.join(" "))
}

fn lines(numbers: &[usize]) -> String {
    numbers.iter().map(|&number| line(None, number)).collect()
}

#[test]
fn a_file_that_was_replaced_is_read_from_its_start_and_one_that_grew_goes_on() {
    let folder = Folder::new();
    let said = |folder: &Folder| {
        let ran = folder.run(&format!("{STREAM} in.jsonl"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stderr.split_once("Ctrl-C stops\n").unwrap().1.to_owned()
    };
    // The last line has no end yet.
    folder.write("in.jsonl", lines(&[1, 2, 3]).trim_end());
    assert_eq!(said(&folder), "3 new, 0 duplicates\n");
    folder.write("in.jsonl", lines(&[1, 2, 3, 4]));
    assert_eq!(said(&folder), "1 new, 0 duplicates\n");
    assert_eq!(said(&folder), "0 new, 0 duplicates\n");
    // The first line is the same, and so is the length.
    folder.write("in.jsonl", lines(&[1, 5, 3, 4]));
    let other = "note: in.jsonl is not the file that was read before; it is read from its start\n";
    assert_eq!(said(&folder), format!("{other}1 new, 0 duplicates, 3 unchanged\n"));
    folder.write("in.jsonl", lines(&[1, 6]));
    assert_eq!(said(&folder), format!("{other}1 new, 0 duplicates, 1 unchanged\n"));
    folder.write("in.jsonl", lines(&[7, 2]));
    assert_eq!(said(&folder), "1 new, 0 duplicates, 1 unchanged\n");
}

#[test]
fn lines_without_ids_of_two_inputs_are_two_documents() {
    let folder = Folder::new();
    for (number, said) in [
        (1, "1 new, 0 duplicates\n"),
        (2, "1 new, 0 duplicates\n"),
        (2, "0 new, 0 duplicates, 1 unchanged\n"),
    ] {
        let mut command = folder.command(&format!("{STREAM} -"));
        let mut child =
            command.stdin(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines(&[number]).as_bytes()).unwrap();
        let ended = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.success() && stderr.ends_with(said), "{stderr}");
    }
}

#[test]
fn a_duplicate_that_was_recorded_is_a_duplicate_when_duplicates_are_dropped() {
    let folder = Folder::new();
    folder.write("in.jsonl", [line(Some("a"), 1), line(Some("b"), 1)].concat());
    let ran = folder.run(&format!("{STREAM} in.jsonl --duplicates copies.jsonl"));
    assert!(ran.stderr.ends_with("1 new, 1 duplicate\n"), "{ran:?}");
    let ran = folder.run(&format!("{STREAM} in.jsonl --duplicates drop --group other"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.ends_with("0 new, 0 duplicates, 2 unchanged\n"), "{ran:?}");
}

#[test]
fn a_stream_that_cannot_work_leaves_no_index() {
    let folder = Folder::new();
    folder.write("in.jsonl", line(None, 1)).write("kafka", "security.protocol=ssl\n group.id = x\n");
    for (arguments, said) in [
        ("--from in.jsonl --to no/out.jsonl", "--to no/out.jsonl: there is no folder no; make it first"),
        (
            "--from in.jsonl --to out.jsonl --duplicates no/copies.jsonl",
            "--duplicates no/copies.jsonl: there is no folder no; make it first",
        ),
        (
            "--from in.jsonl --to out.jsonl --dead-letters no/dead.jsonl",
            "--dead-letters no/dead.jsonl: there is no folder no; make it first",
        ),
        (
            "--from kafka://localhost/t --to out.jsonl --kafka-config kafka",
            "--kafka-config kafka: line 2 sets group.id: give --group; remove it",
        ),
    ] {
        let ran = folder.run(&format!("stream --index seen.index {arguments}"));
        assert_eq!(ran, failed(2, &format!("error: {said}\n")), "{arguments}");
    }
    for (arguments, said) in [
        ("--from kafka:localhost/t --to out.jsonl", "two slashes are missing behind the scheme"),
        ("--from in.jsonl --to -", "standard output is no destination"),
        ("--from in.jsonl --to out.jsonl --index redis:localhost", "redis:localhost"),
    ] {
        let index = if arguments.contains("--index") { "" } else { "--index seen.index" };
        let ran = folder.run(&format!("stream {index} {arguments}"));
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{ran:?}");
    }
    assert_eq!(folder.names(), ["in.jsonl", "kafka"]);
}

#[test]
fn the_file_that_a_stream_has_written_may_be_the_source_of_another_one() {
    let folder = Folder::new();
    let [a, b] = [line(Some("a"), 1), line(Some("b"), 2)];
    // As a removal is written, and as people may write it.
    folder.write(
        "in.jsonl",
        format!("{a}{b}{{\"id\":\"a\",\"removed\":true}}\n{{\"removed\": true, \"id\": \"c\"}}\n{a}"),
    );
    let ran = folder.run(&format!("{STREAM} in.jsonl"));
    assert!(ran.stderr.ends_with("3 new, 0 duplicates, 2 removed\n"), "{ran:?}");
    let removed = |id: &str| format!("{{\"id\":\"{id}\",\"removed\":true}}\n");
    assert_eq!(folder.read("unique.jsonl"), format!("{a}{b}{}{}{a}", removed("a"), removed("c")));
    let ran = folder.run("stream --from unique.jsonl --to again.jsonl --index again.index");
    assert!(ran.stderr.ends_with("3 new, 0 duplicates, 2 removed\n"), "{ran:?}");
    assert_eq!(folder.read("again.jsonl"), folder.read("unique.jsonl"));
}

#[test]
fn documents_that_had_expired_before_they_came_are_counted_and_nowhere_else() {
    let folder = Folder::new();
    let timed = |id: &str, number: usize, time: &str| {
        line(Some(id), number).replace('{', &format!("{{\"meta\": {{\"at\": {time}}}, "))
    };
    let [old, new, bad] =
        [timed("old", 1, "\"2001-02-03\""), timed("new", 2, "4102444800"), timed("bad", 3, "\"Tuesday\"")];
    let none = line(Some("none"), 4);
    folder.write("in.jsonl", [&old[..], &new, &bad, &none].concat());
    let ran = folder.run(&format!("{STREAM} in.jsonl --ttl 30d --time-field meta.at"));
    let said = "note: the time of bad is \"Tuesday\", which is no time of RFC 3339 and no number; such documents expire as if they were of now\n\
        3 new, 0 duplicates, 1 expired before\n";
    assert!(ran.code == Some(0) && ran.stderr.ends_with(said), "{ran:?}");
    assert_eq!(folder.read("unique.jsonl"), [new, bad, none].concat());
    let ran = folder.run(&format!("{STREAM} in.jsonl --time-field meta.at"));
    assert!(ran.code == Some(2) && ran.stderr.contains("--ttl <TIME>"), "{ran:?}");
}

#[test]
fn a_dead_letter_of_a_file_names_the_line() {
    let folder = Folder::new();
    // A removal has no field with its place, and neither has a line with a key of its own.
    folder.write("in.jsonl", line(Some("a"), 1) + "{\"id\": \"b\"}\n\n{\"id\": \"\", \"removed\": true}\n");
    let ran = folder.run(&format!("{STREAM} in.jsonl --dead-letters dead.jsonl"));
    let said = "note: in.jsonl:2 cannot be used: it has no field text; it has the fields id\n\
        note: in.jsonl:4 cannot be used: its id is empty\n\
        1 new, 0 duplicates, 2 not usable\n";
    assert!(ran.code == Some(3) && ran.stderr.ends_with(said), "{ran:?}");
    let letters = folder.read("dead.jsonl");
    let letters: Vec<serde_json::Value> =
        letters.lines().map(|letter| serde_json::from_str(letter).unwrap()).collect();
    let places: Vec<&serde_json::Value> = letters.iter().map(|letter| &letter["place"]).collect();
    assert_eq!(places, ["in.jsonl:2", "in.jsonl:4"]);
    assert_eq!((&letters[0]["value"], &letters[0]["topic"]), (&"{\"id\": \"b\"}".into(), &().into()));
}
