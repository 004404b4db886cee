//! `dedup --only-against`. `crates/batch/tests/it/only_against.rs` compares the results with all pairs.

use crate::{Folder, Ran, silent};

/// Forty words of a row, each text six words behind the one before. Neighbours are similar, and others are not.
fn text(number: usize) -> String {
    (6 * number..6 * number + 40).map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ")
}

/// One text to compare against. The first input is similar to it, the next to the first one, and so on. The last two are copies.
fn corpora() -> Folder {
    let folder = Folder::new();
    let line = |(id, number): (&str, usize)| {
        serde_json::json!({ "id": id, "text": text(number) }).to_string() + "\n"
    };
    let inputs = [("n1", 1), ("n2", 2), ("n3", 3), ("n4", 3)];
    folder.write("have.jsonl", line(("t0", 0))).write("in.jsonl", inputs.map(line).concat());
    folder
}

const ONLY: &str =
    "dedup in.jsonl --only-against --summary summary.json --removed removed.csv --clusters clusters.csv -q";

/// The ids of the kept documents.
fn kept(folder: &Folder) -> Vec<String> {
    let rows = folder.read("out.jsonl");
    let rows = rows.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn copies_among_the_inputs_stay_and_lists_name_only_what_goes() {
    let folder = corpora();
    let against = format!("{ONLY} --against have.jsonl -o out.jsonl");
    for more in [
        "--threshold 0.6",
        "--threshold 0.6 --method minhash",
        "--threshold 0.6 --shingle 2 --method simhash --verify --hamming 12",
        "--threshold 0.8 --weights tf --measure cosine",
    ] {
        assert_eq!(folder.run(&format!("{against} {more}")), silent(), "{more}");
        assert_eq!(kept(&folder), ["n2", "n3", "n4"], "{more}");
        let removed = folder.read("removed.csv");
        assert!(removed.lines().count() == 2 && removed.contains("\nn1,t0,1,"), "{more}: {removed}");
        assert_eq!(folder.read("clusters.csv"), "id,cluster,kept\nt0,1,true\nn1,1,false\n", "{more}");
        let summary = folder.summary();
        for (key, value) in
            [("kept", 3), ("removed", 1), ("removed_against", 1), ("clusters", 1), ("loose_clusters", 0)]
        {
            assert_eq!(summary[key], value, "{more} {key}");
        }
        assert_eq!(summary["clustering"], "against");
    }
    // Without the option one document of the chain stays, and it is not even similar to the others that go.
    assert_eq!(folder.run(&format!("{against} --threshold 0.6").replace("--only-against", "")), silent());
    assert_eq!(kept(&folder), [""; 0]);
    let annotate = format!("{against} --threshold 0.6 --annotate --report report.html --audit 4");
    assert_eq!(folder.run(&annotate), silent());
    let rows = folder.read("out.jsonl");
    let rows: Vec<serde_json::Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let marks =
        rows.iter().map(|row| (row["kept"].as_bool().unwrap(), row["duplicate_count"].as_u64().unwrap()));
    assert_eq!(marks.collect::<Vec<_>>(), [(false, 1), (true, 0), (true, 0), (true, 0)]);
    assert!(folder.read("report.html").contains("each removed document makes a pair with one of --against"));
    folder.write("have.jsonl", "{\"id\":\"t9\",\"text\":\"other words\"}\n");
    assert_eq!(folder.run(&annotate), silent());
    assert!(folder.read("report.html").contains("No document is similar to one of --against."));
}

#[test]
fn an_index_gives_the_same_as_its_files_and_grows_by_all_inputs() {
    let folder = corpora();
    for method in [
        "--method minhash --threshold 0.6",
        "--shingle 2 --method simhash --hamming 12",
        "--verify=estimate --threshold 0.5",
    ] {
        let files = format!("{ONLY} --against have.jsonl -o out.jsonl {method}");
        assert_eq!(folder.run(&files), silent(), "{method}");
        let (rows, list) = (kept(&folder), folder.read("removed.csv"));
        assert!(list.contains("\nn1,t0,1,"), "{method}: {list}");
        assert_eq!(folder.run(&format!("index build have.jsonl -o have.index -q {method}")), silent());
        for more in ["", "--update"] {
            assert_eq!(folder.run(&format!("{ONLY} --against have.index -o out.jsonl {more}")), silent());
            assert_eq!(
                (kept(&folder), folder.read("removed.csv")),
                (rows.clone(), list.clone()),
                "{method} {more}"
            );
        }
        // All inputs are there now.
        assert_eq!(folder.run(&format!("{ONLY} --against have.index -o out.jsonl")), silent());
        assert_eq!(kept(&folder), [""; 0], "{method}");
        std::fs::remove_dir_all(folder.path("have.index")).unwrap();
    }
}

#[test]
fn the_option_needs_against_and_leaves_no_choice_of_clusters() {
    let folder = corpora();
    let refused = |more: &str, message: &str| {
        let Ran { code, stderr, .. } =
            folder.run(&format!("dedup in.jsonl -o out.jsonl --only-against {more}"));
        assert_eq!(code, Some(2), "{more}");
        assert!(stderr.contains(message), "{more}: {stderr}");
    };
    refused("", "the following required arguments were not provided:\n  --against <INPUT>");
    for (option, value) in [("--keep", "last"), ("--cluster", "star")] {
        let message = format!("the argument '--only-against' cannot be used with '{option} <");
        refused(&format!("--against have.jsonl {option} {value}"), &message);
    }
}
