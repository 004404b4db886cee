//! Runs with little memory: they use the disk, continue after a stop, and notice damage.

use crate::{Folder, Ran};
use std::fs;

/// The least memory for one thread. The corpora of these tests need more.
const LITTLE: &str = "--memory 70MiB --threads 1";

/// Short documents whose sketches do not fit into memory. Every fifth is nearly the one before, and some are copies.
fn corpus(folder: &Folder) {
    let mut lines = String::new();
    for document in 0..48_000_u64 {
        let seed = if document % 5 == 4 { document - 1 } else { document };
        let seed = if document % 97 == 0 { 0 } else { seed };
        let mut generator = lookalike::hash::SplitMix64(seed);
        let words: Vec<String> = (0..12).map(|_| format!("w{}", generator.next() % 5000)).collect();
        let end = if document % 5 == 4 { " again" } else { "" };
        lines += &format!("{{\"id\":\"d{document}\",\"text\":\"{}{end}\"}}\n", words.join(" "));
    }
    folder.write("in.jsonl", lines);
}

const DEDUP: &str = "dedup in.jsonl -o out.jsonl --removed removed.csv --clusters clusters.csv --summary summary.json --threshold 0.6 --method minhash";

const OUTPUTS: [&str; 3] = ["out.jsonl", "removed.csv", "clusters.csv"];

fn outputs(folder: &Folder) -> Vec<Vec<u8>> {
    OUTPUTS.map(|name| folder.read_bytes(name)).to_vec()
}

/// The outputs of a run with enough memory.
fn expected(folder: &Folder) -> Vec<Vec<u8>> {
    assert_eq!(folder.run(DEDUP).code, Some(0));
    assert_eq!(folder.summary()["spilled"], false);
    let expected = outputs(folder);
    OUTPUTS.iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
    expected
}

/// The temporary folder of a stopped run.
fn left(folder: &Folder) -> Option<String> {
    let mut names = folder.names().into_iter();
    names.find(|name| name.starts_with(".lookalike-") && !name.ends_with(".part"))
}

/// The temporary folder of a run with little memory that was killed when it had written `name` for the `times`th time.
fn stopped_at(folder: &Folder, name: &str, times: u32) -> std::path::PathBuf {
    let mut command = folder.command(&format!("{DEDUP} {LITTLE}"));
    command.env("LOOKALIKE_ABORT_AT", format!("{name}#{times}"));
    let ran = crate::run(command);
    assert_eq!(ran.code, None, "{name}: {}", ran.stderr);
    folder.path(&left(folder).unwrap())
}

fn assert_done(folder: &Folder, ran: &Ran, expected: &[Vec<u8>]) {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(folder.summary()["spilled"], true);
    assert!(outputs(folder) == expected, "the outputs differ");
    assert_eq!(left(folder), None, "the folder is gone");
}

#[test]
fn a_run_with_little_memory_keeps_to_it_and_writes_the_same() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    let ran = folder.run(&format!("{DEDUP} {LITTLE}"));
    assert_done(&folder, &ran, &expected);
    assert!(folder.summary()["peak_memory_bytes"].as_u64().unwrap() < 70 << 20);
    let two = folder.run(&format!("{DEDUP} --memory 82MiB --threads 2 --temp-dir ."));
    assert_done(&folder, &two, &expected);
}

#[test]
fn features_that_outgrow_memory_give_the_same_result_by_any_measure() {
    let folder = Folder::new();
    let mut lines = String::new();
    for document in 0..1500_u64 {
        let mut generator = lookalike::hash::SplitMix64(document / 2);
        let words: Vec<String> = (0..2500).map(|_| format!("w{}", generator.next() % 5000)).collect();
        lines += &format!("{{\"id\":\"d{document}\",\"text\":\"{} w{document}\"}}\n", words.join(" "));
    }
    folder.write("in.jsonl", lines);
    for options in ["--method minhash", "--method simhash --verify --measure cosine --weights tf"] {
        let dedup = format!(
            "dedup in.jsonl -o out.jsonl --removed removed.csv --clusters clusters.csv --summary summary.json {options}"
        );
        assert_eq!(folder.run(&dedup).code, Some(0));
        assert_eq!(folder.summary()["spilled"], false);
        assert_eq!(folder.summary()["removed"], 750);
        let expected = outputs(&folder);
        OUTPUTS.iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
        assert_done(&folder, &folder.run(&format!("{dedup} {LITTLE}")), &expected);
        assert!(folder.summary()["peak_memory_bytes"].as_u64().unwrap() < 70 << 20, "{options}");
    }
}

