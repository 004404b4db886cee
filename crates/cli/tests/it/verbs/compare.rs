//! `compare`: text, JSON and HTML.

use crate::{Folder, Ran, failed, jsonl, silent, words};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

const LEFT: &str =
    "Notice. The city council voted on Tuesday to close the old harbour bridge for repairs until March.";
const RIGHT: &str =
    "THE CITY COUNCIL voted on Monday to close the old harbour bridge for repairs until March; more soon.";

/// A folder with two text files.
fn pair(left: &str, right: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.txt", left).write("b.txt", right);
    folder
}

fn json_of(ran: Ran) -> Value {
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The part of a text at a position that the JSON gives in characters.
fn slice(text: &str, range: &Value) -> String {
    let at = |index: usize| range[index].as_u64().unwrap() as usize;
    text.chars().skip(at(0)).take(at(1) - at(0)).collect()
}

#[test]
fn people_read_measures_a_verdict_and_marked_passages() {
    let ran = pair(LEFT, RIGHT).run("compare a.txt b.txt --shingle 3");
    let expected = "\
A  a.txt  (17 words)
B  b.txt  (18 words)

Not a pair: their Jaccard similarity of 0.550000 is below 0.8.

Shingle Jaccard   0.550000                  11 of 20 different 3-word shingles are in both
";
    assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
    let passage = "
Passage 1: 15 words, characters 8-97 of A, 0-88 of B
  The city council voted on [-Tuesday-] {+Monday+} to close the old harbour bridge for repairs until March
";
    assert!(ran.stdout.ends_with(passage), "{}", ran.stdout);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn programs_read_the_same_with_places_in_characters() {
    let found = json_of(pair(LEFT, RIGHT).run("compare a.txt b.txt --shingle 3 --format json"));
    assert_eq!(found["a"]["name"], "a.txt");
    assert_eq!((&found["a"]["tokens"], &found["b"]["shingles"]), (&json!(17), &json!(16)));
    assert_eq!(found["measures"]["jaccard"], json!(0.55));
    assert_eq!(found["measures"]["containment_of_a"], json!(0.733333));
    assert_eq!(found["measures"]["sequence_ratio"], json!(0.857143));
    assert_eq!(found["minhash"]["bands"], 21);
    assert_eq!((&found["verdict"]["found"], &found["verdict"]["threshold"]), (&json!(false), &json!(0.8)));
    let passages = found["passages"].as_array().unwrap();
    assert_eq!((passages.len(), &passages[0]["tokens"]), (1, &json!(15)));
    let equal: Vec<(String, String)> = passages[0]["equal"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| (slice(LEFT, &part["a"]), slice(RIGHT, &part["b"])))
        .collect();
    let rest = "to close the old harbour bridge for repairs until March";
    assert_eq!(equal[0], ("The city council voted on".to_owned(), "THE CITY COUNCIL voted on".to_owned()));
    assert_eq!(equal[1], (rest.to_owned(), rest.to_owned()));
}

#[test]
fn the_name_of_the_output_decides_the_format() {
    let folder = pair(LEFT, RIGHT);
    assert_eq!(folder.run("compare a.txt b.txt -o out.html"), silent());
    let page = folder.read("out.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("<mark>") && page.contains("href=\"#b1\""));
    assert_eq!(folder.run("compare a.txt b.txt -o out.json"), silent());
    assert!(serde_json::from_str::<Value>(&folder.read("out.json")).is_ok());
    assert_eq!(folder.run("compare a.txt b.txt -o out.json --format text"), silent());
    assert_eq!(folder.read("out.json"), folder.run("compare a.txt b.txt").stdout);
    assert_eq!(folder.run("compare a.txt b.txt --format html").stdout, page);
}

#[test]
fn documents_are_found_by_id_or_by_place() {
    let folder = Folder::new();
    let lines = jsonl(&[LEFT, "something else", RIGHT]) + &json!({ "text": RIGHT }).to_string() + "\n";
    folder
        .write("in.jsonl", lines)
        .write("docs/x.txt", LEFT)
        .write("docs/y.csv", format!("id,text\nc1,\"{RIGHT}\"\n"));
    for (a, b) in [
        ("a", "c"),
        ("a", "in.jsonl:4"),
        ("in.jsonl:1", "in.jsonl:3"),
        ("docs/x.txt", "c1"),
        ("docs/x.txt", "docs/y.csv:2"),
    ] {
        let command = format!("compare {a} {b} --in in.jsonl --in docs --shingle 3 --format json -q");
        let found = json_of(folder.run(&command));
        assert_eq!((&found["a"]["name"], &found["b"]["name"]), (&json!(a), &json!(b)));
        assert_eq!(found["measures"]["jaccard"], json!(0.55), "{a} {b}");
    }
    let ran = folder.run("compare a a --in in.jsonl --summary summary.json");
    assert!(ran.stdout.contains("Found as a pair"), "{ran:?}");
    assert!(ran.stderr.starts_with("read       4 documents"), "{ran:?}");
    assert_eq!(folder.summary()["documents"], 4);
}

#[test]
fn documents_deep_in_a_corpus_are_found_by_any_number_of_threads() {
    let folder = Folder::new();
    // The inputs have several chunks, and one file is compressed. The third line is empty.
    let line = |number: usize| json!({ "text": words(number) }).to_string();
    let mut lines: Vec<String> = (1..=9_000).map(line).collect();
    lines[2] = String::new();
    let lines = lines.join("\n");
    assert!(lines.len() > 3 << 20);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, lines.as_bytes()).unwrap();
    folder.write("a.jsonl", &lines).write("b.jsonl.gz", encoder.finish().unwrap());
    for (a, b) in [
        ("a.jsonl:2", "b.jsonl.gz:2"),
        ("a.jsonl:8999", "b.jsonl.gz:8999"),
        ("b.jsonl.gz:9000", "a.jsonl:9000"),
    ] {
        let run = |threads: usize| {
            folder.run(&format!("compare {a} {b} --in a.jsonl --in b.jsonl.gz -q --threads {threads}"))
        };
        let one = run(1);
        let number = a.rsplit(':').next().unwrap();
        assert!(
            one.stdout.contains("Found as a pair") && one.stdout.contains(&format!("w{number}x39")),
            "{one:?}"
        );
        assert_eq!(run(5), one);
    }
    let ran = folder.run("compare a.jsonl:3 a.jsonl:9001 --in a.jsonl -q");
    assert!(
        ran.stderr.starts_with(
            "error: no document is called \"a.jsonl:3\"; the first ones are a.jsonl:1, a.jsonl:2, a.jsonl:4"
        ),
        "{ran:?}"
    );
}

