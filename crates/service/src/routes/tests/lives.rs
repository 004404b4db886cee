//! Documents that are purged or touched, and work on the files of the index.

use super::*;
use std::fs;

/// The last job of a kind, when it has ended.
async fn ended(client: &Client, kind: &str) -> Value {
    for _ in 0..1000 {
        let (_, jobs) = client.ask("GET", "/v1/admin/jobs", None).await;
        let of_kind = jobs.as_array().unwrap().iter().find(|job| job["kind"] == kind).cloned();
        match of_kind {
            Some(job) if job["state"] != "running" => return job,
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
    panic!("the job {kind} does not end");
}

#[tokio::test]
async fn a_touched_document_lives_longer_and_so_does_the_original_of_a_touching_duplicate() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    let hamlet = json!({ "id": "hamlet", "text": HAMLET, "ttl": 100 });
    assert_eq!(client.ask("POST", "/v1/documents", Some(hamlet)).await.0, 201);
    let (status, answer) =
        client.ask("POST", "/v1/documents/hamlet/touch", Some(json!({ "ttl": 5000 }))).await;
    assert_eq!(status, 200, "{answer}");
    let expires = answer["expires"].as_u64().unwrap();
    let (_, document) = client.ask("GET", "/v1/documents/hamlet", None).await;
    assert_eq!(document["expires"], expires);
    assert!(expires >= document["added"].as_u64().unwrap() + 5000);
    let (_, answer) = client.ask("POST", "/v1/documents/hamlet/touch", Some(json!({ "ttl": 10 }))).await;
    assert_eq!(answer["expires"], expires, "it expires later anyway");

    let again =
        |ttl: Option<u32>| json!({ "id": "copy", "text": HAMLET, "ttl": ttl, "on_duplicate": "touch" });
    let (status, answer) = client.ask("POST", "/v1/documents", Some(again(Some(9000)))).await;
    assert_eq!((status, &answer["status"]), (200, &json!("copy")));
    let (_, document) = client.ask("GET", "/v1/documents/hamlet", None).await;
    assert!(document["expires"].as_u64().unwrap() >= expires + 3000);
    assert_eq!(client.ask("POST", "/v1/documents", Some(again(None))).await.1["code"], "invalid");
    assert_eq!(client.ask("POST", "/v1/documents/hamlet/touch", Some(json!({}))).await.0, 422);
    assert_eq!(client.ask("POST", "/v1/documents/x/touch", Some(json!({ "ttl": 1 }))).await.0, 404);
    client.close();
}

#[tokio::test]
async fn a_ttl_of_no_time_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    let (text, ttl) = (json!({ "text": HAMLET, "ttl": 0 }), json!({ "ttl": 0 }));
    let add = json!({ "id": "hamlet", "text": HAMLET, "ttl": 0 });
    for (method, path, body) in [
        ("POST", "/v1/documents", &add),
        ("PUT", "/v1/documents/hamlet", &text),
        ("POST", "/v1/documents/hamlet/touch", &ttl),
    ] {
        let (status, answer) = client.ask(method, path, Some(body.clone())).await;
        let detail = answer["detail"].as_str().unwrap();
        assert_eq!((status, &answer["code"]), (422, &json!("invalid")));
        assert!(detail.starts_with("ttl must be 1 or more seconds"), "{detail}");
    }
    let bulk = Request::post("/v1/bulk?op=add").body(Body::from(add.to_string())).unwrap();
    let answer = String::from_utf8(client.send(bulk).await.1).unwrap();
    assert!(answer.contains("ttl must be 1 or more seconds"), "{answer}");
    client.close();
}

#[tokio::test]
async fn a_purged_text_leaves_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let client = Client::open(&path, settings());
    // Short texts are not compressed beyond recognition.
    for (id, text) in [("secret", "xyzzy plugh quux"), ("other", "nothing to hide here")] {
        let body = json!({ "id": id, "text": text });
        assert_eq!(client.ask("POST", "/v1/documents", Some(body)).await.0, 201);
    }
    let has_secret = || {
        fs::read_dir(&path).unwrap().any(|entry| {
            let bytes = fs::read(entry.unwrap().path()).unwrap_or_default();
            bytes.windows(6).any(|window| window == b"secret")
        })
    };
    assert!(has_secret());
    assert_eq!(client.ask("DELETE", "/v1/documents/secret?purge=true", None).await.0, 204);
    assert_eq!(client.ask("GET", "/v1/documents/secret", None).await.0, 404);
    for _ in 0..1000 {
        if !has_secret() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(!has_secret());
    assert_eq!(
        client.ask("GET", "/v1/documents/other?include=text", None).await.1["text"],
        "nothing to hide here"
    );
    client.close();
}

