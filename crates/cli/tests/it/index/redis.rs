//! An index in Redis, beside folders.

#[allow(dead_code, reason = "other tests kill it too")]
#[path = "../../../../index/src/redis/tests/server.rs"]
mod server;

#[cfg(unix)]
use crate::serve::client::Server;
use crate::{Folder, failed};
use server::RedisServer;

#[test]
#[ignore = "needs redis-server: ./test servers"]
fn an_index_that_redis_does_not_have_is_not_copied() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    let address = server.address("nope");
    let expected = format!("error: {address}: this Redis has no index of the name nope\n");
    for _ in 0..2 {
        assert_eq!(folder.run(&format!("index copy {address} out.index")), failed(1, &expected));
    }
    assert!(folder.names().is_empty());
}

#[test]
#[ignore = "needs redis-server: ./test servers"]
fn a_copy_from_redis_does_not_replace_an_index() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    folder.write("a.jsonl", "{\"id\": \"a\", \"text\": \"one two three four five six\"}\n");
    assert_eq!(folder.run("index build a.jsonl -o seen.index -q").code, Some(0));
    let address = server.address("seen");
    assert_eq!(folder.run(&format!("index copy seen.index {address}")).code, Some(0));
    let ran = folder.run(&format!("index copy {address} seen.index"));
    let expected = "error: seen.index: there is an index already\n  hint: name another folder, or add to it with lookalike index add\n";
    assert_eq!(ran, failed(1, expected));
    assert_eq!(folder.run(&format!("index copy {address} copy.index")).code, Some(0));
}

#[cfg(unix)]
#[test]
#[ignore = "needs redis-server: ./test servers"]
fn without_options_an_index_is_taken_with_the_plan_that_it_has() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    let address = server.address("seen");
    let serve = |options: &str| format!("--index {address} --listen 127.0.0.1:0 {options}");
    Server::start_at(&folder, &serve("--threshold 0.7")).stop();
    Server::start_at(&folder, &serve("")).stop();
    Server::start_at(&folder, &serve("--threshold 0.7")).stop();
    let refused = |address: &str, options: &str, has: &str| {
        let ran = folder.run(&format!("serve --index {address} --listen 127.0.0.1:0 {options}"));
        let expected = format!(
            "error: {options} differs from the index {address}, which was made with {has}; leave the option out, or make another \
             index with it\n"
        );
        assert_eq!(ran, failed(2, &expected));
    };
    refused(&address, "--threshold 0.8", "0.7");
    refused(&address, "--similar-from 0.3", "32 bands of 4 rows");
    // Each option of an index by SimHash may stand alone.
    let codes = server.address("codes");
    let serve = |options: &str| format!("--index {codes} --listen 127.0.0.1:0 {options}");
    Server::start_at(&folder, &serve("--method simhash --bits 128 --hamming 5 --weights tf")).stop();
    for options in ["", "--hamming 5", "--bits 128", "--weights tf", "--method simhash"] {
        Server::start_at(&folder, &serve(options)).stop();
    }
    refused(&codes, "--hamming 4", "5");
    refused(&codes, "--verify", "distances alone");
}

#[test]
fn commands_for_folders_refuse_redis_by_name() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{\"text\": \"one two three four five six\"}\n");
    for command in [
        "index info redis://h",
        "index build a.jsonl -o redis://h",
        "index add redis://h a.jsonl",
        "dedup a.jsonl -o b.jsonl --against redis://h",
        "dedup a.jsonl -o b.jsonl --against redis://h --update",
    ] {
        let expected = "error: redis://h: this command works with an index in a folder; lookalike index copy makes a folder of an index in Redis\n";
        assert_eq!(folder.run(command), failed(2, expected), "{command}");
    }
}
