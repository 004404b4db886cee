use std::{fs, path::Path};

use proptest::prelude::*;

use crate::{
    Fields, Format, Inputs, KeptRows, KeptWriter, Place, Problem, Reader, RecordMode, Scan, Scratch, Waiting,
};

/// The texts and bytes of the records, and the problems of bad elements, each with the number of its element.
type Read = (Vec<(u32, String, String)>, Vec<(u32, Problem)>);

fn fields() -> Fields {
    Fields::of_text("text")
}

fn inputs(path: &Path, max_record: Option<u64>) -> Inputs {
    let mut inputs = Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap();
    if let Some(bytes) = max_record {
        inputs.skip_longer(bytes);
    }
    inputs
}

fn read(inputs: &Inputs, chunk_bytes: usize) -> Read {
    let fields = fields();
    let reader = Reader::with_chunk_bytes(inputs, &fields, Scan::Records, chunk_bytes);
    let (mut records, mut bad, mut before) = (Vec::new(), Vec::new(), 0);
    let mut scratch = Scratch::default();
    while let Some(chunk) = reader.next().unwrap() {
        let mut loaded = chunk.load(&mut scratch).unwrap();
        let counted = loaded.lines();
        let mut places: Vec<(Place, String)> = Vec::new();
        loaded.for_each(|record| match record {
            Ok(record) => places.push((record.place, record.text.to_owned())),
            Err(record) => bad.push((before + record.line + 1, record.problem)),
        });
        assert_eq!(loaded.lines(), counted);
        for (place, text) in places {
            assert_eq!(loaded.record(place).unwrap().text, text);
            let raw = String::from_utf8(loaded.raw(place).unwrap().to_owned()).unwrap();
            records.push((before + place.line + 1, text, raw));
        }
        before += loaded.lines();
    }
    (records, bad)
}

/// The records of a file with this content. They must be the same in chunks of any size.
fn scan(content: &str, max_record: Option<u64>) -> Read {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    fs::write(&path, content).unwrap();
    let inputs = inputs(&path, max_record);
    assert_eq!(inputs.files()[0].format, Format::Json);
    let whole = read(&inputs, 1 << 20);
    for chunk_bytes in 1..40 {
        assert_eq!(read(&inputs, chunk_bytes), whole, "{content:?} in chunks of {chunk_bytes}");
    }
    whole
}

fn texts(read: &Read) -> Vec<(u32, &str)> {
    read.0.iter().map(|(number, text, _)| (*number, text.as_str())).collect()
}

#[test]
fn elements_are_records_in_any_layout_of_the_array() {
    for content in [
        r#"[{"text":"a"},{"text":"b,]}\""}]"#,
        "\u{feff} \n[\r\n  {\n    \"text\": \"a\"\n  },\n  {\n    \"text\":\t\"b,]}\\\"\"\n  }\n]\n\n",
        "[ {\"text\" :\"a\"} , {\"x\":[{},\"]\"],\"text\":\"b,]}\\\"\"} ]",
    ] {
        let read = scan(content, None);
        assert_eq!(texts(&read), [(1, "a"), (2, "b,]}\"")], "{content}");
        assert_eq!(read.1, []);
        assert!(read.0.iter().all(|(_, _, raw)| raw.starts_with('{') && raw.ends_with('}')));
    }
    for content in ["[]", " [ \n ] "] {
        assert_eq!(scan(content, None), (vec![], vec![]));
    }
}

#[test]
fn damage_within_an_element_is_one_bad_record() {
    for element in [
        "1",
        "\"a,]\"",
        "[{},[1,2]]",
        "",
        "nul",
        "{\"text\":7}",
        "{\"text\":\"x\"} {}",
        "{\"text\":\"x\"}}",
        "{\"text\":[1}",
        "{\"text\":\"x\",}",
        "{\"text\":\"x\ny\"}",
        "{\"text\":\"\\ud800\"}",
    ] {
        let read = scan(&format!("[{{\"text\":\"a\"}}, {element}, {{\"text\":\"b\"}}]"), None);
        assert_eq!(texts(&read), [(1, "a"), (3, "b")], "{element}");
        assert_eq!(read.1.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [2], "{element}");
    }
}

