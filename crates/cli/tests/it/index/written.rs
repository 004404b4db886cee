//! An index that an older program has written is read, searched and grows.
//!
//! `version4/` has an index of six texts (`index build --plan small`), to which a service has added two documents and removed one. The service
//! was killed, so these changes are in no run. The program knew no index by SimHash yet.

use crate::{Folder, silent};

const FILES: [(&str, &[u8]); 3] = [
    ("000001.log", include_bytes!("version4/000001.log")),
    ("000002.run", include_bytes!("version4/000002.run")),
    ("index.lookalike", include_bytes!("version4/index.lookalike")),
];

/// The text of a document that the index was made with.
fn text(first: usize) -> String {
    (first..first + 30).map(|word| format!("word{word} ")).collect()
}

#[test]
fn an_index_of_an_older_program_is_verified_searched_and_added_to() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("old.index")).unwrap();
    for (name, bytes) in FILES {
        folder.write(&format!("old.index/{name}"), bytes);
    }
    let info = folder.run("index info old.index --verify").stdout;
    assert!(
        info.starts_with("index      7 documents, added in 1 step; 1 more was removed or has expired\n"),
        "{info}"
    );
    assert!(info.contains("2 of them in 1 cluster of two or more") && info.contains("verified"), "{info}");
    let line = |id: &str, text: String| serde_json::json!({ "id": id, "text": text }).to_string() + "\n";
    // The fifth was removed, and the text at 5000 came later.
    let lines = [
        line("a", text(0)),
        line("b", text(500)),
        line("c", text(100)),
        line("d", text(5000)),
        line("e", text(900)),
    ];
    folder.write("today.jsonl", lines.concat());
    let dedup = "dedup today.jsonl -o kept.jsonl --against old.index --update --removed removed.csv -q";
    assert_eq!(folder.run(dedup), silent());
    assert_eq!(folder.read("kept.jsonl"), [&lines[1][..], &lines[4]].concat());
    let removed = folder.read("removed.csv");
    let pairs: Vec<Vec<&str>> = removed.lines().skip(1).map(|row| row.split(',').take(2).collect()).collect();
    assert_eq!(pairs, [["a", "old0"], ["c", "old1"], ["d", "new2"]]);
    let info = folder.run("index info old.index --verify").stdout;
    assert!(info.starts_with("index      12 documents"), "{info}");
}
