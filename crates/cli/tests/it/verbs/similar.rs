//! `similar` and `sketch`.

use crate::{Folder, jsonl, silent, words};

#[test]
fn the_most_similar_documents_come_first_with_exact_similarities() {
    let folder = Folder::new();
    folder.write("a.jsonl", jsonl(&["a b c d", "x y z", "a b c e"]));
    folder.write("b.jsonl", "{\"text\":\"A B, C D!\"}\n\n{\"text\":\"d\"}\n");
    folder.write("query.txt", "a b c d");
    let expected = "{\"id\":\"a\",\"jaccard\":1.000000}\n\
                    {\"id\":\"b.jsonl:1\",\"jaccard\":1.000000}\n\
                    {\"id\":\"c\",\"jaccard\":0.600000}\n\
                    {\"id\":\"b.jsonl:3\",\"jaccard\":0.250000}\n";
    let similar = "similar query.txt --in a.jsonl --in b.jsonl --shingle 1 -q";
    assert_eq!(folder.run(similar).stdout, expected);
    let first: String = expected.lines().take(2).map(|line| format!("{line}\n")).collect();
    assert_eq!(folder.run(&format!("{similar} -k 2")).stdout, first);
    assert_eq!(folder.run(&format!("{similar} -t 0.9")).stdout, first);
    let ran = folder
        .run_with_input("similar - --in a.jsonl --in b.jsonl --shingle 1 -q -o out.csv -k 3", b"a b c d");
    assert_eq!(ran, silent());
    assert_eq!(folder.read("out.csv"), "id,jaccard\na,1.000000\nb.jsonl:1,1.000000\nc,0.600000\n");
}

#[test]
fn similar_by_fingerprints_lists_the_nearest() {
    let folder = Folder::new();
    let page = format!("{} {}", words(1), words(2));
    folder.write("in.jsonl", jsonl(&[&words(9), &page, &page.replace("w1x3", "other")]));
    folder.write("query.txt", &page);
    let ran = folder.run("similar query.txt --in in.jsonl --method simhash --shingle 1 -q -k 2");
    let ids: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&ids[0]["id"], &ids[0]["hamming"]), (&"b".into(), &0.into()), "{ran:?}");
    assert_eq!((ids.len(), &ids[1]["id"]), (2, &"c".into()));
}

#[test]
fn an_empty_query_is_refused() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["a"])).write("empty.txt", " \n");
    let ran = folder.run("similar empty.txt --in in.jsonl");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), "error: the text to search for is empty\n"));
}

#[test]
fn sketches_are_in_input_order_and_the_same_in_every_format() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(2), words(1)]) + "{\"text\":\"without id\"}\n");
    assert_eq!(folder.run("sketch in.jsonl -o out.jsonl -q --num-perm 16"), silent());
    let rows: Vec<serde_json::Value> =
        folder.read("out.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "b", "c", "in.jsonl:4"]);
    assert_eq!(rows[0]["signature"].as_array().unwrap().len(), 16);
    assert_eq!(rows[0]["signature"], rows[2]["signature"]);
    assert_ne!(rows[0]["signature"], rows[1]["signature"]);
    assert_eq!(folder.run("sketch in.jsonl -o out.tsv -q --num-perm 16"), silent());
    let numbers: Vec<String> =
        rows[3]["signature"].as_array().unwrap().iter().map(ToString::to_string).collect();
    assert!(folder.read("out.tsv").ends_with(&format!("in.jsonl:4\t{}\n", numbers.join(" "))));
    assert_eq!(folder.run("sketch in.jsonl -o out.parquet -q"), silent());
    assert!(folder.read_bytes("out.parquet").starts_with(b"PAR1"));
}

#[test]
fn fingerprints_are_hexadecimal_digits() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["one two three", "four"]));
    for (bits, digits) in [(64, 16), (128, 32)] {
        let out = format!("sketch in.jsonl -o out.jsonl -q --method simhash --bits {bits}");
        assert_eq!(folder.run(&out), silent());
        for line in folder.read("out.jsonl").lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let fingerprint = row["fingerprint"].as_str().unwrap();
            assert_eq!(fingerprint.len(), digits);
            assert!(u128::from_str_radix(fingerprint, 16).is_ok());
        }
        assert_eq!(folder.run(&out.replace("jsonl -q", "parquet -q")), silent());
    }
}

