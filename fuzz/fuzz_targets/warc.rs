//! Any bytes in a file called `.warc`, compressed or not. Every scan gives the same records. An archive of all documents has the same
//! documents. Of bad records it has only those whose content cannot be read: they stay.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::{Input, documents};

fuzz_target!(|bytes: &[u8]| {
    let input = Input::new("in.warc", bytes);
    let Some(records) = input.read() else { return };
    assert!(records.iter().flatten().all(|document| document.raw.starts_with(b"WARC/")));
    for out in ["out.warc", "out.warc.gz"] {
        let copied = input.copy(out).expect("no tar archive");
        let mut bad = records.iter().filter_map(|record| Some(&record.as_ref().err()?.problem));
        for record in copied.iter().filter_map(|record| record.as_ref().err()) {
            assert!(bad.any(|problem| *problem == record.problem), "{record:?}");
        }
        let said =
            |records| documents(records).into_iter().map(|(text, id, _, _)| (text, id)).collect::<Vec<_>>();
        assert_eq!(said(&copied), said(&records));
    }
});
