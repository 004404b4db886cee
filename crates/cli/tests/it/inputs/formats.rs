//! Every format through the whole program.

use crate::{Folder, Ran, exists, jsonl, silent, words};

#[test]
fn standard_input_and_output_are_jsonl() {
    let folder = Folder::new();
    let input = jsonl(&[words(1), words(2), words(1)]);
    let expected: String = input.split_inclusive('\n').take(2).collect();
    let ran = folder.run_with_input("dedup - -o - -q", input.as_bytes());
    assert_eq!(ran, Ran { stdout: expected, ..silent() });
}

#[test]
fn compression_is_known_by_content_and_written_by_name() {
    let folder = Folder::new();
    let input = jsonl(&[words(1), words(2), words(1)]);
    let expected: String = input.split_inclusive('\n').take(2).collect();
    folder.write("in.jsonl", &input);
    let mut before = "in.jsonl".to_owned();
    for extension in ["gz", "zst", "bz2", "xz", "lz4"] {
        let after = format!("out.jsonl.{extension}");
        assert_eq!(folder.run(&format!("dedup {before} -o {after} -q")), silent());
        // The name has no extension for the compression.
        std::fs::rename(folder.path(&after), folder.path("plain.jsonl")).unwrap();
        assert_ne!(folder.read_bytes("plain.jsonl"), expected.as_bytes());
        assert_eq!(folder.run("dedup plain.jsonl -o again.jsonl -q"), silent());
        assert_eq!(folder.read("again.jsonl"), expected, "{extension}");
        before = "in.jsonl".to_owned();
    }
}

#[test]
fn csv_keeps_its_header_and_its_quotes() {
    let folder = Folder::new();
    let (a, b) = (words(1), words(2));
    folder.write("in.csv", format!("n,text,id\n1,\"{a},\n\"\"{b}\"\"\",x\n2,{b},y\n3,\"{a}, {b}\",z\n"));
    assert_eq!(folder.run("dedup in.csv -o out.csv --removed removed.csv -q"), silent());
    assert_eq!(folder.read("out.csv"), format!("n,text,id\n1,\"{a},\n\"\"{b}\"\"\",x\n2,{b},y\n"));
    assert_eq!(folder.read("removed.csv").lines().nth(1), Some("z,x,1,1.000000,1.000000,0,"));
}

#[test]
fn a_table_may_have_any_delimiter_and_keeps_it() {
    let folder = Folder::new();
    let (a, b) = (words(1), words(2));
    for (delimiter, name, given) in
        [(";", "in.csv", ";"), ("|", "in.tsv", "|"), ("\t", "in.csv", "tab"), ("x", "in.csv", "x")]
    {
        let a = a.replace('x', ",");
        let header = ["n", "\"text\"", "id"].join(delimiter);
        let row = |text: &str, id: &str| format!("1{delimiter}\"{text}\"{delimiter}{id}\r\n");
        // A byte order mark within the file, as after joining two files.
        let kept = [row(&a, "a"), format!("\u{feff}{}", row(&b, "b"))].concat();
        folder.write(name, format!("{header}\r\n{kept}{}", row(&a, "c")));
        let out = format!("out.{}", &name[3..]);
        let command = format!("dedup {name} -o {out} --delimiter {given} -q");
        assert_eq!(folder.run(&format!("{command} --removed removed.csv")), silent());
        assert_eq!(folder.read(&out), format!("{header}\r\n{kept}"));
        assert_eq!(folder.read("removed.csv").lines().nth(1), Some("c,a,1,1.000000,1.000000,0,"));
        assert_eq!(folder.run(&format!("{command} --annotate")), silent());
        let annotated = folder.read(&out);
        let names = ["cluster", "kept", "kept_id", "jaccard", "containment", "duplicate_count"];
        let names = names.join(delimiter);
        assert_eq!(annotated.lines().next(), Some(format!("{header}{delimiter}{names}").as_str()));
        let none = delimiter.repeat(3);
        let second = format!("{}{delimiter}{delimiter}true{none}{delimiter}0", kept.lines().nth(1).unwrap());
        assert_eq!(annotated.lines().nth(2), Some(second.as_str()));
        assert_eq!(folder.run(&format!("dedup {name} -o folder --delimiter {given} -q")), silent());
        assert_eq!(folder.read(&format!("folder/{name}")), format!("{header}\r\n{kept}"));
    }
}

