//! Servers that fail: the run ends with a clear message and an exit code, and leaves no incomplete output.

use super::servers::{Bucket, Proxy, SERVERS, Stubborn, Then, Way};
use super::{RemoteFolder, corpus, without_notes};
use crate::{Ran, ran, silent};
use std::time::{Duration, Instant};

fn failed(stderr: &str) -> Ran {
    Ran { code: Some(1), stderr: format!("error: {stderr}\n"), ..silent() }
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn a_server_that_dies_while_it_is_read_from() {
    let bucket = Bucket::new("dies");
    bucket.put("in.jsonl", corpus(9_000, 120));
    let folder = RemoteFolder::new();
    let proxy = Proxy::new(Way::Down, 3 << 20, Then::Die);
    let ran =
        folder.run_at(proxy.0, "dedup s3://dies/in.jsonl -o out.jsonl --removed s3://dies/removed.csv -q");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.starts_with("error: s3://dies/in.jsonl: cannot read: the server cannot be reached (")
            && ran.stderr.ends_with("; check the name and the network\n"),
        "{ran:?}"
    );
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 0);
    assert_eq!(bucket.keys(), ["in.jsonl"]);
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn a_server_that_dies_while_it_is_written_to() {
    let bucket = Bucket::new("full");
    let folder = RemoteFolder::new();
    folder.write("in.jsonl", corpus(24_000, 120));
    let proxy = Proxy::new(Way::Up, 4 << 20, Then::Die);
    let ran = folder.run_at(proxy.0, "dedup in.jsonl -o s3://full/out.jsonl --removed removed.csv -q");
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.starts_with("error: s3://full/out.jsonl: cannot write: the server cannot be reached ("),
        "{ran:?}"
    );
    assert_eq!(bucket.keys(), [""; 0]);
    // The list does not have its final name, either.
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 1);
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn an_object_that_changes_while_it_is_read() {
    static BUCKET: Bucket = Bucket("changes");
    Bucket::new("changes").put("in.jsonl", corpus(9_000, 120));
    // The object changes after the run has read its first half. Its length stays the same.
    let changed = corpus(9_000, 120).replacen("w0x0", "w0x1", 1);
    let change = move || {
        BUCKET.put("in.jsonl", &changed);
    };
    let proxy = Proxy::new(Way::Down, 9 << 20, Then::Do(Box::new(change)));
    let ran = RemoteFolder::new()
        .run_at(proxy.0, "dedup s3://changes/in.jsonl -o s3://changes/out.jsonl -q --threads 1");
    let message =
        "s3://changes/in.jsonl: the file changed while it was read; run again when nothing writes to it";
    assert_eq!(ran, failed(message));
    assert_eq!((BUCKET.keys(), BUCKET.uploads()), (vec!["in.jsonl".to_owned()], Vec::new()));
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn a_server_that_refuses_access_gets_one_request() {
    let folder = RemoteFolder::new();
    let refusing = Stubborn::new("403 Forbidden", "<Error><Code>AccessDenied</Code></Error>");
    let message = "the server refuses access (403); check that the credentials are right and may do this";
    assert_eq!(
        folder.run_at(refusing.port, "pairs s3://any/in.jsonl"),
        failed(&format!("s3://any/in.jsonl: cannot read: {message}"))
    );
    let name = format!("http://127.0.0.1:{}/in.jsonl", refusing.port);
    assert_eq!(folder.run(&format!("pairs {name}")), failed(&format!("{name}: cannot read: {message}")));
    assert_eq!(refusing.requests(), 2);
    folder.write("in.jsonl", corpus(9, 9));
    // The run fails before it reads the first document.
    assert_eq!(
        folder.run_at(refusing.port, "dedup in.jsonl -o s3://any/out/ -q"),
        failed(&format!("s3://any/out/in.jsonl: cannot write: {message}"))
    );
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn a_server_without_byte_ranges_is_an_error() {
    let plain = Stubborn::new("200 OK", "{\"text\":\"a b c\"}\n");
    let name = format!("http://127.0.0.1:{}/in.jsonl", plain.port);
    let message = "the server sends whole files only, and no parts of them; download the file first";
    let ran = RemoteFolder::new().run(&format!("pairs {name}"));
    assert_eq!(ran, failed(&format!("{name}: cannot read: {message}")));
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn a_missing_file_is_an_error() {
    let gone = Stubborn::new("404 Not Found", "");
    let name = format!("http://127.0.0.1:{}/in.jsonl", gone.port);
    let message = "no such file or folder; check the path, or quote it if it is a glob";
    assert_eq!(RemoteFolder::new().run(&format!("pairs {name}")), failed(&format!("{name}: {message}")));
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn a_server_that_stalls_does_not_hold_the_program_for_ever() {
    let bucket = Bucket::new("stalls");
    bucket.put("in.jsonl", corpus(9_000, 120));
    let folder = RemoteFolder::new();
    let proxy = Proxy::new(Way::Down, 3 << 20, Then::Stall);
    let mut command = folder.command(proxy.0, "pairs s3://stalls/in.jsonl -q");
    let started = Instant::now();
    // After ten seconds, which a busy machine may take, a note says what the program waits for.
    let ran = without_notes(ran(command.env("AWS_TIMEOUT", "300ms").output().unwrap()));
    assert_eq!(ran, failed("s3://stalls/in.jsonl: cannot read: the server does not answer; try again later"));
    assert!(started.elapsed() < Duration::from_secs(90));
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn ctrl_c_stops_a_run_that_waits_for_a_server() {
    let bucket = Bucket::new("interrupted");
    bucket.put("in.jsonl", corpus(9_000, 120));
    let folder = RemoteFolder::new();
    let proxy = Proxy::new(Way::Down, 3 << 20, Then::Stall);
    let mut command = folder.command(proxy.0, "pairs s3://interrupted/in.jsonl -q");
    let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let interrupted = Instant::now();
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(interrupted.elapsed() < Duration::from_secs(10));
    assert_eq!(ran(output), failed("interrupted; no output was written"));
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn ctrl_c_during_a_write_cancels_the_upload() {
    // On a busy machine the signal may come after the last write. A longer output makes this less likely.
    let tries = [("back", 24_000), ("back-later", 96_000), ("back-latest", 384_000)];
    let stopped = tries.into_iter().find_map(|(name, documents)| {
        let bucket = Bucket::new(name);
        let output = interrupted((name, &bucket), documents);
        (output.code != Some(0)).then_some((output, bucket))
    });
    let (output, bucket) = stopped.expect("a signal that comes in time");
    assert_eq!(output, failed("interrupted; no output was written"));
    assert_eq!((bucket.keys(), bucket.uploads()), (Vec::new(), Vec::new()));
}

/// A run that is interrupted after its first write to `bucket`.
fn interrupted((name, bucket): (&str, &Bucket), documents: usize) -> Ran {
    let folder = RemoteFolder::new();
    folder.write("in.jsonl", corpus(documents, 120));
    let dedup = format!("dedup in.jsonl -o s3://{name}/out.jsonl -q --threads 1");
    let mut command = folder.command(SERVERS.port, &dedup);
    let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    // The first upload only tests the place, and is removed. The signal may come before or during the next one.
    while bucket.uploads().is_empty() {
        assert!(started.elapsed() < Duration::from_secs(60));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    ran(child.wait_with_output().unwrap())
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn without_credentials_the_message_lists_the_variables() {
    let folder = RemoteFolder::new();
    let mut command = folder.command(SERVERS.port, "pairs s3://any/in.jsonl");
    command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY");
    // This replaces the address that exists only on machines of a cloud.
    command.env("AWS_METADATA_ENDPOINT", "http://127.0.0.1:1");
    let ran = ran(command.output().unwrap());
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("there are no credentials; set AWS_ACCESS_KEY_ID and"), "{ran:?}");
}
