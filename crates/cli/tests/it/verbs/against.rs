//! `dedup --against`: documents that are removed because of other files. `crates/batch/tests/against.rs` compares the results with the
//! definition.

use crate::{Folder, failed, jsonl, silent, words};
use std::collections::BTreeMap;

fn rows(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The words `w0 w1 …` with the numbers of a range.
fn range(from: usize, to: usize) -> String {
    (from..to).map(|i| format!("w{i}")).collect::<Vec<_>>().join(" ")
}

fn gz(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// A line for each text, with an id and a number.
fn lines(prefix: &str, texts: &[String]) -> String {
    let line = |(index, text): (usize, &String)| {
        let score = if prefix == "t" { 0 } else { index };
        serde_json::json!({ "id": format!("{prefix}{index}"), "text": text, "score": score }).to_string()
            + "\n"
    };
    texts.iter().enumerate().map(line).collect()
}

/// Training texts: some are similar to a test text, some to each other, and one contains a test text.
fn corpora() -> (String, String) {
    let tests: Vec<String> = (0..6).map(words).collect();
    let training = [
        format!("{} and more", words(3)),
        words(10),
        words(3),
        format!("{} and a longer tail", words(10)),
        format!("{} {} {}", words(20), words(5), words(21)),
        words(11),
    ];
    (lines("t", &tests), lines("n", &training))
}

#[test]
fn documents_of_against_always_stay_and_are_not_written() {
    let folder = Folder::new();
    let (tests, training) = corpora();
    folder.write("tests.jsonl", tests).write("in.jsonl", &training);
    for (keep, other, kept) in
        [("first", "n3,n1", [1, 4, 5]), ("longest", "n1,n3", [3, 4, 5]), ("max:score", "n1,n3", [3, 4, 5])]
    {
        for more in ["", "--cluster star --method minhash", "--threads 1"] {
            let command = format!(
                "dedup in.jsonl --against tests.jsonl -o out.jsonl --removed removed.csv --clusters clusters.csv \
                 --summary summary.json -q --keep {keep} {more}"
            );
            assert_eq!(folder.run(&command), silent());
            let removed = folder.read("removed.csv");
            let pairs: Vec<String> = removed
                .lines()
                .skip(1)
                .map(|line| line.split(',').take(2).collect::<Vec<_>>().join(","))
                .collect();
            assert_eq!(pairs, ["n0,t3", "n2,t3", other], "{keep} {more}");
            let expected: String =
                kept.map(|line: usize| training.split_inclusive('\n').nth(line).unwrap()).concat();
            assert_eq!(folder.read("out.jsonl"), expected, "{keep} {more}");
            assert!(
                folder
                    .read("clusters.csv")
                    .starts_with("id,cluster,kept\nt3,1,true\nn0,1,false\nn2,1,false\n")
            );
            let summary = folder.summary();
            for (key, value) in
                [("documents", 6), ("against", 6), ("kept", 3), ("removed", 3), ("removed_against", 2)]
            {
                assert_eq!(summary[key], value, "{key}");
            }
            assert!(summary.get("against_containment").is_none());
        }
    }
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl -q --summary summary.json"), silent());
    assert!(folder.summary().get("against").is_none());
}

/// Texts that share passages: some are similar, some contain others.
fn drawn(prefix: &str, count: usize) -> String {
    let text = |index: usize| match index % 5 {
        0 => range(index % 35, index % 35 + 40),
        1 => format!("{} {}", words(index % 7), range(0, index % 20)),
        2 => words(index % 11),
        3 => format!("{} x{index}", words(index % 13)),
        _ => words(1000 + index),
    };
    lines(prefix, &(0..count).map(text).collect::<Vec<_>>())
}

#[test]
fn the_same_documents_are_removed_as_in_one_run_over_everything() {
    let folder = Folder::new();
    // The test texts are not similar to each other, so one run over all files removes none of them.
    let tests: Vec<String> = [3, 5, 8].into_iter().map(words).chain([range(2, 42), range(30, 70)]).collect();
    let (tests, new) = (lines("t", &tests), drawn("n", 120));
    folder.write("tests.jsonl", &tests).write("in.jsonl", &new).write("all.jsonl", format!("{tests}{new}"));
    for method in ["exact", "minhash", "simhash --hamming 6"] {
        for more in ["", "--cluster star", "--min-containment 0.9", "--cluster star --min-containment 0.9"] {
            if method.starts_with("simhash") && more.contains("containment") {
                continue;
            }
            let rest =
                format!("--removed removed.jsonl --clusters clusters.jsonl -q --method {method} {more}");
            assert_eq!(folder.run(&format!("dedup all.jsonl -o out.jsonl {rest}")), silent());
            let names = ["removed.jsonl", "clusters.jsonl"];
            let (lists, kept) = (names.map(|name| folder.read(name)), folder.read("out.jsonl"));
            assert!(
                rows(&lists[0])
                    .iter()
                    .filter(|row| row["kept_id"].as_str().unwrap().starts_with('t'))
                    .count()
                    > 10
            );
            for threads in [1, 2] {
                let against =
                    format!("dedup in.jsonl --against tests.jsonl -o out.jsonl {rest} --threads {threads}");
                assert_eq!(folder.run(&against), silent());
                assert_eq!(names.map(|name| folder.read(name)), lists, "{rest}");
                assert_eq!(format!("{tests}{}", folder.read("out.jsonl")), kept, "{rest}");
            }
        }
    }
}

#[test]
fn a_long_document_that_contains_a_short_one_is_removed_with_the_reason() {
    let folder = Folder::new();
    let (tests, training) = corpora();
    folder.write("tests.jsonl", tests).write("in.jsonl", training);
    folder.write("short.txt", "four words are few");
    let contained = "dedup in.jsonl --against tests.jsonl --against short.txt --against-containment 0.9 -o out.jsonl \
                     --removed removed.csv --clusters clusters.csv --summary summary.json";
    let ran = folder.run(contained);
    // 40 words have 36 shingles. The long text has 120 words.
    let removed = "id,kept_id,cluster,jaccard,containment,uncovered_words,uncovered,against_containment\n\
                   n0,t3,1,0.947368,0.947368,2,and more,1.000000\n\
                   n2,t3,1,1.000000,1.000000,0,,1.000000\n\
                   n4,t5,2,0.310345,0.310345,80,";
    assert!(folder.read("removed.csv").starts_with(removed), "{}", folder.read("removed.csv"));
    assert!(folder.read("removed.csv").ends_with("n3,n1,3,0.900000,0.900000,4,and a longer tail,\n"));
    let message = "removed    4 documents (66.7 %), 3 of them for one of --against\n           \
                3 of these by containment: 0.9 or more of the shingles of the shorter text are in the longer one\n           \
                1 document of --against has fewer than 4 shingles, and was not searched for by containment (--against-shingles)\n";
    assert!(ran.stderr.starts_with("read       6 documents beside 7 of --against, "), "{}", ran.stderr);
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    assert!(!ran.stderr.contains("loose"), "{}", ran.stderr);
    let summary = folder.summary();
    for (key, value) in
        [("removed_contained", 3), ("against_shingles", 4), ("against_short", 1), ("removed_against", 3)]
    {
        assert_eq!(summary[key], value, "{key}");
    }
    assert_eq!(summary["against_containment"], 0.9);
    // A document that is removed for containment is no reason to remove its near-duplicates.
    let twin = format!("{} {} {}", words(20), words(21), words(22));
    let training =
        lines("n", &[format!("{twin} {}", words(5)), twin.clone(), format!("{twin} {}", range(0, 4))]);
    folder.write("in.jsonl", training);
    let star = format!("{contained} --threshold 0.6");
    for command in [format!("{star} --cluster star"), star] {
        assert_eq!(folder.run(&command).code, Some(0));
        let pairs: BTreeMap<String, String> = folder
            .read("removed.csv")
            .lines()
            .skip(1)
            .map(|line| {
                let mut cells = line.split(',').map(str::to_owned);
                (cells.next().unwrap(), cells.next().unwrap())
            })
            .collect();
        let expected = [("n0", "t5"), ("n2", "n1")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(pairs, BTreeMap::from(expected), "{command}");
    }
}

#[test]
fn inputs_and_against_may_differ_in_format() {
    let folder = Folder::new();
    folder
        .write("tests/a.txt", words(1))
        .write("tests/b.txt", words(2))
        .write("tests/c.csv", format!("text\n{}\n", words(3)));
    folder.write("more.jsonl.gz", gz(&jsonl(&[words(4)])));
    let training = jsonl(&(0..8).map(words).collect::<Vec<_>>());
    folder
        .write("in/a.jsonl", &training)
        .write("in/b.jsonl.gz", gz(&training))
        .write("in/a.txt", words(2))
        .write("in/c.txt", words(9));
    let command = "dedup in --against tests --against more.jsonl.gz -o out --removed removed.csv -q";
    for threads in [1, 2] {
        assert_eq!(folder.run(&format!("{command} --threads {threads}")), silent());
        let kept: String = training
            .split_inclusive('\n')
            .enumerate()
            .filter(|(line, _)| !(1..5).contains(line))
            .map(|(_, line)| line)
            .collect();
        assert_eq!(folder.read("out/a.jsonl"), kept);
        assert_eq!(folder.read("out/c.txt"), words(9));
        let mut written: Vec<_> =
            std::fs::read_dir(folder.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        written.sort();
        assert_eq!(written, ["a.jsonl", "b.jsonl.gz", "c.txt"]);
        let removed = folder.read("removed.csv");
        for pair in ["b,tests/a.txt,", "c,tests/b.txt,", "d,tests/c.csv:2,", "e,a,", "in/a.txt,tests/b.txt,"]
        {
            assert!(removed.contains(&format!("\n{pair}")), "{pair} {removed}");
        }
        std::fs::remove_dir_all(folder.path("out")).unwrap();
    }
    let annotate = "dedup in/a.jsonl --against tests -o out.jsonl --annotate -q";
    assert_eq!(folder.run(annotate), silent());
    let rows = rows(&folder.read("out.jsonl"));
    assert_eq!(
        (rows.len(), &rows[1]["kept_id"], &rows[1]["kept"]),
        (8, &"tests/a.txt".into(), &false.into())
    );
    let standard = folder.run_with_input("dedup in/a.jsonl --against - -o out.jsonl -q", training.as_bytes());
    assert_eq!((standard, folder.read("out.jsonl")), (silent(), String::new()));
    let report =
        "dedup in --against tests --dry-run --against-containment 0.8 --report report.html --audit 20 -q";
    assert_eq!(folder.run(report), silent());
    assert!(folder.read("report.html").contains("The inputs were compared with 3 documents of --against"));
}

#[test]
fn bad_records_of_both_sides_are_named() {
    let folder = Folder::new();
    folder
        .write("tests.jsonl", jsonl(&[words(1)]) + "{\"text\":1}\n")
        .write("in.jsonl", jsonl(&[words(1)]) + "no\n");
    let ran = folder.run("dedup in.jsonl --against tests.jsonl -o out.jsonl -q");
    assert_eq!((ran.code, folder.read("out.jsonl").as_str()), (Some(3), ""));
    assert!(ran.stderr.starts_with("skipped tests.jsonl:2: field \"text\" is a number"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\nskipped in.jsonl:2: broken JSON"), "{}", ran.stderr);
    folder.write("questions.jsonl", "{\"question\":\"a\"}\n");
    let ran = folder.run("dedup in.jsonl --against questions.jsonl -o out.jsonl -q");
    let expected = "error: questions.jsonl: no field \"text\"; fields seen: question\n  \
                    hint: name the field that holds the text with --against-text-field\n";
    assert_eq!(ran, failed(1, expected));
}

#[test]
fn impossible_combinations_are_refused_with_a_sentence() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1)])).write("tests.jsonl", jsonl(&[words(1)]));
    let run = |rest: &str| folder.run(&format!("dedup in.jsonl -o out.jsonl {rest}"));
    for (rest, code, message) in [
        (
            "--against ./in.jsonl",
            1,
            "in.jsonl is an input, and ./in.jsonl, which the inputs are compared against, is the same file",
        ),
        (
            "--against tests.jsonl --removed tests.jsonl",
            1,
            "tests.jsonl: this output is also an input; give it another name",
        ),
        (
            "--against tests.jsonl --summary tests.jsonl",
            1,
            "tests.jsonl: this output is also an input; give it another name",
        ),
        ("--against no.jsonl", 1, "no.jsonl: no such file or folder"),
        ("--against tests.jsonl --keep max:score", 1, "no document has a number in the field \"score\""),
        (
            "--against tests.jsonl --against-containment 0.8 --method simhash",
            2,
            "--against-containment needs --verify",
        ),
        (
            "--against tests.jsonl --against-containment 0.8 --measure cosine --weights tf",
            2,
            "--against-containment counts shingles, which all weigh the same; leave out --weights",
        ),
        ("--against tests.jsonl --against-containment 0", 2, "invalid value '0' for"),
        ("--against-containment 0.8", 2, "the following required arguments were not provided"),
        (
            "--against tests.jsonl --against-shingles 2",
            2,
            "the following required arguments were not provided",
        ),
    ] {
        let ran = run(rest);
        assert_eq!(ran.code, Some(code), "{rest}: {}", ran.stderr);
        assert!(ran.stderr.starts_with(&format!("error: {message}")), "{rest}: {}", ran.stderr);
    }
    let ran = folder.run("dedup in.jsonl --against tests.jsonl -o tests.jsonl");
    assert_eq!(ran, failed(1, "error: tests.jsonl: the output is also an input; choose another place\n"));
    assert_eq!(folder.names(), ["in.jsonl", "tests.jsonl"]);
}
