//! Requests that an index cannot serve are refused before the inputs are read.

use super::archive_and_news;
use crate::{Folder, failed};
use std::fs::File;

fn indexed() -> Folder {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("archive.jsonl", archive).write("news.jsonl", &news).write("empty.stop", " ");
    folder.run("index build archive.jsonl -o seen.index -q");
    folder
}

#[test]
fn options_that_contradict_the_index_are_named_with_its_value() {
    let folder = indexed();
    for (option, has) in [
        ("--threshold 0.7", "0.8"),
        ("--measure cosine", "jaccard"),
        ("--tokens chars", "words"),
        ("--fold digits", "none"),
        ("--shingle 3", "5"),
        ("--seed 4", "0"),
        ("--num-perm 64", "128"),
        ("--scheme classic", "bucketed"),
        ("--bands 20", "21"),
        ("--rows 5", "6"),
        ("--method exact", "minhash"),
        ("--method simhash", "minhash"),
    ] {
        for command in
            ["dedup news.jsonl -o out.jsonl --against seen.index", "index add seen.index news.jsonl"]
        {
            let expected = format!(
                "error: {option} differs from the index seen.index, which was made with {has}; leave the option out, or make another index with it\n"
            );
            assert_eq!(folder.run(&format!("{command} {option}")), failed(2, &expected));
        }
    }
    for (option, said) in [
        (
            "--recall 0.9",
            "--recall 0.9 (16 bands of 8 rows) differs from the index seen.index, which was made with 21 bands of 6 rows;",
        ),
        (
            "--stop-words en",
            "--stop-words (170 words) differs from the index seen.index, which was made with none;",
        ),
        (
            "--measure cosine --weights tf",
            "--weights tf differs from the index seen.index, which was made with set;",
        ),
    ] {
        let ran = folder.run(&format!("index add seen.index news.jsonl {option}"));
        assert_eq!((ran.code, ran.stderr.contains(said)), (Some(2), true), "{ran:?}");
    }
}

