//! Requests and their answers, without a network.

mod bulk;
mod canonical;
mod estimates;
mod fingerprints;
mod guard;
mod lives;
mod redis;
mod wider;

use super::*;
use crate::backend::Backend;
use crate::clock::now;
use crate::metrics::ServiceMetrics;
use crate::settings::{DuplicateMode, ServiceSettings};
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use lookalike::Plan;
use lookalike_index::live::IndexSizes;
use lookalike_index::{Index, NewIndex};
use lookalike_seen::Canonical;
use lookalike_seen::{Closer, Seen};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tower::ServiceExt;

const HAMLET: &str =
    "to be or not to be that is the question whether tis nobler in the mind to suffer the slings and arrows";

struct Client {
    router: Router,
    closer: Option<Closer>,
    app: Arc<App>,
}

impl Client {
    fn open(path: &Path, settings: ServiceSettings) -> Self {
        Self::with_clock(path, settings, now)
    }

    fn with_clock(path: &Path, settings: ServiceSettings, clock: fn() -> u32) -> Self {
        Self::by_plan(path, &Plan::default(), settings, clock)
    }

    /// The index is made with this if there is none.
    fn by_plan(path: &Path, new: impl Into<NewIndex>, settings: ServiceSettings, clock: fn() -> u32) -> Self {
        let index = match Index::is_at(path) {
            true => Index::open_to_add(path).unwrap(),
            false => Index::create(path, new).unwrap(),
        };
        // Clusters are compacted after every change.
        let index = index.with_sizes(IndexSizes { compaction: 1, ..IndexSizes::default() });
        let metrics = Arc::new(ServiceMetrics::new());
        let (seen, closer) = Seen::open_measured(index, metrics.clone()).unwrap();
        let app = Arc::new(App::with_clock(Backend::new(seen), settings, metrics, clock));
        Client { router: router(Arc::clone(&app)), closer: Some(closer), app }
    }

    async fn send(&self, request: Request<Body>) -> (u16, Vec<u8>) {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let is_error = status >= 400;
        let content_type =
            response.headers().get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap().to_owned());
        assert!(
            !is_error || content_type.as_deref() == Some("application/problem+json"),
            "{status} {content_type:?}"
        );
        (status, to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec())
    }

    async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let request =
            Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, "application/json");
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let (status, body) = self.send(request.body(body).unwrap()).await;
        let answer = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap() };
        assert!(status < 400 || answer["status"] == status, "{answer}");
        (status, answer)
    }

    fn close(self) {
        drop((self.router, self.app));
        self.closer.map_or(Ok(()), Closer::close).unwrap();
    }
}

fn settings() -> ServiceSettings {
    ServiceSettings::default()
}

