//! Any bytes after the bracket that starts a JSON array, compressed or not. Every scan gives the same records, and a copy has the same
//! documents. If serde_json reads the whole array, its documents are the same. The text and the id are fields of an object.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::Fields;
use lookalike_fuzz::{Input, documents};
use serde_json::Value;

const TEXT: &str = "m.text";

fuzz_target!(|bytes: &[u8]| {
    let fields = Fields { id: Some("m.id".into()), number: Some("n".into()), ..Fields::of_text(TEXT) };
    let array = [b"[", bytes].concat();
    let input = Input::with_fields("in.json", &array, fields);
    let Some(records) = input.read() else { return };
    let texts = |records| {
        documents(records).into_iter().map(|(text, id, number, _)| (text, id, number)).collect::<Vec<_>>()
    };
    assert_eq!(texts(&input.copy("out.json").expect("no tar archive")), texts(&records));

    let Ok(Value::Array(elements)) = serde_json::from_slice(&array) else { return };
    assert_eq!(elements.len(), records.len(), "an element is lost");
    for (element, record) in elements.iter().zip(&records) {
        let text = led_to(element, TEXT).and_then(Value::as_str);
        assert_eq!(record.as_ref().ok().map(|document| document.text.as_str()), text);
    }
});

/// The value with this name.
fn led_to<'v>(object: &'v Value, name: &str) -> Option<&'v Value> {
    let object = object.as_object()?;
    object.get(name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        led_to(object.get(first)?, rest)
    })
}
