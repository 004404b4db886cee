//! Any bytes in a file called `.tar`, compressed or not. Every scan gives the same samples. An archive of all documents has the same
//! documents, and no bad ones.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{Fields, Format, Inputs, Reader, Scan, Scratch, Waiting};
use lookalike_fuzz::{Input, documents};

/// Reads the files of an archive that is one of files of records. Returns `false` for any other archive.
fn read_as_folder(bytes: &[u8]) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("in.tar");
    std::fs::write(&path, bytes).expect("room for it");
    let name = path.to_str().expect("a name in UTF-8").to_owned();
    let Ok(inputs) = Inputs::resolve(&[name], &Waiting::default()) else { return true };
    if matches!(inputs.files(), [file] if file.format == Format::Tar) {
        return false;
    }
    let fields = Fields::of_text("text");
    let (reader, mut scratch) = (Reader::new(&inputs, &fields, Scan::Documents), Scratch::default());
    // A member that begins as Parquet does cannot be read by this build.
    while let Ok(Some(chunk)) = reader.next() {
        chunk.load(&mut scratch).expect("a file that can be read").for_each(|_| {});
    }
    true
}

fuzz_target!(|bytes: &[u8]| {
    if read_as_folder(bytes) {
        return;
    }
    let input = Input::new("in.tar", bytes);
    let Some(records) = input.read() else { return };
    assert!(records.iter().flatten().all(|document| document.raw.len() % 512 == 0));
    for out in ["out.tar", "out.tar.gz"] {
        let Some(copied) = input.copy(out) else { return };
        assert!(copied.iter().all(Result::is_ok), "{copied:?}");
        let said =
            |records| documents(records).into_iter().map(|(text, id, _, _)| (text, id)).collect::<Vec<_>>();
        assert_eq!(said(&copied), said(&records));
    }
});