#[tokio::test]
async fn a_document_is_added_once_and_found_by_every_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let client = Client::open(&path, settings());
    let check = json!({ "text": HAMLET });
    let (status, answer) = client.ask("POST", "/v1/check", Some(check.clone())).await;
    assert_eq!((status, &answer["status"], &answer["match"]), (200, &json!("new"), &Value::Null));

    let hamlet = json!({ "id": "hamlet", "text": HAMLET, "meta": { "act": 3 }, "ttl": 3600 });
    let (status, answer) = client.ask("POST", "/v1/documents", Some(hamlet.clone())).await;
    assert_eq!(
        (status, answer),
        (201, json!({ "status": "added", "stored": true, "match": null, "sequence": 0 }))
    );
    let (status, answer) = client.ask("POST", "/v1/documents", Some(hamlet)).await;
    assert_eq!((status, &answer["status"]), (200, &json!("unchanged")));
    let other = json!({ "id": "hamlet", "text": "another text" });
    let (status, answer) = client.ask("POST", "/v1/documents", Some(other)).await;
    assert_eq!((status, &answer["code"]), (409, &json!("other_text")));

    let expected = json!({ "id": "hamlet", "similarity": 1.0, "copy": true, "meta": { "act": 3 } });
    let (_, answer) = client.ask("POST", "/v1/check", Some(check)).await;
    assert_eq!((&answer["status"], &answer["match"]), (&json!("copy"), &expected));
    let page = format!("<title>x</title><script>1</script><p>{HAMLET}</p><p>and more of it</p>");
    let (_, answer) = client.ask("POST", "/v1/check", Some(json!({ "html": page, "threshold": 0.8 }))).await;
    assert_eq!((&answer["status"], &answer["match"]["id"]), (&json!("duplicate"), &json!("hamlet")));
    let strict = json!({ "html": page, "threshold": 0.9999 });
    assert_eq!(client.ask("POST", "/v1/check", Some(strict)).await.1["status"], "new");

    let copy = json!({ "id": "copy", "text": HAMLET });
    let (status, answer) = client.ask("POST", "/v1/documents", Some(copy)).await;
    assert_eq!((status, &answer["status"], &answer["stored"]), (200, &json!("copy"), &json!(false)));
    let near = json!({ "text": format!("{HAMLET} of outrageous"), "least": 0.8 });
    let (status, answer) = client.ask("POST", "/v1/similar", Some(near)).await;
    assert_eq!((status, &answer["matches"][0]["id"]), (200, &json!("hamlet")));
    assert!(answer["recall"].as_f64().unwrap() > 0.99);

    let (status, answer) = client.ask("GET", "/v1/documents/hamlet?include=text", None).await;
    assert_eq!((status, &answer["text"], &answer["meta"]), (200, &json!(HAMLET), &json!({ "act": 3 })));
    assert_eq!(answer["expires"].as_u64().unwrap(), answer["added"].as_u64().unwrap() + 3600);
    assert_eq!(client.ask("GET", "/v1/documents/copy", None).await.0, 404);

    for _ in 0..2 {
        assert_eq!(client.ask("DELETE", "/v1/documents/hamlet", None).await.0, 204);
        assert_eq!(client.ask("GET", "/v1/documents/hamlet", None).await.0, 404);
    }
    let (_, answer) = client.ask("POST", "/v1/check", Some(json!({ "text": HAMLET }))).await;
    assert_eq!(answer["status"], "new");
    client.close();
}

#[tokio::test]
async fn what_was_answered_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let client = Client::open(&path, settings());
    let put = |text: String| Some(json!({ "text": text }));
    for number in 0..50 {
        let (status, _) = client
            .ask("PUT", &format!("/v1/documents/d%2F{number}"), put(format!("{HAMLET} {number}")))
            .await;
        assert_eq!(status, 201, "documents are not compared");
    }
    client.close();
    let client = Client::open(&path, ServiceSettings { mode: DuplicateMode::All, ..settings() });
    assert_eq!(client.ask("GET", "/v1/documents/d%2F49", None).await.1["id"], "d/49");
    let (status, answer) = client.ask("PUT", "/v1/documents/d%2F3", put(format!("{HAMLET} 3"))).await;
    assert_eq!((status, &answer["status"]), (200, &json!("unchanged")));
    let (status, answer) =
        client.ask("POST", "/v1/documents", Some(json!({ "id": "e", "text": format!("{HAMLET} 7") }))).await;
    assert_eq!((status, &answer["stored"], &answer["match"]["id"]), (201, &json!(true), &json!("d/7")));
    client.close();
}

#[tokio::test]
async fn a_document_is_not_found_after_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    let hamlet = json!({ "id": "hamlet", "text": HAMLET, "ttl": 1 });
    assert_eq!(client.ask("POST", "/v1/documents", Some(hamlet)).await.0, 201);
    while client.ask("GET", "/v1/documents/hamlet", None).await.0 != 410 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let touch = json!({ "ttl": 100 });
    let (status, answer) = client.ask("POST", "/v1/documents/hamlet/touch", Some(touch)).await;
    assert_eq!((status, &answer["code"]), (410, &json!("expired")));
    assert_eq!(client.ask("POST", "/v1/check", Some(json!({ "text": HAMLET }))).await.1["status"], "new");
    let again = json!({ "id": "hamlet", "text": "an id is free when its document has expired" });
    assert_eq!(client.ask("POST", "/v1/documents", Some(again)).await.0, 201);
    client.close();
}