#[test]
fn every_command_that_reads_tables_takes_a_delimiter_and_quotes() {
    let folder = Folder::new();
    let table = format!("id;text\na;{}\nb;{}\n", words(1), words(1));
    folder.write("in.csv", &table).write("other.csv", &table);
    for command in [
        "pairs in.csv",
        "similar w1x1 --in in.csv",
        "sketch in.csv -o s.jsonl",
        "frequencies in.csv -o in.df",
        "compare a b --in in.csv",
        "index build in.csv -o in.index",
        "dedup in.csv --against other.csv -o out.csv",
        "tune in.csv",
    ] {
        let ran = folder.run(&format!("{command} --delimiter ; -q"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{command}");
        let is_tune = command.starts_with("tune");
        assert!(!is_tune || ran.stdout.contains("'--delimiter=;'"), "{}", ran.stdout);
        for (quotes, typed) in [("--quote none", "--quote=none"), ("--escape \\", "\"--escape=\\\\\"")] {
            let ran = folder.run(&format!("{command} --delimiter ; {quotes} -q"));
            let expected = if command.starts_with("index") { Some(1) } else { Some(0) };
            assert_eq!(ran.code, expected, "{command} {quotes}: {}", ran.stderr);
            assert!(!is_tune || ran.stdout.contains(typed), "{}", ran.stdout);
        }
    }
}

#[test]
fn a_delimiter_that_cannot_be_is_wrong_usage() {
    let folder = Folder::new();
    folder.write("in.csv", "id;text\n");
    for delimiter in ["\"", ";;", "é", "", "\n", "\r"] {
        let mut command = folder.command("pairs in.csv --delimiter");
        let output = command.arg(delimiter).output().unwrap();
        let said =
            "use one ASCII character, such as ; or |, or the word tab; quotes and line ends are not possible";
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && stderr.contains(said), "{delimiter:?}: {stderr}");
    }
}

#[test]
fn parquet_stays_the_same_except_for_the_removed_rows() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(2), words(1)]));
    // The list of clusters is a Parquet file with an id, a number and a flag.
    assert_eq!(folder.run("dedup in.jsonl -o x.jsonl --clusters clusters.parquet -q"), silent());
    assert_eq!(folder.run("dedup clusters.parquet --text-field id -o out.parquet -q"), silent());
    assert_eq!(folder.run("dedup out.parquet --text-field id -o - -q").code, Some(1));
    let ran = folder.run("pairs clusters.parquet --text-field no -q");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("cluster"), "{}", ran.stderr);
}

#[test]
fn text_files_are_documents_and_kept_ones_are_copied() {
    let folder = Folder::new();
    folder
        .write("in/a.txt", words(1))
        .write("in/deep/b.md", format!("{} x", words(1)))
        .write("in/deep/c.txt", words(2))
        .write("in/d.bin", "passed over");
    let ran = folder.run("dedup in -o out --removed removed.csv");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("1 file passed over: the extension is unknown, or it is no file"),
        "{}",
        ran.stderr
    );
    assert_eq!(folder.read("out/a.txt"), words(1));
    assert_eq!(folder.read("out/deep/c.txt"), words(2));
    assert!(!exists(&folder.path("out/deep/b.md")));
    assert!(folder.read("removed.csv").ends_with("in/deep/b.md,in/a.txt,1,0.972973,0.972973,1,x\n"));
}

#[test]
fn several_files_become_one_if_the_output_is_a_file() {
    let folder = Folder::new();
    folder.write("a.jsonl", jsonl(&[words(1)]).trim_end()).write("b.jsonl", jsonl(&[words(1), words(2)]));
    assert_eq!(folder.run("dedup a.jsonl b.jsonl -o out.jsonl -q"), silent());
    let second = jsonl(&[words(1), words(2)]);
    assert_eq!(folder.read("out.jsonl"), jsonl(&[words(1)]) + second.lines().nth(1).unwrap() + "\n");
}

#[test]
fn the_output_path_of_a_file_does_not_depend_on_the_other_matches_of_a_glob() {
    let folder = Folder::new();
    folder.write("in/mon/1.jsonl", jsonl(&[words(1)])).write("in/tue/2.jsonl", jsonl(&[words(2)]));
    for out in ["first", "second"] {
        assert_eq!(folder.run(&format!("dedup in/*/*.jsonl -o {out} -q")), silent());
        assert_eq!(folder.read(&format!("{out}/mon/1.jsonl")), jsonl(&[words(1)]));
        assert_eq!(folder.read(&format!("{out}/tue/2.jsonl")), jsonl(&[words(2)]));
        folder.write("in/tue/1.jsonl", jsonl(&[words(3)]));
    }
}

#[test]
fn a_file_may_have_the_name_of_a_folder_of_another_input() {
    let folder = Folder::new();
    folder.write("one/foo", jsonl(&[words(1)])).write("two/foo/1.jsonl", jsonl(&[words(2)]));
    assert_eq!(folder.run("dedup one/* two/*/* -o out -q"), silent());
    assert_eq!(folder.read("out/one/foo"), jsonl(&[words(1)]));
    assert_eq!(folder.read("out/foo/1.jsonl"), jsonl(&[words(2)]));
}
