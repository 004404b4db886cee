//! `--drop-frequent`, beside brute force over shingles as strings.

use crate::{Folder, failed, silent};
use std::collections::{BTreeMap, BTreeSet};

const BANNER: &str = "this banner stands below each of our pages and nobody reads it";

/// The share of the tests, and so many documents.
const SHARE: f64 = 0.2;
const PAGES: usize = 120;

/// Pages of random words: some have the banner, some are edited copies of an earlier page, some are the banner alone, or its beginning.
fn pages() -> Vec<String> {
    let mut state = 7_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut bodies: Vec<Vec<String>> = Vec::new();
    for _ in 0..PAGES {
        let mut body: Vec<String> = match bodies.is_empty() || random(3) > 0 {
            true => (0..20 + random(20)).map(|_| format!("w{}", random(5000))).collect(),
            false => bodies[random(bodies.len() as u64) as usize].clone(),
        };
        for _ in 0..random(3) {
            let place = random(body.len() as u64) as usize;
            body[place] = format!("e{}", random(5000));
        }
        bodies.push(body);
    }
    let page = |(number, body): (usize, &Vec<String>)| match number % 5 {
        0 | 1 => format!("{BANNER} {}", body.join(" ")),
        _ => body.join(" "),
    };
    let mut pages: Vec<String> = bodies.iter().enumerate().map(page).collect();
    pages.extend([BANNER, "", BANNER, "this banner stands below each of our pages"].map(str::to_owned));
    pages
}

/// The distinct shingles of five words.
fn shingles(text: &str) -> BTreeSet<String> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let length = words.len().clamp(1, 5);
    words.windows(length).map(|window| window.join(" ")).collect()
}

/// The frequent shingles with their numbers of documents, and every similar pair without them.
struct Expected {
    frequent: BTreeMap<String, u64>,
    pairs: BTreeMap<(String, String), f64>,
}

fn expected(pages: &[String]) -> Expected {
    let sets: Vec<BTreeSet<String>> = pages.iter().map(|page| shingles(page)).collect();
    let documents = sets.iter().filter(|set| !set.is_empty()).count() as f64;
    let mut frequent: BTreeMap<String, u64> = BTreeMap::new();
    sets.iter().flatten().for_each(|shingle| *frequent.entry(shingle.clone()).or_default() += 1);
    frequent.retain(|_, count| *count as f64 > SHARE * documents);
    let left = |set: &BTreeSet<String>| -> BTreeSet<String> {
        set.iter().filter(|shingle| !frequent.contains_key(*shingle)).cloned().collect()
    };
    let mut pairs = BTreeMap::new();
    for (b, later) in sets.iter().enumerate() {
        for (a, earlier) in sets[..b].iter().enumerate() {
            let (one, other) = (left(earlier), left(later));
            let common = one.intersection(&other).count() as f64;
            let all = one.union(&other).count().max(1) as f64;
            // Copies are similar, even if nothing is left of them.
            let same = !later.is_empty() && pages[a] == pages[b];
            let similarity = if same { 1.0 } else { common / all };
            if similarity >= 0.8 {
                pairs.insert((a.to_string(), b.to_string()), similarity);
            }
        }
    }
    Expected { frequent, pairs }
}

fn lines(pages: &[String]) -> String {
    let line = |(id, text): (usize, &String)| {
        serde_json::json!({ "id": id.to_string(), "text": text }).to_string() + "\n"
    };
    pages.iter().enumerate().map(line).collect()
}

/// The pairs of a list, with similarities of six digits.
fn listed(list: &str) -> BTreeMap<(String, String), f64> {
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let id = |name: &str| row[name].as_str().unwrap().to_owned();
        ((id("a"), id("b")), row["jaccard"].as_f64().unwrap())
    };
    list.lines().map(row).collect()
}

#[test]
fn frequent_shingles_do_not_count_and_are_counted_and_named() {
    let (folder, pages) = (Folder::new(), pages());
    let Expected { frequent, pairs } = expected(&pages);
    assert!(frequent.len() == 8 && pairs.len() > 20, "{} {}", frequent.len(), pairs.len());
    folder.write("in.jsonl", lines(&pages));
    folder.write("one.jsonl", lines(&pages[..50]));
    // What a run without the option finds differs.
    assert_ne!(listed(&folder.run("pairs in.jsonl -q").stdout).len(), pairs.len());
    for more in [
        "--method exact",
        "--method minhash --threads 1",
        "--method minhash --threads 5 --memory 128MB",
        "--measure jaccard",
    ] {
        let ran =
            folder.run(&format!("pairs in.jsonl --drop-frequent {SHARE} --summary summary.json -q {more}"));
        let found = listed(&ran.stdout);
        assert_eq!(
            found.keys().collect::<Vec<_>>(),
            pairs.keys().collect::<Vec<_>>(),
            "{more}: {}",
            ran.stderr
        );
        assert!(found.iter().all(|(ids, similarity)| (similarity - pairs[ids]).abs() < 1e-6), "{more}");
        let told = &folder.summary()["frequent_shingles"];
        let documents = (PAGES + 3) as u64;
        assert_eq!((&told["share"], &told["documents"]), (&SHARE.into(), &documents.into()));
        assert_eq!(told["dropped"], frequent.len());
        let largest: BTreeMap<String, u64> = told["largest"]
            .as_array()
            .unwrap()
            .iter()
            .map(|each| (each["shingle"].as_str().unwrap().to_owned(), each["documents"].as_u64().unwrap()))
            .collect();
        assert_eq!(largest, frequent);
    }
    let ran = folder.run(&format!("pairs in.jsonl -o pairs.jsonl --drop-frequent {SHARE}"));
    let told = "without    8 shingles that do not count: more than 20 % of 123 documents have them\n";
    assert!(
        ran.stderr.contains(told) && ran.stderr.contains("each of our pages\" in 51 documents"),
        "{}",
        ran.stderr
    );
}