#[tokio::test]
async fn a_stream_is_answered_line_by_line_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    // Every fourth text is a copy of the one before.
    let text = |number: usize| (0..30).map(|word| format!("w{number}x{word} ")).collect::<String>();
    let mut lines: Vec<String> = (0..500)
        .map(|number| json!({ "id": format!("d{number}"), "text": text(if number % 4 == 3 { number - 1 } else { number }) }).to_string())
        .collect();
    lines[100] = "{".to_owned();
    lines[200] = json!({ "id": "d200" }).to_string();
    lines.insert(300, "  ".to_owned());
    let bulk =
        |op: &str, body: String| Request::post(format!("/v1/bulk?op={op}")).body(Body::from(body)).unwrap();
    let parse = |body: Vec<u8>| -> Vec<Value> {
        String::from_utf8(body).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (status, body) = client.send(bulk("add", lines.join("\n"))).await;
    let answers = parse(body);
    assert_eq!((status, answers.len()), (200, 501));
    assert_eq!(answers[500], json!({ "lines": 500, "errors": 2 }));
    for (number, answer) in answers[..500].iter().enumerate() {
        match number {
            100 | 200 => assert_eq!(answer["code"], "invalid"),
            number if number % 4 == 3 => {
                assert_eq!(
                    (&answer["status"], &answer["match"]["id"]),
                    (&json!("copy"), &json!(format!("d{}", number - 1)))
                );
            }
            _ => assert_eq!(answer["status"], "added"),
        }
    }
    let sequences: Vec<u64> = answers.iter().filter_map(|answer| answer["sequence"].as_u64()).collect();
    assert!(sequences.is_sorted(), "they are decided in the order of the lines");

    let checks = (0..8).map(|number| json!({ "text": text(number) }).to_string() + "\n").collect();
    let answers = parse(client.send(bulk("check", checks)).await.1);
    assert!(answers[..3].iter().all(|answer| answer["status"] == "copy") && answers[3]["status"] == "new");
    assert!(answers.iter().all(|answer| answer.get("id").is_none()), "no line had an id");
    let named = json!({ "id": "mine", "text": text(1) }).to_string();
    let answer = parse(client.send(bulk("check", named)).await.1)[0].clone();
    assert_eq!((&answer["id"], &answer["status"]), (&json!("mine"), &json!("copy")));
    let answers = parse(client.send(bulk("remove", "{\"id\":\"d0\"}\n{\"id\":\"x\"}".to_owned())).await.1);
    assert_eq!((&answers[0]["removed"], &answers[1]["removed"]), (&json!(true), &json!(false)));
    let again = json!({ "id": "e", "text": text(1) }).to_string();
    assert_eq!(parse(client.send(bulk("put", again)).await.1)[0]["status"], "added");
    client.close();
}

