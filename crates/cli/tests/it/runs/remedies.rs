//! Messages name the place of the mistake, and a remedy.

use crate::{Folder, failed, jsonl, silent, words};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(2)])).write("in.csv", "id,text\n1,one two\n");
    folder
}

#[test]
fn options_and_commands_of_another_place_are_named() {
    let folder = folder();
    let stream = if cfg!(feature = "stream") { "lookalike stream, " } else { "" };
    let text_field = format!(
        "lookalike eval has no --text-field; lookalike dedup, lookalike pairs, lookalike compare, lookalike similar, \
         lookalike sketch, lookalike spans, lookalike index build, lookalike index add, {stream}lookalike tune and lookalike frequencies have it"
    );
    for (command, said) in [
        (
            "pairs in.jsonl --keep first",
            "lookalike pairs has no --keep; lookalike dedup and lookalike spans have it",
        ),
        ("dedup in.jsonl -k 3", "lookalike dedup has no -k; lookalike similar has it"),
        ("eval a.csv --text-field b", &text_field[..]),
        ("help dedpu", "there is no command dedpu; did you mean dedup?"),
        ("pairs in.jsonl --threshold -1", "--threshold is -1; it must be above 0 and up to 1"),
    ] {
        assert_eq!(folder.run(command), failed(2, &format!("error: {said}\n")), "{command}");
    }
    if cfg!(not(feature = "stream")) {
        let said = "this program was built without lookalike stream; in a clone, cargo install --path crates/cli --features \
                    stream builds it with the command. It needs OpenSSL and make: on Debian, apt-get install libssl-dev \
                    pkg-config make g++";
        for command in ["stream", "stream --from a --to b", "stream --help"] {
            assert_eq!(folder.run(command), failed(2, &format!("error: {said}\n")), "{command}");
        }
        assert!(folder.run("--help").stdout.contains("  stream "));
        let help = folder.run("help stream").stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            help.contains("To get it: in a clone, cargo install --path crates/cli --features stream"),
            "{help}"
        );
    }
    let ran = folder.run("pairs in.jsonl --shingle -1");
    assert!(ran.code == Some(2) && ran.stderr.contains("'--shingle <N>': use a whole number"), "{ran:?}");
    let ran = folder.run("pairs in.jsonl --memory 2");
    assert!(
        ran.code == Some(2) && ran.stderr.contains("this is 2 bytes; give a unit, such as 2GiB"),
        "{ran:?}"
    );
    // No command has these.
    for command in ["pairs in.jsonl --agianst x", "xyz"] {
        let ran = folder.run(command);
        assert!(ran.code == Some(2) && ran.stderr.contains("Usage: lookalike"), "{command}: {ran:?}");
    }
}

#[test]
fn outputs_that_cannot_be_are_refused_with_the_name_of_a_place_that_can() {
    let folder = folder();
    for (command, said) in [
        (
            "in.jsonl in.csv -o o1.jsonl",
            "o1.jsonl: the inputs are JSONL and CSV, and each stays in its format; give a folder as the output, such as o1/",
        ),
        (
            "in.jsonl -o o.csv",
            "o.csv: kept records stay in their format, JSONL, and are not converted; end the name in .jsonl .ndjson .json",
        ),
        (
            "in.jsonl -o o.jsonl.lzo",
            "o.jsonl.lzo: the extension is unknown; end the name in .jsonl .ndjson .json, or in / if it is a folder",
        ),
        ("in.jsonl -o in.csv/o.jsonl", "in.csv/o.jsonl: cannot write: in.csv is a file, not a folder"),
        ("in.jsonl -o in.csv/o", "in.csv/o: cannot write: in.csv is a file, not a folder"),
    ] {
        assert_eq!(
            folder.run(&format!("dedup {command}")),
            failed(1, &format!("error: {said}\n")),
            "{command}"
        );
    }
    assert_eq!(folder.names(), ["in.csv", "in.jsonl"]);
    for out in ["o.v2/", "o-0.85"] {
        assert_eq!(folder.run(&format!("dedup in.jsonl -o {out} -q")), silent());
        assert_eq!(folder.read(&format!("{}/in.jsonl", out.trim_end_matches('/'))), folder.read("in.jsonl"));
    }
    // Once it is there, it is a folder by any name.
    assert_eq!(folder.run("dedup in.jsonl -o o.v2 -q"), silent());
}

#[test]
fn a_wrong_field_is_named_with_the_fields_that_a_file_has() {
    let folder = folder();
    folder
        .write("nested.jsonl", "{\"meta\":{\"url\":\"x\",\"text\":\"a b\"}}\n")
        .write("twice.csv", "text,text\na,b\n");
    let columns = (0..30).map(|column| format!("column{column}")).collect::<Vec<_>>().join(",");
    folder.write("wide.csv", format!("{columns}\n")).write("lines.csv", jsonl(&[words(1)]));
    for (command, said) in [
        (
            "nested.jsonl",
            "nested.jsonl: no field \"text\"; fields seen: meta.url, meta.text\n  \
             hint: if meta.text holds the text, give --text-field meta.text",
        ),
        (
            "nested.jsonl --text-field meta",
            "no record of the inputs can be used; the first, nested.jsonl:1: field \"meta\" is an object, not text; its fields are meta.url, meta.text\n  \
             hint: name a field of the object with --text-field, such as meta.text",
        ),
        ("twice.csv", "twice.csv: 2 columns are called \"text\"; rename all but one"),
        (
            "wide.csv",
            "wide.csv: no column \"text\"; columns seen: column0, column1, column2, column3, column4, column5, column6, column7, \
             … (30 in all)\n  hint: name the field that holds the text with --text-field",
        ),
    ] {
        assert_eq!(
            folder.run(&format!("pairs {command}")),
            failed(1, &format!("error: {said}\n")),
            "{command}"
        );
    }
    let ran = folder.run("pairs lines.csv");
    assert!(
        ran.stderr.ends_with("hint: the content of lines.csv is JSONL; end its name in .jsonl\n"),
        "{ran:?}"
    );
    let ran = folder.run("pairs in.jsonl --id-field url -q");
    let note = "note: in.jsonl: the first record has no field \"url\" for the id; its fields are id, text\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), note));
}

#[test]
fn arguments_of_an_index_in_the_wrong_order_are_named() {
    let folder = folder();
    assert_eq!(folder.run("index build in.jsonl -o seen.index -q"), silent());
    for (command, said) in [
        (
            "index add in.jsonl seen.index",
            "in.jsonl is no index, and seen.index is one; give the index first: lookalike index add seen.index in.jsonl",
        ),
        ("index build in.jsonl -o in.csv", "-o in.csv: this is a file; name a new folder for the index"),
    ] {
        assert_eq!(folder.run(command), failed(2, &format!("error: {said}\n")), "{command}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_and_a_folder_without_permission_are_named() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    symlink("nowhere", folder.path("broken.jsonl")).unwrap();
    let said = "error: broken.jsonl: a link to nowhere, which does not exist\n";
    assert_eq!(folder.run("pairs broken.jsonl"), failed(1, said));
    folder.write("closed/x", "");
    std::fs::set_permissions(folder.path("closed"), std::fs::Permissions::from_mode(0o500)).unwrap();
    // The superuser may write anywhere.
    if std::fs::write(folder.path("closed/y"), "").is_err() {
        let said = "error: closed/o.jsonl: cannot write: no file can be made in the folder closed: Permission denied (os error 13)\n";
        assert!(folder.run("dedup in.jsonl -o closed/o.jsonl").stderr.ends_with(said));
    }
}
