//! `--verify=estimate`, beside the signatures that `sketch` writes.

use crate::{Folder, failed, silent};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const DOCUMENTS: usize = 150;

/// Random texts, some of which are edited copies of an earlier one, and two without words.
fn corpus() -> String {
    let mut state = 11_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut bodies: Vec<Vec<String>> = Vec::new();
    for _ in 0..DOCUMENTS {
        let mut body: Vec<String> = match bodies.is_empty() || random(3) > 1 {
            true => (0..40 + random(80)).map(|_| format!("w{}", random(5000))).collect(),
            false => bodies[random(bodies.len() as u64) as usize].clone(),
        };
        for _ in 0..random(4) {
            let place = random(body.len() as u64) as usize;
            body[place] = format!("e{}", random(5000));
        }
        bodies.push(body);
    }
    bodies.extend([Vec::new(), Vec::new()]);
    let line = |(id, body): (usize, &Vec<String>)| {
        format!("{}\n", json!({ "id": format!("{id:03}"), "text": body.join(" ") }))
    };
    bodies.iter().enumerate().map(line).collect()
}

/// Each pair of documents that agree in all values of a band, and whose low bytes estimate the threshold or more.
fn expected(signatures: &str, rows: usize, threshold: f64) -> BTreeMap<(String, String), f64> {
    let documents = signatures.lines().filter_map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        // One without words has none.
        let values = row["signature"].as_array()?.iter().map(|value| value.as_u64().unwrap());
        Some((row["id"].as_str().unwrap().to_owned(), values.collect::<Vec<u64>>()))
    });
    let documents: Vec<(String, Vec<u64>)> = documents.collect();
    let mut pairs = BTreeMap::new();
    for (b, (later, right)) in documents.iter().enumerate() {
        for (earlier, left) in &documents[..b] {
            let mut bands = left.chunks_exact(rows).zip(right.chunks_exact(rows));
            let equal = left.iter().zip(right).filter(|(a, b)| *a % 256 == *b % 256).count() as f64;
            let estimate = (256.0 * equal / left.len() as f64 - 1.0) / 255.0;
            if bands.any(|(a, b)| a == b) && estimate >= threshold - 1e-9 {
                pairs.insert((earlier.clone(), later.clone()), estimate);
            }
        }
    }
    pairs
}

/// A row of a list: the estimate, and the ends of its interval.
fn score(row: &Value) -> [f64; 3] {
    ["jaccard_estimate", "estimate_low", "estimate_high"].map(|column| row[column].as_f64().unwrap())
}

#[test]
fn pairs_are_those_that_signatures_estimate_to_reach_the_threshold() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    for (values, rows, threshold, options) in [
        (128, 6, 0.8, ""),
        (128, 6, 0.8, "--threads 1 --memory 68MiB"),
        (64, 2, 0.6, "--num-perm 64 --rows 2 --threshold 0.6"),
        (100, 5, 0.7, "--num-perm 100 --bands 20 --rows 5 --threshold 0.7 --scheme classic"),
    ] {
        let scheme = if options.contains("classic") { "--scheme classic" } else { "" };
        assert_eq!(
            folder.run(&format!("sketch in.jsonl -o sketches.jsonl -q --num-perm {values} {scheme}")),
            silent()
        );
        let expected = expected(&folder.read("sketches.jsonl"), rows, threshold);
        let ran =
            folder.run(&format!("pairs in.jsonl --verify=estimate --summary summary.json -q {options}"));
        let mut found = BTreeMap::new();
        for line in ran.stdout.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let [estimate, low, high] = score(&row);
            assert!(low <= estimate && estimate <= high && (low < high), "{row}");
            let [a, b] = ["a", "b"].map(|id| row[id].as_str().unwrap().to_owned());
            found.insert((a, b), estimate);
        }
        assert!(expected.len() > 40, "{} pairs", expected.len());
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{options}");
        assert!(found.iter().all(|(ids, estimate)| (estimate - expected[ids]).abs() < 1e-6), "{options}");
        let summary = folder.summary();
        assert_eq!(
            (&summary["plan"]["verify"], &summary["plan"]["measure"], &summary["recall_estimate"]),
            (&json!("estimate"), &json!("jaccard"), &Value::Null)
        );
        let recall = summary["plan"]["recall_at_threshold"].as_f64().unwrap();
        assert!((0.35..0.65).contains(&recall), "{summary}");
    }
}

