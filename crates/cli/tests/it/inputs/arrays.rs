//! JSON arrays of objects.

use crate::{Folder, Ran, failed, silent, words};
use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};
use std::io::Write;

/// Objects with the ids a, b, c … and these texts.
fn objects(texts: &[String]) -> Vec<Value> {
    let object = |(index, text): (usize, &String)| json!({"id": char::from(b'a' + index as u8).to_string(), "text": text});
    texts.iter().enumerate().map(object).collect()
}

/// An array as `dedup` writes it.
fn array(elements: &[String]) -> String {
    format!("[\n{}\n]\n", elements.join(",\n"))
}

fn gzip(content: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn an_array_keeps_its_layout() {
    let folder = Folder::new();
    let all = objects(&[words(1), words(2), words(1)]);
    for (content, pretty) in [
        (serde_json::to_string(&all).unwrap(), false),
        (serde_json::to_string_pretty(&all).unwrap(), true),
        (format!("\u{feff}\n{}\n", serde_json::to_string(&all).unwrap()), false),
    ] {
        let element = |value: &Value| match pretty {
            // The elements of a pretty array are indented by two spaces, and the copies are, too.
            true => serde_json::to_string_pretty(value).unwrap().replace('\n', "\n  "),
            false => value.to_string(),
        };
        let kept = array(&[element(&all[0]), element(&all[1])]);
        folder.write("in.json", &content).write("in.json.gz", gzip(&content)).write("in", &content);
        let lists = "--removed removed.csv --clusters clusters.json -q";
        assert_eq!(folder.run(&format!("dedup in.json -o out.json {lists}")), silent());
        assert_eq!(folder.read("out.json"), kept);
        assert_eq!(folder.read("removed.csv").lines().nth(1), Some("c,a,1,1.000000,1.000000,0,"));
        assert_eq!(folder.read("clusters.json").lines().count(), 2);
        assert_eq!(folder.run("dedup in.json.gz -o again.json -q"), silent());
        assert_eq!(folder.run("dedup in.json in -o folder -q --against out.json"), silent());
        assert_eq!([folder.read("again.json"), folder.read("folder/in.json")], [kept.as_str(), "[\n]\n"]);
        let ran = folder.run_with_input("dedup - -o - -q", content.as_bytes());
        assert_eq!(ran, Ran { stdout: kept, ..silent() });
    }
}

#[test]
fn elements_are_annotated() {
    let folder = Folder::new();
    let mut all = objects(&[words(1), words(2), words(1)]);
    folder.write("in.json", serde_json::to_string_pretty(&all).unwrap());
    assert_eq!(folder.run("dedup in.json -o out.json --annotate -q"), silent());
    let written: Vec<Value> = serde_json::from_str(&folder.read("out.json")).unwrap();
    let decisions = [
        json!([1, true, null, null, null, 1]),
        json!([null, true, null, null, null, 0]),
        json!([1, false, "a", 1.0, 1.0, 1]),
    ];
    for (element, decision) in all.iter_mut().zip(decisions) {
        let names = ["cluster", "kept", "kept_id", "jaccard", "containment", "duplicate_count"];
        for (index, name) in names.into_iter().enumerate() {
            element[name] = decision[index].clone();
        }
    }
    assert_eq!(written, all);
    folder.write("in.json", r#"[{"text":"a","kept":1}]"#);
    let ran = folder.run("dedup in.json -o out.json --annotate -q");
    assert!(ran.code == Some(1) && ran.stderr.contains("there is already a field \"kept\""), "{ran:?}");
}

#[test]
fn several_arrays_become_one_and_records_stay_in_their_format() {
    let folder = Folder::new();
    let all = objects(&[words(1), words(2)]);
    folder
        .write("1.json", json!([all[0]]).to_string())
        .write("2.json", json!(all).to_string())
        .write("3.json", "[]");
    assert_eq!(folder.run("dedup 1.json 2.json 3.json -o out.json -q"), silent());
    assert_eq!(folder.read("out.json"), array(&[all[0].to_string(), all[1].to_string()]));
    assert_eq!(folder.run("dedup 3.json -o out.json -q"), silent());
    assert_eq!(folder.read("out.json"), "[\n]\n");
    let said = "error: out.jsonl: kept records stay in their format, a JSON array, and are not converted; end the name in .json\n";
    assert_eq!(folder.run("dedup 1.json -o out.jsonl"), failed(1, said));
    // A .json file with an object a line keeps this layout.
    folder.write("lines.json", format!("{}\n", all[0]));
    assert_eq!(folder.run("dedup lines.json -o lines-out.json -q"), silent());
    assert_eq!(folder.read("lines-out.json"), format!("{}\n", all[0]));
    let ran = folder.run("dedup 1.json lines.json -o out.json");
    assert!(
        ran.code == Some(1)
            && ran.stderr.contains("the inputs are a JSON array and JSONL, and each stays in its format"),
        "{ran:?}"
    );
    assert_eq!(folder.run("dedup 1.json lines.json -o both -q"), silent());
    assert_eq!(folder.read("both/1.json"), array(&[all[0].to_string()]));
    assert_eq!(folder.read("both/lines.json"), "");
}

#[test]
fn elements_without_an_id_are_called_by_their_number_and_bad_ones_are_named() {
    let folder = Folder::new();
    let text = |seed: usize| json!({ "text": words(seed) }).to_string();
    let elements = [text(1), "{\"text\":1]}".to_owned(), text(2), "7".to_owned(), text(1)];
    folder.write("in.json", format!("[\n{}]", elements.join(",\n")));
    let said = "skipped in.json:2: broken JSON: a comma or a closing brace is missing, at column 10\n\
                skipped in.json:4: expected a JSON object, found a number\n";
    assert_eq!(folder.run("dedup in.json -o out.json --removed removed.csv -q"), failed(3, said));
    assert_eq!(folder.read("out.json"), array(&[text(1), text(2)]));
    assert!(folder.read("removed.csv").ends_with("in.json:5,in.json:1,1,1.000000,1.000000,0,\n"));
    let ran = folder.run("compare in.json:1 in.json:3 --in in.json -q");
    assert!(ran.stdout.starts_with("A  in.json:1  (40 words)\nB  in.json:3"), "{ran:?}");
    let strict = folder.run("dedup in.json -o out.json --strict -q");
    assert!(
        strict.code == Some(1) && strict.stderr.starts_with("error: in.json:2: broken JSON"),
        "{strict:?}"
    );
}

#[test]
fn an_array_that_is_cut_off_gives_the_elements_before_the_cut() {
    let folder = Folder::new();
    let text = |seed: usize| json!({ "text": words(seed) }).to_string();
    let whole = format!("[{},{},{}]", text(1), text(2), text(3));
    let open = "the JSON array does not end: its file is cut off here, or a quote or a brace in this element is never closed";
    for (content, problem) in [
        (whole[..whole.len() - 9].to_owned(), format!("3: {open}")),
        (format!("[{},{},{}", text(1), text(2), &text(3)[..50]), format!("3: {open}")),
        (format!("[{},{}", text(1), text(2)), format!("3: {open}")),
        (
            format!("[{},{}]{whole}", text(1), text(2)),
            "3: something stands behind the end of the JSON array; the rest of the file is not read"
                .to_owned(),
        ),
        (
            format!("[{},{},]", text(1), text(2)),
            "3: broken JSON: a comma stands behind the last element of the array".to_owned(),
        ),
    ] {
        folder.write("in.json", &content);
        let said = format!("skipped in.json:{problem}\n");
        assert_eq!(folder.run("dedup in.json -o out.json -q"), failed(3, &said), "{content}");
        assert_eq!(folder.read("out.json"), array(&[text(1), text(2)]));
    }
    let bytes = gzip(&whole);
    folder.write("in.json.gz", &bytes[..bytes.len() - 12]);
    let ran = folder.run("dedup in.json.gz -o out.json -q");
    assert!(
        ran.code == Some(3) && ran.stderr.contains("in the middle of its compressed data: it is cut off"),
        "{ran:?}"
    );
}

#[test]
fn long_elements_and_little_memory_change_nothing_else() {
    let folder = Folder::new();
    let text = |seed: usize| json!({ "text": words(seed) }).to_string();
    let long = json!({ "text": "long ".repeat(600_000) }).to_string();
    let elements: Vec<String> = (0..20_000).map(|number| text(number % 15_000)).collect();
    let content = format!("[{},{long},{}]", elements[..100].join(",\n"), elements[100..].join(", "));
    folder.write("in.json", &content).write("in.json.gz", gzip(&content));
    let kept = array(&elements[..15_000]);
    let said = String::from(
        "skipped in.json:101: the record has 3,000,011 bytes, more than the limit of 1 MiB\n  hint: --max-record sets the limit of a record, up to 2GiB\n",
    );
    assert_eq!(long.len(), 3_000_011);
    for options in ["--max-record 1MiB", "--max-record 1MiB --threads 1", "--memory 100MiB --max-record 1MiB"]
    {
        assert_eq!(
            folder.run(&format!("dedup in.json -o out.json -q {options}")),
            failed(3, &said),
            "{options}"
        );
        assert!(folder.read("out.json") == kept, "{options}");
        let ran = folder.run(&format!("dedup in.json.gz -o gz.json -q {options}"));
        assert_eq!(ran, failed(3, &said.replace("in.json", "in.json.gz")));
        assert!(folder.read("gz.json") == kept, "{options}");
    }
}

#[test]
fn every_command_reads_arrays() {
    let folder = Folder::new();
    folder.write("in.json", serde_json::to_string_pretty(&objects(&[words(1), words(1)])).unwrap());
    let ran = folder.run("pairs in.json -q");
    assert_eq!(ran.stdout, "{\"a\":\"a\",\"b\":\"b\",\"jaccard\":1.000000}\n");
    for command in [
        "similar w1x1 --in in.json",
        "sketch in.json -o s.jsonl",
        "index build in.json -o in.index",
        "tune in.json",
    ] {
        let ran = folder.run(&format!("{command} -q"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{command}");
    }
}

#[test]
fn an_array_behind_much_white_space_is_an_array() {
    let folder = Folder::new();
    let texts = [words(1), words(2), words(1)];
    let all: Vec<Value> = texts.iter().map(|text| json!({ "text": text })).collect();
    for blank in [4_095, 4_096, 3_000_000] {
        let content = " \n".repeat(blank / 2) + &json!(all).to_string();
        folder.write("in.json", &content).write("in.json.gz", gzip(&content)).write("in", &content);
        for name in ["in.json", "in.json.gz", "in"] {
            assert_eq!(folder.run(&format!("dedup {name} -o out.json -q")), silent(), "{name} {blank}");
            let written: Vec<Value> = serde_json::from_str(&folder.read("out.json")).unwrap();
            assert_eq!(written, all[..2], "{name} {blank}");
        }
    }
}
