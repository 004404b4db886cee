//! `lookalike serve`, in a process of its own.

mod about;
pub(crate) mod client;
mod replica;

use crate::Folder;
use client::Server;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A text of a family, all of whose texts are similar.
fn text(family: usize, variant: usize) -> String {
    let words: String = (0..60).map(|word| format!("f{family}w{word} ")).collect();
    format!("{words}variant{variant}")
}

#[cfg(unix)]
#[test]
fn the_folder_of_the_service_and_of_index_is_the_same() {
    let folder = Folder::new();
    let line = |id: &str, text: &str| serde_json::json!({ "id": id, "text": text }).to_string() + "\n";
    folder.write(
        "old.jsonl",
        (0..20).map(|family| line(&format!("old{family}"), &text(family, 0))).collect::<String>(),
    );
    assert_eq!(folder.run("index build old.jsonl -o seen.index -q").code, Some(0));

    let server = Server::start(&folder, "");
    let mut client = server.client();
    let (status, answer) = client.add("new3", &text(3, 1)).unwrap();
    assert_eq!((status, &answer["match"]["id"]), (200, &"old3".into()));
    assert_eq!(client.add("new90", &text(90, 0)).unwrap().0, 201);
    let document = client.ask("GET", "/v1/documents/old7?include=text", "").unwrap().1;
    assert!(document.contains(&text(7, 0)) && document.contains("\"added\":null"), "{document}");
    assert_eq!(client.ask("DELETE", "/v1/documents/old7", "").unwrap().0, 204);
    let busy = folder.run("index add seen.index old.jsonl");
    assert!(
        busy.code == Some(1) && busy.stderr.contains("another process is adding to this index"),
        "{busy:?}"
    );
    drop(client);
    server.stop();

    let lines =
        [line("a", &text(90, 5)), line("b", &text(7, 5)), line("c", &text(3, 5)), line("d", &text(91, 0))];
    folder.write("today.jsonl", lines.concat());
    assert_eq!(folder.run("dedup today.jsonl -o kept.jsonl --against seen.index --update -q").code, Some(0));
    assert_eq!(folder.read("kept.jsonl"), [line("b", &text(7, 5)), line("d", &text(91, 0))].concat());
    let info = folder.run("index info seen.index --verify --format json");
    let info: serde_json::Value = serde_json::from_str(&info.stdout).unwrap();
    assert_eq!((&info["documents"], &info["verified"]), (&25.into(), &true.into()));

    let server = Server::start(&folder, "");
    assert_eq!(server.client().check(&text(91, 3))["match"]["id"], "d");
    server.stop();
}

/// Everything that was answered before a kill is true after it.
#[test]
fn nothing_that_was_acknowledged_is_lost_or_contradicted_by_a_kill() {
    let folder = Folder::new();
    // For each family the id of its document, as clients were told.
    let accepted = Mutex::new(BTreeMap::<usize, String>::new());
    let (threads, mut answers) = (8, 0);
    for round in 0..6 {
        let server = Server::start(&folder, "");
        let stop = AtomicBool::new(false);
        let told = Mutex::new(0);
        thread::scope(|scope| {
            for worker in 0..threads {
                let mut client = server.client();
                let (accepted, stop, told) = (&accepted, &stop, &told);
                scope.spawn(move || {
                    for step in 0.. {
                        // All threads are about the same families at about the same time.
                        let family = round * 100_000 + step;
                        let id = format!("r{round}-{family}-{worker}");
                        if stop.load(Ordering::Relaxed) {
                            return;
                        }
                        // The server has gone.
                        let Some((status, answer)) = client.add(&id, &text(family, worker)) else { return };
                        let id = match status {
                            201 => id,
                            200 => answer["match"]["id"].as_str().unwrap().to_owned(),
                            _ => panic!("{status} {answer}"),
                        };
                        *told.lock().unwrap() += 1;
                        let mut accepted = accepted.lock().unwrap();
                        let known = accepted.entry(family).or_insert_with(|| id.clone());
                        assert_eq!(*known, id, "two documents of family {family} were accepted");
                    }
                });
            }
            thread::sleep(Duration::from_millis(150 + 50 * round as u64));
            server.kill();
            stop.store(true, Ordering::Relaxed);
        });
        answers += told.into_inner().unwrap();
        let server = Server::start(&folder, "");
        let mut client = server.client();
        for (&family, id) in accepted.lock().unwrap().iter().rev().take(300) {
            let answer = client.check(&text(family, 99));
            assert_eq!(answer["match"]["id"], id[..], "family {family} after round {round}");
        }
        server.kill();
    }
    assert!(answers > 200, "only {answers} answers in all rounds");
    let info = folder.run("index info seen.index --verify");
    assert_eq!(info.code, Some(0), "{info:?}");
}

