//! `--audit`: the measured recall.

use crate::{Folder, jsonl, words};

/// Sixty texts in ten families. Each is an edit of the text before it, so pairs have all similarities.
fn families() -> String {
    let mut texts = Vec::new();
    for family in 0..10 {
        let mut text: Vec<String> = words(family + 1).split(' ').map(str::to_owned).collect();
        for step in 0..6 {
            let place = (step * 31 + family * 7) % text.len();
            text[place] = format!("edit{family}x{step}");
            texts.push(text.join(" "));
        }
    }
    let lines = texts.iter().enumerate();
    lines.map(|(id, text)| jsonl(&[text]).replace("\"a\"", &format!("\"{id}\""))).collect()
}

/// Bands that miss about half of the pairs.
const STRICT: &str = "--threshold 0.6 --shingle 2 --num-perm 32 --rows 8";

#[test]
fn an_audit_of_all_documents_is_the_recall_itself() {
    let folder = Folder::new();
    folder.write("in.jsonl", families());
    let pairs = |method: &str| folder.run(&format!("pairs in.jsonl -q {method}")).stdout;
    let all = pairs("--threshold 0.6 --shingle 2 --method exact").lines().count();
    let ran = folder.run(&format!("pairs in.jsonl {STRICT} --audit 60 --summary summary.json"));
    let found = ran.stdout.lines().count();
    assert!(found > all / 10 && found < all * 9 / 10, "{found} of {all}");
    let audit = &folder.summary()["audit"];
    // Each pair counts for both of its documents.
    assert_eq!((&audit["partners"], &audit["found"]), (&(2 * all).into(), &(2 * found).into()));
    let recall = found as f64 / all as f64;
    assert_eq!(audit["recall"], recall);
    assert_eq!(audit["recall_interval"], serde_json::json!([recall, recall]));
    assert!(ran.stderr.contains(&format!("audited    60 documents with {} partners", 2 * all)), "{ran:?}");
}

#[test]
fn an_audit_of_a_sample_has_an_interval() {
    let folder = Folder::new();
    folder.write("in.jsonl", families());
    let all =
        folder.run("pairs in.jsonl -q --threshold 0.6 --shingle 2 --method exact").stdout.lines().count();
    let found = folder.run(&format!("pairs in.jsonl -q {STRICT}")).stdout.lines().count();
    let recall = found as f64 / all as f64;
    let audit = |threads: usize| {
        folder.run(&format!(
            "pairs in.jsonl -q {STRICT} --audit 20 --threads {threads} --summary summary.json"
        ));
        folder.summary()["audit"].clone()
    };
    let one = audit(1);
    assert_eq!(one, audit(3));
    assert_eq!(one["documents"], 20);
    let bound = |index: usize| one["recall_interval"][index].as_f64().unwrap();
    assert!(bound(0) <= recall && recall <= bound(1), "{recall} {one}");
    assert!(bound(1) - bound(0) > 0.02, "{one}");
}

#[test]
fn dedup_finds_a_pair_if_it_puts_it_into_one_cluster() {
    let folder = Folder::new();
    folder.write("in.jsonl", families());
    folder.run("dedup in.jsonl --dry-run -q --threshold 0.6 --shingle 2 --method exact --audit 60 --summary summary.json");
    assert_eq!(folder.summary()["audit"]["recall"], 1.0);
    folder.run(&format!("dedup in.jsonl --dry-run -q {STRICT} --audit 60 --summary summary.json"));
    let summary = folder.summary();
    let recall = summary["audit"]["recall"].as_f64().unwrap();
    // A pair that is connected only by other documents counts as found, too.
    assert!(recall > summary["recall_estimate"].as_f64().unwrap() && recall < 1.0, "{summary}");
}

#[test]
fn an_audit_without_pairs_or_measure_has_a_message() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(2)]));
    let ran = folder.run("dedup in.jsonl --dry-run --audit 5");
    assert!(
        ran.stderr.contains("audited    2 documents with 0 partners: the recall cannot be measured"),
        "{ran:?}"
    );
    let ran = folder.run("dedup in.jsonl --dry-run --audit 5 --method simhash");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--audit compares documents by --measure; add --verify"), "{ran:?}");
}