#[test]
fn options_that_agree_with_the_index_are_accepted() {
    let folder = indexed();
    let same = "-t 0.8 --measure jaccard --tokens words --shingle 5 --seed 0 --num-perm 128 --scheme bucketed --bands 21 --rows 6 \
                --recall 0.995 --method minhash --stop-words empty.stop";
    for method in ["", "--method auto"] {
        let more = if method.is_empty() { same } else { method };
        let ran = folder.run(&format!("dedup news.jsonl -o out.jsonl --against seen.index -q {more}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
fn requests_that_an_index_cannot_serve_are_refused() {
    let folder = indexed();
    for (option, why) in [
        (
            "--keep longest",
            "an index does not allow another keep policy than first: the first document of a cluster stays, and so do all that are in the index",
        ),
        (
            "--cluster star",
            "an index does not allow star clusters: a better centre would change what was decided before",
        ),
        (
            "--min-containment 0.9",
            "an index does not allow a least containment: only some documents of a cluster are taken from it",
        ),
        (
            "--against-containment 0.9",
            "an index does not allow a search for containment: only what shares a band is taken from it",
        ),
        (
            "--against-text-field body",
            "an index does not allow fields of the text and the id: it has the texts and the ids of its documents",
        ),
        (
            "--against-id-field key",
            "an index does not allow fields of the text and the id: it has the texts and the ids of its documents",
        ),
        ("--audit 3", "an index does not allow an audit: the run does not read the texts in it"),
        (
            "--report report.html",
            "an index does not allow a report page: the run does not read the texts in it",
        ),
    ] {
        let ran = folder.run(&format!("dedup news.jsonl -o out.jsonl --against seen.index {option}"));
        assert_eq!(ran, failed(2, &format!("error: {why}\n")));
    }
    for option in ["--method exact", "--measure cosine --weights tf"] {
        let ran = folder.run(&format!("index build news.jsonl -o new.index {option}"));
        let expected = match option {
            "--method exact" => {
                "error: --method exact: an index is searched by MinHash or SimHash; leave out --method\n"
            }
            _ => {
                "error: an index takes weights only by SimHash without verification, and is not searched exactly\n  \
                 hint: leave out --weights\n"
            }
        };
        assert_eq!(ran, failed(2, expected));
    }
    assert!(!folder.names().contains(&"new.index".to_owned()));
}

#[test]
fn an_index_is_compared_against_alone() {
    let folder = indexed();
    let ran = folder.run("dedup news.jsonl -o out.jsonl --against seen.index --against archive.jsonl");
    let expected = "error: seen.index is an index; give it alone, without other indexes, files, folders or globs, or add those to \
                    it\n";
    assert_eq!(ran, failed(1, expected));
    let ran =
        folder.run("dedup news.jsonl -o out.jsonl --against seen.index --against archive.jsonl --update");
    let expected = "error: --update adds to one index; give it, and nothing else, to --against\n";
    assert_eq!(ran, failed(2, expected));
    let ran = folder.run("dedup news.jsonl -o out.jsonl --against archive.jsonl --update");
    let expected = "error: --update needs an index, and archive.jsonl is none; lookalike index build makes one, and without \
                    --update the documents of archive.jsonl are compared\n";
    assert_eq!(ran, failed(2, expected));
    assert_eq!(folder.run("dedup news.jsonl -o out.jsonl --update").code, Some(2));
    assert_eq!(folder.run("dedup news.jsonl --dry-run --update --against seen.index").code, Some(2));
}

#[test]
fn an_index_is_made_only_in_an_empty_folder() {
    let folder = indexed();
    let ran = folder.run("index build news.jsonl -o seen.index");
    assert_eq!(
        ran,
        failed(
            1,
            "error: seen.index: there is an index already\n  hint: name another folder, or add to it with lookalike index add\n"
        )
    );
    folder.write("full/notes.txt", "something");
    let ran = folder.run("index build news.jsonl -o full");
    let expected = "error: full: notes.txt is in this folder; an index needs a folder that is new or empty\n";
    assert_eq!(ran, failed(1, expected));
    for command in ["index build news.jsonl -o", "serve --index"] {
        let ran = folder.run(&format!("{command} no/such/index"));
        let expected = "error: no/such/index: there is no folder no/such; make it first\n";
        assert_eq!(ran, failed(1, expected));
    }
    let ran = folder.run("index build news.jsonl -o s3://bucket/seen");
    assert_eq!(ran, failed(2, "error: -o s3://bucket/seen: an index is a folder of this machine\n"));
    for command in ["index add full news.jsonl", "index info full", "index info nowhere"] {
        let ran = folder.run(command);
        assert_eq!(ran.code, Some(1));
        assert!(
            ran.stderr.contains(": there is no index here\n  hint: lookalike index build makes one"),
            "{ran:?}"
        );
    }
}

#[test]
fn no_output_takes_the_place_of_an_index() {
    let folder = indexed();
    folder.write("more.jsonl", folder.read("news.jsonl"));
    for outputs in ["-o seen.index", "-o out.jsonl --summary seen.index/index.lookalike"] {
        let ran = folder.run(&format!("dedup news.jsonl more.jsonl --against seen.index {outputs}"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("this output is also an input; give it another name"), "{ran:?}");
    }
    assert_eq!(folder.run("index info seen.index --verify").code, Some(0));
}

#[test]
fn only_one_adds_at_a_time() {
    let folder = indexed();
    let lock = File::options().write(true).open(folder.path("seen.index").join("index.lock")).unwrap();
    lock.lock().unwrap();
    let busy = "error: seen.index: another process is adding to this index; wait until it is done, or stop it if it is a service\n";
    assert_eq!(folder.run("index add seen.index news.jsonl"), failed(1, busy));
    assert_eq!(folder.run("dedup news.jsonl -o out.jsonl --against seen.index --update"), failed(1, busy));
    // Other runs can still read the index.
    assert_eq!(folder.run("dedup news.jsonl -o out.jsonl --against seen.index -q").code, Some(0));
    drop(lock);
    assert_eq!(folder.run("index add seen.index news.jsonl -q").code, Some(0));
}

#[test]
fn the_last_addition_is_not_repeated_and_its_outputs_stay() {
    let folder = indexed();
    let update = "dedup news.jsonl -o out.jsonl --against seen.index -q --update";
    assert_eq!(folder.run(update).code, Some(0));
    let first = folder.read("out.jsonl");
    let again = "error: seen.index: these inputs were added to the index last, and have not changed since; the run adds and \
                 writes nothing\n";
    assert_eq!(folder.run(update), failed(1, again));
    assert_eq!(folder.run("index add seen.index news.jsonl -q"), failed(1, again));
    assert_eq!(folder.read("out.jsonl"), first);
    // The run assumes nothing about other inputs, or about the same inputs after a change.
    folder.write("more.jsonl", &first).write("news.jsonl", format!("{first}\n"));
    assert_eq!(folder.run("index add seen.index more.jsonl -q").code, Some(0));
    assert_eq!(folder.run(update).code, Some(0));
    assert_eq!(folder.read("out.jsonl"), "");
}
