//! `tune`: its figures agree with a count of all pairs, and its recommendations work.

use crate::{Folder, failed, words};
use lookalike::hash::SplitMix64;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Command;

/// Sixty texts of 60 words, and copies of most of them with one to nine words changed, in random order.
fn planted() -> Vec<String> {
    let mut random = SplitMix64(1);
    let mut texts = Vec::new();
    for original in 0..60 {
        let words: Vec<String> = (0..60).map(|place| format!("t{original}w{place}")).collect();
        texts.push(words.join(" "));
        for copy in 0..original % 4 {
            let mut words = words.clone();
            for _ in 0..random.next() % 9 + 1 {
                words[random.next() as usize % 60] = format!("c{copy}n{}", random.next() % 1000);
            }
            texts.push(words.join(" "));
        }
    }
    texts.sort_by_key(|text| text.len() % 7);
    texts
}

fn lines(texts: &[String]) -> String {
    texts.iter().map(|text| json!({ "text": text }).to_string() + "\n").collect()
}

/// The Jaccard similarity of every pair of different texts, by shingles of `length` words.
fn brute_force(texts: &[String], shingle: usize) -> Vec<f64> {
    let set = |text: &String| -> BTreeSet<Vec<String>> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        words.windows(shingle).map(<[String]>::to_vec).collect()
    };
    let sets: Vec<_> = texts.iter().map(set).collect();
    let mut similarities = Vec::new();
    for (index, a) in sets.iter().enumerate() {
        for b in &sets[index + 1..] {
            let common = a.intersection(b).count();
            similarities.push(common as f64 / (a.len() + b.len() - common) as f64);
        }
    }
    similarities
}

