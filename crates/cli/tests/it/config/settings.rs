//! The settings file that a run writes beside its summary.

use super::corpus;
use crate::unix::path_of;
use crate::{Folder, Ran, exists, failed, jsonl, run, silent, words};
use std::path::Path;

/// A name with characters that are special in a shell, in TOML or in a path.
const ODD: &str = "it's \"odd\" \\ ü 文 #1";

/// The same name between quotes in TOML.
const ODD_TOML: &str = "it's \\\"odd\\\" \\\\ ü 文 #1";

/// A folder and a file with the same documents, and a list of true pairs.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(&format!("{ODD}/a.jsonl"), corpus()).write("b.jsonl", corpus());
    folder.write("truth.csv", "a,b\na,b\n");
    folder
}

/// Runs a verb with arguments that may hold spaces.
fn run_with(folder: &Folder, verb: &str, arguments: &[&str]) -> Ran {
    let mut command = folder.command(verb);
    command.args(arguments);
    run(command)
}

/// Runs a verb, and again by its settings. The outputs and the settings must be the same.
fn repeats(verb: &str, arguments: &[&str], outputs: &[&str], settings: &str) {
    let folder = folder();
    let first_run = run_with(&folder, verb, arguments);
    assert_eq!((first_run.code, first_run.stderr.as_str()), (Some(0), ""), "{verb}");
    let first: Vec<Vec<u8>> = outputs.iter().map(|name| folder.read_bytes(name)).collect();
    outputs.iter().for_each(|name| std::fs::remove_file(folder.path(name)).unwrap());
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "# Written by lookalike {version}. To repeat the run, give this command in the working folder of the run:\n# lookalike {verb} --config run.toml\n\
         command = \"{verb}\"\n{settings}"
    );
    assert_eq!(folder.read("run.toml"), expected);
    assert_eq!(folder.run(&format!("{verb} --config run.toml")), first_run, "{verb}");
    for (name, first) in outputs.iter().zip(first) {
        assert!(folder.read_bytes(name) == first, "{verb}: {name}");
    }
    assert_eq!(folder.read("run.toml"), expected);
}

#[test]
fn dedup_is_repeated_by_its_settings() {
    let output = format!("{ODD}.jsonl");
    let options =
        "--threshold 0.70 --removed r.csv --keep 2 --stop-words en,de --id-field text --summary run.json -q";
    let arguments = [ODD, "b.jsonl", "-o", &output].into_iter().chain(options.split(' '));
    let settings = format!(
        "input = [\"{ODD_TOML}\", \"b.jsonl\"]\nid-field = \"text\"\noutput = \"{ODD_TOML}.jsonl\"\nremoved = \"r.csv\"\nkeep = 2\n\
         threshold = 0.70\nstop-words = [\"en\", \"de\"]\nsummary = \"run.json\"\nquiet = true\n"
    );
    repeats("dedup", &arguments.collect::<Vec<_>>(), &[&output, "r.csv"], &settings);
}

#[test]
fn pairs_are_repeated_by_their_settings() {
    let output = format!("{ODD}.csv");
    let arguments =
        [ODD, "--output", &output, "--shingle=3", "--summary=run.json", "--quiet", "--num-perm", "64"];
    let settings = format!(
        "input = [\"{ODD_TOML}\"]\noutput = \"{ODD_TOML}.csv\"\nshingle = 3\nnum-perm = 64\nsummary = \"run.json\"\nquiet = true\n"
    );
    repeats("pairs", &arguments, &[&output], &settings);
}

#[test]
fn a_search_for_a_text_is_repeated_by_its_settings() {
    let text = "w1x1 \"w1x2\"\n\tw1x3";
    let arguments =
        [text, "--in", ODD, "--in", "b.jsonl", "-k1", "-o", "o.csv", "--summary", "run.json", "-q"];
    let settings = format!(
        "text = \"w1x1 \\\"w1x2\\\"\\n\\tw1x3\"\nin = [\"{ODD_TOML}\", \"b.jsonl\"]\ncount = 1\noutput = \"o.csv\"\n\
         summary = \"run.json\"\nquiet = true\n"
    );
    repeats("similar", &arguments, &["o.csv"], &settings);
}

#[test]
fn an_evaluation_is_repeated_by_its_settings() {
    let arguments = ["truth.csv", "--truth", "truth.csv", "--wrong", "w.csv", "--summary", "run.json", "-q"];
    let settings = "found = \"truth.csv\"\ntruth = \"truth.csv\"\nwrong = \"w.csv\"\nsummary = \"run.json\"\nquiet = true\n";
    repeats("eval", &arguments, &["w.csv"], settings);
}

#[test]
fn sketches_are_repeated_by_their_settings() {
    let arguments =
        ["b.jsonl", "-o", "o.parquet", "--method", "simhash", "--weights=tf", "--summary", "run.json", "-q"];
    let settings = "input = [\"b.jsonl\"]\noutput = \"o.parquet\"\nmethod = \"simhash\"\nweights = \"tf\"\n\
                    summary = \"run.json\"\nquiet = true\n";
    repeats("sketch", &arguments, &["o.parquet"], settings);
}

#[test]
fn frequencies_are_repeated_by_their_settings() {
    let arguments = ["b.jsonl", ODD, "-o", "o.df", "--shingle", "1", "--summary", "run.json", "-q"];
    let settings = format!(
        "input = [\"b.jsonl\", \"{ODD_TOML}\"]\noutput = \"o.df\"\nshingle = 1\nsummary = \"run.json\"\nquiet = true\n"
    );
    repeats("frequencies", &arguments, &["o.df"], &settings);
}