#[test]
fn a_killed_run_continues_and_writes_the_same() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    // Each run continues where the run before it was killed.
    let stages = [
        ("sketches", 4),
        ("sketches", 1),
        ("keys", 1),
        ("chunks", 1),
        ("band-0-documents", 1),
        ("band-9-ends", 1),
    ];
    for (stage, times) in
        stages.into_iter().chain([("involved", 1), ("features", 2), ("spans", 1), ("rounds", 9)])
    {
        stopped_at(&folder, stage, times);
    }
    let ran = folder.run(&format!("{DEDUP} {LITTLE}"));
    assert!(ran.stderr.starts_with("note: going on from ./.lookalike-"), "{}", ran.stderr);
    assert_done(&folder, &ran, &expected);
}

#[test]
fn finished_work_of_a_stopped_run_is_not_repeated() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    let left = stopped_at(&folder, "involved", 1);
    let stamp = |name: &str| fs::metadata(left.join(name)).unwrap().modified().unwrap();
    let finished =
        ["keys", "bytes", "contents", "places", "chunks", "band-0-ends", "band-20-ends", "involved"];
    let before = finished.map(stamp);
    assert_eq!(stopped_at(&folder, "rounds", 3), left);
    assert_eq!(finished.map(stamp), before);
    assert_done(&folder, &folder.run(&format!("{DEDUP} {LITTLE}")), &expected);
}

#[test]
fn a_changed_input_plan_or_option_is_named_and_the_run_starts_over() {
    let folder = Folder::new();
    corpus(&folder);
    let note = |ran: &Ran| ran.stderr.lines().next().unwrap_or_default().to_owned();
    let starts_over = |more: &str, reason: &str| {
        let ran = folder.run(&format!("{DEDUP} {LITTLE} {more}"));
        assert_eq!(ran.code, Some(0));
        let note = note(&ran);
        assert!(
            note.starts_with("note: cannot go on from ./.lookalike-") && note.ends_with(reason),
            "{note}"
        );
    };
    stopped_at(&folder, "chunks", 1);
    starts_over("--shingle 4", "starting over: shingle is 4 and was 5");
    stopped_at(&folder, "chunks", 1);
    starts_over("--keep longest", "starting over: --keep is \"the length\" and was \"the place\"");
    stopped_at(&folder, "chunks", 1);
    starts_over("--within id", "starting over: --within is \"id\" and was \"\"");
    stopped_at(&folder, "chunks", 1);
    let text = folder.read("in.jsonl");
    folder.write("in.jsonl", text.replacen("d7\"", "d7x\"", 1));
    starts_over("", "starting over: in.jsonl has changed");
    // The description of the same run by a program with older sketches.
    let left = stopped_at(&folder, "chunks", 1);
    fs::write(left.join("run"), include_bytes!("older/run")).unwrap();
    starts_over("", "starting over: version of sketches is \"2\" and was not there");
}

#[test]
fn a_file_of_a_stopped_run_that_is_damaged_is_named_and_made_again() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    let files = [
        "sketches",
        "keys",
        "contents",
        "totals",
        "band-3-documents",
        "involved",
        "features",
        "rounds",
        "run",
    ];
    for name in files {
        let stage = if name == "sketches" { ("sketches", 4) } else { ("rounds", 9) };
        let path = stopped_at(&folder, stage.0, stage.1).join(name);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(&path, bytes).unwrap();
        let ran = folder.run(&format!("{DEDUP} {LITTLE}"));
        let damaged = format!("/{name}: damaged at byte ");
        assert!(ran.stderr.contains(&damaged), "{name}: {}", ran.stderr);
        assert_done(&folder, &ran, &expected);
    }
}

