//! The vectors in the repository are what the generator makes today.

use std::path::Path;
use std::process::Command;

#[test]
fn committed_vectors_are_what_the_generator_makes() {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    let status = Command::new(env!("CARGO_BIN_EXE_make_vectors")).arg(made).status().unwrap();
    assert!(status.success());
    for file in ["tokens.json", "sketches.json", "fingerprints.json"] {
        let made = std::fs::read_to_string(made.join(file)).unwrap();
        let committed = std::fs::read_to_string(committed.join(file)).unwrap();
        // Line by line: an entry is a line, and a whole file is too long to read in a panic.
        for (number, (made, committed)) in made.lines().zip(committed.lines()).enumerate() {
            assert_eq!(made, committed, "vectors/{file}, line {}", number + 1);
        }
        // What the loop does not see: a line too many or too few at the end.
        assert_eq!(made.len(), committed.len(), "bytes of vectors/{file}");
    }
}
