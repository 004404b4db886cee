//! Any bytes in a file called `.jsonl`, compressed or not. Every scan gives the same records, and a copy has the same documents. Every
//! line is a document or is reported as bad. Texts are the same as serde_json's.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::{Input, documents, may_be_compressed, without_marks};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let input = Input::new("in.jsonl", bytes);
    let Some(records) = input.read() else { return };
    let copied = input.copy("out.jsonl").expect("no tar archive");
    let texts = |records| {
        documents(records).into_iter().map(|(text, id, number, _)| (text, id, number)).collect::<Vec<_>>()
    };
    assert_eq!(texts(&copied), texts(&records));

    if may_be_compressed(bytes) {
        return;
    }
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').filter(|line| !is_blank(line)).collect();
    assert_eq!(lines.len(), records.len(), "a line is lost");
    for (line, record) in lines.iter().zip(&records) {
        let line = without_marks(line);
        let Ok(Value::Object(object)) = serde_json::from_slice(line) else { continue };
        let Some(Value::String(text)) = object.get("text") else { continue };
        assert_eq!(record.as_ref().map(|document| &document.text), Ok(text));
    }
});

fn is_blank(line: &[u8]) -> bool {
    without_marks(line).iter().all(u8::is_ascii_whitespace)
}