/// The answer as JSON, from a run that prints nothing else.
fn answer(folder: &Folder, arguments: &str) -> Value {
    let ran = folder.run(&format!("tune {arguments} -q --format json"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments}");
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The same without measured times.
fn without_seconds(mut answer: Value) -> Value {
    let forecasts = answer["settings"]["forecasts"].as_array_mut().unwrap();
    forecasts.iter_mut().for_each(|forecast| forecast["seconds"] = Value::Null);
    answer
}

#[test]
fn of_a_sample_of_all_documents_every_number_is_exact() {
    let (folder, texts) = (Folder::new(), planted());
    folder.write("in.jsonl", lines(&texts));
    let tuning = answer(&folder, "in.jsonl --threshold 0.6");
    assert_eq!(
        (&tuning["sample"], &tuning["corpus"]["different"]),
        (&json!(texts.len()), &json!(texts.len()))
    );
    assert_eq!(tuning["corpus"]["median_tokens"], 60);
    let settings = &tuning["settings"];
    for (place, shingle) in [3, 5, 8].into_iter().enumerate() {
        let expected = brute_force(&texts, shingle).iter().filter(|&&jaccard| jaccard >= 0.6).count();
        let of = &settings["shingles"][place];
        assert_eq!((&of["shingle"], &of["pairs"]), (&json!(shingle), &json!(expected)));
    }
    let similarities = brute_force(&texts, 5);
    let similar = similarities.iter().filter(|&&jaccard| jaccard >= 0.6).count();
    assert!(similar > 20, "{similar}");
    assert_eq!(
        (&settings["pairs"], &settings["pairs_between"]),
        (&json!(similar), &json!([similar, similar]))
    );
    let mut tenths = [0; 10];
    similarities
        .iter()
        .filter(|&&jaccard| jaccard > 0.0)
        .for_each(|jaccard| tenths[(jaccard * 10.0) as usize] += 1);
    assert_eq!(settings["pairs_by_tenth"], json!(tenths));
    // The expected recall of bands is the mean of their curve over these pairs.
    for forecast in settings["forecasts"].as_array().unwrap().iter().filter(|of| of["method"] == "minhash") {
        let number = |field: &str| forecast[field].as_i64().unwrap() as i32;
        let chance = |jaccard: &f64| 1.0 - (1.0 - jaccard.powi(number("rows"))).powi(number("bands"));
        let candidates: f64 = similarities.iter().map(chance).sum();
        let found: f64 = similarities.iter().filter(|&&jaccard| jaccard >= 0.6).map(chance).sum();
        assert!((forecast["candidates"].as_f64().unwrap() - candidates).abs() < 1.0, "{forecast}");
        assert!((forecast["recall"].as_f64().unwrap() - found / similar as f64).abs() < 2e-3, "{forecast}");
    }
}

#[test]
fn a_smaller_sample_comes_near_and_is_the_same_with_any_number_of_threads() {
    let (folder, texts) = (Folder::new(), planted());
    folder.write("in.jsonl", lines(&texts));
    let run = |rest: &str| {
        without_seconds(answer(&folder, &format!("in.jsonl --threshold 0.6 --sample 60 {rest}")))
    };
    let one = run("--threads 1");
    assert_eq!(run("--threads 4"), one);
    assert_eq!(one["sample"], 60);
    assert_ne!(run("--seed 5")["settings"]["pairs_by_tenth"], one["settings"]["pairs_by_tenth"]);
    let similar = brute_force(&texts, 5).iter().filter(|&&jaccard| jaccard >= 0.6).count() as u64;
    let between = &one["settings"]["pairs_between"];
    assert!(
        (between[0].as_u64().unwrap()..=between[1].as_u64().unwrap()).contains(&similar),
        "{similar} {between}"
    );
}

#[test]
fn the_recommended_command_line_keeps_the_forecast() {
    let (folder, texts) = (Folder::new(), planted());
    folder.write("it's here/in.jsonl", lines(&texts).replace("text", "body text"));
    let mut tune = folder.command("tune");
    tune.args(["it's here", "--text-field", "body text", "--threshold", "0.6", "--format", "json"]);
    let tuning: Value = serde_json::from_slice(&tune.output().unwrap().stdout).unwrap();
    let command = tuning["command"].as_str().unwrap();
    let rest = "-o deduplicated --text-field 'body text' --threshold 0.6 --shingle 5 --method exact";
    assert_eq!(command, format!("lookalike dedup \"it's here\" {rest}"));
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_lookalike")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let shell = Command::new("sh")
        .args(["-c", &format!("{command} --summary summary.json -q")])
        .current_dir(folder.path("."))
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(shell.status.success(), "{shell:?}");
    assert_eq!(folder.summary()["plan"]["method"], "exact");
    assert_ne!(folder.summary()["removed"], 0);
    assert!(folder.read("deduplicated/in.jsonl").starts_with("{\"body text\""));
}

#[test]
fn a_corpus_without_pairs_gets_an_answer_that_says_so() {
    let folder = Folder::new();
    folder.write("empty.jsonl", "").write("one.jsonl", lines(&[words(1)]));
    folder.write("apart.jsonl", lines(&[words(1), words(2), words(3), String::new()]));
    folder.write("equal.jsonl", lines(&vec![words(1); 9]));
    let said = "error: empty.jsonl: no documents, so there is nothing to tune the search by\n";
    assert_eq!(folder.run("tune empty.jsonl"), failed(1, said));
    for (file, documents, different) in [("one", 1, 1), ("apart", 4, 3), ("equal", 9, 1)] {
        let tuning = answer(&folder, &format!("{file}.jsonl"));
        let corpus = &tuning["corpus"];
        assert_eq!(
            (&corpus["documents"], &corpus["different"]),
            (&json!(documents), &json!(different)),
            "{file}"
        );
        let settings = &tuning["settings"];
        assert_eq!((&settings["pairs"], &settings["with_partner"]), (&json!(0), &json!(0.0)), "{file}");
        // Without pairs, the recall of a setting is its chance at the threshold.
        let bands = &settings["forecasts"][3];
        assert!((bands["recall"].as_f64().unwrap() - 0.9983).abs() < 1e-4, "{bands}");
        assert!(!tuning.to_string().contains("null,null") && !tuning.to_string().contains("NaN"));
        let table = answer(&folder, &format!("{file}.jsonl --table"));
        assert_eq!(table["experiment"]["pairs"], 0);
        assert!(table["experiment"]["bandings"].as_array().unwrap().iter().all(|row| row["f1"].is_null()));
        assert_eq!(
            answer(&folder, &format!("{file}.jsonl --tolerate 5%"))["tolerance"]["shingles"][0]["pairs"],
            0
        );
    }
}

#[test]
fn the_recommended_setting_finds_the_tolerated_edits() {
    let (folder, mut random) = (Folder::new(), SplitMix64(7));
    let originals: Vec<Vec<String>> =
        (0..80).map(|text| (0..200).map(|place| format!("t{text}w{place}")).collect()).collect();
    let mut texts: Vec<String> = originals.iter().map(|words| words.join(" ")).collect();
    folder.write("in.jsonl", lines(&texts));
    let tuning = answer(&folder, "in.jsonl --tolerate 5%");
    let tolerance = &tuning["tolerance"];
    assert_eq!(tolerance["copies"], 560);
    let take = &tolerance["shingles"][tolerance["recommended"].as_u64().unwrap() as usize];
    assert_eq!(take["shingle"], 5);
    let (threshold, reached) = (take["threshold"].as_f64().unwrap(), take["reached"].as_f64().unwrap());
    assert!((0.58..=0.63).contains(&threshold) && reached >= 0.95, "{take}");
    // Each text has one edited copy, in which ten words of 200 differ.
    for words in &originals {
        let mut words = words.clone();
        let mut places = BTreeSet::new();
        while places.len() < 10 {
            places.insert(random.next() as usize % words.len());
        }
        places.iter().for_each(|&place| words[place] = format!("n{}", random.next()));
        texts.push(words.join(" "));
    }
    folder.write("edited.jsonl", lines(&texts));
    folder.run(&format!("dedup edited.jsonl --dry-run --shingle 5 -t {threshold} --summary summary.json"));
    let removed = folder.summary()["removed"].as_u64().unwrap();
    assert!(removed >= 76, "{removed} of 80 copies");
    let short = answer(&folder, "in.jsonl --tolerate 0.4%");
    assert_eq!(
        (&short["tolerance"]["copies"], &short["tolerance"]["shingles"][0]["reached"]),
        (&json!(0), &Value::Null)
    );
}

#[test]
fn the_table_counts_the_candidates_of_a_search_by_these_bands() {
    let (folder, texts) = (Folder::new(), planted());
    folder.write("in.jsonl", lines(&texts));
    let options = "--tokens chars --shingle 3 --threshold 0.5";
    let experiment = &answer(&folder, &format!("in.jsonl --table {options}"))["experiment"];
    assert_eq!(experiment["num_perm"], 100);
    let exact = folder.run(&format!("pairs in.jsonl -q --method exact {options}"));
    assert_eq!(experiment["pairs"], exact.stdout.lines().count());
    let rows = experiment["bandings"].as_array().unwrap();
    let bands: Vec<u64> = rows.iter().map(|row| row["bands"].as_u64().unwrap()).collect();
    assert_eq!(bands, [5, 10, 20, 25, 50]);
    for row in rows {
        let (bands, per_band) = (&row["bands"], &row["rows"]);
        let search = format!("--method minhash --num-perm 100 --bands {bands} --rows {per_band}");
        folder.run(&format!("pairs in.jsonl -o pairs.csv {options} {search} --summary summary.json"));
        assert_eq!(row["candidates"], folder.summary()["candidates"], "{row}");
        let share = |field: &str| row[field].as_f64().unwrap_or(0.0);
        let harmonic =
            2.0 * share("precision") * share("recall") / (share("precision") + share("recall")).max(1e-9);
        assert!((share("f1") - harmonic).abs() < 1e-9, "{row}");
        assert!(share("candidate_precision") <= 1.0 && (share("precision") == 1.0 || share("recall") == 0.0));
    }
    // The thresholds by the formula.
    let thresholds: Vec<String> =
        rows.iter().map(|row| format!("{:.3}", row["threshold"].as_f64().unwrap())).collect();
    assert_eq!(thresholds, ["0.923", "0.794", "0.549", "0.447", "0.141"]);
}

#[test]
fn people_read_at_most_eighty_columns() {
    let folder = Folder::new();
    folder.write("in.jsonl", lines(&planted()));
    for (question, said) in [
        ("--sample 50", "Use exact. Exact search misses nothing."),
        ("", "lookalike dedup in.jsonl -o deduplicated \\\n    --threshold 0.8 --shingle 5 --method exact\n"),
        ("--tolerate 10%", "Use shingles of 3"),
        ("--table", "of candidates"),
        ("--shingle 8 --threshold 0.9", "lookalike tune --tolerate 5% recommends a shingle shorter than"),
    ] {
        let ran = folder.run(&format!("tune in.jsonl {question}"));
        assert_eq!(ran.code, Some(0), "{question}");
        let joined = ran.stdout.replace('\n', " ");
        assert!(ran.stdout.contains(said) || joined.contains(said), "{question}: {}", ran.stdout);
        assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80), "{}", ran.stdout);
    }
}