#[test]
fn the_estimates_are_near_the_exact_similarities() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    let list = |options: &str| -> Vec<Value> {
        let ran = folder.run(&format!("pairs in.jsonl --threshold 0.3 -q {options}"));
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let exact: BTreeMap<(String, String), f64> = list("--method exact")
        .iter()
        .map(|row| ((row["a"].to_string(), row["b"].to_string()), row["jaccard"].as_f64().unwrap()))
        .collect();
    let estimates = list("--verify=estimate");
    let within = estimates.iter().filter(|row| {
        let [_, low, high] = score(row);
        let similarity = exact.get(&(row["a"].to_string(), row["b"].to_string()));
        similarity.is_some_and(|similarity| (low..=high).contains(similarity))
    });
    let share = within.count() as f64 / estimates.len() as f64;
    assert!(estimates.len() > 60 && share > 0.9, "{share} of {}", estimates.len());
}

#[test]
fn removed_documents_have_the_estimate_in_lists_pages_and_words() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    let dedup = "dedup in.jsonl --verify=estimate -o out.jsonl --removed removed.jsonl --report page.html";
    let ran = folder.run(dedup);
    let words = "similar    Jaccard 0.8 or more of 5-word shingles, estimated by signatures; not verified\n";
    assert!(
        ran.stderr.contains(words) && ran.stderr.contains("recall     50.80 % of the pairs at 0.8, 99 % of")
    );
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    let rows: Vec<Value> =
        folder.read("removed.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() > 20);
    for row in &rows {
        let [estimate, low, high] = score(row);
        assert!(low <= estimate && estimate <= high && row["containment"].is_null(), "{row}");
    }
    let page = folder.read("page.html");
    assert!(
        page.contains("Jaccard estimate") && page.contains("Same signature") && page.contains(">about 0."),
        "{page}"
    );
    // In a star, each removed document is estimated to reach the threshold.
    assert_eq!(
        folder.run("dedup in.jsonl --verify=estimate --cluster star --annotate -o star.jsonl -q"),
        silent()
    );
    let star = folder.read("star.jsonl");
    let row = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let removed = star.lines().map(row).filter(|row| row["kept"] == json!(false));
    let estimates: Vec<f64> = removed.map(|row| row["jaccard_estimate"].as_f64().unwrap()).collect();
    assert!(
        estimates.len() > 10 && estimates.iter().all(|&estimate| estimate >= 0.8 - 1e-6),
        "{estimates:?}"
    );
}

#[test]
fn what_needs_an_exact_comparison_is_refused() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    for (command, problem) in [
        ("pairs in.jsonl --verify=estimate --method simhash", "--verify=estimate needs --method minhash"),
        ("pairs in.jsonl --verify=estimate --method exact", "--verify=estimate needs --method minhash"),
        (
            "pairs in.jsonl --verify=estimate --measure cosine",
            "estimates are of the Jaccard similarity of shingles, not of cosine; leave the measure out",
        ),
        (
            "pairs in.jsonl --verify=estimate --audit 10",
            "--audit compares documents exactly, and with --verify=estimate nothing is compared",
        ),
        (
            "dedup in.jsonl -o out.jsonl --verify=estimate --min-containment 0.5",
            "--min-containment compares documents exactly, and with --verify=estimate nothing is compared",
        ),
        (
            "dedup in.jsonl -o out.jsonl --verify=estimate --against in.jsonl --against-containment 0.5",
            "--against-containment compares documents exactly, and with --verify=estimate nothing is compared",
        ),
        (
            "similar words --in in.jsonl --verify=estimate",
            "similar compares texts that it reads; leave out --verify=estimate",
        ),
        (
            "pairs in.jsonl --verify estimate",
            "estimate: no such file or folder; check the path, or quote it if it is a glob\n  hint: a value of --verify stands behind =, as in \
             --verify=estimate",
        ),
        ("tune in.jsonl --verify=estimate", "tune compares texts that it reads; leave out --verify=estimate"),
    ] {
        let code = if problem.contains("no such file") { 1 } else { 2 };
        assert_eq!(folder.run(command), failed(code, &format!("error: {problem}\n")), "{command}");
    }
}

#[test]
fn a_file_of_options_may_say_verify_as_before() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    for (value, verified) in [("true", true), ("\"exact\"", true), ("false", false)] {
        folder.write("run.toml", format!("method = \"simhash\"\nhamming = 6\nverify = {value}\n"));
        let ran = folder.run("pairs in.jsonl --config run.toml");
        assert_eq!(ran.stderr.contains("verified exactly"), verified, "{value}: {ran:?}");
    }
    folder.write("run.toml", "verify = \"estimate\"\n");
    let exact = folder.run("pairs in.jsonl --config run.toml --verify=exact");
    assert!(exact.stderr.contains("verified exactly"), "{exact:?}");
    assert!(folder.run("pairs in.jsonl --config run.toml").stderr.contains("estimated by signatures"));
}
