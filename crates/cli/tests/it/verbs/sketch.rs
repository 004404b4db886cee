//! `sketch --explain`. The sketches themselves are tested with the methods.

use crate::{Folder, jsonl, words};

/// An explained document: its features, as count, weight, hash and shingle, the sums from the highest bit on, and the
/// fingerprint.
#[derive(Debug, Default)]
struct Explained {
    features: Vec<(u32, i64, u128, String)>,
    sums: Vec<i64>,
    fingerprint: String,
}

fn explained(text: &str) -> Vec<Explained> {
    let (mut all, mut document) = (Vec::new(), Explained::default());
    for line in text.lines() {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let is_binary = |cell: &&str| cell.len() == 16 && cell.bytes().all(|b| b == b'0' || b == b'1');
        match cells[..] {
            ["fingerprint", fingerprint] => {
                fingerprint.clone_into(&mut document.fingerprint);
                all.push(std::mem::take(&mut document));
            }
            [count, weight, hash, first, ..] if is_binary(&first) => {
                let hash = u128::from_str_radix(hash, 16).unwrap();
                let bits = cells[3..].iter().take_while(|cell| is_binary(cell)).copied();
                let bits: Vec<&str> = bits.collect();
                assert_eq!(u128::from_str_radix(&bits.concat(), 2), Ok(hash), "{line}");
                let shingle = cells[3 + bits.len()..].join(" ");
                document.features.push((count.parse().unwrap(), weight.parse().unwrap(), hash, shingle));
            }
            [title, .., _, _] if title.contains('-') && cells.len() == 19 => {
                document.sums.extend(cells[1..17].iter().map(|sum| sum.parse::<i64>().unwrap()));
            }
            _ => {}
        }
    }
    all
}

#[test]
fn the_explained_fingerprint_is_the_one_that_sketch_writes() {
    let folder = Folder::new();
    folder.write(
        "in.jsonl",
        jsonl(&["The quick brown fox jumps over the lazy dog", &words(1), "the fox was a fox"]),
    );
    folder.write("levels.tsv", "fox\t5\ndog\t3\n");
    for options in [
        "--shingle 1 --feature-hash md5 --weights tf",
        "--bits 128 --feature-hash sha1 --weights log-tf --tie one --shingle 2",
        "--tokens chars --shingle 3 --feature-hash fnv1a64",
        "--tokens whitespace --shingle 1 --weights tf-idf --feature-hash murmur3 --bits 128",
        "--tokens jieba --shingle 1 --weights levels --levels levels.tsv --stop-words en",
    ] {
        let with = format!("in.jsonl -q --method simhash {options}");
        let text = folder.run(&format!("sketch {with} --explain"));
        assert_eq!((text.code, text.stderr.as_str()), (Some(0), ""));
        assert_eq!(folder.run(&format!("sketch {with} -o out.jsonl")).code, Some(0));
        let all = explained(&text.stdout);
        assert_eq!(all.len(), 3, "{}", text.stdout);
        for (document, line) in all.iter().zip(folder.read("out.jsonl").lines()) {
            let written: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(written["fingerprint"], document.fingerprint.as_str(), "{options}");
            let bits = document.fingerprint.len() * 4;
            let sum = |bit: usize| {
                let votes = document.features.iter().map(|(_, weight, hash, _)| (hash >> bit & 1, weight));
                votes.map(|(vote, weight)| if vote == 1 { *weight } else { -weight }).sum()
            };
            assert_eq!(document.sums, (0..bits).rev().map(sum).collect::<Vec<i64>>(), "{options}");
        }
    }
}

#[test]
fn counts_and_weights_are_those_of_the_text() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["To be, or not to be!"]));
    let ran = folder.run("sketch in.jsonl -q --explain --method simhash --shingle 1 --weights log-tf");
    let found = explained(&ran.stdout).remove(0).features;
    let found: Vec<(u32, i64, &str)> =
        found.iter().map(|(count, weight, _, text)| (*count, *weight, &text[..])).collect();
    assert_eq!(found, [(2, 256, "to"), (2, 256, "be"), (1, 128, "or"), (1, 128, "not")]);
    assert!(ran.stdout.contains("\na: 6 words, 4 different features\n"), "{}", ran.stdout);
    let ran = folder.run("sketch in.jsonl -q --explain --method simhash --shingle 1 --stop-words en");
    assert!(ran.stdout.contains("\na: 6 words, with 6 stop words, 0 different features\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("No feature has a weight, so there is no fingerprint."));
}

#[test]
fn ten_documents_are_explained_and_the_others_are_counted() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&(0..12).map(words).collect::<Vec<_>>()));
    folder.write("more.jsonl", jsonl(&[words(20)]));
    let ran =
        folder.run("sketch in.jsonl more.jsonl --explain -o out.txt --method simhash --summary summary.json");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("read       13 documents"), "{ran:?}");
    assert_eq!(folder.summary()["documents"], 13);
    let text = folder.read("out.txt");
    assert_eq!(explained(&text).len(), 10);
    assert!(
        text.ends_with("\n3 more documents are not explained: --explain takes the first 10.\n"),
        "{text}"
    );
}

