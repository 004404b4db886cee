//! The objects that a name matches.

use super::servers::Bucket;
use super::{RemoteFolder, words};
use crate::{Ran, silent};

fn line(seed: usize) -> String {
    format!("{{\"text\":\"{}\"}}\n", words(seed, 20))
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn folders_and_globs_work_as_on_a_disk() {
    let bucket = Bucket::new("names");
    let folder = RemoteFolder::new();
    let names = [
        "2026-01/part-0.jsonl",
        "2026-01/part-1.jsonl",
        "2026-01/deep/part-2.jsonl",
        "2026-01/.hidden/a.jsonl",
        "2026-01/.b.jsonl",
        "2026-01/_temporary/part-1.jsonl",
        "2026-01/_day=1/part-3.jsonl",
        "2026-01/readme",
        "2026-01-extra/part-0.jsonl",
        "2026-02/part-0.jsonl",
        "2025-12/part-0.jsonl",
        "other/x.csv",
    ];
    for (seed, name) in names.iter().enumerate() {
        // All files share one text, so the list of pairs shows the files that were read, and their order.
        let lines = line(99) + &line(seed);
        let content = if name.ends_with("csv") { "text\na\n".to_owned() } else { lines };
        folder.write(name, &content);
        bucket.put(name, &content);
    }
    let pairs = |inputs: &str| {
        let Ran { code, stdout, stderr } = folder.run(&format!("pairs {inputs} -q"));
        (code, stdout.replace("s3://names/", ""), stderr.replace("s3://names/", ""))
    };
    for inputs in [
        "2026-01/",
        "2026-01",
        "2026-*/part-*.jsonl",
        "2026-0?/**/*.jsonl",
        "*/part-[01].jsonl",
        "2026-0[12]*/*",
    ] {
        let local = pairs(inputs);
        assert!(local.1.lines().count() > 1, "{inputs}: {local:?}");
        assert_eq!(pairs(&format!("s3://names/{inputs}")), local, "{inputs}");
    }
    let all = pairs("s3://names");
    assert_eq!(all, pairs("s3://names/"));
    assert!(all.1.lines().count() >= 15, "{all:?}");
    let ran = folder.run("dedup s3://names/2026-01/ -o s3://names/out --removed s3://names/removed.csv");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("1 file passed over: the extension is unknown, or it is no file"), "{ran:?}");
    let keys: Vec<String> = bucket.keys().into_iter().filter(|key| key.starts_with("out")).collect();
    let expected = ["_day=1/part-3.jsonl", "deep/part-2.jsonl", "part-0.jsonl", "part-1.jsonl"];
    assert_eq!(keys, expected.map(|name| format!("out/{name}")));
    let ran = folder.run("dedup s3://names/2026-0?/part-*.jsonl -o s3://names/matched -q");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let keys: Vec<String> = bucket.keys().into_iter().filter(|key| key.starts_with("matched")).collect();
    let expected = ["2026-01/part-0.jsonl", "2026-01/part-1.jsonl", "2026-02/part-0.jsonl"];
    assert_eq!(keys, expected.map(|name| format!("matched/{name}")));
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn folders_of_tables_are_refused_as_on_a_disk() {
    let bucket = Bucket::new("tables");
    let folder = RemoteFolder::new();
    let signs = [
        ("delta", "_delta_log/00000000000000000000.json"),
        ("hudi", ".hoodie/hoodie.properties"),
        ("sink", "_spark_metadata/0"),
        ("lance", "_versions/1.manifest"),
        ("iceberg", "metadata/v1.metadata.json"),
    ];
    for (table, sign) in signs {
        for (name, content) in
            [(format!("lake/{table}/part.jsonl"), line(1)), (format!("lake/{table}/{sign}"), "{}\n".into())]
        {
            folder.write(&name, &content);
            bucket.put(&name, &content);
        }
    }
    for name in ["lake/delta", "lake/hudi", "lake/sink", "lake/lance", "lake/iceberg"] {
        let local = folder.run(&format!("pairs {name} -q"));
        assert!(
            local.stderr.contains("its log says which") || local.stderr.contains(": this is a"),
            "{local:?}"
        );
        let remote = folder.run(&format!("pairs s3://tables/{name} -q"));
        let stderr = remote.stderr.replace("s3://tables/", "");
        assert_eq!(Ran { stderr, ..remote }, local, "{name}");
    }
    // A file that is named is read.
    assert_eq!(folder.run("pairs s3://tables/lake/delta/part.jsonl -q"), silent());
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn names_without_an_object_are_errors() {
    let bucket = Bucket::new("nowhere");
    bucket.put("in.jsonl", line(1)).put("folder/readme", "x");
    let folder = RemoteFolder::new();
    for (name, message) in [
        ("s3://nowhere/no.jsonl", "no such file or folder; check the path, or quote it if it is a glob"),
        (
            "s3://nowhere/*.csv",
            "no file matches; check the pattern, and quote it so that the shell leaves it alone",
        ),
        ("s3://nowhere/[", "not a valid glob: Pattern syntax error near position 0: invalid range pattern"),
        (
            "s3://nobody/in.jsonl",
            "cannot read: there is no such bucket; check the name, and the endpoint if you set one",
        ),
        ("s3:///in.jsonl", "the name of the bucket is missing"),
        (
            "http://user:secret@127.0.0.1:1/in.jsonl",
            "a password in a name would be written to lists and messages; leave it out",
        ),
    ] {
        let stderr = format!("error: {name}: {message}\n");
        assert_eq!(folder.run(&format!("pairs {name}")), Ran { code: Some(1), stderr, ..silent() });
    }
    let ran = folder.run("pairs s3://nowhere/folder/");
    assert!(ran.stderr.contains("the folder holds no file that ends in .jsonl"), "{ran:?}");
}

#[test]
#[ignore = "needs moto: ./test servers"]
fn an_output_is_no_input_and_no_other_output() {
    let bucket = Bucket::new("places");
    bucket.put("a.jsonl", line(1)).put("b.jsonl", line(2));
    let folder = RemoteFolder::new();
    let failed = |arguments: &str, stderr: &str| {
        assert_eq!(
            folder.run(arguments),
            Ran { code: Some(1), stderr: format!("error: {stderr}\n"), ..silent() }
        );
    };
    failed(
        "dedup s3://places/a.jsonl -o s3://places/a.jsonl",
        "s3://places/a.jsonl: the output is also an input; choose another place",
    );
    failed(
        "dedup s3://places/ -o s3://places/",
        "s3://places/a.jsonl: the output is also an input; choose another place",
    );
    failed(
        "dedup s3://places/a.jsonl -o s3://places/o.jsonl --removed s3://places/a.jsonl",
        "s3://places/a.jsonl: this output is also an input; give it another name",
    );
    failed(
        "dedup s3://places/a.jsonl -o s3://places/c.jsonl --removed s3://places/c.jsonl",
        "s3://places/c.jsonl: two outputs have this name; give each a name of its own",
    );
    failed(
        "pairs s3://places/a.jsonl s3://places/a.jsonl",
        "s3://places/a.jsonl and s3://places/a.jsonl are the same file; name it once",
    );
    failed(
        "dedup s3://places/a.jsonl -o https://127.0.0.1/c.jsonl",
        "https://127.0.0.1/c.jsonl: outputs go to s3:// or gs://, or to a file of this machine",
    );
    assert_eq!(bucket.keys(), ["a.jsonl", "b.jsonl"]);
    assert_eq!(bucket.uploads(), [""; 0]);
}