/// A stream of requests that does not end.
#[cfg(unix)]
#[test]
fn an_open_stream_does_not_keep_the_service_from_stopping() {
    let folder = Folder::new();
    let server = Server::start(&folder, "");
    let mut client = server.client();
    client.start_stream("/v1/bulk?op=add", "{\"id\": \"a\", \"text\": \"one two three four five six\"}\n");
    let mut other = server.client();
    while other.ask("GET", "/v1/documents/a", "").unwrap().0 != 200 {
        thread::sleep(Duration::from_millis(5));
    }
    server.stop();
    let server = Server::start(&folder, "");
    assert_eq!(server.client().ask("GET", "/v1/documents/a", "").unwrap().0, 200);
    server.stop();
}

#[test]
fn an_address_of_other_machines_needs_keys() {
    let folder = Folder::new();
    let ran = folder.run("serve --index seen.index --listen 0.0.0.0:0");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("0.0.0.0:0 can be reached from other machines"), "{ran:?}");
    folder.write("keys.txt", "crawler write abc\n");
    let ran = folder.run("serve --index seen.index --keys keys.txt");
    let expected = "error: --keys keys.txt: line 1: the hash does not have 64 hex digits; a line is NAME ROLE SHA256 [RATE], where ROLE is read, write or admin\n";
    assert_eq!((ran.code, &ran.stderr[..expected.len()]), (Some(2), expected));
    folder.write("none.txt", "# no key yet\n");
    let ran = folder.run("serve --index seen.index --keys none.txt");
    assert_eq!(
        (ran.code, ran.stderr.contains("--keys none.txt: it has no keys")),
        (Some(2), true),
        "{ran:?}"
    );
    let ran = folder.run("serve --index keys.txt");
    let expected = "error: --index keys.txt: this is a file; name a new folder for the index\n";
    assert_eq!((ran.code, &ran.stderr[..]), (Some(2), expected));
    assert_eq!(folder.names(), ["keys.txt", "none.txt"]);
}

#[test]
fn the_start_of_a_service_and_info_say_how_few_documents_an_index_finds() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{\"id\": \"a\", \"text\": \"one two three four five six\"}\n");
    for (options, recall, is_noted) in [
        ("", "99.82 %", false),
        ("--method simhash --verify", "62.47 %", true),
        ("--method simhash --verify --bits 128", "3.87 %", true),
        ("-t 0.01", "72.37 %", true),
    ] {
        let _ = std::fs::remove_dir_all(folder.path("seen.index"));
        assert_eq!(folder.run(&format!("index build a.jsonl -o seen.index -q {options}")).code, Some(0));
        let info = folder.run("index info seen.index").stdout;
        let line = format!("recall     {recall} of the documents at the threshold, more of nearer ones\n");
        assert!(info.contains(&line), "{info}");
        let said = Server::start(&folder, "").stop_and_read();
        let threshold = if options.starts_with("-t") { "0.01" } else { "0.8" };
        let note = format!(
            "note: the index finds {recall} of the documents at its threshold of {threshold}, and more of nearer ones\n"
        );
        assert_eq!(said, if is_noted { &note[..] } else { "" }, "{options}");
    }
}