#[test]
fn files_of_a_stopped_run_are_not_confused() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    for (name, other) in [("contents", "keys"), ("id-ends", "band-0-ends"), ("places", "contents")] {
        let left = stopped_at(&folder, "rounds", 9);
        fs::copy(left.join(other), left.join(name)).unwrap();
        let ran = folder.run(&format!("{DEDUP} {LITTLE}"));
        assert!(ran.stderr.contains("this part is done again"), "{name}: {}", ran.stderr);
        assert_done(&folder, &ran, &expected);
    }
}

#[test]
fn a_full_disk_stops_a_run_and_the_same_command_continues_it() {
    let folder = Folder::new();
    corpus(&folder);
    let expected = expected(&folder);
    // No file may grow beyond this number of blocks of 512 or 1,024 bytes. The program ignores the signal, so the write fails.
    for blocks in [2_000, 6_000] {
        let program = env!("CARGO_BIN_EXE_lookalike");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {program} {DEDUP} {LITTLE}");
        let mut shell = std::process::Command::new("bash");
        let ran = crate::run({
            shell.current_dir(folder.path("")).args(["-c", &script]);
            shell
        });
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("note: the same command will go on from ./.lookalike-"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("error: cannot write ./.lookalike-"), "{}", ran.stderr);
        assert!(!folder.path("out.jsonl").exists());
    }
    assert_done(&folder, &folder.run(&format!("{DEDUP} {LITTLE}")), &expected);
}

#[test]
fn pairs_and_stars_with_little_memory_are_the_same() {
    let folder = Folder::new();
    corpus(&folder);
    for command in [
        "pairs in.jsonl --threshold 0.6 --method minhash -o out.csv",
        "pairs in.jsonl --threshold 0.6 -o out.csv",
        "dedup in.jsonl --threshold 0.6 --method minhash --cluster star -o out.jsonl",
    ] {
        let output = command.rsplit(' ').next().unwrap();
        assert_eq!(folder.run(&format!("{command} --summary summary.json")).code, Some(0));
        let expected = folder.read_bytes(output);
        assert_eq!(folder.run(&format!("{command} --summary summary.json {LITTLE}")).code, Some(0));
        assert_eq!(folder.summary()["spilled"], true);
        assert!(folder.read_bytes(output) == expected, "{command}");
    }
}

#[test]
fn too_little_memory_and_a_missing_folder_are_refused_before_anything_is_read() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\": \"one\"}\n");
    let little = folder.run("dedup in.jsonl -o out.jsonl --memory 10MiB --threads 2");
    assert_eq!(little.code, Some(2), "{}", little.stderr);
    assert_eq!(
        little.stderr,
        "error: the memory limit of 10.5 MB is too small; with 2 threads a run needs 83.9 MB or more\n  hint: --memory 80MiB is the least\n"
    );
    let missing = folder.run("dedup in.jsonl -o out.jsonl --temp-dir nowhere");
    assert_eq!(missing.code, Some(2));
    assert_eq!(
        missing.stderr,
        "error: nowhere: there is no such folder for temporary files\n  hint: give --temp-dir a folder that exists\n"
    );
    let unit = folder.run("dedup in.jsonl -o out.jsonl --memory lots");
    assert_eq!(unit.code, Some(2));
    assert!(unit.stderr.contains("use a number"), "{}", unit.stderr);
    let simhash = "dedup in.jsonl -o out.jsonl --method simhash --weights tf";
    assert_eq!(folder.run(&format!("{simhash} --memory 100MiB")).code, Some(0));
}

