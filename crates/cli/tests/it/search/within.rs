//! `--within FIELD`: with every method, a run compares only documents with the same values. The rest of its result stays the same.

use crate::{Folder, Ran, failed, jsonl, silent, words};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A document of a corpus: its text, and the value of its group, if any.
type Document = (String, Option<usize>);

/// Texts in random groups or in none. Many are similar.
fn drawn(seed: u64, documents: usize, groups: u64) -> Vec<Document> {
    let mut state = seed;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut made: Vec<Document> = Vec::new();
    for _ in 0..documents {
        let mut text: Vec<String> = words(draw(4) as usize).split(' ').map(str::to_owned).collect();
        for _ in 0..draw(4) {
            let at = draw(40) as usize;
            text[at] = format!("x{}", draw(6));
        }
        let group = draw(groups + 1);
        made.push((text.join(" "), (group > 0).then_some(group as usize)));
    }
    made
}

fn lines(documents: &[Document]) -> String {
    let mut lines = String::new();
    for (id, (text, group)) in documents.iter().enumerate() {
        // A missing field, null and an empty text are the same.
        let group = match (group, id % 3) {
            (Some(group), _) => format!(",\"dump\":\"d{group}\""),
            (None, 0) => String::new(),
            (None, 1) => ",\"dump\":null".to_owned(),
            (None, _) => ",\"dump\":\"\"".to_owned(),
        };
        writeln!(lines, "{{\"id\":\"{id}\",\"text\":\"{text}\"{group}}}").unwrap();
    }
    lines
}

fn number(value: &serde_json::Value) -> usize {
    value.as_str().unwrap().parse().unwrap()
}