#[tokio::test]
async fn jobs_merge_pack_verify_and_copy_an_index_that_answers() {
    let folder = tempfile::tempdir().unwrap();
    let backups = folder.path().join("backups");
    fs::create_dir(&backups).unwrap();
    let settings = ServiceSettings { backups: Some(backups.clone()), ..settings() };
    let client = Client::open(&folder.path().join("seen.index"), settings);
    assert_eq!(client.ask("GET", "/v1/admin/jobs", None).await.1, json!([]));
    let hamlet = json!({ "id": "hamlet", "text": HAMLET });
    assert_eq!(client.ask("POST", "/v1/documents", Some(hamlet)).await.0, 201);
    for kind in ["merge", "pack", "verify"] {
        let (status, answer) = client.ask("POST", &format!("/v1/admin/{kind}"), None).await;
        assert_eq!((status, &answer["kind"], &answer["state"]), (202, &json!(kind), &json!("running")));
        assert_eq!(ended(&client, kind).await["state"], "done");
    }
    let name = json!({ "name": "monday" });
    assert_eq!(client.ask("POST", "/v1/admin/backup", Some(name.clone())).await.0, 202);
    let job = ended(&client, "backup").await;
    assert_eq!((&job["state"], &job["backup"]["documents"]), (&json!("done"), &json!(1)), "{job}");
    assert_eq!(client.ask("POST", "/v1/admin/backup", Some(name)).await.1["code"], "exists");
    for bad in ["", "../seen.index", ".", "a/b", &"x".repeat(201)] {
        let (status, _) = client.ask("POST", "/v1/admin/backup", Some(json!({ "name": bad }))).await;
        assert_eq!(status, 422, "{bad}");
    }
    client.close();
    let copy = Client::open(&backups.join("monday"), ServiceSettings::default());
    assert_eq!(copy.ask("POST", "/v1/check", Some(json!({ "text": HAMLET }))).await.1["status"], "copy");
    let (status, answer) = copy.ask("POST", "/v1/admin/backup", Some(json!({ "name": "a" }))).await;
    assert_eq!((status, &answer["code"]), (409, &json!("no_backups")));
    copy.close();
}

#[tokio::test]
async fn a_verification_that_finds_damage_makes_the_service_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let client = Client::open(&path, settings());
    let hamlet = json!({ "id": "hamlet", "text": HAMLET });
    assert_eq!(client.ask("POST", "/v1/documents", Some(hamlet)).await.0, 201);
    // The end makes a run, which is a file that does not change.
    client.close();
    let client = Client::open(&path, settings());
    client.app.read_ahead();
    let runs = || fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    let run = runs().find(|path| path.extension().is_some_and(|extension| extension == "run")).unwrap();
    let whole = fs::read(&run).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    let verify = async || {
        assert_eq!(client.ask("POST", "/v1/admin/verify", None).await.0, 202);
        ended(&client, "verify").await
    };
    let is_ready = async || client.send(Request::get("/ready").body(Body::empty()).unwrap()).await.0 == 200;
    for (bytes, state) in [(&whole, "done"), (&damaged, "failed"), (&whole, "done")] {
        fs::write(&run, bytes).unwrap();
        let job = verify().await;
        assert_eq!(job["state"], state, "{job}");
        assert_eq!(is_ready().await, state == "done");
    }
    fs::write(&run, &damaged).unwrap();
    let error = verify().await["error"].as_str().unwrap().to_owned();
    let (status, answer) = client.ask("GET", "/ready", None).await;
    let detail = format!("a verification found damage: {error}");
    assert_eq!((status, &answer["code"], &answer["detail"]), (503, &json!("damaged"), &json!(detail)));
    let (_, index) = client.ask("GET", "/v1/index", None).await;
    assert_eq!(index["not_ready"], detail);
    fs::write(&run, &whole).unwrap();
    client.close();
}
