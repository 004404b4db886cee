//! An index that grew in steps gives the same result as one run over all files in the same order.

use super::corpora::{cuts, lines};
use crate::{Folder, silent};
use lookalike::hash::SplitMix64;

/// An option of indexes.
const WITHOUT_TEXTS: &str = " --store-texts false";

/// Runs once over the first `parts` files. Returns the list of removed documents of the last file, without the numbers of clusters,
/// and the kept documents of this file.
fn in_one_run(folder: &Folder, parts: usize, score: &str, of_last: &[String]) -> (Vec<String>, String) {
    // An index alone has texts or not.
    let score = score.trim_end_matches(WITHOUT_TEXTS);
    let files: Vec<String> = (0..parts).map(|part| format!("part{part}.jsonl")).collect();
    let method = if score.contains("--method") { "" } else { "--method minhash" };
    let command = format!("dedup {} -o all {method} --removed all.jsonl -q {score}", files.join(" "));
    assert_eq!(folder.run(&command), silent());
    let rows = rows(folder, "all.jsonl").into_iter().filter(|row| of_last.iter().any(|id| row.contains(id)));
    (rows.collect(), folder.read(&format!("all/part{}.jsonl", parts - 1)))
}

/// The rows of a list of removed documents, sorted, without the numbers of clusters.
fn rows(folder: &Folder, name: &str) -> Vec<String> {
    let row = |line: &str| {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        row.as_object_mut().unwrap().remove("cluster");
        row.to_string()
    };
    let mut rows: Vec<String> = folder.read(name).lines().map(row).collect();
    rows.sort();
    rows
}

/// The ids of the documents of a part as rows contain them, with the name of the field before them.
fn ids(part: usize, lines: &[String]) -> Vec<String> {
    let id = |(index, line): (usize, &String)| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let id = row["id"].as_str().map_or(format!("part{part}.jsonl:{}", index + 1), str::to_owned);
        format!("\"id\":\"{id}\"")
    };
    lines.iter().enumerate().map(id).collect()
}

/// Splits `lines` at `cuts` and makes an index of the first part. Then compares each other part with the index and adds it, by one of
/// two commands. Every step must give the same result as one run.
fn equals_one_run(lines: &[String], cuts: &[usize], score: &str, generator: &mut SplitMix64) {
    let folder = Folder::new();
    let bounds: Vec<usize> = [0].into_iter().chain(cuts.iter().copied()).chain([lines.len()]).collect();
    let mut removed = 0;
    for (part, range) in bounds.windows(2).enumerate() {
        let new = &lines[range[0]..range[1]];
        folder.write(&format!("part{part}.jsonl"), new.concat());
        let threads = 1 + generator.next() % 2;
        if part == 0 {
            folder.write("all.jsonl", lines.concat());
            let table = "frequencies all.jsonl -o table.df --shingle 2 -q";
            assert!(!score.contains("table.df") || folder.run(table) == silent());
            let build = format!("index build part0.jsonl -o seen.index -q --threads {threads} {score}");
            assert_eq!(folder.run(&build), silent());
            continue;
        }
        let dedup = format!(
            "dedup part{part}.jsonl -o new.jsonl --against seen.index --removed new.removed.jsonl -q --threads {threads}"
        );
        let updates = generator.next().is_multiple_of(2);
        assert_eq!(folder.run(&format!("{dedup} {}", if updates { "--update" } else { "" })), silent());
        let expected = in_one_run(&folder, part + 1, score, &ids(part, new));
        removed += expected.0.len();
        let found = (rows(&folder, "new.removed.jsonl"), folder.read("new.jsonl"));
        assert_eq!(found, expected, "part {part} of {bounds:?}, {threads} threads");
        if !updates {
            assert_eq!(folder.run(&format!("index add seen.index part{part}.jsonl -q")), silent());
        }
    }
    assert_eq!(super::documents(&folder), lines.len() as u64);
    assert!(removed > 0 || lines.len() < 50, "there was nothing to find");
}

/// The lines with these words before each text, some of which have no others.
fn all_begin_with(lines: Vec<String>, words: &str) -> Vec<String> {
    lines.iter().map(|line| line.replace("\"text\":\"", &format!("\"text\":\"{words} "))).collect()
}

