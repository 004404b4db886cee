//! `--keep none` and `--keep N`: the number of documents that a cluster keeps, and the lists of the others.

use crate::{Folder, failed, jsonl, silent, words};

/// Documents a, c, d and e are similar, and d is a copy of a. b has no near-duplicate.
fn corpus() -> String {
    let a = words(1);
    jsonl(&[&a, &words(2), &format!("{a} and a tail"), &a, &format!("{a} end")])
}

const HEADER: &str = "id,kept_id,cluster,jaccard,containment,uncovered_words,uncovered\n";

fn ids(text: &str) -> Vec<String> {
    let id = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_str().unwrap().to_owned()
    };
    text.lines().map(id).collect()
}

#[test]
fn none_removes_every_member_of_a_cluster_and_names_no_kept_one() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    for cluster in ["union", "star"] {
        let command = format!(
            "dedup in.jsonl -o out.jsonl --keep none --cluster {cluster} --removed removed.csv --clusters clusters.csv --summary \
             summary.json -q"
        );
        assert_eq!(folder.run(&command), silent());
        assert_eq!(ids(&folder.read("out.jsonl")), ["b"], "{cluster}");
        // The lists compare every document with the first one, and the first with the second.
        let expected = "a,,1,0.923077,1.000000,0,\nc,,1,0.923077,0.923077,3,and a tail\nd,,1,1.000000,1.000000,0,\n\
                        e,,1,0.972973,0.972973,1,end\n";
        assert_eq!(folder.read("removed.csv"), format!("{HEADER}{expected}"), "{cluster}");
        let clusters = "id,cluster,kept\na,1,false\nc,1,false\nd,1,false\ne,1,false\n";
        assert_eq!(folder.read("clusters.csv"), clusters, "{cluster}");
        let summary = folder.summary();
        assert_eq!((&summary["kept"], &summary["removed"]), (&1.into(), &4.into()));
    }
}

#[test]
fn keep_none_removes_near_duplicates_of_against() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus()).write("old.jsonl", jsonl(&[words(2)]).replace("\"a\"", "\"old\""));
    let command = "dedup in.jsonl --against old.jsonl -o out.jsonl --keep none --removed removed.csv -q";
    assert_eq!(folder.run(command), silent());
    assert_eq!(folder.read("out.jsonl"), "");
    assert!(folder.read("removed.csv").contains("\nb,old,"), "{}", folder.read("removed.csv"));
    assert_eq!(folder.read("removed.csv").lines().filter(|line| line.contains(",,")).count(), 4);
}

#[test]
fn none_is_annotated_and_reported() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    let command = "dedup in.jsonl -o out.jsonl --annotate --keep none --report report.html -q";
    assert_eq!(folder.run(command), silent());
    let row = |index: usize| -> serde_json::Value {
        serde_json::from_str(folder.read("out.jsonl").lines().nth(index).unwrap()).unwrap()
    };
    let decision = |row: &serde_json::Value| ["kept", "kept_id", "jaccard"].map(|key| row[key].clone());
    assert_eq!(decision(&row(0)), [false.into(), serde_json::Value::Null, 0.923077.into()]);
    assert_eq!(decision(&row(1)), [true.into(), serde_json::Value::Null, serde_json::Value::Null]);
    assert_eq!(decision(&row(3)), [false.into(), serde_json::Value::Null, 1.0.into()]);
    let page = folder.read("report.html");
    assert!(page.contains("<bdi>a</bdi> removed, <bdi>c</bdi> removed too"), "{page}");
    assert!(page.contains("No document of a cluster is kept"), "{page}");
}

#[test]
fn a_number_keeps_the_first_documents_and_removes_the_others_for_the_first() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    for cluster in ["union", "star"] {
        for (number, kept, removed) in [
            (1, &["a", "b"][..], "c,a d,a e,a"),
            (2, &["a", "b", "c"], "d,a e,a"),
            (3, &["a", "b", "c", "d"], "e,a"),
            (4, &["a", "b", "c", "d", "e"], ""),
            (99, &["a", "b", "c", "d", "e"], ""),
        ] {
            let command = format!(
                "dedup in.jsonl -o out.jsonl --keep {number} --cluster {cluster} --removed removed.csv --summary summary.json -q"
            );
            assert_eq!(folder.run(&command), silent());
            assert_eq!(ids(&folder.read("out.jsonl")), kept, "{number}, {cluster}");
            let list = folder.read("removed.csv");
            let rows: Vec<&str> = list.lines().skip(1).map(|line| &line[..3]).collect();
            assert_eq!(rows.join(" "), removed, "{number}, {cluster}");
            assert_eq!(folder.summary()["removed"], rows.len());
        }
    }
}

#[test]
fn kept_documents_stay_even_if_another_one_contains_them() {
    let folder = Folder::new();
    // a contains b, which stays as the second document. c contains more than both, so it stays for its content.
    let a = words(1);
    folder.write("in.jsonl", jsonl(&[&a, &a, &format!("{a} and a tail"), &a]));
    let command = "dedup in.jsonl -o out.jsonl --keep 2 --min-containment 0.95 --removed removed.csv -q";
    assert_eq!(folder.run(command), silent());
    assert_eq!(ids(&folder.read("out.jsonl")), ["a", "b", "c"]);
    assert_eq!(folder.read("removed.csv"), format!("{HEADER}d,a,1,1.000000,1.000000,0,\n"));
}

#[test]
fn senseless_combinations_are_refused() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    let expected = "error: --min-containment needs a kept document, and --keep none keeps none\n";
    let command = "dedup in.jsonl -o out.jsonl --keep none --min-containment 0.9";
    assert_eq!(folder.run(command), failed(2, expected));
    for keep in ["0", "-1", "2.5", "nobody"] {
        let ran = folder.run(&format!("dedup in.jsonl -o out.jsonl --keep={keep}"));
        assert_eq!(ran.code, Some(2), "{keep}");
        assert!(ran.stderr.contains("or a number from 1"), "{}", ran.stderr);
    }
    assert_eq!(folder.run("index build in.jsonl -o seen.index --method minhash -q"), silent());
    let ran = folder.run("dedup in.jsonl -o out.jsonl --against seen.index --method minhash --keep none");
    assert!(ran.stderr.contains("an index does not allow another keep policy than first"), "{}", ran.stderr);
}
