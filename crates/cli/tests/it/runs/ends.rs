//! A run that cannot write one of its outputs writes none of them.

use crate::{Folder, jsonl, silent, words};
use std::{fs, io::Write, process::Stdio};

/// A folder in which not even root can write a file.
const NOWHERE: &str = "/proc";

/// Commands, each with an output at `PLACE`. A run that reads `bad.jsonl` fails with another message, because it has no document.
const COMMANDS: [&str; 19] = [
    "dedup bad.jsonl -o PLACE.jsonl",
    "dedup bad.jsonl -o PLACE/",
    "dedup bad.jsonl -o out.jsonl --removed PLACE.csv",
    "dedup bad.jsonl -o out.jsonl --clusters PLACE.parquet",
    "dedup bad.jsonl -o out.jsonl --summary PLACE.json",
    "dedup bad.jsonl -o out.jsonl --report PLACE.html",
    "dedup bad.jsonl -o out.jsonl --against seen.index --update --summary PLACE.json",
    "index build bad.jsonl -o new.index --summary PLACE.json",
    "index add seen.index bad.jsonl --summary PLACE.json",
    "pairs bad.jsonl -o PLACE.csv",
    "pairs bad.jsonl --summary PLACE.json",
    "similar abc --in bad.jsonl -o PLACE.csv",
    "similar abc --in bad.jsonl --summary PLACE.json",
    "sketch bad.jsonl -o PLACE.parquet",
    "sketch bad.jsonl -o out.jsonl --summary PLACE.json",
    "frequencies bad.jsonl -o PLACE.df",
    "frequencies bad.jsonl -o out.df --summary PLACE.json",
    "tune bad.jsonl --summary PLACE.json",
    "compare a b --in bad.jsonl -o PLACE.html",
];

/// Commands of `eval` and `compare`, which read other inputs.
const MORE_COMMANDS: [&str; 5] = [
    "eval bad.csv --truth good.csv --wrong PLACE.csv",
    "eval bad.csv --truth good.csv --missing PLACE.csv",
    "eval bad.csv --truth good.csv --summary PLACE.json",
    "compare a b --in bad.jsonl --summary PLACE.json",
    "compare bad.jsonl bad.csv -o PLACE.txt",
];

fn folder() -> Folder {
    let folder = Folder::new();
    folder
        .write("good.jsonl", jsonl(&[words(1), words(2)]))
        .write("bad.jsonl", "7\n8\n")
        .write("good.csv", "a,b\nx,y\n")
        .write("bad.csv", "a,b\nx\n");
    assert_eq!(folder.run("index build good.jsonl -o seen.index -q"), silent());
    folder
}

/// All files below a folder, with their content.
fn content(folder: &Folder, below: &str) -> Vec<(String, Vec<u8>)> {
    let mut content = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder.path(below)).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let name = format!("{below}/{}", entry.file_name().to_str().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true => {
                content.push((name.clone(), Vec::new()));
                content.extend(self::content(folder, &name));
            }
            false => content.push((name.clone(), folder.read_bytes(&name))),
        }
    }
    content
}

#[test]
fn every_output_place_is_tested_before_the_inputs_are_read() {
    let folder = folder();
    let before = content(&folder, ".");
    for command in COMMANDS.iter().chain(&MORE_COMMANDS) {
        let ran = folder.run(&format!("{} -q", command.replace("PLACE", &format!("{NOWHERE}/x"))));
        assert_eq!(ran.code, Some(1), "{command}: {ran:?}");
        let said = format!("error: {NOWHERE}/x");
        assert!(
            ran.stderr.starts_with(&said) && ran.stderr.contains(": cannot write: "),
            "{command}: {ran:?}"
        );
        assert_eq!((ran.stdout.as_str(), ran.stderr.lines().count()), ("", 1), "{command}: {ran:?}");
        assert!(content(&folder, ".") == before, "{command}");
    }
    let ran = folder.run(&format!("index build good.jsonl -o {NOWHERE}/x.index -q"));
    assert!(ran.code == Some(1) && ran.stderr.starts_with("error: cannot write /proc/x.index: "), "{ran:?}");
}

#[test]
fn an_output_that_cannot_be_replaced_is_reported_before_the_inputs_are_read() {
    let folder = folder();
    for name in ["x.jsonl", "x.csv", "x.parquet", "x.json", "x.html", "x.df", "x.txt"] {
        fs::create_dir_all(folder.path("taken").join(name)).unwrap();
        folder.write(&format!("kept/{name}"), "kept");
        let mut permissions = fs::metadata(folder.path("kept").join(name)).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(folder.path("kept").join(name), permissions).unwrap();
    }
    let before = content(&folder, ".");
    for command in COMMANDS.iter().chain(&MORE_COMMANDS) {
        // A folder at this place is no error: the kept documents go into it.
        let is_place = command.contains("-o PLACE.jsonl") || command.contains("PLACE/");
        for place in ["taken", "kept"].into_iter().filter(|place| !is_place || *place == "kept") {
            let ran = folder.run(&format!("{} -q", command.replace("PLACE", &format!("{place}/x"))));
            if command.contains("PLACE/") {
                continue;
            }
            // It is wrong usage if the command line alone shows the mistake.
            assert!(matches!(ran.code, Some(1 | 2)), "{command}: {ran:?}");
            assert!(ran.stderr.contains(&format!("{place}/x.")), "{command}: {ran:?}");
            assert!(!ran.stderr.contains("no record"), "{command}: {ran:?}");
        }
        let _ = fs::remove_dir(folder.path("kept/x"));
        assert!(content(&folder, ".") == before, "{command}");
    }
}