#[test]
fn a_long_text_lists_its_first_features_and_sums_all() {
    let folder = Folder::new();
    folder.write("long.txt", (0..1_200).map(|word| format!("w{word} ")).collect::<String>());
    let with = "long.txt -q --method simhash --shingle 1";
    let text = folder.run(&format!("sketch {with} --explain")).stdout;
    assert!(text.contains("\n200 more features are not listed. They count in the sums.\n"));
    let document = explained(&text).remove(0);
    assert_eq!(document.features.len(), 1_000);
    folder.run(&format!("sketch {with} -o out.jsonl"));
    assert!(folder.read("out.jsonl").contains(&document.fingerprint));
    let bits = document.sums.iter().map(|&sum| if sum > 0 { '1' } else { '0' }).collect::<String>();
    assert_eq!(format!("{:016x}", u64::from_str_radix(&bits, 2).unwrap()), document.fingerprint);
}

#[test]
fn texts_cannot_act_on_the_terminal() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"id\":\"a\\u001b[2J\",\"text\":\"red\\u001b[31m word\"}\n");
    let ran = folder.run("sketch in.jsonl -q --explain --method simhash --tokens whitespace --shingle 1");
    assert!(
        ran.stdout.contains("a⟨U+001B⟩[2J: 2 words") && ran.stdout.contains("red⟨U+001B⟩[31m"),
        "{ran:?}"
    );
}

#[test]
fn an_explanation_that_cannot_be_made_is_refused() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["some words"]));
    for (arguments, message) in [
        ("--explain", "error: --explain needs --method simhash: it explains fingerprints\n"),
        ("--explain --method minhash", "error: --explain needs --method simhash: it explains fingerprints\n"),
        (
            "--explain --method simhash -o out.jsonl",
            "error: out.jsonl: --explain writes text; end the name in .txt\n",
        ),
    ] {
        assert_eq!(folder.run(&format!("sketch in.jsonl {arguments}")), crate::failed(2, message));
    }
    let without = folder.run("sketch in.jsonl");
    assert!(without.code == Some(2) && without.stderr.contains("--output <FILE>"), "{without:?}");
    assert_eq!(folder.names(), ["in.jsonl"]);
}

#[test]
fn a_table_gives_the_hashes_of_features() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["The quick brown fox", "the fox", "dog"]));
    // MD5 of the words, and of one that the texts do not have.
    folder.write(
        "words.tsv",
        "the\t3b09e84365034357\nquick\tfdc24f828186f73a\nbrown\t2CC705A03FCA8A9B\r\n\nfox\tc43622a4d9ec9a04\ndog\t09b49f2424e8c805\nlazy\t0000000000000000\n",
    );
    let with = "in.jsonl -q --method simhash --shingle 1";
    folder.write("levels.tsv", "fox\t5\n");
    for options in [
        "",
        "--weights tf",
        "--weights log-tf --tie one --bits 128",
        "--weights tf-idf",
        "--weights levels --levels levels.tsv",
    ] {
        folder.run(&format!("sketch {with} {options} --feature-hash md5 -o md5.jsonl"));
        let ran = folder.run(&format!("sketch {with} {options} --feature-hash-table words.tsv -o out.jsonl"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert_eq!(folder.read("out.jsonl"), folder.read("md5.jsonl"), "{options}");
    }
    let text =
        folder.run(&format!("sketch {with} --feature-hash-table words.tsv --explain --summary summary.json"));
    assert!(text.stdout.starts_with("64 bits by SimHash of 1-word shingles, hash by a table.\n"), "{text:?}");
    let by_md5 = folder.run(&format!("sketch {with} --feature-hash md5 --explain")).stdout;
    assert_eq!(text.stdout.replace("hash by a table", "hash md5"), by_md5);
    let plan = folder.summary()["plan"].clone();
    assert_eq!(plan["feature_hash"], "table");
    assert_eq!(plan["hash_table"].as_str().map(str::len), Some(16));
    folder.run(&format!("sketch {with} --summary summary.json -o out.jsonl"));
    assert_ne!(folder.summary()["plan"]["id"], plan["id"]);
    // A text of fewer tokens than a shingle has one feature.
    folder.write("pairs.tsv", "the quick\t0000000000000001\nquick brown\t0000000000000003\nbrown fox\t0000000000000002\nthe fox\t00000000000000ff\ndog\t0000000000000100\n");
    folder.run("sketch in.jsonl -q --method simhash --shingle 2 --feature-hash-table pairs.tsv -o out.jsonl");
    let written = folder.read("out.jsonl");
    let codes: Vec<&str> = written.lines().map(|line| &line[line.len() - 18..line.len() - 2]).collect();
    assert_eq!(codes, ["0000000000000003", "00000000000000ff", "0000000000000100"]);
}

#[test]
fn a_shingle_that_the_table_lacks_is_named_with_its_document() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["the fox", "the lazy dog", "the cat"]));
    folder.write("words.tsv", "the\t3b09e84365034357\nfox\tc43622a4d9ec9a04\n");
    let message = "error: b: the shingle \"lazy\" has no hash in the table; add a line for it, or leave the document out\n";
    for output in ["-o out.jsonl", "--explain", "--explain -o out.txt"] {
        let ran = folder.run(&format!(
            "sketch in.jsonl -q --method simhash --shingle 1 --feature-hash-table words.tsv {output}"
        ));
        assert_eq!(ran, crate::failed(1, message), "{output}");
    }
    assert_eq!(folder.names(), ["in.jsonl", "words.tsv"]);
}

