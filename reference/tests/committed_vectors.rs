//! Checks that the generator still makes the vectors in the repository.

use std::path::Path;
use std::process::Command;

#[test]
fn committed_vectors_equal_generated_ones() {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    let status = Command::new(env!("CARGO_BIN_EXE_make_vectors")).arg(made).status().unwrap();
    assert!(status.success());
    for file in ["tokens.json", "sketches.json", "fingerprints.json", "datasketch.json"] {
        let made = std::fs::read_to_string(made.join(file)).unwrap();
        let committed = std::fs::read_to_string(committed.join(file)).unwrap();
        // Compared line by line: an entry is a line, and a whole file is too long for a panic message.
        for (number, (made, committed)) in made.lines().zip(committed.lines()).enumerate() {
            assert_eq!(made, committed, "vectors/{file}, line {}", number + 1);
        }
        // The loop does not notice extra or missing lines at the end.
        assert_eq!(made.len(), committed.len(), "bytes of vectors/{file}");
    }
}