#[test]
fn a_comparison_is_repeated_by_its_settings() {
    let arguments =
        ["a", "b", "--in", ODD, "-o", "o.html", "--time-limit", "0.5", "--summary", "run.json", "-q"];
    let settings = format!(
        "a = \"a\"\nb = \"b\"\nin = [\"{ODD_TOML}\"]\noutput = \"o.html\"\ntime-limit = 0.5\nsummary = \"run.json\"\nquiet = true\n"
    );
    repeats("compare", &arguments, &["o.html"], &settings);
}

#[test]
fn an_index_is_repeated_by_its_settings() {
    let folder = folder();
    let content = |index: &str| -> Vec<Vec<u8>> {
        let mut paths: Vec<_> =
            std::fs::read_dir(folder.path(index)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
    };
    let build = "index build b.jsonl -o in.index --threshold 0.7 --summary run.json -q";
    assert_eq!(folder.run(build), silent());
    let first = content("in.index");
    std::fs::remove_dir_all(folder.path("in.index")).unwrap();
    assert_eq!(folder.run("index build --config run.toml"), silent());
    assert!(content("in.index") == first);
    folder.write("more.jsonl", jsonl(&[words(8), words(9)]));
    assert_eq!(folder.run("index add in.index more.jsonl --summary add.json -q"), silent());
    let settings = folder.read("add.toml");
    let expected = "command = \"index add\"\nindex = \"in.index\"\ninput = [\"more.jsonl\"]\nsummary = \"add.json\"\nquiet = true\n";
    assert!(settings.ends_with(expected), "{settings}");
}

#[test]
fn a_run_does_not_rewrite_the_file_that_it_reads() {
    let folder = folder();
    let mine = "# Mine.\ninput = 'b.jsonl'\noutput = \"out.jsonl\"\nsummary = \"run.json\"\n";
    folder.write("run.toml", mine);
    for more in ["", " --quiet --threads 1", " --shingle 5"] {
        let ran = folder.run(&format!("dedup --config run.toml{more}"));
        let message = "error: run.toml: the settings of this run would replace the file of --config, and differ from it; \
                    name another --summary\n";
        match more {
            " --shingle 5" => assert_eq!(ran, failed(2, message)),
            _ => assert_eq!(ran.code, Some(0), "{}", ran.stderr),
        }
        assert_eq!(folder.read("run.toml"), mine);
    }
    assert_eq!(folder.run("dedup --config run.toml --shingle 5 --summary 5.json -q"), silent());
    assert!(folder.read("5.toml").contains("\nshingle = 5\nsummary = \"5.json\"\n"));
}

#[test]
fn settings_replace_no_foreign_file() {
    let folder = folder();
    folder.write("mine.toml", "[package]\n");
    let message = "error: mine.toml: the settings of this run would replace a file that no run has written; \
                name another --summary\n";
    assert_eq!(folder.run("pairs b.jsonl --summary mine.json -q"), failed(2, message));
    let ran = folder.run("pairs b.jsonl -o run.html.jsonl --report run.html --summary run.html -q");
    assert_eq!(ran, failed(1, "error: run.html: two outputs have this name; give each a name of its own\n"));
    assert_eq!(folder.read("mine.toml"), "[package]\n");
    // The run replaces the settings of another run.
    assert_eq!(folder.run("dedup b.jsonl -o out.jsonl --summary run.json -q"), silent());
    assert_eq!(folder.run("dedup b.jsonl -o out.jsonl --summary run.json -q --seed 5"), silent());
    assert!(folder.read("run.toml").contains("\nseed = 5\n"));
    assert_eq!(
        folder.names(),
        ["b.jsonl", ODD, "mine.toml", "out.jsonl", "run.json", "run.toml", "truth.csv"]
    );
}

#[test]
fn a_run_that_fails_leaves_neither_summary_nor_settings() {
    let folder = folder();
    folder.write("bad.jsonl", corpus() + "{\n");
    assert_eq!(folder.run("pairs bad.jsonl --strict --summary run.json").code, Some(1));
    assert_eq!(folder.names(), ["b.jsonl", "bad.jsonl", ODD, "truth.csv"]);
}

#[test]
fn settings_hold_no_path_that_is_not_utf_8() {
    let folder = folder();
    let mut command = folder.command("pairs b.jsonl -q --summary run.json -o");
    command.arg(path_of(b"\xfc.csv"));
    let ran = run(command);
    let message = "note: run.toml is not written: output is not UTF-8, and TOML holds only UTF-8\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), message));
    assert!(exists(&folder.path("run.json")) && !exists(&folder.path("run.toml")));
    assert!(exists(&folder.0.path().join(path_of(b"\xfc.csv"))));
}

#[test]
fn a_device_has_no_settings_beside_it() {
    let folder = folder();
    let ran = folder.run("dedup b.jsonl --dry-run -q --summary /dev/stdout");
    assert!(ran.code == Some(0) && ran.stdout.starts_with("{\n"), "{}", ran.stderr);
    assert_eq!(folder.run("dedup b.jsonl --dry-run -q --summary /dev/null"), silent());
    assert!(!exists(Path::new("/dev/null.toml")));
}
