//! `--config`: options from a file. The tests of the file that a run writes are in `settings`.

mod settings;

use crate::{Folder, failed, jsonl, silent, words};

/// Three texts. The second has a few words more than the first.
fn corpus() -> String {
    jsonl(&[words(1), words(1) + " and some more words", words(2)])
}

#[test]
fn options_of_a_file_do_what_they_do_on_the_command_line() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    folder.write(
        "run.toml",
        "# Options.\ncommand = \"dedup\"\n\"input\" = ['in.jsonl'] # one\noutput = \"file.jsonl\"\nremoved = \"file.csv\"\n\
         keep = \"last\"\nthreshold = 0.7\nseed = 0x10\nstop-words = [\"en\", \"de\"]\nquiet = true\nstrict = false\n",
    );
    assert_eq!(folder.run("dedup --config run.toml"), silent());
    let typed = "dedup in.jsonl -o typed.jsonl --removed typed.csv --keep last --threshold 0.7 --seed 16 --stop-words en,de -q";
    assert_eq!(folder.run(typed), silent());
    assert_eq!(folder.read("file.jsonl"), folder.read("typed.jsonl"));
    assert_eq!(folder.read("file.csv"), folder.read("typed.csv"));
    assert!(folder.read("file.csv").contains("\na,b,"));
}

#[test]
fn the_command_line_wins_over_the_file() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus()).write("other.jsonl", jsonl(&[words(5), words(5)]));
    folder.write(
        "run.toml",
        "input = \"in.jsonl\"\nthreshold = 0.99\nshingle = 2\noutput = \"no.jsonl\"\nquiet = true\n",
    );
    let ran = folder.run("pairs --threshold 0.7 --config run.toml -o pairs.jsonl");
    assert_eq!(ran, silent());
    assert!(folder.read("pairs.jsonl").starts_with("{\"a\":\"a\",\"b\":\"b\""));
    let ran = folder.run("pairs other.jsonl --config run.toml -o -");
    assert_eq!(
        ran.stdout, "{\"a\":\"a\",\"b\":\"b\",\"jaccard\":1.000000}\n",
        "other inputs, and none of the file"
    );
    assert_eq!(folder.names(), ["in.jsonl", "other.jsonl", "pairs.jsonl", "run.toml"]);
}

#[test]
fn an_option_of_the_command_line_replaces_a_conflicting_one_of_the_file() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    assert_eq!(folder.run("index build in.jsonl -o in.index -q"), silent());
    folder.write("new.jsonl", jsonl(&[words(7)]));
    folder
        .write("run.toml", "input = \"new.jsonl\"\nagainst = [\"in.index\"]\nupdate = true\nquiet = true\n");
    assert_eq!(folder.run("dedup --config run.toml --dry-run"), silent());
    let info = folder.run("index info in.index").stdout;
    assert!(info.contains("3 documents"), "nothing was added: {info}");
}

#[test]
fn a_name_that_starts_with_a_dash_is_a_name() {
    let folder = Folder::new();
    folder.write("-in.jsonl", corpus());
    folder.write(
        "run.toml",
        "input = [\"-in.jsonl\"]\nremoved = \"-removed.csv\"\noutput = \"-\"\nquiet = true\n",
    );
    assert_eq!(folder.run("dedup --config run.toml").code, Some(0));
    assert!(folder.read("-removed.csv").contains("b,a,1"));
}

#[test]
fn an_error_in_the_file_has_the_line_the_key_and_a_remedy() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    for (line, message) in [
        ("treshold = 0.8", "lookalike dedup has no option treshold; did you mean threshold?"),
        ("text_field = \"a\"", "lookalike dedup has no option text_field; did you mean text-field?"),
        ("zzz = 1", "lookalike dedup has no option zzz; lookalike dedup --help lists all options"),
        (
            "threshold = \"x\"",
            "threshold: invalid value 'x' for '--threshold <0..1>': use a number from 0 to 1, such as 0.8",
        ),
        ("threshold = [0.8]", "threshold: write one value instead of a list"),
        ("threshold = 2020-01-01", "threshold: write a text in quotes, or a number"),
        ("against = [[\"a\"]]", "against: write a text in quotes, or a list of such texts"),
        ("dry-run = \"yes\"", "dry-run: write true or false, without quotes"),
        ("output = true", "output: write a text in quotes, or a number"),
        ("[options]", "options: a file of options has no sections; write each option on a line of its own"),
        ("config = \"b.toml\"", "config: a file of options cannot name another one; remove the line"),
        (
            "command = \"pairs\"",
            "the file is for lookalike pairs, and this is lookalike dedup; give another file, or remove the line",
        ),
        ("threshold 0.8", "this line is not TOML: key with no value, expected `=`"),
        ("input = [\"again\"]", "this line is not TOML: duplicate key"),
    ] {
        folder.write("a b.toml", format!("input = \"in.jsonl\"\n\n{line}\n"));
        let mut command = folder.command("dedup -o out.jsonl --config");
        command.arg("a b.toml");
        assert_eq!(crate::run(command), failed(2, &format!("error: a b.toml:3: {message}\n")), "{line}");
    }
    assert_eq!(folder.names(), ["a b.toml", "in.jsonl"]);
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = Folder::new();
    folder.write("latin.toml", b"input = \"\xfc\"");
    for (file, message) in [
        ("nowhere.toml", "there is no such file; paths are relative to the working folder"),
        ("-", "the options cannot come from standard input; give a file"),
        ("latin.toml", "the file is not UTF-8; save it as UTF-8"),
    ] {
        let ran = folder.run(&format!("pairs --config {file}"));
        assert_eq!(ran, failed(2, &format!("error: --config {file}: {message}\n")));
    }
}