#[test]
fn a_text_without_features_has_no_sketch() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["", "the", "a text"]));
    let ran = folder.run("sketch in.jsonl -o out.jsonl --method simhash --stop-words en --shingle 1");
    assert!(ran.stderr.contains("2 documents without features, similar to no other"), "{ran:?}");
    let out = folder.read("out.jsonl");
    assert!(
        out.starts_with("{\"id\":\"a\",\"fingerprint\":null}\n{\"id\":\"b\",\"fingerprint\":null}\n"),
        "{out}"
    );
    folder.run("sketch in.jsonl -o out.jsonl -q");
    assert!(folder.read("out.jsonl").starts_with("{\"id\":\"a\",\"signature\":null}\n"));
}

#[test]
fn mistakes_of_the_single_scan_commands_are_named() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["a b c"]) + "{\"text\":1}\n");
    for command in
        ["similar a --in in.jsonl", "sketch in.jsonl -o out.jsonl", "frequencies in.jsonl -o out.df"]
    {
        let ran = folder.run(command);
        assert_eq!(ran.code, Some(3), "{command}");
        assert!(ran.stderr.starts_with("skipped in.jsonl:2: field \"text\" is a number"), "{ran:?}");
        let _ = std::fs::remove_file(folder.path("out.df"));
        let ran = folder.run(&format!("{command} --strict"));
        assert_eq!(
            (ran.code, ran.stderr.starts_with("error: in.jsonl:2: field")),
            (Some(1), true),
            "{ran:?}"
        );
        let ran = folder.run(&format!("{command} --text-field body"));
        assert_eq!(ran.code, Some(1), "{command}");
        assert!(
            ran.stderr.starts_with("error: in.jsonl: no field \"body\"; fields seen: id, text"),
            "{ran:?}"
        );
    }
    assert!(!folder.names().contains(&"out.df".to_owned()));
    let ran = folder.run("frequencies in.jsonl -o -");
    assert_eq!(ran.stderr, "error: -o -: the table is no text; give a file\n");
    let ran = folder.run("similar qurey.txt --in in.jsonl");
    assert!(ran.stderr.starts_with("error: qurey.txt: there is no such file"), "{ran:?}");
    let ran = folder.run("similar the --in in.jsonl --stop-words en");
    assert!(ran.stderr.starts_with("error: the text to search for has no features"), "{ran:?}");
    let ran = folder.run("pairs in.jsonl --tokens chars --stop-words en");
    assert_eq!(ran.stderr, "error: --stop-words needs --tokens words, whitespace or jieba\n");
}

#[test]
fn similar_within_a_distance_lists_no_farther_ones() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(2)]));
    folder.write("query.txt", words(1));
    let lines = |arguments: &str| {
        folder
            .run(&format!("similar query.txt --in in.jsonl -q --method simhash {arguments}"))
            .stdout
            .lines()
            .count()
    };
    assert_eq!((lines(""), lines("--hamming 3")), (2, 1));
}

#[test]
fn sketches_and_lists_are_the_same_with_any_number_of_threads() {
    let folder = Folder::new();
    // The inputs have several chunks, and one file is compressed. Many documents are equally similar.
    let texts: Vec<String> = (0..26).map(|letter| words(letter % 5)).collect();
    let lines = jsonl(&texts).repeat(120);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, lines.as_bytes()).unwrap();
    folder.write("a.jsonl", &lines).write("b.jsonl.gz", encoder.finish().unwrap());
    folder.write("query.txt", words(3));
    let run = |threads: usize| {
        let rest = format!("-q --threads {threads}");
        assert_eq!(
            folder.run(&format!("sketch a.jsonl b.jsonl.gz -o out.jsonl --method simhash {rest}")),
            silent()
        );
        let similar = folder.run(&format!("similar query.txt --in a.jsonl --in b.jsonl.gz -k 700 {rest}"));
        assert_eq!(similar.stdout.lines().count(), 700);
        (folder.read("out.jsonl"), similar)
    };
    let one = run(1);
    assert_eq!(one.0.lines().count(), 2 * 26 * 120);
    assert_eq!(run(4), one);
}
