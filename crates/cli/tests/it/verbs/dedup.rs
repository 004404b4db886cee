//! `dedup`: the kept documents, the lists and the summary.

use crate::{Folder, failed, jsonl, silent, words};

/// Documents a and c differ in a few words at the end. b has no near-duplicate, and d is a copy of a.
fn corpus() -> String {
    let a = words(1);
    let c = format!("{a} and a tail");
    jsonl(&[&a, &words(2), &c, &a])
}

#[test]
fn kept_lines_are_copied_byte_for_byte_in_order() {
    let folder = Folder::new();
    let input: String =
        corpus().lines().map(|line| format!("  {}  \n", line.replace("\",", "\" ,"))).collect();
    folder.write("in.jsonl", &input);
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl -q"), silent());
    let expected: String = input.split_inclusive('\n').take(2).collect();
    assert_eq!(folder.read("out.jsonl"), expected);
}

#[test]
fn the_list_of_removed_documents_has_the_reasons() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --removed removed.jsonl -q"), silent());
    // a has 36 shingles of five words, and c has these and three more.
    let expected = "{\"id\":\"c\",\"kept_id\":\"a\",\"cluster\":1,\"jaccard\":0.923077,\"containment\":0.923077,\
                    \"uncovered_words\":3,\"uncovered\":\"and a tail\"}\n\
                    {\"id\":\"d\",\"kept_id\":\"a\",\"cluster\":1,\"jaccard\":1.000000,\"containment\":1.000000,\
                    \"uncovered_words\":0,\"uncovered\":\"\"}\n";
    assert_eq!(folder.read("removed.jsonl"), expected);
}

#[test]
fn the_list_of_clusters_names_members_and_the_kept_one() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --clusters clusters.csv --keep last -q"), silent());
    assert_eq!(folder.read("clusters.csv"), "id,cluster,kept\na,1,false\nc,1,false\nd,1,true\n");
}

#[test]
fn annotate_keeps_every_row_and_adds_the_decision() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --annotate --keep longest -q"), silent());
    let rows: Vec<serde_json::Value> =
        folder.read("out.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let row = |index: usize| {
        let row = &rows[index];
        (&row["cluster"], &row["kept"], &row["kept_id"], &row["jaccard"], &row["containment"])
    };
    use serde_json::{Value::Null, json};
    let counts: Vec<_> = rows.iter().map(|row| row["duplicate_count"].as_u64().unwrap()).collect();
    assert_eq!(counts, [2, 0, 2, 2]);
    let removed = (&json!(1), &json!(false), &json!("c"), &json!(0.923077), &json!(1.0));
    assert_eq!(row(0), removed);
    assert_eq!(row(1), (&Null, &json!(true), &Null, &Null, &Null));
    assert_eq!(row(2), (&json!(1), &json!(true), &Null, &Null, &Null));
    assert_eq!(row(3), removed);
}

#[test]
fn each_policy_keeps_its_document() {
    let folder = Folder::new();
    let line = |id: &str, tail: &str, score: &str| {
        format!("{{\"id\":\"{id}\",\"text\":\"{}{tail}\"{score}}}\n", words(1))
    };
    let input = [
        line("a", "", ""),
        line("b", " x y", ",\"score\":2"),
        line("c", " x", ",\"score\":7.5"),
        line("d", "", ",\"score\":-1"),
    ];
    folder.write("in.jsonl", input.concat());
    for (keep, index) in [("first", 0), ("last", 3), ("longest", 1), ("max:score", 2), ("min:score", 3)] {
        assert_eq!(folder.run(&format!("dedup in.jsonl -o out.jsonl -q --keep {keep}")), silent());
        assert_eq!(folder.read("out.jsonl"), input[index], "{keep}");
    }
    let ran = folder.run("dedup in.jsonl -o out.jsonl --keep max:score --summary summary.json");
    assert!(ran.stderr.contains("1 document without a number in the field of --keep"), "{}", ran.stderr);
    assert_eq!(folder.summary()["without_number"], 1);
    let ran = folder.run("dedup in.jsonl -o none.jsonl --keep max:scoer");
    let expected = "error: no document has a number in the field \"scoer\", which decides the kept one; the fields of the \
                    first document are id, text\n  hint: check the field of --keep; its values must be numbers\n";
    assert_eq!(ran, failed(1, expected));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --keep best");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("use first, last, longest, max:FIELD, min:FIELD, none, or a number from 1"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_dry_run_writes_only_the_summary_and_its_settings() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    let ran = folder.run("dedup in.jsonl -o out.jsonl --dry-run --summary summary.json");
    assert_eq!(ran.code, Some(0));
    assert_eq!(folder.names(), ["in.jsonl", "summary.json", "summary.toml"]);
    assert!(ran.stderr.contains("dry run    would remove 2 documents (50.0 %)"), "{}", ran.stderr);
    for list in ["--removed removed.csv", "--clusters clusters.csv", "--annotate"] {
        let ran = folder.run(&format!("dedup in.jsonl -o out.jsonl --dry-run {list}"));
        let option = list.split(' ').next().unwrap();
        let said = format!("error: --dry-run writes only the summary and the report; leave out {option}\n");
        assert_eq!(ran, failed(2, &said));
    }
}

