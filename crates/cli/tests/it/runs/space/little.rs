//! Little memory gives the same result, or an error before the work.

use super::{DEDUP, LITTLE, OUTPUTS, assert_done, corpus, expected, outputs};
use crate::Folder;
use std::fs;

#[test]
fn a_run_with_little_memory_keeps_to_it_and_writes_the_same() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    let ran = folder.run(&format!("{DEDUP} {LITTLE}"));
    assert_done(&folder, &ran, &expected);
    assert!(folder.summary()["peak_memory_bytes"].as_u64().unwrap() < 70 << 20);
    let two = folder.run(&format!("{DEDUP} --memory 82MiB --threads 2 --temp-dir ."));
    assert_done(&folder, &two, &expected);
}

#[test]
fn features_that_outgrow_memory_give_the_same_result_by_any_measure() {
    let folder = Folder::new();
    let mut lines = String::new();
    for document in 0..1500_u64 {
        let mut generator = lookalike::hash::SplitMix64(document / 2);
        let words: Vec<String> = (0..2500).map(|_| format!("w{}", generator.next() % 5000)).collect();
        lines += &format!("{{\"id\":\"d{document}\",\"text\":\"{} w{document}\"}}\n", words.join(" "));
    }
    folder.write("in.jsonl", lines);
    for options in ["--method minhash", "--method simhash --verify --measure cosine --weights tf"] {
        let dedup = format!(
            "dedup in.jsonl -o out.jsonl --removed removed.csv --clusters clusters.csv --summary summary.json {options}"
        );
        assert_eq!(folder.run(&dedup).code, Some(0));
        assert_eq!(folder.summary()["spilled"], false);
        assert_eq!(folder.summary()["removed"], 750);
        let expected = outputs(&folder);
        OUTPUTS.iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
        assert_done(&folder, &folder.run(&format!("{dedup} {LITTLE}")), &expected);
        assert!(folder.summary()["peak_memory_bytes"].as_u64().unwrap() < 70 << 20, "{options}");
    }
}

#[test]
fn pairs_and_stars_with_little_memory_are_the_same() {
    let folder = Folder::new();
    corpus(&folder);
    for command in [
        "pairs in.jsonl --threshold 0.6 --method minhash -o out.csv",
        "pairs in.jsonl --threshold 0.6 -o out.csv",
        "dedup in.jsonl --threshold 0.6 --method minhash --cluster star -o out.jsonl",
    ] {
        let output = command.rsplit(' ').next().unwrap();
        assert_eq!(folder.run(&format!("{command} --summary summary.json")).code, Some(0));
        let expected = folder.read_bytes(output);
        assert_eq!(folder.run(&format!("{command} --summary summary.json {LITTLE}")).code, Some(0));
        assert_eq!(folder.summary()["spilled"], true);
        assert!(folder.read_bytes(output) == expected, "{command}");
    }
}

#[test]
fn too_little_memory_and_a_missing_folder_are_refused_before_anything_is_read() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\": \"one\"}\n");
    let little = folder.run("dedup in.jsonl -o out.jsonl --memory 10MiB --threads 2");
    assert_eq!(little.code, Some(2), "{}", little.stderr);
    assert_eq!(
        little.stderr,
        "error: the memory limit of 10.5 MB is too small; with 2 threads a run needs 83.9 MB or more\n  hint: --memory 80MiB is the least\n"
    );
    let missing = folder.run("dedup in.jsonl -o out.jsonl --temp-dir nowhere");
    assert_eq!(missing.code, Some(2));
    assert_eq!(
        missing.stderr,
        "error: nowhere: there is no such folder for temporary files\n  hint: give --temp-dir a folder that exists\n"
    );
    let unit = folder.run("dedup in.jsonl -o out.jsonl --memory lots");
    assert_eq!(unit.code, Some(2));
    assert!(unit.stderr.contains("use a number"), "{}", unit.stderr);
    let simhash = "dedup in.jsonl -o out.jsonl --method simhash --weights tf";
    assert_eq!(folder.run(&format!("{simhash} --memory 100MiB")).code, Some(0));
}