#[tokio::test]
async fn a_bad_request_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ServiceSettings { most_bytes: 2000, ..settings() };
    let client = Client::open(&folder.path().join("seen.index"), settings);
    let both = json!({ "text": "a", "html": "b" });
    for (method, path, body, status, code) in [
        ("POST", "/v1/check", Some(json!({})), 422, "invalid"),
        ("POST", "/v1/check", Some(both), 422, "invalid"),
        ("POST", "/v1/check", Some(json!({ "text": "a", "treshold": 1 })), 422, "invalid"),
        ("POST", "/v1/check", Some(json!({ "text": "a", "threshold": 1.5 })), 422, "invalid"),
        ("POST", "/v1/check", Some(json!({ "text": "a", "threshold": 0.5 })), 422, "invalid"),
        ("POST", "/v1/similar", Some(json!({ "text": "a", "least": 1.5 })), 422, "invalid"),
        ("POST", "/v1/deduplicate", Some(json!({ "documents": [], "threshold": 0.5 })), 422, "invalid"),
        ("POST", "/v1/similar", Some(json!({})), 422, "invalid"),
        ("POST", "/v1/similar", Some(json!(["a", null, null, null, null, null, false])), 422, "invalid"),
        ("POST", "/v1/check", Some(json!(["a", null, null])), 422, "invalid"),
        ("POST", "/v1/check", Some(json!({ "text": "a".repeat(3000) })), 413, "too_large"),
        ("POST", "/v1/documents", Some(json!({ "id": "", "text": "a" })), 422, "invalid"),
        ("POST", "/v1/documents", Some(json!({ "text": "a" })), 422, "invalid"),
        ("POST", "/v1/similar", Some(json!({ "text": "a", "k": 0 })), 422, "invalid"),
        ("POST", "/v1/similar", Some(json!({ "id": "x" })), 404, "no_document"),
        ("GET", "/v1/documents/x?include=everything", None, 400, "invalid"),
        ("POST", "/v1/bulk?op=mend", None, 400, "invalid"),
        ("PUT", "/v1/documents/%ff", Some(json!({ "text": "a" })), 400, "invalid"),
        ("GET", "/v1/nothing", None, 404, "no_route"),
        ("PATCH", "/v1/check", None, 405, "no_method"),
    ] {
        let (found, answer) = client.ask(method, path, body).await;
        assert_eq!((found, &answer["code"]), (status, &json!(code)), "{method} {path}: {answer}");
        assert!(!answer["detail"].as_str().unwrap().is_empty());
    }
    for (method, path, body, detail) in [
        ("POST", "/v1/check", Some(json!({ "text": "a".repeat(3000) })), "the body has more than 2000 bytes"),
        (
            "POST",
            "/v1/check",
            Some(json!({ "text": 7 })),
            "text: invalid type: integer `7`, expected a string",
        ),
        ("POST", "/v1/bulk?op=mend", None, "the query is wrong: op: unknown variant `mend`"),
        (
            "PUT",
            "/v1/documents/%ff",
            Some(json!({ "text": "a" })),
            "the path is wrong: Invalid UTF-8 in `id`",
        ),
    ] {
        let (_, answer) = client.ask(method, path, body).await;
        assert!(answer["detail"].as_str().unwrap().starts_with(detail), "{answer}");
    }
    // An array, of the right and of another length, by itself and as a line.
    for array in [json!(["a", null, null]), json!(["a"])] {
        let (_, answer) = client.ask("POST", "/v1/check", Some(array.clone())).await;
        let line = Request::post("/v1/bulk?op=check").body(Body::from(array.to_string())).unwrap();
        let line = String::from_utf8(client.send(line).await.1).unwrap();
        let detail = "send an object: { and the names and values of fields";
        assert!(answer["detail"] == detail && line.contains(detail), "{answer} {line}");
    }
    let broken = Request::post("/v1/check")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from("{"))
        .unwrap();
    let (status, answer) = client.send(broken).await;
    let answer = String::from_utf8(answer).unwrap();
    assert!(status == 400 && answer.contains("the body is not JSON: EOF while parsing"), "{answer}");
    let no_type = Request::post("/v1/check").body(Body::from("{}")).unwrap();
    assert_eq!(client.send(no_type).await.0, 415);
    let long = Request::post("/v1/bulk?op=check")
        .body(Body::from("{\"text\":\"a\"}\n".to_owned() + &"x".repeat(3000)))
        .unwrap();
    let (status, body) = client.send(long).await;
    let lines = String::from_utf8(body).unwrap();
    assert!(status == 200 && lines.contains("\"new\"") && lines.contains("too_large"), "{lines}");
    client.close();
}

