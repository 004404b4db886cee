//! `--summary`: which keys the summary of each command has.

use crate::{Folder, words};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The page that lists the keys.
const PAGE: &str = include_str!("../../../../../docs/formats.md");

/// Commands whose summaries together have every key of a command.
const RUNS: [(&str, &[&str]); 8] = [
    (
        "dedup",
        &[
            "dedup in.jsonl -o kept.jsonl --drop-frequent 0.5",
            "dedup in.jsonl -o kept.jsonl --removed removed.jsonl --keep max:n --min-containment 0.5 --within n --audit 2",
            "dedup in.jsonl --dry-run --against old.jsonl --against-containment 0.9",
            "dedup in.jsonl -o out.jsonl --against seen.index --method minhash --update",
        ],
    ),
    ("pairs", &["pairs in.jsonl -o pairs.csv --within n --audit 2 --drop-frequent 0.5"]),
    (
        "index",
        &[
            "index build in.jsonl -o seen.index --method minhash",
            "index add seen.index old.jsonl --method minhash",
        ],
    ),
    ("similar", &["similar in.txt --in in.jsonl -o similar.csv"]),
    ("sketch", &["sketch in.jsonl -o sketches.jsonl"]),
    ("frequencies", &["frequencies in.jsonl -o words.df"]),
    ("compare", &["compare d0 d1 --in in.jsonl -o compared.json"]),
    ("tune", &["tune in.jsonl"]),
];

/// The rows of the table of the page whose header starts with `header`: the cells.
fn table(header: &str) -> Vec<Vec<&'static str>> {
    let (_, section) = PAGE.split_once("\n## The summary file\n").unwrap();
    let mut lines = section.lines().skip_while(|line| !line.starts_with(&format!("| {header} |")));
    assert!(lines.next().is_some(), "{header}");
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    rows.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

/// The names in back quotes.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn has(commands: &str, command: &str) -> bool {
    commands == "all" || commands.split(' ').any(|name| name == command)
}

fn corpus(folder: &Folder) {
    let document = |(number, text): (usize, String)| {
        serde_json::json!({ "id": format!("d{number}"), "text": text, "n": 1 }).to_string() + "\n"
    };
    let texts = [words(1), words(1).replace("w1x39", "end"), words(2), words(1)];
    let lines: Vec<String> = texts.into_iter().enumerate().map(document).collect();
    folder.write("in.jsonl", lines.concat()).write("old.jsonl", &lines[0]).write("in.txt", words(1));
}

/// The keys of all summaries of a command, with whether one of them is not null.
fn written(command: &str, runs: &[&str]) -> BTreeMap<String, bool> {
    let folder = Folder::new();
    corpus(&folder);
    if command == "dedup" {
        folder.run("index build old.jsonl -o seen.index --method minhash -q");
    }
    let mut keys = BTreeMap::new();
    for run in runs {
        let ran = folder.run(&format!("{run} -q --summary summary.json"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{run}");
        let text = folder.read("summary.json");
        let Value::Object(summary) = serde_json::from_str(&text).unwrap() else { panic!("{text}") };
        let top_level = text.lines().filter(|line| line.starts_with("  \"")).count();
        assert_eq!(top_level, summary.len(), "{run}: a key is there twice");
        for (key, value) in summary {
            *keys.entry(key).or_default() |= !value.is_null();
        }
    }
    keys
}

#[test]
fn the_page_lists_the_keys_that_are_written() {
    let (common, others) = (table("key of every summary"), table("other key"));
    assert_eq!(common.len(), 12);
    for (command, runs) in RUNS {
        let keys = written(command, runs);
        let of_command = others.iter().filter(|row| has(row[1], command)).chain(&common);
        let expected: BTreeSet<&str> = of_command.flat_map(|row| names(row[0])).collect();
        let found: BTreeSet<&str> = keys.keys().map(String::as_str).collect();
        assert_eq!(found, expected, "{command}");
        for row in &common {
            let key = names(row[0]).next().unwrap();
            assert_eq!(keys[key], has(row[1], command), "{command}: is {key} a figure?");
        }
    }
}

#[test]
fn the_page_lists_the_keys_of_eval() {
    let folder = Folder::new();
    folder.write("pairs.csv", "a,b\nx,y\n");
    folder.run("eval pairs.csv --truth pairs.csv --summary summary.json");
    let Value::Object(summary) = folder.summary() else { panic!("no object") };
    let found: BTreeSet<&str> = summary.keys().map(String::as_str).collect();
    let rows = table("key of `eval`");
    assert_eq!(found, rows.iter().flat_map(|row| names(row[0])).collect());
}