#[test]
fn mistakes_in_ids_are_named() {
    let folder = Folder::new();
    folder.write(
        "in.jsonl",
        jsonl(&["a b c", "d e f"]) + "{\"id\":\"b\",\"text\":\"g\"}\n{\"id\":\"z\",\"text\":1}\n",
    );
    let ran = folder.run("compare a x --in in.jsonl");
    let expected = "error: no document that could be read is called \"x\"; the first ones are a, b, b\n  hint: 1 record was \
                    skipped, the first in.jsonl:4: field \"text\" is a number, not text; it may be among these, or --id-field names \
                    another field\n";
    assert_eq!(ran, failed(1, expected));
    assert!(
        folder
            .run("compare a in.jsonl:9 --in in.jsonl")
            .stderr
            .contains("no document that could be read is called \"in.jsonl:9\"")
    );
    let ran = folder.run("compare a b --in in.jsonl");
    let expected = "error: 2 documents have the id \"b\": in.jsonl:2, in.jsonl:3; name one by its place\n";
    assert_eq!(ran, failed(1, expected));
    let ran = folder.run("compare a in.jsonl:4 --in in.jsonl");
    assert_eq!(ran, failed(1, "error: in.jsonl:4: field \"text\" is a number, not text\n"));
    let ran = folder.run("compare a in.jsonl:2 --in in.jsonl -q");
    assert_eq!(ran.code, Some(3), "a record was skipped");
    let ran = folder.run("compare a b --in in.jsonl --text-field body");
    assert!(ran.stderr.starts_with("error: in.jsonl: no field \"body\"; fields seen: id, text"), "{ran:?}");
}

