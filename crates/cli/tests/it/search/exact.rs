//! `--method exact` misses no pair, and `--method auto` reports its choice.

use crate::{Folder, jsonl, words};

/// Forty texts, each an edit of the text before. Neighbours have a similarity of about 0.9, and more distant texts less.
fn chain() -> String {
    let mut text: Vec<String> = words(1).split(' ').map(str::to_owned).collect();
    let mut texts = Vec::new();
    for step in 0..40 {
        let place = step * 7 % text.len();
        text[place] = format!("edit{step}");
        texts.push(text.join(" "));
    }
    jsonl(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn exact_finds_pairs_that_strict_bands_miss() {
    let folder = Folder::new();
    folder.write("in.jsonl", chain());
    let found = |method: &str| {
        let ran = folder.run(&format!("pairs in.jsonl -q --threshold 0.7 {method}"));
        ran.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (all, certain) = (found("--method exact"), found("--rows 1 --bands 128"));
    assert_eq!(all, certain);
    let strict = found("--rows 64 --bands 2");
    assert!(strict.len() < all.len(), "{} of {}", strict.len(), all.len());
    assert!(strict.iter().all(|pair| all.contains(pair)));
    assert_eq!(found("--method auto"), all);
}

#[test]
fn the_summary_has_the_choice_and_its_reason() {
    let folder = Folder::new();
    folder.write("in.jsonl", chain());
    for (arguments, method, line) in [
        ("", "exact", "method     exact, because the corpus is small (1,440 features): "),
        ("--method exact", "exact", "recall     100 % of such pairs: exact search"),
        ("--method minhash", "minhash", "MinHash bands"),
        ("--rows 6", "minhash", "MinHash bands"),
        (
            "--measure cosine --weights tf",
            "minhash",
            "method     minhash, because exact search does not support weights",
        ),
    ] {
        let ran = folder.run(&format!("pairs in.jsonl -o out.csv --summary summary.json {arguments}"));
        assert!(ran.stderr.contains(line), "{arguments}: {}", ran.stderr);
        let summary = folder.summary();
        assert_eq!(summary["plan"]["method"], method, "{arguments}");
        let has_reason = summary["plan"]["reason"].is_string();
        assert_eq!(has_reason, line.starts_with("method"), "{arguments}: {summary}");
    }
}

#[test]
fn exact_knows_its_recall_for_every_measure() {
    let folder = Folder::new();
    folder.write("in.jsonl", chain());
    for measure in ["jaccard", "word-jaccard --shingle 5", "cosine", "containment"] {
        folder.run(&format!(
            "dedup in.jsonl --dry-run --method exact --measure {measure} --summary summary.json"
        ));
        assert_eq!(folder.summary()["recall_estimate"], 1.0, "{measure}");
    }
}

#[test]
fn dedup_keeps_the_same_by_exact_search_and_by_certain_bands() {
    let folder = Folder::new();
    let twice = chain() + &chain();
    folder.write("in.jsonl", &twice);
    let kept = |method: &str| {
        folder
            .run(&format!("dedup in.jsonl -o out.jsonl -q --threshold 0.9 --clusters clusters.csv {method}"));
        (folder.read("out.jsonl"), folder.read("clusters.csv"))
    };
    let exact = kept("--method exact");
    assert_eq!(exact, kept("--rows 1 --bands 128"));
    assert!(exact.0.lines().count() < 40);
}

#[test]
fn exact_finds_the_same_pairs_in_compressed_files() {
    let folder = Folder::new();
    folder.write("in.jsonl", chain());
    let packed = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, chain().as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    folder.write("packed.jsonl.gz", packed);
    let plain = folder.run("pairs in.jsonl -q -t 0.5 --method exact").stdout;
    assert!(plain.lines().count() > 40, "{plain}");
    assert_eq!(folder.run("pairs packed.jsonl.gz -q -t 0.5 --method exact").stdout, plain);
}

#[test]
fn auto_searches_more_than_two_million_features_by_minhash() {
    let folder = Folder::new();
    let text = |seed: usize| {
        (0..11_000).map(|word| format!("{} ", (word * 7 + seed * 1_000_003) % 50_021)).collect()
    };
    let texts: Vec<String> = (0..200).map(text).collect();
    folder.write("in.jsonl", texts.iter().map(|text| jsonl(&[text.trim_end()])).collect::<String>());
    let ran = folder.run("dedup in.jsonl --dry-run --tokens whitespace");
    let line = "method     minhash, because the corpus is large (2.2 million features): exact search takes about 0.15 s of processor time and \
                18 MB; MinHash takes about 0.07 s and less than 1 MB\n";
    assert!(ran.stderr.contains(line), "{}", ran.stderr);
}

#[test]
fn options_that_exact_search_cannot_use_are_refused() {
    let folder = Folder::new();
    folder.write("in.jsonl", chain());
    for (arguments, message) in [
        ("pairs in.jsonl --method exact --bands 3", "--bands needs --method minhash"),
        ("pairs in.jsonl --method exact --measure cosine --weights tf", "method exact compares sets"),
        ("sketch in.jsonl -o out.jsonl --method exact", "--method exact makes no sketches"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(message), "{arguments}: {}", ran.stderr);
    }
}
