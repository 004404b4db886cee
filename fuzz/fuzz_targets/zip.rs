//! Any bytes in a file called `.wacz`. It is refused, or its archives are read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{Fields, Inputs, Reader, Scan, Scratch, Waiting};

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("in.wacz");
    std::fs::write(&path, bytes).expect("room for it");
    let name = path.to_str().expect("a name in UTF-8").to_owned();
    let Ok(inputs) = Inputs::resolve(&[name], &Waiting::default()) else { return };
    let fields = Fields::of_text("text");
    let (reader, mut scratch) = (Reader::new(&inputs, &fields, Scan::Documents), Scratch::default());
    // A file that begins as Parquet does cannot be read by this build.
    while let Ok(Some(chunk)) = reader.next() {
        chunk.load(&mut scratch).expect("a file that can be read").for_each(|_| {});
    }
});