#[test]
fn texts_that_are_the_same_share_everything() {
    let found = json_of(pair(LEFT, LEFT).run("compare a.txt b.txt --format json"));
    for measure in [
        "jaccard",
        "word_jaccard",
        "containment_of_a",
        "containment_of_b",
        "cosine",
        "sequence_ratio",
        "shared_of_a",
    ] {
        assert_eq!(found["measures"][measure], json!(1.0), "{measure}");
    }
    assert_eq!((&found["simhash"]["distance"], &found["minhash"]["estimate"]), (&json!(0), &json!(1.0)));
    assert_eq!(
        (found["verdict"]["found"].as_bool(), found["passages"].as_array().unwrap().len()),
        (Some(true), 1)
    );
    let one_word = json_of(pair("Yes!", "yes").run("compare a.txt b.txt --format json"));
    assert_eq!(
        (&one_word["measures"]["jaccard"], &one_word["passages"][0]["a"]),
        (&json!(1.0), &json!([0, 3]))
    );
    assert_eq!(one_word["verdict"]["found"], true);
}

#[test]
fn texts_that_share_nothing_are_compared_too() {
    for (left, right, why) in [
        ("", "", "neither holds anything that counts"),
        ("a text", " \n", "B holds nothing that counts"),
        ("one two three", "four five six", "their Jaccard similarity of 0.000000 is below 0.8"),
        ("yes", "no", "their Jaccard similarity of 0.000000 is below 0.8"),
        ("👍", "one two three", "their Jaccard similarity of 0.000000 is below 0.8"),
    ] {
        let folder = pair(left, right);
        let found = json_of(folder.run("compare a.txt b.txt --format json"));
        assert_eq!(found["verdict"]["sentence"], format!("Not a pair: {why}."));
        assert_eq!((&found["measures"]["jaccard"], &found["passages"]), (&json!(0.0), &json!([])));
        assert!(!folder.run("compare a.txt b.txt").stdout.contains("Passage 1"));
        assert!(folder.run("compare a.txt b.txt --format html").stdout.contains("<p>None: "));
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = pair(LEFT, RIGHT);
    folder.write("bad.txt", b"one\ntwo \xff three\n").write("short.txt.gz", [0x1f, 0x8b, 8, 0, 0]);
    let ran = folder.run("compare a.txt missing.txt");
    let expected = "error: missing.txt: there is no such file; if it is the id of a document, say with --in where it is\n";
    assert_eq!(ran, failed(2, expected));
    let ran = folder.run("compare a.txt bad.txt");
    let expected = "error: bad.txt:2: invalid UTF-8 at byte 4 of the line; convert the file to UTF-8, for example with iconv\n";
    assert_eq!(ran, failed(1, expected));
    let ran = folder.run("compare a.txt short.txt.gz");
    assert!(
        ran.stderr.starts_with("error: short.txt.gz: the compressed stream is truncated or corrupt"),
        "{ran:?}"
    );
    assert_eq!(folder.run("compare a.txt .").stderr, "error: .: this is a folder; name a file\n");
    assert_eq!(
        folder.run("compare - -").stderr,
        "error: only one of the texts can come from standard input\n"
    );
    let ran = folder.run("compare a.txt b.txt -o a.txt");
    assert_eq!(ran, failed(1, "error: a.txt: an output would take the place of an input\n"));
    assert_eq!(folder.read("a.txt"), LEFT);
}

#[test]
fn a_text_may_be_compressed_or_come_from_standard_input() {
    let folder = pair(LEFT, RIGHT);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, LEFT.as_bytes()).unwrap();
    folder.write("a.gz", encoder.finish().unwrap()).write("marked.txt", format!("\u{feff}{LEFT}"));
    let expected = folder.run("compare a.txt b.txt").stdout;
    assert_eq!(folder.run("compare a.gz b.txt").stdout, expected.replace("a.txt", "a.gz"));
    assert_eq!(folder.run("compare marked.txt b.txt").stdout, expected.replace("a.txt", "marked.txt"));
    let ran = folder.run_with_input("compare - b.txt", LEFT.as_bytes());
    assert_eq!(ran.stdout, expected.replace("a.txt", "-"));
}