#[test]
fn exact_search_that_does_not_fit_is_an_error() {
    let folder = Folder::new();
    let words = |seed: u64| {
        let mut generator = lookalike::hash::SplitMix64(seed);
        (0..4_000).map(|_| format!("w{}", generator.next() % 90_000)).collect::<Vec<_>>().join(" ")
    };
    folder.write(
        "in.jsonl",
        (0..1_200).map(|seed| format!("{{\"text\":\"{}\"}}\n", words(seed))).collect::<String>(),
    );
    let ran = folder.run(&format!("dedup in.jsonl -o out.jsonl --method exact {LITTLE}"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("exact search holds 38.") && ran.stderr.contains("or use --method minhash"),
        "{}",
        ran.stderr
    );
}

#[test]
fn auto_takes_minhash_where_exact_search_does_not_fit() {
    let folder = Folder::new();
    let line = |document: u64| {
        let mut generator = lookalike::hash::SplitMix64(document);
        let words: Vec<String> = (0..5).map(|_| format!("w{}", generator.next() % 20_000)).collect();
        format!("{{\"text\":\"{}\"}}\n", words.join(" "))
    };
    folder.write("in.jsonl", (0..300_000).map(line).collect::<String>());
    let command = format!("dedup in.jsonl -o out.jsonl --summary summary.json -q {LITTLE}");
    assert_eq!(folder.run(&format!("{command} --method exact")).code, Some(1));
    for method in ["minhash", "auto"] {
        assert_eq!(folder.run(&format!("{command} --method {method}")).code, Some(0), "{method}");
        assert_eq!(folder.summary()["plan"]["method"], "minhash");
    }
    let kept = folder.read("out.jsonl");
    // More memory and other threads make the same choice.
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --summary summary.json -q --threads 3").code, Some(0));
    let reason = "beside 300 thousand documents, a run with the least memory has no room for exact search";
    assert_eq!(folder.summary()["plan"]["reason"], reason);
    assert!(folder.read("out.jsonl") == kept);
}

#[test]
fn a_run_keeps_to_its_memory_where_everything_is_a_duplicate() {
    let folder = Folder::new();
    let mut lines = String::new();
    for document in 0..300_000_u64 {
        let mut generator = lookalike::hash::SplitMix64(document / 2);
        let words: Vec<String> = (0..9).map(|_| format!("w{}", generator.next() % 1_000_000)).collect();
        let end = if document % 2 == 0 { "first" } else { "second" };
        lines += &format!("{{\"id\":\"d{document}\",\"text\":\"{} {end}\"}}\n", words.join(" "));
    }
    folder.write("in.jsonl", lines);
    let command = format!("{DEDUP} --shingle 1 --threads 1");
    assert_eq!(folder.run(&command).code, Some(0));
    let peak = || folder.summary()["peak_memory_bytes"].as_u64().unwrap();
    let (expected, limit) = (outputs(&folder), 70 << 20);
    let summary = folder.summary();
    assert!(summary["clusters"].as_u64().unwrap() > 149_000, "{summary}");
    assert!(peak() > limit + limit / 2, "{} bytes", peak());
    assert_done(&folder, &folder.run(&format!("{command} --memory 70MiB")), &expected);
    assert!(peak() < limit, "{} bytes", peak());
}

#[test]
fn pairs_that_copies_make_count_too() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\":\"the same words again and again\"}\n".repeat(1_000));
    assert_eq!(folder.run("pairs in.jsonl -q -o out.csv").code, Some(0));
    let ran = folder.run(&format!("pairs in.jsonl -q -o out.csv {LITTLE}"));
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.starts_with(
            "error: the documents make 499,500 pairs or more, more than the memory limit leaves room for\n"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn shingles_of_against_that_do_not_fit_are_an_error() {
    let folder = Folder::new();
    let words = |seed: u64| {
        let mut generator = lookalike::hash::SplitMix64(seed);
        (0..5_000).map(|_| format!("w{}", generator.next() % 90_000)).collect::<Vec<_>>().join(" ")
    };
    let lines = |seeds: std::ops::Range<u64>| -> String {
        seeds.map(|seed| format!("{{\"text\":\"{}\"}}\n", words(seed))).collect()
    };
    folder.write("tests.jsonl", lines(0..120)).write("in.jsonl", lines(119..121));
    let command = "dedup in.jsonl --against tests.jsonl --against-containment 0.8 -o out.jsonl -q";
    assert_eq!(folder.run(command).code, Some(0));
    assert_eq!(folder.read("out.jsonl"), lines(120..121));
    let ran = folder.run(&format!("{command} {LITTLE}"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    // Each document has 4,996 shingles, and the table has 2²¹ places.
    let expected = "error: the search for containment holds 51.4 MB, and the memory limit leaves 26.7 MB for that\n  \
                    hint: give more --memory, or compare against the files of --against in parts\n";
    assert_eq!(ran.stderr, expected);
}