#[test]
fn options_that_tune_cannot_use_are_refused() {
    let folder = Folder::new();
    folder.write("in.jsonl", lines(&planted()[..3]) + "{\"text\":7}\n");
    for (arguments, message) in [
        ("--tolerate 5", "use a share above 0% and below 100%, such as 5% or 0.05"),
        ("--tolerate 5% --threshold 0.8", "cannot be used with"),
        ("--tolerate 5% --measure cosine", "error: --tolerate needs --measure jaccard"),
        ("--method simhash", "error: tune compares all methods; leave out --method"),
        ("--measure cosine --weights tf", "error: tune compares sets of shingles; leave out --weights"),
        ("--measure word-jaccard --shingle 3", "error: only a search by the measure can be tuned"),
        ("--sample 0", "invalid value '0'"),
    ] {
        let ran = folder.run(&format!("tune in.jsonl {arguments}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments}");
        assert!(ran.stderr.contains(message), "{arguments}: {}", ran.stderr);
    }
    let ran = folder.run("tune in.jsonl");
    assert_eq!(ran.code, Some(3));
    assert!(ran.stderr.starts_with("skipped in.jsonl:4: field \"text\" is a number"), "{}", ran.stderr);
    assert!(folder.run("tune in.jsonl --strict").stderr.starts_with("error: in.jsonl:4: field"));
}