#[test]
fn a_ratio_that_takes_too_long_is_given_as_bounds() {
    let folder = pair(LEFT, RIGHT);
    let found = json_of(folder.run("compare a.txt b.txt --time-limit 0 --format json"));
    let measures = &found["measures"];
    assert_eq!(measures["sequence_ratio"], Value::Null);
    let bounds =
        ["at_least", "at_most"].map(|bound| measures[format!("sequence_ratio_{bound}")].as_f64().unwrap());
    assert!(bounds[0] <= 0.857143 && 0.857143 <= bounds[1], "{bounds:?}");
    assert!(folder.run("compare a.txt b.txt --time-limit 0").stdout.contains("stopped at the time limit"));
    let ran = folder.run("compare a.txt b.txt --time-limit=-1");
    assert!(ran.stderr.contains("use a number of seconds"), "{ran:?}");
}

#[test]
fn options_that_need_a_corpus_or_another_method_are_refused() {
    let folder = pair(LEFT, RIGHT);
    let message = |arguments: &str| {
        let ran = folder.run(&format!("compare a.txt b.txt {arguments}"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        ran.stderr
    };
    assert!(
        message("--weights tf-idf")
            .starts_with("error: --weights tf-idf needs --frequencies FILE, or a corpus")
    );
    assert!(message("--summary s.json").starts_with("error: --summary goes with --in"));
    assert_eq!(message("--hamming 3"), "error: --hamming needs --method simhash\n");
    // compare shows both methods, so the options of both have an effect.
    for arguments in ["--weights tf", "--method simhash --bands 16 --rows 4"] {
        assert_eq!(folder.run(&format!("compare a.txt b.txt {arguments}")).code, Some(0), "{arguments}");
    }
}

#[test]
fn the_verdict_agrees_with_pairs() {
    let folder = Folder::new();
    let texts = [words(1), words(1).replace("w1x3", "other"), words(2), words(1).replace("w1x30 ", "")];
    folder.write("in.jsonl", jsonl(&texts));
    for options in [
        "",
        "--shingle 1",
        "--bands 1 --rows 60",
        "--method simhash",
        "--method exact",
        "--method minhash",
        "--threshold 0.7",
        "--measure cosine --weights tf",
        "--method simhash --verify --hamming 12",
        "--threshold 0.6 --measure containment",
    ] {
        let pairs = folder.run(&format!("pairs in.jsonl -q {options}")).stdout;
        for (a, b) in [("a", "b"), ("a", "c"), ("b", "d")] {
            let found =
                json_of(folder.run(&format!("compare {a} {b} --in in.jsonl --format json -q {options}")));
            let listed = pairs.contains(&format!("\"a\":\"{a}\",\"b\":\"{b}\""));
            assert_eq!(found["verdict"]["found"], listed, "{a} {b} {options}");
        }
    }
}

#[test]
fn the_verdict_is_by_the_methods_that_a_run_may_take() {
    // The texts are similar at 0.2. With a recall of 0.01, the search misses them even by short bands.
    let (left, right) = ("a b c d e f g h i j k l", "a b c d 1 2 3 4 5 6 7 8");
    let folder = pair(left, right);
    folder.write("in.jsonl", jsonl(&[left, right]));
    let verdict = |options: &str| {
        let command =
            format!("compare a.txt b.txt --shingle 1 --threshold 0.2 --seed 1 --format json {options}");
        let found = json_of(folder.run(&command));
        let methods = |key: &str| found["verdict"][key].clone();
        let sentence = found["verdict"]["sentence"].as_str().unwrap().to_owned();
        (sentence, methods("found_by"), methods("missed_by"), found["plan"]["method"].clone())
    };
    let similar = "their Jaccard similarity of 0.200000 reaches 0.2";
    assert_eq!(
        verdict("--recall 0.01"),
        (
            format!(
                "A pair: {similar}. Exact search, taken for small corpora, finds it; MinHash, taken for large ones, misses it: they \
                 share none of 32 bands."
            ),
            json!(["exact"]),
            json!(["minhash"]),
            json!("auto")
        )
    );
    let pairs = folder.run("pairs in.jsonl -q --shingle 1 --threshold 0.2 --seed 1 --recall 0.01").stdout;
    assert_eq!(pairs, "{\"a\":\"a\",\"b\":\"b\",\"jaccard\":0.200000}\n");
    assert_eq!(
        verdict("--method exact"),
        (
            format!("Found as a pair: {similar}, and exact search misses nothing."),
            json!(["exact"]),
            json!([]),
            json!("exact")
        )
    );
    assert_eq!(
        verdict("--method minhash --recall 0.01"),
        (
            format!("Missed: {similar}, but they share none of 32 bands."),
            json!([]),
            json!(["minhash"]),
            json!("minhash")
        )
    );
}

#[test]
fn inputs_may_be_named_before_the_ids() {
    let folder = Folder::new();
    folder.write("x.jsonl", jsonl(&[LEFT, RIGHT])).write("y/z.txt", LEFT);
    let expected = folder.run("compare a b --in x.jsonl -q");
    assert_eq!(expected.code, Some(0));
    assert_eq!(folder.run("compare --in x.jsonl a b -q"), expected);
    assert_eq!(folder.run("compare --in x.jsonl --in y a b -q"), expected);
    let ran = folder.run("compare a b --in x.jsonl y");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: unexpected argument 'y' found"), "{ran:?}");
    let similar = folder.run("similar --in x.jsonl --in y bridge -q");
    assert_eq!((similar.code, similar.stdout.lines().count()), (Some(0), 3), "{similar:?}");
}

#[test]
fn numbers_are_the_same_in_every_format_and_agree_with_their_words() {
    // An estimate such as 65/128 = 0.5078125 has a 5 in the seventh decimal place, and every format must round it in the same way.
    let tie = (2..60).find_map(|common| {
        let text = |own: &str| {
            (0..60).map(|i| format!("{}{i} ", if i < common { "w" } else { own })).collect::<String>()
        };
        let folder = pair(&text("x"), &text("y"));
        let found = json_of(folder.run("compare a.txt b.txt --shingle 1 --format json"));
        let equal = found["minhash"]["equal_values"].as_u64().unwrap();
        (equal % 2 == 1).then_some((folder, found["minhash"]["estimate"].to_string()))
    });
    let (folder, estimate) = tie.unwrap();
    let text = folder.run("compare a.txt b.txt --shingle 1").stdout;
    assert!(text.contains(&format!("MinHash estimate  {estimate} ")), "{estimate}: {text}");
    let long = "word ".repeat(1_200);
    let ran = pair(&long, "Yes!").run("compare a.txt b.txt");
    assert!(ran.stdout.starts_with("A  a.txt  (1,200 words)\nB  b.txt  (1 word)\n"), "{}", ran.stdout);
    let ran = pair(&long, &long).run("compare a.txt b.txt");
    assert!(
        ran.stdout.contains("Passage 1: 1,200 words, characters 0-5,999 of A, 0-5,999 of B"),
        "{}",
        ran.stdout
    );
}

#[test]
fn outputs_of_an_unknown_format_are_refused() {
    let folder = pair(LEFT, RIGHT);
    for name in ["out.pdf", "out", "out.html.gz"] {
        let expected = format!(
            "error: {name}: unknown format; end the name in .txt .json .html .htm, or say --format\n"
        );
        assert_eq!(folder.run(&format!("compare a.txt b.txt -o {name}")), failed(2, &expected));
    }
    assert_eq!(folder.names(), ["a.txt", "b.txt"]);
    assert_eq!(folder.run("compare a.txt b.txt -o out.pdf --format text"), silent());
    assert_eq!(folder.run("compare a.txt b.txt -o out.txt"), silent());
    assert_eq!(folder.read("out.pdf"), folder.read("out.txt"));
}

#[test]
fn punctuation_alone_is_one_word() {
    let found = json_of(pair("?! …", "one, two").run("compare a.txt b.txt --format json"));
    assert_eq!((&found["a"]["tokens"], &found["b"]["tokens"]), (&json!(1), &json!(2)));
}

#[test]
fn hostile_texts_do_not_reach_the_terminal() {
    let hostile = "one two three four five \u{1b}[31m\u{202e}six\u{0} seven eight";
    let folder = pair(hostile, hostile);
    let ran = folder.run("compare a.txt b.txt");
    assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}', '\u{0}']), "{}", ran.stdout);
    assert!(ran.stdout.contains("five ⟨U+001B⟩[31m⟨U+202E⟩six⟨U+0000⟩ seven"), "{}", ran.stdout);
}

#[test]
fn two_texts_of_100_000_words_are_compared_while_one_waits() {
    // Texts that repeat themselves, and texts that share words without a passage.
    let repeated = "to be or not to be ".repeat(16_667);
    let other: String = (0..100_000_u64).map(|i| format!("w{} ", i * i % 9_973)).collect();
    let changed: String = (0..100_000_u64).map(|i| format!("w{} ", i * (i + 1) % 9_967)).collect();
    for (left, right) in [(&repeated, &repeated), (&repeated, &other), (&other, &changed)] {
        let folder = pair(left, right);
        let started = std::time::Instant::now();
        assert_eq!(folder.run("compare a.txt b.txt -o out.html"), silent());
        // This takes a third of a second on one idle core. The limit allows for a busy machine.
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    }
}

proptest! {
    // Each case is a process.
    #![proptest_config(ProptestConfig { cases: 40, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_places_mark_the_same_words_in_both_texts(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "one ", "ＴＷＯ ", "ﬁve", " ", "東京", "ｶﾞ", "ガ", "㌔", "キロ", "👍🏽 ", "👨\u{200d}👩\u{200d}👧", "cafe\u{301} ", "café ", "½ ", "\n",
        ]), 1..60),
        at in 0_usize..60,
    ) {
        let left = pieces.concat();
        // The same text with one piece changed, and in another Unicode form.
        let mut right: Vec<&str> = pieces.clone();
        let index = at % right.len();
        right[index] = "別 ";
        let right = right.concat().replace('東', "⾤東").replace("café", "CAFÉ");
        let found = json_of(pair(&left, &right).run("compare a.txt b.txt --shingle 3 --format json"));
        let plan = lookalike::Plan::default();
        let mut sketcher = lookalike::Sketcher::new(&plan);
        let mut tokens = |text: String| sketcher.tokens(&text).map(str::to_owned).collect::<Vec<String>>();
        for part in found["passages"].as_array().unwrap().iter().flat_map(|passage| passage["equal"].as_array().unwrap()) {
            let (a, b) = (tokens(slice(&left, &part["a"])), tokens(slice(&right, &part["b"])));
            prop_assert_eq!(a.len() as u64, part["tokens"].as_u64().unwrap());
            prop_assert_eq!(a, b);
        }
    }
}
