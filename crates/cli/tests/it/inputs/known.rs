//! Which files are read, and in which format: globs, links, and files whose content is misleading.

use crate::unix::{path_of, symlink};
use crate::{Folder, Ran, failed, jsonl, silent, words};

/// The ids of all documents of the inputs, in their order.
fn ids(folder: &Folder, arguments: &str, code: i32) -> Vec<String> {
    let ran = folder.run(&format!("sketch {arguments} -o ids.jsonl -q"));
    assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    let id = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_str().unwrap().to_owned()
    };
    folder.read("ids.jsonl").lines().map(id).collect()
}

#[test]
fn a_glob_takes_names_that_are_not_utf_8_and_leaves_hidden_ones() {
    let folder = Folder::new();
    folder.write("in/a.txt", words(1)).write("in/.b.txt", words(2)).write("in/.c/d.txt", words(3));
    folder.write("in/.c/.d.txt", words(5));
    std::fs::create_dir(folder.path("in").join(path_of(b"e\xff"))).unwrap();
    std::fs::write(folder.path("in").join(path_of(b"e\xff/f\xe9.txt")), words(4)).unwrap();
    for walked in ["in", "in/**/*.txt", "in/*.txt in/*/*.txt", "./in/../in/**/*.txt"] {
        let found = ids(&folder, walked, 0);
        let names: Vec<&str> = found.iter().map(|id| id.rsplit("in/").next().unwrap()).collect();
        assert_eq!(names, ["a.txt", "e\u{fffd}/f\u{fffd}.txt"], "{walked}");
    }
    assert_eq!(ids(&folder, "in/.*.txt in/.c/*", 0), ["in/.b.txt", "in/.c/d.txt"]);
    assert_eq!(folder.run("dedup in/*/*.txt -o out -q"), silent());
    assert_eq!(
        std::fs::read(folder.path("out").join(path_of(b"e\xff/f\xe9.txt"))).unwrap(),
        words(4).as_bytes()
    );
    let none = "error: in/.c/?.tx*: no file matches";
    std::fs::remove_file(folder.path("in/.c/d.txt")).unwrap();
    assert!(folder.run("dedup in/.c/?.tx* -o out -q").stderr.starts_with(none));
}

#[test]
fn links_that_lead_nowhere_are_named_and_the_rest_is_done() {
    let folder = Folder::new();
    folder.write("in/a.jsonl", jsonl(&[words(1)])).write("in/c.txt", words(2));
    symlink("../gone/b.jsonl", folder.path("in/b.jsonl")).unwrap();
    symlink("d", folder.path("in/d")).unwrap();
    symlink("nowhere", folder.path("in/.hidden")).unwrap();
    let said = "skipped in/b.jsonl: the link leads to ../gone/b.jsonl, which is not there\n\
                skipped in/d: the link leads to d, which is not there\n";
    let strict = "error: in/b.jsonl: the link leads to ../gone/b.jsonl, which is not there\n  \
                  hint: without --strict the run goes on and counts such records\n";
    for inputs in ["in", "in/*"] {
        for command in ["dedup", "pairs", "sketch", "frequencies"] {
            let out = if command == "dedup" { "out" } else { "out.jsonl" };
            let run = format!("{command} {inputs} -o {out} --summary summary.json -q");
            assert_eq!(folder.run(&run), failed(3, said), "{run}");
            assert_eq!(folder.summary()["skipped"], 2);
            assert_eq!(folder.run(&format!("{run} --strict")), failed(1, strict), "{run}");
        }
        assert_eq!(folder.read("out/a.jsonl"), jsonl(&[words(1)]));
        assert_eq!(folder.read("out/c.txt"), words(2));
    }
}

#[test]
fn a_folder_of_links_that_lead_nowhere_is_an_error_that_names_one() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("in")).unwrap();
    symlink("/nowhere/a.jsonl", folder.path("in/a.jsonl")).unwrap();
    let said = "error: in/a.jsonl: the link leads to /nowhere/a.jsonl, which is not there\n";
    for inputs in ["in", "in/*"] {
        assert_eq!(folder.run(&format!("dedup {inputs} -o out -q")), failed(1, said));
    }
}

#[test]
fn a_link_to_a_folder_above_it_adds_no_file() {
    let folder = Folder::new();
    folder.write("in/a.txt", words(1)).write("in/deep/b.txt", words(2));
    symlink("..", folder.path("in/deep/up")).unwrap();
    symlink(".", folder.path("in/here")).unwrap();
    for inputs in ["in", "in/**/*.txt"] {
        assert_eq!(ids(&folder, inputs, 0), ["in/a.txt", "in/deep/b.txt"]);
    }
}

#[test]
fn zstandard_that_begins_with_a_skipped_frame_is_read() {
    let folder = Folder::new();
    let content = jsonl(&[words(1), words(2)]);
    folder.write("in.jsonl", &content);
    assert_eq!(folder.run("dedup in.jsonl -o frame.jsonl.zst -q"), silent());
    let frame = folder.read_bytes("frame.jsonl.zst");
    let skipped = [&b"\x50\x2a\x4d\x18\x04\0\0\0"[..], &(frame.len() as u32).to_le_bytes()].concat();
    // pzstd writes the length of each frame before it.
    folder.write("p.zst", [&skipped[..], &frame].concat()).write("p.jsonl", [&skipped[..], &frame].concat());
    for name in ["p.zst", "p.jsonl"] {
        assert_eq!(folder.run(&format!("dedup {name} -o out.jsonl -q")), silent());
        assert_eq!(folder.read("out.jsonl"), content);
    }
}

