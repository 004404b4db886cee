//! `pairs`: the list and its formats.

use crate::{Folder, Ran, jsonl, silent, words};

#[test]
fn pairs_are_exact_and_in_input_order_copies_included() {
    let folder = Folder::new();
    let a = words(1);
    folder.write("in.jsonl", jsonl(&[&a, &words(2), &format!("{a} and a tail"), &a]));
    let expected = "{\"a\":\"a\",\"b\":\"c\",\"jaccard\":0.923077}\n\
                    {\"a\":\"a\",\"b\":\"d\",\"jaccard\":1.000000}\n\
                    {\"a\":\"c\",\"b\":\"d\",\"jaccard\":0.923077}\n";
    let printed = Ran { stdout: expected.to_owned(), ..silent() };
    assert_eq!(folder.run("pairs in.jsonl -q"), printed);
    assert_eq!(folder.run("pairs in.jsonl -o pairs.jsonl -q"), silent());
    assert_eq!(folder.read("pairs.jsonl"), expected);
    assert_eq!(folder.run("pairs in.jsonl -o pairs.tsv -q"), silent());
    assert_eq!(folder.read("pairs.tsv"), "a\tb\tjaccard\na\tc\t0.923077\na\td\t1.000000\nc\td\t0.923077\n");
}

#[test]
fn the_summary_goes_to_standard_error_and_leaves_the_pairs_alone() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(1)]));
    let ran = folder.run("pairs in.jsonl --summary summary.json");
    assert_eq!(ran.stdout.lines().count(), 1);
    assert!(ran.stderr.contains("found      1 pair in 1 cluster\n"), "{}", ran.stderr);
    assert_eq!(folder.summary()["pairs"], 1);
}

#[test]
fn thresholds_shingles_and_tokens_have_an_effect() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["a b c d", "a b c e", "A b c d"]));
    let pairs = |arguments: &str| folder.run(&format!("pairs in.jsonl -q {arguments}")).stdout;
    assert_eq!(pairs("--shingle 1 -t 0.6 --bands 128 --rows 1").lines().count(), 3);
    assert_eq!(pairs("--shingle 1 -t 0.61 --bands 128 --rows 1").lines().count(), 1);
    assert_eq!(pairs("--shingle 1 -t 0.6 --bands 128 --rows 1 --tokens whitespace").lines().count(), 2);
    assert_eq!(
        pairs("--shingle 1 -t 0.5 --bands 128 --rows 1 --tokens chars --scheme classic").lines().count(),
        3
    );
}

#[test]
fn chinese_is_found_without_spaces() {
    let folder = Folder::new();
    let text = "我们发布了新的版本，修复了许多错误，并且改进了性能。欢迎大家下载试用，并把意见告诉我们。";
    folder.write(
        "in.jsonl",
        jsonl(&[text, &text.replace("欢迎", "邀请"), "完全不同的一句话，没有任何相同的内容。"]),
    );
    let ran = folder.run("pairs in.jsonl -q -t 0.6");
    assert_eq!(ran.stdout.lines().count(), 1);
}