#[test]
fn random_corpora_in_random_steps() {
    let scores = [
        "",
        "--threshold 0.5 --shingle 3 --seed 9",
        "--measure containment",
        "--method simhash --verify",
        "--method simhash --verify --bits 128 --threshold 0.6 --shingle 2",
        "--method simhash --verify --hamming 3 --tie one --feature-hash murmur3",
        "--method simhash --hamming 9",
        "--method simhash --bits 128 --hamming 12 --weights tf",
        "--method simhash --hamming 6 --weights log-tf --shingle 2",
        "--method simhash --hamming 9 --store-texts false",
        "--method simhash --hamming 3 --weights tf --store-texts false",
        "--method simhash --bits 128 --hamming 8 --shingle 2 --store-texts false",
        "--method simhash --hamming 8 --shingle 2 --weights tf-idf --frequencies table.df",
    ];
    for seed in 0..39 {
        let mut generator = SplitMix64(seed);
        let count = 40 + generator.next() as usize % 160;
        let lines = lines(&mut generator, count);
        let cuts = cuts(&mut generator, count, 2 + seed as usize % 3);
        let score = scores[seed as usize % scores.len()];
        // With weights by TF-IDF, what all documents have weighs nothing: such texts are similar to their copies alone.
        let lines = if score.contains("table.df") { all_begin_with(lines, "all have this") } else { lines };
        equals_one_run(&lines, &cuts, score, &mut generator);
    }
}

#[test]
fn a_document_that_joins_two_clusters_changes_the_kept_one_for_later_documents() {
    let window = |id: &str, from: usize| {
        let text = (from..from + 60).map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
        serde_json::json!({ "id": id, "text": text }).to_string() + "\n"
    };
    let folder = Folder::new();
    folder.write("part0.jsonl", [window("left", 0), window("right", 10)].concat());
    folder.write("part1.jsonl", window("between", 5));
    folder.write("part2.jsonl", window("later", 14));
    folder.run("index build part0.jsonl -o seen.index -q");
    let kept_for = |part: usize, more: &str| {
        let dedup =
            format!("dedup part{part}.jsonl -o out.jsonl --against seen.index --removed out.csv -q {more}");
        assert_eq!(folder.run(&dedup), silent());
        folder.read("out.csv").lines().nth(1).unwrap().split(',').nth(1).unwrap().to_owned()
    };
    assert_eq!(kept_for(2, ""), "right");
    assert_eq!(kept_for(1, "--update"), "left");
    assert_eq!(kept_for(2, ""), "left");
}

#[test]
fn more_documents_than_a_record_has() {
    let mut generator = SplitMix64(77);
    let lines = lines(&mut generator, 9_500);
    equals_one_run(&lines, &[4_500, 9_000], "--threshold 0.9", &mut generator);
}

#[test]
fn little_memory_changes_nothing() {
    // There are enough documents that sketches go to disk, and that the run searches keys in several rounds.
    let mut generator = SplitMix64(8);
    let line = |number: u64| {
        let text = format!("{} {} {} said so and so", number / 3, number / 3 * 7, number / 3 * 11);
        serde_json::json!({ "id": format!("d{number}"), "text": text }).to_string() + "\n"
    };
    let lines: Vec<String> = (0..70_000).map(|_| line(generator.next() % 200_000)).collect();
    let folder = Folder::new();
    folder.write("old.jsonl", lines[..10_000].concat()).write("new.jsonl", lines[10_000..].concat());
    assert_eq!(folder.run("index build old.jsonl -o seen.index -q"), silent());
    let dedup =
        "dedup new.jsonl -o out.jsonl --against seen.index --removed removed.jsonl -q --summary summary.json";
    assert_eq!(folder.run(&format!("{dedup} --threads 2")), silent());
    let expected = (folder.read("out.jsonl"), folder.read("removed.jsonl"));
    assert!(folder.summary()["removed_against"].as_u64().unwrap() > 1_000);
    assert_eq!(folder.run(&format!("{dedup} --threads 1 --memory 68MiB --update")), silent());
    assert_eq!((folder.read("out.jsonl"), folder.read("removed.jsonl")), expected);
    assert_eq!(super::documents(&folder), 70_000);
}

#[test]
fn a_large_bucket_is_searched_by_differences() {
    let text = (0..60).map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let line =
        |number: usize| serde_json::json!({ "id": format!("d{number}"), "text": format!("{text} {number}") });
    let lines: Vec<String> = (0..1_500).map(|number| line(number).to_string() + "\n").collect();
    equals_one_run(&lines, &[700, 1_300], "", &mut SplitMix64(5));
}