#[test]
fn exact_search_that_does_not_fit_is_an_error() {
    let folder = Folder::new();
    let words = |seed: u64| {
        let mut generator = lookalike::hash::SplitMix64(seed);
        (0..4_000).map(|_| format!("w{}", generator.next() % 90_000)).collect::<Vec<_>>().join(" ")
    };
    folder.write(
        "in.jsonl",
        (0..1_200).map(|seed| format!("{{\"text\":\"{}\"}}\n", words(seed))).collect::<String>(),
    );
    let ran = folder.run(&format!("dedup in.jsonl -o out.jsonl --method exact {LITTLE}"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("exact search holds 38.") && ran.stderr.contains("or use --method minhash"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_run_does_not_continue_a_strict_run() {
    let folder = Folder::new();
    corpus(&folder);
    let text = folder.read("in.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    folder.write(
        "in.jsonl",
        format!("{}\n{{\"text\": 7}}\n{}\n", lines[..40_000].join("\n"), lines[40_000..].join("\n")),
    );
    assert_eq!(folder.run(DEDUP).code, Some(3));
    let expected = outputs(&folder);
    let strict = folder.run(&format!("{DEDUP} {LITTLE} --strict"));
    assert_eq!(strict.code, Some(1));
    assert!(
        strict.stderr.starts_with("error: in.jsonl:40001: field \"text\" is a number"),
        "{}",
        strict.stderr
    );
    assert_eq!(left(&folder), None, "it would fail again");
    // The same for a run that was killed before it could print a message.
    let mut killed = folder.command(&format!("{DEDUP} {LITTLE} --strict"));
    killed.env("LOOKALIKE_ABORT_AT", "sketches#4");
    assert_eq!(crate::run(killed).code, None);
    assert_eq!(folder.run(&format!("{DEDUP} {LITTLE}")).code, Some(3));
    assert!(outputs(&folder) == expected);
}

/// Compressed documents of many words. The features of a few chunks do not fit into memory.
fn compressed(folder: &Folder) {
    let mut lines = Vec::new();
    for document in 0..14_000_u64 {
        let mut generator = lookalike::hash::SplitMix64(document / 2);
        let words: Vec<String> = (0..500).map(|_| format!("w{}", generator.next() % 50_000)).collect();
        let end = if document % 2 == 1 { " again" } else { "" };
        lines.extend_from_slice(format!("{{\"text\":\"{}{end}\"}}\n", words.join(" ")).as_bytes());
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &lines).unwrap();
    folder.write("in.jsonl.gz", encoder.finish().unwrap());
}

#[test]
fn a_run_continues_with_more_memory_and_threads_and_finds_the_same() {
    let folder = Folder::new();
    compressed(&folder);
    let methods =
        ["--method simhash --verify", "--method minhash", "--method minhash --measure cosine --weights tf"];
    for method in methods {
        let pairs = format!("pairs in.jsonl.gz -o out.csv --threshold 0.6 {method}");
        assert_eq!(folder.run(&pairs).code, Some(0));
        let expected = folder.read_bytes("out.csv");
        let mut killed = folder.command(&format!("{pairs} {LITTLE}"));
        killed.env("LOOKALIKE_ABORT_AT", "features#2");
        assert_eq!(crate::run(killed).code, None, "{method}");
        let ran = folder.run(&format!("{pairs} --memory 400MiB --threads 2"));
        assert!(ran.stderr.starts_with("note: going on from"), "{}", ran.stderr);
        assert!(folder.read_bytes("out.csv") == expected, "{method}");
    }
}

#[test]
fn a_changed_table_of_weights_starts_over() {
    let folder = Folder::new();
    compressed(&folder);
    let pairs = "pairs in.jsonl.gz -o out.csv --method simhash --verify --measure cosine --shingle 1 --weights levels --levels levels.tsv";
    folder.write("levels.tsv", "w1\t3\n");
    let mut killed = folder.command(&format!("{pairs} {LITTLE}"));
    killed.env("LOOKALIKE_ABORT_AT", "features#2");
    let killed = crate::run(killed);
    assert_eq!(killed.code, None, "{}", killed.stderr);
    folder.write("levels.tsv", "w1\t4\n");
    let ran = folder.run(&format!("{pairs} {LITTLE}"));
    assert!(ran.stderr.contains("starting over: table of weights is"), "{}", ran.stderr);
}

#[test]
fn runs_without_an_output_file_do_not_meet() {
    let folder = Folder::new();
    corpus(&folder);
    let pairs = |threshold: &str| {
        format!("pairs in.jsonl --method minhash --threshold {threshold} --temp-dir . {LITTLE}")
    };
    let mut killed = folder.command(&pairs("0.6"));
    killed.env("LOOKALIKE_ABORT_AT", "chunks#1");
    assert_eq!(crate::run(killed).code, None);
    let other = folder.run(&pairs("0.9"));
    assert!(!other.stderr.contains("note:"), "{}", other.stderr);
    assert!(left(&folder).is_some(), "what the other left is still there");
    assert!(folder.run(&pairs("0.6")).stderr.starts_with("note: going on from"));
}

#[test]
fn a_run_keeps_to_its_memory_where_everything_is_a_duplicate() {
    let folder = Folder::new();
    let mut lines = String::new();
    for document in 0..300_000_u64 {
        let mut generator = lookalike::hash::SplitMix64(document / 2);
        let words: Vec<String> = (0..9).map(|_| format!("w{}", generator.next() % 1_000_000)).collect();
        let end = if document % 2 == 0 { "first" } else { "second" };
        lines += &format!("{{\"id\":\"d{document}\",\"text\":\"{} {end}\"}}\n", words.join(" "));
    }
    folder.write("in.jsonl", lines);
    let command = format!("{DEDUP} --shingle 1 --threads 1");
    assert_eq!(folder.run(&command).code, Some(0));
    let peak = || folder.summary()["peak_memory_bytes"].as_u64().unwrap();
    let (expected, limit) = (outputs(&folder), 70 << 20);
    let summary = folder.summary();
    assert!(summary["clusters"].as_u64().unwrap() > 149_000, "{summary}");
    assert!(peak() > limit + limit / 2, "{} bytes", peak());
    assert_done(&folder, &folder.run(&format!("{command} --memory 70MiB")), &expected);
    assert!(peak() < limit, "{} bytes", peak());
}

#[test]
fn pairs_that_copies_make_count_too() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"text\":\"the same words again and again\"}\n".repeat(1_000));
    assert_eq!(folder.run("pairs in.jsonl -q -o out.csv").code, Some(0));
    let ran = folder.run(&format!("pairs in.jsonl -q -o out.csv {LITTLE}"));
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.starts_with(
            "error: the documents make 499500 pairs or more, more than the memory limit leaves room for\n"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn shingles_of_against_that_do_not_fit_are_an_error() {
    let folder = Folder::new();
    let words = |seed: u64| {
        let mut generator = lookalike::hash::SplitMix64(seed);
        (0..5_000).map(|_| format!("w{}", generator.next() % 90_000)).collect::<Vec<_>>().join(" ")
    };
    let lines = |seeds: std::ops::Range<u64>| -> String {
        seeds.map(|seed| format!("{{\"text\":\"{}\"}}\n", words(seed))).collect()
    };
    folder.write("tests.jsonl", lines(0..120)).write("in.jsonl", lines(119..121));
    let command = "dedup in.jsonl --against tests.jsonl --against-containment 0.8 -o out.jsonl -q";
    assert_eq!(folder.run(command).code, Some(0));
    assert_eq!(folder.read("out.jsonl"), lines(120..121));
    let ran = folder.run(&format!("{command} {LITTLE}"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    // Each document has 4,996 shingles, and the table has 2²¹ places.
    let expected = "error: the search for containment holds 51.4 MB, and the memory limit leaves 26.7 MB for that\n  \
                    hint: give more --memory, or compare against the files of --against in parts\n";
    assert_eq!(ran.stderr, expected);
}