#[test]
fn texts_that_begin_like_another_format_are_texts() {
    let folder = Folder::new();
    let begin = [
        "BZh",
        "BZh9",
        "BZh91AY&SY",
        "PAR1",
        "WARC/",
        "{{ page.title }}",
        "{% if a %}",
        "{}",
        "{",
        "P*M\u{18}",
    ];
    for (number, begin) in begin.iter().enumerate() {
        let text = format!("{begin} {}", words(number));
        folder.write(&format!("in/{number}"), &text).write(&format!("in/{number}.txt"), text + " and more");
    }
    let expected: Vec<String> =
        (0..begin.len()).flat_map(|number| [format!("in/{number}"), format!("in/{number}.txt")]).collect();
    assert_eq!(ids(&folder, "in/*", 0), expected);
    assert_eq!(ids(&folder, "in", 0).len(), begin.len());
    let ran = folder.run("compare in/2 in/2.txt --format json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(folder.run("dedup in/* -o out -q"), silent());
    assert_eq!(folder.read("out/2"), folder.read("in/2"));
}

#[test]
fn the_text_may_be_the_id_in_every_format() {
    let folder = Folder::new();
    let (a, b) = (words(1), format!("{} x", words(1)));
    folder.write("in.jsonl", jsonl(&[&a, &b]).replace("w1x0", "\\u00771x0"));
    folder
        .write("in.csv", format!("id,text\na,{a}\nb,{b}\n"))
        .write("in.tsv", format!("id\ttext\na\t{a}\nb\t{b}\n"));
    // A list, such as the one of --clusters, is the only Parquet file that a run makes from other formats.
    folder.write("ids.csv", format!("id,text\n{a},{a}\n{b},{b}\n"));
    assert_eq!(folder.run("dedup ids.csv -o all.csv --clusters in.parquet -q"), silent());
    for (name, fields) in [
        ("in.jsonl", "--id-field text"),
        ("in.csv", "--id-field text"),
        ("in.tsv", "--id-field text"),
        ("in.parquet", "--text-field id --id-field id"),
    ] {
        let ran = folder.run(&format!("pairs {name} {fields} -o pairs.jsonl -q"));
        assert_eq!(ran, silent(), "{name}");
        let pairs: serde_json::Value = serde_json::from_str(&folder.read("pairs.jsonl")).unwrap();
        assert_eq!((pairs["a"].as_str(), pairs["b"].as_str()), (Some(&*a), Some(&*b)), "{name}");
    }
}

#[test]
fn odd_values_in_unused_fields_break_no_record() {
    let folder = Folder::new();
    let line = |member: &str, seed| format!("{{{member},\"text\":\"{}\"}}\n", words(seed));
    let content = [
        line("\"n\":1e400", 1),
        line("\"n\":NaN", 2),
        line("\"n\":[-Infinity,1E-9]", 3),
        line("\"s\":\"\\ud800 and more\"", 4),
        line("\"\\ud800\":\"\"", 5),
    ]
    .concat();
    folder.write("in.jsonl", &content);
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl -q"), silent());
    assert_eq!(folder.read("out.jsonl"), content);
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --annotate -q"), silent());
    // If the run needs them, these values are no numbers, and half a character is no text.
    let ran = folder.run("dedup in.jsonl -o out.jsonl --keep max:n -q");
    assert!(ran.stderr.starts_with("error: no document has a number in the field \"n\""), "{}", ran.stderr);
    folder.write("in.jsonl", format!("{}{}", line("\"a\":0", 1), "{\"text\":\"\\ud800\"}\n"));
    let said = "skipped in.jsonl:2: broken JSON: unpaired surrogate in field \"text\"\n";
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl -q"), failed(3, said));
}

#[test]
fn a_field_that_annotations_need_is_found_in_every_spelling() {
    let folder = Folder::new();
    for key in ["cluster", "\\u0063luster", "kept\\u005fid", "j\\u0061ccard", "k\\u0065pt"] {
        folder.write("in.jsonl", format!("{{\"text\":\"{}\",\"{key}\":1,\"n\":NaN}}\n", words(1)));
        let ran = folder.run("dedup in.jsonl -o out.jsonl --annotate -q");
        assert_eq!(ran.code, Some(1), "{key}");
        assert!(
            ran.stderr.starts_with("error: in.jsonl: there is already a field \""),
            "{key}: {}",
            ran.stderr
        );
    }
    let other = format!("{{\"text\":\"{} \\u0063luster\",\"Cluster\":{{\"\\u0063luster\":1}}}}\n", words(1));
    folder.write("in.jsonl", other);
    let ran: Ran = folder.run("dedup in.jsonl -o out.jsonl --annotate -q");
    assert_eq!(ran, silent());
}

#[test]
fn of_several_bad_records_the_first_one_ends_a_strict_run() {
    let folder = Folder::new();
    // The second file is read while the first one is, whose only bad record comes some chunks later.
    let lines = 40_000;
    let long: String = (0..lines).map(|number| format!("{{\"text\":\"{}\"}}\n", words(number))).collect();
    folder
        .write("a.jsonl", long + "not JSON\n")
        .write("b.jsonl", "not JSON\n".to_owned() + &jsonl(&[words(1)]));
    let place = format!("error: a.jsonl:{}: ", lines + 1);
    for threads in [1, 2, 4] {
        let ran = folder.run(&format!("dedup a.jsonl b.jsonl -o out --strict -q --threads {threads}"));
        assert!(ran.code == Some(1) && ran.stderr.starts_with(&place), "{ran:?}");
    }
}
