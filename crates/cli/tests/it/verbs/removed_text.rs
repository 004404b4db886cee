//! The amount of removed text in summaries.

use crate::{Folder, jsonl, words};

/// Copies and near-copies. Some are shorter than a shingle, and some are empty.
fn texts() -> Vec<String> {
    let long = words(1);
    ["", "Ünique", "one two", "one two", "ONE two!", "a b c d e", "a b c d e", "a b c d", "a b c d", "—", "—"]
        .into_iter()
        .map(str::to_owned)
        .chain([long.clone(), format!("{long} and a tail"), long.to_uppercase()])
        .collect()
}

/// The removed text, counted from the list and the inputs: documents, bytes, words.
fn counted(folder: &Folder, texts: &[String]) -> [u64; 3] {
    let list = folder.read("removed.csv");
    let ids = list.lines().skip(1).map(|line| usize::from(line.as_bytes()[0] - b'a'));
    ids.fold([0; 3], |[documents, bytes, words], id| {
        let text = &texts[id];
        [
            documents + 1,
            bytes + text.len() as u64,
            words + text.split(' ').filter(|word| !word.is_empty()).count() as u64,
        ]
    })
}

#[test]
fn the_removed_bytes_and_words_agree_with_the_texts() {
    let folder = Folder::new();
    let texts = texts();
    folder.write("in.jsonl", jsonl(&texts));
    for options in [
        "",
        "--shingle 1",
        "--shingle 2",
        "--method minhash",
        "--method simhash",
        "--measure word-jaccard",
        "--keep longest",
    ] {
        let command = format!(
            "dedup in.jsonl -o out.jsonl --removed removed.csv --summary summary.json --tokens whitespace {options}"
        );
        let ran = folder.run(&command);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let summary = folder.summary();
        let figures = ["removed", "removed_bytes", "removed_words"].map(|key| summary[key].as_u64().unwrap());
        assert_eq!(figures, counted(&folder, &texts), "{options}");
        assert!(
            figures[0] > 3 && ran.stderr.contains(&format!("bytes of text, {} words\n", figures[2])),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn the_removed_text_depends_neither_on_lists_nor_on_memory() {
    let folder = Folder::new();
    let line = |document: usize| {
        let start = document * 7 % 60_000;
        let text = format!("{start} {} said so and so {}", start * 7, document % 3);
        let text = text.split(' ').take(1 + start % 11).collect::<Vec<_>>().join(" ");
        serde_json::json!({ "id": document.to_string(), "text": text }).to_string() + "\n"
    };
    folder.write("in.jsonl", (0..120_000).map(line).collect::<String>());
    let mut summaries = Vec::new();
    for options in ["", "--removed removed.jsonl -o out.jsonl", "--threads 1 --memory 68MiB"] {
        let command =
            format!("dedup in.jsonl --dry-run --method minhash --summary summary.json -q {options}");
        let ran = folder.run(&command.replace(if options.contains("-o") { "--dry-run" } else { "" }, ""));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let summary = folder.summary();
        assert_eq!(summary["spilled"], options.contains("memory"));
        summaries
            .push(["removed", "removed_bytes", "removed_words"].map(|key| summary[key].as_u64().unwrap()));
    }
    assert!(summaries[0][2] > 100_000);
    assert!(summaries.iter().all(|summary| *summary == summaries[0]), "{summaries:?}");
}

#[test]
fn documents_of_against_do_not_count_and_characters_have_their_name() {
    let folder = Folder::new();
    folder
        .write("in.jsonl", jsonl(&["one two three", "four"]))
        .write("old.jsonl", jsonl(&["one two three", "x y", "x y"]));
    let command = "dedup in.jsonl --dry-run --against old.jsonl --tokens chars --summary summary.json";
    let ran = folder.run(command);
    assert!(ran.stderr.contains("           13 bytes of text, 13 characters\n"), "{}", ran.stderr);
    let summary = folder.summary();
    assert_eq!((&summary["removed_bytes"], &summary["removed_words"]), (&13.into(), &13.into()));
}