#[test]
fn the_file_is_not_overwritten_by_an_output() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus()).write("run.toml", "input = \"in.jsonl\"\n");
    for output in ["-o out.jsonl --summary run.toml", "-o out.jsonl --summary ./run.toml"] {
        let ran = folder.run(&format!("dedup --config run.toml {output} -q"));
        assert_eq!(ran.code, Some(1), "{output}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("run.toml: this output is also an input; give it another name"),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(folder.names(), ["in.jsonl", "run.toml"]);
}

#[test]
fn every_command_with_a_summary_takes_a_file() {
    let folder = Folder::new();
    let verbs = [
        "dedup",
        "pairs",
        "compare",
        "similar",
        "sketch",
        "tune",
        "frequencies",
        "eval",
        "index build",
        "index add",
    ];
    for verb in verbs {
        let help = folder.run(&format!("{verb} --help")).stdout;
        assert!(help.contains("--config <FILE>") && help.contains("--summary <FILE>"), "{verb}");
        folder.write("run.toml", format!("command = \"{verb}\"\nno-such-thing = 1\n"));
        let message = format!("error: run.toml:2: lookalike {verb} has no option no-such-thing");
        let ran = folder.run(&format!("{verb} --config run.toml"));
        assert!(ran.stderr.starts_with(&message), "{}", ran.stderr);
    }
}

#[test]
fn paths_are_relative_to_the_working_folder() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus()).write("settings/in.jsonl", "no JSON\n");
    folder.write("settings/run.toml", "input = [\"in.jsonl\"]\noutput = \"out.jsonl\"\nquiet = true\n");
    assert_eq!(folder.run("dedup --config settings/run.toml"), silent());
    assert_eq!(folder.names(), ["in.jsonl", "out.jsonl", "settings"]);
}

#[test]
fn a_list_of_the_command_line_replaces_the_whole_list_of_the_file() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(2), words(3)]));
    for seed in 1..=3 {
        folder.write(&format!("{seed}.jsonl"), jsonl(&[words(seed)]));
    }
    folder.write(
        "run.toml",
        "input = [\"in.jsonl\"]\nagainst = [\n  \"1.jsonl\",\n  \"2.jsonl\",\n]\noutput = \"out.jsonl\"\nquiet = true\n",
    );
    let kept = |more: &str| {
        assert_eq!(folder.run(&format!("dedup --config run.toml {more}")), silent());
        folder.read("out.jsonl")
    };
    assert!(kept("").starts_with("{\"id\":\"c\"") && kept("").lines().count() == 1);
    let two = kept("--against 3.jsonl");
    assert_eq!(two.lines().count(), 2, "only 3.jsonl counts: {two}");
    folder.write("run.toml", "input = \"in.jsonl\"\nagainst = []\noutput = \"out.jsonl\"\nquiet = true\n");
    assert_eq!(kept("").lines().count(), 3, "an empty list is no option");
}

#[test]
fn numbers_and_line_ends_may_have_any_form_of_toml() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    folder.write(
        "run.toml",
        "\u{feff}input = \"in.jsonl\"\r\nthreshold = 7e-1\r\nseed = 1_000\r\noutput = \"a.jsonl\"\r\nquiet = true\r\n",
    );
    assert_eq!(folder.run("sketch --config run.toml --threshold 0.7"), silent());
    assert_eq!(folder.run("sketch in.jsonl --threshold 0.7 --seed 1000 -o b.jsonl -q"), silent());
    assert_eq!(folder.read("a.jsonl"), folder.read("b.jsonl"));
    assert_eq!(folder.run("pairs --config run.toml -o c.jsonl"), silent());
    assert_eq!(folder.read("c.jsonl").lines().count(), 1);
}

#[test]
fn a_conflict_within_the_file_is_named_with_its_line() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    folder.write("run.toml", "input = \"in.jsonl\"\nagainst = [\"a\"]\nupdate = true\ndry-run = true\n");
    let ran = folder.run("dedup --config run.toml");
    let message = "cannot be used with";
    assert!(
        ran.code == Some(2) && ran.stderr.starts_with("error: run.toml:") && ran.stderr.contains(message),
        "{ran:?}"
    );
}
