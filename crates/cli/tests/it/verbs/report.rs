//! `dedup --report`: the HTML page.

use crate::{Folder, failed, jsonl, silent, words};

/// Forty texts in ten families of four, each with a word changed in turn, and a copy.
pub(crate) fn families() -> String {
    let mut texts: Vec<String> = Vec::new();
    for family in 0..10 {
        let mut text: Vec<String> = words(family + 1).split(' ').map(str::to_owned).collect();
        for step in 0..4 {
            text[step * 9] = format!("edit{family}x{step}");
            texts.push(text.join(" "));
        }
    }
    texts.push(texts[0].clone());
    let lines = texts.iter().enumerate();
    lines.map(|(id, text)| jsonl(&[text]).replace("\"a\"", &format!("\"d{id}\""))).collect()
}

/// The page without what differs from run to run.
pub(crate) fn lasting(page: &str) -> String {
    let (before, rest) = page.split_once("<section aria-labelledby=\"effort\">").unwrap();
    before.to_owned() + rest.split_once("</section>").unwrap().1
}

#[test]
fn the_page_shows_the_removed_documents() {
    let folder = Folder::new();
    folder.write("in.jsonl", families());
    let command = "dedup in.jsonl -o out.jsonl --removed removed.jsonl --threshold 0.6 --shingle 2 --method minhash --summary summary.json \
                   --report report.html -q";
    assert_eq!(folder.run(command), silent());
    let written = ["in.jsonl", "out.jsonl", "removed.jsonl", "report.html", "summary.json", "summary.toml"];
    assert_eq!(folder.names(), written);
    let (page, summary) = (folder.read("report.html"), folder.summary());
    let removed = summary["removed"].as_u64().unwrap();
    assert!(removed > 25, "{summary}");
    assert!(page.contains(&format!("{removed} of 41 documents were removed")), "{page}");
    for chart in ["removed-by-score", "pairs-by-score", "cluster-sizes", "bucket-sizes"] {
        assert!(page.contains(&format!("<figure class=\"chart\" id=\"{chart}\">")), "{chart}");
    }
    assert!(page.contains("<polyline class=\"curve\""));
    // The lists and the page agree: the removed document with the lowest similarity is an example.
    let listed = folder.read("removed.jsonl");
    let similarity = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        (row["jaccard"].as_f64().unwrap(), row["id"].as_str().unwrap().to_owned())
    };
    let least = listed.lines().map(similarity).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    assert!(page.contains(&format!("<bdi>{}</bdi> removed", least.1)), "{least:?}");
    assert!(page.contains(&format!("{:.4}", least.0)) && page.contains("<mark>edit0x0 w1x1"), "{least:?}");
    // The report does not change the summary in JSON.
    assert!(summary.get("findings").is_none());
}

#[test]
fn the_page_is_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    folder.write("in.jsonl", families()).write("more/in.jsonl", families());
    for method in ["minhash", "exact", "simhash", "simhash --verify --hamming 12"] {
        let pages = [1, 3].map(|threads| {
            let command = format!("dedup in.jsonl more --dry-run --report r.html -q --method {method} -t 0.7 --threads {threads}");
            let command = command.replace(" -t 0.7", if method == "simhash" { "" } else { " -t 0.7" });
            assert_eq!(folder.run(&command), silent());
            lasting(&folder.read("r.html"))
        });
        assert!(pages[0] == pages[1], "{method}");
        assert_eq!(
            pages[0].contains("class=\"curve\""),
            method.contains("hash --verify") || method == "minhash"
        );
        assert_eq!(pages[0].contains("distance in bits"), method == "simhash");
        assert!(pages[0].contains("details class=\"example\""), "{method}");
    }
}

#[test]
fn a_dry_run_writes_the_page_and_nothing_else() {
    let folder = Folder::new();
    folder.write("in.jsonl", families());
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --dry-run --report report.html -q"), silent());
    assert_eq!(folder.names(), ["in.jsonl", "report.html"]);
    assert!(folder.read("report.html").contains("A dry run: no documents were written."));
}

#[test]
fn a_run_that_finds_or_reads_nothing_has_a_page() {
    for input in [jsonl(&[words(1), words(2)]), String::new(), jsonl(&["", " "])] {
        let folder = Folder::new();
        folder.write("in.jsonl", input);
        for method in ["minhash", "exact", "simhash"] {
            let command = format!("dedup in.jsonl -o out.jsonl --report report.html -q --method {method}");
            assert_eq!(folder.run(&command), silent());
            let page = folder.read("report.html");
            assert!(page.contains("No near-duplicates were found.") && !page.contains("class=\"example\""));
        }
    }
}

