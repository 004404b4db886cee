//! Help and completions.

use crate::Folder;

#[test]
fn every_command_explains_its_options_and_exit_codes() {
    let folder = Folder::new();
    let help = folder.run("--help");
    assert_eq!(help.code, Some(0));
    for verb in ["dedup", "pairs", "tune", "completions"] {
        assert!(help.stdout.contains(verb));
    }
    for (verb, options) in [
        (
            "dedup",
            &[
                "--output",
                "--removed",
                "--clusters",
                "--annotate",
                "--dry-run",
                "--keep",
                "--cluster",
                "--min-containment",
                "--report",
                "--against",
                "--only-against",
                "--against-text-field",
                "--against-id-field",
                "--against-containment",
                "--against-shingles",
            ][..],
        ),
        ("pairs", &["--output", "--report"]),
        ("compare", &["--in", "--format", "--time-limit", "sequence_ratio_at_least"]),
        ("tune", &["--sample", "--tolerate", "--table", "--format"]),
    ] {
        let help = folder.run(&format!("{verb} --help")).stdout;
        let common =
            ["--threshold", "--tokens", "--shingle", "--num-perm", "--recall", "--threads", "--summary"];
        for option in options.iter().chain(&common) {
            assert!(help.contains(option), "{verb} {option}");
        }
        assert!(
            help.contains(
                "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped."
            )
        );
        assert!(help.lines().all(|line| line.chars().count() <= 100), "a line of the help is too long");
    }
}

#[test]
fn the_help_of_eval_fits_and_names_its_options() {
    let help = Folder::new().run("eval --help").stdout;
    for option in
        ["--truth", "--documents", "--strict", "--wrong", "--missing", "--format", "--summary", "--quiet"]
    {
        assert!(help.contains(option), "{option}");
    }
    assert!(help.contains("Exit codes: 0 done"), "{help}");
    assert!(help.lines().all(|line| line.chars().count() <= 100), "a line of the help is too long");
}

#[test]
fn the_json_of_compare_is_not_wrapped() {
    let help = Folder::new().run("compare --help").stdout;
    let schema = help.split_once("JSON: an object with\n").unwrap().1.split_once("\n\n").unwrap().0;
    // A key starts a line, and the lines that continue it are indented. Terminals have 80 columns or more.
    let keys: Vec<&str> = schema.lines().filter_map(|line| line.get(2..)?.split(' ').next()).collect();
    let keys: Vec<&str> = keys.into_iter().filter(|key| !key.is_empty()).collect();
    assert_eq!(keys, ["a,", "measures", "simhash", "minhash", "verdict", "passages", "plan"]);
    assert!(schema.lines().all(|line| line.chars().count() < 80), "{schema}");
}

#[test]
fn no_arguments_print_the_help_as_wrong_usage() {
    assert_eq!(Folder::new().run("").code, Some(2));
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = Folder::new().run(&format!("completions {shell}"));
        assert_eq!(ran.code, Some(0));
        assert!(ran.stdout.contains("lookalike") && ran.stdout.contains("threshold"), "{shell}");
    }
}
