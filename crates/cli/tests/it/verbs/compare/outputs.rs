//! The result as text, JSON and HTML.

use super::{LEFT, RIGHT, json_of, pair, slice};
use crate::{failed, silent};
use serde_json::{Value, json};

#[test]
fn people_read_measures_a_verdict_and_marked_passages() {
    let ran = pair(LEFT, RIGHT).run("compare a.txt b.txt --shingle 3");
    let expected = "\
A  a.txt  (17 words)
B  b.txt  (18 words)

Not a pair: their Jaccard similarity of 0.550000 is below 0.8. A chain of other documents may still put both into one cluster.

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
fn hostile_texts_do_not_reach_the_terminal() {
    let hostile = "one two three four five \u{1b}[31m\u{202e}six\u{0} seven eight";
    let folder = pair(hostile, hostile);
    let ran = folder.run("compare a.txt b.txt");
    assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}', '\u{0}']), "{}", ran.stdout);
    assert!(ran.stdout.contains("five ⟨U+001B⟩[31m⟨U+202E⟩six⟨U+0000⟩ seven"), "{}", ran.stdout);
}