#[test]
fn examples_are_read_from_any_format() {
    let folder = Folder::new();
    let text = format!("{} {}", words(1), words(2));
    let other = text.replace("w1x3 ", "");
    let row = |text: &str| format!("\"{text}\"\n");
    let lines = jsonl(&[&text, &words(3), &other]);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, lines.as_bytes()).unwrap();
    folder
        .write("a.jsonl.gz", encoder.finish().unwrap())
        .write("b.csv", format!("text\n{}{}{}", row(&text), row(&words(3)), row(&other)))
        .write("c/1.txt", &text)
        .write("c/2.txt", &other);
    for (input, kept, removed) in
        [("a.jsonl.gz", "a", "c"), ("b.csv", "b.csv:2", "b.csv:4"), ("c", "c/1.txt", "c/2.txt")]
    {
        folder.run(&format!("dedup {input} --dry-run --report report.html -q"));
        let page = folder.read("report.html");
        assert!(
            page.contains(&format!("<bdi>{removed}</bdi> removed, <bdi>{kept}</bdi> kept")),
            "{input}: {page}"
        );
        assert!(page.contains("<mark>w1x4 w1x5"), "{input}");
    }
    // The run can read standard input again, too.
    assert_eq!(
        folder.run_with_input("dedup - --dry-run --report report.html -q", lines.as_bytes()),
        silent()
    );
    assert!(folder.read("report.html").contains("<mark>w1x4 w1x5"));
}

#[test]
fn skipped_records_are_counted_and_hostile_ones_are_escaped() {
    let folder = Folder::new();
    let hostile = format!("</details><script>alert(1)</script>\u{202e}\u{0} {}", words(1));
    let line = |id: &str, text: &str| serde_json::json!({ "id": id, "text": text }).to_string() + "\n";
    let input =
        line("<img src=x>", &hostile) + "{\"id\":1}\n" + &line("\u{1b}[31m", &hostile.replace("w1x39", "x"));
    folder.write("in.jsonl", input);
    assert_eq!(folder.run("dedup in.jsonl --dry-run --report report.html -q").code, Some(3));
    let page = folder.read("report.html");
    assert!(page.contains("Records that were skipped: 1") && page.contains("in.jsonl:2"), "{page}");
    assert!(page.contains("&#60;img src=x&#62;") && page.contains("alert(1)"));
    assert!(
        !page.contains("<script")
            && !page.contains("<img")
            && !page.contains(['\u{202e}', '\u{0}', '\u{1b}'])
    );
}

#[test]
fn the_page_takes_no_other_place() {
    let folder = Folder::new();
    let lines = families();
    folder.write("in.jsonl", &lines);
    let ran = folder.run("dedup in.jsonl -o out.jsonl --report in.jsonl");
    let said = "error: --report in.jsonl: the report is an HTML page; end the name in .html or .htm\n";
    assert_eq!(ran, failed(2, said));
    folder.write("page.html", "<p>a page");
    let ran = folder.run("dedup in.jsonl --against page.html -o out.jsonl --report page.html");
    assert_eq!(ran, failed(1, "error: page.html: this output is also an input; give it another name\n"));
    for arguments in ["-o r.html/ --report r.html", "-o out.jsonl --summary r.html --report r.html"] {
        let ran = folder.run(&format!("dedup in.jsonl {arguments}"));
        assert!(ran.stderr.contains("two outputs have this name; give each a name of its own"), "{ran:?}");
    }
    for place in ["-", "nowhere/r.html", "."] {
        let ran = folder.run(&format!("dedup in.jsonl -o out.jsonl --report {place}"));
        let expected = format!("error: --report {place}: give a file in a folder that exists\n");
        assert_eq!(ran, failed(2, &expected));
    }
    // The run had made a folder for the first output. It removes this folder when the second name is taken.
    assert_eq!(folder.names(), ["in.jsonl", "page.html"]);
    assert_eq!(folder.read("in.jsonl"), lines);
}

#[test]
fn a_cluster_with_several_kept_documents_shows_each_with_its_removed_ones() {
    let folder = Folder::new();
    let (text, tail) = (words(1), words(2));
    // The second text contains the first, which contains the third.
    let texts = [
        text.clone(),
        format!("{text} {tail}"),
        text.replace(" w1x39", ""),
        format!("{text} {}", tail.replace("w2x20", "x")),
    ];
    folder.write("in.jsonl", jsonl(&texts));
    let command = "dedup in.jsonl --dry-run -q --threshold 0.4 --min-containment 0.9 --report report.html";
    assert_eq!(folder.run(command), silent());
    let page = folder.read("report.html");
    assert!(page.contains("<bdi>d</bdi> removed, <bdi>b</bdi> kept"), "{page}");
    assert!(page.contains("1 document kept only for this reason"), "{page}");
    assert_eq!(
        folder.run("dedup in.jsonl --dry-run -q --threshold 0.4 --cluster star --report report.html"),
        silent()
    );
    assert!(folder.read("report.html").contains("makes a pair with the kept one"));
}

#[test]
fn a_cluster_names_all_removed_documents_for_every_number_that_is_kept() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&vec![words(1); 6]));
    for (keep, removed) in [("first", 5), ("2", 4), ("4", 2), ("none", 6)] {
        let command = format!("dedup in.jsonl --dry-run --keep {keep} --report report.html -q");
        assert_eq!(folder.run(&command), silent(), "{keep}");
        let page = folder.read("report.html");
        assert_eq!(
            page.matches("<span class=\"member\">").count() / page.matches(">Removed:").count(),
            removed
        );
        assert!(!page.contains(" more.</p>"), "{keep}");
    }
}
