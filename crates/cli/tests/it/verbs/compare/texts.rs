//! Texts that are equal, different, odd or long.

use super::{LEFT, RIGHT, json_of, pair, slice};
use crate::silent;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

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
        ("", "", "neither text has features"),
        ("a text", " \n", "B has no features"),
        (
            "one two three",
            "four five six",
            "their Jaccard similarity of 0.000000 is below 0.8. A chain of other documents may still put both into one cluster",
        ),
        (
            "yes",
            "no",
            "their Jaccard similarity of 0.000000 is below 0.8. A chain of other documents may still put both into one cluster",
        ),
        (
            "👍",
            "one two three",
            "their Jaccard similarity of 0.000000 is below 0.8. A chain of other documents may still put both into one cluster",
        ),
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
fn punctuation_alone_is_one_word() {
    let found = json_of(pair("?! …", "one, two").run("compare a.txt b.txt --format json"));
    assert_eq!((&found["a"]["tokens"], &found["b"]["tokens"]), (&json!(1), &json!(2)));
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
