//! A service of a copy that follows the index of another service.

mod chain;
mod options;

use super::client::{Client, Server};
use super::text;
use crate::Folder;
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

/// The answer to a question, without its sequence number.
fn get(client: &mut Client, path: &str) -> (u16, Value) {
    let (status, body) = client.ask("GET", path, "").unwrap();
    (status, serde_json::from_str(&body).unwrap())
}

/// Waits until the copy is ready and has as many changes as the primary.
fn wait(primary: &mut Client, copy: &mut Client) {
    let sequence = |client: &mut Client| get(client, "/v1/index").1["sequence"].clone();
    while copy.ask("GET", "/ready", "").unwrap().0 != 200 || sequence(copy) != sequence(primary) {
        thread::sleep(Duration::from_millis(5));
    }
}

/// Asks both for documents, clusters and duplicates of all families, and expects the same answers.
fn compare(primary: &mut Client, copy: &mut Client, families: usize) {
    let check = json!({ "text": text(families / 2, 77) }).to_string();
    assert_eq!(copy.ask("POST", "/v1/check", &check), primary.ask("POST", "/v1/check", &check));
    for family in 0..families {
        for variant in 0..3 {
            let id = format!("d{family}-{variant}");
            for path in [format!("/v1/documents/{id}?include=text"), format!("/v1/documents/{id}/cluster")] {
                assert_eq!(get(copy, &path), get(primary, &path), "{path}");
            }
        }
    }
}

fn line(family: usize, variant: usize) -> String {
    json!({ "id": format!("d{family}-{variant}"), "text": text(family, variant) }).to_string() + "\n"
}

#[test]
fn a_copy_answers_as_the_index_that_it_follows_also_after_kills_of_both() {
    let folder = Folder::new();
    // A batch finds the first clusters.
    folder.write("old.jsonl", (0..20).map(|family| line(family, 0) + &line(family, 1)).collect::<String>());
    assert_eq!(folder.run("index build old.jsonl -o seen.index -q").code, Some(0));
    let primary = Server::start(&folder, "--mode all");
    let address = primary.address().to_owned();
    let start_copy = || {
        let options = format!("--index copy.index --follow http://{address} --listen 127.0.0.1:0");
        Server::start_at(&folder, &options)
    };
    let restart = || Server::start_at(&folder, &format!("--index seen.index --mode all --listen {address}"));
    let copy = start_copy();
    let (mut of, mut at) = (primary.client(), copy.client());
    wait(&mut of, &mut at);
    compare(&mut of, &mut at, 20);
    // Changes while it follows.
    for family in 10..40 {
        assert_eq!(of.add(&format!("d{family}-2"), &text(family, 2)).unwrap().0, 201);
    }
    for family in 0..10 {
        let path = format!("/v1/documents/d{family}-0{}", if family < 5 { "" } else { "?purge=true" });
        assert_eq!(of.ask("DELETE", &path, "").unwrap().0, 204);
    }
    wait(&mut of, &mut at);
    compare(&mut of, &mut at, 40);
    // It is read only.
    let (status, problem) = at.add("x", "to be or not to be that is the question").unwrap();
    assert_eq!((status, &problem["code"]), (409, &json!("read_only")));
    assert_eq!(at.ask("DELETE", "/v1/documents/d1-1", "").unwrap().0, 409);
    assert_eq!(get(&mut at, "/v1/events").0, 409);
    // The copy is killed, and has missed something when it starts again.
    copy.kill();
    assert_eq!(of.add("d40-2", &text(40, 2)).unwrap().0, 201);
    let copy = start_copy();
    let mut at = copy.client();
    wait(&mut of, &mut at);
    compare(&mut of, &mut at, 41);
    // The primary is killed. The copy answers meanwhile, and goes on when it is there again.
    primary.kill();
    assert_eq!(at.ask("GET", "/v1/documents/d40-2", "").unwrap().0, 200);
    while get(&mut at, "/v1/index").1["not_following"].is_null() {
        thread::sleep(Duration::from_millis(5));
    }
    let primary = restart();
    let mut of = primary.client();
    assert_eq!(of.add("d41-2", &text(41, 2)).unwrap().0, 201);
    wait(&mut of, &mut at);
    compare(&mut of, &mut at, 42);
    drop((of, at));
    primary.kill();
    copy.kill();
    for index in ["seen.index", "copy.index"] {
        let info = folder.run(&format!("index info {index} --verify"));
        assert_eq!(info.code, Some(0), "{info:?}");
    }
}

