//! An index that an older program has written is refused by the name of its sketches.
//!
//! `version4/` has an index of six texts (`index build --plan small`), to which a service has added two documents and removed one. The service
//! was killed, so these changes are in no run. The program knew no index by SimHash yet, and its sketches were of version 2.

use crate::{Folder, failed};

const FILES: [(&str, &[u8]); 3] = [
    ("000001.log", include_bytes!("version4/000001.log")),
    ("000002.run", include_bytes!("version4/000002.run")),
    ("index.lookalike", include_bytes!("version4/index.lookalike")),
];

#[test]
fn an_index_of_an_older_program_is_refused_by_the_version_of_its_sketches() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("old.index")).unwrap();
    for (name, bytes) in FILES {
        folder.write(&format!("old.index/{name}"), bytes);
    }
    folder.write("today.jsonl", "{\"text\":\"one two three\"}\n");
    let said = "error: old.index/index.lookalike: its sketches are of version 2, and this program makes version 3, by which the same texts \
                have other tokens; make the index again from its documents\n";
    for command in [
        "index info old.index --verify",
        "index add old.index today.jsonl",
        "serve --index old.index --listen 127.0.0.1:0",
        "dedup today.jsonl -o kept.jsonl --against old.index --update --removed removed.csv -q",
    ] {
        assert_eq!(folder.run(command), failed(1, said), "{command}");
    }
}