#[tokio::test]
async fn metrics_count_what_was_answered() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    for id in ["a", "b"] {
        client.ask("POST", "/v1/documents", Some(json!({ "id": id, "text": HAMLET }))).await;
    }
    client.ask("POST", "/v1/check", Some(json!({ "text": HAMLET }))).await;
    client.ask("GET", "/v1/documents/x", None).await;
    assert_eq!(client.ask("GET", "/ready", None).await.0, 503);
    client.app.read_ahead();
    let ready = client.send(Request::get("/ready").body(Body::empty()).unwrap()).await;
    assert_eq!(ready, (200, b"ready\nfdatasync\n".to_vec()));
    let (_, text) = client.send(Request::get("/metrics").body(Body::empty()).unwrap()).await;
    let text = String::from_utf8(text).unwrap();
    for line in [
        "lookalike_requests_total{route=\"POST /v1/documents\",status=\"201\"} 1",
        "lookalike_requests_total{route=\"GET /v1/documents/{id}\",status=\"404\"} 1",
        "lookalike_decisions_total{decision=\"Duplicate\"} 1",
        // The second addition and the check.
        "lookalike_compared_total 2",
        "lookalike_candidates_sum 2.0",
        "lookalike_bucket_documents_sum 42.0",
        "lookalike_sync_duration_seconds_count 1",
        "lookalike_sync_changes_sum 1.0",
        "lookalike_documents 1",
        "lookalike_runs 0",
        "lookalike_memtables 1",
        "lookalike_merges_total 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    client.close();
}

/// `UPDATE_OPENAPI=1 cargo test -p lookalike-service` writes it anew.
#[test]
fn the_committed_description_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(&path, openapi()).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == openapi(), "openapi.json is not that of the code");
}

/// A text of a family, all of whose texts are similar. Texts of different families are not.
fn text(family: u64, variant: u64) -> String {
    let words = (0..60).map(|word| format!("w{}", family * 1000 + word)).collect::<Vec<_>>();
    format!("{} variant{variant}", words.join(" "))
}

#[tokio::test]
async fn a_list_is_deduplicated_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    let old = json!({ "id": "old", "text": text(9, 0) });
    assert_eq!(client.ask("POST", "/v1/documents", Some(old)).await.0, 201);
    let families = [1, 2, 1, 9, 3, 2, 1];
    let document = |(place, family): (usize, &u64)| json!({ "id": format!("r{place}"), "text": text(*family, place as u64) });
    let documents: Vec<Value> = families.iter().enumerate().map(document).collect();
    let list = |against: bool| Some(json!({ "documents": documents, "against_index": against }));
    let (status, answer) = client.ask("POST", "/v1/deduplicate", list(true)).await;
    assert_eq!(status, 200);
    let unique: Vec<(u64, Vec<u64>)> = answer["unique"]
        .as_array()
        .unwrap()
        .iter()
        .map(|unique| {
            let others = unique["stands_for"].as_array().unwrap();
            assert!(others.iter().all(|other| other["similarity"].as_f64().unwrap() > 0.8));
            (
                unique["index"].as_u64().unwrap(),
                others.iter().map(|other| other["index"].as_u64().unwrap()).collect(),
            )
        })
        .collect();
    assert_eq!(unique, [(0, vec![2, 6]), (1, vec![5]), (4, vec![])]);
    assert_eq!((&answer["seen"][0]["id"], &answer["seen"][0]["match"]["id"]), (&json!("r3"), &json!("old")));
    let (_, answer) = client.ask("POST", "/v1/deduplicate", list(false)).await;
    assert_eq!((answer["unique"].as_array().unwrap().len(), &answer["seen"]), (4, &json!([])));
    let bad = json!({ "documents": [{ "text": "a" }, { "id": "x" }] });
    let (status, answer) = client.ask("POST", "/v1/deduplicate", Some(bad)).await;
    assert_eq!((status, &answer["detail"]), (422, &json!("documents[1]: give one of text and html")));
    client.close();
}