#[test]
fn a_copy_of_another_index_and_a_primary_that_cannot_be_followed_are_said() {
    let folder = Folder::new();
    let primary = Server::start(&folder, "");
    let address = primary.address().to_owned();
    assert_eq!(primary.client().add("a", &text(1, 0)).unwrap().0, 201);
    folder.write("b.jsonl", line(2, 0).as_str());
    assert_eq!(folder.run("index build b.jsonl -o other.index -q").code, Some(0));
    let other = Server::start_at(
        &folder,
        &format!("--index other.index --follow http://{address} --listen 127.0.0.1:0"),
    );
    let mut client = other.client();
    let detail = loop {
        let (status, problem) = get(&mut client, "/ready");
        assert_eq!((status, &problem["code"]), (503, &json!("behind")));
        match problem["detail"].as_str().unwrap() {
            detail if detail.contains("does not have all changes") => thread::sleep(Duration::from_millis(5)),
            detail => break detail.to_owned(),
        }
    };
    let expected = format!(
        "http://{address} answers 409: this is not the index that the copy was made of, or it was restored from an older backup; make the copy again"
    );
    assert_eq!(detail, expected);
    // It answers from what it has.
    assert_eq!(client.check(&text(2, 1))["match"]["id"], "d2-0");
    other.kill();
    // A copy that had all changes, of an index that is another one now.
    let options = format!("--index copy.index --follow http://{address} --listen 127.0.0.1:0");
    let copy = Server::start_at(&folder, &options);
    let mut at = copy.client();
    wait(&mut primary.client(), &mut at);
    primary.kill();
    let primary = Server::start_at(&folder, &format!("--index other.index --listen {address}"));
    while at.ask("GET", "/ready", "").unwrap().0 == 200 {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(get(&mut at, "/ready").1["detail"].as_str().unwrap().contains("answers 409"));
    copy.kill();
    let own = folder.run(&format!("serve --index own.index --follow http://{address} --listen {address}"));
    assert!(own.code == Some(1) && own.stderr.contains(&address), "{own:?}");
    primary.kill();
    let refused = |command: &str| {
        let ran = folder.run(command);
        (ran.code, ran.stderr)
    };
    let (code, error) = refused(&format!("serve --index new.index --follow http://{address}"));
    assert_eq!(code, Some(1));
    assert!(error.starts_with(&format!("error: http://{address}: Connection refused")), "{error}");
    let (code, error) = refused("serve --index new.index --follow https://h");
    assert_eq!(code, Some(2));
    assert!(error.contains("https://h: a copy asks without TLS, in a private network or a tunnel; give the address of a service"), "{error}");
    let (code, error) = refused("serve --index redis://h --follow http://h");
    assert_eq!(code, Some(2));
    assert!(error.contains("--follow: Redis makes copies itself"), "{error}");
    assert!(!folder.names().contains(&"new.index".to_owned()));
}

#[cfg(unix)]
#[test]
fn a_key_is_sent_and_a_service_stops_at_once_while_it_is_followed() {
    let folder = Folder::new();
    // The hash of "reader".
    folder.write("keys.txt", "r admin 3d0941964aa3ebdcb00ccef58b1bb399f9f898465e9886d5aec7f31090a0fb30\n");
    folder.write("key.txt", "reader\n");
    let primary = Server::start(&folder, "--keys keys.txt");
    let address = primary.address();
    let options = format!("--index copy.index --follow http://{address} --listen 127.0.0.1:0");
    let ran = folder.run(&format!("serve {options}"));
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("answers 401: send a key"), "{ran:?}");
    let copy = Server::start_at(&folder, &format!("{options} --follow-key key.txt"));
    let mut at = copy.client();
    while at.ask("GET", "/ready", "").unwrap().0 != 200 {
        thread::sleep(Duration::from_millis(5));
    }
    let start = std::time::Instant::now();
    primary.stop();
    // Requests without an end would be cut off after five seconds.
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    copy.stop();
}