#[test]
fn words_of_frequent_shingles_are_lost_only_if_the_kept_document_lacks_them() {
    let folder = Folder::new();
    let body = |page: usize| (0..30).map(|word| format!("w{page}x{word}")).collect::<Vec<_>>().join(" ");
    let with = |page| format!("{BANNER} {}", body(page));
    let pages = [with(0), format!("{} more", with(0)), body(1), with(1), with(2), with(3)];
    folder.write("in.jsonl", lines(&pages)).write("old.jsonl", lines(&pages[..1]));
    let lost = |options: &str| {
        let run = format!("dedup {options} --dry-run -q --drop-frequent 0.5 --shingle 1");
        let run = run.replace("--dry-run", "-o out.jsonl --removed removed.jsonl --report page.html");
        assert_eq!(folder.run(&run), silent(), "{run}");
        assert!(folder.read("page.html").contains("Frequent shingles"));
        let row = |line: &str| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            (row["id"].as_str().unwrap().to_owned(), row["uncovered"].as_str().unwrap().to_owned())
        };
        folder.read("removed.jsonl").lines().map(row).collect::<BTreeMap<String, String>>()
    };
    let of = |rows: &[(&str, &str)]| -> BTreeMap<String, String> {
        rows.iter().map(|(id, words)| ((*id).to_owned(), (*words).to_owned())).collect()
    };
    assert_eq!(lost("in.jsonl"), of(&[("1", "more"), ("3", BANNER)]));
    assert_eq!(lost("in.jsonl --against old.jsonl"), of(&[("0", ""), ("1", "more"), ("3", BANNER)]));
}

#[test]
fn an_index_leaves_out_what_a_table_says() {
    let (folder, pages) = (Folder::new(), pages());
    folder.write("in.jsonl", lines(&pages)).write("old.jsonl", lines(&pages[..70]));
    folder.write(
        "new.jsonl",
        lines(&pages).lines().skip(70).map(|line| format!("{line}\n")).collect::<String>(),
    );
    let refused = folder.run(&format!("index build old.jsonl -o a.index --drop-frequent {SHARE}"));
    assert!(
        refused.code == Some(2) && refused.stderr.contains("give it as --frequencies FILE"),
        "{refused:?}"
    );
    assert_eq!(folder.run("frequencies in.jsonl -o all.df -q"), silent());
    let options = format!("--drop-frequent {SHARE} --frequencies all.df");
    let ended = |arguments: &str| {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments}: {}", ran.stderr);
        ran
    };
    // The same documents are removed as in one run, by a table and by counting.
    ended(&format!("dedup in.jsonl -o one.jsonl --method minhash {options} -q"));
    ended(&format!("dedup in.jsonl -o counted.jsonl --method minhash --drop-frequent {SHARE} -q"));
    assert_eq!(folder.read("one.jsonl"), folder.read("counted.jsonl"));
    ended(&format!("dedup old.jsonl -o kept.jsonl --method minhash {options} -q"));
    ended(&format!("index build old.jsonl -o a.index {options} -q"));
    let info = ended("index info a.index").stdout;
    assert!(info.contains("without    8 shingles of more than 20 % of the counted documents"), "{info}");
    for beside in [String::new(), options.clone(), format!("--drop-frequent {SHARE}")] {
        ended(&format!(
            "dedup new.jsonl -o more.jsonl --against a.index {beside} --removed removed.jsonl -q"
        ));
        assert_eq!(
            folder.read("kept.jsonl") + &folder.read("more.jsonl"),
            folder.read("one.jsonl"),
            "{beside}"
        );
    }
    let other = folder.run("dedup new.jsonl --dry-run --against a.index --drop-frequent 0.3");
    let message = "error: --drop-frequent 0.3 differs from the index a.index, which was made with 0.2; leave the option out, or make another \
                   index with it\n";
    assert_eq!(other, failed(2, message));
    // Counted anew in the texts of the index, which are fewer.
    ended(&format!("index resketch a.index -o b.index --drop-frequent {SHARE}"));
    ended(&format!("dedup old.jsonl -o old-kept.jsonl --method minhash --drop-frequent {SHARE} -q"));
    ended("dedup old.jsonl -o none.jsonl --against b.index -q");
    assert_eq!(folder.read("none.jsonl"), folder.run("dedup old.jsonl -o - --against a.index -q").stdout);
}

