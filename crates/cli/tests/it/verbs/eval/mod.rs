//! `eval`: its figures, lists and messages.

mod lists;

use crate::{Folder, Ran, exists, failed, jsonl, silent, words};
use lookalike_corpus::{Cell, ColumnKind, TableWriter, Waiting};
use serde_json::{Value, json};
use std::path::Path;

/// Four documents with three pairs, and two others.
const TRUTH: &str = "a,b,jaccard\np,q,0.9\np,r,0.82\nq,r,1\ns,t,0.8\n";

/// Runs `eval`, which must print nothing on standard error but a note on lists without a common id, and returns its report as JSON.
fn eval(folder: &Folder, arguments: &str) -> Value {
    let ran = folder.run(&format!("eval {arguments} --format json -q"));
    let is_note = ran.stderr.starts_with("note: the lists have no id in common: one of ");
    assert!(ran.code == Some(0) && (ran.stderr.is_empty() || is_note), "{arguments}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The pairs found, true and both, and precision, recall and F1.
fn pairs(report: &Value) -> Value {
    let pairs = &report["pairs"];
    ["found", "true", "both", "precision", "recall", "f1"].iter().map(|name| pairs[name].clone()).collect()
}

fn index(report: &Value) -> &Value {
    &report["clusters"]["adjusted_rand_index"]
}

/// The adjusted Rand index by its definition, from every pair of documents with these labels.
fn naive_index(found: &[u32], truth: &[u32]) -> f64 {
    let documents = found.len();
    let all = (0..documents).flat_map(|a| (a + 1..documents).map(move |b| (a, b)));
    let (mut pairs, mut together, mut in_found, mut in_truth) = (0.0, 0.0, 0.0, 0.0);
    for (a, b) in all {
        let (here, there) = (found[a] == found[b], truth[a] == truth[b]);
        pairs += 1.0;
        together += f64::from(u8::from(here && there));
        in_found += f64::from(u8::from(here));
        in_truth += f64::from(u8::from(there));
    }
    let expected = in_found * in_truth / pairs;
    (together - expected) / ((in_found + in_truth) / 2.0 - expected)
}

fn assert_close(value: &Value, expected: f64) {
    assert!((value.as_f64().unwrap() - expected).abs() < 1e-12, "{value} is not {expected}");
}

#[test]
fn a_list_equal_to_the_truth_has_perfect_scores() {
    let folder = Folder::new();
    folder.write("truth.csv", TRUTH);
    let report = eval(&folder, "truth.csv --truth truth.csv");
    assert_eq!(pairs(&report), json!([4, 4, 4, 1.0, 1.0, 1.0]));
    assert_eq!(index(&report), &json!(1.0));
    assert_eq!((&report["found"], &report["clusters"]["documents"]), (&report["truth"], &json!(5)));
}

#[test]
fn the_text_report_has_wrong_pairs_missing_pairs_and_assumptions() {
    let folder = Folder::new();
    folder
        .write("truth.csv", TRUTH)
        .write("found.jsonl", "{\"a\":\"q\",\"b\":\"p\"}\n{\"a\":\"p\",\"b\":\"s\"}\n");
    let index = naive_index(&[1, 1, 2, 1, 3], &[1, 1, 1, 2, 2]);
    let expected = format!(
        "\
found      found.jsonl: 2 pairs in 1 cluster, the largest of 3 documents
truth      truth.csv: 4 pairs in 2 clusters, the largest of 3 documents
precision  0.500000   of 2 found pairs; 1 wrong
recall     0.250000   of 4 true pairs; 3 missing
F1         0.333333
ARI        {index:<11.6}adjusted Rand index of the clusters, over the 5 documents that the lists name

by jaccard of the truth
  from                  true          found     recall
  0.80 – 0.85              2              0   0.000000
  0.85 – 0.90              0              0          –
  0.90 – 0.95              1              1   1.000000
  0.95 – 1.00              0              0          –
  1                        1              0   0.000000
"
    );
    let ran = folder.run("eval found.jsonl --truth truth.csv -q");
    assert_eq!(ran, Ran { stdout: expected, ..silent() });
    let ran = folder.run("eval found.jsonl --truth truth.csv --documents 9");
    let index = naive_index(&[1, 1, 2, 1, 3, 4, 5, 6, 7], &[1, 1, 1, 2, 2, 4, 5, 6, 7]);
    let line = format!(
        "ARI        {index:<11.6}adjusted Rand index of the clusters, over 9 documents, 4 of them in neither list"
    );
    assert!(ran.stdout.contains(&line), "{} {line}", ran.stdout);
    assert!(ran.stderr.starts_with("read       6 rows, 79 bytes in "), "{}", ran.stderr);
}

#[test]
fn empty_lists_have_no_precision_or_recall() {
    let folder = Folder::new();
    folder.write("truth.csv", TRUTH);
    for (name, content) in
        [("e.jsonl", ""), ("e.csv", "a,b,jaccard\n"), ("e.tsv", ""), ("c.csv", "id,cluster\n")]
    {
        folder.write(name, content);
        let report = eval(&folder, &format!("{name} --truth truth.csv"));
        assert_eq!(pairs(&report), json!([0, 4, 0, null, 0.0, 0.0]), "{name}");
        assert_eq!(index(&report), &json!(0.0));
        let report = eval(&folder, &format!("truth.csv --truth {name}"));
        assert_eq!(pairs(&report), json!([4, 0, 0, 0.0, null, 0.0]), "{name}");
        let report = eval(&folder, &format!("{name} --truth {name} --documents 5"));
        assert_eq!(pairs(&report), json!([0, 0, 0, null, null, null]), "{name}");
        assert_eq!(index(&report), &json!(1.0));
    }
    let ran = folder.run("eval e.jsonl --truth e.csv -q");
    let expected = "\
precision  –          no pair was found
recall     –          no pair is true
F1         –          neither list has a pair
ARI        1.000000   adjusted Rand index of the clusters, over the 0 documents that the lists name
";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
}

#[test]
fn the_same_partition_has_index_one_though_chance_could_make_no_other() {
    let folder = Folder::new();
    folder.write("one.csv", "id,cluster\np,1\nq,1\nr,1\n").write("none.csv", "id,cluster\np,1\nq,2\nr,3\n");
    for list in ["one.csv", "none.csv"] {
        assert_eq!(index(&eval(&folder, &format!("{list} --truth {list}"))), &json!(1.0));
    }
    assert_eq!(index(&eval(&folder, "one.csv --truth none.csv")), &json!(0.0));
}

#[test]
fn clusters_and_pairs_are_compared_as_listed_and_as_clusters() {
    let folder = Folder::new();
    // A chain of pairs. The true list lacks the pair of its ends.
    folder.write("removed.csv", "id,kept_id\nq,p\nr,p\n").write("truth.csv", "a,b\np,q\nq,r\n");
    let expected = "\
precision  0.666667   of 3 found pairs; 1 wrong
recall     1.000000   of 2 true pairs; 0 missing
F1         0.800000
closed     the same for clusters: the listed pairs are joined to clusters, and all pairs of a cluster count:
 precision 1.000000   of 3 found pairs; 0 wrong
 recall    1.000000   of 3 true pairs; 0 missing
 F1        1.000000
ARI        1.000000   adjusted Rand index of the clusters, over the 3 documents that the lists name
";
    let ran = folder.run("eval removed.csv --truth truth.csv -q");
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    assert!(!folder.run("eval truth.csv --truth truth.csv -q").stdout.contains("closed"));
}

#[test]
fn differences_of_large_clusters_take_as_long_as_there_are_any() {
    let folder = Folder::new();
    let common: String = (1..300_000).map(|document| format!("d{document},1\n")).collect();
    folder
        .write("found.csv", format!("id,cluster\nd0,1\n{common}"))
        .write("truth.csv", format!("id,cluster\nd0,0\n{common}"));
    let started = std::time::Instant::now();
    eval(&folder, "found.csv --truth truth.csv --wrong wrong.csv --missing missing.csv");
    // There are 45 thousand million pairs, which would take minutes to count one by one.
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
    assert_eq!(folder.read("wrong.csv").lines().count(), 300_000);
    assert_eq!(folder.read("missing.csv"), "a,b\n");
}

#[test]
fn lists_of_different_documents_have_nothing_in_common() {
    let folder = Folder::new();
    folder.write("truth.csv", TRUTH).write("found.csv", "a,b\nw,x\nx,y\n");
    let report = eval(&folder, "found.csv --truth truth.csv");
    assert_eq!(pairs(&report), json!([2, 4, 0, 0.0, 0.0, 0.0]));
    assert_eq!(report["clusters"]["named"], 8);
    assert_close(index(&report), naive_index(&[1, 2, 3, 4, 5, 6, 6, 6], &[1, 1, 1, 2, 2, 3, 4, 5]));
}

#[test]
fn a_pair_counts_once_and_one_with_itself_never() {
    let folder = Folder::new();
    folder.write("truth.csv", TRUTH);
    folder.write("found.csv", "a,b,cosine\nq,p,0.9\np,q,0.7\nq,p,0.9\nu,u,1\nt,s,0.8\n");
    let report = eval(&folder, "found.csv --truth truth.csv");
    assert_eq!(pairs(&report), json!([2, 4, 2, 1.0, 0.5, 2.0 / 3.0]));
    let found = &report["found"];
    assert_eq!(
        (&found["rows"], &found["repeated"], &found["with_itself"]),
        (&json!(5), &json!(2), &json!(1))
    );
    // A document that is paired only with itself counts as a document.
    assert_eq!(report["clusters"]["named"], 6);
    assert_eq!(report["by_found"]["column"], "cosine");
    assert_eq!(report["by_found"]["bins"][2], json!({"from":0.9,"to":0.95,"pairs":1,"both":1,"share":1.0}));
    let ran = folder.run("eval found.csv --truth truth.csv -q");
    assert!(ran.stdout.contains("           2 rows repeated, counted once\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("           1 pair of a document with itself, left out\n"), "{}", ran.stdout);
}

#[test]
fn the_pairs_of_clusters_are_all_pairs_of_their_members() {
    let folder = Folder::new();
    folder.write("truth.csv", TRUTH);
    folder.write("found.csv", "id,cluster,kept\np,7,true\nq,7,false\ns,7,false\nr,2,true\nt,,true\n");
    let report = eval(&folder, "found.csv --truth truth.csv");
    assert_eq!(pairs(&report), json!([3, 4, 1, 1.0 / 3.0, 0.25, 2.0 / 7.0]));
    assert_close(index(&report), naive_index(&[1, 1, 2, 1, 3], &[1, 1, 1, 2, 2]));
    assert_eq!(report["by_truth"]["bins"][2]["both"], 1);
    assert_eq!((&report["by_found"], &report["found"]["clusters"]), (&Value::Null, &json!(1)));
    let turned = eval(&folder, "truth.csv --truth found.csv");
    assert_eq!(pairs(&turned), json!([4, 3, 1, 0.25, 1.0 / 3.0, 2.0 / 7.0]));
    assert_eq!(index(&turned), index(&report));

    folder.write("truth.jsonl", r#"{"id":"q","cluster":"x"} {"id":"p","cluster":"x"} {"id":"r","cluster":"x"} {"id":"s","cluster":"y"} {"id":"t","cluster":"y"}"#.replace("} ", "}\n"));
    let clusters = eval(&folder, "found.csv --truth truth.jsonl");
    assert_eq!(clusters["pairs"], report["pairs"]);
    assert_eq!(clusters["clusters"], report["clusters"]);
}

#[test]
fn a_document_of_two_clusters_makes_them_one() {
    let folder = Folder::new();
    folder.write("found.csv", "id,cluster\np,1\nq,1\nr,2\nq,2\np,1\n").write("truth.csv", TRUTH);
    let report = eval(&folder, "found.csv --truth truth.csv");
    assert_eq!(pairs(&report), json!([3, 4, 3, 1.0, 0.75, 6.0 / 7.0]));
    assert_eq!((&report["found"]["in_several"], &report["found"]["repeated"]), (&json!(1), &json!(1)));
    let ran = folder.run("eval found.csv --truth truth.csv -q");
    assert!(
        ran.stdout
            .contains("1 row for a document that is also in another cluster; such clusters count as one"),
        "{ran:?}"
    );
}

#[test]
fn distances_have_a_bin_each() {
    let folder = Folder::new();
    folder.write("found.jsonl", "{\"a\":\"p\",\"b\":\"q\",\"hamming\":3}\n{\"a\":\"p\",\"b\":\"x\",\"hamming\":1}\n{\"a\":\"p\",\"b\":\"t\",\"hamming\":null}\n");
    folder.write("truth.csv", TRUTH);
    let report = eval(&folder, "found.jsonl --truth truth.csv --wrong wrong.csv");
    let by_found = &report["by_found"];
    let shares: Vec<&Value> = by_found["bins"].as_array().unwrap().iter().map(|bin| &bin["share"]).collect();
    assert_eq!(shares, [&Value::Null, &json!(0.0), &Value::Null, &json!(1.0)]);
    assert_eq!((&by_found["column"], &by_found["outside"]), (&json!("hamming"), &json!(1)));
    assert_eq!(folder.read("wrong.csv"), "a,b,hamming\np,x,1\np,t,\n");
    let ran = folder.run("eval found.jsonl --truth truth.csv -q");
    assert!(
        ran.stdout.ends_with("\n  1 pair without a value, or with one outside of the scale\n"),
        "{ran:?}"
    );
}

#[test]
fn wrong_and_missing_pairs_are_lists_of_their_own() {
    let folder = Folder::new();
    folder
        .write("truth.csv", TRUTH)
        .write("found.csv", "a,b,jaccard\nq,p,0.9\nx,\"y,z\",0.123456\ns,q,0.5\n");
    let report = eval(&folder, "found.csv --truth truth.csv --wrong wrong.jsonl --missing missing.tsv");
    assert_eq!((&report["pairs"]["wrong"], &report["pairs"]["missing"]), (&json!(2), &json!(3)));
    let wrong =
        "{\"a\":\"s\",\"b\":\"q\",\"jaccard\":0.500000}\n{\"a\":\"x\",\"b\":\"y,z\",\"jaccard\":0.123456}\n";
    assert_eq!(folder.read("wrong.jsonl"), wrong);
    let missing = "a\tb\tjaccard\nq\tr\t1.000000\np\tr\t0.820000\ns\tt\t0.800000\n";
    assert_eq!(folder.read("missing.tsv"), missing);
    // eval reads its own lists again.
    assert_eq!(
        pairs(&eval(&folder, "missing.tsv --truth truth.csv")),
        json!([3, 4, 3, 1.0, 0.75, 6.0 / 7.0])
    );
    folder.write("clusters.csv", "id,cluster\np,1\nq,1\ns,1\n");
    eval(&folder, "clusters.csv --truth truth.csv --wrong wrong.parquet --missing missing.csv");
    assert_eq!(
        pairs(&eval(&folder, "wrong.parquet --truth clusters.csv")),
        json!([2, 3, 2, 1.0, 2.0 / 3.0, 0.8])
    );
}

#[test]
fn impossible_outputs_are_refused_before_anything_is_written() {
    let folder = Folder::new();
    folder.write("truth.csv", TRUTH).write("found.csv", "a,b\np,q\n");
    let eval = |arguments: &str| folder.run(&format!("eval found.csv --truth truth.csv {arguments}"));
    let expected = "error: the lists name 5 documents, more than the 4 that were given\n  \
                    hint: --documents is the number of all documents\n";
    assert_eq!(eval("--documents 4 --wrong wrong.csv"), failed(2, expected));
    let expected = "error: --missing -: the report goes to standard output; give a file\n";
    assert_eq!(eval("--missing -"), failed(2, expected));
    let expected = "error: --summary no/s.json: give a file in a folder that exists\n";
    assert_eq!(eval("--summary no/s.json"), failed(2, expected));
    for place in ["found.csv", "truth.csv"] {
        let expected = format!("error: {place}: this output is also an input; give it another name\n");
        assert_eq!(eval(&format!("--wrong {place}")), failed(1, &expected));
    }
    let expected = "error: out.csv: two outputs have this name; give each a name of its own\n";
    assert_eq!(eval("--wrong out.csv --missing out.csv"), failed(1, expected));
    let expected = "error: standard input is one list only; give a file for the other\n";
    assert_eq!(folder.run("eval - --truth -"), failed(2, expected));
    assert_eq!(folder.run("eval found.csv").code, Some(2));
    assert_eq!(folder.names(), ["found.csv", "truth.csv"]);
}

#[test]
fn a_cluster_of_a_hundred_thousand_is_counted_but_not_listed() {
    let folder = Folder::new();
    let cluster: String = (0..100_000).map(|document| format!("d{document},1\n")).collect();
    folder.write("found.csv", format!("id,cluster\n{cluster}")).write("truth.csv", TRUTH);
    let report = eval(&folder, "found.csv --truth truth.csv");
    assert_eq!(report["pairs"]["wrong"], 4_999_950_000_u64);
    let expected = "note: the lists have no id in common: one of found.csv is d0, and one of truth.csv is p\n\
                    error: the clusters make 4,999,950,000 wrong or missing pairs\n  \
                    hint: leave out --wrong and --missing; they are counted all the same\n";
    assert_eq!(folder.run("eval found.csv --truth truth.csv --wrong wrong.csv"), failed(1, expected));
    assert!(!exists(&folder.path("wrong.csv")));
}

#[test]
fn reports_and_lists_are_the_same_with_any_number_of_threads() {
    let folder = Folder::new();
    // The lists have several chunks, and any worker may decode the compressed ones.
    let rows = |step: usize| -> String {
        (0..120_000)
            .map(|row| format!("d{}\td{}\t0.{:02}\n", row * 7919 % 5000, row * step % 5003, row % 100))
            .collect()
    };
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, rows(31).as_bytes()).unwrap();
    folder.write("found.tsv.gz", encoder.finish().unwrap()).write("truth.tsv", rows(37));
    let run = |threads: usize| {
        let ran = folder.run(&format!(
            "eval found.tsv.gz --truth truth.tsv --wrong wrong.csv --missing missing.csv -q --threads {threads}"
        ));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        (ran.stdout, folder.read("wrong.csv"), folder.read("missing.csv"))
    };
    let one = run(1);
    assert!(one.1.lines().count() > 1000);
    assert!(run(4) == one);
}
