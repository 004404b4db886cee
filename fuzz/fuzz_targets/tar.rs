//! Any bytes in a file called `.tar`, compressed or not. Every scan gives the same samples. An archive of all documents has the same
//! documents, and no bad ones.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::{Input, documents};

fuzz_target!(|bytes: &[u8]| {
    let input = Input::new("in.tar", bytes);
    let Some(records) = input.read() else { return };
    assert!(records.iter().flatten().all(|document| document.raw.len() % 512 == 0));
    for out in ["out.tar", "out.tar.gz"] {
        let copied = input.copy(out);
        assert!(copied.iter().all(Result::is_ok), "{copied:?}");
        let said =
            |records| documents(records).into_iter().map(|(text, id, _, _)| (text, id)).collect::<Vec<_>>();
        assert_eq!(said(&copied), said(&records));
    }
});
