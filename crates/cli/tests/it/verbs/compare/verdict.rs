//! The verdict, which says whether a run would find the pair.

use super::{json_of, pair};
use crate::{Folder, jsonl, words};
use serde_json::json;

#[test]
fn the_verdict_agrees_with_pairs() {
    let folder = Folder::new();
    let texts = [words(1), words(1).replace("w1x3", "other"), words(2), words(1).replace("w1x30 ", "")];
    folder.write("in.jsonl", jsonl(&texts));
    for options in [
        "",
        "--shingle 1",
        "--bands 1 --rows 60",
        "--method simhash",
        "--method exact",
        "--method minhash",
        "--threshold 0.7",
        "--measure cosine --weights tf",
        "--method simhash --verify --hamming 12",
        "--threshold 0.6 --measure containment",
    ] {
        let pairs = folder.run(&format!("pairs in.jsonl -q {options}")).stdout;
        for (a, b) in [("a", "b"), ("a", "c"), ("b", "d")] {
            let found =
                json_of(folder.run(&format!("compare {a} {b} --in in.jsonl --format json -q {options}")));
            let listed = pairs.contains(&format!("\"a\":\"{a}\",\"b\":\"{b}\""));
            assert_eq!(found["verdict"]["found"], listed, "{a} {b} {options}");
        }
    }
}

#[test]
fn the_verdict_is_by_the_methods_that_a_run_may_take() {
    // The texts are similar at 0.2. With a recall of 0.01, the search misses them even by short bands.
    let (left, right) = ("a b c d e f g h i j k l", "a b c d 1 2 3 4 5 6 7 8");
    let folder = pair(left, right);
    folder.write("in.jsonl", jsonl(&[left, right]));
    let verdict = |options: &str| {
        let command =
            format!("compare a.txt b.txt --shingle 1 --threshold 0.2 --seed 1 --format json {options}");
        let found = json_of(folder.run(&command));
        let methods = |key: &str| found["verdict"][key].clone();
        let sentence = found["verdict"]["sentence"].as_str().unwrap().to_owned();
        (sentence, methods("found_by"), methods("missed_by"), found["plan"]["method"].clone())
    };
    let similar = "their Jaccard similarity of 0.200000 reaches 0.2";
    assert_eq!(
        verdict("--recall 0.01"),
        (
            format!(
                "A pair: {similar}. Exact search, taken for small corpora, finds it; MinHash, taken for large ones, misses it: they \
                 share none of 32 bands."
            ),
            json!(["exact"]),
            json!(["minhash"]),
            json!("auto")
        )
    );
    let pairs = folder.run("pairs in.jsonl -q --shingle 1 --threshold 0.2 --seed 1 --recall 0.01").stdout;
    assert_eq!(pairs, "{\"a\":\"a\",\"b\":\"b\",\"jaccard\":0.200000}\n");
    assert_eq!(
        verdict("--method exact"),
        (
            format!("Found as a pair: {similar}, and exact search misses nothing."),
            json!(["exact"]),
            json!([]),
            json!("exact")
        )
    );
    assert_eq!(
        verdict("--method minhash --recall 0.01"),
        (
            format!("Missed: {similar}, but they share none of 32 bands."),
            json!([]),
            json!(["minhash"]),
            json!("minhash")
        )
    );
}