#[test]
fn damage_of_the_array_itself_is_reported_and_ends_reading() {
    let (open, behind, comma) = (Problem::OpenArray, Problem::BehindArray, Problem::TrailingComma);
    for (rest, count, problem) in [
        (r#"{"text":"b"}"#, 2, &open),
        (r#"{"text":"b"},"#, 2, &open),
        (r#"{"text":"b","#, 1, &open),
        (r#"{"text":"b"#, 1, &open),
        (r#"{"text":{"b"}, {"text":"c"}]"#, 1, &open),
        (r#"{"text":"b},{"text":"c"}]"#, 1, &open),
        (r#"{"text":"b"}] [{"text":"c"}]"#, 2, &behind),
        (r#"{"text":"b"}]]"#, 2, &behind),
        (r#"{"text":"b"}, ] "#, 2, &comma),
    ] {
        let read = scan(&format!("[{{\"text\":\"a\"}},{rest}"), None);
        assert_eq!(read.0.len(), count, "{rest}");
        assert_eq!(read.1.last(), Some(&(count as u32 + 1, problem.clone())), "{rest}");
    }
}

#[test]
fn a_long_element_is_skipped_at_any_position() {
    let long = format!("{{\"text\":\"{}\"}}", "\\\"x".repeat(60));
    for limit in [20, 21, 50, 150] {
        for content in [
            format!("[{long},{{\"text\":\"a\"}}]"),
            format!("[{{\"text\":\"a\"}},{long},{{\"text\":\"b\"}}]"),
            format!("[{{\"text\":\"a\"}},{long} ]\n"),
            format!("[{{\"text\":\"a\"}},{long}"),
        ] {
            let (records, bad) = scan(&content, Some(limit));
            let all = scan(&content, None);
            let short = all.0.into_iter().filter(|(_, text, _)| text.len() < 10).collect::<Vec<_>>();
            assert_eq!(records, short, "{content}");
            let is_long = |problem: &Problem| matches!(problem, Problem::RecordTooLong { length: 191.., .. });
            assert_eq!(bad.iter().filter(|(_, problem)| is_long(problem)).count(), 1, "{content}: {bad:?}");
            assert_eq!(bad.len(), 1 + all.1.len());
        }
    }
}

#[test]
fn kept_elements_are_an_array_again() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("a.json"), folder.path().join("out.json"));
    let copy = |content: &str, keep: &dyn Fn(&str) -> bool| {
        fs::write(&path, content).unwrap();
        let (inputs, fields) = (inputs(&path, None), fields());
        let writer = KeptWriter::create(&inputs, &fields, &out, RecordMode::Copy).unwrap();
        let reader = Reader::with_chunk_bytes(&inputs, &fields, writer.scan(), 20);
        let mut scratch = Scratch::default();
        while let Some(chunk) = reader.next().unwrap() {
            let mut loaded = chunk.load(&mut scratch).unwrap();
            let mut places = Vec::new();
            loaded.for_each(|record| {
                places.extend(record.ok().filter(|record| keep(record.text)).map(|r| r.place))
            });
            writer.write(&loaded, KeptRows::Copied(&places)).unwrap();
        }
        writer.complete().unwrap().publish().unwrap();
        fs::read_to_string(&out).unwrap()
    };
    let content = "[ {\"text\":\"a\"},7,{\n  \"text\":\"b\"\n} , {\"text\":\"c\"}]";
    let all = "[\n{\"text\":\"a\"},\n{\n  \"text\":\"b\"\n},\n{\"text\":\"c\"}\n]\n";
    assert_eq!(copy(content, &|_| true), all);
    assert_eq!(copy(all, &|_| true), all);
    assert_eq!(copy(content, &|text| text == "c"), "[\n{\"text\":\"c\"}\n]\n");
    for content in [content, "[]"] {
        assert_eq!(copy(content, &|_| false), "[\n]\n");
    }
}

proptest! {
    #[test]
    fn an_array_has_the_records_that_serde_json_reads(
        elements in prop::collection::vec(
            prop::collection::vec(prop::sample::select(vec!["a", "\"", "\\", "{", "}", "[", "]", ",", "\n", "é"]), 0..8),
            0..8,
        ),
        pretty in any::<bool>(),
        chunk_bytes in 1_usize..60,
    ) {
        let elements: Vec<_> = elements
            .iter()
            .map(|text| serde_json::json!({ "x": [{ text.concat(): 1 }], "text": text.concat() }))
            .collect();
        let content = if pretty { serde_json::to_string_pretty(&elements) } else { serde_json::to_string(&elements) };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, content.unwrap()).unwrap();
        let (records, bad) = read(&inputs(&path, None), chunk_bytes);
        prop_assert_eq!(bad, []);
        let parsed: Vec<serde_json::Value> = records.iter().map(|(.., raw)| serde_json::from_str(raw).unwrap()).collect();
        prop_assert_eq!(&parsed, &elements);
        let texts: Vec<_> = records.iter().map(|(_, text, _)| text.as_str()).collect();
        prop_assert_eq!(texts, elements.iter().map(|element| element["text"].as_str().unwrap()).collect::<Vec<_>>());
    }
}
