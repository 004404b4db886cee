//! `pairs --report`

use super::report::{families, lasting};
use crate::{Folder, failed, jsonl, silent, words};

#[test]
fn the_page_has_the_figures_of_the_summary_and_shows_pairs_of_the_list() {
    let folder = Folder::new();
    folder.write("in.jsonl", families());
    let command = "pairs in.jsonl -o pairs.jsonl --threshold 0.6 --shingle 2 --method minhash --summary summary.json \
                   --report report.html -q";
    assert_eq!(folder.run(command), silent());
    assert_eq!(folder.names(), ["in.jsonl", "pairs.jsonl", "report.html", "summary.json", "summary.toml"]);
    let (page, summary) = (folder.read("report.html"), folder.summary());
    let (pairs, clusters) = (summary["pairs"].as_u64().unwrap(), summary["clusters"].as_u64().unwrap());
    assert!(pairs > 50 && clusters == 10, "{summary}");
    assert!(
        page.contains(&format!("{pairs} pairs were found among 41 documents, in {clusters} clusters.")),
        "{page}"
    );
    for (name, key) in [("Pairs", "pairs"), ("Clusters", "clusters"), ("Candidates", "candidates")] {
        let row = format!("<th scope=\"row\">{name}</th><td class=\"value\">{}</td>", summary[key]);
        assert!(page.contains(&row), "{row}");
    }
    for chart in ["pairs-by-score", "cluster-sizes", "bucket-sizes"] {
        assert!(page.contains(&format!("<figure class=\"chart\" id=\"{chart}\">")), "{chart}");
    }
    assert!(page.contains("<polyline class=\"curve\"") && !page.contains("removed"));
    // The least similar pair of the list is the first example, and the most similar one that is no copy is shown.
    let listed = folder.read("pairs.jsonl");
    let rows: Vec<serde_json::Value> =
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len() as u64, pairs);
    let score = |row: &serde_json::Value| row["jaccard"].as_f64().unwrap();
    let least = rows.iter().min_by(|a, b| score(a).total_cmp(&score(b))).unwrap();
    let first = page.split_once("id=\"n1\">").unwrap().1.split_once("</details>").unwrap().0;
    let ids = format!(
        "<bdi>{}</bdi> and\n<bdi>{}</bdi>",
        least["a"].as_str().unwrap(),
        least["b"].as_str().unwrap()
    );
    let first_words = first.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(first_words.contains(&ids.replace('\n', " ")), "{ids}: {first}");
    assert!(first.contains(&format!("{:.4}", score(least))) && first.contains("<mark>"), "{first}");
    let most = rows.iter().map(score).filter(|&score| score < 1.0).max_by(f64::total_cmp).unwrap();
    let last = page.split_once("id=\"most-similar\"").unwrap().1;
    assert!(last.contains(&format!("<summary>{most:.4}")), "{most}");
}

#[test]
fn the_page_is_the_same_for_any_number_of_threads_and_in_little_memory() {
    let folder = Folder::new();
    folder.write("in.jsonl", families()).write("more/in.jsonl", families());
    for method in
        ["minhash -t 0.5", "exact -t 0.5", "simhash --hamming 12", "simhash --verify --hamming 12 -t 0.5"]
    {
        let pages = ["--threads 1", "--threads 2", "--threads 2 --memory 128MiB"].map(|more| {
            let command = format!("pairs in.jsonl more -o p.csv --report r.html -q --method {method} {more}");
            assert_eq!(folder.run(&command), silent());
            lasting(&folder.read("r.html"))
        });
        assert!(pages[0] == pages[1] && pages[0] == pages[2], "{method}");
        assert_eq!(pages[0].contains("distance in bits"), method == "simhash --hamming 12");
        assert!(pages[0].contains("details class=\"example\""), "{method}");
    }
}

#[test]
fn a_run_that_finds_or_reads_nothing_has_a_page() {
    for input in
        [jsonl(&[words(1), words(2)]), String::new(), jsonl(&["", " "]), jsonl(&[words(1), words(1)])]
    {
        let folder = Folder::new();
        folder.write("in.jsonl", &input);
        for method in ["minhash", "exact", "simhash"] {
            let command = format!("pairs in.jsonl -o pairs.jsonl --report report.html -q --method {method}");
            assert_eq!(folder.run(&command), silent());
            let page = folder.read("report.html");
            let found = !folder.read("pairs.jsonl").is_empty();
            assert_eq!(page.contains("No near-duplicates were found."), !found, "{input}");
            assert_eq!(page.contains("1 pair was found among 2 documents"), found, "{input}");
            // A copy is no example.
            assert!(!page.contains("class=\"example\""));
        }
    }
}

#[test]
fn hostile_texts_and_ids_are_escaped_and_nothing_is_loaded() {
    let folder = Folder::new();
    let hostile = format!("</details><script>alert(1)</script>\u{202e}\u{0} {}", words(1));
    let line = |id: &str, text: &str| serde_json::json!({ "id": id, "text": text }).to_string() + "\n";
    let input =
        line("<img src=x>", &hostile) + "{\"id\":1}\n" + &line("\u{1b}[31m", &hostile.replace("w1x39", "x"));
    folder.write("in.jsonl", input);
    assert_eq!(folder.run("pairs in.jsonl -o p.jsonl --report report.html -q").code, Some(3));
    let page = folder.read("report.html");
    assert!(page.contains("Records that were skipped: 1") && page.contains("in.jsonl:2"), "{page}");
    assert!(page.contains("&#60;img src=x&#62;") && page.contains("alert(1)"));
    assert!(!page.contains(['\u{202e}', '\u{0}', '\u{1b}']));
    for active in ["<script", "<img", "http:", "https:", "url(", "src=\"", "javascript:", "@import"] {
        assert!(!page.contains(active), "{active}");
    }
}

#[test]
fn the_page_takes_no_other_place_and_is_published_with_the_list() {
    let folder = Folder::new();
    let lines = families();
    folder.write("in.jsonl", &lines);
    let ran = folder.run("pairs in.jsonl -o pairs.csv --report in.jsonl");
    let said = "error: --report in.jsonl: the report is an HTML page; end the name in .html or .htm\n";
    assert_eq!(ran, failed(2, said));
    for arguments in
        ["-o p.csv --summary r.html --report r.html", "-o p.csv --summary ./r.htm --report r.htm"]
    {
        let ran = folder.run(&format!("pairs in.jsonl {arguments}"));
        assert!(ran.stderr.contains("two outputs have this name; give each a name of its own"), "{ran:?}");
    }
    for place in ["-", "nowhere/r.html", "."] {
        let ran = folder.run(&format!("pairs in.jsonl -o pairs.csv --report {place}"));
        let expected = format!("error: --report {place}: give a file in a folder that exists\n");
        assert_eq!(ran, failed(2, &expected));
    }
    // A run that fails leaves neither.
    folder.write("bad.jsonl", lines + "{\"text\":\n");
    let ran = folder.run("pairs bad.jsonl -o pairs.csv --report r.html --strict");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(folder.names(), ["bad.jsonl", "in.jsonl"]);
    assert_eq!(folder.run("pairs in.jsonl --report r.html -q").code, Some(0));
    assert_eq!(folder.names(), ["bad.jsonl", "in.jsonl", "r.html"]);
}
