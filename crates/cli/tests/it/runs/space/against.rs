//! A stopped run with `--against` continues with the same fields only.

use super::{LITTLE, corpus, left};
use crate::Folder;

/// The corpus, whose last document is also in the file to compare against, with two fields for its text.
fn corpora() -> Folder {
    let folder = Folder::new();
    corpus(&folder);
    let text = folder.read("in.jsonl");
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let seen = serde_json::json!({ "key": "seen", "other": "o", "question": last["text"], "rest": "one" });
    folder.write("tests.jsonl", format!("{seen}\n"));
    folder
}

const DEDUP: &str = "dedup in.jsonl --against tests.jsonl -o out.jsonl --removed removed.csv --threshold 0.6 --method minhash";

const FIELDS: &str = "--against-text-field question --against-id-field key";

/// Kills a run with little memory, with these fields.
fn kill(folder: &Folder, fields: &str) {
    let mut command = folder.command(&format!("{DEDUP} {fields} {LITTLE}"));
    command.env("LOOKALIKE_ABORT_AT", "band-9-ends#1");
    assert_eq!(crate::run(command).code, None);
    assert!(left(folder).is_some());
}

#[test]
fn a_killed_run_continues_with_the_fields_of_against_and_writes_the_same() {
    let folder = corpora();
    assert_eq!(folder.run(&format!("{DEDUP} {FIELDS} -q")).code, Some(0));
    let expected = (folder.read("removed.csv"), folder.read("out.jsonl"));
    assert!(expected.0.contains(",seen,"), "{}", expected.0);
    kill(&folder, FIELDS);
    let ran = folder.run(&format!("{DEDUP} {FIELDS} {LITTLE}"));
    assert!(ran.stderr.starts_with("note: going on from ./.lookalike-"), "{}", ran.stderr);
    assert!((folder.read("removed.csv"), folder.read("out.jsonl")) == expected, "the outputs differ");
}

#[test]
fn a_killed_run_with_other_fields_of_against_is_named_and_the_run_starts_over() {
    let folder = corpora();
    for (other, reason) in [
        (
            "--against-text-field rest --against-id-field key",
            "text field of --against is \"question\" and was \"rest\"",
        ),
        (
            "--against-text-field question --against-id-field other",
            "id field of --against is \"key\" and was \"other\"",
        ),
        ("--against-text-field question", "id field of --against is \"key\" and was \"id\""),
    ] {
        kill(&folder, other);
        let ran = folder.run(&format!("{DEDUP} {FIELDS} {LITTLE}"));
        let note = ran.stderr.lines().next().unwrap_or_default();
        assert!(
            note.starts_with("note: cannot go on from ./.lookalike-") && note.ends_with(reason),
            "{note}"
        );
        assert_eq!(ran.code, Some(0));
        assert!(folder.read("removed.csv").contains(",seen,"));
    }
}