#[tokio::test]
async fn two_texts_are_compared_with_their_passages() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    let page =
        json!({ "id": "hamlet", "text": HAMLET, "url": "https://Example.org:443/hamlet?utm_source=x#top" });
    assert_eq!(client.ask("POST", "/v1/documents", Some(page)).await.0, 201);
    let other = format!("é {HAMLET}");
    let compare = json!({ "a": { "url": "https://example.org/hamlet" }, "b": { "text": other } });
    let (status, answer) = client.ask("POST", "/v1/compare", Some(compare)).await;
    assert_eq!((status, &answer["a"]["id"], &answer["found"]), (200, &json!("hamlet"), &json!(true)));
    let length = HAMLET.len();
    let passage = &answer["passages"][0];
    assert_eq!(
        (&passage["a"], &passage["b"]),
        (&json!([0, length]), &json!([2, length + 2])),
        "in characters"
    );
    assert_eq!(answer["measures"]["containment_of_a"], 1.0);
    let similar = json!({ "url": "https://example.org/hamlet" });
    let (status, answer) = client.ask("POST", "/v1/similar", Some(similar)).await;
    assert_eq!((status, &answer["matches"]), (200, &json!([])), "the document itself is not listed");
    for (request, code) in [
        (json!({ "a": { "id": "hamlet" }, "b": { "id": "nobody" } }), 404),
        (json!({ "a": { "id": "hamlet" }, "b": { "url": "https://example.org/other" } }), 404),
        (json!({ "a": { "id": "hamlet" }, "b": { "id": "hamlet", "text": "x" } }), 422),
        (json!({ "a": { "id": "hamlet" } }), 422),
    ] {
        assert_eq!(client.ask("POST", "/v1/compare", Some(request)).await.0, code);
    }
    let relative = json!({ "id": "x", "text": "x", "url": "/hamlet" });
    assert_eq!(client.ask("POST", "/v1/documents", Some(relative)).await.0, 422);
    client.close();
}

#[tokio::test]
async fn a_document_is_found_by_each_spelling_of_its_url() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    let page = json!({ "id": "hamlet", "text": HAMLET, "url": "http://x.example/p?filter%5Bname%5D=a%7Cb" });
    assert_eq!(client.ask("POST", "/v1/documents", Some(page)).await.0, 201);
    for url in [
        "http://x.example/p?filter%5Bname%5D=a%7Cb",
        "http://x.example/p?filter[name]=a|b",
        "http://x.example/p;jsessionid=7?CFID=1&filter[name]=a%7cb",
    ] {
        let (status, answer) = client.ask("POST", "/v1/similar", Some(json!({ "url": url }))).await;
        assert_eq!((status, &answer["matches"]), (200, &json!([])), "{url}");
    }
    client.close();
}