#[test]
fn the_output_folder_is_checked_before_the_inputs_are_read() {
    let folder = Folder::new();
    folder.write("in/a.jsonl", "7\n").write("in/b/c.jsonl", "8\n").write("in/b/d/e.jsonl", "9\n");
    for taken in ["out/b/c.jsonl/x", "out/b/d/e.jsonl/x"] {
        folder.write(taken, "");
        let ran = folder.run("dedup in -o out -q");
        let place = taken.strip_suffix("/x").unwrap();
        let said = format!("error: {place}: cannot write: there is a folder of this name\n");
        assert_eq!((ran.code, ran.stderr), (Some(1), said));
        fs::remove_dir_all(folder.path("out")).unwrap();
    }
    // A run that fails removes the folders that it made.
    assert_eq!(folder.run("dedup in -o out/deep/er -q").code, Some(1));
    assert_eq!(folder.names(), ["in"]);
}

/// The path that cannot be written if this output is a folder. Kept documents would go into the folder.
fn blocked(taken: &str) -> &str {
    if taken == "out.jsonl" { "out.jsonl/stdin.jsonl" } else { taken }
}

/// Runs `command` over `input`, and replaces the file `taken` by a folder when it has read some of it.
fn run_and_take(folder: &Folder, command: &str, input: &[u8], taken: &str) -> (Option<i32>, String) {
    let mut run = folder.command(command);
    let mut child = run.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    // More than a pipe holds: the run reads, so it has tested its outputs.
    let (start, rest) = input.split_at(256 << 10);
    pipe.write_all(start).unwrap();
    fs::remove_file(folder.path(taken)).unwrap();
    fs::create_dir_all(folder.path(blocked(taken))).unwrap();
    pipe.write_all(rest).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    fs::remove_dir_all(folder.path(taken)).unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn if_one_output_cannot_be_published_no_other_is() {
    let folder = Folder::new();
    let documents = (0..40).map(|seed| jsonl(&[words(seed)])).collect::<String>().repeat(50);
    folder.write("good.jsonl", jsonl(&[words(1), words(2)]));
    assert_eq!(folder.run("index build good.jsonl -o seen.index -q"), silent());
    let lists =
        "-o out.jsonl --removed removed.csv --clusters clusters.csv --summary summary.json -q --threads 1";
    let of_lists = ["out.jsonl", "removed.csv", "clusters.csv", "summary.json"];
    let update = format!("dedup - --against seen.index --update {lists}");
    let report = format!("dedup - --report report.html {lists}");
    let eval = "eval - --truth truth.csv --wrong wrong.csv --missing missing.csv --summary summary.json -q"
        .to_owned();
    let list = "a,b\n".to_owned() + &(0..40_000).map(|row| format!("a{row},b{row}\n")).collect::<String>();
    folder.write("truth.csv", &list);
    for (command, input, outputs) in [
        (update, &documents, of_lists.to_vec()),
        (report, &documents, [&of_lists[..], &["report.html"]].concat()),
        (eval, &list, vec!["wrong.csv", "missing.csv", "summary.json"]),
    ] {
        for taken in &outputs {
            for output in &outputs {
                folder.write(output, format!("last week's {output}"));
            }
            let index = content(&folder, "seen.index");
            let (code, said) = run_and_take(&folder, &command, input.as_bytes(), taken);
            assert_eq!(code, Some(1), "{command}: {said}");
            let reason = format!("{}: cannot write: ", blocked(taken));
            assert!(said.starts_with("error: ") && said.contains(&reason), "{command}: {said}");
            for output in outputs.iter().filter(|output| *output != taken) {
                assert_eq!(folder.read(output), format!("last week's {output}"), "{command}, {taken}");
            }
            assert!(content(&folder, "seen.index") == index, "{command}, {taken}");
            assert!(!folder.names().iter().any(|name| name.starts_with('.')), "{:?}", folder.names());
            // The same without files from an earlier run.
            for output in outputs.iter().filter(|output| *output != taken) {
                fs::remove_file(folder.path(output)).unwrap();
            }
            folder.write(taken, "");
            assert_eq!(run_and_take(&folder, &command, input.as_bytes(), taken).0, Some(1));
            assert!(
                !folder.names().iter().any(|name| outputs.contains(&name.as_str())),
                "{:?}",
                folder.names()
            );
        }
    }
}