#[test]
fn the_first_missing_shingle_is_the_same_with_any_number_of_threads() {
    let folder = Folder::new();
    // Some chunks, of which all but the first lack a word.
    let lines = (0..60_000).map(|line| match line / 20_000 {
        0 => "{\"text\":\"the fox and the fox and the fox and the fox and the fox\"}\n".to_owned(),
        _ => format!("{{\"text\":\"the fox and the fox and the fox and word{line}\"}}\n"),
    });
    folder.write("in.jsonl", lines.collect::<String>());
    folder.write("words.tsv", "the\t3b09e84365034357\nfox\tc43622a4d9ec9a04\nand\t0000000000000001\n");
    for threads in [1, 2, 4] {
        let ran = folder.run(&format!(
            "sketch in.jsonl -q --method simhash --shingle 1 --feature-hash-table words.tsv -o out.jsonl --threads {threads}"
        ));
        assert!(
            ran.stderr.starts_with("error: in.jsonl:20001: the shingle \"word20000\" has no hash"),
            "{ran:?}"
        );
    }
}

#[test]
fn a_table_that_cannot_be_used_is_refused() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["the fox"]));
    let of_line = "write a word or a shingle, a tab and a hash of 16 hexadecimal digits";
    for (table, message) in [
        ("fox c43622a4d9ec9a04\n", format!("words.tsv:1: {of_line}")),
        ("the\t3b09e84365034357\nfox\t+43622a4d9ec9a04\n", format!("words.tsv:2: {of_line}")),
        ("fox\tc43622a4\n", format!("words.tsv:1: {of_line}")),
        (
            "red fox\tc43622a4d9ec9a04\n",
            "words.tsv:1: \"red fox\" is not one shingle: it is 2 tokens, and a shingle has 1".to_owned(),
        ),
        (
            "?!\tc43622a4d9ec9a04\n\t3b09e84365034357\n",
            "words.tsv:2: \"\" is not one shingle: it is 0 tokens, and a shingle has 1".to_owned(),
        ),
        (
            "fox\tc43622a4d9ec9a04\nfox\tc43622a4d9ec9a04\nFox\tc43622a4d9ec9a05\n",
            "words.tsv:3: \"Fox\" has another hash in an earlier line; leave one of them out".to_owned(),
        ),
    ] {
        folder.write("words.tsv", table);
        let ran = folder
            .run("sketch in.jsonl -o out.jsonl --method simhash --shingle 1 --feature-hash-table words.tsv");
        assert_eq!(ran, crate::failed(2, &format!("error: {message}\n")));
    }
    for (options, message) in [
        ("", "--feature-hash-table needs --method simhash"),
        (
            "--method simhash --feature-hash md5",
            "--feature-hash-table takes the place of --feature-hash; leave one of them out",
        ),
    ] {
        let ran =
            folder.run(&format!("sketch in.jsonl -o out.jsonl {options} --feature-hash-table words.tsv"));
        assert_eq!(ran, crate::failed(2, &format!("error: {message}\n")));
    }
    for verb in ["pairs", "dedup -o out.jsonl", "index build out", "frequencies -o out.df"] {
        let ran = folder.run(&format!("{verb} in.jsonl --method simhash --feature-hash-table words.tsv"));
        assert!(
            ran.code == Some(2)
                && ran.stderr.contains(" has no --feature-hash-table; lookalike sketch has it\n"),
            "{ran:?}"
        );
    }
    folder.write("words.tsv", "the\t3b09e84365034357\nfox\tc43622a4d9ec9a04\n");
    let onto = folder
        .run("sketch in.jsonl -o words.tsv --method simhash --shingle 1 --feature-hash-table words.tsv");
    assert_eq!((onto.code, folder.names().len()), (Some(1), 2), "{onto:?}");
}
