//! Outputs and options that cannot work are refused before any work.

use crate::unix::symlink;
use crate::{Folder, exists, failed, jsonl, ran, words};
use std::{fs::File, process::Stdio};

#[test]
fn a_full_disk_is_an_error_that_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(2)]));
    let expected = "error: /dev/full: cannot write: No space left on device (os error 28)\n";
    assert_eq!(folder.run("dedup in.jsonl -o /dev/full -q"), failed(1, expected));
    assert_eq!(folder.run("pairs in.jsonl -o /dev/full -q").code, Some(1));
    let mut to_full = folder.command("dedup in.jsonl -o - -q");
    to_full.stdout(File::options().write(true).open("/dev/full").unwrap()).stderr(Stdio::piped());
    let expected = "error: standard output: cannot write: No space left on device (os error 28)\n";
    assert_eq!(ran(to_full.spawn().unwrap().wait_with_output().unwrap()), failed(1, expected));
    assert_eq!(folder.names(), ["in.jsonl"]);
}

#[test]
fn an_output_that_is_the_input_is_refused_before_any_work() {
    let folder = Folder::new();
    let input = jsonl(&[words(1), words(1)]);
    folder.write("in.jsonl", &input);
    symlink("in.jsonl", folder.path("link.jsonl")).unwrap();
    for out in ["in.jsonl", "./in.jsonl", "link.jsonl"] {
        let ran = folder.run(&format!("dedup in.jsonl -o {out}"));
        assert_eq!(ran.code, Some(1));
        assert!(ran.stderr.contains("is also an input"), "{}", ran.stderr);
        assert_eq!(folder.read("in.jsonl"), input);
    }
}

#[test]
fn two_outputs_in_one_place_are_refused_before_any_work() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(1)]));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --removed out.jsonl");
    assert_eq!(ran, failed(1, "error: out.jsonl: two outputs have this name; give each a name of its own\n"));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --clusters in.jsonl");
    assert_eq!(ran, failed(1, "error: in.jsonl: this output is also an input; give it another name\n"));
    let ran = folder.run("pairs in.jsonl -o in.jsonl");
    assert_eq!(ran, failed(1, "error: in.jsonl: this output is also an input; give it another name\n"));
    for verb in ["pairs in.jsonl -q", "dedup in.jsonl -o out.jsonl -q"] {
        let ran = folder.run(&format!("{verb} --summary in.jsonl"));
        assert_eq!(ran, failed(1, "error: in.jsonl: this output is also an input; give it another name\n"));
    }
    let ran = folder.run("dedup in.jsonl -o out.jsonl --summary out.jsonl");
    assert_eq!(ran, failed(1, "error: out.jsonl: two outputs have this name; give each a name of its own\n"));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --summary no/summary.json");
    assert_eq!(ran, failed(2, "error: --summary no/summary.json: give a file in a folder that exists\n"));
    assert_eq!(folder.names(), ["in.jsonl"]);
}

#[test]
fn standard_output_takes_one_output_only() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(1)]));
    let ran = folder.run("dedup in.jsonl -o - --removed -");
    assert_eq!(ran, failed(1, "error: -: two outputs have this name; give each a name of its own\n"));
}

#[test]
fn a_list_in_the_place_of_a_file_of_the_output_folder_is_refused() {
    let folder = Folder::new();
    let input = format!("id,text\na,{}\n", words(1));
    folder.write("in/a.csv", &input).write("in/b.csv", &input);
    let ran = folder.run("dedup in -o out --removed out/a.csv");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(!exists(&folder.path("out/a.csv")));
}

#[test]
fn a_field_that_annotate_would_add_is_refused_in_any_record() {
    let folder = Folder::new();
    let input = format!("{}{{\"text\":\"x\",\"kept\":1}}\n", jsonl(&[words(1), words(2)]));
    folder.write("in.jsonl", input);
    let ran = folder.run("dedup in.jsonl -o out.jsonl --annotate -q");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("kept"), "{}", ran.stderr);
    assert_eq!(folder.names(), ["in.jsonl"]);
}

#[test]
fn too_many_threads_are_wrong_usage() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1)]));
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --threads 100000").code, Some(2));
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --threads 0").code, Some(2));
}

#[test]
fn a_wrong_option_is_named_with_its_possible_values() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1)]));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --threshold 80");
    assert_eq!(ran, failed(2, "error: --threshold is 80; it must be above 0 and up to 1\n"));
    let ran = folder.run("dedup in.jsonl -o out.jsonl --bands 30 --rows 5");
    assert_eq!(
        ran,
        failed(
            2,
            "error: 30 bands of 5 rows need 150 values, and a signature has 128; raise --num-perm to 150, or give fewer --bands or --rows\n"
        )
    );
    assert_eq!(folder.run("dedup in.jsonl").code, Some(2));
    assert!(!exists(&folder.path("out.jsonl")));
}
