//! A run on remote files has the same outputs as a run on the same files on a disk.

use super::servers::{Bucket, SERVERS};
use super::{RemoteFolder, corpus, without_notes, words};
use crate::{Ran, silent};
use std::io::Write;

fn gzip(content: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn csv(jsonl: &str) -> String {
    let rows = jsonl.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{},\"{}\"\n", row["id"].as_str().unwrap(), row["text"].as_str().unwrap())
    });
    "id,text\n".to_owned() + &rows.collect::<String>()
}

/// Deduplicates a local file and its copy in the bucket, with one and two threads, and compares all outputs.
fn compare(bucket: &Bucket, name: &str, content: &[u8], options: &str) {
    let folder = RemoteFolder::new();
    folder.write(name, content);
    bucket.put(&format!("in/{name}"), content);
    let local = format!("dedup {name} -o out/{name} --removed removed.csv -q {options}");
    std::fs::create_dir(folder.path("out")).unwrap();
    assert_eq!(without_notes(folder.run(&local)), silent());
    let removed = String::from_utf8(folder.read("removed.csv")).unwrap();
    for threads in [1, 2] {
        let at = format!("s3://{}", bucket.0);
        let lists = format!("--removed {at}/removed-{threads}.csv --threads {threads} -q {options}");
        let remote = format!("dedup {at}/in/{name} -o {at}/out-{threads}/{name} {lists}");
        assert_eq!(without_notes(folder.run(&remote)), silent());
        let out = bucket.get(&format!("out-{threads}/{name}")).unwrap();
        assert!(out == folder.read(&format!("out/{name}")), "{name} with {threads} threads");
        let list = bucket.get(&format!("removed-{threads}.csv")).unwrap();
        assert_eq!(String::from_utf8(list).unwrap(), removed, "{name} with {threads} threads");
    }
    assert_eq!(bucket.uploads(), [""; 0]);
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn lines_of_many_chunks() {
    // A chunk of a remote file has 8 MiB, and a part of an output 16 MiB. This corpus has several of both.
    let content = corpus(24_000, 120);
    assert!(content.len() > 24 << 20);
    compare(&Bucket::new("lines"), "a.jsonl", content.as_bytes(), "");
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn compressed_lines_of_many_parts() {
    let content = gzip(&corpus(9_000, 120));
    assert!(content.len() > 1 << 20);
    compare(&Bucket::new("gzip"), "a.jsonl.gz", &content, "");
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn tables() {
    let content = csv(&corpus(9_000, 40));
    assert!(content.len() > 2 << 20);
    compare(&Bucket::new("tables"), "a.csv", content.as_bytes(), "");
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn parquet_of_many_pages() {
    // The list of clusters is a Parquet file. Its ids are random texts, which do not compress.
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("{:08x}", state >> 32)
    };
    let folder = RemoteFolder::new();
    let lines = (0..3_000).map(|document: usize| {
        let id: String = (0..250).map(|_| random() + " ").collect();
        serde_json::json!({ "id": id, "text": words(document / 2, 20) }).to_string() + "\n"
    });
    folder.write("in.jsonl", lines.collect::<String>());
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --clusters clusters.parquet -q"), silent());
    let content = folder.read("clusters.parquet");
    assert!(content.len() > 3 << 20, "{}", content.len());
    compare(&Bucket::new("parquet"), "a.parquet", &content, "--text-field id --id-field no --shingle 1");
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn folders_of_texts() {
    let bucket = Bucket::new("texts");
    let folder = RemoteFolder::new();
    for document in 0..300 {
        let text = words(document % 200, 30);
        folder.write(&format!("in/{}/{document}.txt", document % 7), &text);
        bucket.put(&format!("in/{}/{document}.txt", document % 7), &text);
    }
    assert_eq!(folder.run("dedup in -o out -q --removed removed.csv"), silent());
    assert_eq!(
        folder.run("dedup s3://texts/in -o s3://texts/out -q --removed s3://texts/removed.csv"),
        silent()
    );
    let removed = String::from_utf8(folder.read("removed.csv")).unwrap();
    let list = String::from_utf8(bucket.get("removed.csv").unwrap()).unwrap();
    assert_eq!(list.replace("s3://texts/", ""), removed);
    let kept: Vec<String> = bucket.keys().into_iter().filter(|key| key.starts_with("out/")).collect();
    assert_eq!(kept.len(), 200);
    for key in kept {
        assert_eq!(bucket.get(&key).unwrap(), folder.read(&key));
    }
    assert_eq!(bucket.uploads(), [""; 0]);
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn pairs_by_every_scheme_and_from_here_and_there() {
    let content = corpus(60, 30);
    let bucket = Bucket::new("schemes");
    bucket.put("data.jsonl.gz", gzip(&content)).put("plain", &content);
    let folder = RemoteFolder::new();
    folder.write("data.jsonl", &content);
    let expected = folder.run("pairs data.jsonl -q");
    assert!(expected.code == Some(0) && expected.stdout.lines().count() > 10);
    let (port, tls) = (SERVERS.port, SERVERS.tls_port);
    for name in [
        "s3://schemes/data.jsonl.gz".to_owned(),
        "gs://schemes/data.jsonl.gz".to_owned(),
        format!("http://127.0.0.1:{port}/schemes/data.jsonl.gz"),
        format!("https://localhost:{tls}/schemes/data.jsonl.gz"),
        // The text after the question mark is for the server.
        format!("https://localhost:{tls}/schemes/data.jsonl.gz?response-content-type=a/b.txt"),
        // Without an extension the content shows the format.
        "s3://schemes/plain".to_owned(),
    ] {
        assert_eq!(folder.run(&format!("pairs {name} -q")), expected, "{name}");
    }
    folder.write("more.jsonl", format!("{{\"id\":\"here\",\"text\":\"{}\"}}\n", words(0, 30)));
    let ran = folder.run("pairs more.jsonl s3://schemes/plain -q -o gs://schemes/pairs.csv");
    assert_eq!(ran, silent());
    let pairs = String::from_utf8(bucket.get("pairs.csv").unwrap()).unwrap();
    assert!(pairs.starts_with("a,b,jaccard\nhere,d0,1.000000\n"), "{pairs}");
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn reports_and_summaries_go_there_too() {
    let bucket = Bucket::new("reports");
    bucket.put("in.jsonl", corpus(20, 30));
    let lists = "--report s3://reports/report.html --summary s3://reports/summary.json";
    let ran = RemoteFolder::new().run(&format!("dedup s3://reports/in.jsonl --dry-run -q {lists}"));
    assert_eq!(ran, silent());
    assert_eq!(bucket.keys(), ["in.jsonl", "report.html", "summary.json", "summary.toml"]);
    let summary: serde_json::Value = serde_json::from_slice(&bucket.get("summary.json").unwrap()).unwrap();
    assert_eq!(summary["documents"], 20);
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn an_output_without_records_is_an_empty_object() {
    let bucket = Bucket::new("empty");
    bucket.put("in.jsonl", "");
    assert_eq!(RemoteFolder::new().run("dedup s3://empty/in.jsonl -o s3://empty/out.jsonl -q"), silent());
    assert_eq!(bucket.get("out.jsonl").unwrap(), b"");
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn standard_output_takes_what_comes_from_there() {
    let bucket = Bucket::new("stdout");
    let lines = corpus(3, 30);
    bucket.put("in.jsonl", lines.clone() + &lines);
    let stdout: String = lines.split_inclusive('\n').take(2).collect();
    assert_eq!(RemoteFolder::new().run("dedup s3://stdout/in.jsonl -o - -q"), Ran { stdout, ..silent() });
}