#[test]
fn an_index_by_simhash_is_made_and_served_and_says_so() {
    let folder = Folder::new();
    let text = "one two three four five six seven eight nine ten";
    folder.write("a.jsonl", format!("{{\"id\": \"a\", \"text\": \"{text}\"}}\n"));
    let options = "--method simhash --verify --hamming 3";
    assert_eq!(folder.run(&format!("index build a.jsonl -o near.index {options} -q")).code, Some(0));
    let info = folder.run("index info near.index --verify").stdout;
    assert!(info.contains("by SimHash of 64 bits, compared if 3 or fewer differ"), "{info}");
    let server = Server::start_at(&folder, &format!("--index near.index --listen 127.0.0.1:0 {options}"));
    let mut client = server.client();
    let found = client.check(text);
    assert_eq!((&found["status"], &found["match"]["id"]), (&json!("copy"), &json!("a")));
    let (status, added) = client.add("b", "quite another text than all before it").unwrap();
    assert_eq!((status, &added["status"]), (201, &json!("added")));
    let (_, index) = client.ask("GET", "/v1/index", "").unwrap();
    let plan = &serde_json::from_str::<serde_json::Value>(&index).unwrap()["plan"];
    assert_eq!(
        (&plan["method"], &plan["bits"], &plan["bands"]),
        (&json!("simhash"), &json!(64), &json!(null))
    );
    server.stop();
    for (option, why) in [
        ("--hamming 4", "--hamming 4 differs from the index near.index, which was made with 3"),
        ("--bits 128", "--bits 128 differs"),
    ] {
        let ran = folder.run(&format!("serve --index near.index {option}"));
        assert!(ran.code == Some(2) && ran.stderr.contains(why), "{ran:?}");
    }
    let banded = folder.run("serve --index near.index --bands 20");
    assert!(banded.code == Some(2) && banded.stderr.contains("--bands needs --method minhash"), "{banded:?}");
    let sized = folder.run("index build a.jsonl -o b.index --method simhash --verify --plan small");
    assert!(sized.code == Some(2) && sized.stderr.contains("give --bits with --method simhash"), "{sized:?}");
}

#[test]
fn a_small_index_has_eighty_values_and_is_served_with_the_same_option() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{\"text\": \"one two three four five six seven\"}\n");
    assert_eq!(folder.run("index build a.jsonl -o small.index --plan small -q").code, Some(0));
    let info = folder.run("index info small.index").stdout;
    assert!(info.contains("by 80 values (bucketed), 16 × 5 MinHash bands"), "{info}");
    let both = folder.run("index build a.jsonl -o b.index --plan small --num-perm 64");
    assert!(both.code == Some(2) && both.stderr.contains("leave one of them out"), "{both:?}");
    let normal = folder.run("serve --index small.index --plan normal");
    let expected = "error: --plan normal differs from the index small.index, which was made with --plan small; leave the option out, or make \
                    another index with it\n";
    assert_eq!((normal.code, &normal.stderr[..]), (Some(2), expected));
    assert_eq!(folder.run("index build a.jsonl -o odd.index --num-perm 64 -q").code, Some(0));
    let odd = folder.run("serve --index odd.index --plan small");
    assert!(odd.code == Some(2) && odd.stderr.contains("made with --num-perm 64;"), "{odd:?}");
}

#[test]
fn a_copy_needs_one_folder_and_one_redis() {
    let folder = Folder::new();
    for (command, expected) in [
        ("index copy a b", "one of FROM and TO must be an address in Redis"),
        ("index copy redis://h redis://i", "one of FROM and TO must be a folder"),
        ("index copy a redis://h?nome=x", "only name=NAME can follow the question mark"),
        (
            "serve --index rediss://h",
            "an index is a folder of this machine, or is at an address that starts with redis://",
        ),
        ("serve --index redis://", "it is not of the form redis://USER:PASSWORD@HOST:PORT/DB"),
    ] {
        let refused = folder.run(command);
        assert!(refused.code == Some(2) && refused.stderr.contains(expected), "{command}: {refused:?}");
    }
}