#[test]
fn the_summary_has_the_keys_of_the_contract() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    folder.run("dedup in.jsonl --dry-run --method minhash --summary summary.json");
    let summary = folder.summary();
    for (key, value) in
        [("documents", 4), ("skipped", 0), ("clusters", 1), ("kept", 2), ("removed", 2), ("pairs", 1)]
    {
        assert_eq!(summary[key], value, "{key}");
    }
    assert_eq!(summary["bytes"], corpus().len());
    assert!(summary["candidates"].as_u64().unwrap() >= 1);
    assert!(summary["recall_estimate"].as_f64().unwrap() > 0.99);
    assert!(summary["peak_memory_bytes"].as_u64().unwrap() > 1_000_000);
    assert!(summary["seconds"]["total"].as_f64().unwrap() > 0.0);
    let monitoring = &summary["monitoring"];
    assert_eq!(monitoring["largest_bucket"], 2);
    assert_eq!(monitoring["buckets"][0]["from"], 2);
    let buckets = &monitoring["buckets"][0];
    assert_eq!(buckets["documents"].as_u64(), buckets["buckets"].as_u64().map(|buckets| 2 * buckets));
    assert!(monitoring["compared_per_second"].as_f64().unwrap() > 0.0);
    assert_eq!(summary["plan"]["bands"], 21);
    assert_eq!(summary["plan"]["rows"], 6);
}

#[test]
fn documents_without_an_id_go_by_file_and_line() {
    let folder = Folder::new();
    let line = format!("{{\"text\":\"{}\"}}\n", words(1));
    folder.write("in/a.jsonl", format!("\n{line}")).write("in/b.jsonl", &line);
    assert_eq!(folder.run("dedup in -o out --removed removed.csv -q"), silent());
    assert!(folder.read("removed.csv").ends_with("in/b.jsonl:1,in/a.jsonl:2,1,1.000000,1.000000,0,\n"));
    assert_eq!((folder.read("out/a.jsonl"), folder.read("out/b.jsonl")), (line, String::new()));
}

#[test]
fn a_line_number_counts_the_lines_of_all_chunks_before() {
    let folder = Folder::new();
    let mut lines: Vec<String> =
        (0..20_000).map(|seed| format!("{{\"text\":\"{}\"}}\n", words(seed))).collect();
    lines.push(lines[12_345].clone());
    folder.write("in.jsonl", lines.concat());
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --removed removed.csv -q"), silent());
    assert!(folder.read("removed.csv").ends_with("in.jsonl:20001,in.jsonl:12346,1,1.000000,1.000000,0,\n"));
}

#[test]
fn clusters_made_by_chains_are_verified_link_by_link() {
    // a–b and b–c are similar, and a–c are not. They form one cluster, and the list has the similarity of a and c.
    let folder = Folder::new();
    let text = |from: usize| (from..from + 60).map(|i| format!("w{i}")).collect::<Vec<_>>().join(" ");
    folder.write("in.jsonl", jsonl(&[text(0), text(5), text(10)]));
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --removed removed.csv -q"), silent());
    let removed = folder.read("removed.csv");
    assert!(removed.contains("c,a,1,0.696970,0.821429"), "{removed}");
}

#[test]
fn an_output_in_a_folder_that_is_not_there_is_refused_before_any_work() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    let ran = folder.run("dedup in.jsonl -o no/out.jsonl");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("no/out.jsonl"), "{}", ran.stderr);
    let ran = folder.run("dedup in.jsonl -o out.jsonl --removed removed.xls");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains(".parquet"), "{}", ran.stderr);
    assert_eq!(folder.names(), ["in.jsonl"]);
}

#[test]
fn another_format_than_the_input_is_refused_with_the_remedy() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    let ran = folder.run("dedup in.jsonl -o out.csv");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains(".jsonl"), "{}", ran.stderr);
    assert_ne!(ran, failed(1, ""));
}