fn rows(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The pairs of a list, each with its other columns.
fn pairs(text: &str) -> BTreeMap<(usize, usize), String> {
    let pair = |row: &serde_json::Value| {
        let value = row.as_object().unwrap().iter().find(|(key, _)| !matches!(key.as_str(), "a" | "b"));
        ((number(&row["a"]), number(&row["b"])), value.unwrap().1.to_string())
    };
    rows(text).iter().map(pair).collect()
}

/// Searches by every part of the program that keeps groups apart.
const METHODS: [&str; 9] = [
    "--method exact -t 0.5 --shingle 2",
    "--method exact -t 0.5 --shingle 2 --measure cosine",
    "--method exact -t 0.5 --shingle 2 --measure containment",
    "--method minhash -t 0.5 --shingle 2",
    "--method minhash -t 0.6 --shingle 1 --measure cosine --weights tf",
    "--method minhash -t 0.5 --measure word-jaccard",
    "--method simhash --shingle 1 --hamming 9",
    "--method simhash --shingle 1 --hamming 12 --bits 128 --verify -t 0.6",
    "--method auto -t 0.5 --shingle 2",
];

#[test]
fn pairs_have_the_same_value() {
    let folder = Folder::new();
    for (seed, documents, groups) in [(1, 120, 3), (2, 120, 60), (3, 700, 1)] {
        let documents = drawn(seed, documents, groups);
        folder.write("in.jsonl", lines(&documents));
        for method in METHODS {
            let at = format!("seed {seed}, {method}");
            assert_eq!(folder.run(&format!("pairs in.jsonl -q -o all.jsonl {method}")), silent(), "{at}");
            let expected: BTreeMap<_, _> = pairs(&folder.read("all.jsonl"))
                .into_iter()
                .filter(|((a, b), _)| documents[*a].1 == documents[*b].1)
                .collect();
            let mut lists = BTreeSet::new();
            for more in ["--threads 1", "--threads 5", "--threads 2 --audit 1000"] {
                if more.contains("audit") && method.contains("simhash") && !method.contains("verify") {
                    continue;
                }
                let command = format!(
                    "pairs in.jsonl -q -o within.jsonl --within dump --summary summary.json {method} {more}"
                );
                assert_eq!(folder.run(&command), silent(), "{at}");
                lists.insert(folder.read("within.jsonl"));
                let audit = &folder.summary()["audit"];
                assert!(
                    audit.is_null()
                        || audit["partners"].as_u64().unwrap() / 2 >= audit["found"].as_u64().unwrap() / 2
                );
            }
            assert_eq!(lists.len(), 1, "{at}");
            let found = pairs(lists.first().unwrap());
            assert_eq!(found, expected, "{at}");
            assert!(!found.is_empty(), "{at}");
        }
    }
}

/// The documents that `dedup` removes, and their kept documents, with a run for each group.
fn removed_apart(
    folder: &Folder,
    documents: &[Document],
    options: &str,
) -> BTreeMap<usize, (String, String)> {
    let mut removed = BTreeMap::new();
    let groups: BTreeSet<Option<usize>> = documents.iter().map(|(_, group)| *group).collect();
    for group in groups {
        let all = lines(documents);
        let own = all.lines().zip(documents).filter(|(_, document)| document.1 == group);
        folder.write("part.jsonl", own.map(|(line, _)| format!("{line}\n")).collect::<String>());
        let command = format!("dedup part.jsonl -q -o part-out.jsonl --removed part-removed.jsonl {options}");
        assert_eq!(folder.run(&command), silent(), "{command}");
        removed.extend(removed_of(&folder.read("part-removed.jsonl")));
    }
    removed
}

fn removed_of(list: &str) -> BTreeMap<usize, (String, String)> {
    let similarity =
        |row: &serde_json::Value| ["jaccard", "hamming"].map(|name| row[name].to_string()).concat();
    rows(list).iter().map(|row| (number(&row["id"]), (row["kept_id"].to_string(), similarity(row)))).collect()
}

#[test]
fn dedup_removes_the_same_documents_as_a_run_for_each_group() {
    let folder = Folder::new();
    let mut checked = 0;
    for (seed, count, groups) in [(1, 150, 3), (4, 90, 12)] {
        let documents = drawn(seed, count, groups);
        folder.write("in.jsonl", lines(&documents));
        for method in [
            "--method exact -t 0.6 --shingle 2",
            "--method minhash -t 0.6 --shingle 2",
            "--method simhash --shingle 1 --hamming 8",
        ] {
            for rule in [
                "",
                "--cluster star",
                "--keep last",
                "--keep longest --cluster star",
                "--keep none",
                "--keep 2",
            ] {
                let options = format!("{method} {rule}");
                let expected = removed_apart(&folder, &documents, &options);
                for threads in [1, 4] {
                    let command = format!(
                        "dedup in.jsonl -q -o out.jsonl --removed removed.jsonl --within dump --threads {threads} {options}"
                    );
                    assert_eq!(folder.run(&command), silent());
                    assert_eq!(removed_of(&folder.read("removed.jsonl")), expected, "{command}");
                }
                checked += expected.len();
            }
        }
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn large_buckets_of_one_template_are_searched_group_by_group() {
    // More than 256 documents of a group share a band key.
    let folder = Folder::new();
    let template = words(0);
    let text = |index: usize| {
        let mut text: Vec<String> = template.split(' ').map(str::to_owned).collect();
        for step in 0..3 {
            text[(index * 7 + step * 11) % 40] = format!("own{}", index % 300 + step * 1000);
        }
        text.join(" ")
    };
    let documents: Vec<Document> = (0..900).map(|index| (text(index), Some(index / 2 % 2))).collect();
    folder.write("in.jsonl", lines(&documents));
    for method in ["--method minhash --bands 30 --rows 2", "--method simhash --hamming 10 --verify"] {
        let options = format!("{method} -t 0.7 --shingle 1");
        assert_eq!(folder.run(&format!("pairs in.jsonl -q -o all.jsonl {options}")), silent());
        let expected: BTreeMap<_, _> = pairs(&folder.read("all.jsonl"))
            .into_iter()
            .filter(|((a, b), _)| documents[*a].1 == documents[*b].1)
            .collect();
        let command =
            format!("pairs in.jsonl -q -o within.jsonl --within dump --summary summary.json {options}");
        assert_eq!(folder.run(&command), silent());
        assert_eq!(pairs(&folder.read("within.jsonl")), expected, "{method}");
        assert!(expected.len() > 300, "{}", expected.len());
        if method.contains("minhash") {
            assert!(folder.summary()["monitoring"]["largest_bucket"].as_u64().unwrap() > 256);
        }
        let expected = removed_apart(&folder, &documents, &options);
        let command =
            format!("dedup in.jsonl -q -o out.jsonl --removed removed.jsonl --within dump {options}");
        assert_eq!(folder.run(&command), silent());
        assert_eq!(
            removed_of(&folder.read("removed.jsonl")).into_keys().collect::<Vec<_>>(),
            expected.into_keys().collect::<Vec<_>>(),
            "{method}"
        );
    }
}

#[test]
fn the_same_page_in_every_dump_is_no_candidate_of_another_dump() {
    let folder = Folder::new();
    let documents: Vec<Document> = (0..600).map(|index| (words(index % 3), Some(index / 3))).collect();
    folder.write("in.jsonl", lines(&documents));
    for method in ["exact", "minhash", "simhash"] {
        let command =
            format!("dedup in.jsonl --dry-run -q --within dump --method {method} --summary summary.json");
        assert_eq!(folder.run(&command), silent());
        let summary = folder.summary();
        let figures = ["removed", "clusters", "candidates"].map(|key| summary[key].as_u64().unwrap());
        assert_eq!(figures, [0, 0, 0], "{method}");
        let again = documents.iter().chain(&documents).cloned().collect::<Vec<_>>();
        folder.write("twice.jsonl", lines(&again));
        assert_eq!(folder.run(&command.replace("in.jsonl", "twice.jsonl")), silent());
        let summary = folder.summary();
        assert_eq!(["removed", "clusters"].map(|key| summary[key].as_u64().unwrap()), [600, 600], "{method}");
    }
}

#[test]
fn documents_of_against_are_compared_within_a_group_too() {
    let folder = Folder::new();
    let line = |id: &str, text: &str, language: &str| {
        format!("{{\"id\":\"{id}\",\"text\":\"{text}\",\"language\":\"{language}\"}}\n")
    };
    let (text, long) = (words(1), format!("{} {} {}", words(2), words(1), words(3)));
    folder.write("old.jsonl", line("old", &text, "en") + &line("old-de", &text, "de"));
    folder
        .write("in.jsonl", ["fr", "de", "en", "en"].map(|language| line(language, &text, language)).concat());
    folder.write("long.jsonl", ["fr", "de"].map(|language| line(language, &long, language)).concat());
    let dedup = "dedup in.jsonl --against old.jsonl -o out.jsonl --removed removed.csv -q --within language";
    assert_eq!(folder.run(dedup), silent());
    assert_eq!(folder.read("out.jsonl"), line("fr", &text, "fr"));
    let kept: Vec<String> =
        folder.read("removed.csv").lines().skip(1).map(|line| line[..9].to_owned()).collect();
    assert_eq!(kept, ["en,old,1,", "en,old,1,", "de,old-de"]);
    let contained = dedup.replace("in.jsonl", "long.jsonl") + " --against-containment 0.8";
    assert_eq!(folder.run(&contained), silent());
    assert_eq!(folder.read("out.jsonl"), line("fr", &long, "fr"));
}

#[test]
fn several_fields_are_compared_one_by_one_in_every_format() {
    let folder = Folder::new();
    let text = words(1);
    // If the run joined the values, a and b would have the same, and so would c and d.
    let values = [("x", "y,z"), ("x,y", "z"), ("1", ""), ("", "1"), ("x", "y,z"), ("", "1")];
    let json = values.iter().enumerate().map(|(id, (one, two))| {
        serde_json::json!({ "id": id.to_string(), "text": text, "one": one, "two": two }).to_string() + "\n"
    });
    folder.write("in.jsonl", json.collect::<String>());
    let csv = values.iter().enumerate().map(|(id, (one, two))| format!("{id},\"{one}\",{text},\"{two}\"\n"));
    folder.write("in.csv", "id,one,text,two\n".to_owned() + &csv.collect::<String>());
    for input in ["in.jsonl", "in.csv"] {
        let pairs = format!("pairs {input} -q -o pairs.csv --within one,two");
        assert_eq!(folder.run(&pairs), silent());
        assert_eq!(folder.read("pairs.csv"), "a,b,jaccard\n0,4,1.000000\n3,5,1.000000\n", "{input}");
        assert_eq!(folder.run(&pairs.replace("one,two", "two --within one")), silent());
        assert_eq!(folder.read("pairs.csv"), "a,b,jaccard\n0,4,1.000000\n3,5,1.000000\n", "{input}");
    }
}

#[test]
fn values_are_compared_as_they_are_written() {
    let folder = Folder::new();
    let text = words(1);
    let values = ["true", "false", "true", "1", "1.0", "\"1\"", "null", "\"\\u0064e\"", "\"de\""];
    let line =
        |(id, value): (usize, &&str)| format!("{{\"id\":\"{id}\",\"v\":{value},\"text\":\"{text}\"}}\n");
    folder.write("in.jsonl", values.iter().enumerate().map(line).collect::<String>());
    assert_eq!(folder.run("pairs in.jsonl -q -o pairs.csv --within v"), silent());
    let expected = "a,b,jaccard\n0,2,1.000000\n3,5,1.000000\n7,8,1.000000\n";
    assert_eq!(folder.read("pairs.csv"), expected);
    // The fields may be the fields of the text and the id.
    assert_eq!(folder.run("pairs in.jsonl -q -o pairs.csv --within id"), silent());
    assert_eq!(folder.read("pairs.csv"), "a,b,jaccard\n");
    assert_eq!(folder.run("pairs in.jsonl -q -o pairs.csv --within text,v"), silent());
    assert_eq!(folder.read("pairs.csv"), expected);
    // The value must not be a list.
    folder
        .write("list.jsonl", format!("{{\"v\":[1],\"text\":\"{text}\"}}\n{{\"v\":1,\"text\":\"{text}\"}}\n"));
    let ran = folder.run("pairs list.jsonl -q -o pairs.csv --within v");
    let said = "skipped list.jsonl:1: field \"v\" is a list, not text\n";
    assert_eq!(ran, Ran { code: Some(3), stdout: String::new(), stderr: said.to_owned() });
}

#[test]
fn headers_of_archives_and_files_without_fields() {
    let folder = Folder::new();
    let record = |id: usize, language: &str| {
        let body = words(1);
        format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: u{id}\r\nX-Language: {language}\r\nContent-Type: text/plain\r\n\
             Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    folder.write("in.warc", record(0, "en") + &record(1, "de") + &record(2, "de") + &record(3, ""));
    folder.write("texts/a.txt", words(1));
    assert_eq!(folder.run("pairs in.warc texts -q -o pairs.csv --within x-language"), silent());
    assert_eq!(folder.read("pairs.csv"), "a,b,jaccard\nu1,u2,1.000000\nu3,texts/a.txt,1.000000\n");
}

#[test]
fn groups_on_disk_stay_apart_and_continue_only_the_same_run() {
    let folder = Folder::new();
    let mut input = String::new();
    for document in 0..60_000 {
        let start = document * 7 % 20_000;
        let text = format!("{start} {} {} said so and so {}", start * 7, start * 11, document % 2);
        writeln!(input, "{{\"id\":\"{document}\",\"text\":\"{text}\",\"dump\":{}}}", document % 5 / 2)
            .unwrap();
    }
    folder.write("in.jsonl", input);
    let dedup = "dedup in.jsonl -q -o out.jsonl --removed removed.jsonl --method minhash --shingle 2 --within dump --summary summary.json";
    assert_eq!(folder.run(dedup), silent());
    let (kept, removed) = (folder.read("out.jsonl"), folder.read("removed.jsonl"));
    assert!(removed.lines().count() > 1000);
    for row in rows(&removed) {
        assert_eq!(number(&row["id"]) % 5 / 2, number(&row["kept_id"]) % 5 / 2, "{row}");
    }
    assert_eq!(folder.run(&format!("{dedup} --threads 1 --memory 68MiB")), silent());
    assert_eq!(folder.summary()["spilled"], true);
    assert!(folder.read("out.jsonl") == kept && folder.read("removed.jsonl") == removed);
}

#[test]
fn a_summary_and_a_report_name_the_fields_and_a_wrong_name_is_refused() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(1)]));
    let ran =
        folder.run("dedup in.jsonl --dry-run --within id,text --summary summary.json --report report.html");
    assert!(
        ran.stderr.contains("within     id, text: only documents with the same values are compared\n"),
        "{ran:?}"
    );
    assert_eq!(folder.summary()["within"], serde_json::json!(["id", "text"]));
    assert!(folder.read("report.html").contains("id, text"));
    let expected = "error: no document has the field \"dmup\", and only documents with the same value in it would be compared; the fields \
                    of the first document are id, text\n  hint: check the field of --within\n";
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --within id,dmup"), failed(1, expected));
    assert_eq!(folder.run("pairs in.jsonl -o pairs.csv --within dmup"), failed(1, expected));
    assert_eq!(folder.run("pairs in.jsonl --within id,").code, Some(2));
    assert_eq!(folder.run("index build in.jsonl -o seen.index --method minhash -q"), silent());
    let ran = folder.run("dedup in.jsonl -o out.jsonl --against seen.index --method minhash --within id");
    let expected = "error: an index does not allow groups to compare within: it does not know the fields of its documents\n";
    assert_eq!(ran, failed(2, expected));
    assert_eq!(folder.names(), ["in.jsonl", "report.html", "seen.index", "summary.json", "summary.toml"]);
}