#[test]
fn what_cannot_be_left_out_is_refused() {
    let folder = Folder::new();
    folder.write("in.jsonl", lines(&pages()[..20]));
    let refused = |options: &str| {
        let ran = folder.run(&format!("dedup in.jsonl --dry-run {options}"));
        assert_eq!(ran.code, Some(2), "{options}");
        ran.stderr
    };
    for share in ["0", "1", "0.0009", "NaN"] {
        let message =
            format!("error: --drop-frequent is {share}; it must be at least 0.001 and less than 1\n");
        assert_eq!(refused(&format!("--drop-frequent {share}")), message);
    }
    assert!(refused("--drop-frequent 0.1 --measure word-jaccard").contains("name them by --stop-words"));
    assert!(refused("--drop-frequent 0.1 --weights tf-idf --method simhash").contains("already"));
    assert_eq!(folder.run("frequencies in.jsonl -o all.df -q"), silent());
    assert!(refused("--drop-frequent 0.01 --frequencies all.df").contains("the table counted 20 documents"));
    let ran = folder.run("dedup in.jsonl --dry-run --drop-frequent 0.01");
    assert!(ran.code == Some(0) && ran.stderr.contains("every shingle is frequent"), "{}", ran.stderr);
    assert_eq!(folder.run("sketch in.jsonl -o out.jsonl --drop-frequent 0.1").code, Some(2));
}

#[test]
fn copies_lose_no_words_and_texts_of_the_same_frequent_shingles_are_equal() {
    let folder = Folder::new();
    let texts =
        ["site uses cookies alpha beta", "site uses cookies alpha beta", "site uses cookies one two three"];
    folder.write("in.jsonl", lines(&texts.map(str::to_owned)));
    let dedup = "dedup in.jsonl -o out.jsonl --removed removed.csv -q --shingle 3 --drop-frequent 0.7";
    assert_eq!(folder.run(dedup), silent());
    assert_eq!(folder.read("removed.csv").lines().nth(1), Some("1,0,1,1.000000,1.000000,0,"));
    // Shingles are a set: how often one is there does not count.
    let texts = ["x y x y x", "x y x y x y x", "x y x", "q x y x"];
    folder.write("in.jsonl", lines(&texts.map(str::to_owned)));
    let pairs = |options: &str| folder.run(&format!("pairs in.jsonl -q --shingle 2 {options}")).stdout;
    assert_eq!(pairs("").lines().count(), 3);
    assert_eq!(pairs("--drop-frequent 0.5"), pairs(""));
    assert_eq!(pairs("--drop-frequent 0.5 --method minhash"), pairs(""));
}

#[test]
fn many_shingles_are_counted_in_two_scans() {
    let folder = Folder::new();
    let body = |page: usize| (0..400).map(|word| format!("w{page}x{word}")).collect::<Vec<_>>().join(" ");
    // A share that no number of a computer is exactly: 116 of 400 documents are no more than it.
    let page = |page: usize| match page {
        0..116 => format!("{BANNER} {}", body(page)),
        116 => format!("this banner stands below each {}", body(page)),
        _ => body(page),
    };
    folder.write("in.jsonl", lines(&(0..400).map(page).collect::<Vec<_>>()));
    for threads in [1, 2, 5] {
        let run = format!(
            "dedup in.jsonl --dry-run -q --drop-frequent 0.29 --summary summary.json --threads {threads}"
        );
        assert_eq!(folder.run(&run), silent());
        let told = &folder.summary()["frequent_shingles"];
        assert_eq!(
            told["largest"],
            serde_json::json!([{"shingle": "this banner stands below each", "documents": 117}])
        );
        assert_eq!((&told["documents"], &told["dropped"]), (&400.into(), &1.into()));
    }
}

#[test]
fn documents_without_words_count_neither_in_a_table_nor_without_one() {
    let folder = Folder::new();
    let texts = ["we use cookies one", "we use cookies two", "other things here", "", "  "];
    folder.write("in.jsonl", lines(&texts.map(str::to_owned)));
    assert_eq!(folder.run("frequencies in.jsonl -o all.df --shingle 2 -q --summary summary.json"), silent());
    assert_eq!(folder.summary()["documents"], 5);
    for table in ["", "--frequencies all.df"] {
        let run = format!(
            "pairs in.jsonl --shingle 2 -t 0.3 --drop-frequent 0.6 {table} -q --summary summary.json"
        );
        assert_eq!(folder.run(&run), silent());
        let told = &folder.summary()["frequent_shingles"];
        assert_eq!((&told["documents"], &told["dropped"]), (&3.into(), &2.into()), "{table}");
    }
}