#[tokio::test]
async fn a_cluster_has_a_canonical_document_by_each_policy() {
    for (policy, expected) in [
        (Canonical::First, "a"),
        (Canonical::ShortestUrl, "b"),
        (Canonical::LongestText, "c"),
        (Canonical::Priority, "d"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let settings = ServiceSettings { mode: DuplicateMode::All, canonical: policy, ..settings() };
        let client = Client::open(&folder.path().join("seen.index"), settings);
        for (id, url, more, priority) in [
            ("a", "one", "", 1.0),
            ("b", "", "", 1.5),
            ("c", "three", " and a last word", 0.5),
            ("d", "four", "", 2.0),
        ] {
            let document = json!({
                "id": id, "text": text(1, 1) + more, "url": format!("https://example.org/{url}"), "priority": priority, "title": id,
            });
            assert_eq!(client.ask("POST", "/v1/documents", Some(document)).await.0, 201);
        }
        let (status, answer) = client.ask("GET", "/v1/documents/b/cluster", None).await;
        assert_eq!(
            (status, &answer["canonical"], &answer["policy"]),
            (200, &json!(expected), &json!(policy.name()))
        );
        let members: Vec<&Value> =
            answer["members"].as_array().unwrap().iter().map(|member| &member["id"]).collect();
        assert_eq!(members, ["a", "b", "c", "d"]);
        assert!(answer["least_similarity"].as_f64().unwrap() > 0.8);
        assert_eq!(client.ask("DELETE", &format!("/v1/documents/{expected}"), None).await.0, 204);
        let other = if expected == "b" { "a" } else { "b" };
        let (_, answer) = client.ask("GET", &format!("/v1/documents/{other}/cluster"), None).await;
        assert_eq!((answer["members"].as_array().unwrap().len(), &answer["count"]), (3, &json!(3)));
        assert_ne!(answer["canonical"], json!(expected));
        client.close();
    }
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    let (status, answer) = client.ask("GET", "/v1/documents/a/cluster", None).await;
    assert_eq!((status, &answer["code"]), (409, &json!("no_clusters")));
    client.close();
}

/// The time after which an event is lost that was waited for.
const LOST_AFTER: Duration = Duration::from_secs(30);

/// Waits until there are so many events.
async fn wait_for_events(client: &Client, count: u64) {
    let mut next = client.app.events.next();
    let reported = tokio::time::timeout(LOST_AFTER, next.wait_for(|&next| next >= count)).await;
    let next = *client.app.events.next().borrow();
    assert!(reported.is_ok(), "{next} events are there, and not {count}");
}

/// The data of the events of a stream, until there are `count`.
async fn events(client: &Client, path: &str, count: usize) -> Vec<(String, Value)> {
    use futures_util::StreamExt;
    let response =
        client.router.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    let (mut body, mut read) = (response.into_body().into_data_stream(), String::new());
    let reading = async {
        while read.matches("\n\n").count() < count {
            let part = body.next().await.unwrap().unwrap();
            // Others are only there so that the connection stays.
            if !part.starts_with(b":") {
                read.push_str(std::str::from_utf8(&part).unwrap());
            }
        }
    };
    let is_read = tokio::time::timeout(LOST_AFTER, reading).await.is_ok();
    assert!(is_read, "{count} events do not come, but {read}");
    let event = |event: &str| {
        let field =
            |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
        (field("id:"), serde_json::from_str(&field("data:")).unwrap())
    };
    read.trim_end().split("\n\n").map(event).collect()
}

#[tokio::test]
async fn events_are_told_in_their_order_and_from_any_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ServiceSettings { mode: DuplicateMode::All, canonical: Canonical::Priority, ..settings() };
    let client = Client::open(&folder.path().join("seen.index"), settings);
    let start = format!("/v1/events?from={}-{}", client.app.started, u64::MAX);
    for (id, family, priority) in [("a", 1, 1.0), ("b", 2, 9.0), ("c", 1, 2.0)] {
        let document = json!({ "id": id, "text": text(family, priority as u64), "priority": priority });
        assert_eq!(client.ask("POST", "/v1/documents", Some(document)).await.0, 201);
    }
    // The event about the canonical document comes from another thread.
    wait_for_events(&client, 4).await;
    assert_eq!(client.ask("DELETE", "/v1/documents/c", None).await.0, 204);
    wait_for_events(&client, 6).await;
    let (status, _) = client.send(Request::get(start).body(Body::empty()).unwrap()).await;
    assert_eq!(status, 410, "of an event that is not there yet");
    let first = format!("{}-0", client.app.started);
    let told = events(&client, &format!("/v1/events?from={first}"), 5).await;
    let told: Vec<Value> = told.into_iter().map(|(_, data)| data).collect();
    assert_eq!(told[0], json!({ "type": "added", "id": "b", "sequence": 1 }));
    assert_eq!(
        (&told[1]["type"], &told[1]["of"], &told[1]["stored"]),
        (&json!("duplicate"), &json!("a"), &json!(true))
    );
    assert_eq!(told[2], json!({ "type": "canonical", "id": "c", "previous": "a" }));
    assert_eq!(told[3], json!({ "type": "removed", "id": "c", "sequence": 4 }));
    assert_eq!(told[4], json!({ "type": "canonical", "id": "a", "previous": "c" }));
    for (from, code) in [("x", 422), ("1-1", 410)] {
        let request = Request::get(format!("/v1/events?from={from}")).body(Body::empty()).unwrap();
        assert_eq!(client.send(request).await.0, code);
    }
    client.close();
}
